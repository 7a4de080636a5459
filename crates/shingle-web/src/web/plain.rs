//! What is said over plain HTTP where this program has a certificate of its own: the proof that an ACME directory asks for,
//! and the way to HTTPS.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use shingle_tls::Certificates;

#[derive(Clone)]
struct Plain {
    certificates: Arc<Certificates>,
    base_url: Arc<str>,
}

/// `base_url` is the server's own: a stranger's `Host` leads nobody anywhere.
pub fn plain_router(certificates: Arc<Certificates>, base_url: &str) -> Router {
    Router::new()
        .route("/.well-known/acme-challenge/{token}", get(prove))
        .fallback(lead_to_https)
        .with_state(Plain { certificates, base_url: base_url.into() })
}

async fn prove(State(plain): State<Plain>, Path(token): Path<String>) -> Response {
    match plain.certificates.answer(&token) {
        Some(answer) => ([(header::CONTENT_TYPE, "application/octet-stream")], answer).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Who sends a form or a key over plain HTTP has already told it to the line; a redirect would hide that.
async fn lead_to_https(State(plain): State<Plain>, method: Method, uri: Uri) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return (StatusCode::FORBIDDEN, "Only HTTPS is supported.\n").into_response();
    }
    let rest = uri.path_and_query().map_or("/", |rest| rest.as_str());
    let to = format!("{}{rest}", plain.base_url);
    (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, to)]).into_response()
}
