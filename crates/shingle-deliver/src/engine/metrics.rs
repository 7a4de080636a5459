//! The engine's metrics, for operators.

use std::time::Duration;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

const BOUNDS_SECONDS: [f64; 10] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 15.0, 30.0];

/// Since the start of the process. Clones count together.
#[derive(Debug, Clone)]
pub struct DeliveryMetrics {
    first_attempt: Histogram,
    attempt: Histogram,
    delivered: Counter,
    failed: Counter,
    blocked: Counter,
    switched_off: Counter,
    lost_leases: Counter,
    backlog: Gauge,
    backlog_age: Gauge<f64, std::sync::atomic::AtomicU64>,
    paused: Gauge,
}

impl Default for DeliveryMetrics {
    fn default() -> Self {
        Self {
            first_attempt: Histogram::new(BOUNDS_SECONDS),
            attempt: Histogram::new(BOUNDS_SECONDS),
            delivered: Counter::default(),
            failed: Counter::default(),
            blocked: Counter::default(),
            switched_off: Counter::default(),
            lost_leases: Counter::default(),
            backlog: Gauge::default(),
            backlog_age: Gauge::default(),
            paused: Gauge::default(),
        }
    }
}

impl DeliveryMetrics {
    pub fn register(&self, registry: &mut Registry) {
        let of = registry.sub_registry_with_prefix("shingle_delivery");
        of.register(
            "first_attempt_seconds",
            "From the commit of an event to the first attempt of a delivery",
            self.first_attempt.clone(),
        );
        of.register("attempt_seconds", "Duration of an attempt", self.attempt.clone());
        for (name, help, counter) in [
            ("attempts_delivered", "Attempts that succeeded", &self.delivered),
            ("attempts_failed", "Attempts that failed", &self.failed),
            ("pauses", "Pauses of destinations after failures", &self.blocked),
            ("switched_off", "Destinations switched off by themselves", &self.switched_off),
            ("lost_leases", "Results whose lease was lost", &self.lost_leases),
        ] {
            of.register(name, help, counter.clone());
        }
        of.register("backlog_age_seconds", "Age of the oldest due delivery", self.backlog_age.clone());
        of.register("backlog", "Due deliveries", self.backlog.clone());
        of.register("destinations_paused", "Destinations in a pause", self.paused.clone());
    }

    pub(super) fn first_attempt(&self, after: Duration) {
        self.first_attempt.observe(after.as_secs_f64());
    }

    pub(super) fn attempt(&self, took: Duration, delivered: bool) {
        self.attempt.observe(took.as_secs_f64());
        let counter = if delivered { &self.delivered } else { &self.failed };
        counter.inc();
    }

    pub(super) fn stored(&self, report: &shingle_store::FinishReport) {
        self.blocked.inc_by(report.blocked.len() as u64);
        self.switched_off.inc_by(report.switched_off.len() as u64);
        self.lost_leases.inc_by(report.lost as u64);
    }

    /// `age`: how long the oldest due delivery has waited; `paused`: destinations in a pause.
    pub fn note_backlog(&self, age: Duration, due: u64, paused: u64) {
        self.backlog_age.set(age.as_secs_f64());
        self.backlog.set(i64::try_from(due).unwrap_or(i64::MAX));
        self.paused.set(i64::try_from(paused).unwrap_or(i64::MAX));
    }
}
