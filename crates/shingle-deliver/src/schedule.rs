//! When a delivery is tried again.
//!
//! # Decision
//!
//! 302 and 303 are retried twice, a day apart: Google's scripts redirect once they have accepted an event.

use std::time::Duration;

use shingle_domain::Timestamp;

/// The longest that a receiver can put us off.
const LONGEST_WAIT: Duration = Duration::from_secs(24 * 3_600);

/// The waits between attempts. The first attempt is at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetrySchedule {
    waits: Vec<Duration>,
}

impl Default for RetrySchedule {
    /// 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h: some 75 hours.
    fn default() -> Self {
        Self::of_seconds(&[5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400])
    }
}

impl RetrySchedule {
    pub fn of_seconds(waits: &[u32]) -> Self {
        Self { waits: waits.iter().map(|s| Duration::from_secs(u64::from(*s))).collect() }
    }

    /// The time of the next attempt after this many, or `None` when it was the last. `chance` is in [0, 1): it spreads
    /// the wait by a fifth to both sides. What the receiver asks for is kept to, within a day.
    pub fn next(&self, attempts: u32, now: Timestamp, retry_after: Option<Duration>, chance: f64) -> Option<Timestamp> {
        let wait = self.waits.get(usize::try_from(attempts).ok()?.checked_sub(1)?)?;
        let spread = wait.mul_f64(0.8 + 0.4 * chance.clamp(0.0, 1.0));
        Some(now + retry_after.map_or(spread, |asked| asked.clamp(spread, LONGEST_WAIT.max(spread))))
    }
}

/// `Retry-After`: seconds, or a date.
pub fn parse_retry_after(text: &str, now: Timestamp) -> Option<Duration> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<u64>() {
        return Some(Duration::from_secs(seconds).min(LONGEST_WAIT));
    }
    let at = httpdate::parse_http_date(text).ok()?;
    let seconds = i64::try_from(at.duration_since(std::time::UNIX_EPOCH).ok()?.as_secs()).ok()?;
    Some(Duration::from_secs(u64::try_from(seconds - now.seconds()).unwrap_or(0)).min(LONGEST_WAIT))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_micros(1_773_144_000_000_000);

    fn wait(attempts: u32, asked: Option<u64>, chance: f64) -> Option<u64> {
        let next = RetrySchedule::default().next(attempts, NOW, asked.map(Duration::from_secs), chance)?;
        Some(u64::try_from(next.seconds() - NOW.seconds()).unwrap())
    }

    #[test]
    fn ten_attempts_in_three_days_each_spread_by_a_fifth() {
        let waits = |chance| (1..=10).map(|n| wait(n, None, chance)).collect::<Vec<_>>();
        let usual = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
        assert_eq!(waits(0.5), usual.map(Some).into_iter().chain([None]).collect::<Vec<_>>());
        assert_eq!(waits(0.0)[..2], [Some(4), Some(240)]);
        assert_eq!(waits(1.0)[..2], [Some(6), Some(360)]);
        assert_eq!(wait(0, None, 0.5), None, "there is no attempt before the first");
        assert_eq!(wait(u32::MAX, None, 0.5), None);
    }

    #[test]
    fn a_receiver_can_ask_for_more_time_but_not_for_less_and_not_for_ever() {
        assert_eq!(wait(1, Some(60), 0.5), Some(60));
        assert_eq!(wait(1, Some(0), 0.5), Some(5));
        assert_eq!(wait(2, Some(60), 0.5), Some(300));
        assert_eq!(wait(1, Some(u64::MAX / 2), 0.5), Some(86_400));
        assert_eq!(wait(9, Some(1), 1.0), Some(103_680), "its own wait may be longer than a day");
    }

    #[test]
    fn retry_after_is_read_as_seconds_and_as_a_date() {
        let read = |text: &str| parse_retry_after(text, NOW).map(|d| d.as_secs());
        assert_eq!(read("120"), Some(120));
        assert_eq!(read(" 0 "), Some(0));
        assert_eq!(read("Tue, 10 Mar 2026 12:02:00 GMT"), Some(120));
        assert_eq!(read("Tue, 10 Mar 2020 12:00:00 GMT"), Some(0), "a date that has passed");
        assert_eq!(read("99999999999"), Some(86_400));
        for bad in ["", "soon", "-5", "1.5", "Tue, 99 Mar 2026 12:02:00 GMT", "99999999999999999999999"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
