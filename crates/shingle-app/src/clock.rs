//! The system clock. Nothing else in the program reads it.
//!
//! # Decision
//!
//! Nodes on one PostgreSQL take its time: they agree on what is due, how long a lease holds and when a session ends, whatever
//! the clock of one of them says. Between two readings the monotonic clock counts on, so a step of a node's clock is not
//! noticed. Turned down: refusing to serve while the clocks differ, which a step in mid-flight comes before.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use shingle_domain::Timestamp;
use shingle_store::{Clock, Store, StoreError};

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

/// This machine's clock, until the database has told its own.
#[derive(Debug)]
pub struct NodeClock {
    /// What the database's clock said when [`Clock::elapsed`] was zero, in microseconds.
    zero: AtomicI64,
}

const NOT_TOLD: i64 = i64::MIN;
/// A reading that took longer says too little.
const MAX_READING: Duration = Duration::from_secs(1);

impl Default for NodeClock {
    fn default() -> Self {
        Self { zero: AtomicI64::new(NOT_TOLD) }
    }
}

impl NodeClock {
    /// Takes the time of the database, where it has a clock of its own.
    pub async fn follow(&self, store: &Store) -> Result<(), StoreError> {
        let asked = self.elapsed();
        let Some(theirs) = store.database_clock().await? else { return Ok(()) };
        self.set(theirs, asked, self.elapsed());
        Ok(())
    }

    fn set(&self, theirs: Timestamp, asked: Duration, answered: Duration) {
        let is_told = self.zero.load(Ordering::Relaxed) != NOT_TOLD;
        if is_told && answered.saturating_sub(asked) > MAX_READING {
            return;
        }
        let halfway = micros((asked + answered) / 2);
        self.zero.store(theirs.micros() - halfway, Ordering::Relaxed);
    }
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

impl Clock for NodeClock {
    fn now(&self) -> Timestamp {
        match self.zero.load(Ordering::Relaxed) {
            NOT_TOLD => MachineClock.now(),
            zero => Timestamp::from_micros(zero.saturating_add(micros(self.elapsed()))),
        }
    }

    fn elapsed(&self) -> Duration {
        MachineClock.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_takes_the_time_of_its_database_and_counts_on() {
        let clock = NodeClock::default();
        let own = MachineClock.now();
        assert!((clock.now().micros() - own.micros()).abs() < 60_000_000, "its own, until it is told");
        let hour = Duration::from_secs(3_600);
        let at = clock.elapsed();
        clock.set(own - hour, at, at);
        let first = clock.now();
        assert!(first.micros() - (own - hour).micros() < 60_000_000, "{first}");
        assert!(clock.now() >= first);
        clock.set(own + hour, at, at + MAX_READING * 2);
        assert!(clock.now() < own, "a slow reading changes nothing");
    }
}
