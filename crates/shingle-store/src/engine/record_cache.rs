//! Records in memory, and when they may be used.
//!
//! Each record belongs to a generation, which ends with every change to a key, an account or a widget: at once when this
//! node makes it, and when the revision in the database is read again when another process does. The revision is read at
//! intervals while there are requests. Without a reading that is recent, nothing in memory is used.

use core::borrow::Borrow;
use core::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use quick_cache::sync::Cache;

use crate::StoreError;

/// From then on the revision is read again, beside the requests.
const REREAD_AFTER: Duration = Duration::from_millis(250);
/// How long a change by another process may stay unseen.
const MAX_AGE: Duration = Duration::from_secs(1);
/// A person with a database shell raises no revision.
const MAX_RECORD_AGE: Duration = Duration::from_secs(60);

/// A generation, seen at a time of the clock that never goes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Generation {
    number: u64,
    seen: Duration,
}

impl Generation {
    /// Whether a record that was read in `self` may be used in `now`.
    fn holds_in(self, now: Self) -> bool {
        self.number == now.number && now.seen.saturating_sub(self.seen) < MAX_RECORD_AGE
    }
}

/// Records of one kind.
pub(crate) struct RecordCache<K, V>(Cache<K, (Generation, Arc<V>)>);

impl<K: Hash + Eq, V> RecordCache<K, V> {
    pub fn new(capacity: usize) -> Self {
        Self(Cache::new(capacity))
    }

    pub fn get<Q>(&self, key: &Q, now: Generation) -> Option<Arc<V>>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.0.get(key).filter(|(of, _)| of.holds_in(now)).map(|(_, record)| record)
    }

    /// `generation` is that from before the record was read: a change since then has ended it.
    pub fn insert(&self, key: K, generation: Generation, record: Arc<V>) {
        self.0.insert(key, (generation, record));
    }

    /// After a change, so that erased records leave memory; one that was being read meanwhile may stay, unused.
    pub fn clear(&self) {
        self.0.clear();
    }
}

/// The generation of the records that may be used now.
#[derive(Default)]
pub(crate) struct Generations {
    current: AtomicU64,
    last: Mutex<Option<Reading>>,
    failed: Mutex<Failures>,
    /// Held while the revision is read.
    pub reading: Arc<tokio::sync::Mutex<()>>,
}

struct Reading {
    begun: Duration,
    revision: i64,
}

/// Of readings.
#[derive(Default)]
struct Failures {
    count: u64,
    last: Option<Arc<StoreError>>,
}

/// What the last reading of the revision is good for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Age {
    Recent,
    /// Good, but to be read again.
    Due,
    /// Nothing in memory may be used.
    Expired,
}

/// Ends the generation when it is dropped, however the change that it stands for went.
pub(crate) struct Changing<'g>(&'g Generations);

impl Generations {
    pub fn current(&self, now: Duration) -> Generation {
        Generation { number: self.current.load(Ordering::Acquire), seen: now }
    }

    pub fn age(&self, now: Duration) -> Age {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        match last.as_ref().map(|last| now.saturating_sub(last.begun)) {
            Some(age) if age < REREAD_AFTER => Age::Recent,
            Some(age) if age < MAX_AGE => Age::Due,
            _ => Age::Expired,
        }
    }

    /// Notes a reading that began at this time of the clock that never goes back. `true`: it ended the generation.
    pub fn note(&self, begun: Duration, revision: i64) -> bool {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let has_changed = last.as_ref().is_none_or(|last| last.revision != revision);
        if has_changed {
            self.end();
        }
        *last = Some(Reading { begun, revision });
        has_changed
    }

    /// How many readings have failed.
    pub fn failures(&self) -> u64 {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).count
    }

    /// Notes that a reading has failed; its error, for all who wait.
    pub fn note_failure(&self, error: StoreError) -> StoreError {
        let cause = Arc::new(error);
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        *failed = Failures { count: failed.count + 1, last: Some(cause.clone()) };
        StoreError::Together(cause)
    }

    /// The error of a reading that has failed since there were so many failures: who waited for it does not wait for another
    /// one. Otherwise each of many would, one after the other.
    pub fn failure_after(&self, count: u64) -> Option<StoreError> {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.last.clone().filter(|_| failed.count > count).map(StoreError::Together)
    }

    /// For the time of a change by this process.
    pub fn changing(&self) -> Changing<'_> {
        Changing(self)
    }

    fn end(&self) {
        self.current.fetch_add(1, Ordering::AcqRel);
    }
}

impl Drop for Changing<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_is_recent_then_due_then_expired() {
        let (generations, begun) = (Generations::default(), Duration::from_secs(5));
        assert_eq!(generations.age(begun), Age::Expired, "nothing was read yet");
        generations.note(begun, 7);
        let after = |millis| generations.age(begun + Duration::from_millis(millis));
        assert_eq!(
            [after(0), after(249), after(250), after(999), after(1_000)],
            [Age::Recent, Age::Recent, Age::Due, Age::Due, Age::Expired]
        );
    }

    #[test]
    fn those_who_waited_for_a_reading_that_failed_get_its_error_and_others_read_again() {
        let generations = Generations::default();
        let before = generations.failures();
        assert!(generations.failure_after(before).is_none());
        assert!(generations.note_failure(StoreError::Database(sqlx::Error::PoolTimedOut)).is_outage());
        assert!(generations.failure_after(before).is_some_and(|error| error.is_outage()));
        assert!(generations.failure_after(generations.failures()).is_none());
    }

    #[test]
    fn a_record_is_used_only_in_the_generation_it_was_read_in() {
        let (generations, records) = (Generations::default(), RecordCache::new(10));
        generations.note(Duration::ZERO, 7);
        let now = || generations.current(Duration::from_secs(5));
        records.insert("key", now(), Arc::new("record"));
        assert!(!generations.note(Duration::ZERO, 7));
        assert!(records.get("key", now()).is_some(), "nothing has changed");
        let a_minute_later = generations.current(Duration::from_secs(65));
        assert!(records.get("key", a_minute_later).is_none(), "somebody may have used a database shell");
        assert!(generations.note(Duration::ZERO, 8));
        assert!(records.get("key", now()).is_none(), "another process has changed something");
        let before = now();
        drop(generations.changing());
        records.insert("key", before, Arc::new("read before the change"));
        assert!(records.get("key", now()).is_none());
    }
}
