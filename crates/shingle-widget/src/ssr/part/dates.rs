//! Days and hours as people read them.

use shingle_domain::Language;
use shingle_domain::inspection::{PartOffer, VisitDate, Wish};
use shingle_domain::notice::{Hours, TimeOfDay};
use shingle_domain::settings::DayPart;

use crate::words::{Word, Words, w};

/// `Tue, Dec 1`
pub fn short_day(words: Words, of: VisitDate) -> String {
    let weekday = words.text(w::WEEKDAYS.at(usize::try_from(of.0.weekday().to_monday_zero_offset()).unwrap_or(0)));
    words.fill(w::DAY_SHORT, &[("weekday", weekday), ("month", month(words, of)), ("day", &of.0.day().to_string())])
}

/// `December 1, 2026`
pub fn long_day(words: Words, of: VisitDate) -> String {
    let name = words.text(w::MONTHS_LONG.at(month_index(of)));
    let (day, year) = (of.0.day().to_string(), of.0.year().to_string());
    words.fill(w::DAY_LONG, &[("month", name), ("day", &day), ("year", &year)])
}

pub fn weekday(words: Words, of: VisitDate) -> String {
    words.text(w::WEEKDAYS.at(usize::try_from(of.0.weekday().to_monday_zero_offset()).unwrap_or(0))).to_owned()
}

/// `Dec 1`, without the day of the week.
pub fn month_and_day(words: Words, of: VisitDate) -> String {
    let day = of.0.day().to_string();
    let text = words.fill(w::DAY_SHORT, &[("weekday", ""), ("month", month(words, of)), ("day", &day)]);
    text.trim_start_matches([',', ' ']).to_owned()
}

fn month(words: Words, of: VisitDate) -> &'static str {
    words.text(w::MONTHS.at(month_index(of)))
}

fn month_index(of: VisitDate) -> usize {
    usize::try_from(of.0.month() - 1).unwrap_or(0).min(11)
}

pub fn part_index(part: DayPart) -> usize {
    match part {
        DayPart::Morning => 0,
        DayPart::Afternoon => 1,
        DayPart::Evening => 2,
    }
}

/// `morning`
pub fn part_in_text(part: DayPart) -> Word {
    w::DAY_PARTS_IN_TEXT.at(part_index(part))
}

/// `Tue, Dec 1, morning`
pub fn wish_text(words: Words, of: Wish) -> String {
    [&short_day(words, of.date), ", ", words.text(part_in_text(of.part))].concat()
}

/// `8–12`, or `8:30–12`; on a clock of 24 hours in Spanish.
pub fn hours_text(words: Words, hours: Hours) -> String {
    let spanish = words.text(w::LANG) == Language::Spanish.tag();
    [&time_text(hours.from, spanish), "–", &time_text(hours.to, spanish)].concat()
}

fn time_text(of: TimeOfDay, whole_day: bool) -> String {
    let (hour, minute) = (of.minutes() / 60, of.minutes() % 60);
    let hour = if whole_day { hour } else { (hour + 11) % 12 + 1 };
    if minute == 0 { hour.to_string() } else { format!("{hour}:{minute:02}") }
}

/// The hours of a part of the day, where they are the same on all these days.
pub fn common_hours<'a>(offers: impl Iterator<Item = &'a PartOffer>) -> Option<Hours> {
    let mut all = offers.map(|offer| offer.hours);
    let first = all.next()??;
    all.all(|hours| hours == Some(first)).then_some(first)
}

#[cfg(test)]
mod tests {
    use shingle_domain::inspection::DAY_PARTS;

    use super::*;
    use crate::words::flow_words;

    #[test]
    fn days_and_hours_read_as_people_write_them() {
        let day = VisitDate::parse("2026-12-01").unwrap();
        let [english, spanish] = Language::ALL.map(flow_words);
        assert_eq!((&*short_day(english, day), &*short_day(spanish, day)), ("Tue, Dec 1", "mar 1 dic"));
        assert_eq!((&*month_and_day(english, day), &*month_and_day(spanish, day)), ("Dec 1", "1 dic"));
        assert_eq!(long_day(english, day), "December 1, 2026");
        assert_eq!(long_day(spanish, day), "1 de diciembre de 2026");
        let time = |text| TimeOfDay::parse(text).unwrap();
        for (from, to, in_english, in_spanish) in [
            ("08:00", "12:00", "8–12", "8–12"),
            ("12:00", "16:30", "12–4:30", "12–16:30"),
            ("17:00", "24:00", "5–12", "17–24"),
        ] {
            let hours = Hours { from: time(from), to: time(to) };
            assert_eq!((&*hours_text(english, hours), &*hours_text(spanish, hours)), (in_english, in_spanish));
        }
        assert_eq!(DAY_PARTS.map(part_index), [0, 1, 2], "the order of the columns");
    }
}
