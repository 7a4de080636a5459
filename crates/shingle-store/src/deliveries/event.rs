//! Events: written in the same transaction as the change they report, together with their deliveries. So none is lost.

use core::fmt;

use schemars::JsonSchema;
use serde::Serialize;
use shingle_domain::event::EventKind;
use shingle_domain::{Tenant, Timestamp, WidgetId};
use uuid::Uuid;

use crate::StoreError;
use crate::deliveries::Deliveries;
use crate::encryption::data_key::{DataKeys, Field};
use crate::engine::db::{Db, Tx, execute, fetch_all, fetch_optional};
use crate::engine::dialect;
use crate::store::{columns, parse_id};

/// The version of the payloads' form.
const API_VERSION: &str = "1.0.0";

/// `evt_` and 32 hexadecimal digits; later events sort later.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[schemars(inline)]
#[serde(transparent)]
pub struct EventId(pub(crate) String);

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
    /// The whole body as it is posted. `None` once its lead is erased.
    pub payload: Option<String>,
    pub created_at: Timestamp,
}

/// What an event is about, for the choice of its destinations.
#[derive(Clone, Copy)]
pub(crate) struct EventSubject {
    pub kind: EventKind,
    pub resource: Uuid,
    pub widget: Option<WidgetId>,
    /// Nobody is notified of suspected spam; webhooks get it, with its status.
    pub spam: bool,
}

/// An event that was just written.
pub(crate) struct RecordedEvent {
    pub id: EventId,
    pub sequence: i64,
}

/// A row of `event`, as JSON.
#[derive(Serialize)]
pub(crate) struct NewEvent {
    id: EventId,
    account_id: String,
    environment: &'static str,
    kind: &'static str,
    resource_id: String,
    sequence: i64,
    payload: String,
    created_at: i64,
}

impl NewEvent {
    pub fn recorded(&self) -> RecordedEvent {
        RecordedEvent { id: self.id.clone(), sequence: self.sequence }
    }
}

macro_rules! insert_events {
    ($values:literal) => {
        concat!(
            "INSERT INTO event (id, account_id, environment, kind, resource_id, sequence, payload, created_at) ",
            $values
        )
    };
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
#[serde(rename_all = "camelCase")]
struct EventBody<'a> {
    id: &'a EventId,
    #[serde(rename = "type")]
    kind: EventKind,
    timestamp: Timestamp,
    api_version: &'a str,
    sequence: i64,
    data: &'a serde_json::Value,
}

impl Deliveries<'_> {
    /// Everything that happened to one widget or lead, in order.
    pub async fn list_events(self, tenant: &Tenant, resource: Uuid) -> Result<Vec<Event>, StoreError> {
        let (account, environment) = columns(tenant);
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let mut reader = self.store.db.read().await?;
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
                Ok(Event {
                    kind: parse_kind(&row.id, &row.kind)?,
                    resource: parse_id("event", &row.resource_id)?,
                    sequence: u64::try_from(row.sequence).unwrap_or_default(),
                    payload: keys.open_some(Field::EventPayload, &row.id, row.payload)?,
                    created_at: Timestamp::from_micros(row.created_at),
                    id: EventId(row.id),
                })
            })
            .collect()
    }

    /// Writes one event and its deliveries. The caller has locked the row of the resource, so the sequence has no gaps
    /// or duplicates; after the commit it wakes the worker.
    pub(crate) async fn record_event(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        subject: EventSubject,
        data: &serde_json::Value,
    ) -> Result<(), StoreError> {
        let event = self.write_event(tx, tenant, subject, data).await?;
        self.fan_out(tx, tenant, subject, &event).await
    }

    /// Writes one event without deliveries.
    pub(crate) async fn write_event(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        subject: EventSubject,
        data: &serde_json::Value,
    ) -> Result<RecordedEvent, StoreError> {
        let (account, environment) = columns(tenant);
        let last = fetch_optional!(
            tx,
            (i64,),
            "SELECT COALESCE(MAX(sequence), 0) FROM event
              WHERE resource_id = $1 AND account_id = $2 AND environment = $3",
            subject.resource.to_string(),
            &account,
            environment
        )?;
        let keys = self.store.encryption().data_keys_in(tx, tenant.account).await?;
        let row = self.event_row(tenant, &keys, subject, last.map_or(0, |(last,)| last) + 1, data)?;
        let recorded = row.recorded();
        self.insert_events(tx, &[row]).await?;
        Ok(recorded)
    }

    /// An event that the caller inserts.
    pub(crate) fn event_row(
        self,
        tenant: &Tenant,
        keys: &DataKeys,
        subject: EventSubject,
        sequence: i64,
        data: &serde_json::Value,
    ) -> Result<NewEvent, StoreError> {
        let (account_id, environment) = columns(tenant);
        let (id, now) = (EventId(format!("evt_{}", self.store.new_id()?.simple())), self.store.now());
        let body = EventBody { id: &id, kind: subject.kind, timestamp: now, api_version: API_VERSION, sequence, data };
        Ok(NewEvent {
            payload: keys.seal(Field::EventPayload, id.as_str(), &serde_json::to_string(&body)?)?,
            id,
            account_id,
            environment,
            kind: subject.kind.as_str(),
            resource_id: subject.resource.to_string(),
            sequence,
            created_at: now.micros(),
        })
    }

    pub(crate) async fn insert_events(self, tx: &mut Tx<'_>, rows: &[NewEvent]) -> Result<(), StoreError> {
        if let Db::Postgres(_) = self.store.db {
            let sql = concat!(
                dialect::given_rows!(postgres: id text, account_id text, environment text, kind text, resource_id text,
                    sequence bigint, payload text, created_at bigint),
                insert_events!(
                    "SELECT id, account_id, environment, kind, resource_id, sequence, payload, created_at FROM given"
                )
            );
            execute!(tx, sql, serde_json::to_string(rows)?)?;
            return Ok(());
        }
        // SQLite reads the whole JSON of a row again for each column, and a payload is long.
        for row in rows {
            execute!(
                tx,
                insert_events!("VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"),
                row.id.as_str(),
                &row.account_id,
                row.environment,
                row.kind,
                &row.resource_id,
                row.sequence,
                &row.payload,
                row.created_at
            )?;
        }
        Ok(())
    }
}

pub(crate) fn parse_kind(id: &str, kind: &str) -> Result<EventKind, StoreError> {
    EventKind::parse(kind).ok_or_else(|| StoreError::Unreadable {
        what: "event",
        id: id.to_owned(),
        reason: "unknown kind".to_owned(),
    })
}
