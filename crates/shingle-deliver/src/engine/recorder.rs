//! Stores results, in batches.
//!
//! # Decision
//!
//! A separate task stores results, 256 at a time in four statements with rows as JSON, and no more is sent than may
//! wait to be stored. An attempt gets its id first, so a batch with an unconfirmed commit can be stored again. Turned
//! down: three statements per result.

use std::sync::Arc;
use std::time::Duration;

use shingle_domain::DeliveryId;
use shingle_store::{FinishReport, FinishedDelivery, Store};
use tokio::sync::mpsc;

use super::metrics::DeliveryMetrics;

/// Results in one transaction.
const RESULT_BATCH: usize = 256;
/// How long to wait before a failed database is asked again.
pub(super) const DATABASE_PAUSE: Duration = Duration::from_millis(200);
/// How often a result is refused while others are taken, before it is given up.
const MAX_REFUSALS: u32 = 3;

/// What the recorder says about one batch.
pub(super) struct Stored {
    pub report: FinishReport,
    pub deliveries: Vec<DeliveryId>,
}

struct Recorder {
    store: Store,
    metrics: Arc<DeliveryMetrics>,
    finished: mpsc::UnboundedReceiver<FinishedDelivery>,
    reports: mpsc::UnboundedSender<Stored>,
}

/// Until the engine has stopped and everything is stored. While the database is down it goes on trying: a result that is
/// lost is sent twice.
pub(super) async fn record(
    store: Store,
    metrics: Arc<DeliveryMetrics>,
    finished: mpsc::UnboundedReceiver<FinishedDelivery>,
    reports: mpsc::UnboundedSender<Stored>,
) {
    let mut recorder = Recorder { store, metrics, finished, reports };
    let mut batch = Vec::with_capacity(RESULT_BATCH);
    while recorder.finished.recv_many(&mut batch, RESULT_BATCH).await > 0 {
        recorder.store_all(&mut batch).await;
    }
}

impl Recorder {
    /// Leaves the batch empty.
    async fn store_all(&mut self, batch: &mut Vec<FinishedDelivery>) {
        let mut refusals = 0;
        while !batch.is_empty() {
            let Err(error) = self.store(batch).await else {
                batch.clear();
                return;
            };
            tracing::warn!(%error, "results of deliveries cannot be stored; it is tried again");
            // The engine has stopped: nobody waits.
            if self.reports.is_closed() {
                batch.clear();
                return;
            }
            tokio::time::sleep(DATABASE_PAUSE).await;
            while batch.len() < RESULT_BATCH
                && let Ok(more) = self.finished.try_recv()
            {
                batch.push(more);
            }
            // Is it the database, or one of them?
            if batch.len() > 1 && self.store_each(batch).await {
                refusals += 1;
            }
            if refusals >= MAX_REFUSALS {
                self.give_up(batch);
            }
        }
    }

    /// Stores them one by one and keeps those that are refused. Whether any was taken.
    async fn store_each(&self, batch: &mut Vec<FinishedDelivery>) -> bool {
        let before = batch.len();
        let mut refused = Vec::new();
        for result in batch.drain(..) {
            if self.store(std::slice::from_ref(&result)).await.is_err() {
                refused.push(result);
            }
        }
        *batch = refused;
        batch.len() < before
    }

    async fn store(&self, batch: &[FinishedDelivery]) -> Result<(), shingle_store::StoreError> {
        let report = self.store.deliveries().finish(batch).await?;
        self.metrics.stored(&report);
        let _ = self.reports.send(Stored { report, deliveries: batch.iter().map(|f| f.id).collect() });
        Ok(())
    }

    /// A result that the database takes in no form must not hold up the others. Its lease ends, and it is sent again.
    fn give_up(&self, batch: &mut Vec<FinishedDelivery>) {
        for result in batch.iter() {
            tracing::error!(delivery = %result.id, "the result of a delivery is given up: the database refuses it");
        }
        let deliveries = batch.drain(..).map(|f| f.id).collect();
        let _ = self.reports.send(Stored { report: FinishReport::default(), deliveries });
    }
}
