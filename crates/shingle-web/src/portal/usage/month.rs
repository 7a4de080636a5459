//! `/portal/results.pdf?month=2026-11`: the report of a month, as a file.

use std::sync::Arc;

use axum::extract::{Extension, RawQuery, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use shingle_domain::WidgetId;
use shingle_notice::{Month, local_day};

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::leads::query::environment;
use crate::portal::responses::not_there;
use crate::portal::settings::page::zone;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use shingle_app::monthly_report::MonthFigures;

pub async fn download(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let form = PortalForm::of_query(query.as_deref());
    let zone = zone(&web, &signed).await?;
    let today = local_day(&zone, web.clock.now());
    let month = Month::parse(form.text("month")).unwrap_or_else(|| Month::of(today).before());
    let only: Vec<WidgetId> = form.text("widget").parse::<WidgetId>().into_iter().collect();
    let tenant = signed.tenant(environment(&form));
    let figures = MonthFigures::read(&web.store, &tenant, (month, &zone), &only, signed.language).await?;
    let Some(figures) = figures else { return Ok(not_there()) };
    let pdf = web.heavy_work.run(move || figures.report().pdf()).await?.map_err(ApiError::internal)?;
    let headers = [
        (header::CONTENT_TYPE, "application/pdf".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"report-{month}.pdf\"")),
        (header::CACHE_CONTROL, "private, no-store".to_owned()),
    ];
    Ok((headers, pdf).into_response())
}
