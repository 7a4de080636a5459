//! The API: one table of routes with their descriptions, of which both the router and the OpenAPI document are made. So
//! no route can be without a description, and no description without a route.
//!
//! # Decisions
//!
//! - One table makes both the router and `/openapi.json`: a route is its handler and its description, and a route
//!   without one does not compile. Response types describe themselves (`schemars`); field comments end with their
//!   example. Requests are read rule by rule, so their schemas are in the table and tests hold them against the
//!   rules. Turned down: aide, which learns from arguments that our handlers lack (they take bytes, to report every
//!   broken rule); utoipa, whose descriptions can be forgotten.
//! - Types are the source of event schemas too. `SHINGLE_WRITE_DESCRIPTION=1 cargo test -p shingle-web --lib
//!   api::endpoints` writes `assets/openapi.json` and `assets/schemas/`; a test fails if they differ. The server only adds
//!   its address.

mod chapters;
mod connectors;
#[cfg(test)]
mod document;
mod endpoint;
#[cfg(test)]
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

use crate::state::Web;
use crate::web::boxed_handler::BoxedHandler;
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
pub fn routes() -> Router<Arc<Web>> {
    endpoints().into_iter().fold(Router::new(), |router, e| router.route(e.route.path, e.route.handler))
}

/// The look-ups with their handlers, for the way past the router.
pub fn look_ups() -> Vec<(&'static str, BoxedHandler)> {
    look_ups::handlers()
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
