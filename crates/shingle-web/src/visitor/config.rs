//! `/w/{id}/config/{runtime}.{language}.json`: the widget's configuration for the browser runtime, with the words of one
//! language. The name holds the runtime it is for: another runtime may order its words differently.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use shingle_domain::Language;

use crate::state::Web;
use crate::visitor::hosted::find_widget;
use crate::visitor::widget_assets::widget_asset;
use crate::web::error::{ApiError, ApiResult};
use crate::web::render_cache::WidgetAsset;
use shingle_app::runtime::Runtime;

pub async fn show(
    State(web): State<Arc<Web>>,
    Path((id, file)): Path<(String, String)>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let language = language(&file).ok_or(ApiError::NotFound)?;
    let stored = find_widget(&web, &id).await?;
    if !stored.widget.is_active() {
        return Err(ApiError::NotFound);
    }
    Ok(widget_asset(&web, stored, WidgetAsset::Config(language)).await?.respond(&headers))
}

/// The language in a file's name, if the rest names the embedded runtime.
fn language(file: &str) -> Option<Language> {
    let (runtime, tag) = file.strip_suffix(".json")?.split_once('.')?;
    Runtime::embedded().filter(|embedded| embedded.js.stem() == runtime)?;
    Language::ALL.into_iter().find(|language| language.tag() == tag)
}
