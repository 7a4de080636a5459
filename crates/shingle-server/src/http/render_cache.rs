//! Rendered texts of widgets (loader, hosted page, its script and style), rendered and compressed once for each version of
//! a widget.

use std::io::Write;
use std::sync::Arc;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use moka::sync::Cache;
use shingle_domain::WidgetId;
use shingle_widget::words::Language;

use super::cache_headers::{set_encoding, set_etag};
use super::encoding::{Encoding, is_cached};
use super::error::{ApiError, ApiResult};

/// Of some 15 kB each.
const MAX_ASSETS: u64 = 4_000;

/// One text of a widget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WidgetAsset {
    Loader,
    /// What the runtime is told, in one language.
    Config(Language),
    Page(Language),
    /// The page of a widget that is switched off.
    PausedPage(Language),
    Script,
    Theme,
}

/// The id and the version of a widget, and which of its texts.
pub type AssetKey = (WidgetId, u64, WidgetAsset);

pub struct RenderCache(Cache<AssetKey, Arc<EncodedAsset>>);

impl Default for RenderCache {
    fn default() -> Self {
        Self(Cache::new(MAX_ASSETS))
    }
}

impl RenderCache {
    /// `render` runs on a thread for work that takes processor time.
    pub async fn get_or_render(
        &self,
        key: AssetKey,
        render: impl FnOnce() -> String + Send + 'static,
    ) -> ApiResult<Arc<EncodedAsset>> {
        if let Some(asset) = self.0.get(&key) {
            return Ok(asset);
        }
        let rendered = tokio::task::spawn_blocking(move || Arc::new(EncodedAsset::new(render())));
        let asset = rendered.await.map_err(ApiError::internal)?;
        self.0.insert(key, asset.clone());
        Ok(asset)
    }
}

/// One text with its compressed forms.
pub struct EncodedAsset {
    plain: Vec<u8>,
    gzip: Vec<u8>,
    brotli: Vec<u8>,
    etag: String,
}

impl EncodedAsset {
    fn new(text: String) -> Self {
        let plain = text.into_bytes();
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        // Writing to memory does not fail. If it did: an empty form is never sent.
        let gzip = gzip.write_all(&plain).and_then(|()| gzip.finish()).unwrap_or_default();
        let mut brotli = Vec::new();
        let settings = brotli::enc::BrotliEncoderParams { quality: 11, ..Default::default() };
        if brotli::BrotliCompress(&mut plain.as_slice(), &mut brotli, &settings).is_err() {
            brotli.clear();
        }
        let etag = format!("\"{}\"", &blake3::hash(&plain).to_hex()[..20]);
        Self { plain, gzip, brotli, etag }
    }

    /// The smallest form that the browser accepts, or 304 if the browser has it already.
    pub fn respond(&self, headers: &HeaderMap, content_type: &'static str, cache: &'static str) -> Response {
        let (encoding, bytes) = match Encoding::accepted(headers) {
            Encoding::Brotli if !self.brotli.is_empty() => (Encoding::Brotli, &self.brotli),
            Encoding::Brotli | Encoding::Gzip if !self.gzip.is_empty() => (Encoding::Gzip, &self.gzip),
            _ => (Encoding::Plain, &self.plain),
        };
        let cached = is_cached(headers, &self.etag);
        let mut response =
            if cached { StatusCode::NOT_MODIFIED.into_response() } else { bytes.clone().into_response() };
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
        set_etag(headers, &self.etag);
        set_encoding(headers, if cached { Encoding::Plain } else { encoding });
        response
    }
}
