//! Events: written in the same transaction as the change they report, and delivered later. So none is lost.

use core::fmt;

use serde::Serialize;
use shingle_domain::event::EventKind;
use shingle_domain::{Tenant, Timestamp};
use uuid::Uuid;

use crate::db::{Tx, execute, fetch_all};
use crate::store::{columns, parse_id};
use crate::{Store, StoreError};

/// `evt_` and 32 hexadecimal digits; later events sort later.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct EventId(String);

impl EventId {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    pub id: EventId,
    pub kind: EventKind,
    pub resource: Uuid,
    /// Counts the events of one resource from 1: their order, even if they arrive in another.
    pub sequence: u64,
    /// The whole body as it is posted: `{"id", "type", "timestamp", "data"}`. `None` once its lead is erased.
    pub payload: Option<String>,
    pub created_at: Timestamp,
}

row! {
    struct EventRow {
        id: String,
        kind: String,
        resource_id: String,
        sequence: i64,
        payload: Option<String>,
        created_at: i64,
    }
}

#[derive(Serialize)]
struct EventBody<'a> {
    id: &'a EventId,
    #[serde(rename = "type")]
    kind: EventKind,
    timestamp: Timestamp,
    data: &'a serde_json::Value,
}

impl Store {
    /// Everything that happened to one widget or lead, in order.
    pub async fn list_events(&self, tenant: &Tenant, resource: Uuid) -> Result<Vec<Event>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.db.read().await?;
        let rows = fetch_all!(
            reader,
            EventRow,
            "SELECT id, kind, resource_id, sequence, payload, created_at FROM event
              WHERE resource_id = $3 AND account_id = $1 AND environment = $2 ORDER BY sequence",
            &account,
            environment,
            resource.to_string()
        )?;
        rows.into_iter()
            .map(|row| {
                let kind = EventKind::ALL.into_iter().find(|k| k.as_str() == row.kind);
                Ok(Event {
                    kind: kind.ok_or_else(|| StoreError::Unreadable {
                        what: "event",
                        id: row.id.clone(),
                        reason: "unknown kind".to_owned(),
                    })?,
                    resource: parse_id("event", &row.resource_id)?,
                    sequence: u64::try_from(row.sequence).unwrap_or_default(),
                    payload: row.payload,
                    created_at: Timestamp::from_micros(row.created_at),
                    id: EventId(row.id),
                })
            })
            .collect()
    }

    /// Writes one event. The caller has locked the row of the resource, so the sequence has no gaps or duplicates.
    pub(crate) async fn record_event(
        &self,
        tx: &mut Tx,
        tenant: &Tenant,
        kind: EventKind,
        resource: Uuid,
        data: &serde_json::Value,
    ) -> Result<(), StoreError> {
        let (account, environment) = columns(tenant);
        let (id, now) = (EventId(format!("evt_{}", self.new_id()?.simple())), self.now());
        let payload = serde_json::to_string(&EventBody { id: &id, kind, timestamp: now, data })?;
        execute!(
            tx,
            "INSERT INTO event (id, account_id, environment, kind, resource_id, sequence, payload, created_at)
             VALUES ($1, $2, $3, $4, $5,
                     (SELECT COALESCE(MAX(sequence), 0) + 1 FROM event WHERE resource_id = $5), $6, $7)",
            id.as_str(),
            &account,
            environment,
            kind.as_str(),
            resource.to_string(),
            &payload,
            now.micros()
        )?;
        Ok(())
    }
}
