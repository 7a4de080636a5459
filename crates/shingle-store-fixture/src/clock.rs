//! A clock for tests.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use shingle_domain::Timestamp;
use shingle_store::Clock;

/// A clock that stands still until it is set.
#[derive(Debug)]
pub struct ManualClock {
    micros: AtomicI64,
    /// Goes forward with the time, and stands still while that is set back.
    elapsed_micros: AtomicU64,
}

impl ManualClock {
    pub fn at(iso: &str) -> Self {
        let micros = Timestamp::parse_iso(iso).expect("an ISO 8601 date-time").micros();
        Self { micros: AtomicI64::new(micros), elapsed_micros: AtomicU64::new(0) }
    }

    pub fn advance(&self, by: Duration) {
        let by = i64::try_from(by.as_micros()).expect("a span of this era");
        self.micros.fetch_add(by, Ordering::SeqCst);
        self.elapsed_micros.fetch_add(by.unsigned_abs(), Ordering::SeqCst);
    }

    pub fn set(&self, iso: &str) {
        let new = Self::at(iso).now().micros();
        let old = self.micros.swap(new, Ordering::SeqCst);
        self.elapsed_micros.fetch_add(u64::try_from(new - old).unwrap_or(0), Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.micros.load(Ordering::SeqCst))
    }

    fn elapsed(&self) -> Duration {
        Duration::from_micros(self.elapsed_micros.load(Ordering::SeqCst))
    }
}
