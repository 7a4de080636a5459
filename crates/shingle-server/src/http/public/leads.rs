//! `POST /w/{id}/leads`, and what the same browser changes later.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use serde::Serialize;
use shingle_domain::public::{LeadChange, LeadReceipt, LeadSubmission};
use shingle_domain::rules;
use shingle_domain::{LeadId, Violations};
use shingle_store::{HomeownerChange, SubmissionOutcome};

use super::Visit;
use crate::app::App;
use crate::http::error::{Answer, Failure};
use crate::http::intake::{self, reference};
use crate::http::json;
use crate::http::limits::Deed;

pub async fn create(
    State(app): State<Arc<App>>,
    visit: Visit,
    headers: HeaderMap,
    body: Bytes,
) -> Answer<(StatusCode, Json<LeadReceipt>)> {
    let mut sent: LeadSubmission = json::shape(&body)?;
    visit.check(&app, &sent.token)?;
    app.gate.visit(Deed::Lead, visit.ip, visit.id())?;
    if let Some(key) = text(&headers, "idempotency-key") {
        sent.idempotency_key = Some(key.to_owned());
    }
    let taken = intake::take(&app, &visit, &sent, text(&headers, header::USER_AGENT.as_str())).await?;
    let status = if taken.outcome == SubmissionOutcome::Created { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(taken.receipt)))
}

#[derive(Debug, Serialize)]
pub struct Changed {
    id: LeadId,
    reference: String,
}

pub async fn update(
    State(app): State<Arc<App>>,
    visit: Visit,
    Path((_, lead)): Path<(String, String)>,
    body: Bytes,
) -> Answer<Json<Changed>> {
    let sent: LeadChange = json::shape(&body)?;
    let id: LeadId = lead.parse().map_err(|_| Failure::NotFound)?;
    if !app.tokens.is_lead(&sent.lead_token, visit.id(), id, app.clock.now()) {
        return Err(Failure::NoSession);
    }
    app.gate.visit(Deed::Lead, visit.ip, visit.id())?;
    let message = rules::message(sent.message.as_deref().unwrap_or_default())
        .map_err(|problem| Violations(vec![problem.message("message")]))?;
    let change = HomeownerChange {
        roof_material: sent.roof_material,
        preferred_contact_time: sent.preferred_contact_time,
        message,
    };
    app.store.change_lead_as_homeowner(&visit.tenant, id, &change).await?;
    Ok(Json(Changed { id, reference: reference(id) }))
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok()).filter(|text| !text.is_empty())
}
