//! The receiver of `shingle webhook listen`: accepts every request, prints it and answers.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, OriginalUri, State};
use axum::http::{HeaderMap, Method, StatusCode};
use serde::Serialize;
use serde_json::Value;
use shingle_deliver::SigningSecret;
use shingle_domain::Timestamp;
use shingle_store::Clock;
use tokio::net::TcpListener;

use super::output::Output;
use shingle_app::clock::MachineClock;
use shingle_app::operator_error::OperatorError;

/// Bytes of a request's body. An event is far smaller.
const MAX_BODY_BYTES: usize = 4 * 1024 * 1024;
/// Seconds between a signature and now from which on the libraries refuse it.
const TOLERANCE_SECONDS: i64 = 5 * 60;

pub struct Receiver {
    pub secret: Option<SigningSecret>,
    pub status: u16,
    pub output: Output,
    pub clock: MachineClock,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Signature {
    Valid,
    /// It is not that of this secret, id, timestamp and body.
    Wrong,
    Missing,
    /// Without the secret.
    Unchecked,
}

/// One request, as it is printed.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Delivery {
    received_at: Timestamp,
    method: String,
    path: String,
    id: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    signature: Signature,
    /// Seconds since the timestamp that is signed.
    age_seconds: Option<i64>,
    /// Older, or further in the future, than the libraries accept.
    too_old: bool,
    answered: u16,
    /// As JSON where it is, as text elsewhere.
    body: Value,
}

/// Until `stop`.
pub async fn receive(
    listener: TcpListener,
    receiver: Receiver,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), OperatorError> {
    let routes =
        Router::new().fallback(take).layer(DefaultBodyLimit::max(MAX_BODY_BYTES)).with_state(Arc::new(receiver));
    // A sender keeps its connections open: waiting for them would be for ever.
    tokio::select! {
        ended = axum::serve(listener, routes).into_future() => {
            ended.map_err(|e| OperatorError::new(format!("The receiver ended: {e}")))
        }
        () = stop => Ok(()),
    }
}

async fn take(
    State(receiver): State<Arc<Receiver>>,
    method: Method,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    let delivery = Delivery::read(&receiver, &method, uri.path(), &headers, &body);
    if let Err(error) = receiver.output.print(&delivery, Delivery::text) {
        receiver.output.print_error(&error);
    }
    StatusCode::from_u16(receiver.status).unwrap_or(StatusCode::OK)
}

impl Delivery {
    fn read(receiver: &Receiver, method: &Method, path: &str, headers: &HeaderMap, body: &[u8]) -> Self {
        let now = receiver.clock.now();
        let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let id = header("webhook-id");
        let timestamp = header("webhook-timestamp").and_then(|text| text.parse::<i64>().ok());
        let age_seconds = timestamp.map(|at| now.seconds().saturating_sub(at));
        let signature = check(receiver.secret.as_ref(), header("webhook-signature"), id, timestamp, body);
        let text = String::from_utf8_lossy(body);
        let body = serde_json::from_str(&text).unwrap_or_else(|_| Value::String(text.into_owned()));
        Self {
            received_at: now,
            method: method.to_string(),
            path: path.to_owned(),
            id: id.map(str::to_owned),
            kind: body["type"].as_str().map(str::to_owned),
            signature,
            age_seconds,
            too_old: age_seconds.is_some_and(|age| age.saturating_abs() > TOLERANCE_SECONDS),
            answered: receiver.status,
            body,
        }
    }

    fn text(&self) -> String {
        let signature = match self.signature {
            Signature::Valid => "signature valid",
            Signature::Wrong => "SIGNATURE WRONG",
            Signature::Missing => "NO SIGNATURE",
            Signature::Unchecked => "signature not checked: no --secret",
        };
        let age = match self.age_seconds {
            None => "no timestamp".to_owned(),
            Some(age) if self.too_old => format!("signed {age} s ago: TOO OLD for the libraries"),
            Some(age) => format!("signed {age} s ago"),
        };
        let body = match &self.body {
            Value::String(text) => text.clone(),
            json => format!("{json:#}"),
        };
        format!(
            "{} {} {}  {} {}  {signature}, {age}, answered {}\n{body}\n",
            self.received_at,
            self.method,
            self.path,
            self.kind.as_deref().unwrap_or("no event"),
            self.id.as_deref().unwrap_or("without id"),
            self.answered
        )
    }
}

fn check(
    secret: Option<&SigningSecret>,
    signature: Option<&str>,
    id: Option<&str>,
    timestamp: Option<i64>,
    body: &[u8],
) -> Signature {
    match (secret, signature, id, timestamp) {
        (_, None, ..) => Signature::Missing,
        (None, Some(_), ..) => Signature::Unchecked,
        (Some(secret), Some(signature), Some(id), Some(at)) if secret.verifies(signature, id, at, body) => {
            Signature::Valid
        }
        _ => Signature::Wrong,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_773_144_000;

    #[test]
    fn a_signature_is_valid_wrong_missing_or_not_checked() {
        let secret = SigningSecret::generate().unwrap();
        let signed = secret.sign("evt_1", NOW, b"{}");
        let of = |secret, signature, id, at| check(secret, signature, id, at, b"{}");
        assert_eq!(of(Some(&secret), Some(&signed), Some("evt_1"), Some(NOW)), Signature::Valid);
        assert_eq!(of(Some(&secret), Some(&signed), Some("evt_2"), Some(NOW)), Signature::Wrong);
        assert_eq!(of(Some(&secret), Some(&signed), None, Some(NOW)), Signature::Wrong);
        assert_eq!(of(Some(&secret), Some(&signed), Some("evt_1"), None), Signature::Wrong);
        assert_eq!(of(Some(&secret), None, Some("evt_1"), Some(NOW)), Signature::Missing);
        assert_eq!(of(None, Some(&signed), Some("evt_1"), Some(NOW)), Signature::Unchecked);
    }

    #[test]
    fn a_request_that_is_no_event_is_shown_as_it_is() {
        let receiver = Receiver { secret: None, status: 500, output: Output::new(false), clock: MachineClock };
        let old = [("webhook-timestamp", "5"), ("webhook-signature", "v1,x")];
        let headers = old.map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).into_iter().collect();
        let shown = Delivery::read(&receiver, &Method::PUT, "/x", &headers, b"not json \xff");
        assert!(shown.too_old);
        let text = shown.text();
        for part in ["PUT /x", "no event", "without id", "not checked", "TOO OLD", "answered 500", "not json \u{fffd}"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
