//! `/healthz` and `/readyz`, for load balancers: whether the process runs, and whether its database
//! can be written.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;

use crate::app::App;
use crate::readiness::NotReady;

#[derive(Debug, Serialize)]
pub struct Health {
    status: &'static str,
}

pub async fn live() -> Json<Health> {
    Json(Health { status: "ok" })
}

pub async fn ready(State(app): State<Arc<App>>) -> (StatusCode, Json<Health>) {
    match app.readiness.check(&app.store, app.clock.elapsed()).await {
        Ok(()) => (StatusCode::OK, Json(Health { status: "ok" })),
        Err(NotReady) => (StatusCode::SERVICE_UNAVAILABLE, Json(Health { status: "database cannot be written" })),
    }
}
