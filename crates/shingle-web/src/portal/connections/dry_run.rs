//! A dry run of a connector: shows what would be sent for a lead, or sends it once and shows the response.

use axum::http::StatusCode;
use axum::response::Response;
use serde_json::json;
use shingle_deliver::connector::{
    ConnectorContext, ConnectorOutcome, ConnectorProgress, ConnectorRun, Plan, PlannedRequest, RunMessage,
    ShownRequest, ShownResponse, StepReport,
};
use shingle_domain::LeadId;
use shingle_domain::message::{Message, ToMessage};
use shingle_portal::{Trial, TrialStep, phrase, say};
use shingle_store::Destination;

use crate::portal::connections::page::{Around, one};
use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use shingle_app::connectors::{Connection, Subject, sample_lead};

pub async fn run(web: &Web, signed: &Signed, of: &Destination, form: &PortalForm) -> ApiResult<Response> {
    let lead = form.text("lead").to_owned();
    let shown = match Connection::of(of) {
        Ok(connection) => Some(tried(web, signed, of, &connection, lead, form.text("send") == "yes").await?),
        // The page says what is wrong with its settings.
        Err(_) => None,
    };
    let around = Around { trial: shown.as_ref(), ..Around::default() };
    one(web, signed, of, &PortalForm::of_query(None), StatusCode::OK, around).await
}

async fn tried(
    web: &Web,
    signed: &Signed,
    of: &Destination,
    connection: &Connection,
    lead: String,
    send: bool,
) -> ApiResult<Trial> {
    let context = context(web, of, &lead).await?;
    let run = ConnectorRun {
        template: connection.template,
        settings: &connection.settings,
        context: &context,
        now: web.clock.now(),
        instead: web.connector_base.clone(),
    };
    if !send {
        return Ok(Trial { lead, outcome: None, steps: run.plan().into_iter().map(planned).collect() });
    }
    let report = run.run(&web.egress, ConnectorProgress::default()).await;
    let private = report.steps.iter().filter_map(|step| step.response.as_ref()).find(|response| is_kept_back(response));
    let outcome = match private {
        Some(response) => outcome(signed, &told_by_status(report.outcome, response.status)),
        None => outcome(signed, &report.outcome),
    };
    Ok(Trial { lead, outcome: Some(outcome), steps: report.steps.into_iter().map(sent).collect() })
}

/// Of a lead of this tenant, or of the made-up one.
async fn context(web: &Web, of: &Destination, lead: &str) -> ApiResult<ConnectorContext> {
    let event = |at: &str| json!({ "id": "evt_trial", "type": "lead.created", "timestamp": at, "sequence": 1 });
    if lead.is_empty() {
        return Ok(sample_lead(event(&web.clock.now().to_string())));
    }
    let id: LeadId = lead.parse().map_err(|_| ApiError::NotFound)?;
    web.store.leads().find(&of.tenant, id).await?.ok_or(ApiError::NotFound)?;
    let subject = Subject::find(&web.store, &of.tenant, id).await.map_err(ApiError::internal)?;
    subject.context(event(&subject.lead.created_at.to_string()), None).map_err(ApiError::internal)
}

pub fn request_text(of: &ShownRequest) -> String {
    let headers: String = of.headers.iter().map(|(name, value)| format!("{name}: {value}\n")).collect();
    format!("{} {}\n{headers}\n{}", of.method, of.url, of.body)
}

/// What a private network says of an error is for the operator alone.
fn is_kept_back(of: &ShownResponse) -> bool {
    of.private && !(200..300).contains(&of.status)
}

fn told_by_status(of: ConnectorOutcome, status: u16) -> ConnectorOutcome {
    let cause = format!("HTTP {status}").to_message();
    match of {
        ConnectorOutcome::Retry { retry_after, .. } => ConnectorOutcome::Retry { retry_after, cause },
        ConnectorOutcome::Refused { .. } => ConnectorOutcome::Refused { cause },
        other => other,
    }
}

fn response_text(of: &ShownResponse) -> String {
    if is_kept_back(of) {
        return format!("HTTP {}", of.status);
    }
    let headers: String = of.headers.iter().map(|(name, value)| format!("{name}: {value}\n")).collect();
    let more = if of.truncated { "…" } else { "" };
    format!("HTTP {}\n{headers}\n{}{more}", of.status, of.body)
}

fn planned(of: PlannedRequest) -> TrialStep {
    let mut step = TrialStep { name: of.name, left_out: None, unless: None, request: None, status: None, answer: None };
    match of.plan {
        Plan::Send(request) => step.request = Some(request_text(&request)),
        Plan::Perhaps { why, request, .. } => {
            step.unless = why.as_ref().map(ToMessage::to_message);
            step.request = Some(request_text(&request));
        }
        Plan::Skip { why } => step.left_out = why.as_ref().map(ToMessage::to_message),
        Plan::Unbuildable(mistake) => step.left_out = Some(RunMessage::Unbuildable { mistake }.to_message()),
    }
    step
}

fn sent(of: StepReport) -> TrialStep {
    TrialStep {
        name: of.name,
        left_out: of.skipped.as_ref().map(ToMessage::to_message),
        unless: None,
        request: of.request.as_ref().map(request_text),
        status: of.response.as_ref().map(|response| response.status),
        answer: of.response.as_ref().map(response_text),
    }
}

/// In a sentence, and whether it is well.
fn outcome(signed: &Signed, of: &ConnectorOutcome) -> (String, bool) {
    let language = signed.language;
    let why = |english: &str, why: &Message| (phrase(language, english, &[("why", &say(language, why))]), false);
    match of {
        ConnectorOutcome::Delivered { record: Some(record) } => {
            (phrase(language, "It worked. The record there is {id}.", &[("id", &record.id)]), true)
        }
        ConnectorOutcome::Delivered { record: None } => (phrase(language, "It worked.", &[]), true),
        ConnectorOutcome::Retry { cause, .. } => {
            why("It didn’t work this time: {why}. We would retry a real lead.", cause)
        }
        ConnectorOutcome::Refused { cause } => why("Refused: {why}. Change the settings and try again.", cause),
        ConnectorOutcome::Skipped { why } => {
            (phrase(language, "Nothing to send: {why}.", &[("why", &say(language, why))]), true)
        }
        ConnectorOutcome::Unreachable(error) => why("We couldn’t reach it: {why}.", &error.to_message()),
        ConnectorOutcome::Unbuildable(mistake) => why("We can’t make the request: {why}.", &mistake.to_message()),
    }
}
