//! Real time, which this program is there to measure.

#![allow(clippy::disallowed_methods, reason = "measures real time")]

use std::sync::LazyLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use shingle_domain::Timestamp;
use shingle_store::Clock;

pub struct WallClock;

impl Clock for WallClock {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
    }

    fn elapsed(&self) -> Duration {
        static START: LazyLock<Instant> = LazyLock::new(now);
        START.elapsed()
    }
}

pub fn now() -> Instant {
    Instant::now()
}
