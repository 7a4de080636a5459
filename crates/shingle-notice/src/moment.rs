//! Times as people read them, in the recipient's time zone.
//!
//! # Decision
//!
//! Time zones come from the program, not the machine, so a notice is the same everywhere. An unknown name is UTC, and
//! the times say so.

use jiff::Zoned;
use jiff::tz::{TimeZone, TimeZoneDatabase};
use shingle_domain::inspection::VisitDate;
use shingle_domain::{Language, Timestamp};
use shingle_widget::words::fill;

use crate::words::Words;

const DAYS: [[&str; 7]; 2] =
    [["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"], ["lun", "mar", "mié", "jue", "vie", "sáb", "dom"]];
const MONTHS: [[&str; 12]; 2] = [
    [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    [
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ],
];

/// A place's time in one language.
#[derive(Debug, Clone)]
pub struct LocalTime {
    zone: TimeZone,
    /// Said behind a time of day where the zone is not the reader's own.
    suffix: &'static str,
    language: Language,
}

impl LocalTime {
    /// `zone` is an IANA name. One that is not known becomes UTC, and times say so. The zones are those in the program:
    /// no file is read.
    pub fn of(zone: &str, language: Language) -> Self {
        match TimeZoneDatabase::bundled().get(zone) {
            Ok(found) if !matches!(zone, "UTC" | "Etc/UTC") => Self { zone: found, suffix: "", language },
            _ => Self { zone: TimeZone::UTC, suffix: " UTC", language },
        }
    }

    /// `Tue, Nov 24, 6:12 pm`
    pub fn moment(&self, at: Timestamp) -> String {
        let t = self.at(at);
        [&self.short_date(&t), ", ", &self.clock(&t)].concat()
    }

    /// `6:12 pm`
    pub fn time_of_day(&self, at: Timestamp) -> String {
        self.clock(&self.at(at))
    }

    /// `EST`; nothing where times say it themselves.
    pub fn zone_name(&self, at: Timestamp) -> String {
        if self.suffix.is_empty() { self.at(at).strftime("%Z").to_string() } else { String::new() }
    }

    /// `Tue, Nov 24`
    pub fn day(&self, at: Timestamp) -> String {
        self.short_date(&self.at(at))
    }

    /// `November 24, 2026`
    pub fn date(&self, at: Timestamp) -> String {
        let t = self.at(at);
        let month = self.month(&t);
        match self.language {
            Language::English => format!("{month} {}, {}", t.day(), t.year()),
            Language::Spanish => format!("{} de {month} de {}", t.day(), t.year()),
        }
    }

    /// `November 24, 2026, 6:12 pm`
    pub fn full(&self, at: Timestamp) -> String {
        [&self.date(at), ", ", &self.time_of_day(at)].concat()
    }

    /// The date of a day.
    pub fn long_day(language: Language, day: VisitDate) -> String {
        let at = day.0.to_zoned(TimeZone::UTC).map(|at| at.timestamp().as_microsecond());
        Self::of("UTC", language).date(Timestamp::from_micros(at.unwrap_or_default()))
    }

    /// Year, month, day, hour, minute and second in UTC; nothing before the year 0.
    pub fn utc_parts(at: Timestamp) -> [u16; 6] {
        let t = jiff::Timestamp::from_microsecond(at.micros()).unwrap_or_default().to_zoned(TimeZone::UTC);
        let small = |n: i8| u16::try_from(n).unwrap_or_default();
        let year = u16::try_from(t.year()).unwrap_or_default();
        [year, small(t.month()), small(t.day()), small(t.hour()), small(t.minute()), small(t.second())]
    }

    fn at(&self, at: Timestamp) -> Zoned {
        jiff::Timestamp::from_microsecond(at.micros()).unwrap_or_default().to_zoned(self.zone.clone())
    }

    fn month(&self, t: &Zoned) -> &'static str {
        MONTHS[self.language as usize][usize::try_from(t.month() - 1).unwrap_or_default()]
    }

    fn short_date(&self, t: &Zoned) -> String {
        let day =
            DAYS[self.language as usize][usize::try_from(t.weekday().to_monday_zero_offset()).unwrap_or_default()];
        let month: String = self.month(t).chars().take(3).collect();
        match self.language {
            Language::English => format!("{day}, {month} {}", t.day()),
            Language::Spanish => format!("{day} {} {month}", t.day()),
        }
    }

    fn clock(&self, t: &Zoned) -> String {
        let half = match (self.language, t.hour() < 12) {
            (Language::English, true) => "am",
            (Language::English, false) => "pm",
            // A space that does not break.
            (Language::Spanish, true) => "a.\u{a0}m.",
            (Language::Spanish, false) => "p.\u{a0}m.",
        };
        let hour = match t.hour() % 12 {
            0 => 12,
            h => h,
        };
        format!("{hour}:{:02}\u{a0}{half}{}", t.minute(), self.suffix)
    }
}

/// `15 min`, `2 h 5 min`, `3 days`
pub fn duration(minutes: u64, words: &Words) -> String {
    let (hours, rest) = (minutes / 60, minutes % 60);
    match (hours, rest) {
        (0, _) => format!("{rest}\u{a0}min"),
        (1..48, 0) => format!("{hours}\u{a0}h"),
        (1..48, _) => format!("{hours}\u{a0}h {rest}\u{a0}min"),
        _ => fill(words.days, &[("n", &(hours / 24).to_string())]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::words;

    fn plain(text: &str) -> String {
        text.replace('\u{a0}', " ")
    }

    #[test]
    fn a_time_is_the_readers_own() {
        let at = Timestamp::parse_iso("2026-11-24T23:12:00Z").unwrap();
        let maine = LocalTime::of("America/New_York", Language::English);
        assert_eq!(plain(&maine.moment(at)), "Tue, Nov 24, 6:12 pm");
        assert_eq!(maine.date(at), "November 24, 2026");
        let hawaii = LocalTime::of("Pacific/Honolulu", Language::Spanish);
        assert_eq!(plain(&hawaii.moment(at)), "mar 24 nov, 1:12 p. m.");
        assert_eq!(hawaii.date(at), "24 de noviembre de 2026");
        let night = Timestamp::parse_iso("2026-07-04T04:05:00Z").unwrap();
        assert_eq!(plain(&maine.moment(night)), "Sat, Jul 4, 12:05 am", "midnight, in summer");
    }

    #[test]
    fn a_zone_that_nobody_knows_is_utc_and_says_so() {
        let at = Timestamp::parse_iso("2026-11-24T23:12:00Z").unwrap();
        for zone in ["", "Mars/Olympus", "../../etc/passwd", "UTC", "Etc/UTC"] {
            assert_eq!(
                plain(&LocalTime::of(zone, Language::English).moment(at)),
                "Tue, Nov 24, 11:12 pm UTC",
                "{zone}"
            );
        }
    }

    #[test]
    fn a_time_beyond_all_calendars_is_still_a_text() {
        for at in [i64::MIN, i64::MAX, 0] {
            assert!(!LocalTime::of("America/Denver", Language::Spanish).moment(Timestamp::from_micros(at)).is_empty());
        }
    }

    #[test]
    fn a_duration_is_said_as_coarsely_as_it_matters() {
        let say = |minutes| plain(&duration(minutes, words(Language::English)));
        assert_eq!(
            [0, 15, 60, 125, 48 * 60, 24 * 60 * 9 + 5].map(say),
            ["0 min", "15 min", "1 h", "2 h 5 min", "2 days", "9 days"]
        );
    }
}
