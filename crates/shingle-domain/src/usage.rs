//! The days whose usage is reported.

use jiff::ToSpan;
pub use jiff::civil::Date;
use jiff::civil::date;

use crate::Timestamp;
use crate::rules::Fields;
use crate::violation::{Rule, Violations};

/// Calendar days in UTC, the first and the last included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsagePeriod {
    first: Date,
    last: Date,
}

impl UsagePeriod {
    /// From the first day to the last: a leap year is the longest period.
    const MAX_DAYS: i32 = 365;

    /// Without a first day, from the first of the last day's month. Without a last day, until today, or for the first day
    /// alone where that is still to come.
    ///
    /// # Errors
    /// The rule that the first day breaks.
    pub fn new(first: Option<Date>, last: Option<Date>, now: Timestamp) -> Result<Self, Rule> {
        let last = last.unwrap_or_else(|| first.map_or(now.date(), |first| first.max(now.date())));
        let first = first.unwrap_or_else(|| last.first_of_month());
        match last.since(first).map_or(i32::MAX, |span| span.get_days()) {
            ..0 => Err(Rule::NotAfterTo),
            0..=Self::MAX_DAYS => Ok(Self { first, last }),
            _ => Err(Rule::WithinYear),
        }
    }

    /// `from` and `to` of a request.
    pub fn parse(fields: &Fields<'_>, now: Timestamp) -> Result<Self, Violations> {
        let mut broken = Violations::default();
        let mut day = |name: &str| {
            let day = fields.text(name).and_then(parse_day);
            if day.is_none() && fields.has(name) {
                broken.push(name, Rule::CalendarDay);
            }
            day
        };
        let (first, last) = (day("from"), day("to"));
        if !broken.is_empty() {
            return Err(broken);
        }
        Self::new(first, last, now).map_err(|rule| Violations::one("from", rule))
    }

    pub fn first(self) -> Date {
        self.first
    }

    pub fn last(self) -> Date {
        self.last
    }

    /// Its first instant.
    pub fn begin(self) -> Timestamp {
        midnight(self.first)
    }

    /// The first instant after it.
    pub fn end(self) -> Timestamp {
        end_of(self.last)
    }
}

/// `2026-11-22`, and no other of the forms that ISO 8601 has for a day.
fn parse_day(text: &str) -> Option<Date> {
    let parsed: Date = text.parse().ok()?;
    (text.len() == 10 && parsed.to_string() == text).then_some(parsed)
}

/// A day on the command line.
///
/// # Errors
/// The rule that it breaks.
pub fn day(text: &str) -> Result<Date, Rule> {
    parse_day(text).ok_or(Rule::CalendarDay)
}

/// The first instant after a day.
pub fn end_of(day: Date) -> Timestamp {
    day.checked_add(1.day()).map_or(Timestamp::from_micros(i64::MAX), midnight)
}

fn midnight(day: Date) -> Timestamp {
    let micros = day.duration_since(date(1970, 1, 1)).as_micros();
    Timestamp::from_micros(i64::try_from(micros).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn period(query: &[(&str, &str)]) -> Result<(String, String), Vec<String>> {
        let now = Timestamp::parse_iso("2026-03-10T23:59:59Z").unwrap();
        let parsed = UsagePeriod::parse(&Fields::from_pairs(query.iter().copied()), now);
        parsed.map(|p| (p.begin().to_string(), p.end().to_string())).map_err(|broken| broken.messages())
    }

    fn days(begin: &str, end: &str) -> Result<(String, String), Vec<String>> {
        let midnight = |day: &str| format!("{day}T00:00:00.000Z");
        Ok((midnight(begin), midnight(end)))
    }

    #[test]
    fn it_is_this_month_so_far_unless_days_are_given() {
        assert_eq!(period(&[]), days("2026-03-01", "2026-03-11"));
        assert_eq!(period(&[("from", "2026-02-27")]), days("2026-02-27", "2026-03-11"));
        assert_eq!(period(&[("from", "2026-04-05")]), days("2026-04-05", "2026-04-06"));
        assert_eq!(period(&[("to", "2026-02-28")]), days("2026-02-01", "2026-03-01"));
        assert_eq!(period(&[("from", "2024-02-29"), ("to", "2024-02-29")]), days("2024-02-29", "2024-03-01"));
        assert_eq!(period(&[("from", "2024-01-01"), ("to", "2024-12-31")]), days("2024-01-01", "2025-01-01"));
        assert_eq!(period(&[("from", "0001-01-01"), ("to", "0001-01-01")]), days("0001-01-01", "0001-01-02"));
    }

    #[test]
    fn what_is_no_day_is_refused_by_name() {
        for bad in ["", "2026-02-30", "20260301", "2026-03-01T00:00:00", "2026-3-1", "yesterday", "-000001-01-01"] {
            assert_eq!(period(&[("from", bad)]), Err(vec!["from must be a day (YYYY-MM-DD)".to_owned()]), "{bad}");
        }
        let both = period(&[("from", "x"), ("to", "y")]).unwrap_err();
        assert_eq!(both, ["from must be a day (YYYY-MM-DD)".to_owned(), "to must be a day (YYYY-MM-DD)".to_owned()]);
        assert_eq!(
            period(&[("to", "2026-03-01"), ("to", "2026-03-02")]).unwrap_err(),
            ["to must be a day (YYYY-MM-DD)".to_owned()]
        );
    }

    #[test]
    fn it_runs_forward_and_for_a_year_at_most() {
        let backwards = period(&[("from", "2026-03-11"), ("to", "2026-03-10")]).unwrap_err();
        assert_eq!(backwards, ["from must not be after to"]);
        for (first, last) in [("2025-01-01", "2026-01-02"), ("0001-01-01", "9999-12-31")] {
            let long = period(&[("from", first), ("to", last)]).unwrap_err();
            assert_eq!(long, ["from must be at most 365 days before to"]);
        }
        assert!(period(&[("from", "2025-01-01"), ("to", "2026-01-01")]).is_ok());
    }

    #[test]
    fn the_last_day_there_is_has_an_end() {
        let last = UsagePeriod::new(Some(date(9999, 12, 31)), None, Timestamp::from_micros(0)).unwrap();
        assert!(last.begin() > Timestamp::parse_iso("9999-12-30T00:00:00Z").unwrap() && last.end() > last.begin());
    }
}
