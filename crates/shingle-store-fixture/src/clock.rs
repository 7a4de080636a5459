//! A clock for tests.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use shingle_domain::Timestamp;
use shingle_store::Clock;

/// A clock that stands still until it is set.
#[derive(Debug)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    pub fn at(iso: &str) -> Self {
        Self(AtomicI64::new(Timestamp::parse_iso(iso).expect("an ISO 8601 date-time").micros()))
    }

    pub fn advance(&self, by: Duration) {
        self.0.fetch_add(i64::try_from(by.as_micros()).expect("a span of this era"), Ordering::SeqCst);
    }

    pub fn set(&self, iso: &str) {
        self.0.store(Self::at(iso).now().micros(), Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.0.load(Ordering::SeqCst))
    }
}
