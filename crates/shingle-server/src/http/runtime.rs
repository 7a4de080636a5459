//! `/runtime/…`: the browser runtime, for ever under hashed names.

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::encoding::{Encoding, is_known};
use super::error::{Answer, Failure};
use crate::runtime::Runtime;

pub async fn show(Path(file): Path<String>, asked: HeaderMap) -> Answer<Response> {
    let file = Runtime::embedded().and_then(|runtime| runtime.find(&file)).ok_or(Failure::NotFound)?;
    // The name is made of the content already.
    let tag = format!("\"{}\"", file.stem());
    let known = is_known(&asked, &tag);
    let encoding = if known { Encoding::Plain } else { Encoding::accepted(&asked) };
    let bytes = match encoding {
        Encoding::Plain => file.plain,
        Encoding::Gzip => file.gzip,
        Encoding::Brotli => file.brotli,
    };
    let mut response = if known { StatusCode::NOT_MODIFIED.into_response() } else { bytes.into_response() };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.content_type()));
    tagged(headers, &tag);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
    open_to_all(headers);
    encoded(headers, encoding);
    Ok(response)
}

/// For what every page may load: scripts, styles, pictures.
pub(super) fn open_to_all(headers: &mut HeaderMap) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("cross-origin"));
    headers.insert("timing-allow-origin", HeaderValue::from_static("*"));
}

/// Weak: it is of what the file says, whichever twin carries it.
pub(super) fn tagged(headers: &mut HeaderMap, tag: &str) {
    if let Ok(tag) = HeaderValue::from_str(&format!("W/{tag}")) {
        headers.insert(header::ETAG, tag);
    }
}

pub(super) fn encoded(headers: &mut HeaderMap, encoding: Encoding) {
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Some(name) = encoding.name() {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
    }
}
