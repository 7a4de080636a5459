//! The API: one table of routes with their descriptions, of which both the router and the OpenAPI document are made. So
//! no route can be without a description, and no description without a route.

mod chapters;
mod connectors;
mod document;
mod endpoint;
mod events;
mod fields;
mod leads;
mod look_ups;
mod notices;
mod personal_data;
mod schemas;
#[cfg(test)]
mod tests;
mod usage;
mod webhooks;
mod widgets;

use std::sync::Arc;

use axum::Router;
use serde_json::Value;
use shingle_widget::ssr::ApiDocs;

use crate::app::App;
use endpoint::Endpoint;

fn endpoints() -> Vec<Endpoint> {
    let all = [
        look_ups::endpoints(),
        usage::endpoints(),
        widgets::endpoints(),
        leads::endpoints(),
        webhooks::endpoints(),
        connectors::endpoints(),
        notices::endpoints(),
        personal_data::endpoints(),
    ];
    all.into_iter().flatten().collect()
}

/// Every route that takes a key.
pub fn routes() -> Router<Arc<App>> {
    endpoints().into_iter().fold(Router::new(), |router, e| router.route(e.route.path, e.route.handler))
}

/// The OpenAPI document, of which `assets/openapi.json` is the copy that is served. `base_url` is where the API is served.
#[cfg(test)]
fn document(base_url: &str) -> Value {
    document::document(&endpoints(), base_url)
}

/// The same as a page for people.
pub fn chapters(document: &Value) -> ApiDocs {
    chapters::chapters(document)
}
