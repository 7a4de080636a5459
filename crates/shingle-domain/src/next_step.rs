//! When the next step of a lead is due: on a day, or at a time of that day where the company is.
//!
//! # Decision
//!
//! A time is kept as it was typed and as the instant that it meant, as of an inspection: an hour that clocks skip is refused,
//! and one that comes twice is asked about. Without a time, a step is due until its day ends, and is reminded of at 8:00.

use core::fmt;

use jiff::civil::Time;
use jiff::tz::TimeZone;

use crate::appointment::{LocalMoment, TimeProblem, Which};
use crate::inspection::VisitDate;
use crate::notice::TimeOfDay;
use crate::time::Timestamp;

/// The hour of the reminder on a day without a time.
const REMINDER_HOUR: i8 = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Due {
    pub day: VisitDate,
    pub time: Option<DueTime>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueTime {
    pub of_day: TimeOfDay,
    pub at: Timestamp,
}

/// As it was typed.
#[derive(Debug, Clone, Copy, Default)]
pub struct DueForm<'f> {
    pub day: &'f str,
    pub time: &'f str,
    /// `first`, `second`, or nothing.
    pub which: &'f str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DueProblem {
    NoDay,
    /// What is typed is not a time of day.
    NoTime,
    /// Clocks go forward over it.
    Skipped {
        next: TimeOfDay,
    },
    /// Clocks go back: which of the two is meant?
    Twice,
}

impl Due {
    /// `None`: nothing is typed.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(form: &DueForm<'_>, zone: (&str, &TimeZone)) -> Result<Option<Self>, DueProblem> {
        let (day, time) = (form.day.trim(), form.time.trim());
        if day.is_empty() && time.is_empty() {
            return Ok(None);
        }
        let day = VisitDate::parse(day).ok_or(DueProblem::NoDay)?;
        if time.is_empty() {
            return Ok(Some(Self { day, time: None }));
        }
        // A browser may send seconds.
        let time = if time.len() == 8 { time.get(..5).unwrap_or(time) } else { time };
        let of_day = TimeOfDay::parse(time).filter(|time| time.minutes() < 24 * 60).ok_or(DueProblem::NoTime)?;
        let which = match form.which {
            "first" => Some(Which::First),
            "second" => Some(Which::Second),
            _ => None,
        };
        match LocalMoment::resolve(day, of_day, zone, which) {
            Ok(moment) => Ok(Some(Self { day, time: Some(DueTime { of_day, at: moment.at }) })),
            Err(TimeProblem::Skipped { next }) => Err(DueProblem::Skipped { next }),
            Err(TimeProblem::Twice) => Err(DueProblem::Twice),
            Err(TimeProblem::None) => Err(DueProblem::NoDay),
        }
    }

    /// When somebody is reminded of it. `None`: the calendar has no such moment.
    pub fn remind_at(&self, rules: &TimeZone) -> Option<Timestamp> {
        if let Some(time) = self.time {
            return Some(time.at);
        }
        let hour = Time::new(REMINDER_HOUR, 0, 0, 0).ok()?;
        let at = self.day.0.to_datetime(hour).to_zoned(rules.clone()).ok()?;
        Some(Timestamp::from_micros(at.timestamp().as_microsecond()))
    }
}

/// `2026-12-01`, `2026-12-01 14:30`
impl fmt::Display for Due {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.day.fmt(f)?;
        match self.time {
            Some(time) => write!(f, " {}", time.of_day),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new_york() -> TimeZone {
        TimeZone::posix("EST5EDT,M3.2.0,M11.1.0").unwrap()
    }

    fn due(day: &str, time: &str, which: &str) -> Result<Option<String>, DueProblem> {
        let due = Due::parse(&DueForm { day, time, which }, ("America/New_York", &new_york()))?;
        Ok(due.map(|due| format!("{due} {}", due.remind_at(&new_york()).unwrap())))
    }

    #[test]
    fn a_step_is_due_on_a_day_or_at_a_time() {
        assert_eq!(due("", " ", ""), Ok(None));
        assert_eq!(due("2026-12-01", "", "").unwrap().unwrap(), "2026-12-01 2026-12-01T13:00:00.000Z");
        assert_eq!(due("2026-12-01", "14:30", "").unwrap().unwrap(), "2026-12-01 14:30 2026-12-01T19:30:00.000Z");
        assert_eq!(due("2026-12-01", "14:30:00", ""), due("2026-12-01", "14:30", ""));
        for (day, time, problem) in [
            ("", "14:30", DueProblem::NoDay),
            ("2026-02-30", "", DueProblem::NoDay),
            ("tomorrow", "14:30", DueProblem::NoDay),
            ("2026-12-01", "24:00", DueProblem::NoTime),
            ("2026-12-01", "2 pm", DueProblem::NoTime),
        ] {
            assert_eq!(due(day, time, ""), Err(problem), "{day} {time}");
        }
    }

    #[test]
    fn a_change_of_clocks_moves_nothing() {
        let next = TimeOfDay::parse("03:30").unwrap();
        assert_eq!(due("2027-03-14", "02:30", ""), Err(DueProblem::Skipped { next }));
        assert_eq!(due("2026-11-01", "01:30", ""), Err(DueProblem::Twice));
        let both = ["first", "second"].map(|which| due("2026-11-01", "01:30", which).unwrap().unwrap());
        assert_eq!(both, ["2026-11-01 01:30 2026-11-01T05:30:00.000Z", "2026-11-01 01:30 2026-11-01T06:30:00.000Z"]);
        // 8:00 on both sides of the change.
        assert_eq!(due("2026-10-31", "", "").unwrap().unwrap(), "2026-10-31 2026-10-31T12:00:00.000Z");
        assert_eq!(due("2026-11-01", "", "").unwrap().unwrap(), "2026-11-01 2026-11-01T13:00:00.000Z");
    }
}
