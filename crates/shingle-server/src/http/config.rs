//! `/w/{id}/config/{runtime}.{language}.json`: what the browser runtime is told of a widget, with the words of one
//! language. The name holds the runtime it is for: another's words might stand in other places.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use shingle_widget::words::Language;

use super::error::{Answer, Failure};
use super::hosted::{LOADER_CACHE, widget};
use super::runtime::open_to_all;
use super::shelf::{Shelf, Text};
use crate::app::App;
use crate::runtime::Runtime;

pub async fn show(
    State(app): State<Arc<App>>,
    Path((id, file)): Path<(String, String)>,
    asked: HeaderMap,
) -> Answer<Response> {
    let language = language(&file).ok_or(Failure::NotFound)?;
    let stored = widget(&app, &id).await?;
    if !stored.widget.is_active() {
        return Err(Failure::NotFound);
    }
    let finished = Shelf::take(&app, stored, Text::Config(language)).await?;
    let mut response = finished.answer(&asked, "application/json", LOADER_CACHE);
    open_to_all(response.headers_mut());
    Ok(response)
}

/// The language of a name, if the rest names the runtime that is here.
fn language(file: &str) -> Option<Language> {
    let (runtime, tag) = file.strip_suffix(".json")?.split_once('.')?;
    Runtime::embedded().filter(|here| here.js.stem() == runtime)?;
    Language::ALL.into_iter().find(|language| language.tag() == tag)
}
