//! Deliveries: a worker claims one under a lease, tries it, and finishes or reschedules it. Any number of nodes may
//! work.
//!
//! # Decision
//!
//! `due_at` is also the end of a lease: a claim moves it forward under a random name, and a result counts only under
//! that name. A dead worker is a lease that ends. Turned down: a lease column, which every claim would have to read.

use std::time::Duration;

use shingle_domain::event::EventKind;
use shingle_domain::lead::ExternalRecord;
use shingle_domain::message::Message;
use shingle_domain::{AccountId, DeliveryId, DestinationId, Tenant, Timestamp};
use uuid::Uuid;

use crate::StoreError;
use crate::deliveries::Deliveries;
use crate::deliveries::event::{EventId, parse_kind};
use crate::encryption::data_key::Field;
use crate::engine::db::{Db, execute, fetch_all, transact};
use crate::engine::dialect;
use crate::store::{given_ids, parse_id};

/// A delivery under the lease of one worker.
#[derive(Debug, Clone)]
pub struct ClaimedDelivery {
    pub id: DeliveryId,
    pub tenant: Tenant,
    pub destination: DestinationId,
    pub event: ClaimedEvent,
    /// Minutes after the event: which of the notices of one lead this is.
    pub step: u32,
    /// Attempts before this one.
    pub attempts: u32,
    /// What a connector has done so far.
    pub progress: Option<String>,
    /// Proves that the lease is ours.
    pub claim: String,
}

#[derive(Debug, Clone)]
pub struct ClaimedEvent {
    pub id: EventId,
    pub kind: EventKind,
    pub resource: Uuid,
    pub sequence: u64,
    /// `None`: its lead was erased.
    pub payload: Option<String>,
    pub created_at: Timestamp,
}

/// What came of one claim.
#[derive(Debug, Clone)]
pub struct FinishedDelivery {
    pub id: DeliveryId,
    pub account: AccountId,
    pub destination: DestinationId,
    pub claim: String,
    /// `None`: nothing was tried.
    pub attempt: Option<Attempt>,
    pub next: Next,
    pub progress: Option<String>,
    /// The record that a connector made of the lead.
    pub record: Option<ExternalRecord>,
}

/// One try, as the log shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Made with the attempt: the same result is stored once, however often a broken connection has it sent again.
    pub id: Uuid,
    pub number: u32,
    pub started_at: Timestamp,
    pub duration: Duration,
    pub delivered: bool,
    pub status: Option<u16>,
    /// Why it failed.
    pub cause: Option<Message>,
    /// Request and response as JSON.
    pub exchange: Option<String>,
}

/// How it goes on with a delivery, and with its destination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    Delivered,
    /// Tried again then.
    Retry {
        at: Timestamp,
        pause: Option<Timestamp>,
    },
    /// Never tried again on its own.
    Failed {
        reason: Message,
    },
    /// As [`Self::Failed`]; and the destination is switched off.
    SwitchOff {
        reason: Message,
    },
    /// There is nothing to send.
    Skipped {
        reason: Message,
    },
    /// Not now: quiet hours. No attempt.
    Postponed {
        until: Timestamp,
    },
}

/// What a worker has to know after its results are stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FinishReport {
    /// Nothing is sent there for now.
    pub blocked: Vec<DestinationId>,
    /// Switched off by themselves.
    pub switched_off: Vec<DestinationId>,
    /// Results whose lease was lost: another worker may have sent the same.
    pub lost: usize,
    /// The next in order may be due now.
    pub leaves_more: bool,
    pub health: Vec<DestinationHealth>,
}

/// How a destination stands after a batch of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DestinationHealth {
    pub destination: DestinationId,
    pub failures_in_a_row: u64,
    /// Failures in this batch.
    pub failures: u64,
}

row! {
    struct ClaimedRow {
        id: String,
        account_id: String,
        environment: String,
        event_id: String,
        destination_id: String,
        kind: String,
        resource_id: String,
        sequence: i64,
        step: i64,
        attempts: i64,
        claim: String,
        progress: Option<String>,
        payload: Option<String>,
        event_created_at: i64,
    }
}

/// One text for each engine, which differ in how they read JSON and in a suffix of the subquery.
macro_rules! claim_sql {
    ($given:expr, $suffix:expr) => {
        concat!(
            $given,
            "UPDATE delivery SET claim = $2, due_at = $3
              WHERE id IN (SELECT id FROM delivery
                            WHERE state = 'pending' AND due_at <= $4
                              AND destination_id NOT IN (SELECT given.id FROM given)
                            ORDER BY due_at, id LIMIT $5",
            $suffix,
            ")
             RETURNING id, account_id, environment, event_id, destination_id, kind, resource_id, sequence, step, attempts,
                       claim, progress, (SELECT payload FROM event WHERE event.id = delivery.event_id) AS payload,
                       (SELECT event.created_at FROM event WHERE event.id = delivery.event_id) AS event_created_at"
        )
    };
}

macro_rules! renew_sql {
    ($given:expr, $suffix:expr) => {
        concat!(
            $given,
            "UPDATE delivery SET due_at = $3
              WHERE id IN (SELECT held.id FROM delivery held JOIN given ON given.id = held.id
                            WHERE held.claim = $2 AND held.state = 'pending' AND held.due_at < $3",
            $suffix,
            ")"
        )
    };
}

macro_rules! release_sql {
    ($given:expr, $suffix:expr) => {
        concat!(
            $given,
            "UPDATE delivery SET claim = '',
                    due_at = CASE WHEN due_at <= $4 THEN $3 ELSE due_at END
              WHERE id IN (SELECT held.id FROM delivery held JOIN given ON given.id = held.id
                            WHERE held.claim = $2 AND held.state = 'pending'",
            $suffix,
            ")"
        )
    };
}

impl Deliveries<'_> {
    /// Resolves when something was left to deliver. Only this process's commits tell; poll for those of others.
    pub async fn due(self) {
        self.store.wake.notified().await;
    }

    /// Takes up to `limit` due deliveries, oldest first, for `lease`: all but those of the `excluded` destinations. A
    /// worker that dies loses them at its end. One that cannot be read does not hold up the others.
    pub async fn claim(
        self,
        claim: &str,
        lease: Duration,
        limit: usize,
        excluded: &[DestinationId],
    ) -> Result<Vec<Result<ClaimedDelivery, StoreError>>, StoreError> {
        let now = self.store.now();
        let excluded = given_ids(excluded)?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let sql = match self.store.db {
            Db::Sqlite { .. } => claim_sql!(dialect::given_rows!(sqlite: id text), ""),
            Db::Postgres(_) => claim_sql!(dialect::given_rows!(postgres: id text), dialect::skip_locked!()),
        };
        let mut rows = transact!(self.store.db, |tx| {
            let until = (now + lease).micros();
            Ok(fetch_all!(tx, ClaimedRow, sql, &excluded, claim, until, now.micros(), limit)?)
        })?;
        rows.sort_by_key(|row| (row.event_created_at, row.sequence));
        let mut claimed = Vec::with_capacity(rows.len());
        for row in rows {
            claimed.push(self.read_claimed(row).await);
        }
        Ok(claimed)
    }
    /// Extends the leases of what is held under this claim. What another transaction is changing is left out: waiting
    /// for it could be waiting in a circle, and the next renewal comes soon.
    pub async fn renew_leases(self, claim: &str, held: &[DeliveryId], lease: Duration) -> Result<(), StoreError> {
        let held = given_ids(held)?;
        let sql = match self.store.db {
            Db::Sqlite { .. } => renew_sql!(dialect::given_rows!(sqlite: id text), ""),
            Db::Postgres(_) => renew_sql!(dialect::given_rows!(postgres: id text), " FOR UPDATE OF held SKIP LOCKED"),
        };
        transact!(self.store.db, |tx| {
            execute!(tx, sql, &held, claim, (self.store.now() + lease).micros())?;
            Ok(())
        })
    }

    /// Gives back what was claimed and not tried. `lease`: what was put off for longer than that stays so.
    pub async fn release(self, claim: &str, held: &[DeliveryId], lease: Duration) -> Result<(), StoreError> {
        let held = given_ids(held)?;
        let sql = match self.store.db {
            Db::Sqlite { .. } => release_sql!(dialect::given_rows!(sqlite: id text), ""),
            Db::Postgres(_) => {
                release_sql!(dialect::given_rows!(postgres: id text), " FOR UPDATE OF held SKIP LOCKED")
            }
        };
        transact!(self.store.db, |tx| {
            let now = self.store.now();
            execute!(tx, sql, &held, claim, now.micros(), (now + lease).micros())?;
            Ok(())
        })
    }

    async fn read_claimed(self, row: ClaimedRow) -> Result<ClaimedDelivery, StoreError> {
        let account = parse_id("account", &row.account_id)?;
        let keys = self.store.encryption().data_keys(account).await?;
        Ok(ClaimedDelivery {
            id: parse_id("delivery", &row.id)?,
            tenant: Tenant { account, environment: parse_id("environment", &row.environment)? },
            destination: parse_id("destination", &row.destination_id)?,
            event: ClaimedEvent {
                kind: parse_kind(&row.event_id, &row.kind)?,
                resource: parse_id("event", &row.resource_id)?,
                sequence: u64::try_from(row.sequence).unwrap_or_default(),
                payload: keys.open_some(Field::EventPayload, &row.event_id, row.payload)?,
                created_at: Timestamp::from_micros(row.event_created_at),
                id: EventId(row.event_id),
            },
            step: u32::try_from(row.step).unwrap_or_default(),
            attempts: u32::try_from(row.attempts).unwrap_or_default(),
            progress: keys.open_some(Field::DeliveryProgress, &row.id, row.progress)?,
            claim: row.claim,
        })
    }
}
