//! `/healthz` and `/readyz`, for load balancers: whether the process runs, and whether its database
//! can be written. `shingle doctor` asks the first whether it is the server of its installation.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use serde::Serialize;

use crate::state::Web;
use crate::web::connection::Visitor;
use crate::web::readiness::NotReady;
use shingle_app::installation_proof::Proof;

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

pub async fn live(State(web): State<Arc<Web>>, request: Request) -> Json<Health> {
    let proof = request.uri().query().and_then(|query| web.probes.proof.answer(query));
    // The middleware leaves a visitor without one whose connection is not secure.
    let secure = request.extensions().get::<Visitor>().is_some_and(|visitor| visitor.is_secure);
    Json(Health { status: "ok", proof: proof.map(|proof| Proof { proof, secure }) })
}

pub async fn ready(State(web): State<Arc<Web>>) -> (StatusCode, Json<Health>) {
    match web.probes.readiness.check(&web.store, web.clock.elapsed()).await {
        Ok(()) => (StatusCode::OK, Health::of("ok")),
        Err(NotReady) => (StatusCode::SERVICE_UNAVAILABLE, Health::of("database cannot be written")),
    }
}
