//! What the portal's pages load.

use axum::http::header;
use axum::response::IntoResponse;
use shingle_portal::{portal_css, portal_js};

const HOUR: &str = "public, max-age=3600";
const ICON: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 24 24\"><path fill=\"#2b5ba6\" d=\"M2 6h6v5H2zM9 6h6v5H9zM16 6h6v5h-6zM2 13h3v5H2zM6 13h6v5H6zM13 13h6v5h-6z\"/></svg>";

pub async fn style() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8"), (header::CACHE_CONTROL, HOUR)], portal_css())
}

pub async fn script() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8"), (header::CACHE_CONTROL, HOUR)], portal_js())
}

pub async fn icon() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, HOUR)], ICON)
}
