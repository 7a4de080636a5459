//! The circuit breaker of a destination, and when it is disabled for good.

use std::time::Duration;

use shingle_domain::{Timestamp, messages};

/// Failures in a row from which on a destination gets pauses.
pub const FAILURES_TO_OPEN: u64 = 5;
const FIRST_PAUSE: Duration = Duration::from_secs(30);
const LONGEST_PAUSE: Duration = Duration::from_secs(600);
/// Nothing but failures for so long, and so many of them, switch a destination off.
const HOPELESS_AFTER: Duration = Duration::from_secs(5 * 24 * 3_600);
const HOPELESS_FAILURES: u64 = 20;

/// What is known of the last attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Health {
    pub failures_in_a_row: u64,
    pub failing_since: Option<Timestamp>,
}

/// How long nothing is sent after so many failures in a row. After it, one attempt probes.
pub(crate) fn pause_after(failures_in_a_row: u64) -> Option<Duration> {
    let over = failures_in_a_row.checked_sub(FAILURES_TO_OPEN)?;
    let doubled = FIRST_PAUSE.saturating_mul(1 << over.min(10));
    Some(doubled.min(LONGEST_PAUSE))
}

messages! {
    /// Why a destination was switched off by itself.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum SwitchOff {
        OnlyFailures { since: String, attempts: u64 } => "nothing but failures since {since}: {attempts} {attempts|attempt|attempts}",
    }
}

messages! {
    /// Why a delivery that waits is not sent.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Skip {
        SwitchedOff => "it was switched off",
        NoRecipient => "it is no longer among the recipients",
    }
}

/// The reason, when there is no hope.
pub(crate) fn switches_off(health: &Health, now: Timestamp) -> Option<SwitchOff> {
    let since = health.failing_since?;
    (health.failures_in_a_row >= HOPELESS_FAILURES && since + HOPELESS_AFTER <= now)
        .then(|| SwitchOff::OnlyFailures { since: since.to_string(), attempts: health.failures_in_a_row })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_begin_after_five_failures_and_double_up_to_ten_minutes() {
        let pauses: Vec<_> = (0..=12).map(|n| pause_after(n).map(|p| p.as_secs())).collect();
        let some = [30, 60, 120, 240, 480, 600, 600, 600].map(Some);
        assert_eq!(pauses[..5], [None; 5]);
        assert_eq!(pauses[5..], some);
        assert_eq!(pause_after(u64::MAX), Some(LONGEST_PAUSE));
    }

    #[test]
    fn both_time_and_failures_are_needed_to_switch_off() {
        let now = Timestamp::from_micros(2_000_000_000_000_000);
        let since = |days: u64| Some(now - Duration::from_secs(days * 24 * 3_600));
        let off = |n, since| switches_off(&Health { failures_in_a_row: n, failing_since: since }, now).is_some();
        assert!(off(20, since(5)));
        assert!(!off(19, since(50)), "a webhook with few events");
        assert!(!off(10_000, since(4)), "a busy webhook");
        assert!(!off(0, None));
    }
}
