//! `/portal/operator`: the installation, for its operators.

mod account;
mod accounts;
mod around;
mod company;
mod health;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use super::audit;
use crate::app::App;

pub use around::{ZONE, frame};

pub fn routes() -> Router<Arc<App>> {
    Router::new()
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
