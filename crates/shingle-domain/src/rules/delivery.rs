//! The rules of requests about the delivery log.

use super::reader::{FieldReader, Fields, Presence};
use crate::event::EventKind;
use crate::time::Timestamp;
use crate::violation::{Rule, Violations};

const STATES: [&str; 5] = ["pending", "waiting", "delivered", "failed", "skipped"];

/// The query of a list of deliveries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryListQuery {
    pub event: Option<EventKind>,
    /// `pending`, `waiting`, `delivered`, `failed` or `skipped`.
    pub state: Option<String>,
    pub since: Option<Timestamp>,
    /// 1 to 100.
    pub limit: u32,
    /// From an earlier response; opaque here.
    pub cursor: Option<String>,
}

impl DeliveryListQuery {
    pub fn parse(fields: &Fields<'_>) -> Result<Self, Violations> {
        let mut reader = FieldReader::new(fields);
        let words = EventKind::PUBLIC.map(EventKind::as_str);
        let event = reader.word("event", Presence::Optional, EventKind::parse, &words);
        let state = |text: &str| STATES.contains(&text).then(|| text.to_owned());
        let state = reader.word("state", Presence::Optional, state, &STATES);
        let since = reader.optional("since", Timestamp::parse_iso, Rule::IsoTime);
        let limit = reader.page_size("limit", 50, 100);
        let cursor = reader.text("cursor", Presence::Optional).map(str::to_owned);
        reader.violations.or(Self { event, state, since, limit, cursor })
    }
}

/// From when on deliveries are sent again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayRequest {
    pub since: Timestamp,
}

impl ReplayRequest {
    pub fn parse(fields: &Fields<'_>) -> Result<Self, Violations> {
        let mut reader = FieldReader::new(fields);
        let since = reader.formatted("since", Presence::Required, Timestamp::parse_iso, Rule::IsoTime);
        match since {
            Some(since) => reader.violations.or(Self { since }),
            None => Err(reader.violations),
        }
    }
}
