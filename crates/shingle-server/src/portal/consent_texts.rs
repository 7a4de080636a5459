//! `/portal/consents`: what homeowners are asked to agree to.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::Response;
use shingle_domain::Environment;
use shingle_domain::widget::WidgetStatus;
use shingle_portal::{ConsentTextsView, Hours, consent_texts_page};

use super::gate::Signed;
use super::page::page_with;
use super::settings::{frame, zone};
use crate::app::App;
use crate::http::error::ApiResult;

pub async fn show(State(app): State<Arc<App>>, Extension(signed): Extension<Arc<Signed>>) -> ApiResult<Response> {
    let tenant = signed.tenant(Environment::Production);
    let texts = app.store.consent_texts(&tenant).await?;
    let widgets = app.store.list_widgets(&tenant).await?;
    let shown = widgets.into_iter().map(|stored| stored.widget).filter(|widget| widget.status == WidgetStatus::Active);
    let mut companies: Vec<String> = shown.map(|widget| widget.company_name).collect();
    companies.sort();
    companies.dedup();
    let hours = Hours::new(&zone(&app, &signed).await?, app.clock.now(), signed.language);
    let view = ConsentTextsView { companies: &companies, texts: &texts, hours: &hours };
    Ok(page_with(StatusCode::OK, consent_texts_page(&frame(&signed, None), &view)))
}
