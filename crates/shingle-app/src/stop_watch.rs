//! Measures the parts of a request.

use std::time::Duration;

use crate::app::App;

pub struct StopWatch<'a> {
    app: &'a App,
    since: Duration,
}

impl<'a> StopWatch<'a> {
    pub fn start(app: &'a App) -> Self {
        Self { app, since: app.clock.elapsed() }
    }

    /// Since the start or the lap before.
    pub fn lap(&mut self) -> Duration {
        let now = self.app.clock.elapsed();
        now.saturating_sub(std::mem::replace(&mut self.since, now))
    }
}
