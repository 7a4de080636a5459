//! The times that a homeowner can book without asking: from the hours of visits, days off, and what is booked.
//!
//! # Decision
//!
//! A visit is a span of real time, so all comparisons are between instants; only the grid of starts and the ends of the
//! working hours are local. An hour that clocks skip has no starts, and of an hour that is there twice the first counts.
//! The last day is counted from the earliest bookable moment, so a long notice never leaves nothing to pick. Turned
//! down: slots that are stored; they are wrong as soon as hours, zone or length change.

use jiff::ToSpan as _;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;

use crate::appointment::{LocalMoment, Which};
use crate::inspection::{DAY_PARTS, VisitDate};
use crate::notice::TimeOfDay;
use crate::settings::{SelfBooking, VisitHours};
use crate::time::Timestamp;

/// Minutes between two starts on the grid.
const STEP: u16 = 30;
const MINUTE: i64 = 60_000_000;

/// From and to, the end not included.
pub type Span = (Timestamp, Timestamp);

/// What a company lets homeowners book, read at one moment.
#[derive(Debug, Clone, Copy)]
pub struct OpenTimes<'a> {
    pub hours: &'a VisitHours,
    /// The rules of the zone of `hours`.
    pub rules: &'a TimeZone,
    pub of: &'a SelfBooking,
    pub now: Timestamp,
}

/// A day with at least one free time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreeDay {
    pub date: VisitDate,
    pub times: Vec<LocalMoment>,
}

impl OpenTimes<'_> {
    /// All days with free times, the earliest first. `taken`: visits that are booked, as far as they lie in [`Self::reach`].
    pub fn days(&self, taken: &[Span]) -> Vec<FreeDay> {
        let (first, last) = self.bounds();
        let dates = first.series(1.day()).take_while(|date| *date <= last);
        let day = |date| FreeDay { date: VisitDate(date), times: self.on(date, taken) };
        dates.map(day).filter(|day| !day.times.is_empty()).collect()
    }

    /// The time that begins at this instant, if it can be booked.
    pub fn find(&self, at: Timestamp, taken: &[Span]) -> Option<LocalMoment> {
        let date = self.local(at).date();
        let (first, last) = self.bounds();
        let times = if (first..=last).contains(&date) { self.on(date, taken) } else { Vec::new() };
        times.into_iter().find(|time| time.at == at)
    }

    /// In what span a booked visit can matter.
    pub fn reach(&self) -> Span {
        let (_, last) = self.bounds();
        let end = last.tomorrow().ok().and_then(|date| self.instant(date.at(0, 0, 0, 0)));
        let gap = self.gap();
        (moved(self.earliest(), -gap), moved(end.unwrap_or(self.now), gap))
    }

    fn earliest(&self) -> Timestamp {
        moved(self.now, i64::from(self.of.notice_hours) * 60)
    }

    fn gap(&self) -> i64 {
        i64::from(self.of.travel_minutes)
    }

    /// The first and the last day.
    fn bounds(&self) -> (Date, Date) {
        let first = self.local(self.earliest()).date();
        let last = first.checked_add(i32::from(self.of.days_ahead).days()).unwrap_or(first);
        (first, last)
    }

    fn local(&self, at: Timestamp) -> DateTime {
        let at = jiff::Timestamp::from_microsecond(at.micros()).unwrap_or_default();
        self.rules.to_datetime(at)
    }

    /// The first such instant; of one that clocks skip, the one right after.
    fn instant(&self, at: DateTime) -> Option<Timestamp> {
        let at = self.rules.to_ambiguous_zoned(at).compatible().ok()?;
        Some(Timestamp::from_micros(at.timestamp().as_microsecond()))
    }

    fn on(&self, date: Date, taken: &[Span]) -> Vec<LocalMoment> {
        if self.of.days_off.iter().any(|off| off.has(date)) {
            return Vec::new();
        }
        let mut times: Vec<LocalMoment> = Vec::new();
        for (from, to) in self.open(date) {
            let Some(closes) = self.at_minute(date, to) else { continue };
            for minute in (from..to).step_by(usize::from(STEP)) {
                let Some(time) = self.start(date, minute) else { continue };
                let ends = moved(time.at, i64::from(self.of.minutes));
                if time.at >= self.earliest()
                    && ends <= closes
                    && is_free((time.at, ends), taken, self.of)
                    && times.last().is_none_or(|last| last.at < time.at)
                {
                    times.push(time);
                }
            }
        }
        times
    }

    /// Minutes of the day; parts that touch are one.
    fn open(&self, date: Date) -> Vec<(u16, u16)> {
        let weekday = VisitDate(date).weekday();
        let mut open: Vec<(u16, u16)> = Vec::new();
        for hours in DAY_PARTS.into_iter().filter_map(|part| self.hours.on(weekday, part)) {
            let (from, to) = (hours.from.minutes(), hours.to.minutes());
            match open.last_mut() {
                Some(last) if last.1 >= from => last.1 = last.1.max(to),
                _ => open.push((from, to)),
            }
        }
        open
    }

    fn start(&self, date: Date, minute: u16) -> Option<LocalMoment> {
        let time = TimeOfDay::from_minutes(minute)?;
        let zone = (self.hours.time_zone.as_str(), self.rules);
        LocalMoment::resolve(VisitDate(date), time, zone, Some(Which::First)).ok()
    }

    /// The end of working hours may be 24:00: the start of the next day.
    fn at_minute(&self, date: Date, minute: u16) -> Option<Timestamp> {
        let date = if minute < 24 * 60 { date } else { date.tomorrow().ok()? };
        let (hour, minute) = (i8::try_from(minute / 60 % 24).ok()?, i8::try_from(minute % 60).ok()?);
        self.instant(DateTime::from_parts(date, Time::new(hour, minute, 0, 0).ok()?))
    }
}

fn moved(at: Timestamp, minutes: i64) -> Timestamp {
    Timestamp::from_micros(at.micros().saturating_add(minutes.saturating_mul(MINUTE)))
}

/// Whether somebody can go: at no moment are more visits under way than may be, each with the way to the next.
pub fn is_free(visit: Span, taken: &[Span], of: &SelfBooking) -> bool {
    let gap = i64::from(of.travel_minutes);
    // With the way to the next one, two visits that one person cannot make overlap.
    let touch = |(from, to): Span, (start, end): Span| from < moved(end, gap) && start < moved(to, gap);
    let near: Vec<Span> = taken.iter().copied().filter(|other| touch(visit, *other)).collect();
    // Of spans on a line, the most at once are under way where one of them begins.
    let at_once = |at: Timestamp| near.iter().filter(|(from, to)| *from <= at && at < moved(*to, gap)).count();
    let most = near.iter().map(|(from, _)| at_once(*from)).max().unwrap_or_default();
    most < usize::from(of.at_once)
}

#[cfg(test)]
mod tests;
