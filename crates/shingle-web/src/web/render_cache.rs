//! Rendered texts: those of widgets (loader, hosted page, its script and style), rendered and compressed once for each
//! version of a widget, and those of the installation.

use std::convert::Infallible;
use std::io::Write;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use quick_cache::sync::Cache;
use shingle_domain::{Language, LinkId};
use tokio::sync::OnceCell;

use crate::web::cache_headers::{set_encoding, set_etag};
use crate::web::encoding::{Encoding, is_cached};
use crate::web::error::{ApiError, ApiResult};
use shingle_app::log_span::of_this_request;

/// Of some 15 kB each.
const MAX_ASSETS: usize = 4_000;

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

/// The id of a widget; its version, and that of companies' own domains; and which of its texts.
pub type AssetKey = (LinkId, (u64, u64), WidgetAsset);

pub struct RenderCache(Arc<Cache<AssetKey, Arc<EncodedAsset>>>);

impl Default for RenderCache {
    fn default() -> Self {
        Self(Arc::new(Cache::new(MAX_ASSETS)))
    }
}

impl RenderCache {
    /// `render` runs on a thread for work that takes processor time.
    pub async fn get_or_render(
        &self,
        key: AssetKey,
        render: impl FnOnce() -> RenderedAsset + Send + 'static,
    ) -> ApiResult<Arc<EncodedAsset>> {
        if let Some(asset) = self.0.get(&key) {
            return Ok(asset);
        }
        let cache = self.0.clone();
        // Of several requests at once, one renders and the others get its text.
        let rendered = move || {
            let render = || Ok::<_, Infallible>(Arc::new(EncodedAsset::new(render())));
            let Ok(asset) = cache.get_or_insert_with(&key, render);
            asset
        };
        tokio::task::spawn_blocking(of_this_request(rendered)).await.map_err(ApiError::internal)
    }
}

/// The API described for programs and for people, once somebody has asked for it.
#[derive(Default)]
pub struct DescriptionCache {
    pub json: OnceCell<EncodedAsset>,
    pub page: OnceCell<EncodedAsset>,
    pub style: OnceCell<EncodedAsset>,
}

/// A text and the headers it is sent with.
pub struct RenderedAsset {
    pub text: String,
    pub headers: HeaderMap,
}

/// One text in each encoding, as it is sent.
pub struct EncodedAsset {
    plain: SentForm,
    gzip: SentForm,
    brotli: SentForm,
    etag: String,
}

struct SentForm {
    body: Bytes,
    headers: HeaderMap,
}

impl EncodedAsset {
    /// As small as it gets: for what every visitor of a widget downloads.
    pub fn new(asset: RenderedAsset) -> Self {
        let settings = brotli::enc::BrotliEncoderParams { quality: 11, ..Default::default() };
        Self::packed(asset, flate2::Compression::best(), &settings)
    }

    /// In a fraction of the time and memory, a little larger: for what few people ask for.
    pub fn packed_quickly(asset: RenderedAsset) -> Self {
        let settings = brotli::enc::BrotliEncoderParams { quality: 9, lgwin: 18, ..Default::default() };
        Self::packed(asset, flate2::Compression::default(), &settings)
    }

    fn packed(
        RenderedAsset { text, mut headers }: RenderedAsset,
        gzip_level: flate2::Compression,
        settings: &brotli::enc::BrotliEncoderParams,
    ) -> Self {
        let plain = text.into_bytes();
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), gzip_level);
        // Writing to memory does not fail. If it did: an empty form is never sent.
        let gzip = gzip.write_all(&plain).and_then(|()| gzip.finish()).unwrap_or_default();
        let mut brotli = Vec::new();
        if brotli::BrotliCompress(&mut plain.as_slice(), &mut brotli, settings).is_err() {
            brotli.clear();
        }
        let etag = format!("\"{}\"", &blake3::hash(&plain).to_hex()[..20]);
        set_etag(&mut headers, &etag);
        let form = |bytes: Vec<u8>, encoding| {
            let mut headers = headers.clone();
            set_encoding(&mut headers, encoding);
            SentForm { body: bytes.into(), headers }
        };
        Self {
            plain: form(plain, Encoding::Plain),
            gzip: form(gzip, Encoding::Gzip),
            brotli: form(brotli, Encoding::Brotli),
            etag,
        }
    }

    /// The smallest form that the browser accepts, or 304 if the browser has it already.
    pub fn respond(&self, headers: &HeaderMap) -> Response {
        let mut response = Response::default();
        if is_cached(headers, &self.etag) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            *response.headers_mut() = self.plain.headers.clone();
            return response;
        }
        let form = match Encoding::accepted(headers) {
            Encoding::Brotli if !self.brotli.body.is_empty() => &self.brotli,
            Encoding::Brotli | Encoding::Gzip if !self.gzip.body.is_empty() => &self.gzip,
            _ => &self.plain,
        };
        *response.headers_mut() = form.headers.clone();
        *response.body_mut() = Body::from(form.body.clone());
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
                    RenderedAsset { text: "text ".repeat(50_000), headers: HeaderMap::new() }
                };
                cache.get_or_render((id, (1, 0), WidgetAsset::Loader), render).await.unwrap().plain.body.len()
            });
        }
        assert_eq!(all.join_all().await, [250_000; 8]);
        assert_eq!(rendered.load(Ordering::SeqCst), 1);
    }
}
