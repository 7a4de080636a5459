//! Points in time. Nothing in this crate reads the clock: the caller passes the current time.

use core::fmt;
use core::time::Duration;

use serde::{Deserialize, Serialize};

const MICROS_OF_A_DAY: i64 = 86_400_000_000;

/// Microseconds since 1970, UTC. JSON carries ISO 8601 with milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp(i64);

impl Timestamp {
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    pub const fn micros(self) -> i64 {
        self.0
    }

    pub fn seconds(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }

    /// The start of this calendar month in UTC, from which monthly limits count.
    pub fn month_start(self) -> Self {
        jiff::Timestamp::from_microsecond(self.0)
            .ok()
            .map(|t| t.to_zoned(jiff::tz::TimeZone::UTC))
            .and_then(|z| z.first_of_month().ok())
            .and_then(|z| z.start_of_day().ok())
            .map_or(self, |z| Self(z.timestamp().as_microsecond()))
    }

    /// The start of this calendar day in UTC.
    pub fn day_start(self) -> Self {
        Self(self.0 - self.0.rem_euclid(MICROS_OF_A_DAY))
    }

    /// The calendar day in UTC.
    pub fn date(self) -> jiff::civil::Date {
        jiff::Timestamp::from_microsecond(self.0).unwrap_or_default().to_zoned(jiff::tz::TimeZone::UTC).date()
    }

    /// Years from an ISO date to this time, with their fraction; `None` for an invalid or a future date.
    pub fn years_since(self, iso_date: &str) -> Option<f64> {
        let then: jiff::civil::Date = iso_date.get(..10)?.parse().ok()?;
        let days = self.date().since(then).ok()?.get_days();
        (days >= 0).then(|| f64::from(days) / 365.25)
    }

    /// Full years since an ISO date; `None` for an invalid or a future date. The anniversary of 29 February is 1 March in
    /// a year without one.
    pub fn full_years_since(self, iso_date: &str) -> Option<u16> {
        let then: jiff::civil::Date = iso_date.get(..10)?.parse().ok()?;
        let now = self.date();
        let before = (now.month(), now.day()) < (then.month(), then.day());
        u16::try_from(now.year() - then.year() - i16::from(before)).ok()
    }

    pub fn parse_iso(text: &str) -> Option<Self> {
        text.parse::<jiff::Timestamp>().ok().map(|t| Self(t.as_microsecond()))
    }
}

impl core::ops::Add<Duration> for Timestamp {
    type Output = Self;
    fn add(self, by: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(by.as_micros()).unwrap_or(i64::MAX)))
    }
}

impl core::ops::Sub<Duration> for Timestamp {
    type Output = Self;
    fn sub(self, by: Duration) -> Self {
        Self(self.0.saturating_sub(i64::try_from(by.as_micros()).unwrap_or(i64::MAX)))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let t = jiff::Timestamp::from_microsecond(self.0).map_err(|_| fmt::Error)?;
        write!(f, "{t:.3}")
    }
}

impl Serialize for Timestamp {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(from)?;
        Self::parse_iso(&text).ok_or_else(|| serde::de::Error::custom("not an ISO 8601 date-time"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timestamp_is_iso_8601_with_milliseconds() {
        let t = Timestamp::from_micros(1_700_000_000_120_000);
        assert_eq!(t.to_string(), "2023-11-14T22:13:20.120Z");
        assert_eq!(Timestamp::parse_iso("2023-11-14T22:13:20.120Z"), Some(t));
        assert_eq!(t.month_start().to_string(), "2023-11-01T00:00:00.000Z");
        assert_eq!(t.day_start().to_string(), "2023-11-14T00:00:00.000Z");
        assert_eq!(Timestamp::from_micros(-1).day_start().to_string(), "1969-12-31T00:00:00.000Z");
    }

    #[test]
    fn years_are_counted_from_a_date_behind_us() {
        let t = Timestamp::from_micros(1_700_000_000_120_000);
        assert_eq!(t.date(), jiff::civil::date(2023, 11, 14));
        assert_eq!(t.years_since("2023-11-14"), Some(0.0));
        assert!(t.years_since("2013-11-14").is_some_and(|y| (y - 10.0).abs() < 0.01));
        let full = ["2023-11-14", "2013-11-14", "2013-11-15", "2012-02-29", "1900-01-01T00:00:00Z"];
        assert_eq!(full.map(|date| t.full_years_since(date)), [Some(0), Some(10), Some(9), Some(11), Some(123)]);
        for date in ["2023-11-15", "", "2023", "2023-13-01", "yesterday, about"] {
            assert_eq!(t.years_since(date), None, "{date}");
            assert_eq!(t.full_years_since(date), None, "{date}");
        }
    }
}
