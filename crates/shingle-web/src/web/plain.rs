//! What is said over plain HTTP where this program has a certificate of its own: the proof that an ACME directory asks for,
//! and the way to HTTPS.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use shingle_app::own_domains::OwnDomains;
use shingle_tls::Certificates;

use crate::web::own_origin::asked_host;

#[derive(Clone)]
struct Plain {
    certificates: Arc<Certificates>,
    domains: Arc<OwnDomains>,
}

/// `domains` has the server's own name and those of its companies: a stranger's `Host` leads nobody anywhere.
pub fn plain_router(certificates: Arc<Certificates>, domains: Arc<OwnDomains>) -> Router {
    Router::new()
        .route("/.well-known/acme-challenge/{token}", get(prove))
        .fallback(lead_to_https)
        .with_state(Plain { certificates, domains })
}

async fn prove(State(plain): State<Plain>, Path(token): Path<String>) -> Response {
    match plain.certificates.answer(&token) {
        Some(answer) => ([(header::CONTENT_TYPE, "application/octet-stream")], answer).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Who sends a form or a key over plain HTTP has already told it to the line; a redirect would hide that.
async fn lead_to_https(State(plain): State<Plain>, method: Method, headers: HeaderMap, uri: Uri) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return (StatusCode::FORBIDDEN, "Only HTTPS is supported.\n").into_response();
    }
    let rest = uri.path_and_query().map_or("/", |rest| rest.as_str());
    let own = asked_host(&headers).filter(|host| plain.domains.account_of(host).is_some());
    let base = own.map_or_else(|| plain.domains.base_url.to_string(), |host| plain.domains.url(&host));
    let to = format!("{base}{rest}");
    (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, to)]).into_response()
}
