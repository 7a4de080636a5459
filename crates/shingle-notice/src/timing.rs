//! When a notice may be sent: quiet hours, working hours, and the hour of the digest, all in the account's time zone.

use jiff::civil::{Date, Time};
use jiff::tz::{TimeZone, TimeZoneDatabase};
use jiff::{SignedDuration, Zoned};
use shingle_domain::Timestamp;
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::notice::{NoticeSettings, Weekday};

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
