//! Days on which nobody comes.

use core::fmt;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

/// A day, or several in a row: `2026-12-25`, `2026-12-24/2027-01-01`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DaysOff {
    from: Date,
    to: Date,
}

impl DaysOff {
    pub fn parse(text: &str) -> Option<Self> {
        let (from, to) = text.split_once('/').unwrap_or((text, text));
        let days = Self { from: calendar_day(from.trim())?, to: calendar_day(to.trim())? };
        (days.from <= days.to).then_some(days)
    }

    pub fn has(&self, date: Date) -> bool {
        (self.from..=self.to).contains(&date)
    }
}

/// Ten characters, nothing else.
pub fn calendar_day(text: &str) -> Option<Date> {
    let digits = text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    (text.len() == 10 && digits).then(|| text.parse().ok()).flatten()
}

impl fmt::Display for DaysOff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.from.fmt(f)?;
        if self.from == self.to { Ok(()) } else { write!(f, "/{}", self.to) }
    }
}

impl Serialize for DaysOff {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for DaysOff {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(from)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("not a day such as 2026-12-01"))
    }
}
