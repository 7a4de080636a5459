//! A run as one attempt of a delivery.

use serde_json::json;
use shingle_domain::Timestamp;
use shingle_domain::lead::ExternalRecord;
use shingle_domain::message::{Message, ToMessage};

use crate::connector::messages::RunMessage;
use crate::connector::report::{ConnectorOutcome, ConnectorReport, ShownRequest, ShownResponse, StepReport};
use crate::transport::{Outcome, Verdict};

/// Characters of a body in the log.
const LOGGED: usize = 8 * 1024;

impl ConnectorReport {
    /// What came of it, for the queue and its log. `system` is the connector's name.
    pub fn into_outcome(self, system: &str, at: Timestamp) -> Outcome {
        let last = self.steps.iter().rev().find_map(|step| step.response.as_ref());
        let status = last.map(|response| response.status);
        let kept_back = last.is_some_and(is_kept_back);
        let steps: Vec<StepReport> = self.steps.into_iter().map(logged).collect();
        let sent = steps.iter().any(|step| step.request.is_some());
        let started = !self.progress.0.is_empty();
        let (verdict, cause, record) = verdict(self.outcome, status, system, at);
        Outcome {
            status,
            // What a private network says is for the operator only.
            cause: if kept_back { status.map(|status| Message::Text(format!("HTTP {status}"))) } else { cause },
            exchange: sent.then(|| json!({ "steps": steps }).to_string()),
            progress: started.then(|| json!(self.progress).to_string()),
            record,
            ..Outcome::new(verdict)
        }
    }
}

fn verdict(
    outcome: ConnectorOutcome,
    status: Option<u16>,
    system: &str,
    at: Timestamp,
) -> (Verdict, Option<Message>, Option<ExternalRecord>) {
    match outcome {
        ConnectorOutcome::Delivered { record } => {
            let record = record.map(|r| ExternalRecord { system: system.to_owned(), id: r.id, link: r.link, at });
            (Verdict::Delivered, None, record)
        }
        ConnectorOutcome::Retry { retry_after, cause } => {
            (Verdict::TryAgain { retry_after, throttle: status == Some(429) }, Some(cause), None)
        }
        ConnectorOutcome::Refused { cause } if status == Some(410) => (Verdict::Gone, Some(cause), None),
        ConnectorOutcome::Refused { cause } => (Verdict::Refused, Some(cause), None),
        ConnectorOutcome::Skipped { why } => (Verdict::Skipped, Some(why), None),
        ConnectorOutcome::Unreachable(error) => {
            (Verdict::TryAgain { retry_after: None, throttle: false }, Some(error.to_message()), None)
        }
        ConnectorOutcome::Unbuildable(mistake) => {
            (Verdict::Refused, Some(RunMessage::Unbuildable { mistake }.to_message()), None)
        }
    }
}

/// As with webhooks: an error of a private network would reveal that network.
fn is_kept_back(response: &ShownResponse) -> bool {
    response.private && !(200..300).contains(&response.status)
}

fn logged(step: StepReport) -> StepReport {
    let short = |text: String| text.char_indices().nth(LOGGED).map_or(text.clone(), |(at, _)| text[..at].to_owned());
    StepReport {
        request: step.request.map(|request| ShownRequest { body: short(request.body), ..request }),
        response: step.response.map(|response| {
            if is_kept_back(&response) {
                ShownResponse { headers: Vec::new(), body: String::new(), ..response }
            } else {
                ShownResponse { body: short(response.body), ..response }
            }
        }),
        ..step
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::connector::report::{ConnectorProgress, ConnectorRecord};
    use crate::error::EgressError;

    const AT: Timestamp = Timestamp::from_micros(1_795_371_120_000_000);

    fn report(outcome: ConnectorOutcome, status: u16, private: bool) -> ConnectorReport {
        let request = ShownRequest {
            method: "POST".to_owned(),
            url: "https://oak.example.com/".to_owned(),
            headers: Vec::new(),
            body: "é".repeat(10_000),
        };
        let body = "the inner network".to_owned();
        let response = ShownResponse { status, headers: Vec::new(), body, truncated: false, private };
        let step = StepReport {
            name: "a".to_owned(),
            skipped: None,
            request: Some(request),
            response: Some(response),
            captures: serde_json::Map::new(),
        };
        let progress = ConnectorProgress([("a".to_owned(), serde_json::Map::new())].into());
        ConnectorReport { outcome, steps: vec![step], progress }
    }

    #[test]
    fn every_end_of_a_run_is_a_verdict_of_the_queue() {
        let again = |retry_after, throttle| Verdict::TryAgain { retry_after, throttle };
        let (wait, cause) = (Some(Duration::from_secs(30)), || "no".to_message());
        for (outcome, status, verdict) in [
            (ConnectorOutcome::Retry { retry_after: wait, cause: cause() }, 429, again(wait, true)),
            (ConnectorOutcome::Retry { retry_after: None, cause: cause() }, 503, again(None, false)),
            (ConnectorOutcome::Refused { cause: cause() }, 401, Verdict::Refused),
            (ConnectorOutcome::Refused { cause: cause() }, 410, Verdict::Gone),
            (ConnectorOutcome::Skipped { why: cause() }, 200, Verdict::Skipped),
            (ConnectorOutcome::Unreachable(EgressError::NotHttps), 200, again(None, false)),
        ] {
            let made = report(outcome, status, false).into_outcome("oak", AT);
            assert_eq!((made.verdict, made.status), (verdict, Some(status)));
            assert!(made.cause.is_some_and(|cause| !cause.to_string().is_empty()));
        }
        let record = ConnectorRecord { id: "4711".to_owned(), link: None };
        let made = report(ConnectorOutcome::Delivered { record: Some(record) }, 201, false).into_outcome("oak", AT);
        assert_eq!((made.verdict, made.cause), (Verdict::Delivered, None));
        assert_eq!(made.record.map(|r| (r.system, r.id, r.at)), Some(("oak".to_owned(), "4711".to_owned(), AT)));
        assert_eq!(made.progress.as_deref(), Some(r#"{"a":{}}"#));
    }

    #[test]
    fn the_log_is_bounded_and_an_error_of_a_private_network_is_kept_back() {
        let refused = || ConnectorOutcome::Refused { cause: "HTTP 400: the inner network".to_message() };
        let shown = report(refused(), 400, false).into_outcome("oak", AT);
        let exchange = shown.exchange.unwrap();
        assert!(exchange.contains("the inner network") && exchange.len() < 2 * LOGGED + 500, "{}", exchange.len());
        let hidden = report(refused(), 400, true).into_outcome("oak", AT);
        assert_eq!(hidden.cause.map(|cause| cause.to_string()).as_deref(), Some("HTTP 400"));
        assert!(!hidden.exchange.unwrap().contains("inner"));
    }
}
