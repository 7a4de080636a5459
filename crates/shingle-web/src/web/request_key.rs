//! `Idempotency-Key` on requests of the API.

use axum::http::HeaderMap;
use shingle_store::RequestKey;

use crate::web::error::{ApiError, ApiResult};

const MAX_CHARS: usize = 200;

/// The key of a request, if it has one.
pub fn request_key(headers: &HeaderMap, path: &str, body: &[u8]) -> ApiResult<Option<RequestKey>> {
    let Some(value) = headers.get("idempotency-key") else { return Ok(None) };
    let key = value.to_str().unwrap_or_default();
    // Which spaces around it are its own, HTTP does not say: they are gone by now.
    let is_line = key.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    if key.is_empty() || key.len() > MAX_CHARS || !is_line {
        return Err(ApiError::bad_request("The Idempotency-Key must be a line of 1 to 200 ASCII characters"));
    }
    let mut request = path.as_bytes().to_vec();
    request.push(0);
    request.extend_from_slice(body);
    Ok(Some(RequestKey { key: key.to_owned(), request }))
}
