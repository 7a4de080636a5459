//! Times as the company's people read them.

use jiff::tz::TimeZone;
use shingle_domain::Timestamp;
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;
use shingle_widget::words::Language;

use crate::element::el;
use crate::phrase::{phrase, translated};

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;

/// Where the company is, and what time it is there.
#[derive(Debug, Clone)]
pub struct Hours {
    zone: TimeZone,
    now: Timestamp,
}

impl Hours {
    /// A zone that is none counts as UTC.
    pub fn new(zone: &str, now: Timestamp) -> Self {
        Self { zone: TimeZone::get(zone).unwrap_or(TimeZone::UTC), now }
    }

    fn local(&self, at: Timestamp) -> jiff::Zoned {
        jiff::Timestamp::from_microsecond(at.micros()).unwrap_or_default().to_zoned(self.zone.clone())
    }

    /// `Nov 20, 2026, 9:41 AM EST`
    pub fn full(&self, at: Timestamp) -> String {
        self.local(at).strftime("%b %-d, %Y, %-I:%M %p %Z").to_string()
    }

    /// `4 min`, `2 h`, `Yesterday`, `Nov 18`, `Nov 18, 2025`.
    pub fn age(&self, at: Timestamp) -> String {
        let seconds = (self.now.seconds() - at.seconds()).max(0);
        let (then, now) = (self.local(at), self.local(self.now));
        match seconds {
            ..MINUTE => "Now".to_owned(),
            MINUTE..HOUR => format!("{} min", seconds / MINUTE),
            _ if then.date() == now.date() => format!("{} h", seconds / HOUR),
            _ if now.date().yesterday().is_ok_and(|yesterday| yesterday == then.date()) => "Yesterday".to_owned(),
            _ if then.year() == now.year() => then.strftime("%b %-d").to_string(),
            _ => then.strftime("%b %-d, %Y").to_string(),
        }
    }

    /// `just now`, `3 minutes ago`, `on Nov 18`: the end of a sentence.
    pub(crate) fn ago(&self, language: Language, at: Timestamp) -> String {
        match (self.now.seconds() - at.seconds()).max(0) {
            ..MINUTE => translated(language, "just now").to_owned(),
            seconds @ MINUTE..HOUR if seconds < 2 * MINUTE => translated(language, "a minute ago").to_owned(),
            seconds @ MINUTE..HOUR => {
                phrase(language, "{count} minutes ago", &[("count", &(seconds / MINUTE).to_string())])
            }
            _ => phrase(language, "on {time}", &[("time", &self.full(at))]),
        }
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
        let hours = Hours::new("America/New_York", Timestamp::from_micros(now));
        let ago = |seconds: i64| hours.age(Timestamp::from_micros(now - seconds * 1_000_000));
        assert_eq!(hours.full(Timestamp::from_micros(now)), "Nov 24, 2026, 1:00 AM EST");
        for (seconds, said) in [
            (-5, "Now"),
            (59, "Now"),
            (60, "1 min"),
            (3_599, "59 min"),
            (3_600, "1 h"),
            (2 * 3_600, "Yesterday"),
            (30 * 3_600, "Nov 22"),
            (400 * 86_400, "Oct 20, 2025"),
        ] {
            assert_eq!(ago(seconds), said, "{seconds}");
        }
        assert_eq!(
            Hours::new("Nowhere/At_All", Timestamp::from_micros(now)).full(Timestamp::from_micros(0)),
            "Jan 1, 1970, 12:00 AM UTC"
        );
    }
}
