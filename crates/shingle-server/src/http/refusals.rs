//! Refusals of the framework itself, in the contract's form.

use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::connection::Target;
use super::error::Failure;

/// A body that is too large, a path that is not text: the framework answers these in plain text.
pub(super) async fn reword(request: Request, next: Next) -> Response {
    // As it was sent: paths of the API are in small letters by now.
    let target = request.extensions().get::<Target>().map_or_else(String::new, |target| target.0.clone());
    let path = target.split('?').next().unwrap_or_default().to_owned();
    let response = next.run(request).await;
    let plain = response.headers().get(header::CONTENT_TYPE).is_some_and(|t| t.as_bytes().starts_with(b"text/plain"));
    match response.status() {
        _ if !plain => response,
        StatusCode::PAYLOAD_TOO_LARGE => Failure::refused("Request body is too large").into_response(),
        StatusCode::BAD_REQUEST if path.contains('%') => {
            let part = path.split('/').find(|part| part.contains('%')).unwrap_or_default();
            Failure::Refused(format!("Failed to decode param '{part}'")).into_response()
        }
        status if status.is_client_error() => Failure::refused("The request cannot be read").into_response(),
        status if status.is_server_error() => {
            Failure::Internal(format!("the framework answered {status}").into()).into_response()
        }
        _ => response,
    }
}
