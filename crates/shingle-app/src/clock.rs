//! The system clock. Nothing else in the program reads it.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use shingle_domain::Timestamp;
use shingle_store::Clock;

#[derive(Debug, Clone, Copy, Default)]
pub struct MachineClock;

impl Clock for MachineClock {
    #[allow(clippy::disallowed_methods, reason = "this is where the injected time comes from")]
    fn now(&self) -> Timestamp {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
    }

    #[allow(clippy::disallowed_methods, reason = "this is where the injected time comes from")]
    fn elapsed(&self) -> Duration {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        START.elapsed()
    }
}
