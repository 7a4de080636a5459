//! Headers of cacheable files that every page may load.

use axum::http::{HeaderMap, HeaderValue, header};

use crate::web::encoding::Encoding;

/// For scripts, styles and images that pages of any origin load.
pub fn allow_all_origins(headers: &mut HeaderMap) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("cross-origin"));
    headers.insert("timing-allow-origin", HeaderValue::from_static("*"));
}

/// The tag is weak: it names the content, in whatever encoding it is sent.
pub fn set_etag(headers: &mut HeaderMap, tag: &str) {
    if let Ok(tag) = HeaderValue::from_str(&format!("W/{tag}")) {
        headers.insert(header::ETAG, tag);
    }
}

pub fn set_encoding(headers: &mut HeaderMap, encoding: Encoding) {
    headers.entry(header::VARY).or_insert(HeaderValue::from_static("accept-encoding"));
    if let Some(name) = encoding.name() {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
    }
}
