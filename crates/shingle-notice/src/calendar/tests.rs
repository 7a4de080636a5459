use std::io::BufReader;

use ical::IcalParser;
use ical::parser::ical::component::IcalEvent;
use shingle_domain::AppointmentId;
use shingle_domain::appointment::{Attendant, LocalMoment, Side};
use shingle_domain::inspection::VisitDate;
use shingle_domain::notice::TimeOfDay;

use super::*;

pub fn appointment() -> Appointment {
    let (date, time) = (VisitDate::parse("2026-11-23").unwrap(), TimeOfDay::parse("13:00").unwrap());
    let zone = "America/New_York";
    Appointment {
        id: "0192f4c1-7d3e-7a2b-8c4d-00000000000a".parse::<AppointmentId>().unwrap(),
        sequence: 0,
        time: LocalMoment::resolve(date, time, (zone, &crate::timing::zone_of(zone)), None).unwrap(),
        minutes: 45,
        person: Attendant { user: None, name: "Tomas Okafor".into() },
        place: "14 Alder Court, Portland, ME 04103".into(),
        line: Some("We’ll use the side door.".into()),
        state: AppointmentState::Booked,
        since: Timestamp::parse_iso("2026-11-20T16:32:00Z").unwrap(),
        changed_at: Timestamp::parse_iso("2026-11-20T16:32:00Z").unwrap(),
    }
}

fn entry<'a>(of: &'a Appointment, to: &'a Email, name: &'a str) -> CalendarEntry<'a> {
    CalendarEntry {
        appointment: of,
        title: "Roof inspection, Quillback Roofing".into(),
        about: vec!["Tomas Okafor".into(), "Move or cancel: https://est.example.com/v".into()],
        link: "https://est.example.com/v",
        organizer: ("Quillback Roofing", to),
        attendee: Some((name, to)),
        takes_time: true,
        host: "est.example.com",
    }
}

/// As another program reads it: the events, and the method.
fn read(file: &str) -> (Vec<IcalEvent>, Option<String>) {
    let mut parser = IcalParser::new(BufReader::new(file.as_bytes()));
    let calendar = parser.next().unwrap().unwrap();
    assert!(parser.next().is_none(), "one calendar in a file");
    let method = calendar.properties.iter().find(|p| p.name == "METHOD").and_then(|p| p.value.clone());
    (calendar.events, method)
}

fn value(event: &IcalEvent, name: &str) -> String {
    let mut found = event.properties.iter().filter(|p| p.name == name);
    let value = found.next().and_then(|p| p.value.clone()).unwrap_or_else(|| panic!("no {name}"));
    assert!(found.next().is_none(), "{name} twice");
    value
}

#[test]
fn another_program_reads_an_inspection() {
    let (appointment, to) = (appointment(), Email::parse("office@quillback.example").unwrap());
    let file = calendar_file(&[entry(&appointment, &to, "Dana")], CalendarMethod::Request, None);
    let (events, method) = read(&file);
    assert_eq!((events.len(), method.as_deref()), (1, Some("REQUEST")));
    for (name, expected) in [
        ("UID", "0192f4c1-7d3e-7a2b-8c4d-00000000000a@est.example.com"),
        ("SEQUENCE", "0"),
        ("DTSTAMP", "20261120T163200Z"),
        ("DTSTART", "20261123T180000Z"),
        ("DTEND", "20261123T184500Z"),
        ("STATUS", "CONFIRMED"),
        ("SUMMARY", "Roof inspection\\, Quillback Roofing"),
        ("LOCATION", "14 Alder Court\\, Portland\\, ME 04103"),
        ("URL", "https://est.example.com/v"),
    ] {
        assert_eq!(value(&events[0], name), expected);
    }
}

#[test]
fn a_move_keeps_the_name_and_counts_and_a_cancel_says_so() {
    let to = Email::parse("office@quillback.example").unwrap();
    let before = appointment();
    let moved =
        Appointment { sequence: 1, state: AppointmentState::Moved { from: before.time.clone() }, ..before.clone() };
    let state = AppointmentState::Canceled { by: Side::Homeowner, word: None, reason: None };
    let canceled = Appointment { sequence: 2, state, ..before.clone() };
    let files = [
        calendar_file(&[entry(&before, &to, "Dana")], CalendarMethod::Request, None),
        calendar_file(&[entry(&moved, &to, "Dana")], CalendarMethod::Request, None),
        calendar_file(&[entry(&canceled, &to, "Dana")], CalendarMethod::Cancel, None),
    ];
    let read = files.map(|file| {
        let (events, method) = read(&file);
        let of = |name| value(&events[0], name);
        (of("UID"), of("SEQUENCE"), of("STATUS"), method.unwrap())
    });
    let uid = format!("{}@est.example.com", before.id);
    let expected = [("0", "CONFIRMED", "REQUEST"), ("1", "CONFIRMED", "REQUEST"), ("2", "CANCELLED", "CANCEL")];
    for (read, (sequence, status, method)) in read.iter().zip(expected) {
        assert_eq!(*read, (uid.clone(), sequence.to_owned(), status.to_owned(), method.to_owned()));
    }
}

#[test]
fn hostile_texts_add_no_line_and_no_line_is_longer_than_75_octets() {
    let to = Email::parse("office@quillback.example").unwrap();
    let hostile = "A\r\nBEGIN:VALARM\nX:y;z,\\\"\u{2028}\u{202e}\0 ".to_owned() + &"日本é".repeat(60);
    let mut appointment = appointment();
    appointment.place = hostile.clone();
    let of = CalendarEntry {
        title: hostile.clone(),
        about: vec![hostile.clone(), hostile.clone()],
        organizer: (&hostile, &to),
        ..entry(&appointment, &to, &hostile)
    };
    let file = calendar_file(&[of], CalendarMethod::Request, Some(&hostile));
    assert!(file.ends_with("END:VCALENDAR\r\n"));
    for line in file.split("\r\n") {
        assert!(line.len() <= 75, "{} octets: {line}", line.len());
        assert!(!line.contains(['\r', '\n', '\0']), "{line:?}");
    }
    let (events, _) = read(&file);
    assert_eq!(events.len(), 1);
    assert!(events[0].alarms.is_empty());
    let place = value(&events[0], "LOCATION");
    assert!(place.starts_with("A BEGIN:VALARM X:y\\;z\\,\\\\\""), "{place}");
    let attendee = events[0].properties.iter().find(|p| p.name == "ATTENDEE").unwrap();
    assert_eq!(attendee.value.as_deref(), Some("mailto:office@quillback.example"));
}

#[test]
fn a_feed_has_a_name_and_everything_that_stands() {
    let (one, to) = (appointment(), Email::parse("office@quillback.example").unwrap());
    let other = Appointment { id: "0192f4c1-7d3e-7a2b-8c4d-00000000000b".parse().unwrap(), ..one.clone() };
    let entries = [entry(&one, &to, "Dana"), entry(&other, &to, "Jon")];
    let file = calendar_file(&entries, CalendarMethod::Publish, Some("Tomas, inspections"));
    let (events, method) = read(&file);
    assert_eq!((events.len(), method.as_deref()), (2, Some("PUBLISH")));
    assert!(file.contains("\r\nX-WR-CALNAME:Tomas  inspections\r\n"), "{file}");
    assert!(calendar_file(&[], CalendarMethod::Publish, Some("x")).contains("BEGIN:VCALENDAR\r\n"));
}
