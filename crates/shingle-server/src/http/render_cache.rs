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
        let cache = self.0.clone();
        // Of several requests at once, one renders and the others get its text.
        let rendered = move || cache.get_with(key, || Arc::new(EncodedAsset::new(render())));
        tokio::task::spawn_blocking(rendered).await.map_err(ApiError::internal)
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test]
    async fn what_many_ask_for_at_once_is_rendered_once() {
        let (cache, rendered) = (Arc::new(RenderCache::default()), Arc::new(AtomicUsize::new(0)));
        let id = "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11".parse().unwrap();
        let mut all = tokio::task::JoinSet::new();
        for _ in 0..8 {
            let (cache, rendered) = (cache.clone(), rendered.clone());
            all.spawn(async move {
                let render = move || {
                    rendered.fetch_add(1, Ordering::SeqCst);
                    "text ".repeat(50_000)
                };
                cache.get_or_render((id, 1, WidgetAsset::Loader), render).await.unwrap().plain.len()
            });
        }
        assert_eq!(all.join_all().await, [250_000; 8]);
        assert_eq!(rendered.load(Ordering::SeqCst), 1);
    }
}
