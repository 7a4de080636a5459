//! `/openapi.json`, the API described for programs, and `/docs`, the same for people. The description is made when the
//! server is built; the address of the server is all that it lacks.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use serde_json::Value;
use shingle_widget::ssr::{api_docs_css, api_docs_page};

use crate::api::endpoints;
use crate::state::Web;
use crate::web::cache_headers::allow_all_origins;
use crate::web::error::{ApiError, ApiResult};
use crate::web::page_headers::{HTML, set_security_headers};
use crate::web::render_cache::{EncodedAsset, RenderedAsset};
use shingle_app::log_span::of_this_request;

const ONE_HOUR: &str = "public, max-age=3600";
/// A page without scripts and pictures, which nobody may frame. Its icon is empty, so that browsers ask for none.
const POLICY: &str =
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

pub async fn show(State(web): State<Arc<Web>>, headers: HeaderMap) -> ApiResult<Response> {
    let base_url = web.base_url.clone();
    let render = || encode(move || json(&base_url));
    Ok(web.pages.description.json.get_or_try_init(render).await?.respond(&headers))
}

pub async fn page(State(web): State<Arc<Web>>, headers: HeaderMap) -> ApiResult<Response> {
    let base_url = web.base_url.clone();
    let render = || encode(move || html(&base_url));
    Ok(web.pages.description.page.get_or_try_init(render).await?.respond(&headers))
}

/// `/docs.css`
pub async fn style(State(web): State<Arc<Web>>, headers: HeaderMap) -> ApiResult<Response> {
    let render = || encode(|| RenderedAsset { text: api_docs_css(), headers: cached("text/css; charset=utf-8") });
    Ok(web.pages.description.style.get_or_try_init(render).await?.respond(&headers))
}

/// Compressing takes processor time.
async fn encode(render: impl FnOnce() -> RenderedAsset + Send + 'static) -> ApiResult<EncodedAsset> {
    tokio::task::spawn_blocking(of_this_request(|| EncodedAsset::packed_quickly(render())))
        .await
        .map_err(ApiError::internal)
}

fn json(base_url: &str) -> RenderedAsset {
    let mut headers = cached("application/json");
    allow_all_origins(&mut headers);
    RenderedAsset { text: description(base_url), headers }
}

/// What stands before the address, and what after it, compressed.
const BEFORE: &str = include_str!(concat!(env!("OUT_DIR"), "/openapi-before.json"));
static AFTER: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/openapi-after.br"));

fn description(base_url: &str) -> String {
    let address = Value::from(base_url).to_string();
    format!("{BEFORE}{}{}", address.trim_matches('"'), shingle_packed::unpacked_text(AFTER))
}

fn html(base_url: &str) -> RenderedAsset {
    // It was written by this project, and a test reads it.
    let document: Value = serde_json::from_str(&description(base_url)).unwrap_or_default();
    let mut headers = cached(HTML);
    set_security_headers(&mut headers, POLICY);
    RenderedAsset { text: api_docs_page(&endpoints::chapters(&document)), headers }
}

fn cached(content_type: &'static str) -> HeaderMap {
    HeaderMap::from_iter([
        (header::CONTENT_TYPE, HeaderValue::from_static(content_type)),
        (header::CACHE_CONTROL, HeaderValue::from_static(ONE_HOUR)),
    ])
}
