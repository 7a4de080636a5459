//! `/manual`: the manual of this version, and its search. Pages without scripts, the same for everyone.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::extract::{Path, RawQuery};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use shingle_app::log_span::of_this_request;
use tokio::sync::OnceCell;

use crate::web::error::{ApiError, ApiResult};
use crate::web::page_headers::{HTML, set_security_headers, with_security_headers};
use crate::web::render_cache::{EncodedAsset, RenderedAsset};

const ONE_HOUR: &str = "public, max-age=3600";
const STYLE: &str = "text/css; charset=utf-8";
/// The form is the search.
const POLICY: &str =
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Each page is packed once somebody has asked for it.
static PAGES: LazyLock<BTreeMap<&'static str, OnceCell<EncodedAsset>>> =
    LazyLock::new(|| shingle_manual::names().map(|name| (name, OnceCell::new())).collect());
static SHEET: OnceCell<EncodedAsset> = OnceCell::const_new();

pub async fn first(headers: HeaderMap) -> ApiResult<Response> {
    show("index", &headers).await
}

pub async fn page(Path(name): Path<String>, headers: HeaderMap) -> ApiResult<Response> {
    show(&name, &headers).await
}

async fn show(name: &str, headers: &HeaderMap) -> ApiResult<Response> {
    let (name, packed) = PAGES.get_key_value(name).ok_or(ApiError::NotFound)?;
    let packed =
        packed.get_or_try_init(|| pack(HTML, || shingle_manual::manual_page(name).unwrap_or_default())).await?;
    Ok(packed.respond(headers))
}

/// `/manual.css`
pub async fn style(headers: HeaderMap) -> ApiResult<Response> {
    Ok(SHEET.get_or_try_init(|| pack(STYLE, || shingle_manual::style().to_owned())).await?.respond(&headers))
}

pub async fn search(RawQuery(query): RawQuery) -> ApiResult<Response> {
    let query = query.unwrap_or_default();
    let words = url::form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "q").map(|(_, words)| words);
    let words = words.unwrap_or_default().into_owned();
    let found = tokio::task::spawn_blocking(of_this_request(move || shingle_manual::search_page(&words)));
    let headers = [(header::CONTENT_TYPE, HTML), (header::CACHE_CONTROL, "no-cache")];
    let response = (headers, found.await.map_err(ApiError::internal)?).into_response();
    Ok(with_security_headers(response, POLICY))
}

/// Compressing takes processor time.
async fn pack(kind: &'static str, text: impl FnOnce() -> String + Send + 'static) -> ApiResult<EncodedAsset> {
    let mut headers = HeaderMap::from_iter([
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CACHE_CONTROL, HeaderValue::from_static(ONE_HOUR)),
    ]);
    if kind == HTML {
        set_security_headers(&mut headers, POLICY);
    }
    let pack = move || EncodedAsset::packed_quickly(RenderedAsset { text: text(), headers });
    tokio::task::spawn_blocking(of_this_request(pack)).await.map_err(ApiError::internal)
}
