//! `GET /api/v1/usage`: an account's look-ups and their cost.

use std::sync::Arc;

use axum::Json;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use shingle_domain::usage::UsagePeriod;

use crate::api::auth::ApiCaller;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use crate::web::query_string::query_fields;
use shingle_app::usage_report::UsageReport;

pub async fn show(
    State(web): State<Arc<Web>>,
    caller: ApiCaller,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let period = UsagePeriod::parse(&query_fields(query.as_deref()), web.clock.now())?;
    let report = UsageReport::read(&web.store, &[*caller.tenant()], period).await?;
    if !wants_csv(&headers) {
        return Ok(Json(report).into_response());
    }
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"usage.csv\""),
    ];
    Ok((headers, report.csv().map_err(ApiError::internal)?).into_response())
}

/// Whether the table is named in `Accept`, and wanted more than JSON where that is named too.
fn wants_csv(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let mut best = ("application/json", 0.0);
    for range in accepted.flat_map(|value| value.split(',')) {
        let mut parts = range.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse::<f32>().ok()).unwrap_or(1.0);
        let known = ["application/json", "text/csv"].into_iter().find(|known| name.eq_ignore_ascii_case(known));
        if let Some(known) = known
            && weight > best.1
        {
            best = (known, weight);
        }
    }
    best.0 == "text/csv"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_for_clients_that_ask_for_it_by_name() {
        for (accept, csv) in [
            ("text/csv", true),
            ("Text/CSV; charset=utf-8", true),
            ("text/csv, */*;q=0.1", true),
            ("text/csv, application/json", true),
            ("application/json, text/csv", false),
            ("text/csv;q=0.5, application/json", false),
            ("application/json; q=0.5, text/csv; q=0.8", true),
            ("text/csv;q=0", false),
            ("text/csv2, text/*", false),
            ("*/*", false),
            ("", false),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT, accept.parse().unwrap())]);
            assert_eq!(wants_csv(&headers), csv, "{accept}");
        }
        assert!(!wants_csv(&HeaderMap::new()));
    }
}
