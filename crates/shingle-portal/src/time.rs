//! Times as the company's users read them.

use jiff::tz::TimeZone;
use shingle_domain::next_step::Due;
use shingle_domain::{Language, Timestamp};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::counted::{Counted, counted};
use crate::days::{day_of_year, short_day};
use crate::element::el;
use crate::phrase::{phrase, translated};

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;

/// Where the company is, what time it is there, and how its reader writes that.
#[derive(Debug, Clone)]
pub struct Hours {
    zone: TimeZone,
    now: Timestamp,
    language: Language,
}

impl Hours {
    /// An unknown zone counts as UTC.
    pub fn new(zone: &str, now: Timestamp, language: Language) -> Self {
        Self { zone: TimeZone::get(zone).unwrap_or(TimeZone::UTC), now, language }
    }

    fn local(&self, at: Timestamp) -> jiff::Zoned {
        jiff::Timestamp::from_microsecond(at.micros()).unwrap_or_default().to_zoned(self.zone.clone())
    }

    /// Whether a day of the company is over.
    pub(crate) fn is_past(&self, day: jiff::civil::Date) -> bool {
        day < self.local(self.now).date()
    }

    /// Whether a next step should have been done by now: with a time by the minute, without one when its day is over.
    pub(crate) fn is_overdue(&self, due: &Due) -> bool {
        due.time.map_or_else(|| self.is_past(due.day.0), |time| time.at < self.now)
    }

    /// `Nov 20, 2026, 9:41 AM EST`, `20 nov 2026, 9:41 a. m. EST`
    pub fn full(&self, at: Timestamp) -> String {
        let at = self.local(at);
        let half = match (self.language, at.hour() < 12) {
            (Language::English, true) => "AM",
            (Language::English, false) => "PM",
            // A space that does not break.
            (Language::Spanish, true) => "a.\u{a0}m.",
            (Language::Spanish, false) => "p.\u{a0}m.",
        };
        let day = day_of_year(self.language, at.date());
        format!("{day}, {} {half} {}", at.strftime("%-I:%M"), at.strftime("%Z"))
    }

    /// `2026-11-20 09:41`, for a spreadsheet.
    pub fn sortable(&self, at: Timestamp) -> String {
        self.local(at).strftime("%Y-%m-%d %H:%M").to_string()
    }

    /// `4 min`, `2 h`, `Yesterday`, `Nov 18`, `Nov 18, 2025`.
    pub fn age(&self, at: Timestamp) -> String {
        let seconds = (self.now.seconds() - at.seconds()).max(0);
        let (then, now) = (self.local(at), self.local(self.now));
        match seconds {
            ..MINUTE => translated(self.language, "Now").to_owned(),
            MINUTE..HOUR => self.count("{count} min", seconds / MINUTE),
            _ if then.date() == now.date() => self.count("{count} h", seconds / HOUR),
            _ if now.date().yesterday().is_ok_and(|yesterday| yesterday == then.date()) => {
                translated(self.language, "Yesterday").to_owned()
            }
            _ if then.year() == now.year() => short_day(self.language, then.date()),
            _ => day_of_year(self.language, then.date()),
        }
    }

    /// `just now`, `3 minutes ago`, `on Nov 18`: the end of a sentence.
    pub(crate) fn ago(&self, at: Timestamp) -> String {
        let language = self.language;
        match (self.now.seconds() - at.seconds()).max(0) {
            ..MINUTE => translated(language, "just now").to_owned(),
            seconds @ MINUTE..HOUR => counted(language, Counted::MINUTES_AGO, seconds / MINUTE),
            _ => phrase(language, "on {time}", &[("time", &self.full(at))]),
        }
    }

    fn count(&self, words: &'static str, count: i64) -> String {
        phrase(self.language, words, &[("count", &count.to_string())])
    }

    /// What follows counts of deliveries.
    pub(crate) fn last_tried(&self, at: Timestamp) -> Node {
        let said = phrase(self.language, "last tried {ago}", &[("ago", &self.ago(at))]);
        el("time").set("datetime", at.to_string()).set("title", self.full(at)).text(said)
    }

    /// The age, with the full time behind it.
    pub(crate) fn aged(&self, at: Timestamp) -> Node {
        el("time").set("datetime", at.to_string()).set("title", self.full(at)).text(self.age(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_says_as_much_as_it_needs() {
        let now = 1_795_500_000_000_000;
        let hours = |language| Hours::new("America/New_York", Timestamp::from_micros(now), language);
        let ago = |language, seconds: i64| hours(language).age(Timestamp::from_micros(now - seconds * 1_000_000));
        let full = |language| hours(language).full(Timestamp::from_micros(now));
        assert_eq!(full(Language::English), "Nov 24, 2026, 1:00 AM EST");
        assert_eq!(full(Language::Spanish), "24 nov 2026, 1:00 a.\u{a0}m. EST");
        for (seconds, english, spanish) in [
            (-5, "Now", "Ahora"),
            (59, "Now", "Ahora"),
            (60, "1 min", "1 min"),
            (3_599, "59 min", "59 min"),
            (3_600, "1 h", "1 h"),
            (2 * 3_600, "Yesterday", "Ayer"),
            (30 * 3_600, "Nov 22", "22 nov"),
            (400 * 86_400, "Oct 20, 2025", "20 oct 2025"),
        ] {
            assert_eq!(ago(Language::English, seconds), english, "{seconds}");
            assert_eq!(ago(Language::Spanish, seconds), spanish, "{seconds}");
        }
        assert_eq!(
            Hours::new("Nowhere/At_All", Timestamp::from_micros(now), Language::English)
                .full(Timestamp::from_micros(0)),
            "Jan 1, 1970, 12:00 AM UTC"
        );
    }
}
