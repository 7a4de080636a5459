//! Days and months as people write them in their language.

use jiff::civil::Date;
use shingle_domain::Language;
use shingle_widget::words::{Group, flow_words, w};

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
