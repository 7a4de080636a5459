//! Results of deliveries: stored in one transaction per batch, with a handful of statements.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use shingle_domain::event::EventKind;
use shingle_domain::message::{Message, ToMessage};
use shingle_domain::{DestinationId, Timestamp};

use crate::StoreError;
use crate::deliveries::Deliveries;
use crate::deliveries::circuit::{Health, pause_after, switches_off};
use crate::deliveries::delivery::{Attempt, DestinationHealth, FinishReport, FinishedDelivery, Next};
use crate::deliveries::event::EventSubject;
use crate::destinations::destination::{DestinationRow, destination_columns};
use crate::destinations::kind::DestinationKind;
use crate::encryption::data_key::{DataKeys, Field};
use crate::engine::db::{Db, Tx, execute, fetch_all, fetch_optional, transact};
use crate::engine::dialect;
use crate::engine::stored_message::to_stored;
use crate::store::{given_ids, parse_id};

/// A result as a row of JSON.
#[derive(Serialize)]
struct ResultRow<'a> {
    id: String,
    claim: &'a str,
    state: &'static str,
    reason: Option<String>,
    due_at: i64,
    completed_at: Option<i64>,
    progress: Option<String>,
    tried: i64,
    attempt: Option<String>,
    number: i64,
    started_at: Option<i64>,
    duration_micros: i64,
    outcome: &'static str,
    status: Option<u16>,
    cause: Option<String>,
    exchange: Option<String>,
}

/// What the attempts of one batch say about their destination.
#[derive(Debug, Default, Serialize)]
struct Tally {
    id: String,
    /// Deliveries that this batch has ended well.
    successes: i64,
    failures: i64,
    /// Attempts that succeeded, also of a lost lease.
    succeeded: i64,
    /// Failures after the last success of the batch.
    failures_at_end: i64,
    last_success: Option<i64>,
    last_failure: Option<i64>,
    #[serde(skip)]
    pause: Option<Timestamp>,
    #[serde(skip)]
    off: Option<Message>,
}

row! {
    struct TalliedRow {
        id: String,
        active: bool,
        ordered: bool,
        failures_in_a_row: i64,
        failing_since: Option<i64>,
        blocked_until: i64,
    }
}

/// The deliveries first: an erasure then waits for the attempts that are written next, or is seen by them.
macro_rules! results_sql {
    ($given:expr) => {
        concat!(
            $given,
            "UPDATE delivery
                SET state = given.state, reason = given.reason, due_at = given.due_at, claim = '',
                    progress = COALESCE(given.progress, delivery.progress), attempts = delivery.attempts + given.tried,
                    completed_at = given.completed_at,
                    first_attempt_at = COALESCE(delivery.first_attempt_at, given.started_at)
               FROM given
              WHERE delivery.id = given.id AND delivery.claim = given.claim AND delivery.state = 'pending'
                AND NOT EXISTS (SELECT 1 FROM attempt WHERE attempt.id = given.attempt)
             RETURNING delivery.id"
        )
    };
}

/// The delivery is gone when its destination was deleted meanwhile.
macro_rules! attempts_sql {
    ($given:expr) => {
        concat!(
            $given,
            "INSERT INTO attempt (id, delivery_id, number, started_at, duration_micros, outcome, status, cause, exchange)
             SELECT given.attempt, delivery.id, given.number, given.started_at, given.duration_micros, given.outcome,
                    given.status,
                    CASE WHEN delivery.reason = 'erased' THEN NULL ELSE given.cause END,
                    CASE WHEN delivery.reason = 'erased' THEN NULL ELSE given.exchange END
               FROM given JOIN delivery ON delivery.id = given.id
              WHERE given.attempt IS NOT NULL
             ON CONFLICT (id) DO NOTHING RETURNING id"
        )
    };
}

macro_rules! tallies_sql {
    ($given:expr) => {
        concat!(
            $given,
            "UPDATE destination
                SET success_count = success_count + given.successes, failure_count = failure_count + given.failures,
                    last_success_at = COALESCE(given.last_success, last_success_at),
                    last_failure_at = COALESCE(given.last_failure, last_failure_at),
                    failures_in_a_row = CASE WHEN given.succeeded > 0 THEN given.failures_at_end
                                             ELSE failures_in_a_row + given.failures_at_end END,
                    failing_since = CASE WHEN given.failures_at_end = 0 AND given.succeeded > 0 THEN NULL
                                         WHEN given.succeeded > 0 THEN given.last_failure
                                         ELSE COALESCE(failing_since, given.last_failure) END
               FROM given
              WHERE destination.id = given.id
             RETURNING destination.id, active, ordered, failures_in_a_row, failing_since, blocked_until"
        )
    };
}

/// The three texts for the engine of this store.
macro_rules! for_engine {
    ($db:expr, $sql:ident, $($columns:tt)*) => {
        match $db {
            Db::Sqlite { .. } => $sql!(dialect::given_rows!(sqlite: $($columns)*)),
            Db::Postgres(_) => $sql!(dialect::given_rows!(postgres: $($columns)*)),
        }
    };
}

impl Deliveries<'_> {
    /// Stores results in one transaction: attempts, the state of each delivery, the counters of each destination. A
    /// result that is stored already changes nothing.
    pub async fn finish(self, finished: &[FinishedDelivery]) -> Result<FinishReport, StoreError> {
        let report = transact!(self.store.db, |tx| {
            // First, and in one order for all nodes and for those who change destinations: nobody then waits in a circle.
            self.lock_destinations(tx, finished).await?;
            let stored = self.write_results(tx, finished).await?;
            let mut report = FinishReport { lost: stored.lost, ..FinishReport::default() };
            for result in finished {
                if let Some(record) = &result.record {
                    self.store.leads().keep_external_record(tx, result.id, record).await?;
                }
            }
            let mut by_destination: HashMap<DestinationId, Vec<&FinishedDelivery>> = HashMap::new();
            for result in finished {
                by_destination.entry(result.destination).or_default().push(result);
            }
            let tallies = by_destination.iter().map(|(id, group)| (*id, Tally::of(*id, group, &stored))).collect();
            let mut tallied = self.write_tallies(tx, &tallies).await?;
            tallied.sort_by(|a, b| a.id.cmp(&b.id));
            for row in tallied {
                let id: DestinationId = parse_id("destination", &row.id)?;
                if let (Some(group), Some(tally)) = (by_destination.get(&id), tallies.get(&id)) {
                    report.leaves_more |= row.ordered;
                    self.follow_up(tx, (id, &row), group, tally, &mut report).await?;
                }
            }
            Ok(report)
        })?;
        if report.leaves_more || !report.switched_off.is_empty() {
            self.store.wake.notify_one();
        }
        Ok(report)
    }

    async fn lock_destinations(self, tx: &mut Tx<'_>, finished: &[FinishedDelivery]) -> Result<(), StoreError> {
        // SQLite has one writer.
        if matches!(self.store.db, Db::Postgres(_)) {
            let ids: HashSet<DestinationId> = finished.iter().map(|f| f.destination).collect();
            let ids = given_ids(&ids.into_iter().collect::<Vec<_>>())?;
            const SQL: &str = concat!(
                dialect::given_rows!(postgres: id text),
                "SELECT destination.id FROM destination JOIN given ON given.id = destination.id
                  ORDER BY destination.id FOR NO KEY UPDATE OF destination"
            );
            execute!(tx, SQL, &ids)?;
        }
        Ok(())
    }

    async fn write_results(self, tx: &mut Tx<'_>, finished: &[FinishedDelivery]) -> Result<StoredResults, StoreError> {
        let now = self.store.now().micros();
        let mut rows = Vec::with_capacity(finished.len());
        for result in finished {
            rows.push(ResultRow::of(result, &*self.store.encryption().data_keys_in(tx, result.account).await?, now)?);
        }
        let rows = serde_json::to_string(&rows)?;
        let sql = for_engine!(self.store.db, results_sql, id text, claim text, state text, reason text, due_at bigint,
            completed_at bigint, progress text, tried bigint, attempt text, started_at bigint);
        let ended = fetch_all!(tx, (String,), sql, &rows)?;
        let sql = for_engine!(self.store.db, attempts_sql, id text, attempt text, number bigint, started_at bigint,
            duration_micros bigint, outcome text, status bigint, cause text, exchange text);
        let logged = fetch_all!(tx, (String,), sql, &rows)?;
        let mut stored = StoredResults {
            ended: ended.into_iter().map(|(id,)| id).collect(),
            logged: logged.into_iter().map(|(id,)| id).collect(),
            lost: 0,
        };
        stored.lost = finished.iter().filter(|f| !stored.ended(f) && (f.attempt.is_none() || stored.logged(f))).count();
        Ok(stored)
    }

    /// A destination that was deleted has none.
    async fn write_tallies(
        self,
        tx: &mut Tx<'_>,
        tallies: &HashMap<DestinationId, Tally>,
    ) -> Result<Vec<TalliedRow>, StoreError> {
        let rows = serde_json::to_string(&tallies.values().collect::<Vec<_>>())?;
        let sql = for_engine!(self.store.db, tallies_sql, id text, successes bigint, failures bigint, succeeded bigint,
            failures_at_end bigint, last_success bigint, last_failure bigint);
        Ok(fetch_all!(tx, TalliedRow, sql, &rows)?)
    }

    /// What the results of one destination lead to: the next in order goes, it gets a pause, it is switched off.
    async fn follow_up(
        self,
        tx: &mut Tx<'_>,
        (id, row): (DestinationId, &TalliedRow),
        group: &[&FinishedDelivery],
        tally: &Tally,
        report: &mut FinishReport,
    ) -> Result<(), StoreError> {
        let now = self.store.now();
        let health = Health {
            failures_in_a_row: row.failures_in_a_row.unsigned_abs(),
            failing_since: row.failing_since.map(Timestamp::from_micros),
        };
        report.health.push(DestinationHealth {
            destination: id,
            failures_in_a_row: health.failures_in_a_row,
            failures: group.iter().filter(|f| f.attempt.as_ref().is_some_and(|a| !a.delivered)).count() as u64,
        });
        if row.ordered {
            for finished in group.iter().filter(|f| !matches!(f.next, Next::Retry { .. } | Next::Postponed { .. })) {
                self.let_next_go(tx, finished).await?;
            }
        }
        if let Some(reason) = tally
            .off
            .clone()
            .or_else(|| switches_off(&health, now).map(|reason| reason.to_message()))
            .filter(|_| row.active)
        {
            self.switch_off(tx, id, &reason).await?;
            report.switched_off.push(id);
            return Ok(());
        }
        // An earlier pause applies to the retries of this batch too.
        let earlier = Some(Timestamp::from_micros(row.blocked_until)).filter(|until| *until > now);
        if let Some(until) = tally.pause.max(health.pause(now, tally.failures > 0)).max(earlier) {
            self.block(tx, id, until).await?;
            report.blocked.push(id);
        }
        Ok(())
    }

    /// The next event of the same resource, where they go one after the other.
    async fn let_next_go(self, tx: &mut Tx<'_>, finished: &FinishedDelivery) -> Result<(), StoreError> {
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
            self.store.now().micros(),
            finished.destination.to_string()
        )?;
        Ok(())
    }

    /// Nothing is sent there before `until`.
    async fn block(self, tx: &mut Tx<'_>, id: DestinationId, until: Timestamp) -> Result<(), StoreError> {
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

    /// Switches a destination off on its own, and notifies those who want to know.
    async fn switch_off(self, tx: &mut Tx<'_>, id: DestinationId, reason: &Message) -> Result<(), StoreError> {
        let (now, stored) = (self.store.now(), to_stored(reason));
        let row = fetch_optional!(
            tx,
            DestinationRow,
            concat!(
                // No page shows the mailboxes of inspections, so nobody could switch one on again.
                "UPDATE destination SET active = $2, inactive_reason = $3, updated_at = $4
                  WHERE id = $1 AND kind <> 'appointment' RETURNING ",
                destination_columns!()
            ),
            id.to_string(),
            false,
            &stored,
            now.micros()
        )?;
        let Some(destination) = row.map(|row| self.store.destinations().read(row)).transpose()? else { return Ok(()) };
        self.store.destinations().skip_pending(tx, id, &stored).await?;
        // A browser that was reset is one person's affair, who sees it on the page of the devices.
        if destination.draft.kind == DestinationKind::Push {
            return Ok(());
        }
        let subject = EventSubject { kind: EventKind::DestinationOff, resource: id.0, widget: None, spam: false };
        let data = serde_json::json!({
            "id": destination.id,
            "kind": destination.draft.kind.as_str(),
            "name": destination.draft.name,
            "address": destination.draft.address,
            "reason": reason.to_string(),
            "failingSince": destination.failing_since,
            "failures": destination.failures_in_a_row,
        });
        self.record_event(tx, &destination.tenant, subject, &data).await
    }
}

/// What a batch has changed.
struct StoredResults {
    /// Deliveries whose state follows from their result: the lease was ours.
    ended: HashSet<String>,
    /// Attempts that were not in the log before.
    logged: HashSet<String>,
    /// Results that came too late for their delivery.
    lost: usize,
}

impl StoredResults {
    fn ended(&self, result: &FinishedDelivery) -> bool {
        self.ended.contains(&result.id.to_string())
    }

    fn logged(&self, result: &FinishedDelivery) -> bool {
        result.attempt.as_ref().is_some_and(|attempt| self.logged.contains(&attempt.id.to_string()))
    }
}

impl<'a> ResultRow<'a> {
    fn of(finished: &'a FinishedDelivery, keys: &DataKeys, now: i64) -> Result<Self, StoreError> {
        let (state, reason, due_at) = match &finished.next {
            Next::Delivered => ("delivered", None, now),
            Next::Retry { at, .. } => ("pending", None, at.micros()),
            Next::Failed { reason } | Next::SwitchOff { reason } => ("failed", Some(to_stored(reason)), now),
            Next::Skipped { reason } => ("skipped", Some(to_stored(reason)), now),
            Next::Postponed { until } => ("pending", None, until.micros()),
        };
        let attempt = finished.attempt.as_ref();
        let (id, attempt_id) = (finished.id.to_string(), attempt.map(|a| a.id.to_string()).unwrap_or_default());
        let cause = attempt.and_then(|a| a.cause.as_ref()).map(|message| to_stored(message));
        let seal_told = |field, told: Option<&str>| keys.seal_some(field, &attempt_id, told);
        Ok(Self {
            claim: &finished.claim,
            state,
            reason: keys.seal_some(Field::DeliveryReason, &id, reason.as_deref())?,
            due_at,
            completed_at: (state != "pending").then_some(now),
            progress: keys.seal_some(Field::DeliveryProgress, &id, finished.progress.as_deref())?,
            tried: i64::from(attempt.is_some()),
            attempt: attempt.map(|a| a.id.to_string()),
            number: attempt.map_or(0, |a| i64::from(a.number)),
            started_at: attempt.map(|a| a.started_at.micros()),
            duration_micros: attempt.map_or(0, |a| i64::try_from(a.duration.as_micros()).unwrap_or(i64::MAX)),
            outcome: if attempt.is_some_and(|a| a.delivered) { "delivered" } else { "failed" },
            status: attempt.and_then(|a| a.status),
            cause: seal_told(Field::AttemptCause, cause.as_deref())?,
            exchange: seal_told(Field::AttemptExchange, attempt.and_then(|a| a.exchange.as_deref()))?,
            id,
        })
    }
}

impl Tally {
    fn of(id: DestinationId, group: &[&FinishedDelivery], stored: &StoredResults) -> Self {
        let mut tally = Self { id: id.to_string(), ..Self::default() };
        for result in group.iter().filter(|result| stored.logged(result)) {
            if let Some(attempt) = &result.attempt {
                tally.count(attempt, &result.next, stored.ended(result));
            }
        }
        tally
    }

    fn count(&mut self, attempt: &Attempt, next: &Next, ended: bool) {
        let at = Some(attempt.started_at.micros());
        if attempt.delivered {
            self.successes += i64::from(ended);
            self.succeeded += 1;
            self.failures_at_end = 0;
            self.last_success = self.last_success.max(at);
        } else {
            self.failures += 1;
            self.failures_at_end += 1;
            self.last_failure = self.last_failure.max(at);
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
