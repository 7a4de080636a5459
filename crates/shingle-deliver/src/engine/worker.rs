//! The loop of one node.
//!
//! # Decision
//!
//! A node keeps its leases under one name and never claims again what it holds, even after a lease ends. Turned down:
//! a name per claim; after a database outage a node resent what it was still sending.

use std::collections::{HashMap, HashSet};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use shingle_domain::DestinationId;
use shingle_store::{ClaimedDelivery, DestinationKind, FinishedDelivery, Store, StoreError};
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior};
use tracing::Instrument as _;

use super::lanes::Lanes;
use super::metrics::DeliveryMetrics;
use super::random::{random_chance, random_uuid};
use super::recorder::{DATABASE_PAUSE, Stored, record};
use super::results::Tried;
use super::settings::EngineSettings;
use crate::failure::DeliveryFailure;
use crate::transport::{Job, Outcome, Transport, Transports, Verdict};

/// Deliveries in one claim.
const CLAIM_BATCH: usize = 128;
/// Results that wait for the database from which on nothing more is sent: what a node has sent and not stored is sent
/// again when it dies.
const MAX_UNSTORED: usize = 256;
/// Deliveries that are held at one time; they wait in memory.
const MAX_HELD: usize = 8_192;

/// Claims what is due, sends it, and stores what came of it.
#[derive(Clone)]
pub struct Engine {
    store: Store,
    transports: Transports,
    settings: EngineSettings,
    metrics: Arc<DeliveryMetrics>,
}

/// The state of one run of the loop.
struct Run<'a> {
    engine: &'a Engine,
    lanes: Lanes,
    tried: mpsc::UnboundedSender<Tried>,
    results: mpsc::UnboundedReceiver<Tried>,
    to_store: mpsc::UnboundedSender<FinishedDelivery>,
    stored: mpsc::UnboundedReceiver<Stored>,
    /// Results that are not stored yet, and those that are.
    unstored: usize,
    total: usize,
    /// Under which this run holds its leases.
    claim: String,
    /// Destinations that were left out of the last claim.
    left_out: Vec<DestinationId>,
}

impl Engine {
    pub fn new(store: Store, transports: Transports, settings: EngineSettings) -> Self {
        Self { store, transports, settings, metrics: Arc::default() }
    }

    pub fn metrics(&self) -> &DeliveryMetrics {
        &self.metrics
    }

    /// Works until `stop`, then waits for the requests that are under way.
    pub async fn run(&self, stop: impl Future<Output = ()>) {
        let mut run = Run::start(self);
        tokio::pin!(stop);
        let mut poll = tokio::time::interval(self.settings.poll);
        poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut renewal = tokio::time::interval(self.settings.lease / 4);
        renewal.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut due = true;
        loop {
            run.start_waiting();
            if (due || run.has_emptied()) && run.has_room() {
                due = run.claim().await;
                run.start_waiting();
            }
            tokio::select! {
                biased;
                () = &mut stop => break,
                Some(tried) = run.results.recv() => run.finish(tried),
                Some(stored) = run.stored.recv() => run.note(&stored),
                () = self.store.deliveries().due() => due = true,
                _ = poll.tick() => due = true,
                _ = renewal.tick() => run.renew().await,
            }
        }
        run.drain().await;
    }

    /// Works off everything that is due now, and returns how many results were stored. For tests and tools: it does not
    /// wait for what is due later.
    pub async fn work_off(&self) -> usize {
        let mut run = Run::start(self);
        loop {
            let before = run.total;
            let more = run.has_room() && run.claim().await;
            run.start_waiting();
            if run.lanes.held() == 0 && run.unstored == 0 {
                // What was stored after the claim may have let the next in order go.
                if !more && run.total == before {
                    return run.total;
                }
                continue;
            }
            tokio::select! {
                Some(tried) = run.results.recv() => run.finish(tried),
                Some(stored) = run.stored.recv() => run.note(&stored),
            }
        }
    }

    fn transport(&self, kind: DestinationKind) -> Option<Arc<dyn Transport>> {
        match kind {
            DestinationKind::Webhook => Some(self.transports.webhook.clone()),
            DestinationKind::Mail | DestinationKind::Homeowner | DestinationKind::Appointment => {
                self.transports.mail.clone()
            }
            DestinationKind::Connector => self.transports.connector.clone(),
            DestinationKind::Push => self.transports.push.clone(),
        }
    }

    /// Tries one delivery. Its timeout is the transport's; the outer one is for a transport that forgets.
    async fn attempt(self, job: Arc<Job>) -> Tried {
        let started_at = self.store.now();
        let clock = Instant::now();
        if job.delivery.attempts == 0 {
            let waited = started_at.micros() - job.delivery.event.created_at.micros();
            self.metrics.first_attempt(Duration::from_micros(u64::try_from(waited).unwrap_or_default()));
        }
        let limit = Duration::from_secs(u64::from(job.destination.draft.timeout_seconds) * 4 + 5);
        let outcome = match self.transport(job.destination.draft.kind) {
            _ if !job.destination.draft.active => Outcome::skipped(DeliveryFailure::SwitchedOff),
            None => Outcome::skipped(DeliveryFailure::NoMail),
            Some(transport) => tokio::time::timeout(limit, transport.deliver(&job))
                .await
                .unwrap_or_else(|_| Outcome::try_again(DeliveryFailure::TooLong)),
        };
        Tried { job, outcome, started_at, took: clock.elapsed() }
    }

    /// The same, whatever happens in it: a delivery of which nothing is heard would be held for ever.
    async fn attempt_safely(self, job: Job) -> Tried {
        let (job, started_at) = (Arc::new(job), self.store.now());
        let span = job.span();
        let tried = tokio::spawn(self.attempt(job.clone()).instrument(span.clone())).await;
        tried.unwrap_or_else(|error| {
            span.in_scope(|| tracing::error!(%error, "an attempt broke off"));
            let outcome = Outcome::try_again(DeliveryFailure::Internal);
            Tried { job, outcome, started_at, took: Duration::ZERO }
        })
    }

    async fn destinations(
        &self,
        claimed: &[ClaimedDelivery],
    ) -> Result<HashMap<DestinationId, Arc<shingle_store::Destination>>, StoreError> {
        let ids: HashSet<DestinationId> = claimed.iter().map(|delivery| delivery.destination).collect();
        let ids: Vec<_> = ids.into_iter().collect();
        let found = self.store.destinations().of_any_tenant(&ids).await?;
        let readable = found.into_iter().filter_map(|destination| match destination {
            Ok(destination) => Some((destination.id, Arc::new(destination))),
            Err(error) => {
                tracing::error!(%error, "nothing can be delivered to a destination");
                None
            }
        });
        Ok(readable.collect())
    }
}

impl<'a> Run<'a> {
    fn start(engine: &'a Engine) -> Self {
        let (tried, results) = mpsc::unbounded_channel();
        let (to_store, finished) = mpsc::unbounded_channel();
        let (reports, stored) = mpsc::unbounded_channel();
        tokio::spawn(record(engine.store.clone(), engine.metrics.clone(), finished, reports));
        Self {
            engine,
            lanes: Lanes::default(),
            tried,
            results,
            to_store,
            stored,
            unstored: 0,
            total: 0,
            claim: random_uuid().simple().to_string(),
            left_out: Vec::new(),
        }
    }

    fn has_room(&self) -> bool {
        let settings = &self.engine.settings;
        self.lanes.held() < MAX_HELD && self.lanes.busy(settings) + CLAIM_BATCH <= settings.max_running * 2
    }

    /// Whether a destination that was left out of the last claim has little left.
    fn has_emptied(&self) -> bool {
        self.left_out.iter().any(|id| !self.lanes.is_full(*id))
    }

    /// Whether there may be more.
    async fn claim(&mut self) -> bool {
        let Engine { store, settings, .. } = self.engine;
        self.left_out = self.lanes.full();
        let claimed = async {
            let claimed = store.deliveries().claim(&self.claim, settings.lease, CLAIM_BATCH, &self.left_out).await?;
            let count = claimed.len();
            let readable = claimed.into_iter().filter_map(|delivery| {
                delivery.inspect_err(|error| tracing::error!(%error, "a delivery cannot be read")).ok()
            });
            let readable: Vec<ClaimedDelivery> = readable.collect();
            let destinations =
                if readable.is_empty() { HashMap::new() } else { self.engine.destinations(&readable).await? };
            Ok::<_, StoreError>((count, readable, destinations))
        };
        match claimed.await {
            Ok((count, readable, destinations)) => {
                // What was stored before this claim may be claimed in it.
                while let Ok(stored) = self.stored.try_recv() {
                    self.note(&stored);
                }
                for delivery in readable {
                    if let Some(destination) = destinations.get(&delivery.destination) {
                        self.lanes.add(delivery, destination.clone());
                    }
                }
                count == CLAIM_BATCH
            }
            Err(error) => {
                tracing::warn!(%error, "deliveries cannot be claimed; it is tried again");
                tokio::time::sleep(DATABASE_PAUSE).await;
                false
            }
        }
    }

    fn start_waiting(&mut self) {
        while self.unstored < MAX_UNSTORED
            && let Some(job) = self.lanes.start_next(&self.engine.settings)
        {
            let (engine, tried) = (self.engine.clone(), self.tried.clone());
            tokio::spawn(async move {
                // The receiver is gone when the engine has stopped; the lease then ends on its own.
                let _ = tried.send(engine.attempt_safely(job).await);
            });
        }
    }

    fn finish(&mut self, tried: Tried) {
        let delivered = tried.outcome.verdict == Verdict::Delivered;
        let destination = tried.job.delivery.destination;
        self.lanes.ended(destination, delivered);
        self.engine.metrics.attempt(tried.took, delivered);
        // The cause may hold what a mail server said of an address: it is for the delivery log alone.
        match tried.outcome.verdict {
            Verdict::TryAgain { .. } | Verdict::Refused | Verdict::Gone => {
                let status = tried.outcome.status;
                tried.job.span().in_scope(|| tracing::info!(%destination, status, "not delivered"));
            }
            _ => {}
        }
        let now = self.engine.store.now();
        let finished = tried.finish(&self.engine.settings.schedule, now, random_chance(), random_uuid());
        self.unstored += 1;
        let _ = self.to_store.send(finished);
    }

    fn note(&mut self, stored: &Stored) {
        self.unstored -= stored.deliveries.len();
        self.total += stored.deliveries.len();
        self.lanes.stored(&stored.deliveries);
        for health in &stored.report.health {
            self.lanes.note(health);
        }
        for destination in stored.report.blocked.iter().chain(&stored.report.switched_off) {
            self.lanes.drop_waiting(*destination);
        }
    }

    async fn renew(&mut self) {
        let held = self.lanes.leases();
        if held.is_empty() {
            return;
        }
        if let Err(error) =
            self.engine.store.deliveries().renew_leases(&self.claim, &held, self.engine.settings.lease).await
        {
            tracing::warn!(%error, "leases of deliveries cannot be renewed; others may send the same");
        }
    }

    /// Gives back what waits, and lets what runs come to its end.
    async fn drain(mut self) {
        let waiting = self.lanes.take_waiting();
        let Engine { store, settings, .. } = self.engine;
        if let Err(error) = store.deliveries().release(&self.claim, &waiting, settings.lease).await {
            tracing::warn!(%error, "waiting deliveries cannot be given back; their leases end by themselves");
        }
        let deadline = Instant::now() + self.engine.settings.drain;
        while self.lanes.running() > 0 || self.unstored > 0 {
            tokio::select! {
                Some(tried) = self.results.recv() => self.finish(tried),
                Some(stored) = self.stored.recv() => self.note(&stored),
                () = tokio::time::sleep_until(deadline) => break,
            }
        }
    }
}
