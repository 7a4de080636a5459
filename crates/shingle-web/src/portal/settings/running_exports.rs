//! Accounts with a running export. Each may have one at a time, because it reads everything.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use shingle_domain::AccountId;

#[derive(Default)]
pub struct RunningExports(Arc<Mutex<HashSet<AccountId>>>);

pub struct RunningExport {
    account: AccountId,
    running: Arc<Mutex<HashSet<AccountId>>>,
}

impl RunningExports {
    /// `None` while one is running.
    pub fn begin(&self, account: AccountId) -> Option<RunningExport> {
        let is_first = self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(account);
        is_first.then(|| RunningExport { account, running: self.0.clone() })
    }
}

impl Drop for RunningExport {
    fn drop(&mut self) {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.account);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_company_has_one_export_at_a_time_and_the_next_once_that_ended() {
        let [oak, elm]: [AccountId; 2] =
            ["0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a", "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6b"]
                .map(|id| id.parse().unwrap());
        let exports = RunningExports::default();
        let first = exports.begin(oak).unwrap();
        assert!(exports.begin(oak).is_none());
        let others = exports.begin(elm).unwrap();
        assert!(exports.begin(oak).is_none() && exports.begin(elm).is_none());
        drop(first);
        let next = exports.begin(oak).unwrap();
        assert!(exports.begin(oak).is_none(), "the end of one is not the end of the next");
        drop((others, next));
        assert!(exports.begin(oak).is_some() && exports.begin(elm).is_some());
    }
}
