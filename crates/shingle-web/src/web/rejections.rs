//! Rejections by axum itself, in the contract's form.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use shingle_domain::error::Message;

use crate::web::connection::OriginalTarget;
use crate::web::error::{ApiError, error_body};
use shingle_app::refusal::Refusal;

/// Axum rejects a body that is too large, or a path that is not UTF-8, in plain text. One layer with the check of the
/// coding: each layer costs every request an allocation and a copy of the layers inside it.
pub(crate) async fn in_contract_form(mut request: Request, next: Next) -> Response {
    if let Err(refused) = known_coding(request.headers_mut()) {
        return *refused;
    }
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

/// A body may be compressed with gzip. Any other content encoding would be taken for broken JSON.
fn known_coding(headers: &mut HeaderMap) -> Result<(), Box<Response>> {
    let mut codings = headers.get_all(header::CONTENT_ENCODING).iter();
    let coding = match (codings.next(), codings.next()) {
        (None, _) => return Ok(()),
        (Some(only), None) => only.to_str().unwrap_or("unreadable").trim().to_ascii_lowercase(),
        _ => "several".to_owned(),
    };
    let known = match coding.as_str() {
        "gzip" | "x-gzip" => "gzip",
        "identity" | "" => "identity",
        _ => {
            let said = "The content encoding of the request body is not supported. Send it plain, or with \
                        Content-Encoding: gzip.";
            let mut response = error_body(StatusCode::UNSUPPORTED_MEDIA_TYPE, Message::One(said.into()));
            response.headers_mut().insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip, identity"));
            return Err(Box::new(response));
        }
    };
    // In the one spelling that the next layer knows.
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(known));
    Ok(())
}
