//! Measures the parts of a request.

use std::time::Duration;

use crate::state::Web;

pub struct StopWatch<'a> {
    web: &'a Web,
    since: Duration,
}

impl<'a> StopWatch<'a> {
    pub fn start(web: &'a Web) -> Self {
        Self { web, since: web.clock.elapsed() }
    }

    /// Since the start or the lap before.
    pub fn lap(&mut self) -> Duration {
        let now = self.web.clock.elapsed();
        now.saturating_sub(std::mem::replace(&mut self.since, now))
    }
}
