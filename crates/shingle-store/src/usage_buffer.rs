//! Billed look-ups that wait in memory until they are written together.

use std::collections::HashMap;
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use shingle_domain::lookup::Product;
use shingle_domain::{KeyId, Timestamp, Usd};

/// The buffer is written once its oldest call is this old, by the next call that is settled.
const MAX_BUFFER_AGE: Duration = Duration::from_millis(100);

/// Calls with equal keys are counted in one row.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct UsageKey {
    pub account: String,
    pub key: KeyId,
    pub product: Product,
    pub price: Usd,
    pub month: i64,
}

/// Calls that are settled and not yet written.
#[derive(Debug, Default)]
pub(crate) struct UsageBuffer {
    pending: Mutex<PendingUsage>,
    /// Held while the calls are written, so that two writers take turns.
    pub write_lock: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct PendingUsage {
    calls: HashMap<UsageKey, i64>,
    since: Option<Timestamp>,
}

impl UsageBuffer {
    fn pending(&self) -> MutexGuard<'_, PendingUsage> {
        // No code panics while it holds the lock; if some did, the counts would still be complete.
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether it is time to write.
    pub fn add(&self, key: UsageKey, calls: i64, now: Timestamp) -> bool {
        let mut pending = self.pending();
        *pending.calls.entry(key).or_default() += calls;
        *pending.since.get_or_insert(now) + MAX_BUFFER_AGE <= now
    }

    pub fn take(&self) -> HashMap<UsageKey, i64> {
        let mut pending = self.pending();
        pending.since = None;
        mem::take(&mut pending.calls)
    }
}
