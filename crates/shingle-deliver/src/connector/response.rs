//! What a response means: done, try again, or never.

use std::time::Duration;

use minijinja::Value as Term;
use serde_json::{Map, Value, json};
use shingle_domain::Timestamp;
use shingle_domain::message::{Message, ToMessage};
use url::Url;

use crate::connector::expression::Expression;
use crate::connector::messages::RunMessage;
use crate::connector::template::RequestTemplate;
use crate::exchange::IncomingResponse;
use crate::schedule::parse_retry_after;

/// Nobody is made to wait longer.
const LONGEST_WAIT: f64 = 24.0 * 3600.0;
const MAX_CAUSE: usize = 300;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Done,
    Retry { retry_after: Option<Duration>, cause: Message },
    Refused { cause: Message },
}

/// What expressions see of it.
pub fn as_json(response: &IncomingResponse) -> Value {
    let headers = response.headers.keys().map(|name| {
        let value = response.header(name.as_str()).unwrap_or_default();
        (name.as_str().to_owned(), Value::from(value))
    });
    let text = String::from_utf8_lossy(&response.body);
    json!({
        "status": response.status,
        "headers": headers.collect::<Map<_, _>>(),
        "json": serde_json::from_slice::<Value>(&response.body).unwrap_or(Value::Null),
        "text": text,
    })
}

/// `context` holds the response.
pub fn judge(template: &RequestTemplate, response: &IncomingResponse, context: &Term, now: Timestamp) -> Verdict {
    let is_true = |e: &Expression| e.lenient(context).is_some_and(|v| v.is_true());
    let status_fits = match template.success_status.as_slice() {
        [] => response.is_success(),
        listed => listed.contains(&response.status),
    };
    if status_fits && template.success.as_ref().is_none_or(is_true) {
        return Verdict::Done;
    }
    let cause = cause(template, response, context);
    let asks_to_wait = template.retry.as_ref().is_some_and(is_true);
    if asks_to_wait || matches!(response.status, 408 | 409 | 425 | 429 | 500..) {
        return Verdict::Retry { retry_after: retry_after(template, response, context, now), cause };
    }
    Verdict::Refused { cause }
}

fn retry_after(
    template: &RequestTemplate,
    response: &IncomingResponse,
    context: &Term,
    now: Timestamp,
) -> Option<Duration> {
    let said = template.retry_after.as_ref().and_then(|e| e.lenient(context)).and_then(|v| f64::try_from(v).ok());
    match said {
        Some(seconds) if seconds >= 0.0 => Some(Duration::from_secs_f64(seconds.min(LONGEST_WAIT))),
        _ => parse_retry_after(response.header("retry-after")?, now),
    }
}

fn cause(template: &RequestTemplate, response: &IncomingResponse, context: &Term) -> Message {
    let said = template.error.as_ref().and_then(|e| e.lenient(context)).map(|v| v.to_string());
    if let (301 | 302 | 303 | 307 | 308, Some(to), None) = (response.status, response.header("location"), &said) {
        let host = Url::parse(to).ok().and_then(|url| url.host_str().map(str::to_owned));
        let status = response.status;
        return match host {
            Some(to) => RunMessage::SentOn { status, to }.to_message(),
            None => RunMessage::SentOnElsewhere { status }.to_message(),
        };
    }
    let text = said.filter(|t| !t.trim().is_empty()).unwrap_or_else(|| String::from_utf8_lossy(&response.body).into());
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = line.chars().filter(|c| !c.is_control()).take(MAX_CAUSE).collect();
    let status = response.status;
    Message::Text(if short.is_empty() { format!("HTTP {status}") } else { format!("HTTP {status}: {short}") })
}
