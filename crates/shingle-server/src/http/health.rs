//! `/healthz` and `/readyz`, for load balancers: whether the process runs, and whether its database
//! can be written. `shingle doctor` asks the first whether it is the server of its installation.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use serde::Serialize;

use super::connection::Visitor;
use crate::app::App;
use crate::installation_proof::Proof;
use crate::readiness::NotReady;

#[derive(Debug, Serialize)]
pub struct Health {
    status: &'static str,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    proof: Option<Proof>,
}

impl Health {
    fn of(status: &'static str) -> Json<Self> {
        Json(Self { status, proof: None })
    }
}

pub async fn live(State(app): State<Arc<App>>, request: Request) -> Json<Health> {
    let proof = request.uri().query().and_then(|query| app.proof.answer(query));
    // The middleware leaves a visitor without one whose connection is not secure.
    let secure = request.extensions().get::<Visitor>().is_some_and(|visitor| visitor.is_secure);
    Json(Health { status: "ok", proof: proof.map(|proof| Proof { proof, secure }) })
}

pub async fn ready(State(app): State<Arc<App>>) -> (StatusCode, Json<Health>) {
    match app.readiness.check(&app.store, app.clock.elapsed()).await {
        Ok(()) => (StatusCode::OK, Health::of("ok")),
        Err(NotReady) => (StatusCode::SERVICE_UNAVAILABLE, Health::of("database cannot be written")),
    }
}
