//! Finished texts of widgets (loader, hosted page, its script and style), made and compressed once for each
//! version of a widget.

use std::io::Write;
use std::sync::Arc;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use moka::sync::Cache;
use shingle_domain::WidgetId;
use shingle_store::StoredWidget;
use shingle_widget::ssr::{
    RuntimeFile, RuntimeManifest, config_json, hosted_page, hosted_script, loader_script, paused_page, public_widget,
    theme_css, unbuilt_script,
};
use shingle_widget::words::Language;

use super::encoding::{Encoding, is_known};
use super::error::{Answer, Failure};
use super::runtime::{encoded, tagged};
use crate::app::App;
use crate::runtime::{Embedded, Runtime};

/// Texts that are kept: some 15 kB each.
const KEPT: u64 = 4_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Text {
    Loader,
    /// What the runtime is told, in one language.
    Config(Language),
    Page(Language),
    Paused(Language),
    Script,
    Theme,
}

/// By widget, its version, and which text.
pub struct Shelf(Cache<(WidgetId, u64, Text), Arc<Finished>>);

impl Default for Shelf {
    fn default() -> Self {
        Self(Cache::new(KEPT))
    }
}

impl Shelf {
    pub async fn take(app: &Arc<App>, stored: StoredWidget, text: Text) -> Answer<Arc<Finished>> {
        let place = (stored.widget.reference_id, stored.version, text);
        if let Some(finished) = app.shelf.0.get(&place) {
            return Ok(finished);
        }
        let maker = app.clone();
        let made = tokio::task::spawn_blocking(move || Arc::new(Finished::new(write(&maker, &stored, text))));
        let made = made.await.map_err(Failure::internal)?;
        app.shelf.0.insert(place, made.clone());
        Ok(made)
    }
}

fn write(app: &App, stored: &StoredWidget, text: Text) -> String {
    let links = app.links();
    let public = || public_widget(&stored.widget, links.base_url, links.storage_url);
    let runtime = Runtime::embedded().map(manifest);
    match (text, &runtime) {
        (Text::Loader, Some(runtime)) => loader_script(&stored.widget, &links, runtime),
        (Text::Script, Some(runtime)) => hosted_script(&public(), runtime),
        (Text::Config(language), Some(_)) => config_json(&public(), language),
        (Text::Loader | Text::Script | Text::Config(_), None) => unbuilt_script(),
        // Its forms work without the runtime.
        (Text::Page(language), runtime) => hosted_page(&public(), language, runtime.as_ref()),
        (Text::Paused(language), _) => paused_page(&public(), language),
        (Text::Theme, _) => theme_css(&public()),
    }
}

fn manifest(runtime: &Runtime) -> RuntimeManifest {
    let file = |e: &Embedded| RuntimeFile { file: e.file.into(), integrity: e.integrity.into() };
    RuntimeManifest { js: file(&runtime.js), wasm: file(&runtime.wasm), scripts: runtime.scripts }
}

/// One text and its compressed twins.
pub struct Finished {
    plain: Vec<u8>,
    gzip: Vec<u8>,
    brotli: Vec<u8>,
    tag: String,
}

impl Finished {
    fn new(text: String) -> Self {
        let plain = text.into_bytes();
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        // Writing to memory does not fail; if it did, a twin that is empty is not served.
        let gzip = gzip.write_all(&plain).and_then(|()| gzip.finish()).unwrap_or_default();
        let mut brotli = Vec::new();
        let settings = brotli::enc::BrotliEncoderParams { quality: 11, ..Default::default() };
        if brotli::BrotliCompress(&mut plain.as_slice(), &mut brotli, &settings).is_err() {
            brotli.clear();
        }
        let tag = format!("\"{}\"", &blake3::hash(&plain).to_hex()[..20]);
        Self { plain, gzip, brotli, tag }
    }

    /// The twin that the browser takes, or that it has it already.
    pub fn answer(&self, asked: &HeaderMap, content_type: &'static str, cache: &'static str) -> Response {
        let (encoding, bytes) = match Encoding::accepted(asked) {
            Encoding::Brotli if !self.brotli.is_empty() => (Encoding::Brotli, &self.brotli),
            Encoding::Brotli | Encoding::Gzip if !self.gzip.is_empty() => (Encoding::Gzip, &self.gzip),
            _ => (Encoding::Plain, &self.plain),
        };
        let known = is_known(asked, &self.tag);
        let mut response = if known { StatusCode::NOT_MODIFIED.into_response() } else { bytes.clone().into_response() };
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
        tagged(headers, &self.tag);
        encoded(headers, if known { Encoding::Plain } else { encoding });
        response
    }
}
