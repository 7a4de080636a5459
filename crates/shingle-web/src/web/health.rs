//! `/healthz` and `/readyz`, for load balancers: whether the process runs, and whether its database can be written and
//! it works on what the other servers work on. `shingle doctor` asks the first whether it is the server of its installation.

use std::sync::Arc;

use axum::Json;
use axum::extract::{RawQuery, Request, State};
use axum::http::StatusCode;
use serde::Serialize;
use url::form_urlencoded;

use crate::state::Web;
use crate::web::connection::Visitor;
use crate::web::own_origin::asked_host;
use crate::web::readiness::NotReady;
use shingle_app::installation_proof::Proof;
use shingle_app::nodes::{NodeDifference, NodeFault};

#[derive(Debug, Serialize)]
pub struct Health {
    status: &'static str,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    proof: Option<Proof>,
    /// From the other servers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differs: Vec<&'static str>,
}

impl Health {
    fn of(status: &'static str) -> Json<Self> {
        Json(Self { status, proof: None, differs: Vec::new() })
    }
}

pub async fn live(State(web): State<Arc<Web>>, request: Request) -> Json<Health> {
    let proof = request.uri().query().and_then(|query| web.proof.answer(query));
    // The middleware leaves a visitor without one whose connection is not secure.
    let Json(health) = Health::of("ok");
    let secure = request.extensions().get::<Visitor>().is_some_and(|visitor| visitor.is_secure);
    let host = asked_host(request.headers()).unwrap_or_default();
    Json(Health { proof: proof.map(|proof| Proof { proof, secure, host }), ..health })
}

/// Whether a name is a company's own domain: a proxy that orders certificates by itself asks before it does.
pub async fn domain(State(web): State<Arc<Web>>, RawQuery(query): RawQuery) -> StatusCode {
    let query = query.unwrap_or_default();
    let asked = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "domain");
    match asked.is_some_and(|(_, host)| web.own_domains.account_of(&host.to_ascii_lowercase()).is_some()) {
        true => StatusCode::OK,
        false => StatusCode::NOT_FOUND,
    }
}

pub async fn ready(State(web): State<Arc<Web>>) -> (StatusCode, Json<Health>) {
    if web.probes.readiness.check(&web.store, web.clock.elapsed()).await == Err(NotReady) {
        return (StatusCode::SERVICE_UNAVAILABLE, Health::of("database cannot be written"));
    }
    if let Some(fault) = web.node.fault() {
        let status = match fault {
            NodeFault::OtherStorage | NodeFault::StorageTaken => "storage differs from that of the other servers",
        };
        return (StatusCode::SERVICE_UNAVAILABLE, Health::of(status));
    }
    let differs = web.node.differences().into_iter().map(|difference| match difference {
        NodeDifference::Homes { .. } => "homes",
        NodeDifference::Version { .. } => "version",
    });
    let Json(health) = Health::of("ok");
    (StatusCode::OK, Json(Health { differs: differs.collect(), ..health }))
}
