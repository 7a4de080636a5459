//! `/portal/deliveries/{id}`: one delivery with every attempt, and sending it again.
//!
//! # Decision
//!
//! A delivery's page refreshes by an HTTP header while nothing was tried, for half a minute: no script needed.

use std::sync::Arc;

use axum::extract::{Extension, Path, State};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use serde_json::Value;
use shingle_domain::event::EventKind;
use shingle_domain::webhook::PayloadMode;
use shingle_domain::{DeliveryId, Environment, LeadId, Tenant};
use shingle_portal::{DeliveryView, ExchangeText, Hours, Language, delivery_page, translated};
use shingle_store::{Attempt, Delivery, DeliveryState, Destination, DestinationKind};

use crate::portal::gate::Signed;
use crate::portal::responses::{or_not_there, page, to};
use crate::portal::settings::page::{frame, zone};
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use shingle_app::webhook_record::read_config;

/// The longest that a page looks again on its own, in seconds since the delivery was made.
const LOOKING: i64 = 30;

/// In place of an answer that would reveal the server's network.
const KEPT_BACK: &str = "We don’t show anyone the error messages of a private network.";

/// Of either environment: its address does not say which.
async fn find(web: &Web, signed: &Signed, id: &str) -> ApiResult<(Tenant, Delivery, Vec<Attempt>)> {
    let id: DeliveryId = id.parse().map_err(|_| ApiError::NotFound)?;
    for environment in [Environment::Production, Environment::Sandbox] {
        let tenant = signed.tenant(environment);
        if let Some((delivery, attempts)) = web.store.deliveries().find(&tenant, id).await? {
            return Ok((tenant, delivery, attempts));
        }
    }
    Err(ApiError::NotFound)
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
) -> Response {
    or_not_there(shown(&web, &signed, &id).await)
}

async fn shown(web: &Web, signed: &Signed, id: &str) -> ApiResult<Response> {
    let (tenant, delivery, attempts) = find(web, signed, id).await?;
    let destination = web.store.destinations().find(&tenant, delivery.destination).await?.ok_or(ApiError::NotFound)?;
    let is_webhook = destination.draft.kind == DestinationKind::Webhook;
    let path = match destination.draft.kind {
        DestinationKind::Webhook | DestinationKind::Connector => format!("/portal/connections/{}", destination.id),
        DestinationKind::Mail | DestinationKind::Homeowner | DestinationKind::Appointment => {
            "/portal/notices".to_owned()
        }
        DestinationKind::Push => "/portal/phone".to_owned(),
    };
    let payload = if is_webhook { payload(web, &tenant, &destination, &delivery).await? } else { None };
    let attempts: Vec<_> = attempts
        .into_iter()
        .map(|attempt| {
            let exchanges =
                attempt.exchange.as_deref().map(|text| exchanges(signed.language, text)).unwrap_or_default();
            (attempt, exchanges)
        })
        .collect();
    let hours = Hours::new(&zone(web, signed).await?, web.clock.now(), signed.language);
    let view = DeliveryView {
        destination: (path, &destination.draft.name),
        attempts: &attempts,
        payload: payload.as_deref(),
        signature: is_webhook.then_some("v1: HMAC-SHA256 under its secret. v1a: Ed25519 under its public key."),
        lead: lead(web, &tenant, &delivery).await?,
        delivery: &delivery,
        hours: &hours,
    };
    let mut response = page(delivery_page(&frame(signed, None), &view));
    let age = web.clock.now().seconds() - delivery.created_at.seconds();
    if delivery.state == DeliveryState::Pending && delivery.attempts == 0 && age < LOOKING {
        response.headers_mut().insert(header::REFRESH, HeaderValue::from_static("1"));
    }
    Ok(response)
}

/// Where the lead's own page is, while it is there.
async fn lead(web: &Web, tenant: &Tenant, of: &Delivery) -> ApiResult<Option<String>> {
    let of_leads =
        [EventKind::LeadCreated, EventKind::LeadUpdated, EventKind::LeadAnswered, EventKind::InspectionAsked];
    if !of_leads.contains(&of.kind) {
        return Ok(None);
    }
    let found = web.store.leads().find(tenant, LeadId(of.resource)).await?;
    let data = if tenant.environment == Environment::Sandbox { "?data=sandbox" } else { "" };
    Ok(found.map(|lead| format!("/portal/leads/{}{data}", lead.id)))
}

/// The event laid out for reading. One that carries only an id has nothing to show.
async fn payload(web: &Web, tenant: &Tenant, to: &Destination, of: &Delivery) -> ApiResult<Option<String>> {
    if read_config(&to.draft.config)?.payload != PayloadMode::Full {
        return Ok(None);
    }
    let events = web.store.deliveries().list_events(tenant, of.resource).await?;
    let payload = events.into_iter().find(|event| event.id == of.event).and_then(|event| event.payload);
    Ok(payload.map(|text| laid_out(&text)))
}

fn laid_out(json: &str) -> String {
    let value = serde_json::from_str::<Value>(json).and_then(|value| serde_json::to_string_pretty(&value));
    value.unwrap_or_else(|_| json.to_owned())
}

/// A webhook's one exchange, or each step of a connector.
fn exchanges(language: Language, text: &str) -> Vec<ExchangeText> {
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        return vec![ExchangeText { request: text.to_owned(), answer: String::new() }];
    };
    match value["steps"].as_array() {
        Some(steps) => {
            steps.iter().filter(|step| step["request"].is_object()).map(|step| exchange(language, step)).collect()
        }
        None => vec![exchange(language, &value)],
    }
}

fn exchange(language: Language, of: &Value) -> ExchangeText {
    let headers = |of: &Value| -> String {
        let pairs = of["headers"].as_array().into_iter().flatten();
        pairs.map(|pair| format!("{}: {}\n", word(&pair[0]), word(&pair[1]))).collect()
    };
    let (request, response) = (&of["request"], &of["response"]);
    let sent = format!("{} {}\n{}", word(&request["method"]), word(&request["url"]), headers(request));
    let body = word(&request["body"]);
    let request = if body.is_empty() { sent } else { format!("{sent}\n{body}") };
    let answer = match response["status"].as_u64() {
        None => String::new(),
        Some(status) => {
            if response["body"].is_null() {
                let answer = format!("HTTP {status}\n\n({})", translated(language, KEPT_BACK));
                return ExchangeText { request, answer };
            }
            let more = if response["truncated"] == true { "…" } else { "" };
            format!("HTTP {status}\n{}\n{}{more}", headers(response), word(&response["body"]))
        }
    };
    ExchangeText { request, answer }
}

fn word(of: &Value) -> &str {
    of.as_str().unwrap_or_default()
}

pub async fn again(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
) -> Response {
    let again = async {
        let (tenant, delivery, _) = find(&web, &signed, &id).await?;
        let made = web.store.deliveries().replay(&tenant, delivery.id, None).await?;
        Ok(to(&format!("/portal/deliveries/{made}")))
    };
    or_not_there(again.await)
}
