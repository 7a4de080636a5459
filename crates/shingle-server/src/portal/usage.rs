//! `/portal/usage`: what was looked up this month, and what it cost.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use shingle_domain::Environment;
use shingle_domain::usage::UsagePeriod;
use shingle_portal::{UsageView, usage_page};

use super::gate::Signed;
use super::page::page;
use super::settings::frame;
use crate::app::App;
use crate::http::error::{ApiError, ApiResult};
use crate::usage_report::UsageReport;

fn this_month(app: &App) -> ApiResult<UsagePeriod> {
    let now = app.clock.now();
    UsagePeriod::new(Some(now.month_start().date()), Some(now.date()), now).map_err(ApiError::bad_request)
}

pub async fn show(State(app): State<Arc<App>>, Extension(signed): Extension<Arc<Signed>>) -> ApiResult<Response> {
    let tenant = signed.tenant(Environment::Production);
    let lines = app.store.usage(&tenant, this_month(&app)?).await?;
    let view = UsageView {
        lines: &lines,
        month: app.clock.now().date().strftime("%B %Y").to_string(),
        balance: app.store.balance(&tenant).await?,
    };
    Ok(page(usage_page(&frame(&signed, None), &view)))
}

pub async fn download(State(app): State<Arc<App>>, Extension(signed): Extension<Arc<Signed>>) -> ApiResult<Response> {
    let tenants = [Environment::Production, Environment::Sandbox].map(|environment| signed.tenant(environment));
    let report = UsageReport::read(&app.store, &tenants, this_month(&app)?).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"usage.csv\""),
    ];
    Ok((headers, report.csv().map_err(ApiError::internal)?).into_response())
}
