//! Headers of pages: what they may load, and who may frame them.

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use shingle_store::StoredWidget;

use crate::state::Web;

pub const HTML: &str = "text/html; charset=utf-8";

/// Allows only our own files, and frames only on the company's own pages.
pub fn content_policy(web: &Web, stored: &StoredWidget) -> String {
    let frames: String = stored
        .widget
        .page_hosts(stored.tenant.environment)
        .iter()
        // A policy can name neither an IPv6 address nor a file.
        .filter(|host| !host.starts_with('[') && !host.is_empty())
        .map(|host| format!(" {host}:*"))
        .collect();
    // A preview is framed by the designer alone.
    let frames = if stored.is_preview { "" } else { &frames };
    let own = own_origin(web);
    format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' {own} data:; \
         connect-src 'self' {own}; base-uri 'none'; form-action 'self'; frame-ancestors 'self'{frames}"
    )
}

/// Of pages without any script, which nobody may frame.
pub fn scriptless_policy(web: &Web) -> String {
    let own = own_origin(web);
    format!(
        "default-src 'none'; style-src 'self'; img-src 'self' {own}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
}

/// Of the estimate's sheet: a stylesheet, a script that prints, the company's logo.
pub fn sheet_policy(web: &Web) -> String {
    let own = own_origin(web);
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' {own}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}

fn own_origin(web: &Web) -> String {
    url::Url::parse(&web.base_url).map(|u| u.origin().ascii_serialization()).unwrap_or_default()
}

pub fn with_security_headers(mut response: Response, policy: &str) -> Response {
    set_security_headers(response.headers_mut(), policy);
    response
}

pub fn set_security_headers(headers: &mut HeaderMap, policy: &str) {
    if let Ok(policy) = HeaderValue::from_str(policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    headers.insert("permissions-policy", HeaderValue::from_static("camera=(), microphone=(), geolocation=()"));
}
