//! Deliveries: claimed by a worker under a lease, tried, and finished or tried again. Any number of nodes may work.

use std::time::Duration;

use shingle_domain::event::EventKind;
use shingle_domain::lead::ExternalRecord;
use shingle_domain::{DeliveryId, DestinationId, Tenant, Timestamp};
use uuid::Uuid;

use crate::circuit::{Health, pause_after, switches_off};
use crate::db::{Db, Tx, execute, fetch_all, fetch_optional, transact};
use crate::destination::{DestinationRow, destination_columns};
use crate::event::{EventId, EventSubject, parse_kind};
use crate::store::parse_id;
use crate::{Store, StoreError, dialect};

/// How many destinations a worker can leave out of a claim.
pub const MAX_EXCLUDED: usize = 16;

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
    pub number: u32,
    pub started_at: Timestamp,
    pub duration: Duration,
    pub delivered: bool,
    pub status: Option<u16>,
    /// Why it failed.
    pub cause: Option<String>,
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
    /// Never tried again by itself.
    Failed {
        reason: String,
    },
    /// As [`Self::Failed`]; and the destination is switched off.
    SwitchOff {
        reason: String,
    },
    /// There is nothing to send.
    Skipped {
        reason: String,
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

/// One text for each engine, which differ in a suffix of the subquery.
macro_rules! claim_sql {
    ($($suffix:tt)*) => {
        concat!(
            "UPDATE delivery SET claim = $1, due_at = $2
              WHERE id IN (SELECT id FROM delivery
                            WHERE state = 'pending' AND due_at <= $3
                              AND destination_id NOT IN ($5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
                                                         $18, $19, $20)
                            ORDER BY due_at, id LIMIT $4",
            $($suffix)*,
            ")
             RETURNING id, account_id, environment, event_id, destination_id, kind, resource_id, sequence, step, attempts,
                       claim, progress, (SELECT payload FROM event WHERE event.id = delivery.event_id) AS payload,
                       (SELECT event.created_at FROM event WHERE event.id = delivery.event_id) AS event_created_at"
        )
    };
}

impl Store {
    /// Resolves when something was left to deliver. Only this process's commits tell; poll for those of others.
    pub async fn delivery_due(&self) {
        self.wake.notified().await;
    }

    /// Takes up to `limit` due deliveries, oldest first, for `lease`. A worker that dies loses them at its end.
    pub async fn claim_deliveries(
        &self,
        claim: &str,
        lease: Duration,
        limit: usize,
        excluded: &[DestinationId],
    ) -> Result<Vec<ClaimedDelivery>, StoreError> {
        let now = self.now();
        let mut left_out: [String; MAX_EXCLUDED] = Default::default();
        for (slot, id) in left_out.iter_mut().zip(excluded) {
            *slot = id.to_string();
        }
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = &left_out;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let sql = match self.db {
            Db::Sqlite { .. } => claim_sql!(""),
            Db::Postgres(_) => claim_sql!(dialect::skip_locked!()),
        };
        let mut rows = transact!(self.db, |tx| {
            Ok(fetch_all!(
                tx,
                ClaimedRow,
                sql,
                claim,
                (now + lease).micros(),
                now.micros(),
                limit,
                a,
                b,
                c,
                d,
                e,
                f,
                g,
                h,
                i,
                j,
                k,
                l,
                m,
                n,
                o,
                p
            )?)
        })?;
        rows.sort_by_key(|row| (row.event_created_at, row.sequence));
        rows.into_iter().map(read_claimed).collect()
    }

    /// When the next delivery is due, of those that nobody works on or whose lease may end.
    pub async fn next_delivery_due(&self) -> Result<Option<Timestamp>, StoreError> {
        let mut reader = self.db.read().await?;
        let row = fetch_optional!(reader, (Option<i64>,), "SELECT MIN(due_at) FROM delivery WHERE state = 'pending'")?;
        Ok(row.and_then(|(due,)| due).map(Timestamp::from_micros))
    }

    /// Extends the leases of everything claimed under these names that is not finished.
    pub async fn renew_leases(&self, held: &[(DeliveryId, String)], lease: Duration) -> Result<(), StoreError> {
        let until = (self.now() + lease).micros();
        transact!(self.db, |tx| {
            for (id, claim) in held {
                execute!(
                    tx,
                    "UPDATE delivery SET due_at = $3 WHERE id = $1 AND claim = $2 AND state = 'pending' AND due_at < $3",
                    id.to_string(),
                    claim,
                    until
                )?;
            }
            Ok(())
        })
    }

    /// Gives back what was claimed and not tried.
    pub async fn release_deliveries(&self, held: &[(DeliveryId, String)]) -> Result<(), StoreError> {
        let now = self.now().micros();
        transact!(self.db, |tx| {
            for (id, claim) in held {
                execute!(
                    tx,
                    "UPDATE delivery SET due_at = $3, claim = '' WHERE id = $1 AND claim = $2 AND state = 'pending'",
                    id.to_string(),
                    claim,
                    now
                )?;
            }
            Ok(())
        })
    }

    /// Stores results in one transaction: attempts, the state of each delivery, the counters of each destination.
    pub async fn finish_deliveries(&self, finished: &[FinishedDelivery]) -> Result<FinishReport, StoreError> {
        let report = transact!(self.db, |tx| {
            let mut report = FinishReport::default();
            // In one order for all nodes, so that they do not wait for each other in a circle.
            let mut order: Vec<&FinishedDelivery> = finished.iter().collect();
            order.sort_by_key(|f| f.destination);
            for group in order.chunk_by(|a, b| a.destination == b.destination) {
                self.finish_group(tx, group, &mut report).await?;
            }
            Ok(report)
        })?;
        Ok(report)
    }

    /// The results of one destination.
    async fn finish_group(
        &self,
        tx: &mut Tx,
        group: &[&FinishedDelivery],
        report: &mut FinishReport,
    ) -> Result<(), StoreError> {
        let mut tally = Tally::default();
        for finished in group {
            if let Some(attempt) = &finished.attempt {
                self.write_attempt(tx, finished.id, attempt).await?;
                tally.count(attempt, &finished.next);
            }
            if !self.write_result(tx, finished).await? {
                report.lost += 1;
            }
            if let Some(record) = &finished.record {
                self.keep_external_record(tx, finished.id, record).await?;
            }
        }
        let Some(first) = group.first() else { return Ok(()) };
        let health = self.write_tally(tx, first.destination, &tally).await?;
        let Some((destination, health)) = health else { return Ok(()) };
        report.health.push(DestinationHealth {
            destination: destination.id,
            failures_in_a_row: health.failures_in_a_row,
            failures: tally.failures.unsigned_abs(),
        });
        let ended = group.iter().any(|f| !matches!(f.next, Next::Retry { .. } | Next::Postponed { .. }));
        if destination.draft.ordered && ended {
            for finished in group {
                self.let_next_go(tx, finished).await?;
            }
        }
        let off = tally.off.clone().or_else(|| switches_off(&health, self.now()));
        if let Some(reason) = off.filter(|_| destination.draft.active) {
            self.switch_off(tx, &destination, &reason).await?;
            report.switched_off.push(destination.id);
        } else if let Some(until) = tally.pause.max(health.pause(self.now(), tally.failures > 0)) {
            self.block(tx, destination.id, until).await?;
            report.blocked.push(destination.id);
        }
        Ok(())
    }

    async fn write_attempt(&self, tx: &mut Tx, delivery: DeliveryId, attempt: &Attempt) -> Result<(), StoreError> {
        // The delivery is gone when its destination was deleted meanwhile.
        execute!(
            tx,
            "INSERT INTO attempt (id, delivery_id, number, started_at, duration_micros, outcome, status, cause, exchange)
             SELECT $1, id, $3, $4, $5, $6, $7, $8, CASE WHEN reason = 'erased' THEN NULL ELSE $9 END
               FROM delivery WHERE id = $2",
            self.new_id()?.to_string(),
            delivery.to_string(),
            i64::from(attempt.number),
            attempt.started_at.micros(),
            i64::try_from(attempt.duration.as_micros()).unwrap_or(i64::MAX),
            if attempt.delivered { "delivered" } else { "failed" },
            attempt.status.map(i64::from),
            attempt.cause.as_deref(),
            attempt.exchange.as_deref()
        )?;
        Ok(())
    }

    /// False when the lease was lost, or the delivery was ended by somebody else.
    async fn write_result(&self, tx: &mut Tx, finished: &FinishedDelivery) -> Result<bool, StoreError> {
        let now = self.now().micros();
        let (state, reason, due) = match &finished.next {
            Next::Delivered => ("delivered", None, now),
            Next::Retry { at, .. } => ("pending", None, at.micros()),
            Next::Failed { reason } | Next::SwitchOff { reason } => ("failed", Some(reason.as_str()), now),
            Next::Skipped { reason } => ("skipped", Some(reason.as_str()), now),
            Next::Postponed { until } => ("pending", None, until.micros()),
        };
        let tried = finished.attempt.is_some();
        let changed = execute!(
            tx,
            "UPDATE delivery
                SET state = $3, reason = $4, due_at = $5, claim = '', progress = COALESCE($6, progress),
                    attempts = attempts + $7, completed_at = $8, first_attempt_at = COALESCE(first_attempt_at, $9)
              WHERE id = $1 AND claim = $2 AND state = 'pending'",
            finished.id.to_string(),
            &finished.claim,
            state,
            reason,
            due,
            finished.progress.as_deref(),
            i64::from(tried),
            (state != "pending").then_some(now),
            finished.attempt.as_ref().map(|a| a.started_at.micros())
        )?;
        Ok(changed == 1)
    }

    /// `None`: the destination was deleted.
    async fn write_tally(
        &self,
        tx: &mut Tx,
        id: DestinationId,
        tally: &Tally,
    ) -> Result<Option<(crate::Destination, Health)>, StoreError> {
        let row = fetch_optional!(
            tx,
            DestinationRow,
            concat!(
                "UPDATE destination
                    SET success_count = success_count + $2, failure_count = failure_count + $3,
                        last_success_at = COALESCE($4, last_success_at), last_failure_at = COALESCE($5, last_failure_at),
                        failures_in_a_row = CASE WHEN $2 > 0 THEN $6 ELSE failures_in_a_row + $6 END,
                        failing_since = CASE WHEN $6 = 0 AND $2 > 0 THEN NULL
                                             WHEN $2 > 0 THEN $5
                                             ELSE COALESCE(failing_since, $5) END
                  WHERE id = $1 RETURNING ",
                destination_columns!()
            ),
            id.to_string(),
            tally.successes,
            tally.failures,
            tally.last_success.map(Timestamp::micros),
            tally.last_failure.map(Timestamp::micros),
            tally.failures_at_end
        )?;
        let Some(row) = row else { return Ok(None) };
        let destination = self.read_destination(row)?;
        let health =
            Health { failures_in_a_row: destination.failures_in_a_row, failing_since: destination.failing_since };
        Ok(Some((destination, health)))
    }

    /// The next event of the same resource, where they go one after the other.
    async fn let_next_go(&self, tx: &mut Tx, finished: &FinishedDelivery) -> Result<(), StoreError> {
        execute!(
            tx,
            "UPDATE delivery SET state = 'pending', due_at = $2
              WHERE id IN (SELECT n.id FROM delivery n
                            WHERE n.state = 'waiting' AND n.destination_id = $3
                              AND n.resource_id = (SELECT resource_id FROM delivery WHERE id = $1)
                              AND NOT EXISTS (SELECT 1 FROM delivery b
                                               WHERE b.destination_id = n.destination_id
                                                 AND b.resource_id = n.resource_id
                                                 AND b.state IN ('pending', 'waiting')
                                                 AND (b.state = 'pending' OR b.sequence < n.sequence)))",
            finished.id.to_string(),
            self.now().micros(),
            finished.destination.to_string()
        )?;
        Ok(())
    }

    /// Nothing is sent there before `until`.
    async fn block(&self, tx: &mut Tx, id: DestinationId, until: Timestamp) -> Result<(), StoreError> {
        let id = id.to_string();
        execute!(
            tx,
            "UPDATE destination SET blocked_until = $2 WHERE id = $1 AND blocked_until < $2",
            &id,
            until.micros()
        )?;
        execute!(
            tx,
            "UPDATE delivery SET due_at = $2 WHERE destination_id = $1 AND state = 'pending' AND due_at < $2",
            &id,
            until.micros()
        )?;
        Ok(())
    }

    /// Switches a destination off by itself, and tells those who want to know.
    async fn switch_off(&self, tx: &mut Tx, destination: &crate::Destination, reason: &str) -> Result<(), StoreError> {
        let now = self.now();
        execute!(
            tx,
            "UPDATE destination SET active = $2, inactive_reason = $3, updated_at = $4 WHERE id = $1",
            destination.id.to_string(),
            false,
            reason,
            now.micros()
        )?;
        self.skip_pending(tx, destination.id, reason).await?;
        let subject =
            EventSubject { kind: EventKind::DestinationOff, resource: destination.id.0, widget: None, spam: false };
        let data = serde_json::json!({
            "id": destination.id,
            "kind": destination.draft.kind.as_str(),
            "name": destination.draft.name,
            "address": destination.draft.address,
            "reason": reason,
            "failingSince": destination.failing_since,
            "failures": destination.failures_in_a_row,
        });
        self.record_event(tx, &destination.tenant, subject, &data).await
    }
}

/// What the attempts of one batch say about their destination.
#[derive(Debug, Default)]
struct Tally {
    successes: i64,
    failures: i64,
    /// Failures after the last success of the batch.
    failures_at_end: i64,
    last_success: Option<Timestamp>,
    last_failure: Option<Timestamp>,
    pause: Option<Timestamp>,
    off: Option<String>,
}

impl Tally {
    fn count(&mut self, attempt: &Attempt, next: &Next) {
        if attempt.delivered {
            self.successes += 1;
            self.failures_at_end = 0;
            self.last_success = self.last_success.max(Some(attempt.started_at));
        } else {
            self.failures += 1;
            self.failures_at_end += 1;
            self.last_failure = self.last_failure.max(Some(attempt.started_at));
        }
        match next {
            Next::Retry { pause, .. } => self.pause = self.pause.max(*pause),
            Next::SwitchOff { reason } => self.off = Some(reason.clone()),
            _ => {}
        }
    }
}

impl Health {
    /// Until when nothing is sent after this batch.
    fn pause(&self, now: Timestamp, failed: bool) -> Option<Timestamp> {
        failed.then(|| pause_after(self.failures_in_a_row)).flatten().map(|pause| now + pause)
    }
}

fn read_claimed(row: ClaimedRow) -> Result<ClaimedDelivery, StoreError> {
    Ok(ClaimedDelivery {
        id: parse_id("delivery", &row.id)?,
        tenant: Tenant {
            account: parse_id("account", &row.account_id)?,
            environment: parse_id("environment", &row.environment)?,
        },
        destination: parse_id("destination", &row.destination_id)?,
        event: ClaimedEvent {
            kind: parse_kind(&row.event_id, &row.kind)?,
            resource: parse_id("event", &row.resource_id)?,
            sequence: u64::try_from(row.sequence).unwrap_or_default(),
            payload: row.payload,
            created_at: Timestamp::from_micros(row.event_created_at),
            id: EventId(row.event_id),
        },
        step: u32::try_from(row.step).unwrap_or_default(),
        attempts: u32::try_from(row.attempts).unwrap_or_default(),
        progress: row.progress,
        claim: row.claim,
    })
}
