//! The rules of a request for a visit.

use super::reader::is_longer;
use crate::answers::ContactBy;
use crate::inspection::{DAY_PARTS, MAX_DAYS_AHEAD, MAX_NOTE, MAX_WISHES, VisitCalendar, VisitDate, Wish};
use crate::public::{InspectionRequest, WishRequest};
use crate::text::is_clean_block;
use crate::violation::{Rule, Violations};

/// What a homeowner asks for, parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InspectionWishes {
    pub wishes: Vec<Wish>,
    pub contact_by: ContactBy,
    pub note: Option<String>,
}

impl InspectionWishes {
    /// `has_phone`: whether the lead has a number to call.
    pub fn parse(sent: &InspectionRequest, days: &VisitCalendar<'_>, has_phone: bool) -> Result<Self, Violations> {
        let mut broken = Violations::default();
        let mut note = |name: &str, rule: Rule| broken.push(format!("inspection.{name}"), rule);
        if sent.wishes.is_empty() {
            note("wishes", Rule::NotEmpty);
        }
        if sent.wishes.len() > MAX_WISHES {
            note("wishes", Rule::MaxElements { max: MAX_WISHES });
        }
        let mut wishes: Vec<Wish> = Vec::new();
        for (i, sent) in sent.wishes.iter().take(MAX_WISHES).enumerate() {
            let Some(wish) = wish(sent, days, &mut |field, rule| note(&format!("wishes.{i}{field}"), rule)) else {
                continue;
            };
            if wishes.contains(&wish) {
                note("wishes", Rule::Unique);
            } else {
                wishes.push(wish);
            }
        }
        let contact_by = sent.contact_by.parse().ok();
        match contact_by {
            None => note("contactBy", Rule::one_of(&["call", "text", "email"])),
            Some(ContactBy::Email) => {}
            Some(_) if has_phone => {}
            Some(_) => note("contactBy", Rule::EmailWithoutPhone),
        }
        let text = sent.note.as_deref().unwrap_or_default().trim();
        if !is_clean_block(text) {
            note("note", Rule::Clean);
        }
        if is_longer(text, MAX_NOTE) {
            note("note", Rule::MaxLength { max: MAX_NOTE });
        }
        match contact_by {
            Some(contact_by) if broken.is_empty() => {
                Ok(Self { wishes, contact_by, note: Some(text.to_owned()).filter(|text| !text.is_empty()) })
            }
            _ => Err(broken),
        }
    }
}

fn wish(sent: &WishRequest, days: &VisitCalendar<'_>, note: &mut dyn FnMut(&str, Rule)) -> Option<Wish> {
    let (date, part) = (VisitDate::parse(&sent.date), sent.part.parse().ok());
    match date {
        None => note(".date", Rule::VisitDay),
        Some(date) if !days.is_near(date) => {
            note(".date", Rule::NearDay { max_days: MAX_DAYS_AHEAD });
        }
        Some(_) => {}
    }
    if part.is_none() {
        note(".part", Rule::one_of(&DAY_PARTS.map(crate::settings::DayPart::as_str)));
    }
    let wish = Wish { date: date?, part: part? };
    if days.is_near(wish.date) && days.offer(wish.date, wish.part).is_none() {
        note("", Rule::NotOffered);
        return None;
    }
    Some(wish)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::notice::{Hours, TimeOfDay, Weekday};
    use crate::settings::{DayPart, VisitHours};

    fn request(wishes: &[(&str, &str)], contact_by: &str, note: Option<&str>) -> InspectionRequest {
        let wish = |(date, part): &(&str, &str)| WishRequest { date: (*date).to_owned(), part: (*part).to_owned() };
        InspectionRequest {
            wishes: wishes.iter().map(wish).collect(),
            contact_by: contact_by.to_owned(),
            note: note.map(str::to_owned),
        }
    }

    /// Tuesday.
    const TODAY: jiff::civil::Date = date(2026, 11, 24);

    fn broken(sent: &InspectionRequest, has_phone: bool) -> Vec<String> {
        let days = VisitCalendar { today: TODAY, hours: None };
        InspectionWishes::parse(sent, &days, has_phone).map_or_else(|v| v.messages(), |_| Vec::new())
    }

    #[test]
    fn wishes_keep_their_order_and_a_note_is_trimmed() {
        let sent = request(&[("2026-12-04", "evening"), ("2026-11-25", "morning")], "text", Some("  Dog.\nGate.  "));
        let days = VisitCalendar { today: TODAY, hours: None };
        let parsed = InspectionWishes::parse(&sent, &days, true).unwrap();
        let expected = [
            Wish { date: VisitDate(date(2026, 12, 4)), part: DayPart::Evening },
            Wish { date: VisitDate(date(2026, 11, 25)), part: DayPart::Morning },
        ];
        assert_eq!(parsed.wishes, expected);
        assert_eq!((parsed.contact_by, parsed.note.as_deref()), (ContactBy::Text, Some("Dog.\nGate.")));
        let blank = request(&[("2026-11-25", "morning")], "email", Some("  \n "));
        assert_eq!(InspectionWishes::parse(&blank, &days, false).unwrap().note, None);
    }

    #[test]
    fn a_day_lies_from_tomorrow_to_sixty_days_ahead() {
        let rule = "inspection.wishes.0.date must be a day from tomorrow on, at most 60 days ahead";
        for (date, fits) in [
            ("2026-11-23", false),
            ("2026-11-24", false),
            ("2026-11-25", true),
            ("2027-01-23", true),
            ("2027-01-24", false),
            ("9999-12-31", false),
        ] {
            let expected: &[&str] = if fits { &[] } else { &[rule] };
            assert_eq!(broken(&request(&[(date, "morning")], "email", None), false), expected, "{date}");
        }
    }

    #[test]
    fn what_is_no_day_or_no_part_is_named() {
        for date in ["", "2026-13-01", "2026-02-30", "tomorrow", "2026-12-1", "+002026-12-01", "2026-12-01T00:00"] {
            let told = broken(&request(&[(date, "noon")], "email", None), false);
            assert_eq!(
                told,
                [
                    "inspection.wishes.0.date must be a day such as 2026-12-01",
                    "inspection.wishes.0.part must be one of the following values: morning, afternoon, evening"
                ],
                "{date}"
            );
        }
    }

    #[test]
    fn there_are_one_to_three_different_wishes() {
        assert_eq!(broken(&request(&[], "email", None), true), ["inspection.wishes should not be empty"]);
        let four = ["25", "26", "27", "28"].map(|day| format!("2026-11-{day}"));
        let four: Vec<_> = four.iter().map(|day| (day.as_str(), "morning")).collect();
        assert_eq!(
            broken(&request(&four, "email", None), true),
            ["inspection.wishes must contain no more than 3 elements"]
        );
        let twice = [("2026-11-25", "morning"), ("2026-11-25", "morning"), ("2026-11-25", "evening")];
        assert_eq!(broken(&request(&twice, "email", None), true), ["inspection.wishes must be unique"]);
    }

    #[test]
    fn only_somebody_with_a_number_is_called_or_texted() {
        for by in ["call", "text"] {
            let sent = request(&[("2026-11-25", "morning")], by, None);
            assert!(broken(&sent, true).is_empty());
            assert_eq!(broken(&sent, false), ["inspection.contactBy must be email, because there is no phone number"]);
        }
        assert_eq!(
            broken(&request(&[("2026-11-25", "morning")], "fax", None), true),
            ["inspection.contactBy must be one of the following values: call, text, email"]
        );
    }

    #[test]
    fn a_note_is_bounded_and_clean() {
        let with = |note: &str| broken(&request(&[("2026-11-25", "morning")], "email", Some(note)), true);
        assert!(with(&"é".repeat(MAX_NOTE)).is_empty());
        assert_eq!(
            with(&"é".repeat(MAX_NOTE + 1)),
            ["inspection.note must be shorter than or equal to 500 characters"]
        );
        assert_eq!(with("a\u{202e}b"), ["inspection.note must not contain control characters"]);
    }

    #[test]
    fn a_wish_lies_within_the_companys_hours() {
        let time = |text| TimeOfDay::parse(text).unwrap();
        let morning = Some(Hours { from: time("08:00"), to: time("12:00") });
        let visits =
            crate::settings::VisitDays { days: vec![Weekday::Wednesday], morning, afternoon: None, evening: None };
        let hours = VisitHours { time_zone: "UTC".to_owned(), visits: vec![visits] };
        let days = VisitCalendar { today: TODAY, hours: Some(&hours) };
        let parse =
            |date: &str, part: &str| InspectionWishes::parse(&request(&[(date, part)], "email", None), &days, true);
        assert!(parse("2026-11-25", "morning").is_ok());
        let told = "inspection.wishes.0 is not among the times at which the company visits";
        for (date, part) in [("2026-11-25", "evening"), ("2026-11-26", "morning")] {
            assert_eq!(parse(date, part).unwrap_err().messages(), [told], "{date} {part}");
        }
        let offered = days.all();
        assert_eq!(offered.len(), 60);
        assert_eq!(offered[0].date.to_string(), "2026-11-25");
        assert_eq!(offered.iter().filter(|day| day.parts.iter().any(Option::is_some)).count(), 9, "Wednesdays");
    }
}
