//! One message, one answer.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use shingle_domain::lookup::Product;
use shingle_mcp::{Message, MirroredHeaders, Next, Reply, Rights, code, next};
use shingle_store::Caller;

use crate::api::auth;
use crate::api::mcp::tools;
use crate::state::Web;
use crate::web::error::ApiError;
use crate::web::own_origin::is_own_origin;

/// Bytes of a message: far more than any tool takes.
const MAX_BODY_BYTES: usize = 64 * 1024;
/// A program on a desktop shows its pages under a scheme of its own.
const WEB_SCHEMES: [&str; 3] = ["http:", "https:", "null"];

pub async fn answer(State(web): State<Arc<Web>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let mut response = respond(&web, &parts, body).await;
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// There is no stream to open and no session to end. Clients that try go on after this status.
pub async fn refuse_method() -> Response {
    let said = "This address is for AI assistants: it takes messages of the Model Context Protocol by POST. How to set one \
                up is in the manual, at /manual/assistants.";
    let body = error(StatusCode::METHOD_NOT_ALLOWED, said);
    (StatusCode::METHOD_NOT_ALLOWED, [(header::ALLOW, "POST")], axum::Json(body)).into_response()
}

async fn respond(web: &Arc<Web>, parts: &Parts, body: Body) -> Response {
    if is_foreign_page(web, &parts.headers) {
        let status = StatusCode::FORBIDDEN;
        return (status, axum::Json(error(status, "A page of another site may not send this"))).into_response();
    }
    // Before the body: an unknown caller never makes the server hold one.
    let caller = match auth::bearer(parts, web).await {
        Ok(caller) => Ok(caller),
        Err(limited @ ApiError::RateLimited { .. }) => Err(limited),
        Err(refused) => return refuse(refused),
    };
    let Ok(body) = to_bytes(body, MAX_BODY_BYTES).await else {
        let reply = Reply::wrong(None, code::INVALID_REQUEST, "The message is too large, or did not arrive whole");
        return (StatusCode::PAYLOAD_TOO_LARGE, axum::Json(reply.body())).into_response();
    };
    let message = match Message::parse(&body) {
        Ok(message) => message,
        Err(reply) => return sent(&reply),
    };
    let name = header_text(&parts.headers, "mcp-name").map(decoded);
    let headers = MirroredHeaders {
        version: header_text(&parts.headers, "mcp-protocol-version"),
        method: header_text(&parts.headers, "mcp-method"),
        name: name.as_deref(),
    };
    let rights = caller.as_ref().map_or_else(|_| all_rights(), |caller| rights(caller, parts.uri.query()));
    match (next(message, headers, &rights), caller) {
        (Next::Nothing, _) => StatusCode::ACCEPTED.into_response(),
        (Next::Reply(reply), Ok(_)) => sent(&reply),
        (Next::Call(call), Ok(caller)) => {
            let result = tools::run(web, &caller, call.tool, &call.arguments).await;
            sent(&call.finish(result))
        }
        // The model reads how long to wait.
        (Next::Call(call), Err(limited)) => sent(&call.finish(Err(tools::advice(limited)))),
        (Next::Reply(_), Err(limited)) => refuse(limited),
    }
}

fn is_foreign_page(web: &Web, headers: &HeaderMap) -> bool {
    let mut origins = headers.get_all(header::ORIGIN).iter();
    let Some(origin) = origins.next() else { return false };
    let from_the_web =
        origin.to_str().map_or(true, |origin| WEB_SCHEMES.iter().any(|scheme| origin.starts_with(scheme)));
    origins.next().is_some() || (from_the_web && !is_own_origin(web, headers))
}

fn rights(caller: &Caller, query: Option<&str>) -> Rights {
    let allowed = url::form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    Rights {
        products: Product::ALL.into_iter().filter(|product| caller.may_look_up(*product).is_ok()).collect(),
        leads: caller.may_read_leads(),
        changes: allowed.into_iter().any(|(name, value)| name == "allow" && value == "changes"),
    }
}

fn all_rights() -> Rights {
    Rights { products: Product::ALL.to_vec(), leads: true, changes: true }
}

fn header_text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// What is no plain text comes as `=?base64?…?=`.
fn decoded(text: &str) -> String {
    let coded = text.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?="));
    let bytes = coded.and_then(|coded| BASE64_STANDARD.decode(coded).ok());
    bytes.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_else(|| text.to_owned())
}

fn sent(reply: &Reply) -> Response {
    let status = match reply {
        Reply::Plain(_) => StatusCode::OK,
        Reply::Wrong(_) => StatusCode::BAD_REQUEST,
        Reply::NoSuchMethod(_) => StatusCode::NOT_FOUND,
    };
    (status, axum::Json(reply.body())).into_response()
}

/// What belongs to no message. The code is that of HTTP: those below -32000 have meanings of their own.
fn error(status: StatusCode, said: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": null, "error": { "code": status.as_u16(), "message": said } })
}

/// As the API refuses it, in the form of this protocol.
fn refuse(refused: ApiError) -> Response {
    let is_key = matches!(refused, ApiError::InvalidKey);
    let said = tools::words(&refused);
    let (mut parts, _) = refused.into_response().into_parts();
    parts.headers.remove(header::CONTENT_LENGTH);
    if is_key {
        parts.headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"Shingle\""));
    }
    let body = error(parts.status, &said).to_string();
    Response::from_parts(parts, body.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_no_header_can_hold_comes_coded() {
        for (header, name) in [
            ("get_lead", "get_lead"),
            ("=?base64?Z2V0X2xlYWQ=?=", "get_lead"),
            ("=?base64?w6k=?=", "é"),
            ("=?base64?*?=", "=?base64?*?="),
            ("=?base64?/w==?=", "=?base64?/w==?="),
            ("", ""),
        ] {
            assert_eq!(decoded(header), name);
        }
    }
}
