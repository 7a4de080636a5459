//! The files that portal pages load.

use std::sync::OnceLock;

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use shingle_portal::{portal_css, portal_js};

use crate::web::render_cache::{EncodedAsset, RenderedAsset};

const HOUR: &str = "public, max-age=3600";
const ICON: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 24 24\"><path fill=\"#2b5ba6\" d=\"M2 6h6v5H2zM9 6h6v5H9zM16 6h6v5h-6zM2 13h3v5H2zM6 13h6v5H6zM13 13h6v5h-6z\"/></svg>";

/// Packed once, as well as can be.
fn asset(text: String, kind: &'static str) -> EncodedAsset {
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, HOUR)];
    let headers = headers.map(|(name, value)| (name, HeaderValue::from_static(value))).into_iter().collect();
    EncodedAsset::new(RenderedAsset { text, headers })
}

pub async fn style(headers: HeaderMap) -> Response {
    static STYLE: OnceLock<EncodedAsset> = OnceLock::new();
    STYLE.get_or_init(|| asset(portal_css(), "text/css; charset=utf-8")).respond(&headers)
}

pub async fn script(headers: HeaderMap) -> Response {
    static SCRIPT: OnceLock<EncodedAsset> = OnceLock::new();
    SCRIPT.get_or_init(|| asset(portal_js(), "text/javascript; charset=utf-8")).respond(&headers)
}

pub async fn icon() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, HOUR)], ICON)
}
