use std::time::Duration;

use crate::schedule::RetrySchedule;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineSettings {
    pub schedule: RetrySchedule,
    /// Requests at one time.
    pub max_running: usize,
    /// Of them to one destination, and for one account: a slow receiver must not take every place.
    pub max_running_per_destination: usize,
    pub max_running_per_account: usize,
    /// How long a claim holds without being renewed: what a node that died held is sent by another after that.
    pub lease: Duration,
    /// How often to look for what other processes left, and for retries.
    pub poll: Duration,
    /// How long a stopping engine waits for the requests that are under way.
    pub drain: Duration,
}

impl Default for EngineSettings {
    fn default() -> Self {
        Self {
            schedule: RetrySchedule::default(),
            max_running: 256,
            max_running_per_destination: 16,
            max_running_per_account: 64,
            lease: Duration::from_secs(15),
            poll: Duration::from_millis(500),
            drain: Duration::from_secs(10),
        }
    }
}
