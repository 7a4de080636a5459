//! `/api/v1/roof-estimate-widget`: the widgets that contractors configure.

use std::sync::Arc;

use axum::Json;
use axum::extract::{OriginalUri, Path, Request, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use shingle_domain::rules::{WidgetDraft, WidgetPatch};
use shingle_domain::widget::{StoredImage, WidgetRecord};
use shingle_domain::{Tenant, WidgetId};

use crate::api::auth::{ApiCaller, LeadCaller};
use crate::api::widget_form::WidgetForm;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use crate::web::ignored_fields::{Ignoring, ignored_names};
use crate::web::request_key::request_key;
use shingle_app::logo::Logo;

pub async fn create(
    State(web): State<Arc<Web>>,
    caller: ApiCaller,
    OriginalUri(uri): OriginalUri,
    request: Request,
) -> ApiResult<Ignoring<ApiResult<(StatusCode, Json<WidgetRecord>)>>> {
    let headers = request.headers().clone();
    let form = WidgetForm::read(request).await?;
    let ignored = ignored_names(&WidgetPatch::ignored(&form.fields));
    Ok(Ignoring::new(ignored, make(&web, &caller, &uri, &headers, form).await))
}

async fn make(
    web: &Web,
    caller: &ApiCaller,
    uri: &Uri,
    headers: &HeaderMap,
    mut form: WidgetForm,
) -> ApiResult<(StatusCode, Json<WidgetRecord>)> {
    let draft = WidgetDraft::parse(&form.fields, form.has(Logo::Header))?;
    let (header, footer) = store_logos(web, &mut form).await?;
    let header = header.ok_or_else(|| ApiError::bad_request("headerLogo should not be empty"))?;
    let widget = draft.into_widget(header, footer);
    // Two forms are the same when they make the same widget: their bytes differ with every boundary.
    let key = request_key(headers, uri.path(), &serde_json::to_vec(&widget).map_err(ApiError::internal)?)?;
    let made = web
        .store
        .widgets()
        .create(caller.tenant(), &widget, |widget| web.record(caller.tenant().account, widget), key.as_ref())
        .await?;
    if widget.installed_price.is_none() {
        tracing::info!(
            "widget {} has no installedPrice, so it shows the reference table's: ${} a square",
            widget.reference_id,
            web.asphalt()
        );
    }
    Ok((StatusCode::CREATED, Json(web.record(caller.tenant().account, &made.widget))))
}

pub async fn update(
    State(web): State<Arc<Web>>,
    caller: ApiCaller,
    Path(id): Path<String>,
    request: Request,
) -> ApiResult<Ignoring<ApiResult<Json<WidgetRecord>>>> {
    let mut form = WidgetForm::read(request).await?;
    form.require_read()?;
    let ignored = ignored_names(&WidgetPatch::ignored(&form.fields));
    let changed = match WidgetPatch::parse(&form.fields) {
        Ok(patch) => apply_changes(&web, caller.tenant(), &id, &patch, &mut form).await,
        Err(broken) => Err(broken.into()),
    };
    Ok(Ignoring::new(ignored, changed))
}

pub async fn list(State(web): State<Arc<Web>>, caller: LeadCaller) -> ApiResult<Json<Vec<WidgetRecord>>> {
    let all = web.store.widgets().list(caller.tenant()).await?;
    Ok(Json(all.iter().map(|stored| web.record(caller.tenant().account, &stored.widget)).collect()))
}

pub async fn show(
    State(web): State<Arc<Web>>,
    caller: LeadCaller,
    Path(id): Path<String>,
) -> ApiResult<Json<WidgetRecord>> {
    let stored = web.store.widgets().find(caller.tenant(), parse_id(&id)?).await?.ok_or(ApiError::NotFound)?;
    Ok(Json(web.record(caller.tenant().account, &stored.widget)))
}

pub async fn upload_logos(
    State(web): State<Arc<Web>>,
    caller: ApiCaller,
    Path(id): Path<String>,
    request: Request,
) -> ApiResult<Json<WidgetRecord>> {
    let mut form = WidgetForm::read(request).await?;
    if !Logo::BOTH.into_iter().any(|logo| form.has(logo)) {
        return Err(ApiError::bad_request("headerLogo or footerLogo should not be empty"));
    }
    apply_changes(&web, caller.tenant(), &id, &WidgetPatch::default(), &mut form).await
}

async fn apply_changes(
    web: &Web,
    tenant: &Tenant,
    id: &str,
    patch: &WidgetPatch,
    form: &mut WidgetForm,
) -> ApiResult<Json<WidgetRecord>> {
    let id = parse_id(id)?;
    // Checked before logos are decoded for a widget that does not exist.
    web.store.widgets().find(tenant, id).await?.ok_or(ApiError::NotFound)?;
    let (header, footer) = store_logos(web, form).await?;
    let stored = web
        .store
        .widgets()
        .update(tenant, id, |old| {
            let mut new = patch.apply(old)?;
            if let Some(header) = &header {
                new.header_logo = header.clone();
            }
            if let Some(footer) = &footer {
                new.footer_logo = Some(footer.clone());
            }
            let record = web.record(tenant.account, &new);
            Ok::<_, ApiError>((new, record))
        })
        .await?;
    Ok(Json(web.record(tenant.account, &stored.widget)))
}

/// Logos are stored before the row that names them: a failure in between leaves no incomplete widget.
async fn store_logos(web: &Web, form: &mut WidgetForm) -> ApiResult<(Option<StoredImage>, Option<StoredImage>)> {
    let mut stored = [None, None];
    for (slot, logo) in stored.iter_mut().zip(Logo::BOTH) {
        if let Some(bytes) = form.take_logo(logo) {
            *slot = Some(web.store_logo(bytes, logo).await?);
        }
    }
    let [header, footer] = stored;
    Ok((header, footer))
}

/// A malformed id is a 404 like an unknown one.
fn parse_id(id: &str) -> ApiResult<WidgetId> {
    id.parse().map_err(|_| ApiError::NotFound)
}
