//! `/calendar/{link}.ics`: inspections for a calendar that reads them by itself. The link is the right to read them.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use shingle_app::calendar_feeds;

use crate::state::Web;
use crate::web::cache_headers::set_etag;
use crate::web::calendar_headers::feed_headers;
use crate::web::encoding::is_cached;
use crate::web::error::{ApiError, ApiResult};

pub async fn show(State(web): State<Arc<Web>>, Path(link): Path<String>, headers: HeaderMap) -> ApiResult<Response> {
    let link = link.strip_suffix(".ics").ok_or(ApiError::NotFound)?;
    let file = calendar_feeds::feed(&web, link).await?.ok_or(ApiError::NotFound)?;
    let tag = format!("\"{}\"", &blake3::hash(file.as_bytes()).to_hex()[..20]);
    let mut response = match is_cached(&headers, &tag) {
        true => (StatusCode::NOT_MODIFIED, feed_headers()).into_response(),
        false => (feed_headers(), file).into_response(),
    };
    set_etag(response.headers_mut(), &tag);
    response.headers_mut().insert(header::REFERRER_POLICY, header::HeaderValue::from_static("no-referrer"));
    Ok(response)
}
