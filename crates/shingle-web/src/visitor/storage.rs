//! `/storage/…`: stored logos, and QR codes that are drawn on request.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use shingle_domain::LinkId;
use shingle_widget::palette::Palette;

use crate::state::Web;
use crate::visitor::qr_code;
use crate::web::cache_headers::{allow_all_origins, set_etag};
use crate::web::encoding::is_cached;
use crate::web::error::{ApiError, ApiResult};

/// The name holds a hash of the content.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";
/// The code's color or link may change with the widget.
pub(crate) const FIVE_MINUTES: &str = "public, max-age=300, stale-while-revalidate=86400";

pub async fn show(State(web): State<Arc<Web>>, Path(path): Path<String>, headers: HeaderMap) -> ApiResult<Response> {
    if let Some(name) = path.strip_prefix("qr/") {
        return qr_code(&web, name, &headers).await;
    }
    if let Some(name) = path.strip_prefix("aerial/") {
        let name = name.strip_suffix(".webp").ok_or(ApiError::NotFound)?;
        let bytes = web.aerial.image(&web.store, name).await?.ok_or(ApiError::NotFound)?;
        return Ok(image_response(&headers, bytes, "image/webp", IMMUTABLE));
    }
    // Photographs and files are their lead's owner's alone.
    if path.starts_with("photos/") || path.starts_with("files/") {
        return Err(ApiError::NotFound);
    }
    let blob = web.blobs.get(&path).await?.ok_or(ApiError::NotFound)?;
    Ok(image_response(&headers, blob.bytes, blob.content_type, IMMUTABLE))
}

/// The two codes that the widget's record names, and their twins in SVG. Each is drawn once for a version of the widget.
async fn qr_code(web: &Arc<Web>, name: &str, headers: &HeaderMap) -> ApiResult<Response> {
    let id: LinkId = name.get(..36).and_then(|id| id.parse().ok()).ok_or(ApiError::NotFound)?;
    let (stem, ending) = name.rsplit_once('.').ok_or(ApiError::NotFound)?;
    let stored = web.store.widgets().find_public(id).await?.ok_or(ApiError::NotFound)?;
    let is = |path: String| path.strip_prefix("qr/").and_then(|path| path.strip_suffix(".png")) == Some(stem);
    let is_hosted = is(stored.widget.hosted_qr_path());
    if !is_hosted && !is(stored.widget.widget_qr_path()) {
        return Err(ApiError::NotFound);
    }
    let links = web.links(stored.tenant.account);
    let link = if is_hosted { links.hosted_page(id) } else { links.redirect(id) };
    let key = (link.clone(), stored.version);
    let images = match web.pages.qr_codes.get(&key) {
        Some(images) => images,
        None => {
            let [r, g, b, _] = Palette::of(&stored.widget).qr.rgba();
            let codes = web.pages.qr_codes.clone();
            let draw = move || qr_code::draw(&format!("{link}?via=qr"), [r, g, b]).map(Arc::new);
            // Of several requests at once, one draws and the others get its images.
            let drawn = web.heavy_work.run(move || codes.get_or_insert_with(&key, draw)).await?;
            drawn.map_err(ApiError::internal)?
        }
    };
    match ending {
        "png" => Ok(image_response(headers, images.png.clone(), "image/png", FIVE_MINUTES)),
        "svg" => Ok(image_response(headers, images.svg.clone().into_bytes(), "image/svg+xml", FIVE_MINUTES)),
        _ => Err(ApiError::NotFound),
    }
}

/// A browser shows the image, whatever is in it, and runs nothing.
pub(crate) fn image_response(
    headers: &HeaderMap,
    bytes: Vec<u8>,
    content_type: &'static str,
    cache: &'static str,
) -> Response {
    let etag = format!("\"{}\"", &blake3::hash(&bytes).to_hex()[..20]);
    let cached = is_cached(headers, &etag);
    let mut response = if cached { StatusCode::NOT_MODIFIED.into_response() } else { bytes.into_response() };
    let headers: &mut HeaderMap = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, content_type),
        (header::CACHE_CONTROL, cache),
        (header::CONTENT_DISPOSITION, "inline"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    set_etag(headers, &etag);
    allow_all_origins(headers);
    response
}
