//! `/portal/widgets`: the company's widgets, and all that can be changed on one.

use std::sync::Arc;

use axum::extract::{Extension, Path, RawQuery, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use shingle_domain::rules::{Fields, WidgetPatch};
use shingle_domain::{Environment, WidgetId};
use shingle_portal::{Notice, WidgetFormValues, WidgetView, tidied, widget_field_names, widget_page, widgets_page};
use shingle_store::StoredWidget;

use super::form::PortalForm;
use super::gate::Signed;
use super::page::{FRAMING, or_not_there, page, page_with, to};
use super::settings::{frame, said};
use crate::app::App;
use crate::http::error::{ApiError, ApiResult};
use crate::http::widget_form::WidgetForm;
use crate::logo::Logo;

pub async fn list(
    State(app): State<Arc<App>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let widgets = app.store.list_widgets(&signed.tenant(Environment::Production)).await?;
    let records: Vec<_> = widgets.iter().map(|stored| app.record(&stored.widget)).collect();
    let notice = said(&PortalForm::of_query(query.as_deref()));
    Ok(page(widgets_page(&frame(&signed, notice), &records)))
}

async fn find(app: &App, signed: &Signed, id: &str) -> ApiResult<Arc<StoredWidget>> {
    let id: WidgetId = id.parse().map_err(|_| ApiError::NotFound)?;
    app.store.find_widget(&signed.tenant(Environment::Production), id).await?.ok_or(ApiError::NotFound)
}

pub async fn show(
    State(app): State<Arc<App>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let notice = said(&PortalForm::of_query(query.as_deref()));
    let shown = async {
        let stored = find(&app, &signed, &id).await?;
        Ok(one(&app, &signed, &stored, StatusCode::OK, recorded(&app, &stored)?, notice))
    };
    or_not_there(shown.await)
}

/// The record as texts, by the names of its fields.
fn recorded(app: &App, stored: &StoredWidget) -> ApiResult<WidgetFormValues> {
    let record = serde_json::to_value(app.record(&stored.widget)).map_err(ApiError::internal)?;
    let mut values = WidgetFormValues::default();
    for name in widget_field_names() {
        match record.get(name) {
            Some(Value::String(text)) => values.set(name, text.as_str()),
            Some(Value::Number(number)) => values.set(name, number.to_string()),
            _ => {}
        }
    }
    Ok(values)
}

fn one(
    app: &App,
    signed: &Signed,
    stored: &StoredWidget,
    status: StatusCode,
    values: WidgetFormValues,
    notice: Option<Notice<'_>>,
) -> Response {
    let (record, link) = (app.record(&stored.widget), stored.widget.link_id());
    let view = WidgetView {
        record: &record,
        hosted_path: format!("/w/{link}"),
        check_path: format!("/w/{link}/check"),
        logo_path: format!("/storage/{}", stored.widget.header_logo.path),
        codes: [stored.widget.widget_qr_path(), stored.widget.hosted_qr_path()].map(|path| format!("/storage/{path}")),
        values: &values,
        version: stored.version,
    };
    ([FRAMING], page_with(status, widget_page(&frame(signed, notice), &view))).into_response()
}

pub async fn change(
    State(app): State<Arc<App>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    request: Request,
) -> Response {
    or_not_there(changed(&app, &signed, &id, request).await)
}

async fn changed(app: &App, signed: &Signed, id: &str, request: Request) -> ApiResult<Response> {
    let stored = find(app, signed, id).await?;
    let seen = PortalForm::of_query(request.uri().query()).text("seen").parse::<u64>().ok();
    let conflict = || to(&format!("/portal/widgets/{}?said=widgetConflict", stored.widget.reference_id));
    if seen != Some(stored.version) {
        return Ok(conflict());
    }
    let mut values = recorded(app, &stored)?;
    let refused = |mut values: WidgetFormValues, name: &str, said: String| {
        values.refuse(name, said);
        one(app, signed, &stored, StatusCode::UNPROCESSABLE_ENTITY, values, None)
    };
    let mut form = match WidgetForm::read(request).await {
        Ok(form) => form,
        Err(ApiError::BadRequest(said)) => return Ok(refused(values, "", format!("{said}."))),
        Err(other) => return Err(other),
    };
    // Only what differs is a change: a default that was shown stays a default.
    let mut changes = Vec::new();
    for name in widget_field_names() {
        let Some(typed) = form.fields.text(name).map(|text| tidied(name, text)) else { continue };
        if typed != values.get(name) {
            values.set(name, typed.as_str());
            if !(typed.is_empty() && name == "elementLocation") {
                changes.push((name, typed));
            }
        }
    }
    let patch = WidgetPatch::parse(&Fields::from_pairs(changes));
    let patch = match patch.and_then(|patch| patch.apply(&stored.widget).map(|_| patch)) {
        Ok(patch) => patch,
        Err(violations) => {
            values.refuse_all(&violations.0);
            return Ok(one(app, signed, &stored, StatusCode::UNPROCESSABLE_ENTITY, values, None));
        }
    };
    let mut logos = [None, None];
    for (slot, logo) in logos.iter_mut().zip(Logo::BOTH) {
        let Some(bytes) = form.take_logo(logo) else { continue };
        match app.store_logo(bytes, logo).await {
            Ok(image) => *slot = Some(image),
            Err(ApiError::BadRequest(said)) => {
                let said = format!("The picture {}.", said.trim_start_matches(logo.field()).trim_start());
                return Ok(refused(values, logo.field(), said));
            }
            Err(other) => return Err(other),
        }
    }
    let [header, footer] = logos;
    let saved = app.store.update_widget(&stored.tenant, stored.widget.reference_id, |old| {
        if *old != stored.widget {
            return Err(Refused::Conflict);
        }
        let mut new = patch.apply(old).map_err(|violations| Refused::Error(violations.into()))?;
        if let Some(header) = &header {
            new.header_logo = header.clone();
        }
        new.footer_logo = footer.clone().or(new.footer_logo);
        let record = app.record(&new);
        Ok((new, record))
    });
    match saved.await {
        Ok(saved) => Ok(to(&format!("/portal/widgets/{}?said=saved", saved.widget.reference_id))),
        Err(Refused::Conflict) => Ok(conflict()),
        Err(Refused::Error(error)) => Err(error),
    }
}

enum Refused {
    /// Somebody was faster.
    Conflict,
    Error(ApiError),
}

impl From<shingle_store::StoreError> for Refused {
    fn from(error: shingle_store::StoreError) -> Self {
        Self::Error(error.into())
    }
}
