//! A request and its response, as the delivery log shows them.

use serde::{Deserialize, Serialize};

use crate::exchange::IncomingResponse;

/// Response headers that help to find a fault.
const KEPT_HEADERS: [&str; 8] =
    ["content-type", "content-length", "date", "location", "retry-after", "server", "x-request-id", "www-authenticate"];

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExchangeLog {
    pub request: RequestLog,
    pub response: Option<ResponseLog>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestLog {
    pub method: String,
    pub url: String,
    /// Secret values are replaced.
    pub headers: Vec<(String, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResponseLog {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    /// `None`: kept back, because a private network answered with an error.
    pub body: Option<String>,
    pub truncated: bool,
}

impl ResponseLog {
    /// An error of a private network is kept back: it would reveal to the webhook's owner details of that network.
    pub fn of(response: &IncomingResponse) -> Self {
        let hidden = response.is_private() && !response.is_success();
        let headers =
            KEPT_HEADERS.iter().filter_map(|name| Some(((*name).to_owned(), response.header(name)?.to_owned())));
        Self {
            status: response.status,
            headers: if hidden { Vec::new() } else { headers.collect() },
            body: (!hidden).then(|| String::from_utf8_lossy(&response.body).replace('\0', "\u{fffd}")),
            truncated: response.truncated,
        }
    }
}
