//! Days and months as people write them in their language.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use shingle_domain::Language;
use shingle_domain::appointment::Appointment;
use shingle_domain::inspection::VisitDate;
use shingle_domain::next_step::Due;
use shingle_domain::notice::TimeOfDay;
use shingle_widget::words::{Group, flow_words, w};

use crate::phrase::phrase;

fn named(language: Language, group: Group, number: i8) -> &'static str {
    flow_words(language).text(group.at(usize::try_from(number).unwrap_or_default()))
}

/// `Nov 24`, `24 nov`.
pub fn short_day(language: Language, date: Date) -> String {
    let month = named(language, w::MONTHS, date.month() - 1);
    match language {
        Language::English => format!("{month} {}", date.day()),
        Language::Spanish => format!("{} {month}", date.day()),
    }
}

/// `Nov 24, 2026`, `24 nov 2026`.
pub(crate) fn day_of_year(language: Language, date: Date) -> String {
    let join = match language {
        Language::English => ", ",
        Language::Spanish => " ",
    };
    format!("{}{join}{}", short_day(language, date), date.year())
}

/// `Tue, Nov 24`, `mar 24 nov`.
pub(crate) fn day_of_week(language: Language, date: Date) -> String {
    let weekday = named(language, w::WEEKDAYS, date.weekday().to_monday_zero_offset());
    let join = match language {
        Language::English => ", ",
        Language::Spanish => " ",
    };
    format!("{weekday}{join}{}", short_day(language, date))
}

/// `1:00 PM`, `1:00 p. m.`
pub fn clock(language: Language, time: TimeOfDay) -> String {
    let (hour, minute) = (time.minutes() / 60 % 24, time.minutes() % 60);
    let half = match (language, hour < 12) {
        (Language::English, true) => "AM",
        (Language::English, false) => "PM",
        // A space that does not break.
        (Language::Spanish, true) => "a.\u{a0}m.",
        (Language::Spanish, false) => "p.\u{a0}m.",
    };
    format!("{}:{minute:02} {half}", (hour + 11) % 12 + 1)
}

/// `Dec 1`, `Dec 1, 2:30 PM`
pub(crate) fn short_due(language: Language, due: &Due) -> String {
    let day = short_day(language, due.day.0);
    due.time.map_or_else(|| day.clone(), |time| format!("{day}, {}", clock(language, time.of_day)))
}

/// `Dec 1, 2026`, `Dec 1, 2026, 2:30 PM`
pub(crate) fn full_due(language: Language, day: VisitDate, time: Option<TimeOfDay>) -> String {
    let day = day_of_year(language, day.0);
    time.map_or_else(|| day.clone(), |time| format!("{day}, {}", clock(language, time)))
}

/// `Mon, Nov 23, 1:00 PM`
pub fn date_and_time(language: Language, date: VisitDate, time: TimeOfDay) -> String {
    format!("{}, {}", day_of_week(language, date.0), clock(language, time))
}

/// `Mon, Nov 23, 1:00 PM to 1:45 PM`
pub fn date_and_hours(language: Language, of: &Appointment) -> String {
    let zone = TimeZone::get(&of.time.zone).unwrap_or(TimeZone::UTC);
    let end = jiff::Timestamp::from_microsecond(of.ends_at().micros()).unwrap_or_default().to_zoned(zone);
    let minutes = u16::try_from(i32::from(end.hour()) * 60 + i32::from(end.minute())).unwrap_or_default();
    let to = TimeOfDay::from_minutes(minutes).unwrap_or(of.time.time);
    let from = date_and_time(language, of.time.date, of.time.time);
    let to = match end.date() == of.time.date.0 {
        true => clock(language, to),
        false => date_and_time(language, VisitDate(end.date()), to),
    };
    phrase(language, "{from} to {to}", &[("from", &from), ("to", &to)])
}

/// `November 2026`, `noviembre de 2026`.
pub fn month_of_year(language: Language, date: Date) -> String {
    let month = named(language, w::MONTHS_LONG, date.month() - 1);
    let join = match language {
        Language::English => " ",
        Language::Spanish => " de ",
    };
    format!("{month}{join}{}", date.year())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_written_as_its_language_does() {
        let day: Date = "2026-11-24".parse().unwrap();
        let of = |language| {
            [
                short_day(language, day),
                day_of_year(language, day),
                day_of_week(language, day),
                month_of_year(language, day),
            ]
        };
        assert_eq!(of(Language::English), ["Nov 24", "Nov 24, 2026", "Tue, Nov 24", "November 2026"]);
        assert_eq!(of(Language::Spanish), ["24 nov", "24 nov 2026", "mar 24 nov", "noviembre de 2026"]);
    }
}
