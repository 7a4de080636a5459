//! Renders a widget's texts, or takes them from the cache.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderValue, header};
use shingle_domain::widget::Widget;
use shingle_store::StoredWidget;
use shingle_widget::ssr::{
    RuntimeFile, RuntimeManifest, config_json, hosted_page, hosted_script, loader_script, paused_page, public_widget,
    theme_css, unbuilt_script,
};

use shingle_domain::{AccountId, Language};
use url::Url;

use crate::state::Web;
use crate::web::cache_headers::allow_all_origins;
use crate::web::error::ApiResult;
use crate::web::page_headers::{HTML, content_policy, set_security_headers};
use crate::web::render_cache::{EncodedAsset, RenderedAsset, WidgetAsset};
use shingle_app::runtime::{EmbeddedFile, Runtime};

pub async fn widget_asset(
    web: &Arc<Web>,
    stored: Arc<StoredWidget>,
    asset: WidgetAsset,
) -> ApiResult<Arc<EncodedAsset>> {
    let key = (stored.widget.link_id(), (stored.version, web.own_domains.changes()), asset);
    let context = web.clone();
    web.pages.rendered.get_or_render(key, move || render(&context, &stored, asset)).await
}

pub const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
/// Browsers answer from the cache at once and renew it in the background, also while the server is down.
const LOADER_CACHE: &str = "public, max-age=300, stale-while-revalidate=604800, stale-if-error=2592000";
const PAGE_CACHE: &str = "public, max-age=60, stale-if-error=86400";

/// Runs before the visitor's script.
const PREVIEW_SCRIPT: &str = include_str!("../../../../www/portal/preview.js");

fn render(web: &Web, stored: &StoredWidget, asset: WidgetAsset) -> RenderedAsset {
    let mut text = text(web, stored, asset);
    if stored.is_preview && matches!(asset, WidgetAsset::Loader | WidgetAsset::Script) {
        text.insert_str(0, PREVIEW_SCRIPT);
    }
    RenderedAsset { text, headers: headers(web, stored, asset) }
}

fn headers(web: &Web, stored: &StoredWidget, asset: WidgetAsset) -> HeaderMap {
    let (content_type, cache) = match asset {
        WidgetAsset::Loader => (JAVASCRIPT, LOADER_CACHE),
        WidgetAsset::Config(_) => ("application/json", LOADER_CACHE),
        WidgetAsset::Page(_) => (HTML, PAGE_CACHE),
        WidgetAsset::PausedPage(_) => (HTML, "no-store"),
        WidgetAsset::Script => (JAVASCRIPT, PAGE_CACHE),
        WidgetAsset::Theme => (CSS, PAGE_CACHE),
    };
    let cache = if stored.is_preview { "no-store" } else { cache };
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    if stored.is_preview {
        headers.insert("x-robots-tag", HeaderValue::from_static("noindex"));
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    let vary =
        if matches!(asset, WidgetAsset::Page(_)) { "accept-encoding, accept-language" } else { "accept-encoding" };
    headers.insert(header::VARY, HeaderValue::from_static(vary));
    match asset {
        // Its page may have the company's own domain.
        WidgetAsset::Loader if stored.is_preview => {}
        WidgetAsset::Loader | WidgetAsset::Config(_) => allow_all_origins(&mut headers),
        WidgetAsset::Page(_) | WidgetAsset::PausedPage(_) => {
            set_security_headers(&mut headers, &content_policy(web, stored));
        }
        WidgetAsset::Script | WidgetAsset::Theme => {}
    }
    headers
}

fn text(web: &Web, stored: &StoredWidget, asset: WidgetAsset) -> String {
    let links = web.links(stored.tenant.account);
    let public = |language| public_widget(&stored.widget, &stored.settings, language, &links);
    let english = || public(Language::English);
    let runtime = Runtime::embedded().map(manifest);
    match (asset, &runtime) {
        (WidgetAsset::Loader, Some(runtime)) => {
            let widget = if stored.is_preview {
                on_own_pages(web, stored.tenant.account, &stored.widget)
            } else {
                stored.widget.clone()
            };
            loader_script(&widget, &stored.settings, stored.tenant.environment, &links, runtime)
        }
        (WidgetAsset::Script, Some(runtime)) => hosted_script(&english(), runtime),
        (WidgetAsset::Config(language), Some(_)) => config_json(&public(language), language),
        (WidgetAsset::Loader | WidgetAsset::Script | WidgetAsset::Config(_), None) => unbuilt_script(),
        // Its forms work without the runtime.
        (WidgetAsset::Page(language), runtime) => hosted_page(&public(language), language, runtime.as_ref()),
        (WidgetAsset::PausedPage(language), _) => paused_page(&public(language), language),
        (WidgetAsset::Theme, _) => theme_css(&english()),
    }
}

/// The launcher of a preview is on a page of ours.
fn on_own_pages(web: &Web, account: AccountId, widget: &Widget) -> Widget {
    let bases = [web.base_url.as_str(), &web.own_domains.base_of(account)].map(Url::parse);
    let hosts = bases.into_iter().filter_map(|base| base.ok()?.host_str().map(str::to_owned));
    Widget { domains: hosts.collect(), ..widget.clone() }
}

fn manifest(runtime: &Runtime) -> RuntimeManifest {
    let file = |e: &EmbeddedFile| RuntimeFile { file: e.file.into(), integrity: e.integrity.into() };
    RuntimeManifest { js: file(&runtime.js), wasm: file(&runtime.wasm), scripts: runtime.scripts }
}
