//! `/storage/…`: logos as they were stored, and QR codes drawn from the widget they belong to.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use shingle_domain::WidgetId;
use shingle_widget::palette::Palette;

use super::encoding::is_known;
use super::error::{Answer, Failure};
use super::runtime::{open_to_all, tagged};
use crate::app::App;
use crate::qr;

/// A name made from its content never means anything else.
const FOR_EVER: &str = "public, max-age=31536000, immutable";
/// A code's colour or link may change with the widget.
pub(super) const FOR_NOW: &str = "public, max-age=300, stale-while-revalidate=86400";

pub async fn show(State(app): State<Arc<App>>, Path(path): Path<String>, asked: HeaderMap) -> Answer<Response> {
    if let Some(name) = path.strip_prefix("qr/") {
        return code(&app, name, &asked).await;
    }
    let blob = app.blobs.get(&path).await?.ok_or(Failure::NotFound)?;
    Ok(picture(&asked, blob.bytes, blob.content_type, FOR_EVER))
}

/// `{widget}-{site|hosted}-{colour}.{png|svg}`; the colour only renews the name.
async fn code(app: &App, name: &str, asked: &HeaderMap) -> Answer<Response> {
    let (id, rest) = name.split_at_checked(36).ok_or(Failure::NotFound)?;
    let id: WidgetId = id.parse().map_err(|_| Failure::NotFound)?;
    let (rest, ending) = rest.rsplit_once('.').ok_or(Failure::NotFound)?;
    let links = app.links();
    let link = match rest.trim_start_matches('-').split_once('-') {
        Some(("site", _)) => links.redirect(id),
        Some(("hosted", _)) => links.hosted_page(id),
        _ => return Err(Failure::NotFound),
    };
    let (_, stored) = app.store.find_public_widget(id).await?.ok_or(Failure::NotFound)?;
    let [r, g, b, _] = Palette::of(&stored.widget).qr.rgba();
    let drawn = qr::draw(&format!("{link}?via=qr"), [r, g, b]).map_err(Failure::internal)?;
    match ending {
        "png" => Ok(picture(asked, drawn.png, "image/png", FOR_NOW)),
        "svg" => Ok(picture(asked, drawn.svg.into_bytes(), "image/svg+xml", FOR_NOW)),
        _ => Err(Failure::NotFound),
    }
}

/// Whatever is in it, a browser shows it and runs none of it.
pub(super) fn picture(asked: &HeaderMap, bytes: Vec<u8>, content_type: &'static str, cache: &'static str) -> Response {
    let tag = format!("\"{}\"", &blake3::hash(&bytes).to_hex()[..20]);
    let known = is_known(asked, &tag);
    let mut response = if known { StatusCode::NOT_MODIFIED.into_response() } else { bytes.into_response() };
    let headers: &mut HeaderMap = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, content_type),
        (header::CACHE_CONTROL, cache),
        (header::CONTENT_DISPOSITION, "inline"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    tagged(headers, &tag);
    open_to_all(headers);
    response
}
