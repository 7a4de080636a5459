//! The log of deliveries: what is pending, what was tried, and resending.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use shingle_domain::event::EventKind;
use shingle_domain::message::Message;
use shingle_domain::{DeliveryId, DestinationId, Tenant, Timestamp};
use uuid::Uuid;

use crate::accounts::api_request::RequestKey;
use crate::deliveries::Deliveries;
use crate::deliveries::delivery::Attempt;
use crate::deliveries::event::{EventSubject, RecordedEvent, parse_kind};
use crate::destinations::destination::Destination;
use crate::encryption::data_key::{DataKeys, Field};
use crate::engine::cursor::Cursor;
use crate::engine::db::{Tx, execute, fetch_all, fetch_optional, transact};
use crate::engine::stored_message::from_stored;
use crate::store::{columns, parse_id};
use crate::{EventId, StoreError};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "lowercase")]
pub enum DeliveryState {
    Pending,
    /// For the delivery before it.
    Waiting,
    Delivered,
    Failed,
    Skipped,
}

impl DeliveryState {
    pub const ALL: [Self; 5] = [Self::Pending, Self::Waiting, Self::Delivered, Self::Failed, Self::Skipped];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Waiting => "waiting",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
        }
    }
}

/// A delivery as its owner sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    pub id: DeliveryId,
    pub destination: DestinationId,
    pub event: EventId,
    pub kind: EventKind,
    pub resource: Uuid,
    pub sequence: u64,
    pub state: DeliveryState,
    /// Why it failed or was skipped.
    pub reason: Option<Message>,
    pub attempts: u32,
    /// When it is tried next, while it is pending.
    pub due_at: Timestamp,
    pub created_at: Timestamp,
    pub first_attempt_at: Option<Timestamp>,
    pub completed_at: Option<Timestamp>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DeliveryFilter {
    pub kind: Option<EventKind>,
    pub state: Option<DeliveryState>,
    /// Written at this moment or later.
    pub since: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryPage {
    /// Newest first.
    pub deliveries: Vec<Delivery>,
    pub next: Option<Cursor>,
}

/// How far deliveries are behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeliveryBacklog {
    /// Deliveries that are due and that nobody works on.
    pub due: u64,
    /// How long the oldest of them has been due.
    pub age: Duration,
    /// Destinations to which nothing is sent for now.
    pub paused: u64,
}

/// The most that one call replays.
pub const MAX_REPLAYED: u32 = 10_000;

row! {
    struct DeliveryRow {
        id: String,
        destination_id: String,
        event_id: String,
        kind: String,
        resource_id: String,
        sequence: i64,
        state: String,
        reason: Option<String>,
        attempts: i64,
        due_at: i64,
        created_at: i64,
        first_attempt_at: Option<i64>,
        completed_at: Option<i64>,
    }
}

row! {
    struct AttemptRow {
        id: String,
        number: i64,
        started_at: i64,
        duration_micros: i64,
        outcome: String,
        status: Option<i64>,
        cause: Option<String>,
        exchange: Option<String>,
    }
}

macro_rules! delivery_columns {
    () => {
        "id, destination_id, event_id, kind, resource_id, sequence, state, reason, attempts, due_at, created_at, \
         first_attempt_at, completed_at"
    };
}

const SELECT_DELIVERY: &str =
    concat!("SELECT ", delivery_columns!(), " FROM delivery WHERE id = $1 AND account_id = $2 AND environment = $3");

impl Deliveries<'_> {
    /// One page of a destination's log, newest first. `limit` is held between 1 and 500.
    pub async fn list(
        self,
        tenant: &Tenant,
        destination: DestinationId,
        filter: &DeliveryFilter,
        after: Option<Cursor>,
        limit: u32,
    ) -> Result<DeliveryPage, StoreError> {
        let (account, environment) = columns(tenant);
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let limit = limit.clamp(1, 500) as usize;
        let (before, before_id) = after.map_or((i64::MAX, String::new()), |c| (c.created_at, c.id.to_string()));
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            DeliveryRow,
            concat!(
                "SELECT ",
                delivery_columns!(),
                " FROM delivery
                  WHERE destination_id = $1 AND account_id = $2 AND environment = $3
                    AND created_at <= $4 AND (created_at < $4 OR id < $5) AND created_at >= $6
                    AND ($7 IS NULL OR kind = $7) AND ($8 IS NULL OR state = $8)
                  ORDER BY created_at DESC, id DESC LIMIT $9"
            ),
            destination.to_string(),
            &account,
            environment,
            before,
            before_id,
            filter.since.map_or(i64::MIN, Timestamp::micros),
            filter.kind.map(EventKind::as_str),
            filter.state.map(DeliveryState::as_str),
            limit as i64 + 1
        )?;
        let more = rows.len() > limit;
        let deliveries =
            rows.into_iter().take(limit).map(|row| read_delivery(row, &keys)).collect::<Result<Vec<_>, _>>()?;
        let next = deliveries.last().filter(|_| more).map(|d| Cursor { created_at: d.created_at.micros(), id: d.id.0 });
        Ok(DeliveryPage { deliveries, next })
    }

    /// The deliveries of everything that happened to one widget or lead, to any destination; oldest first.
    pub async fn list_of(self, tenant: &Tenant, resource: Uuid) -> Result<Vec<Delivery>, StoreError> {
        let (account, environment) = columns(tenant);
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            DeliveryRow,
            concat!(
                "SELECT ",
                delivery_columns!(),
                " FROM delivery WHERE resource_id = $1 AND account_id = $2 AND environment = $3 ORDER BY created_at, id"
            ),
            resource.to_string(),
            &account,
            environment
        )?;
        rows.into_iter().map(|row| read_delivery(row, &keys)).collect()
    }

    /// A delivery and its attempts, in order.
    pub async fn find(self, tenant: &Tenant, id: DeliveryId) -> Result<Option<(Delivery, Vec<Attempt>)>, StoreError> {
        let (account, environment) = columns(tenant);
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(reader, DeliveryRow, SELECT_DELIVERY, id.to_string(), &account, environment)?;
        let Some(delivery) = row.map(|row| read_delivery(row, &keys)).transpose()? else { return Ok(None) };
        let rows = fetch_all!(
            reader,
            AttemptRow,
            "SELECT id, number, started_at, duration_micros, outcome, status, cause, exchange FROM attempt
              WHERE delivery_id = $1 ORDER BY number, started_at, id",
            id.to_string()
        )?;
        Ok(Some((delivery, rows.into_iter().map(|row| read_attempt(row, &keys)).collect::<Result<_, _>>()?)))
    }

    /// Sends an event to its destination once more, whatever became of it. Makes a new delivery.
    pub async fn replay(
        self,
        tenant: &Tenant,
        id: DeliveryId,
        request: Option<&RequestKey>,
    ) -> Result<DeliveryId, StoreError> {
        let (account, environment) = columns(tenant);
        let made = transact!(self.store.db, |tx| {
            let row = fetch_optional!(tx, DeliveryRow, SELECT_DELIVERY, id.to_string(), &account, environment)?;
            let keys = self.store.encryption().data_keys_in(tx, tenant.account).await?;
            let old = read_delivery(row.ok_or(StoreError::NotFound)?, &keys)?;
            let destination =
                self.store.destinations().lock(tx, tenant, old.destination).await?.ok_or(StoreError::NotFound)?;
            self.replay_one(tx, &destination, &old, request).await
        })?;
        self.store.wake.notify_one();
        Ok(made)
    }

    /// Sends everything again that failed or was skipped since then. Returns how much.
    pub async fn replay_since(
        self,
        tenant: &Tenant,
        destination: DestinationId,
        since: Timestamp,
    ) -> Result<u64, StoreError> {
        let replayed = transact!(self.store.db, |tx| {
            let destination =
                self.store.destinations().lock(tx, tenant, destination).await?.ok_or(StoreError::NotFound)?;
            let rows = fetch_all!(
                tx,
                DeliveryRow,
                concat!(
                    "SELECT ",
                    delivery_columns!(),
                    " FROM delivery d
                      WHERE destination_id = $1 AND created_at >= $2 AND state IN ('failed', 'skipped')
                        AND NOT EXISTS (SELECT 1 FROM delivery o
                                         WHERE o.event_id = d.event_id AND o.destination_id = d.destination_id
                                           AND (o.state IN ('pending', 'waiting', 'delivered') OR o.id > d.id))
                      ORDER BY created_at, id LIMIT $3"
                ),
                destination.id.to_string(),
                since.micros(),
                i64::from(MAX_REPLAYED)
            )?;
            let count = rows.len() as u64;
            let keys = self.store.encryption().data_keys_in(tx, tenant.account).await?;
            for row in rows {
                self.replay_one(tx, &destination, &read_delivery(row, &keys)?, None).await?;
            }
            Ok(count)
        })?;
        self.store.wake.notify_one();
        Ok(replayed)
    }

    async fn replay_one(
        self,
        tx: &mut Tx<'_>,
        destination: &Destination,
        old: &Delivery,
        request: Option<&RequestKey>,
    ) -> Result<DeliveryId, StoreError> {
        let subject = EventSubject { kind: old.kind, resource: old.resource, widget: None, spam: false };
        let event = RecordedEvent { id: old.event.clone(), sequence: i64::try_from(old.sequence).unwrap_or(i64::MAX) };
        let made = self.write_delivery(tx, destination, subject, &event, 0).await?;
        if let Some(earlier) =
            self.store.accounts().keep_request(tx, &destination.tenant, request, &made.to_string()).await?
        {
            execute!(tx, "DELETE FROM delivery WHERE id = $1", made.to_string())?;
            return parse_id("delivery", &earlier);
        }
        Ok(made)
    }

    /// A test event for one destination.
    pub async fn send_ping(
        self,
        tenant: &Tenant,
        destination: DestinationId,
        request: Option<&RequestKey>,
    ) -> Result<DeliveryId, StoreError> {
        let made = transact!(self.store.db, |tx| {
            let destination =
                self.store.destinations().lock(tx, tenant, destination).await?.ok_or(StoreError::NotFound)?;
            let subject = EventSubject { kind: EventKind::Ping, resource: destination.id.0, widget: None, spam: false };
            let data = serde_json::json!({ "id": destination.id, "name": destination.draft.name });
            let event = self.write_event(tx, tenant, subject, &data).await?;
            let made = self.write_delivery(tx, &destination, subject, &event, 0).await?;
            if let Some(earlier) = self.store.accounts().keep_request(tx, tenant, request, &made.to_string()).await? {
                execute!(tx, "DELETE FROM delivery WHERE id = $1", made.to_string())?;
                execute!(tx, "DELETE FROM event WHERE id = $1", event.id.as_str())?;
                return parse_id("delivery", &earlier);
            }
            Ok(made)
        })?;
        self.store.wake.notify_one();
        Ok(made)
    }

    /// What waits now, on all nodes together.
    pub async fn backlog(self) -> Result<DeliveryBacklog, StoreError> {
        let now = self.store.now();
        let mut reader = self.store.db.read().await?;
        let due = fetch_optional!(
            reader,
            (i64, Option<i64>),
            "SELECT COUNT(*), MIN(due_at) FROM delivery WHERE state = 'pending' AND due_at <= $1",
            now.micros()
        )?;
        let paused = fetch_optional!(
            reader,
            (i64,),
            "SELECT COUNT(*) FROM destination WHERE active = $1 AND blocked_until > $2",
            true,
            now.micros()
        )?;
        let (due, oldest) = due.unwrap_or_default();
        let waited = oldest.map_or(0, |oldest| now.micros() - oldest);
        Ok(DeliveryBacklog {
            due: due.unsigned_abs(),
            age: Duration::from_micros(u64::try_from(waited).unwrap_or_default()),
            paused: paused.map_or(0, |(n,)| n.unsigned_abs()),
        })
    }

    /// Deletes the log of what ended longer ago than `age`. Returns the number of deliveries.
    pub async fn delete_old(self, age: Duration) -> Result<u64, StoreError> {
        let before = (self.store.now() - age).micros();
        transact!(self.store.db, |tx| {
            execute!(
                tx,
                "DELETE FROM attempt WHERE delivery_id IN
                     (SELECT id FROM delivery WHERE created_at < $1 AND state NOT IN ('pending', 'waiting'))",
                before
            )?;
            let deleted = execute!(
                tx,
                "DELETE FROM delivery WHERE created_at < $1 AND state NOT IN ('pending', 'waiting')",
                before
            )?;
            self.store.destinations().delete_unused_mailboxes(tx).await?;
            Ok(deleted)
        })
    }
}

fn read_delivery(row: DeliveryRow, keys: &DataKeys) -> Result<Delivery, StoreError> {
    let state = DeliveryState::ALL.into_iter().find(|state| state.as_str() == row.state);
    Ok(Delivery {
        state: state.ok_or_else(|| StoreError::Unreadable {
            what: "delivery",
            id: row.id.clone(),
            reason: "unknown state".to_owned(),
        })?,
        id: parse_id("delivery", &row.id)?,
        destination: parse_id("delivery", &row.destination_id)?,
        kind: parse_kind(&row.event_id, &row.kind)?,
        event: EventId(row.event_id),
        resource: parse_id("delivery", &row.resource_id)?,
        sequence: u64::try_from(row.sequence).unwrap_or_default(),
        reason: keys.open_unless_clear(Field::DeliveryReason, &row.id, row.reason)?.map(from_stored),
        attempts: u32::try_from(row.attempts).unwrap_or_default(),
        due_at: Timestamp::from_micros(row.due_at),
        created_at: Timestamp::from_micros(row.created_at),
        first_attempt_at: row.first_attempt_at.map(Timestamp::from_micros),
        completed_at: row.completed_at.map(Timestamp::from_micros),
    })
}

fn read_attempt(row: AttemptRow, keys: &DataKeys) -> Result<Attempt, StoreError> {
    Ok(Attempt {
        id: parse_id("attempt", &row.id)?,
        number: u32::try_from(row.number).unwrap_or_default(),
        started_at: Timestamp::from_micros(row.started_at),
        duration: Duration::from_micros(u64::try_from(row.duration_micros).unwrap_or_default()),
        delivered: row.outcome == "delivered",
        status: row.status.and_then(|status| u16::try_from(status).ok()),
        cause: keys.open_unless_clear(Field::AttemptCause, &row.id, row.cause)?.map(from_stored),
        exchange: keys.open_some(Field::AttemptExchange, &row.id, row.exchange)?,
    })
}
