//! The rules of a webhook.

use super::reader::{FieldReader, FieldValue, Fields, Presence};
use crate::event::EventKind;
use crate::id::WidgetId;
use crate::text::is_clean;
use crate::violation::{Rule, Violations};
use crate::webhook::{DEFAULT_TIMEOUT_SECONDS, PayloadMode};

/// A new webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookDraft {
    pub name: String,
    pub url: String,
    pub events: Vec<EventKind>,
    pub active: bool,
    pub timeout_seconds: u8,
    pub options: OptionsPatch,
}

/// Changes to a webhook; `None` leaves a field as it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WebhookPatch {
    pub name: Option<String>,
    pub url: Option<String>,
    pub events: Option<Vec<EventKind>>,
    pub active: Option<bool>,
    pub timeout_seconds: Option<u8>,
    pub options: OptionsPatch,
}

/// What goes beyond the document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OptionsPatch {
    /// Names and values.
    pub headers: Option<Vec<(String, String)>>,
    pub widgets: Option<Vec<WidgetId>>,
    pub payload: Option<PayloadMode>,
    pub ordered: Option<bool>,
}

/// How many headers of their own a webhook's events may have.
const MAX_HEADERS: usize = 16;
/// Bytes of a header's value.
const MAX_HEADER_VALUE: usize = 1_000;
const MAX_WIDGETS: usize = 100;

/// Of a body that makes or changes one.
const NAMES: [&str; 9] =
    ["name", "url", "events", "active", "timeoutSeconds", "headers", "widgets", "payload", "ordered"];

impl WebhookDraft {
    /// Names that were sent and are no field of a webhook: they are dropped.
    pub fn ignored<'f>(fields: &'f Fields<'_>) -> Vec<&'f str> {
        fields.names().filter(|name| !NAMES.contains(name)).collect()
    }

    /// `is_url` judges an address by its text, with what the operator allows.
    pub fn parse(fields: &Fields<'_>, is_url: fn(&str) -> Option<String>) -> Result<Self, Violations> {
        let mut reader = FieldReader::new(fields);
        let patch = read(&mut reader, Presence::Required, is_url);
        let violations = reader.violations;
        match (patch.name, patch.url, patch.events) {
            (Some(name), Some(url), Some(events)) => violations.or(Self {
                name,
                url,
                events,
                active: patch.active.unwrap_or(true),
                timeout_seconds: patch.timeout_seconds.unwrap_or(DEFAULT_TIMEOUT_SECONDS),
                options: patch.options,
            }),
            _ => Err(violations),
        }
    }
}

impl WebhookPatch {
    pub fn parse(fields: &Fields<'_>, is_url: fn(&str) -> Option<String>) -> Result<Self, Violations> {
        let mut reader = FieldReader::new(fields);
        let patch = read(&mut reader, Presence::Optional, is_url);
        reader.violations.or(patch)
    }
}

fn read(reader: &mut FieldReader<'_>, presence: Presence, is_url: fn(&str) -> Option<String>) -> WebhookPatch {
    WebhookPatch {
        name: reader.text("name", presence).map(str::to_owned),
        url: reader.formatted("url", presence, is_url, Rule::Url),
        events: events(reader, presence),
        active: reader.json_boolean("active"),
        timeout_seconds: timeout(reader),
        options: OptionsPatch {
            headers: headers(reader),
            widgets: widgets(reader),
            payload: reader.word(
                "payload",
                Presence::Optional,
                |text| PayloadMode::ALL.into_iter().find(|mode| mode.as_str() == text),
                &PayloadMode::ALL.map(PayloadMode::as_str),
            ),
            ordered: reader.json_boolean("ordered"),
        },
    }
}

/// A list without repetition, of known events. What is not a list breaks every rule of lists.
fn events(reader: &mut FieldReader<'_>, presence: Presence) -> Option<Vec<EventKind>> {
    const NAME: &str = "events";
    let words = || Rule::one_of(&EventKind::PUBLIC.map(EventKind::as_str)).each_value();
    let sent = match reader.sent(NAME) {
        FieldValue::Nothing if presence == Presence::Optional => return None,
        FieldValue::List(list) => Some(list),
        other => {
            let missing = matches!(other, FieldValue::Nothing);
            reader.violate(NAME, Rule::Array);
            reader.violate(NAME, Rule::NotEmpty);
            reader.violate(NAME, Rule::AllUnique);
            if missing {
                reader.violate(NAME, words());
            }
            return None;
        }
    }?;
    let before = reader.violations.0.len();
    if sent.is_empty() {
        reader.violate(NAME, Rule::NotEmpty);
    }
    if (1..sent.len()).any(|i| sent[..i].contains(&sent[i])) {
        reader.violate(NAME, Rule::AllUnique);
    }
    let known: Vec<EventKind> =
        sent.iter().filter_map(|item| item.as_text().and_then(EventKind::parse_public)).collect();
    if known.len() < sent.len() {
        reader.violate(NAME, words());
    }
    (reader.violations.0.len() == before).then_some(known)
}

fn timeout(reader: &mut FieldReader<'_>) -> Option<u8> {
    const NAME: &str = "timeoutSeconds";
    let number = match reader.sent(NAME) {
        FieldValue::Nothing => return None,
        FieldValue::Number(number) => number,
        _ => {
            reader.violate(NAME, Rule::Integer);
            f64::NAN
        }
    };
    let before = reader.violations.0.len();
    if number.is_finite() && number.fract() != 0.0 {
        reader.violate(NAME, Rule::Integer);
    }
    if number.is_nan() || number < 1.0 {
        reader.violate(NAME, Rule::Min { min: 1 });
    }
    if number.is_nan() || number > 30.0 {
        reader.violate(NAME, Rule::Max { max: 30 });
    }
    (reader.violations.0.len() == before).then_some(number as u8)
}

/// Names that say how a request is sent, or who signed it: those are ours.
const OWN_HEADERS: [&str; 13] = [
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "expect",
    "host",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    "proxy-authorization",
];

fn headers(reader: &mut FieldReader<'_>) -> Option<Vec<(String, String)>> {
    const NAME: &str = "headers";
    let sent = match reader.sent(NAME) {
        FieldValue::Nothing => return None,
        FieldValue::Object(members) => members,
        _ => {
            reader.violate(NAME, Rule::Object);
            return None;
        }
    };
    let token = |name: &str| {
        !name.is_empty()
            && name.len() <= 100
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
    };
    let mut kept: Vec<(String, String)> = Vec::new();
    let mut broken = Vec::new();
    for (name, value) in sent {
        let lower = name.to_ascii_lowercase();
        let ours = OWN_HEADERS.contains(&lower.as_str()) || lower.starts_with("webhook-");
        match value.as_text() {
            _ if !token(name) => broken.push(Rule::EachName { rule: Box::new(Rule::HeaderName) }),
            _ if ours => broken.push(Rule::OwnHeader { name: lower }),
            Some(text) if is_clean(text) && text.is_ascii() && text.len() <= MAX_HEADER_VALUE => {
                kept.retain(|(other, _)| *other != lower);
                kept.push((lower, text.to_owned()));
            }
            _ => broken.push(Rule::Line { max: MAX_HEADER_VALUE }.each_value()),
        }
    }
    if sent.len() > MAX_HEADERS {
        broken.push(Rule::MaxElements { max: MAX_HEADERS });
    }
    broken.dedup();
    let good = broken.is_empty();
    broken.into_iter().for_each(|rule| reader.violate(NAME, rule));
    good.then_some(kept)
}

fn widgets(reader: &mut FieldReader<'_>) -> Option<Vec<WidgetId>> {
    const NAME: &str = "widgets";
    let sent = match reader.sent(NAME) {
        FieldValue::Nothing => return None,
        FieldValue::List(list) => list,
        _ => {
            reader.violate(NAME, Rule::Array);
            return None;
        }
    };
    let ids: Vec<WidgetId> = sent.iter().filter_map(|item| item.as_text().and_then(WidgetId::parse)).collect();
    if ids.len() < sent.len() {
        reader.violate(NAME, Rule::Uuid.each_value());
        return None;
    }
    if ids.len() > MAX_WIDGETS {
        reader.violate(NAME, Rule::MaxElements { max: MAX_WIDGETS });
        return None;
    }
    Some(ids)
}
