//! Figures of the engine, for operators: in the text form that Prometheus reads.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const BOUNDS_MILLIS: [u64; 10] = [5, 10, 25, 50, 100, 250, 1_000, 5_000, 15_000, 30_000];

#[derive(Debug, Default)]
struct Histogram {
    buckets: [AtomicU64; BOUNDS_MILLIS.len()],
    count: AtomicU64,
    sum_micros: AtomicU64,
}

impl Histogram {
    fn add(&self, value: Duration) {
        let millis = u64::try_from(value.as_millis()).unwrap_or(u64::MAX);
        for (bucket, _) in self.buckets.iter().zip(BOUNDS_MILLIS).filter(|(_, bound)| millis <= *bound) {
            bucket.fetch_add(1, Ordering::Relaxed);
        }
        self.count.fetch_add(1, Ordering::Relaxed);
        self.sum_micros.fetch_add(u64::try_from(value.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    fn write(&self, out: &mut String, name: &str, help: &str) {
        let count = self.count.load(Ordering::Relaxed);
        let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} histogram");
        for (bucket, bound) in self.buckets.iter().zip(BOUNDS_MILLIS) {
            let seconds = bound as f64 / 1_000.0;
            let _ = writeln!(out, "{name}_bucket{{le=\"{seconds}\"}} {}", bucket.load(Ordering::Relaxed));
        }
        let sum = self.sum_micros.load(Ordering::Relaxed) as f64 / 1e6;
        let _ = writeln!(out, "{name}_bucket{{le=\"+Inf\"}} {count}\n{name}_sum {sum}\n{name}_count {count}");
    }
}

/// Since the start of the process.
#[derive(Debug, Default)]
pub struct DeliveryMetrics {
    first_attempt: Histogram,
    attempt: Histogram,
    delivered: AtomicU64,
    failed: AtomicU64,
    blocked: AtomicU64,
    switched_off: AtomicU64,
    lost_leases: AtomicU64,
}

impl DeliveryMetrics {
    pub(super) fn first_attempt(&self, after: Duration) {
        self.first_attempt.add(after);
    }

    pub(super) fn attempt(&self, took: Duration, delivered: bool) {
        self.attempt.add(took);
        let counter = if delivered { &self.delivered } else { &self.failed };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn stored(&self, report: &shingle_store::FinishReport) {
        self.blocked.fetch_add(report.blocked.len() as u64, Ordering::Relaxed);
        self.switched_off.fetch_add(report.switched_off.len() as u64, Ordering::Relaxed);
        self.lost_leases.fetch_add(report.lost as u64, Ordering::Relaxed);
    }

    /// `backlog_age`: how long the oldest due delivery has waited; `blocked_now`: destinations in a pause.
    pub fn text(&self, backlog_age: Duration, backlog: u64, blocked_now: u64) -> String {
        let mut out = String::new();
        self.first_attempt.write(
            &mut out,
            "shingle_delivery_first_attempt_seconds",
            "From the commit of an event to the first attempt of a delivery",
        );
        self.attempt.write(&mut out, "shingle_delivery_attempt_seconds", "Duration of an attempt");
        for (name, help, value) in [
            ("shingle_delivery_attempts_delivered_total", "Attempts that succeeded", &self.delivered),
            ("shingle_delivery_attempts_failed_total", "Attempts that failed", &self.failed),
            ("shingle_delivery_pauses_total", "Pauses of destinations after failures", &self.blocked),
            ("shingle_delivery_switched_off_total", "Destinations switched off by themselves", &self.switched_off),
            ("shingle_delivery_lost_leases_total", "Results whose lease was lost", &self.lost_leases),
        ] {
            let _ =
                writeln!(out, "# HELP {name} {help}\n# TYPE {name} counter\n{name} {}", value.load(Ordering::Relaxed));
        }
        for (name, help, value) in [
            ("shingle_delivery_backlog_age_seconds", "Age of the oldest due delivery", backlog_age.as_secs_f64()),
            ("shingle_delivery_backlog", "Due deliveries", backlog as f64),
            ("shingle_delivery_destinations_paused", "Destinations in a pause", blocked_now as f64),
        ] {
            let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {value}");
        }
        out
    }
}
