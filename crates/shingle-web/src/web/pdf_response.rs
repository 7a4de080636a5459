//! A PDF that is made for one reader.

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};

/// Shown in the browser. Its name is of letters, digits and hyphens.
pub fn pdf_response((name, bytes): (String, Vec<u8>)) -> Response {
    let mut headers: HeaderMap = [
        (header::CONTENT_TYPE, "application/pdf"),
        (header::CACHE_CONTROL, "private, no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ]
    .map(|(name, value)| (name, HeaderValue::from_static(value)))
    .into_iter()
    .collect();
    if let Ok(disposition) = HeaderValue::from_str(&format!("inline; filename=\"{name}\"")) {
        headers.insert(header::CONTENT_DISPOSITION, disposition);
    }
    (headers, bytes).into_response()
}
