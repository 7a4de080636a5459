//! Whether this node can work: its database accepts a write.
//!
//! # Decision
//!
//! `/readyz` writes, at most once a second, and answers within two seconds, because a full disk can still be read.

use std::time::Duration;

use shingle_store::Store;
use tokio::sync::Mutex;
use tokio::time::timeout;

/// Load balancers ask every few seconds and wait about as long.
const MAX_CHECK_TIME: Duration = Duration::from_millis(1_500);
/// Anybody may ask, and each check writes to the disk.
const RESULT_AGE: Duration = Duration::from_secs(1);

/// The reason is in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotReady;

/// One check at a time; who asks meanwhile gets its result.
#[derive(Debug, Default)]
pub struct Readiness {
    last: Mutex<Option<(Duration, Result<(), NotReady>)>>,
}

impl Readiness {
    /// Answers within two seconds, also when the database hangs. `elapsed` is the clock's.
    pub async fn check(&self, store: &Store, elapsed: Duration) -> Result<(), NotReady> {
        let checked = timeout(MAX_CHECK_TIME, async {
            let mut last = self.last.lock().await;
            if let Some((at, result)) = *last
                && elapsed.saturating_sub(at) < RESULT_AGE
            {
                return result;
            }
            let result = store.check_writable().await.map_err(|error| {
                tracing::error!(%error, "the database cannot be written");
                NotReady
            });
            *last = Some((elapsed, result));
            result
        });
        checked.await.unwrap_or_else(|_| {
            tracing::error!("the database does not answer in time");
            Err(NotReady)
        })
    }
}
