//! All routes, and the layers around them.

use std::any::Any;
use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, patch, post};
use tower_http::catch_panic::CatchPanicLayer;

use shingle_domain::lookup::Product;

use super::error::ApiError;
use super::public::widget_request;
use super::{
    check, config, deliveries, destinations, estimate_mail, estimate_page, estimate_pdf, health, hosted, leads, lookup,
    mail_links, metrics, middleware, no_script, notices, photos, preview, public, redirect, rejections, runtime,
    schemas, storage, webhooks, widget_form, widget_settings, widgets,
};
use crate::app::App;

/// Bytes of a request body, where a route sets no other limit.
const MAX_BODY_BYTES: usize = 64 * 1024;

/// The whole service.
pub fn router(app: Arc<App>) -> Router {
    let widgets = Router::new()
        .route("/", post(widgets::create))
        .route("/{id}", get(widgets::show).put(widgets::update))
        .route("/{id}/upload-logos", patch(widgets::upload_logos))
        .layer(DefaultBodyLimit::max(widget_form::MAX_FORM_BYTES))
        .route("/{id}/settings", get(widget_settings::show).put(widget_settings::replace));
    let visitors = Router::new()
        .route("/w/{id}/session", post(public::session::create).options(preflight))
        .route("/w/{id}/suggest", post(public::roof::suggest).options(preflight))
        .route("/w/{id}/roof", post(public::roof::show).options(preflight))
        .route("/w/{id}/leads", post(public::leads::create).options(preflight))
        .route("/w/{id}/leads/{lead}", patch(public::leads::update).options(preflight))
        .route("/w/{id}/leads/{lead}/estimate", post(public::leads::show).options(preflight))
        .route("/w/{id}/leads/{lead}/link/revoke", post(estimate_page::revoke).options(preflight))
        .route("/w/{id}/leads/{lead}/link/send", post(estimate_mail::send).options(preflight))
        .route("/w/{id}/leads/{lead}/photos/{photo}/remove", post(photos::remove).options(preflight))
        .layer(DefaultBodyLimit::max(widget_request::MAX_BODY_BYTES));
    let uploads = Router::new()
        .route("/w/{id}/leads/{lead}/photos", post(photos::add).options(preflight))
        .layer(DefaultBodyLimit::max(photos::MAX_FORM_BYTES));
    let visitors = visitors.merge(uploads).layer(from_fn_with_state(app.clone(), widget_request::authorize_page));
    let pages = Router::new()
        .route("/w/{id}/measure", get(no_script::measure))
        .route("/w/{id}/contact", get(no_script::contact).post(no_script::send_contact))
        .route("/w/{id}/estimate", get(no_script::estimate).post(no_script::choose_in_estimate))
        .route("/w/{id}/thanks", get(no_script::thanks))
        .layer(DefaultBodyLimit::max(widget_request::MAX_BODY_BYTES))
        .merge(
            Router::new()
                .route("/w/{id}/visit", get(no_script::visit).post(no_script::send_visit))
                .layer(DefaultBodyLimit::max(no_script::MAX_VISIT_BYTES)),
        );
    product_routes()
        .nest("/api/v1/roof-estimate-widget", widgets)
        .route("/api/v1/leads", get(leads::list))
        .route("/api/v1/leads.csv", get(leads::download))
        .route("/api/v1/leads/{id}", get(leads::show).patch(leads::update).delete(leads::delete))
        .route("/api/v1/leads/{id}/photos/{photo}", get(photos::show))
        .route("/api/v1/leads/{id}/link", delete(estimate_page::revoke_by_owner))
        .route("/api/v1/leads/{id}/deliveries", get(deliveries::of_lead))
        .nest("/api/v1/webhooks", webhook_routes())
        .route("/api/v1/deliveries/{id}", get(deliveries::show))
        .route("/api/v1/deliveries/{id}/replay", post(deliveries::replay))
        .route("/api/v1/connectors", get(destinations::list_connectors))
        .route("/api/v1/connectors/{name}", get(destinations::show_connector))
        .nest("/api/v1/destinations", destination_routes())
        .route("/api/v1/notices", get(notices::show).put(notices::replace))
        .route("/w/{id}/e/{token}", get(estimate_page::show))
        .route("/w/{id}/e/{token}/print", get(estimate_page::print))
        .route("/w/{id}/sheet.css", get(estimate_page::style))
        .route("/w/{id}/sheet.js", get(estimate_page::script))
        .route("/w/{id}/photo", get(photos::show_linked))
        .route("/w/{id}/estimate.pdf", get(estimate_pdf::show))
        .route("/w/{id}/on-it", get(mail_links::show_on_it).post(mail_links::take))
        .route("/w/{id}/unsubscribe", get(mail_links::show_unsubscribe).post(mail_links::unsubscribe))
        .route("/webhook-keys/{id}", get(webhooks::keys))
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
        .route("/schemas/{file}", get(schemas::show))
        .route("/metrics", get(metrics::show))
        .route("/healthz", get(health::live))
        .route("/readyz", get(health::ready))
        .fallback(not_found)
        .method_not_allowed_fallback(not_found)
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .layer(from_fn(rejections::normalize_rejections))
        .layer(CatchPanicLayer::custom(panic_response))
        .layer(from_fn_with_state(app.clone(), middleware::request_middleware))
        .with_state(app)
}

/// One route for each product.
fn product_routes() -> Router<Arc<App>> {
    Product::ALL.into_iter().fold(Router::new(), |router, product| {
        let handler = move |app, caller, query| lookup::look_up(product, app, caller, query);
        router.route(&format!("/api/v1/{}", product.as_str()), get(handler))
    })
}

fn webhook_routes() -> Router<Arc<App>> {
    Router::new()
        .route("/", post(webhooks::create).get(webhooks::list))
        .route("/{id}", get(webhooks::show).patch(webhooks::update).delete(webhooks::delete))
        .route("/{id}/rotate-secret", post(webhooks::rotate_secret))
        .route("/{id}/test", post(deliveries::test))
        .route("/{id}/deliveries", get(deliveries::list))
        .route("/{id}/replay", post(deliveries::replay_since))
}

fn destination_routes() -> Router<Arc<App>> {
    Router::new()
        .route("/", post(destinations::create).get(destinations::list))
        .route("/{id}", get(destinations::show).patch(destinations::update).delete(destinations::delete))
        .route("/{id}/test", post(deliveries::test))
        .route("/{id}/deliveries", get(deliveries::list))
        .route("/{id}/replay", post(deliveries::replay_since))
}

async fn not_found() -> ApiError {
    ApiError::NotFound
}

/// The middleware answers preflight requests before they get here.
async fn preflight() {}

fn panic_response(panic: Box<dyn Any + Send>) -> Response {
    let message = panic
        .downcast_ref::<&str>()
        .map(|s| (*s).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    ApiError::Internal(format!("panic: {message}").into()).into_response()
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;

    use super::*;

    #[tokio::test]
    async fn a_panic_is_the_contracts_500_and_does_not_leak_its_message() {
        let response = panic_response(Box::new("the password is hunter2"));
        assert_eq!(response.status(), 500);
        let body = to_bytes(response.into_body(), 1_000).await.unwrap();
        assert_eq!(
            body,
            r#"{"message":"An unexpected error occurred. Please try again later.","error":"Internal Server Error","statusCode":500}"#
        );
    }
}
