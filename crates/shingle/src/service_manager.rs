//! Tells systemd how the server is: `Type=notify` waits for its readiness, and a watchdog restarts a server that hangs.
//! Without systemd nothing is sent.

use std::time::Duration;

use sd_notify::NotifyState;

pub fn ready() {
    tell(NotifyState::Ready);
}

pub fn stopping() {
    tell(NotifyState::Stopping);
}

/// From a task: when the threads hang, it is silent.
pub async fn keep_alive() {
    let Some(pause) = heartbeat() else { return };
    let mut interval = tokio::time::interval(pause);
    loop {
        interval.tick().await;
        tell(NotifyState::Watchdog);
    }
}

/// Twice as often as it must be.
fn heartbeat() -> Option<Duration> {
    sd_notify::watchdog_enabled().filter(|longest| !longest.is_zero()).map(|longest| longest / 2)
}

fn tell(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "the service manager was not told");
    }
}
