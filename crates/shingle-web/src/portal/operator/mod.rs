//! `/portal/operator`: the installation, for its operators.

mod account;
mod accounts;
mod changelog;
mod company;
mod health;
mod import;
mod imports;
mod layout;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};

use crate::portal::records::audit;
use crate::state::Web;

pub use layout::{ZONE, frame};

/// Where files of imports are sent.
pub const UPLOADS: &str = "/portal/operator/imports";

pub fn routes() -> Router<Arc<Web>> {
    // Their size is bounded while they are written.
    let uploads =
        Router::new().route(UPLOADS, get(imports::show).post(imports::upload)).layer(DefaultBodyLimit::disable());
    let texts = Router::new()
        .route("/portal/operator/imports/{id}/{action}", post(import::change))
        .layer(DefaultBodyLimit::max(import::MAX_TEXT_BYTES));
    Router::new()
        .merge(uploads)
        .merge(texts)
        .route("/portal/operator/imports/{id}", get(import::show))
        .route("/portal/operator/imports/{id}/progress", get(import::progress))
        .route("/portal/operator/imports/{id}/rejects.csv", get(import::rejects))
        .route("/portal/operator", get(accounts::show))
        .route("/portal/operator/leave", post(accounts::leave))
        .route("/portal/operator/accounts/new", get(accounts::show_new))
        .route("/portal/operator/accounts", post(accounts::create))
        .route("/portal/operator/accounts/{id}", get(account::show))
        .route("/portal/operator/accounts/{id}/{action}", post(account::change))
        .route("/portal/operator/health", get(health::show).post(health::check_again))
        .route("/portal/operator/audit", get(audit::show_all))
        .route("/portal/operator/audit.csv", get(audit::download_all))
}
