use shingle_domain::appointment::{Attendant, LocalMoment};
use shingle_domain::inspection::{VisitDate, Wish};
use shingle_domain::notice::TimeOfDay;
use shingle_domain::settings::DayPart;

use super::*;
use crate::sample;

fn moment(date: &str, time: &str) -> LocalMoment {
    let zone = "America/New_York";
    let (date, time) = (VisitDate::parse(date).unwrap(), TimeOfDay::parse(time).unwrap());
    LocalMoment::resolve(date, time, (zone, &crate::timing::zone_of(zone)), None).unwrap()
}

fn appointment() -> Appointment {
    let at = Timestamp::parse_iso("2026-11-20T16:32:00Z").unwrap();
    Appointment {
        id: "0192f4c1-7d3e-7a2b-8c4d-00000000000a".parse().unwrap(),
        sequence: 0,
        time: moment("2026-11-23", "13:00"),
        minutes: 45,
        person: Attendant { user: None, name: "Tomas Okafor".into() },
        place: "14 Alder Court, Portland, ME 04103".into(),
        line: Some("We’ll use the side door.".into()),
        state: AppointmentState::Booked,
        since: at,
        changed_at: at,
    }
}

fn mail(news: InspectionNews, of: &Appointment, language: Language, homeowner: bool) -> MailContent {
    let (lead, widget) = (sample::lead().unwrap(), sample::widget().unwrap());
    let to = Email::parse("tomas@quillback.example").unwrap();
    let page = "https://est.example.com/w/x/v/y";
    InspectionNotice {
        news,
        reader: match homeowner {
            true => InspectionReader::Homeowner { page },
            false => InspectionReader::Team {
                name: "Tomas",
                to: &to,
                lead: "https://est.example.com/portal/leads/1",
                goes: true,
            },
        },
        lead: &lead,
        appointment: of,
        keeps_time: false,
        widget: &widget,
        reference: "7K3-Q9F",
        sandbox: false,
        language,
        base_url: "https://est.example.com",
    }
    .content()
}

fn plain(text: &str) -> String {
    text.replace('\u{a0}', " ")
}

#[test]
fn the_homeowner_learns_when_who_and_where_and_no_price() {
    let content = mail(InspectionNews::Booked, &appointment(), Language::English, true);
    assert_eq!(plain(&content.subject), "Your inspection: Mon, Nov 23, 1:00 pm");
    for said in [
        "Your inspection is booked, Dana",
        "Mon, Nov 23",
        "1:00 pm to 1:45 pm, EST",
        "Tomas Okafor from Quillback Roofing",
        "14 Alder Court, Portland, ME 04103",
        "“We’ll use the side door.”",
        "https://est.example.com/w/x/v/y",
    ] {
        assert!(plain(&content.text).contains(said), "{said}: {}", content.text);
    }
    let calendar = content.calendar.unwrap();
    assert_eq!(calendar.method, CalendarMethod::Request);
    let file = calendar.text.replace("\r\n ", "");
    for private in ["$", "16,120", "555-0163", "Ring the side door", "squares", "Friendly dog"] {
        assert!(!content.text.contains(private) && !file.contains(private), "{private}");
    }
    assert!(file.contains("ATTENDEE") && file.contains("mailto:dana.whitfield@example.com"));
}

#[test]
fn the_team_gets_phone_answers_roof_and_the_lead() {
    let content = mail(InspectionNews::Booked, &appointment(), Language::English, false);
    assert_eq!(plain(&content.subject), "Inspection booked: Dana Whitfield, Mon, Nov 23, 1:00 pm");
    let file = content.calendar.unwrap().text.replace("\r\n ", "");
    for said in ["(207) 555-0163", "https://est.example.com/portal/leads/1"] {
        assert!(content.text.contains(said) && file.contains(said), "{said}: {file}");
    }
    assert!(file.contains("24.8 squares") && file.contains("Ring the side door."), "{file}");
    assert!(content.text.contains("24.8 squares"));
}

#[test]
fn each_change_has_its_own_words_and_file() {
    let before = appointment();
    let moved = Appointment {
        sequence: 1,
        time: moment("2026-11-24", "10:00"),
        state: AppointmentState::Moved { from: before.time.clone() },
        ..before.clone()
    };
    let content = mail(InspectionNews::Moved, &moved, Language::English, true);
    assert_eq!(plain(&content.subject), "New time for your inspection: Tue, Nov 24, 10:00 am");
    assert!(plain(&content.text).contains("Before: Mon, Nov 23, 1:00 pm"));
    assert!(content.text.contains("Agree, or pick another time"));
    assert!(content.calendar.unwrap().text.contains("PARTSTAT=NEEDS-ACTION"));

    let state = AppointmentState::Canceled { by: Side::Company, word: Some("A storm came in.".into()), reason: None };
    let canceled = Appointment { sequence: 2, state, ..before.clone() };
    let content = mail(InspectionNews::Canceled, &canceled, Language::Spanish, true);
    assert!(content.subject.starts_with("Cancelada: su inspección, lun 23 nov"), "{}", content.subject);
    assert!(content.text.contains("“A storm came in.”"));
    assert_eq!(content.calendar.unwrap().method, CalendarMethod::Cancel);

    assert!(mail(InspectionNews::Tomorrow, &before, Language::English, true).calendar.is_none());
    let wish = Wish { date: VisitDate::parse("2026-11-25").unwrap(), part: DayPart::Morning };
    let asked = Appointment { state: AppointmentState::OtherAsked { wish }, ..before };
    let content = mail(InspectionNews::OtherAsked, &asked, Language::English, false);
    assert_eq!(content.subject, "Dana Whitfield asks for another time");
    assert!(content.text.contains("Asks for: Wed, Nov 25, morning"), "{}", content.text);
}

#[test]
fn a_reminder_comes_on_the_eve_at_five_and_never_at_night() {
    let at = |text: &str| Timestamp::parse_iso(text).unwrap();
    let remind = |now: &str| reminder_at(&moment("2026-11-23", "13:00"), at(now)).map(|at| at.to_string());
    assert_eq!(remind("2026-11-20T15:00:00Z").as_deref(), Some("2026-11-22T22:00:00.000Z"));
    // Booked on the evening before: everybody knows.
    assert_eq!(remind("2026-11-22T22:00:00Z"), None);
    // Clocks go back between the two.
    let after = reminder_at(&moment("2026-11-01", "09:00"), at("2026-10-20T00:00:00Z")).unwrap();
    assert_eq!(after.to_string(), "2026-10-31T21:00:00.000Z");
}
