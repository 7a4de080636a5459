use std::time::Duration;

use shingle_domain::Timestamp;

/// The current time. The server passes the system clock, tests a clock that they set.
pub trait Clock: Send + Sync {
    fn now(&self) -> Timestamp;

    /// The time since a moment that never changes. Unlike [`Clock::now`] it never goes back, whatever an operator does.
    fn elapsed(&self) -> Duration;
}
