//! A requested visit in a few words, for a list.

use jiff::civil::Date;
use shingle_domain::Language;
use shingle_domain::appointment::{Appointment, AppointmentState, Outcome};
use shingle_domain::inspection::{Inspection, InspectionState};
use shingle_domain::settings::DayPart;

use crate::days::{date_and_time, short_day};
use crate::phrase::translated;

/// Of a day.
const PARTS: usize = 3;

pub(crate) fn part_in_words(part: DayPart) -> &'static str {
    match part {
        DayPart::Morning => "morning",
        DayPart::Afternoon => "afternoon",
        DayPart::Evening => "evening",
    }
}

/// How far the inspection of a lead is: its time, what became of it, or the times that were asked for.
pub(crate) fn inspection_in_words(
    asked: Option<&Inspection>,
    booked: Option<&Appointment>,
    language: Language,
) -> Option<String> {
    let again = asked.is_some_and(|asked| asked.state == InspectionState::Asked);
    let said = match booked.map(|booked| (&booked.state, booked)) {
        Some((
            AppointmentState::Booked | AppointmentState::Moved { .. } | AppointmentState::OtherAsked { .. },
            booked,
        )) => {
            return Some(date_and_time(language, booked.time.date, booked.time.time));
        }
        _ if again => return asked.map(|asked| visit_in_words(asked, language)),
        Some((AppointmentState::Canceled { .. }, _)) => "Canceled",
        Some((AppointmentState::Over { outcome: Outcome::TookPlace }, _)) => "Took place",
        Some((AppointmentState::Over { outcome: Outcome::NobodyHome }, _)) => "Nobody was home",
        Some((AppointmentState::Over { outcome: Outcome::NotGone }, _)) => "We didn’t go",
        None => return asked.map(|asked| visit_in_words(asked, language)),
    };
    Some(translated(language, said).to_owned())
}

/// `Nov 24 or Nov 26, morning`; `Nov 24, morning or Nov 26, evening`.
fn visit_in_words(visit: &Inspection, language: Language) -> String {
    if visit.state == InspectionState::Declined {
        return translated(language, "Declined").to_owned();
    }
    let or = translated(language, " or ");
    let mut days: Vec<(Date, Vec<&'static str>)> = Vec::new();
    for wish in &visit.wishes {
        let part = translated(language, part_in_words(wish.part));
        match days.iter_mut().find(|(day, _)| *day == wish.date.0) {
            Some((_, parts)) => parts.push(part),
            None => days.push((wish.date.0, vec![part])),
        }
    }
    for (_, parts) in days.iter_mut().filter(|(_, parts)| parts.len() == PARTS) {
        *parts = vec![translated(language, "any time")];
    }
    let day = |day: &Date| short_day(language, *day);
    match days.split_first() {
        Some(((first, parts), others)) if others.iter().all(|(_, other)| other == parts) => {
            let all: Vec<_> = std::iter::once(first).chain(others.iter().map(|(day, _)| day)).map(day).collect();
            format!("{}, {}", all.join(or), parts.join(or))
        }
        _ => {
            let each = days.iter().map(|(on, parts)| format!("{}, {}", day(on), parts.join(or)));
            each.collect::<Vec<_>>().join(or)
        }
    }
}

#[cfg(test)]
mod tests {
    use shingle_domain::Timestamp;
    use shingle_domain::answers::ContactBy;
    use shingle_domain::inspection::{VisitDate, Wish};

    use super::*;

    #[test]
    fn each_day_has_its_own_part() {
        let said = |wishes: &[(&str, DayPart)]| {
            let wish = |(day, part): &(&str, DayPart)| Wish { date: VisitDate::parse(day).unwrap(), part: *part };
            let visit = Inspection {
                requested_at: Timestamp::from_micros(0),
                wishes: wishes.iter().map(wish).collect(),
                contact_by: ContactBy::Text,
                note: None,
                photos: Vec::new(),
                state: InspectionState::Asked,
            };
            visit_in_words(&visit, Language::English)
        };
        use DayPart::{Afternoon, Evening, Morning};
        assert_eq!(said(&[("2026-11-24", Morning)]), "Nov 24, morning");
        assert_eq!(said(&[("2026-11-24", Morning), ("2026-11-26", Morning)]), "Nov 24 or Nov 26, morning");
        assert_eq!(said(&[("2026-11-24", Morning), ("2026-11-26", Evening)]), "Nov 24, morning or Nov 26, evening");
        let one_day = [("2026-11-27", Morning), ("2026-11-27", Afternoon), ("2026-11-27", Evening)];
        assert_eq!(said(&one_day), "Nov 27, any time");
        assert_eq!(said(&one_day[1..]), "Nov 27, afternoon or evening");
        assert_eq!(said(&[]), "");
    }
}
