//! The loop of one node.

use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use shingle_domain::DestinationId;
use shingle_store::{ClaimedDelivery, DestinationKind, FinishReport, FinishedDelivery, Store, StoreError};
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior};

use super::lanes::Lanes;
use super::metrics::DeliveryMetrics;
use super::results::Tried;
use super::settings::EngineSettings;
use crate::transport::{Job, Outcome, Transport, Transports, Verdict};

/// Deliveries in one claim, and results in one transaction.
const CLAIM_BATCH: usize = 128;
const RESULT_BATCH: usize = 128;
/// How long to wait before a failed database is asked again.
const DATABASE_PAUSE: Duration = Duration::from_millis(200);

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
    /// Results that are not stored yet.
    unstored: usize,
}

/// What the recorder says about one batch.
struct Stored {
    report: FinishReport,
    count: usize,
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
            if due && run.has_room() {
                due = run.claim().await;
            }
            run.start_waiting();
            tokio::select! {
                biased;
                () = &mut stop => break,
                Some(tried) = run.results.recv() => run.finish(tried),
                Some(stored) = run.stored.recv() => run.note(&stored),
                () = self.store.delivery_due() => due = true,
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
        let mut total = 0;
        loop {
            let more = run.has_room() && run.claim().await;
            run.start_waiting();
            if run.lanes.is_empty() && run.unstored == 0 {
                if !more {
                    return total;
                }
                continue;
            }
            tokio::select! {
                Some(tried) = run.results.recv() => run.finish(tried),
                Some(stored) = run.stored.recv() => {
                    total += stored.count;
                    run.note(&stored);
                }
            }
        }
    }

    fn transport(&self, kind: DestinationKind) -> Option<Arc<dyn Transport>> {
        match kind {
            DestinationKind::Webhook => Some(self.transports.webhook.clone()),
            DestinationKind::Mail | DestinationKind::Homeowner => self.transports.mail.clone(),
            DestinationKind::Connector => self.transports.connector.clone(),
        }
    }

    /// Tries one delivery. Its timeout is the transport's; the outer one is for a transport that forgets.
    async fn attempt(&self, job: Job) -> Tried {
        let started_at = self.store.now();
        let clock = Instant::now();
        if job.delivery.attempts == 0 {
            let waited = started_at.micros() - job.delivery.event.created_at.micros();
            self.metrics.first_attempt(Duration::from_micros(u64::try_from(waited).unwrap_or_default()));
        }
        let limit = Duration::from_secs(u64::from(job.destination.draft.timeout_seconds) * 4 + 5);
        let outcome = match self.transport(job.destination.draft.kind) {
            None => Outcome::skipped("this installation cannot send mail: smtp_url is not set"),
            Some(transport) => tokio::time::timeout(limit, transport.deliver(&job))
                .await
                .unwrap_or_else(|_| Outcome::try_again("it took too long")),
        };
        Tried { job, outcome, started_at, took: clock.elapsed() }
    }

    async fn destinations(
        &self,
        claimed: &[ClaimedDelivery],
    ) -> Result<HashMap<DestinationId, Arc<shingle_store::Destination>>, StoreError> {
        let mut known = HashMap::new();
        for delivery in claimed {
            if known.contains_key(&delivery.destination) {
                continue;
            }
            if let Some(destination) = self.store.destination_of_any_tenant(delivery.destination).await? {
                known.insert(delivery.destination, Arc::new(destination));
            }
        }
        Ok(known)
    }
}

impl<'a> Run<'a> {
    fn start(engine: &'a Engine) -> Self {
        let (tried, results) = mpsc::unbounded_channel();
        let (to_store, finished) = mpsc::unbounded_channel();
        let (reports, stored) = mpsc::unbounded_channel();
        tokio::spawn(record(engine.store.clone(), engine.metrics.clone(), finished, reports));
        Self { engine, lanes: Lanes::default(), tried, results, to_store, stored, unstored: 0 }
    }

    fn has_room(&self) -> bool {
        self.lanes.held() + CLAIM_BATCH <= self.engine.settings.max_running * 2
    }

    /// Whether there may be more.
    async fn claim(&mut self) -> bool {
        let Engine { store, settings, .. } = self.engine;
        let claimed = async {
            let name = random_name()?;
            let claimed = store.claim_deliveries(&name, settings.lease, CLAIM_BATCH, &self.lanes.full()).await?;
            let destinations = self.engine.destinations(&claimed).await?;
            Ok::<_, StoreError>((claimed, destinations))
        };
        match claimed.await {
            Ok((claimed, destinations)) => {
                let more = claimed.len() == CLAIM_BATCH;
                for delivery in claimed {
                    if let Some(destination) = destinations.get(&delivery.destination) {
                        self.lanes.add(delivery, destination.clone());
                    }
                }
                more
            }
            Err(error) => {
                tracing::warn!(%error, "deliveries cannot be claimed; it is tried again");
                tokio::time::sleep(DATABASE_PAUSE).await;
                false
            }
        }
    }

    fn start_waiting(&mut self) {
        while let Some(job) = self.lanes.start_next(&self.engine.settings) {
            let (engine, tried) = (self.engine.clone(), self.tried.clone());
            tokio::spawn(async move {
                // The receiver is gone when the engine has stopped; the lease then ends by itself.
                let _ = tried.send(engine.attempt(job).await);
            });
        }
    }

    fn finish(&mut self, tried: Tried) {
        let delivered = tried.outcome.verdict == Verdict::Delivered;
        self.lanes.ended(tried.job.delivery.destination, tried.job.delivery.id, delivered);
        self.engine.metrics.attempt(tried.took, delivered);
        if !delivered && let Some(cause) = &tried.outcome.cause {
            let (delivery, destination) = (tried.job.delivery.id, tried.job.delivery.destination);
            tracing::info!(%delivery, %destination, cause, "not delivered");
        }
        let now = self.engine.store.now();
        let finished = tried.finish(&self.engine.settings.schedule, now, random_chance());
        self.unstored += 1;
        let _ = self.to_store.send(finished);
    }

    fn note(&mut self, stored: &Stored) {
        self.unstored -= stored.count;
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
        if let Err(error) = self.engine.store.renew_leases(&held, self.engine.settings.lease).await {
            tracing::warn!(%error, "leases of deliveries cannot be renewed; others may send the same");
        }
    }

    /// Gives back what waits, and lets what runs come to its end.
    async fn drain(mut self) {
        let waiting = self.lanes.take_waiting();
        if let Err(error) = self.engine.store.release_deliveries(&waiting).await {
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

/// Stores results in batches. While the database is down it goes on trying: a result that is lost is sent twice.
async fn record(
    store: Store,
    metrics: Arc<DeliveryMetrics>,
    mut finished: mpsc::UnboundedReceiver<FinishedDelivery>,
    reports: mpsc::UnboundedSender<Stored>,
) {
    let mut batch = Vec::with_capacity(RESULT_BATCH);
    while finished.recv_many(&mut batch, RESULT_BATCH).await > 0 {
        let report = loop {
            match store.finish_deliveries(&batch).await {
                Ok(report) => break report,
                Err(error) => {
                    tracing::warn!(%error, "results of deliveries cannot be stored; it is tried again");
                    tokio::time::sleep(DATABASE_PAUSE).await;
                    // The engine has stopped: nobody waits.
                    if reports.is_closed() {
                        return;
                    }
                }
            }
        };
        metrics.stored(&report);
        let _ = reports.send(Stored { report, count: batch.len() });
        batch.clear();
    }
}

fn random_name() -> Result<String, StoreError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(StoreError::Random)?;
    Ok(uuid::Builder::from_random_bytes(bytes).into_uuid().simple().to_string())
}

/// In [0, 1).
fn random_chance() -> f64 {
    let mut bytes = [0; 4];
    // Without random numbers the wait is the usual one.
    if getrandom::fill(&mut bytes).is_err() {
        return 0.5;
    }
    f64::from(u32::from_be_bytes(bytes)) / (f64::from(u32::MAX) + 1.0)
}
