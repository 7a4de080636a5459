//! Renders the texts of a widget, or takes them from the cache.

use std::sync::Arc;

use shingle_store::StoredWidget;
use shingle_widget::ssr::{
    RuntimeFile, RuntimeManifest, config_json, hosted_page, hosted_script, loader_script, paused_page, public_widget,
    theme_css, unbuilt_script,
};

use shingle_widget::words::Language;

use super::error::ApiResult;
use super::render_cache::{EncodedAsset, WidgetAsset};
use crate::app::App;
use crate::runtime::{EmbeddedFile, Runtime};

pub async fn widget_asset(app: &Arc<App>, stored: StoredWidget, asset: WidgetAsset) -> ApiResult<Arc<EncodedAsset>> {
    let key = (stored.widget.reference_id, stored.version, asset);
    let context = app.clone();
    app.render_cache.get_or_render(key, move || render(&context, &stored, asset)).await
}

fn render(app: &App, stored: &StoredWidget, asset: WidgetAsset) -> String {
    let links = app.links();
    let public = |language| public_widget(&stored.widget, &stored.settings, language, &links);
    let english = || public(Language::English);
    let runtime = Runtime::embedded().map(manifest);
    match (asset, &runtime) {
        (WidgetAsset::Loader, Some(runtime)) => {
            loader_script(&stored.widget, &stored.settings, stored.tenant.environment, &links, runtime)
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

fn manifest(runtime: &Runtime) -> RuntimeManifest {
    let file = |e: &EmbeddedFile| RuntimeFile { file: e.file.into(), integrity: e.integrity.into() };
    RuntimeManifest { js: file(&runtime.js), wasm: file(&runtime.wasm), scripts: runtime.scripts }
}
