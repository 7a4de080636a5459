//! What a run did, for the log and for people who try a connector. It holds no secrets.

use std::collections::BTreeMap;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::header::{AUTHORIZATION, HeaderMap};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::message::Message;
use url::{Url, form_urlencoded};

use crate::connector::error::Mistake;
use crate::connector::messages::LeftOut;
use crate::connector::request::BuiltRequest;
use crate::connector::settings::ConnectorSettings;
use crate::error::EgressError;
use crate::exchange::IncomingResponse;

/// Bytes of a response's body that are kept.
const KEPT: usize = 16 * 1024;
const SECRET: &str = "[secret]";
/// Headers of a response that are worth keeping.
const WORTH_KEEPING: [&str; 8] = [
    "content-type",
    "date",
    "location",
    "retry-after",
    "x-request-id",
    "x-ratelimit-remaining",
    "x-fb-trace-id",
    "ratelimit-remaining",
];

/// The record that was made in the other system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConnectorRecord {
    pub id: String,
    pub link: Option<String>,
}

/// What earlier runs of the same delivery have done: request by request, what it captured. Handed in again, a run goes
/// on where the last one stopped, and makes nothing twice.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ConnectorProgress(pub BTreeMap<String, Map<String, Value>>);

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConnectorOutcome {
    /// `None`: the target says nothing of a record.
    Delivered { record: Option<ConnectorRecord> },
    /// The target could not take it now.
    Retry { retry_after: Option<Duration>, cause: Message },
    /// The target will not take it, however often it is sent.
    Refused { cause: Message },
    /// There was nothing to send.
    Skipped { why: Message },
    /// The target was not reached.
    Unreachable(EgressError),
    /// The request could not be built of this lead.
    Unbuildable(Mistake),
}

/// A request as it was sent, or would be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShownRequest {
    pub method: String,
    pub url: String,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShownResponse {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
    /// There was more.
    pub truncated: bool,
    /// A private network answered: what it says is for the operator only.
    pub private: bool,
}

/// One request of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StepReport {
    pub name: String,
    /// Why it was not sent; `None`: it was.
    #[serde(serialize_with = "in_english")]
    pub skipped: Option<LeftOut>,
    pub request: Option<ShownRequest>,
    pub response: Option<ShownResponse>,
    pub captures: Map<String, Value>,
}

fn in_english<S: Serializer>(why: &Option<LeftOut>, to: S) -> Result<S::Ok, S::Error> {
    why.map(|why| why.to_string()).serialize(to)
}

#[derive(Debug, Clone, PartialEq)]
pub struct ConnectorReport {
    pub outcome: ConnectorOutcome,
    /// In order; what was not reached is not there.
    pub steps: Vec<StepReport>,
    /// For the next run, if there is one.
    pub progress: ConnectorProgress,
}

/// Hides the secrets of settings in whatever is shown, in every form in which a request writes them.
pub struct Hider(Vec<(String, &'static str)>);

impl Hider {
    pub fn new(settings: &ConnectorSettings) -> Self {
        let mut needles = Vec::new();
        for secret in settings.secrets() {
            match Url::parse(secret) {
                Ok(url) if url.has_host() => {
                    let after = &url[url::Position::BeforePath..];
                    if after.len() > 5 {
                        needles.push((after.to_owned(), "/[secret]"));
                    }
                }
                _ => needles.extend(forms(secret).map(|form| (form, SECRET))),
            }
        }
        needles.cold_sort_by_key(|(needle, _)| std::cmp::Reverse(needle.len()));
        Self(needles)
    }

    /// A token that a response has brought.
    pub fn add(&mut self, secret: &str) {
        if secret.len() > 5 {
            self.0.extend(forms(secret).map(|form| (form, SECRET)));
        }
    }

    pub fn hidden_in(&self, message: Message) -> Message {
        message.map_texts(&|text| self.hidden(&text))
    }

    pub fn hidden(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (needle, by)| text.replace(needle, by))
    }

    pub fn request(&self, method: &str, request: &BuiltRequest) -> ShownRequest {
        let headers = request.headers.iter().map(|(name, value)| {
            let value = value.to_str().unwrap_or_default();
            let shown = match value.split_once(' ') {
                Some((scheme, _)) if name == AUTHORIZATION => format!("{scheme} {SECRET}"),
                None if name == AUTHORIZATION => SECRET.to_owned(),
                _ => self.hidden(value),
            };
            (name.to_string(), shown)
        });
        ShownRequest {
            method: method.to_owned(),
            url: self.hidden(request.url.as_str()),
            headers: headers.collect(),
            body: self.hidden(&String::from_utf8_lossy(&request.body)),
        }
    }

    pub fn response(&self, response: &IncomingResponse) -> ShownResponse {
        let body = &response.body[..response.body.len().min(KEPT)];
        ShownResponse {
            status: response.status,
            headers: self.kept(&response.headers),
            body: self.hidden(&String::from_utf8_lossy(body)),
            truncated: response.truncated || response.body.len() > KEPT,
            private: response.is_private(),
        }
    }

    fn kept(&self, headers: &HeaderMap) -> Vec<(String, String)> {
        let kept = headers.iter().filter(|(name, _)| WORTH_KEEPING.contains(&name.as_str()));
        kept.map(|(name, value)| (name.to_string(), self.hidden(&String::from_utf8_lossy(value.as_bytes())))).collect()
    }
}

/// As it is, in a URL, in a form, in JSON, in base64.
fn forms(secret: &str) -> impl Iterator<Item = String> {
    let json = Value::from(secret).to_string();
    let in_url: String = secret.bytes().fold(String::new(), |mut out, byte| {
        match byte {
            b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
        out
    });
    [
        secret.to_owned(),
        in_url,
        form_urlencoded::byte_serialize(secret.as_bytes()).collect(),
        json[1..json.len() - 1].to_owned(),
        STANDARD.encode(secret),
    ]
    .into_iter()
}
