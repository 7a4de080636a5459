//! An inspection with a time: booked by the company, agreed or moved by both sides.
//!
//! # Decision
//!
//! An appointment is a record of its own beside the lead's, because calendars follow it by id and sequence; the lead's
//! wishes stay what the homeowner asked for. Its time is a local time with its zone and the instant that both mean: the
//! first is what people agreed on, the second is what calendars and reminders use. Turned down: a status of the lead,
//! which says nothing about when; a local time alone, which is off by an hour where clocks change.

use jiff::civil::{DateTime, Time};
use jiff::tz::{AmbiguousOffset, TimeZone};
use serde::{Deserialize, Serialize};

use crate::id::{AppointmentId, UserId};
use crate::inspection::{VisitDate, Wish};
use crate::notice::TimeOfDay;
use crate::settings::DayPart;
use crate::time::Timestamp;

/// Minutes of the longest one: a day.
pub const MAX_MINUTES: u16 = 24 * 60;
pub const MIN_MINUTES: u16 = 5;
/// Characters of the place, of the line for the homeowner, and of the reason for canceling.
pub const MAX_PLACE: usize = 200;
pub const MAX_LINE: usize = 300;
/// Minutes between two appointments of one person that are called tight.
pub const TIGHT_MINUTES: i64 = 30;
/// Minutes before it in which the homeowner calls and changes nothing online.
pub const CLOSED_MINUTES: i64 = 120;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Appointment {
    /// The same through all changes: calendars find their entry by it.
    pub id: AppointmentId,
    /// Counts the changes that calendars follow.
    pub sequence: u32,
    pub time: LocalMoment,
    pub minutes: u16,
    pub person: Attendant,
    pub place: String,
    /// For the homeowner.
    pub line: Option<String>,
    pub state: AppointmentState,
    /// Since when calendars should have this sequence.
    pub since: Timestamp,
    pub changed_at: Timestamp,
}

/// Who goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attendant {
    /// `None`: somebody who does not sign in here.
    pub user: Option<UserId>,
    /// As it was when this was booked.
    pub name: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum AppointmentState {
    /// Both sides know, as far as they can be told.
    Booked,
    /// The company moved it, and the homeowner has not answered.
    Moved {
        from: LocalMoment,
    },
    /// The homeowner asks for another time. The old one holds until the company picks one.
    OtherAsked {
        wish: Wish,
    },
    Canceled {
        by: Side,
        /// The company's line to the homeowner.
        word: Option<String>,
        /// The homeowner's, who picks one.
        #[serde(default)]
        reason: Option<CancelReason>,
    },
    Over {
        outcome: Outcome,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Side {
    Company,
    Homeowner,
}

/// Why a homeowner cancels, told to each reader in the reader's language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CancelReason {
    BadTime,
    SomeoneElse,
    NotReady,
}

impl CancelReason {
    pub const ALL: [Self; 3] = [Self::BadTime, Self::SomeoneElse, Self::NotReady];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::BadTime => "bad-time",
            Self::SomeoneElse => "someone-else",
            Self::NotReady => "not-ready",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == text)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    TookPlace,
    NobodyHome,
    NotGone,
}

impl Outcome {
    pub const ALL: [Self; 3] = [Self::TookPlace, Self::NobodyHome, Self::NotGone];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::TookPlace => "took-place",
            Self::NobodyHome => "nobody-home",
            Self::NotGone => "not-gone",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.as_str() == text)
    }
}

impl AppointmentState {
    /// As a short column holds it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Booked => "booked",
            Self::Moved { .. } => "moved",
            Self::OtherAsked { .. } => "otherAsked",
            Self::Canceled { .. } => "canceled",
            Self::Over { .. } => "over",
        }
    }

    /// Whether calendars have it.
    pub fn stands(&self) -> bool {
        matches!(self, Self::Booked | Self::Moved { .. } | Self::OtherAsked { .. })
    }
}

impl Appointment {
    pub fn ends_at(&self) -> Timestamp {
        self.time.at + core::time::Duration::from_secs(u64::from(self.minutes) * 60)
    }

    /// What a form says it has shown, so that a change of something else is noticed.
    pub fn mark(&self) -> String {
        format!("{}.{}.{}", self.id, self.sequence, self.state.as_str())
    }

    /// How far online changes of the homeowner are possible.
    pub fn openness(&self, now: Timestamp) -> Openness {
        match &self.state {
            AppointmentState::Canceled { .. } => Openness::Canceled,
            AppointmentState::Over { .. } => Openness::Over,
            _ if self.ends_at() <= now => Openness::Over,
            _ if self.time.at.micros() - now.micros() <= CLOSED_MINUTES * 60_000_000 => Openness::Soon,
            _ => Openness::Open,
        }
    }

    /// How it lies to another one of the same person; `None`: there is time enough between them.
    pub fn nearness(&self, other: &Self) -> Option<Nearness> {
        nearness((self.time.at, self.ends_at()), (other.time.at, other.ends_at()))
    }
}

/// What a homeowner can still do with an appointment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Openness {
    Open,
    /// Too late for a change without a call.
    Soon,
    Over,
    Canceled,
}

/// How two appointments of one person lie to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nearness {
    Overlap,
    /// So many minutes between them.
    Tight(i64),
}

pub fn nearness(one: (Timestamp, Timestamp), other: (Timestamp, Timestamp)) -> Option<Nearness> {
    let gap = (other.0.micros() - one.1.micros()).max(one.0.micros() - other.1.micros()) / 60_000_000;
    if one.0 < other.1 && other.0 < one.1 {
        return Some(Nearness::Overlap);
    }
    (gap < TIGHT_MINUTES).then_some(Nearness::Tight(gap))
}

/// A time of a day where the company is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalMoment {
    pub date: VisitDate,
    pub time: TimeOfDay,
    /// IANA name of the zone.
    pub zone: String,
    pub at: Timestamp,
}

/// Which of two hours of the same name, where clocks go back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    First,
    Second,
}

/// Why a local time is no moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeProblem {
    /// Clocks go forward over it. `next` is there.
    Skipped { next: TimeOfDay },
    /// Clocks go back: it is there twice.
    Twice,
    /// The calendar has no such moment.
    None,
}

impl LocalMoment {
    /// The day and the part of it.
    pub fn wish(&self) -> Wish {
        let part = match self.time.minutes() / 60 {
            ..12 => DayPart::Morning,
            12..17 => DayPart::Afternoon,
            _ => DayPart::Evening,
        };
        Wish { date: self.date, part }
    }

    /// `zone` and `rules` are of the same zone.
    pub fn resolve(
        date: VisitDate,
        time: TimeOfDay,
        (zone, rules): (&str, &TimeZone),
        which: Option<Which>,
    ) -> Result<Self, TimeProblem> {
        let clock = clock(time).ok_or(TimeProblem::None)?;
        let local = DateTime::from_parts(date.0, clock);
        let ambiguous = rules.to_ambiguous_zoned(local);
        let zoned = match ambiguous.offset() {
            AmbiguousOffset::Unambiguous { .. } => ambiguous.compatible(),
            AmbiguousOffset::Gap { .. } => {
                let after = ambiguous.later().map_err(|_| TimeProblem::None)?;
                let minutes = i32::from(after.hour()) * 60 + i32::from(after.minute());
                let next = u16::try_from(minutes).ok().and_then(TimeOfDay::from_minutes).ok_or(TimeProblem::None)?;
                return Err(TimeProblem::Skipped { next });
            }
            AmbiguousOffset::Fold { .. } => match which {
                None => return Err(TimeProblem::Twice),
                Some(Which::First) => ambiguous.earlier(),
                Some(Which::Second) => ambiguous.later(),
            },
        };
        let at = zoned.map_err(|_| TimeProblem::None)?.timestamp();
        Ok(Self { date, time, zone: zone.to_owned(), at: Timestamp::from_micros(at.as_microsecond()) })
    }
}

/// No `24:00`: that is the next day.
fn clock(time: TimeOfDay) -> Option<Time> {
    let (hour, minute) = (i8::try_from(time.minutes() / 60).ok()?, i8::try_from(time.minutes() % 60).ok()?);
    Time::new(hour, minute, 0, 0).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// New York's rules of today, without a table of zones.
    fn new_york() -> TimeZone {
        TimeZone::posix("EST5EDT,M3.2.0,M11.1.0").unwrap()
    }

    fn resolve(date: &str, time: &str, which: Option<Which>) -> Result<String, TimeProblem> {
        let (date, time) = (VisitDate::parse(date).unwrap(), TimeOfDay::parse(time).unwrap());
        LocalMoment::resolve(date, time, ("America/New_York", &new_york()), which).map(|moment| moment.at.to_string())
    }

    #[test]
    fn a_local_time_is_one_instant() {
        assert_eq!(resolve("2026-11-23", "13:00", None).as_deref(), Ok("2026-11-23T18:00:00.000Z"));
        assert_eq!(resolve("2026-07-23", "13:00", None).as_deref(), Ok("2026-07-23T17:00:00.000Z"));
        assert_eq!(resolve("2026-11-23", "24:00", None), Err(TimeProblem::None));
    }

    #[test]
    fn an_hour_that_clocks_skip_is_not_moved_silently() {
        let next = TimeOfDay::parse("03:30").unwrap();
        for which in [None, Some(Which::First), Some(Which::Second)] {
            assert_eq!(resolve("2027-03-14", "02:30", which), Err(TimeProblem::Skipped { next }));
        }
        assert_eq!(resolve("2027-03-14", "03:00", None).as_deref(), Ok("2027-03-14T07:00:00.000Z"));
        assert_eq!(resolve("2027-03-14", "01:59", None).as_deref(), Ok("2027-03-14T06:59:00.000Z"));
    }

    #[test]
    fn an_hour_that_is_there_twice_is_asked_about() {
        assert_eq!(resolve("2026-11-01", "01:30", None), Err(TimeProblem::Twice));
        assert_eq!(resolve("2026-11-01", "01:30", Some(Which::First)).as_deref(), Ok("2026-11-01T05:30:00.000Z"));
        assert_eq!(resolve("2026-11-01", "01:30", Some(Which::Second)).as_deref(), Ok("2026-11-01T06:30:00.000Z"));
    }

    #[test]
    fn two_of_one_person_overlap_or_are_tight() {
        let at = |text: &str| Timestamp::parse_iso(&format!("2026-11-24T{text}:00Z")).unwrap();
        let near = |one: [&str; 2], other: [&str; 2]| nearness((at(one[0]), at(one[1])), (at(other[0]), at(other[1])));
        assert_eq!(near(["09:00", "09:45"], ["09:30", "10:15"]), Some(Nearness::Overlap));
        assert_eq!(near(["09:00", "12:00"], ["10:00", "10:15"]), Some(Nearness::Overlap));
        assert_eq!(near(["09:30", "10:15"], ["08:30", "09:15"]), Some(Nearness::Tight(15)));
        assert_eq!(near(["08:30", "09:30"], ["09:30", "10:00"]), Some(Nearness::Tight(0)));
        assert_eq!(near(["08:30", "09:30"], ["10:00", "10:30"]), None);
    }
}
