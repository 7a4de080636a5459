//! `/portal/consents`: what homeowners are asked to agree to.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::Response;
use shingle_domain::Environment;
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::widget::WidgetStatus;
use shingle_portal::{ConsentTextsView, Hours, consent_texts_page};

use crate::portal::gate::Signed;
use crate::portal::responses::page_with;
use crate::portal::settings::page::{frame, zone};
use crate::state::Web;
use crate::web::error::ApiResult;

pub async fn show(State(web): State<Arc<Web>>, Extension(signed): Extension<Arc<Signed>>) -> ApiResult<Response> {
    let tenant = signed.tenant(Environment::Production);
    let texts = web.store.consents().texts(&tenant).await?;
    let widgets = web.store.widgets().list(&tenant).await?;
    let shown = widgets.into_iter().map(|stored| stored.widget).filter(|widget| widget.status == WidgetStatus::Active);
    let mut companies: Vec<String> = shown.map(|widget| widget.company_name).collect();
    companies.cold_sort();
    companies.dedup();
    let hours = Hours::new(&zone(&web, &signed).await?, web.clock.now(), signed.language);
    let view = ConsentTextsView { companies: &companies, texts: &texts, hours: &hours };
    Ok(page_with(StatusCode::OK, consent_texts_page(&frame(&signed, None), &view)))
}
