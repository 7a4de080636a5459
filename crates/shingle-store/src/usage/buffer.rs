//! Look-ups, and uses of keys, that wait in memory until they are written together.
//!
//! # Decision
//!
//! Look-ups of accounts without limit and balance are counted in memory and written together, so they need no commit.
//! What cannot be written stays counted and fails no call. Turned down: a commit per look-up.

use std::collections::HashMap;
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use shingle_domain::{KeyId, Timestamp, Usd};

use crate::usage::sum::{UsageKey, UsageSum, UsageSums};

/// The buffer is written once its oldest call is this old, by the next call that is settled.
const MAX_BUFFER_AGE: Duration = Duration::from_millis(100);

/// A look-up, and what it costs if there is something to bill.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub of: UsageKey,
    pub price: Usd,
}

impl Call {
    /// In which it began, by its first instant.
    pub fn month(&self) -> i64 {
        self.of.day.month_start().micros()
    }
}

/// A call of an account with a limit or a balance, which is written before it is answered.
#[derive(Debug, Clone)]
pub(crate) struct Charge {
    pub call: Call,
    pub billable: bool,
}

/// Calls that are settled and not yet written.
#[derive(Debug, Default)]
pub(crate) struct UsageBuffer {
    pending: Mutex<PendingUsage>,
    /// Held while the calls are written, so that two writers take turns.
    pub write_lock: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
pub(crate) struct PendingUsage {
    pub sums: UsageSums,
    /// When a key was last used, in microseconds.
    pub uses: HashMap<KeyId, i64>,
    since: Option<Timestamp>,
    /// Somebody was told to write.
    announced: bool,
}

impl PendingUsage {
    pub fn is_empty(&self) -> bool {
        self.sums.is_empty() && self.uses.is_empty()
    }
}

impl UsageBuffer {
    fn pending(&self) -> MutexGuard<'_, PendingUsage> {
        // No code panics while it holds the lock; if some did, the counts would still be complete.
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether it is time to write; of calls at once only one is told.
    pub fn add(&self, of: UsageKey, sum: UsageSum, now: Timestamp) -> bool {
        let mut pending = self.pending();
        *pending.sums.entry(of).or_default() += sum;
        let due = *pending.since.get_or_insert(now) + MAX_BUFFER_AGE <= now;
        due && !mem::replace(&mut pending.announced, true)
    }

    pub fn note_use(&self, key: &KeyId, now: i64) {
        self.pending().uses.insert(key.clone(), now);
    }

    pub fn take(&self) -> PendingUsage {
        mem::take(&mut *self.pending())
    }

    /// What could not be written, to be written with what has come since.
    pub fn put_back(&self, unwritten: PendingUsage, now: Timestamp) {
        let mut pending = self.pending();
        for (of, sum) in unwritten.sums {
            *pending.sums.entry(of).or_default() += sum;
        }
        for (key, at) in unwritten.uses {
            pending.uses.entry(key).or_insert(at);
        }
        pending.since = Some(now);
    }
}
