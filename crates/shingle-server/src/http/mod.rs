//! Routes: one file a resource, handlers of a few lines, one map from errors to answers.

mod auth;
mod check;
mod config;
mod connection;
mod encoding;
mod error;
mod form;
mod frame;
mod health;
mod hosted;
mod intake;
mod json;
mod leads;
mod limits;
mod lookup;
mod page;
mod preview;
mod public;
mod redirect;
mod refusals;
mod runtime;
mod shelf;
mod storage;
mod widgets;

use std::any::Any;
use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, patch, post};
use tower_http::catch_panic::CatchPanicLayer;

pub use connection::Connection;
pub use error::{Answer, Failure};
pub use limits::Gate;
pub use preview::{KEPT as PREVIEWS_KEPT, Previews};
pub use shelf::Shelf;

use shingle_domain::lookup::Product;

use crate::app::App;

/// Bytes a JSON request of the API may have.
const MAX_JSON: usize = 64 * 1024;

/// Everything that is answered.
pub fn router(app: Arc<App>) -> Router {
    let widgets = Router::new()
        .route("/", post(widgets::create))
        .route("/{id}", get(widgets::show).put(widgets::update))
        .route("/{id}/upload-logos", patch(widgets::upload_logos))
        .layer(DefaultBodyLimit::max(form::MAX_FORM));
    let visitors = Router::new()
        .route("/w/{id}/session", post(public::session::create).options(allowed))
        .route("/w/{id}/suggest", post(public::roof::suggest).options(allowed))
        .route("/w/{id}/roof", post(public::roof::find).options(allowed))
        .route("/w/{id}/leads", post(public::leads::create).options(allowed))
        .route("/w/{id}/leads/{lead}", patch(public::leads::update).options(allowed))
        .layer(DefaultBodyLimit::max(public::MAX_BODY))
        .layer(from_fn_with_state(app.clone(), public::admit));
    let pages = Router::new()
        .route("/w/{id}/measure", get(page::measure))
        .route("/w/{id}/contact", get(page::contact).post(page::send))
        .route("/w/{id}/estimate", get(page::estimate).post(page::choose_material))
        .route("/w/{id}/thanks", get(page::thanks))
        .layer(DefaultBodyLimit::max(public::MAX_BODY));
    lookups()
        .nest("/api/v1/roof-estimate-widget", widgets)
        .route("/api/v1/leads", get(leads::list))
        .route("/api/v1/leads.csv", get(leads::download))
        .route("/api/v1/leads/{id}", get(leads::show).patch(leads::update).delete(leads::delete))
        .merge(visitors)
        .merge(pages)
        .route("/w/{name}", get(hosted::show))
        .route("/w/{id}/hosted.js", get(hosted::script))
        .route("/w/{id}/theme.css", get(hosted::theme))
        .route("/w/{id}/preview.png", get(preview::show))
        .route("/w/{id}/config/{file}", get(config::show))
        .route("/w/{id}/check", get(check::show))
        .route("/w/{id}/check.css", get(check::style))
        .route("/go/{id}", get(redirect::follow))
        .route("/storage/{*path}", get(storage::show))
        .route("/runtime/{file}", get(runtime::show))
        .route("/healthz", get(health::live))
        .route("/readyz", get(health::ready))
        .fallback(missing)
        .method_not_allowed_fallback(missing)
        .layer(DefaultBodyLimit::max(MAX_JSON))
        .layer(from_fn(refusals::reword))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(app.clone(), frame::frame))
        .with_state(app)
}

/// One route a product.
fn lookups() -> Router<Arc<App>> {
    Product::ALL.into_iter().fold(Router::new(), |router, product| {
        let handler = move |app, holder, query| lookup::look_up(product, app, holder, query);
        router.route(&format!("/api/v1/{}", product.as_str()), get(handler))
    })
}

async fn missing() -> Failure {
    Failure::NotFound
}

/// Preflights are answered before they get here.
async fn allowed() {}

fn panicked(panic: Box<dyn Any + Send>) -> Response {
    let words = panic
        .downcast_ref::<&str>()
        .map(|s| (*s).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    Failure::Internal(format!("panic: {words}").into()).into_response()
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;

    use super::*;

    #[tokio::test]
    async fn a_panic_is_the_contracts_500_and_keeps_its_words_to_itself() {
        let response = panicked(Box::new("the password is hunter2"));
        assert_eq!(response.status(), 500);
        let body = to_bytes(response.into_body(), 1_000).await.unwrap();
        assert_eq!(
            body,
            r#"{"message":"An unexpected error occurred. Please try again later.","error":"Internal Server Error","statusCode":500}"#
        );
    }
}
