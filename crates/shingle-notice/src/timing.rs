//! When a notice may be sent: quiet hours, working hours, and the hour of the digest, all in the account's time zone.

use core::fmt;

use jiff::civil::{Date, Time};
use jiff::tz::{TimeZone, TimeZoneDatabase};
use jiff::{SignedDuration, Zoned};
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::notice::{NoticeSettings, Weekday};
use shingle_domain::{Language, Timestamp};
use shingle_widget::words::{flow_words, w};

/// Days that are looked through for the next working hour.
const HORIZON: i32 = 15;

/// Whether there is a time zone of this name.
pub fn is_time_zone(name: &str) -> bool {
    TimeZoneDatabase::bundled().get(name).is_ok()
}

/// The rules of a zone, from the table in the program. One that is not known is UTC.
pub fn zone_of(name: &str) -> TimeZone {
    TimeZoneDatabase::bundled().get(name).unwrap_or(TimeZone::UTC)
}

/// The day that it is there. A zone that is not known is UTC.
pub fn local_day(time_zone: &str, at: Timestamp) -> Date {
    let zone = TimeZoneDatabase::bundled().get(time_zone).unwrap_or(TimeZone::UTC);
    jiff::Timestamp::from_microsecond(at.micros()).unwrap_or_default().to_zoned(zone).date()
}

/// The clock of one account.
pub struct NoticeTiming<'a> {
    settings: &'a NoticeSettings,
    zone: TimeZone,
}

/// A day that has ended, whose digest is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DigestDay {
    /// `2026-11-21`
    pub date: String,
    pub from: Timestamp,
    pub until: Timestamp,
}

/// A month of a calendar, written `2026-11`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month {
    first: Date,
}

impl Month {
    pub fn of(date: Date) -> Self {
        Self { first: date.first_of_month() }
    }

    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
        let first = (text.len() == 7 && digits).then(|| [text, "-01"].concat().parse().ok()).flatten()?;
        Some(Self { first })
    }

    /// The one before it.
    pub fn before(self) -> Self {
        Self::of(self.first.yesterday().unwrap_or(self.first))
    }

    /// From its first moment there to the first of the next one.
    pub fn span(self, zone: &TimeZone) -> Option<(Timestamp, Timestamp)> {
        let start = |day: Date| {
            let at = day.to_zoned(zone.clone()).ok()?.timestamp();
            Some(Timestamp::from_micros(at.as_microsecond()))
        };
        Some((start(self.first)?, start(self.first.last_of_month().tomorrow().ok()?)?))
    }

    /// `November 2026`
    pub fn name(self, language: Language) -> String {
        let index = usize::try_from(self.first.month() - 1).unwrap_or_default();
        let name = flow_words(language).text(w::MONTHS_LONG.at(index.min(11)));
        let (between, year) = (if language == Language::Spanish { " de " } else { " " }, self.first.year());
        format!("{name}{between}{year}")
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.first.year(), self.first.month())
    }
}

/// Minutes of the day at which a report is sent where no hour of the digest is set.
const REPORT_AT: u16 = 8 * 60;
/// After so many days a report that was not made is not made any more.
const REPORT_DAYS: i32 = 7;

impl<'a> NoticeTiming<'a> {
    pub fn of(settings: &'a NoticeSettings) -> Self {
        let zone = TimeZoneDatabase::bundled().get(&settings.time_zone).unwrap_or(TimeZone::UTC);
        Self { settings, zone }
    }

    /// `None`: now. A first notice waits for the end of quiet hours; a reminder for working hours too.
    pub fn wait_until(&self, is_reminder: bool, now: Timestamp) -> Option<Timestamp> {
        let local = self.local(now)?;
        let mut at = local.clone();
        // Each may lead into the other: twice is enough for any day, and a third look changes nothing.
        for _ in 0..3 {
            if is_reminder {
                at = self.next_working(&at)?;
            }
            at = self.after_quiet(&at)?;
        }
        (at > local).then(|| Timestamp::from_micros(at.timestamp().as_microsecond()))
    }

    /// When a mailbox is notified of a lead that came in then, by its steps in minutes. Of those that wait for the same
    /// moment the first is sent: nobody gets two at once.
    pub fn times(&self, came: Timestamp, steps: &[u32]) -> Vec<(u32, Timestamp)> {
        let mut sorted = steps.to_vec();
        sorted.cold_sort();
        let mut times: Vec<(u32, Timestamp)> = Vec::new();
        for step in sorted {
            let due = came + std::time::Duration::from_secs(u64::from(step) * 60);
            let at = self.wait_until(step > 0, due).unwrap_or(due);
            if times.last().is_none_or(|(_, sent)| *sent < at) {
                times.push((step, at));
            }
        }
        times
    }

    /// The day before today, once today's hour of the digest has come.
    pub fn digest_due(&self, now: Timestamp) -> Option<DigestDay> {
        let at = self.settings.digest_at?;
        let local = self.local(now)?;
        if minutes(local.time()) < at.minutes() {
            return None;
        }
        let yesterday = local.date().yesterday().ok()?;
        let start = |day: Date| {
            day.to_zoned(self.zone.clone()).ok().map(|z| Timestamp::from_micros(z.timestamp().as_microsecond()))
        };
        Some(DigestDay { date: yesterday.to_string(), from: start(yesterday)?, until: start(local.date())? })
    }

    /// The month before this one, from the hour of the digest on its first working day on, for a week.
    pub fn report_due(&self, now: Timestamp) -> Option<Month> {
        let local = self.local(now)?;
        let month = Month::of(local.date());
        let hours = &self.settings.working_hours;
        let works = |day: &Date| match hours.is_empty() {
            true => day.weekday().to_monday_zero_offset() < 5,
            false => hours.iter().any(|hours| hours.days.iter().any(|of| weekday(*of) == day.weekday())),
        };
        let day = month.first.series(jiff::Span::new().days(1)).take(7).find(works)?;
        let at = self.settings.digest_at.map_or(REPORT_AT, |at| at.minutes());
        let since = (local.date() - day).get_days();
        let is_due = (1..REPORT_DAYS).contains(&since) || since == 0 && minutes(local.time()) >= at;
        is_due.then(|| month.before())
    }

    fn local(&self, at: Timestamp) -> Option<Zoned> {
        Some(jiff::Timestamp::from_microsecond(at.micros()).ok()?.to_zoned(self.zone.clone()))
    }

    fn after_quiet(&self, at: &Zoned) -> Option<Zoned> {
        let now = minutes(at.time());
        let Some(quiet) = self.settings.quiet_hours.filter(|hours| hours.contains(now)) else {
            return Some(at.clone());
        };
        let to = quiet.to.minutes();
        let day = if now < to { at.date() } else { at.date().tomorrow().ok()? };
        self.at(day, to)
    }

    fn next_working(&self, at: &Zoned) -> Option<Zoned> {
        if self.settings.working_hours.is_empty() {
            return Some(at.clone());
        }
        let mut day = at.date();
        for _ in 0..HORIZON {
            let mut open: Vec<_> = self
                .settings
                .working_hours
                .iter()
                .filter(|hours| hours.days.iter().any(|d| weekday(*d) == day.weekday()))
                .map(|hours| (hours.from.minutes(), hours.to.minutes()))
                .collect();
            open.cold_sort();
            for (from, to) in open {
                let now = if day == at.date() { minutes(at.time()) } else { 0 };
                if now < to {
                    return if now >= from && day == at.date() { Some(at.clone()) } else { self.at(day, from) };
                }
            }
            day = day.tomorrow().ok()?;
        }
        Some(at.clone())
    }

    /// A time of day that a clock change leaves out becomes the next one that exists.
    fn at(&self, day: Date, minutes: u16) -> Option<Zoned> {
        let (day, minutes) =
            if minutes >= 24 * 60 { (day.tomorrow().ok()?, minutes - 24 * 60) } else { (day, minutes) };
        let time = Time::midnight().checked_add(SignedDuration::from_mins(i64::from(minutes))).ok()?;
        day.to_datetime(time).to_zoned(self.zone.clone()).ok()
    }
}

fn minutes(time: Time) -> u16 {
    u16::try_from(i32::from(time.hour()) * 60 + i32::from(time.minute())).unwrap_or_default()
}

fn weekday(of: Weekday) -> jiff::civil::Weekday {
    use jiff::civil::Weekday as W;
    match of {
        Weekday::Monday => W::Monday,
        Weekday::Tuesday => W::Tuesday,
        Weekday::Wednesday => W::Wednesday,
        Weekday::Thursday => W::Thursday,
        Weekday::Friday => W::Friday,
        Weekday::Saturday => W::Saturday,
        Weekday::Sunday => W::Sunday,
    }
}

#[cfg(test)]
mod tests {
    use shingle_domain::notice::{Hours, TimeOfDay, WorkingHours};

    use super::*;

    fn time(text: &str) -> TimeOfDay {
        TimeOfDay::parse(text).unwrap()
    }

    fn settings() -> NoticeSettings {
        NoticeSettings {
            time_zone: "America/New_York".to_owned(),
            quiet_hours: Some(Hours { from: time("21:00"), to: time("07:00") }),
            working_hours: vec![WorkingHours {
                days: vec![Weekday::Monday, Weekday::Tuesday, Weekday::Wednesday, Weekday::Thursday, Weekday::Friday],
                from: time("08:00"),
                to: time("17:00"),
            }],
            digest_at: Some(time("06:30")),
            ..NoticeSettings::default()
        }
    }

    fn wait(settings: &NoticeSettings, is_reminder: bool, now: &str) -> Option<String> {
        let now = Timestamp::parse_iso(now).unwrap();
        NoticeTiming::of(settings).wait_until(is_reminder, now).map(|t| t.to_string())
    }

    #[test]
    fn a_mailbox_gets_one_notice_at_a_time() {
        let settings = settings();
        let times = |came: &str, steps: &[u32]| {
            let times = NoticeTiming::of(&settings).times(Timestamp::parse_iso(came).unwrap(), steps);
            times.into_iter().map(|(step, at)| format!("{step} {at}")).collect::<Vec<_>>()
        };
        // Wednesday, 5:50 in the morning: both reminders would wait for 8.
        assert_eq!(times("2026-11-25T10:50:00Z", &[10, 20]), ["10 2026-11-25T13:00:00.000Z"]);
        // The notice itself waits for 7, and the reminder for 8.
        let both = ["0 2026-11-25T12:00:00.000Z", "20 2026-11-25T13:00:00.000Z"];
        assert_eq!(times("2026-11-25T10:50:00Z", &[0, 20]), both);
        let noon = ["10 2026-11-25T17:10:00.000Z", "20 2026-11-25T17:20:00.000Z"];
        assert_eq!(times("2026-11-25T17:00:00Z", &[20, 10]), noon);
    }

    #[test]
    fn a_first_notice_waits_for_the_end_of_quiet_hours_alone() {
        let settings = settings();
        for (now, until) in [
            ("2026-11-24T18:00:00Z", None),
            ("2026-11-25T01:59:00Z", None),
            ("2026-11-25T02:00:00Z", Some("2026-11-25T12:00:00.000Z")),
            ("2026-11-25T11:59:59Z", Some("2026-11-25T12:00:00.000Z")),
            ("2026-11-25T12:00:00Z", None),
            // Saturday noon: no working hours, and no reason to wait.
            ("2026-11-28T17:00:00Z", None),
        ] {
            assert_eq!(wait(&settings, false, now).as_deref(), until, "{now}");
        }
    }

    #[test]
    fn a_reminder_waits_for_the_next_working_hour() {
        let settings = settings();
        for (now, until) in [
            ("2026-11-24T18:00:00Z", None),
            ("2026-11-24T12:30:00Z", Some("2026-11-24T13:00:00.000Z")),
            ("2026-11-24T22:00:00Z", Some("2026-11-25T13:00:00.000Z")),
            // Friday evening waits for Monday.
            ("2026-11-27T23:00:00Z", Some("2026-11-30T13:00:00.000Z")),
        ] {
            assert_eq!(wait(&settings, true, now).as_deref(), until, "{now}");
        }
    }

    #[test]
    fn clock_changes_and_midnight_do_no_harm() {
        let mut night = settings();
        night.quiet_hours = Some(Hours { from: time("01:00"), to: time("02:30") });
        // On March 8, 2026 there is no 02:30 in New York.
        assert_eq!(wait(&night, false, "2026-03-08T06:30:00Z").as_deref(), Some("2026-03-08T07:30:00.000Z"));
        night.quiet_hours = Some(Hours { from: time("20:00"), to: time("24:00") });
        assert_eq!(wait(&night, false, "2026-11-25T03:00:00Z").as_deref(), Some("2026-11-25T05:00:00.000Z"));
        // Always quiet outside working hours, always closed inside quiet hours: it ends anyway.
        night.quiet_hours = Some(Hours { from: time("07:00"), to: time("06:59") });
        assert!(wait(&night, true, "2026-11-25T15:00:00Z").is_some());
        let nowhere = NoticeSettings { time_zone: "Mars/Olympus".to_owned(), ..NoticeSettings::default() };
        assert_eq!(wait(&nowhere, true, "2026-11-25T15:00:00Z"), None);
        assert!(is_time_zone("America/New_York") && !is_time_zone("Mars/Olympus"));
    }

    #[test]
    fn a_day_begins_at_midnight_of_its_own_zone() {
        let at = Timestamp::parse_iso("2026-11-25T04:59:59Z").unwrap();
        let days =
            ["America/New_York", "UTC", "Mars/Olympus", "Pacific/Auckland"].map(|zone| local_day(zone, at).day());
        assert_eq!(days, [24, 25, 25, 25]);
    }

    #[test]
    fn a_report_is_due_from_the_first_working_day_on_for_a_week() {
        let due = |settings: &NoticeSettings, now: &str| {
            let due = NoticeTiming::of(settings).report_due(Timestamp::parse_iso(now).unwrap());
            due.map(|month| month.to_string())
        };
        let weekdays = settings();
        for (now, month) in [
            // November 1, 2026 is a Sunday, and clocks go back on it: Monday, 6:30 is 11:30 in UTC.
            ("2026-11-01T20:00:00Z", None),
            ("2026-11-02T11:29:59Z", None),
            ("2026-11-02T11:30:00Z", Some("2026-10")),
            ("2026-11-03T05:00:00Z", Some("2026-10")),
            ("2026-11-08T20:00:00Z", Some("2026-10")),
            ("2026-11-09T20:00:00Z", None),
            // The last evening of a month in New York is the first day in UTC.
            ("2026-12-01T04:00:00Z", None),
            ("2027-01-01T11:30:00Z", Some("2026-12")),
        ] {
            assert_eq!(due(&weekdays, now).as_deref(), month, "{now}");
        }
        let open = WorkingHours { days: vec![Weekday::Sunday], from: time("08:00"), to: time("17:00") };
        let sundays = NoticeSettings { working_hours: vec![open], digest_at: None, ..settings() };
        assert_eq!(due(&sundays, "2026-11-01T12:59:00Z"), None);
        assert_eq!(due(&sundays, "2026-11-01T13:00:00Z").as_deref(), Some("2026-10"), "at 8 where no hour is set");
    }

    #[test]
    fn a_month_has_its_own_days_wherever_it_is() {
        let month = Month::parse("2028-02").unwrap();
        let (from, until) = month.span(&zone_of("America/New_York")).unwrap();
        assert_eq!(
            (from.to_string(), until.to_string()),
            ("2028-02-01T05:00:00.000Z".into(), "2028-03-01T05:00:00.000Z".into())
        );
        assert_eq!(Month::parse("2026-01").unwrap().before().to_string(), "2025-12");
        assert_eq!(month.name(Language::Spanish), "febrero de 2028");
        for wrong in ["2026-13", "2026-1", "2026-11-01", "", "+026-11", "20２6-1"] {
            assert_eq!(Month::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_digest_tells_of_the_day_before_from_its_hour_on() {
        let settings = settings();
        let due = |now: &str| NoticeTiming::of(&settings).digest_due(Timestamp::parse_iso(now).unwrap());
        assert_eq!(due("2026-11-24T11:29:59Z"), None);
        let day = due("2026-11-24T11:30:00Z").unwrap();
        assert_eq!(day.date, "2026-11-23");
        assert_eq!(
            (day.from.to_string(), day.until.to_string()),
            ("2026-11-23T05:00:00.000Z".to_owned(), "2026-11-24T05:00:00.000Z".to_owned())
        );
        let off = NoticeSettings::default();
        assert_eq!(NoticeTiming::of(&off).digest_due(Timestamp::parse_iso("2026-11-24T11:30:00Z").unwrap()), None);
    }
}
