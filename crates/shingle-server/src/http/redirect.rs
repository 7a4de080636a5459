//! `/go/{id}`: to the company's own site, with the widget open.

use std::sync::Arc;

use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use shingle_domain::WidgetId;
use url::Url;

use super::error::{Answer, Failure};
use super::hosted;
use crate::app::App;

/// The target is the stored address and nothing a visitor sends: no open redirect.
pub async fn follow(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    asked: HeaderMap,
) -> Answer<Response> {
    let id: WidgetId = id.parse().map_err(|_| Failure::NotFound)?;
    let (_, stored) = app.store.find_public_widget(id).await?.ok_or(Failure::NotFound)?;
    if !stored.widget.is_active() {
        return hosted::paused(&app, stored, hosted::language(None, &asked), &asked).await;
    }
    let mut target = Url::parse(stored.widget.company_url.as_str()).map_err(Failure::internal)?;
    target.query_pairs_mut().append_pair("roof-estimate", &id.to_string());
    if is_by_qr(query.as_deref()) {
        target.query_pairs_mut().append_pair("via", "qr");
    }
    Ok((StatusCode::FOUND, [(header::LOCATION, target.as_str()), (header::CACHE_CONTROL, "no-store")]).into_response())
}

fn is_by_qr(query: Option<&str>) -> bool {
    url::form_urlencoded::parse(query.unwrap_or_default().as_bytes())
        .any(|(name, value)| name == "via" && value == "qr")
}
