//! What axum and a panic answer by themselves, in the contract's form.
//!
//! # Decision
//!
//! Plain functions around the rest of the request, not layers of the router: each layer costs every request an
//! allocation and a copy of the layers inside it.

use std::any::Any;
use std::convert::Infallible;
use std::panic::AssertUnwindSafe;

use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt as _;
use shingle_domain::error::Message;
use tower::{Layer as _, Service as _};
use tower_http::decompression::{DecompressionBody, RequestDecompressionLayer};

use crate::web::connection::OriginalTarget;
use crate::web::error::{ApiError, error_body};
use crate::web::rest::Rest;
use shingle_app::refusal::Refusal;

/// Bytes of a request body, where a route sets no other limit.
const MAX_BODY_BYTES: usize = 64 * 1024;

/// The rest of a request. Whatever goes wrong there, the client gets a response.
pub(crate) async fn answer(request: Request, rest: Rest) -> Response {
    AssertUnwindSafe(in_contract_form(request, rest)).catch_unwind().await.unwrap_or_else(panic_response)
}

fn panic_response(panic: Box<dyn Any + Send>) -> Response {
    let message = panic
        .downcast_ref::<&str>()
        .map(|s| (*s).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    ApiError::Internal(format!("panic: {message}").into()).into_response()
}

/// Axum rejects a body that is too large, or a path that is not UTF-8, in plain text.
async fn in_contract_form(mut request: Request, rest: Rest) -> Response {
    if let Err(refused) = known_coding(request.headers_mut()) {
        return *refused;
    }
    // The original path: API paths are lower case by now.
    let target = request.extensions().get::<OriginalTarget>().cloned();
    DefaultBodyLimit::max(MAX_BODY_BYTES).apply(&mut request);
    let is_coded = request.headers().contains_key(header::CONTENT_ENCODING);
    // Boxed: the state of a decoder is kilobytes, which would be moved about with every request.
    let response = if is_coded { Box::pin(decompressed(request, rest)).await } else { rest.run(request).await };
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

/// Inside of the limits of routes, which count the bytes that come out.
async fn decompressed(request: Request, rest: Rest) -> Response {
    let plain = |request: Request<DecompressionBody<Body>>| {
        let rest = rest.clone();
        async { Ok::<_, Infallible>(rest.run(request.map(Body::new)).await) }
    };
    let layer = RequestDecompressionLayer::new().no_br().no_deflate().no_zstd().pass_through_unaccepted(true);
    let Ok(response) = layer.layer(tower::service_fn(plain)).call(request).await;
    response.map(Body::new)
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
    // In the one spelling that the decompression knows.
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(known));
    Ok(())
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;

    use super::*;

    #[tokio::test]
    async fn a_panic_is_the_contracts_500_and_does_not_leak_its_message() {
        let response = panic_response(Box::new("the password is hunter2"));
        assert_eq!(response.status(), 500);
        let body = to_bytes(response.into_body(), 1_000).await.unwrap();
        assert_eq!(
            body,
            r#"{"message":"An unexpected error occurred. Please try again later.","error":"Internal Server Error","statusCode":500}"#
        );
    }
}
