//! Names that a widget's company had lately. A page that was open while the name changed still shows the former one, and a
//! browser may send a lead again for a week.
//!
//! # Decision
//!
//! Consent is accepted only in the words the widget shows, in its languages, with the company's name of now or the
//! last eight days: a page may be open, and a browser retries for a week. Turned down: storing whatever a request
//! claims was shown, which proves nothing.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use shingle_domain::Timestamp;

/// A browser keeps a lead that it could not send for seven days, from a page that may have been open for one.
const REMEMBERED: Duration = Duration::from_secs(8 * 24 * 3_600);
/// More changes than that in a week are not serious.
const MOST: usize = 20;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormerName {
    pub name: String,
    /// When it was replaced.
    pub until: Timestamp,
}

impl FormerName {
    pub fn is_remembered(&self, now: Timestamp) -> bool {
        self.until + REMEMBERED > now
    }
}

/// What is remembered once `old` has become `new`; the newest first.
pub(crate) fn after_change(known: &[FormerName], old: &str, new: &str, now: Timestamp) -> Vec<FormerName> {
    let replaced = (old != new).then(|| FormerName { name: old.to_owned(), until: now });
    let known = known.iter().filter(|former| former.is_remembered(now)).cloned();
    replaced.into_iter().chain(known).take(MOST).collect()
}
