//! `/go/{id}`: redirects to the company's own site, with the widget open.

use std::sync::Arc;

use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use shingle_domain::LinkId;
use url::Url;

use crate::state::Web;
use crate::visitor::hosted;
use crate::web::error::{ApiError, ApiResult};

/// The target is the stored URL and nothing that a visitor sends: this is no open redirect.
pub async fn follow(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let id: LinkId = id.parse().map_err(|_| ApiError::NotFound)?;
    let stored = web.store.widgets().find_public(id).await?.ok_or(ApiError::NotFound)?;
    if !stored.widget.is_active() {
        return hosted::paused_page(&web, stored, hosted::language(None, &headers), &headers).await;
    }
    let mut target =
        Url::parse(stored.widget.site(&web.links(stored.tenant.account)).as_str()).map_err(ApiError::internal)?;
    if stored.widget.has_site() {
        target.query_pairs_mut().append_pair("roof-estimate", &id.to_string());
    }
    if is_from_qr_code(query.as_deref()) {
        target.query_pairs_mut().append_pair("via", "qr");
    }
    Ok((StatusCode::FOUND, [(header::LOCATION, target.as_str()), (header::CACHE_CONTROL, "no-store")]).into_response())
}

fn is_from_qr_code(query: Option<&str>) -> bool {
    url::form_urlencoded::parse(query.unwrap_or_default().as_bytes())
        .any(|(name, value)| name == "via" && value == "qr")
}
