//! `POST /w/{id}/leads`, and the changes that the same browser makes later.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use serde::Deserialize;
use shingle_domain::answers::AnswersChange;
use shingle_domain::public::{LeadChange, LeadReceipt, LeadSubmission};
use shingle_domain::rules;
use shingle_domain::{Language, Violations};
use shingle_store::{HomeownerChange, SubmissionOutcome};

use crate::portal::given_lead;
use crate::state::Web;
use crate::visitor::public::own_lead::{OwnLead, OwnLeadBody};
use crate::visitor::public::widget_request::FromAllowedPage;
use crate::web::error::{ApiError, ApiResult};
use crate::web::json;
use crate::web::rate_limits::{LimitedAction, Sender};
use shingle_app::leads::inspection_request;
use shingle_app::leads::intake;
use shingle_app::leads::receipt::{BesideRecord, receipt};
use shingle_app::leads::suspicion::Witness;
use shingle_app::notices::lead_language;

pub async fn create(
    State(web): State<Arc<Web>>,
    FromAllowedPage(request): FromAllowedPage,
    headers: HeaderMap,
    body: Bytes,
) -> ApiResult<(StatusCode, Json<LeadReceipt>)> {
    let mut sent: LeadSubmission = json::parse(&body)?;
    let since = request.check_session(&web, &sent.token)?;
    let rate = web
        .limits
        .check_lead(request.ip, request.id(), &request.tenant, Sender::Script(sent.altcha.as_deref()))
        .await?;
    if let Some(key) = text(&headers, "idempotency-key") {
        sent.idempotency_key = Some(key.to_owned());
    }
    let witness = Witness { since: Some(since), by_hand: false };
    let agent = text(&headers, header::USER_AGENT.as_str());
    let accepted = intake::accept(web.app(), &request, &sent, rate, agent, witness).await?;
    let status = if accepted.outcome == SubmissionOutcome::Created { StatusCode::CREATED } else { StatusCode::OK };
    given_lead::tell(&web, accepted.given).await;
    Ok((status, Json(accepted.receipt)))
}

pub async fn update(
    State(web): State<Arc<Web>>,
    OwnLead { request, id, sent }: OwnLead<LeadChange>,
) -> ApiResult<Json<LeadReceipt>> {
    let message = rules::message(sent.message.as_deref().unwrap_or_default())
        .map_err(|problem| Violations::one("message", problem.rule()))?;
    let inspection = match &sent.inspection {
        Some(asked) => Some(inspection_request::parse(&web, &request, id, asked).await?),
        None => None,
    };
    let change = HomeownerChange {
        roof_material: sent.roof_material,
        preferred_contact_time: sent.preferred_contact_time,
        message,
        inspection,
        answers: sent.answers.as_ref().map(AnswersChange::parse).transpose()?,
    };
    let lead = web.store.leads().change_as_homeowner(&request.tenant, id, &change).await?;
    let language = sent.lang.as_deref().map_or_else(|| lead_language(&lead), Language::of_tag);
    let beside = BesideRecord::read(&web, &request.tenant, id).await?;
    Ok(Json(receipt(&web, &request, &lead, beside, sent.lead_token, language).await?))
}

/// `POST /w/{id}/leads/{lead}/estimate`: the receipt once more, for the browser that holds the lead's token.
pub async fn show(
    State(web): State<Arc<Web>>,
    OwnLead { request, id, sent }: OwnLead<LeadAgain>,
) -> ApiResult<Json<LeadReceipt>> {
    let lead = web.store.leads().find(&request.tenant, id).await?.ok_or(ApiError::NotFound)?;
    let language = sent.lang.as_deref().map_or_else(|| lead_language(&lead), Language::of_tag);
    let beside = BesideRecord::read(&web, &request.tenant, id).await?;
    Ok(Json(receipt(&web, &request, &lead, beside, sent.lead_token, language).await?))
}

impl OwnLeadBody for LeadChange {
    const ACTION: LimitedAction = LimitedAction::LeadChange;

    fn lead_token(&self) -> &str {
        &self.lead_token
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LeadAgain {
    lead_token: String,
    #[serde(default)]
    lang: Option<String>,
}

impl OwnLeadBody for LeadAgain {
    const ACTION: LimitedAction = LimitedAction::Roof;

    fn lead_token(&self) -> &str {
        &self.lead_token
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok()).filter(|text| !text.is_empty())
}
