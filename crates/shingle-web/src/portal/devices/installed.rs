//! The portal as an app on a phone: its manifest, its icons, and what it shows without a connection.

use axum::extract::Extension;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use shingle_portal::{Language, offline_page};

use crate::portal::responses::page;

const DAY: &str = "public, max-age=86400";
const MANIFEST: &str = include_str!("../../../../../www/portal/manifest.webmanifest");
const WORKER: &str = include_str!("../../../../../www/portal/worker.js");
const ICON_192: &[u8] = include_bytes!("../../../../../www/portal/icon-192.png");
const ICON_512: &[u8] = include_bytes!("../../../../../www/portal/icon-512.png");

pub async fn manifest() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/manifest+json"), (header::CACHE_CONTROL, DAY)], MANIFEST)
}

/// Asked for again each time: a browser that has an old one would keep it.
pub async fn worker() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], WORKER)
}

pub async fn icon_192() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "image/png"), (header::CACHE_CONTROL, DAY)], ICON_192)
}

pub async fn icon_512() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "image/png"), (header::CACHE_CONTROL, DAY)], ICON_512)
}

/// Kept on the device, so it names nobody.
pub async fn offline(Extension(language): Extension<Language>) -> Response {
    page(offline_page(language.into()))
}
