//! Wraps every request: the HTTPS check, the log line, the contract's 404, and a timeout.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use shingle_domain::error::Message;
use shingle_portal::https_only_page;
use shingle_store::{Actor, acting, promptly};
use tracing::Instrument as _;

use crate::api::mcp;
use crate::portal::UPLOADS;
use crate::state::Web;
use crate::telemetry::RequestTrace;
use crate::visitor::hosted::preferred_language;
use crate::web::connection::{Connection, OriginalTarget, Visitor};
use crate::web::error::{ApiError, InternalCause, NotFoundMarker, error_body};
use crate::web::logged_path::logged_path;
use crate::web::method_name::method_name;
use crate::web::page_headers::HTML;
use crate::web::rejections;
use crate::web::rest::Rest;

/// From the head of a request to its response, reading the body included.
const MAX_REQUEST_TIME: Duration = Duration::from_secs(60);
/// Of files that an operator imports: gigabytes over a slow line. A pause of a minute ends them.
const MAX_UPLOAD_TIME: Duration = Duration::from_secs(6 * 3_600);
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

const NOT_UTF8: &str = "The query is not encoded as UTF-8: write ñ as %C3%B1, not as %F1";

/// Whether the decoded bytes of a query are text. Bytes of another encoding would be lost, and with them letters of an
/// address.
fn is_utf8(query: Option<&str>) -> bool {
    let mut rest = query.unwrap_or_default().as_bytes();
    let mut decoded = Vec::new();
    while let Some((byte, behind)) = rest.split_first() {
        let digits = behind.get(..2).filter(|_| *byte == b'%').and_then(|two| std::str::from_utf8(two).ok());
        let escaped = digits.filter(|two| !two.starts_with('+')).and_then(|two| u8::from_str_radix(two, 16).ok());
        decoded.push(escaped.unwrap_or(*byte));
        rest = if escaped.is_some() { &behind[2..] } else { behind };
    }
    std::str::from_utf8(&decoded).is_ok()
}

/// Where the answer may need statements that work for long: pages of the portal, lists, exports and an assistant's tools. Every other request asks
/// for little, and hears within five seconds if the database is silent.
fn may_take_long(method: &Method, path: &str) -> bool {
    path.starts_with("/portal") || path == mcp::PATH || (method == Method::GET && path.starts_with("/api/v1/leads"))
}

/// A link to a hosted page may carry what an advertiser's program wrote: the page opens anyway.
fn is_page_of_a_visitor(path: &str) -> bool {
    path.starts_with("/w/")
}

/// As the router has it: `/w/{id}/session`.
type RouteName = Cow<'static, str>;

/// Around what the router has found.
pub(crate) async fn request_middleware(State(web): State<Arc<Web>>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map(|route| route.as_str().to_owned().into());
    around(web, request, route, Rest::Router(next)).await
}

/// Every line of the log about a request is in its span, and so bears the id that the response has. `route` is `None`
/// where none fits the path.
pub(crate) async fn around(web: Arc<Web>, request: Request, route: Option<RouteName>, rest: Rest) -> Response {
    let id = web.request_id();
    let connection = request.extensions().get::<Connection>().copied();
    let is_trusted = connection.is_some_and(|connection| web.settings.trusts(connection.peer.ip()));
    let trace = RequestTrace::begin(web.traces.as_deref(), &request, route.as_deref(), is_trusted);
    // At level error: a log of errors only needs their requests too.
    let span = tracing::error_span!("request", %id, trace = trace.id());
    // Boxed: each future around it would hold it twice, and move it.
    let response = Box::pin(respond(web, request, rest, route));
    let mut response = acting(Actor::Visitor, trace.around(response)).instrument(span).await;
    trace.end(response.status(), &id);
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
}

/// A page for browsers: during setup an operator sees it first.
fn https_only(headers: &HeaderMap) -> Response {
    let is_read = headers.get(header::ACCEPT).and_then(|v| v.to_str().ok()).is_some_and(|v| v.contains("text/html"));
    if is_read {
        return (
            StatusCode::BAD_REQUEST,
            [(header::CONTENT_TYPE, HTML)],
            https_only_page(preferred_language(headers).into()),
        )
            .into_response();
    }
    ApiError::bad_request(
        "Only HTTPS is supported. Behind a proxy that ends TLS, name its network in the setting trusted_proxy.",
    )
    .into_response()
}

async fn respond(web: Arc<Web>, mut request: Request, rest: Rest, route: Option<RouteName>) -> Response {
    let started = web.clock.now();
    let method = request.method().clone();
    let uri = request.uri().clone();
    let path = uri.path();
    let target = request.extensions().get::<OriginalTarget>().cloned();
    let began = web.clock.elapsed();
    // In HTTP/2 the name stands in the address.
    if let Some(asked) = uri.authority().filter(|_| !request.headers().contains_key(header::HOST))
        && let Ok(host) = HeaderValue::from_str(asked.as_str())
    {
        request.headers_mut().insert(header::HOST, host);
    }
    let visitor = request.extensions().get::<Connection>().map(|c| Visitor::of(*c, request.headers(), &web.settings));

    let mut response = match visitor {
        // A proxy and we could each believe another one.
        _ if request.headers().get_all(header::HOST).iter().nth(1).is_some() => {
            ApiError::bad_request("The request names more than one host").into_response()
        }
        _ if request.version() == Version::HTTP_11 && !request.headers().contains_key(header::HOST) => {
            ApiError::bad_request("The request names no host").into_response()
        }
        Some(visitor) if visitor.is_secure && !is_page_of_a_visitor(path) && !is_utf8(uri.query()) => {
            ApiError::bad_request(NOT_UTF8).into_response()
        }
        Some(visitor) if visitor.is_secure => {
            request.extensions_mut().insert(visitor);
            let timed_out =
                || error_body(StatusCode::REQUEST_TIMEOUT, Message::One("The request took too long.".into()));
            let most = if path == UPLOADS && method == Method::POST { MAX_UPLOAD_TIME } else { MAX_REQUEST_TIME };
            let answer = async {
                let answer = Box::pin(rejections::answer(request, rest));
                if may_take_long(&method, path) { answer.await } else { promptly(answer).await }
            };
            tokio::time::timeout(most, answer).await.unwrap_or_else(|_| timed_out())
        }
        // Load balancers ask for health over plain HTTP, and neither these nor a style hold anything private.
        Some(_) if matches!(path, "/healthz" | "/readyz" | "/portal/portal.css") => {
            Box::pin(rejections::answer(request, rest)).await
        }
        _ => https_only(request.headers()),
    };
    if response.extensions().get::<NotFoundMarker>().is_some() {
        let target = target.as_ref().map_or(path, |target| target.0.as_str());
        response = error_body(StatusCode::NOT_FOUND, Message::One(format!("Cannot {method} {target}")));
    }
    let status = response.status();
    let micros = web.clock.now().micros() - started.micros();
    let logged = logged_path(path, route.as_deref());
    let logged = &*logged;
    match response.extensions().get::<InternalCause>() {
        Some(InternalCause(cause)) => tracing::error!(%method, path = logged, status = status.as_u16(), micros, cause),
        // Balancers ask every few seconds.
        None if status.is_success() && matches!(path, "/healthz" | "/readyz") => {
            tracing::debug!(%method, path = logged, status = status.as_u16(), micros);
        }
        None => tracing::info!(%method, path = logged, status = status.as_u16(), micros),
    }
    web.metrics.request(
        route.as_deref(),
        method_name(&method),
        status.as_u16(),
        web.clock.elapsed().saturating_sub(began),
    );
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if visitor.is_some_and(|visitor| visitor.is_tls) {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    }
    if path.starts_with("/api/") {
        // What a key may read is for its holder alone.
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert(header::VARY, HeaderValue::from_static("token"));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::is_utf8;

    #[test]
    fn bytes_of_another_encoding_are_told_from_text() {
        for text in [
            "",
            "address=14+Pe%C3%B1a+St",
            "a=%E2%80%99&b=%25F1",
            "a=100%",
            "a=%zz",
            "a=%+1",
            "a=%F0%9F%8F%A0",
            "a=%EF%BF%BD",
        ] {
            assert!(is_utf8(Some(text)), "{text}");
        }
        for other in [
            "address=14+Pe%F1a+St",
            "a=%C3a",
            "a=%B1",
            "a=%ED%A0%80",
            "a=%C0%AF",
            "%ff=1",
            "a=%e9",
            "a=%80",
            "a=caf%E9&b=1",
            "a=%FE%FF",
        ] {
            assert!(!is_utf8(Some(other)), "{other}");
        }
        assert!(is_utf8(None));
    }
}
