//! `/api/v1/roof-estimate-widget`: what a contractor configures.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use shingle_domain::rules::{WidgetDraft, WidgetPatch};
use shingle_domain::widget::{StoredImage, WidgetRecord};
use shingle_domain::{Tenant, WidgetId};

use super::auth::Holder;
use super::error::{Answer, Failure};
use super::form::Form;
use crate::app::App;
use crate::images::Logo;

pub async fn create(
    State(app): State<Arc<App>>,
    holder: Holder,
    request: Request,
) -> Answer<(StatusCode, Json<WidgetRecord>)> {
    let mut form = Form::read(request).await?;
    let draft = WidgetDraft::parse(&form.fields, form.has(Logo::Header))?;
    let (header, footer) = keep_logos(&app, &mut form).await?;
    let header = header.ok_or_else(|| Failure::refused("headerLogo should not be empty"))?;
    let widget = draft.into_widget(header, footer);
    let record = app.record(&widget);
    app.store.create_widget(holder.tenant(), &widget, &record).await?;
    Ok((StatusCode::CREATED, Json(record)))
}

pub async fn update(
    State(app): State<Arc<App>>,
    holder: Holder,
    Path(id): Path<String>,
    request: Request,
) -> Answer<Json<WidgetRecord>> {
    let mut form = Form::read(request).await?;
    let patch = WidgetPatch::parse(&form.fields)?;
    change(&app, holder.tenant(), &id, &patch, &mut form).await
}

pub async fn show(State(app): State<Arc<App>>, holder: Holder, Path(id): Path<String>) -> Answer<Json<WidgetRecord>> {
    let stored = app.store.find_widget(holder.tenant(), known(&id)?).await?.ok_or(Failure::NotFound)?;
    Ok(Json(app.record(&stored.widget)))
}

pub async fn upload_logos(
    State(app): State<Arc<App>>,
    holder: Holder,
    Path(id): Path<String>,
    request: Request,
) -> Answer<Json<WidgetRecord>> {
    let mut form = Form::read(request).await?;
    if !Logo::BOTH.into_iter().any(|logo| form.has(logo)) {
        return Err(Failure::refused("headerLogo or footerLogo should not be empty"));
    }
    change(&app, holder.tenant(), &id, &WidgetPatch::default(), &mut form).await
}

async fn change(
    app: &App,
    tenant: &Tenant,
    id: &str,
    patch: &WidgetPatch,
    form: &mut Form,
) -> Answer<Json<WidgetRecord>> {
    let id = known(id)?;
    // Before pictures are drawn for a widget that is not there.
    app.store.find_widget(tenant, id).await?.ok_or(Failure::NotFound)?;
    let (header, footer) = keep_logos(app, form).await?;
    let stored = app
        .store
        .update_widget(tenant, id, |old| {
            let mut new = patch.apply(old)?;
            if let Some(header) = &header {
                new.header_logo = header.clone();
            }
            if let Some(footer) = &footer {
                new.footer_logo = Some(footer.clone());
            }
            let record = app.record(&new);
            Ok::<_, Failure>((new, record))
        })
        .await?;
    Ok(Json(app.record(&stored.widget)))
}

/// Pictures first, the row that names them last: whatever fails in between leaves no half widget.
async fn keep_logos(app: &App, form: &mut Form) -> Answer<(Option<StoredImage>, Option<StoredImage>)> {
    let mut kept = [None, None];
    for (slot, logo) in kept.iter_mut().zip(Logo::BOTH) {
        if let Some(bytes) = form.logo(logo) {
            *slot = Some(app.keep_logo(bytes, logo).await?);
        }
    }
    let [header, footer] = kept;
    Ok((header, footer))
}

/// What is no id names no widget.
fn known(id: &str) -> Answer<WidgetId> {
    id.parse().map_err(|_| Failure::NotFound)
}
