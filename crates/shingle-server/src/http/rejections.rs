//! Rejections by axum itself, in the contract's form.

use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::connection::OriginalTarget;
use super::error::ApiError;

/// Axum rejects a body that is too large, or a path that is not UTF-8, in plain text.
pub(super) async fn normalize_rejections(request: Request, next: Next) -> Response {
    // The original path: API paths are lower case by now.
    let target = request.extensions().get::<OriginalTarget>().cloned();
    let response = next.run(request).await;
    let plain = response.headers().get(header::CONTENT_TYPE).is_some_and(|t| t.as_bytes().starts_with(b"text/plain"));
    let path = target.as_ref().map_or("", |target| target.0.path());
    match response.status() {
        _ if !plain => response,
        StatusCode::PAYLOAD_TOO_LARGE => ApiError::bad_request("Request body is too large").into_response(),
        StatusCode::BAD_REQUEST if path.contains('%') => {
            let part = path.split('/').find(|part| part.contains('%')).unwrap_or_default();
            ApiError::BadRequest(format!("Failed to decode param '{part}'")).into_response()
        }
        status if status.is_client_error() => ApiError::bad_request("The request cannot be read").into_response(),
        status if status.is_server_error() => {
            ApiError::Internal(format!("axum responded with {status}").into()).into_response()
        }
        _ => response,
    }
}
