//! All routes, and the layers around them.

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;

use crate::api::endpoints;
use crate::api::mcp;
use crate::api::openapi;
use crate::api::schemas;
use crate::api::site_connection;
use crate::api::webhooks;
use crate::manual;
use crate::portal;
use crate::state::Web;
use crate::visitor::calendar_feed;
use crate::visitor::check;
use crate::visitor::config;
use crate::visitor::estimate_mail;
use crate::visitor::estimate_page;
use crate::visitor::estimate_pdf;
use crate::visitor::hosted;
use crate::visitor::inbound_mail;
use crate::visitor::inspection_page;
use crate::visitor::mail_links;
use crate::visitor::no_script;
use crate::visitor::photos;
use crate::visitor::pick_page;
use crate::visitor::preview;
use crate::visitor::privacy;
use crate::visitor::public;
use crate::visitor::public::widget_request;
use crate::visitor::quote_page;
use crate::visitor::redirect;
use crate::visitor::runtime;
use crate::visitor::storage;
use crate::web::boxed_handler::{boxed, get, patch, post};
use crate::web::error::ApiError;
use crate::web::health;
use crate::web::metrics;
use crate::web::middleware;

pub fn router(web: Arc<Web>) -> Router {
    let visitors = Router::new()
        .route("/w/{id}/session", post(public::session::create).options(boxed(preflight)))
        .route("/w/{id}/step", post(public::step::count).options(boxed(preflight)))
        .route("/w/{id}/suggest", post(public::roof::suggest).options(boxed(preflight)))
        .route("/w/{id}/roof", post(public::roof::show).options(boxed(preflight)))
        .route("/w/{id}/leads", post(public::leads::create).options(boxed(preflight)))
        .route("/w/{id}/leads/{lead}", patch(public::leads::update).options(boxed(preflight)))
        .route("/w/{id}/leads/{lead}/estimate", post(public::leads::show).options(boxed(preflight)))
        .route("/w/{id}/leads/{lead}/link/revoke", post(estimate_page::revoke).options(boxed(preflight)))
        .route("/w/{id}/leads/{lead}/link/send", post(estimate_mail::send).options(boxed(preflight)))
        .route("/w/{id}/leads/{lead}/photos/{photo}/remove", post(photos::remove).options(boxed(preflight)))
        .layer(DefaultBodyLimit::max(widget_request::MAX_BODY_BYTES));
    let uploads = Router::new()
        .route("/w/{id}/leads/{lead}/photos", post(photos::add).options(boxed(preflight)))
        .layer(DefaultBodyLimit::max(photos::MAX_FORM_BYTES));
    let visitors = visitors.merge(uploads).layer(from_fn_with_state(web.clone(), widget_request::authorize_page));
    let pages = Router::new()
        .route("/w/{id}/measure", get(no_script::measure))
        .route("/w/{id}/contact", get(no_script::contact).post(boxed(no_script::send_contact)))
        .route("/w/{id}/estimate", get(no_script::estimate).post(boxed(no_script::choose_in_estimate)))
        .route("/w/{id}/thanks", get(no_script::thanks))
        .layer(DefaultBodyLimit::max(widget_request::MAX_BODY_BYTES))
        .merge(
            Router::new()
                .route("/w/{id}/visit", get(no_script::visit).post(boxed(no_script::send_visit)))
                .layer(DefaultBodyLimit::max(no_script::MAX_VISIT_BYTES)),
        );
    endpoints::routes()
        .route(mcp::PATH, post(mcp::answer).fallback(boxed(mcp::refuse_method)))
        .route("/openapi.json", get(openapi::show))
        .route("/manual", get(manual::first))
        .route("/manual/search", get(manual::search))
        .route("/manual/{page}", get(manual::page))
        .route("/manual.css", get(manual::style))
        .route("/docs", get(openapi::page))
        .route("/docs.css", get(openapi::style))
        .route("/w/{id}/e/{token}", get(estimate_page::show))
        .route("/w/{id}/e/{token}/print", get(estimate_page::print))
        .route("/w/{id}/v/{token}", get(inspection_page::show).post(boxed(inspection_page::change)))
        .route("/w/{id}/t/{token}", get(pick_page::show).post(boxed(pick_page::book)))
        .route("/w/{id}/v/{token}/inspection.ics", get(inspection_page::file))
        .route("/w/{id}/q/{token}", get(quote_page::show).post(boxed(quote_page::answer)))
        .route("/w/{id}/q/{token}/quote.pdf", get(quote_page::pdf))
        .route("/calendar/{link}", get(calendar_feed::show))
        .route("/w/{id}/sheet.css", get(estimate_page::style))
        .route("/w/{id}/sheet.js", get(estimate_page::script))
        .route("/w/{id}/photo", get(photos::show_linked))
        .route("/w/{id}/estimate.pdf", get(estimate_pdf::show))
        .route("/w/{id}/on-it", get(mail_links::show_on_it).post(boxed(mail_links::take)))
        .route("/w/{id}/unsubscribe", get(mail_links::show_unsubscribe).post(boxed(mail_links::unsubscribe)))
        .route("/webhook-keys/{id}", get(webhooks::keys))
        .route(
            "/connect/widgets",
            post(site_connection::exchange).layer(DefaultBodyLimit::max(site_connection::MAX_BODY_BYTES)),
        )
        .route(
            "/inbound/mail/{key}",
            post(inbound_mail::receive).layer(DefaultBodyLimit::max(inbound_mail::MAX_BODY_BYTES)),
        )
        .merge(visitors)
        .merge(pages)
        .merge(portal::routes(&web))
        .route(hosted::ROUTE, get(hosted::show))
        .route("/w/{id}/hosted.js", get(hosted::script))
        .route("/w/{id}/theme.css", get(hosted::theme))
        .route("/w/{id}/preview.png", get(preview::show))
        .route("/w/{id}/config/{file}", get(config::show))
        .route("/w/{id}/check", get(check::show))
        .route("/w/{id}/check.css", get(check::style))
        .route("/w/{id}/privacy", get(privacy::show))
        .route("/go/{id}", get(redirect::follow))
        .route("/storage/{*path}", get(storage::show))
        .route("/runtime/{file}", get(runtime::show))
        .route("/schemas/{file}", get(schemas::show))
        .route("/metrics", get(metrics::show))
        .route("/healthz", get(health::live))
        .route("/healthz/domain", get(health::domain))
        .route("/readyz", get(health::ready))
        .fallback(not_found)
        .method_not_allowed_fallback(not_found)
        .layer(from_fn_with_state(web.clone(), middleware::request_middleware))
        .with_state(web)
}

async fn not_found() -> ApiError {
    ApiError::NotFound
}

/// The middleware answers preflight requests before they get here.
async fn preflight() {}
