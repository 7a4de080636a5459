//! Rejections by axum itself, in the contract's form.

use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use shingle_domain::error::Message;

use crate::web::connection::OriginalTarget;
use crate::web::error::{ApiError, error_body};
use shingle_app::refusal::Refusal;

/// A body may be compressed with gzip. Any other content encoding would be taken for broken JSON.
pub(crate) async fn refuse_unknown_coding(mut request: Request, next: Next) -> Response {
    let codings: Vec<_> = request.headers().get_all(header::CONTENT_ENCODING).iter().collect();
    let coding = match codings.as_slice() {
        [] => return next.run(request).await,
        [only] => only.to_str().unwrap_or("unreadable").trim().to_ascii_lowercase(),
        _ => "several".to_owned(),
    };
    let known = match coding.as_str() {
        "gzip" | "x-gzip" => Some("gzip"),
        "identity" | "" => Some("identity"),
        _ => None,
    };
    if let Some(known) = known {
        // In the one spelling that the next layer knows.
        request.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(known));
        return next.run(request).await;
    }
    let said =
        "The content encoding of the request body is not supported. Send it plain, or with Content-Encoding: gzip.";
    let mut response = error_body(StatusCode::UNSUPPORTED_MEDIA_TYPE, Message::One(said.into()));
    response.headers_mut().insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip, identity"));
    response
}

/// Axum rejects a body that is too large, or a path that is not UTF-8, in plain text.
pub(crate) async fn normalize_rejections(request: Request, next: Next) -> Response {
    // The original path: API paths are lower case by now.
    let target = request.extensions().get::<OriginalTarget>().cloned();
    let response = next.run(request).await;
    let plain = response.headers().get(header::CONTENT_TYPE).is_some_and(|t| t.as_bytes().starts_with(b"text/plain"));
    let path = target.as_ref().map_or("", |target| target.0.path());
    match response.status() {
        _ if !plain => response,
        StatusCode::PAYLOAD_TOO_LARGE => ApiError::bad_request(Refusal::TooLarge).into_response(),
        StatusCode::BAD_REQUEST if path.contains('%') => {
            let part = path.split('/').find(|part| part.contains('%')).unwrap_or_default();
            ApiError::bad_request(format!("Failed to decode param '{part}'")).into_response()
        }
        status if status.is_client_error() => ApiError::bad_request("The request cannot be read").into_response(),
        status if status.is_server_error() => {
            ApiError::Internal(format!("axum responded with {status}").into()).into_response()
        }
        _ => response,
    }
}
