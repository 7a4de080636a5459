//! One event to one URL.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde_json::{Map, Value};
use shingle_domain::message::ToMessage;
use shingle_domain::webhook::PayloadMode;
use shingle_domain::{DestinationId, Timestamp};
use shingle_store::{Clock, Secret};

use super::config::{WebhookConfig, WebhookSecrets};
use super::exchange_log::{ExchangeLog, RequestLog, ResponseLog};
use crate::egress::Egress;
use crate::error::EgressError;
use crate::exchange::{ExchangeLimits, IncomingResponse, OutgoingRequest};
use crate::failure::DeliveryFailure;
use crate::schedule::parse_retry_after;
use crate::sign::SigningKey;
use crate::transport::{Job, Outcome, OutcomeFuture, Transport, Verdict};

/// Bytes of a response that are kept.
const MAX_RESPONSE_BYTES: usize = 16 * 1024;
/// Tries after one that was sent on to another page, and the wait before each.
const MAX_SENT_ON: u32 = 2;
const WAIT_WHERE_SENT_ON: Duration = Duration::from_secs(24 * 3_600);
const HIDDEN: &str = "[secret]";

/// The key pairs of webhooks, made from the installation's secret: one for each, so that no receiver takes the events of
/// another's webhook for its own.
#[derive(Clone)]
pub struct WebhookKeys {
    root: [u8; 32],
    /// Those that were used: making one costs as much as signing with it.
    made: Arc<Mutex<HashMap<DestinationId, Arc<SigningKey>>>>,
}

/// Key pairs that are kept; beyond that they are made again.
const MAX_KEPT_KEYS: usize = 10_000;

impl WebhookKeys {
    pub fn new(secret: &Secret) -> Self {
        Self { root: secret.derive("shingle-deliver 2026 webhook key pairs"), made: Arc::default() }
    }

    pub fn of(&self, webhook: DestinationId) -> Option<Arc<SigningKey>> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = made.get(&webhook) {
            return Some(known.clone());
        }
        let seed = ring::hmac::sign(&ring::hmac::Key::new(ring::hmac::HMAC_SHA256, &self.root), webhook.0.as_bytes());
        let key = Arc::new(SigningKey::from_seed(seed.as_ref().try_into().ok()?)?);
        if made.len() >= MAX_KEPT_KEYS {
            made.clear();
        }
        made.insert(webhook, key.clone());
        Some(key)
    }
}

pub struct WebhookTransport {
    pub egress: Arc<Egress>,
    pub keys: WebhookKeys,
    pub clock: Arc<dyn Clock>,
}

impl Transport for WebhookTransport {
    fn deliver<'a>(&'a self, job: &'a Job) -> OutcomeFuture<'a> {
        Box::pin(self.post(job))
    }
}

impl WebhookTransport {
    async fn post(&self, job: &Job) -> Outcome {
        let Some(payload) = &job.delivery.event.payload else { return Outcome::skipped(DeliveryFailure::Erased) };
        let draft = &job.destination.draft;
        let target = match self.egress.target(&draft.address) {
            Ok(target) => target,
            Err(error) => return failed(&error, None),
        };
        let (Some(secrets), Ok(config)) = (read_secrets(draft.secrets.as_deref()), read_config(&draft.config)) else {
            return Outcome::try_again(DeliveryFailure::UnreadableWebhook);
        };
        let body = match config.payload {
            PayloadMode::Full => payload.clone().into_bytes(),
            PayloadMode::Thin => match thin(payload) {
                Some(thin) => thin,
                None => return Outcome::try_again(DeliveryFailure::UnreadableEvent),
            },
        };
        let headers = self.headers(job, &secrets, &body, self.clock.now());
        let log = RequestLog {
            method: "POST".to_owned(),
            url: target.url().to_string(),
            headers: logged_headers(&headers, &secrets),
        };
        let request = OutgoingRequest { method: Method::POST, target, headers, body: body.into() };
        let again = self.egress.may_keep_connection(&request.target).then(|| request.clone());
        let limits = ExchangeLimits {
            timeout: Duration::from_secs(u64::from(draft.timeout_seconds)),
            max_bytes: MAX_RESPONSE_BYTES,
        };
        let answered = match (self.egress.exchange(request, limits).await, again) {
            // The receiver closed a kept connection as we wrote to it. It knows an event that comes twice by its id.
            (Err(EgressError::ConnectionLost { .. }), Some(again)) => self.egress.exchange(again, limits).await,
            (other, _) => other,
        };
        match answered {
            Ok(response) => self.judge(&response, job.delivery.attempts, log),
            Err(error) => failed(&error, Some(log)),
        }
    }

    fn headers(&self, job: &Job, secrets: &WebhookSecrets, body: &[u8], now: Timestamp) -> HeaderMap {
        let (id, timestamp) = (job.delivery.event.id.as_str(), now.seconds());
        let mut signatures: Vec<String> =
            secrets.live(now).iter().map(|secret| secret.sign(id, timestamp, body)).collect();
        signatures.extend(self.keys.of(job.destination.id).map(|key| key.sign(id, timestamp, body)));
        let mut headers = HeaderMap::new();
        for (name, value) in &secrets.headers {
            if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
                headers.insert(name, value);
            }
        }
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        for (name, value) in [
            ("webhook-id", id.to_owned()),
            ("webhook-timestamp", timestamp.to_string()),
            ("webhook-signature", signatures.join(" ")),
        ] {
            if let Ok(value) = HeaderValue::try_from(value) {
                headers.insert(name, value);
            }
        }
        headers
    }

    /// `before`: attempts that were made already.
    fn judge(&self, response: &IncomingResponse, before: u32, request: RequestLog) -> Outcome {
        let status = response.status;
        let retry_after = response.header("retry-after").and_then(|text| parse_retry_after(text, self.clock.now()));
        let verdict = match status {
            200..=299 => Verdict::Delivered,
            410 => Verdict::Gone,
            // Most likely it has the event: scripts of Google send on to what they answer.
            302 | 303 if before >= MAX_SENT_ON => Verdict::Refused,
            302 | 303 => Verdict::TryAgain { retry_after: Some(WAIT_WHERE_SENT_ON), throttle: false },
            429 | 502 | 504 => Verdict::TryAgain { retry_after, throttle: true },
            _ => Verdict::TryAgain { retry_after, throttle: false },
        };
        let cause = (!response.is_success()).then(|| match status {
            410 => DeliveryFailure::WantsNothing.to_message(),
            302 | 303 => DeliveryFailure::SendsOn { status }.to_message(),
            300..=399 => DeliveryFailure::Redirect { status }.to_message(),
            _ => DeliveryFailure::Status { status }.to_message(),
        });
        let log = ExchangeLog { request, response: Some(ResponseLog::of(response)) };
        Outcome { status: Some(status), cause, exchange: serde_json::to_string(&log).ok(), ..Outcome::new(verdict) }
    }
}

fn failed(error: &EgressError, request: Option<RequestLog>) -> Outcome {
    let log = request.map(|request| ExchangeLog { request, response: None });
    Outcome { exchange: log.and_then(|log| serde_json::to_string(&log).ok()), ..Outcome::try_again(error.clone()) }
}

fn read_secrets(text: Option<&str>) -> Option<WebhookSecrets> {
    serde_json::from_str(text?).ok()
}

fn read_config(text: &str) -> serde_json::Result<WebhookConfig> {
    serde_json::from_str(text)
}

fn logged_headers(headers: &HeaderMap, secrets: &WebhookSecrets) -> Vec<(String, String)> {
    let shown = |name: &HeaderName, value: &HeaderValue| {
        let secret = secrets.headers.iter().any(|(own, _)| own == name.as_str());
        let value = if secret { HIDDEN } else { value.to_str().unwrap_or_default() };
        (name.as_str().to_owned(), value.to_owned())
    };
    headers.iter().map(|(name, value)| shown(name, value)).collect()
}

/// The event without its record: `data` holds the id alone.
fn thin(payload: &str) -> Option<Vec<u8>> {
    let mut body: Map<String, Value> = serde_json::from_str(payload).ok()?;
    let data = body.get("data")?;
    let name = ["id", "referenceId"].into_iter().find(|name| data.get(name).is_some())?;
    let id = data.get(name)?.clone();
    body.insert("data".to_owned(), serde_json::json!({ name: id }));
    serde_json::to_vec(&body).ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_thin_event_holds_no_more_of_its_record_than_the_id() {
        let lead = r#"{"id":"evt_1","type":"lead.created","sequence":1,"data":{"id":"7","email":"ann@example.com"}}"#;
        let thin = |text| String::from_utf8(super::thin(text).unwrap()).unwrap();
        assert_eq!(thin(lead), r#"{"id":"evt_1","type":"lead.created","sequence":1,"data":{"id":"7"}}"#);
        let widget = r#"{"id":"evt_2","data":{"referenceId":"9","companyName":"Oak"}}"#;
        assert_eq!(thin(widget), r#"{"id":"evt_2","data":{"referenceId":"9"}}"#);
    }
}
