//! The rules of booking an inspection, for a form that a person fills in.

use jiff::tz::TimeZone;

use super::reader::is_longer;
use crate::appointment::{Attendant, LocalMoment, MAX_LINE, MAX_MINUTES, MAX_PLACE, MIN_MINUTES, TimeProblem, Which};
use crate::id::UserId;
use crate::inspection::VisitDate;
use crate::notice::TimeOfDay;
use crate::text::is_clean;
use crate::time::Timestamp;

/// How many days ahead an inspection can be booked.
pub const MAX_BOOKED_DAYS: i64 = 400;

/// As it was typed.
#[derive(Debug, Clone, Copy, Default)]
pub struct BookingForm<'f> {
    pub date: &'f str,
    pub start: &'f str,
    /// `first`, `second`, or nothing.
    pub which: &'f str,
    pub minutes: &'f str,
    /// The id of a colleague, or nothing.
    pub user: &'f str,
    /// Where `user` is nothing: the name of somebody else.
    pub other: &'f str,
    pub place: &'f str,
    pub line: &'f str,
}

/// What is booked, parsed. Whether the colleague is one is not known yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Booking {
    pub time: LocalMoment,
    pub minutes: u16,
    pub person: Attendant,
    pub place: String,
    pub line: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BookingField {
    Date,
    Start,
    Minutes,
    Person,
    Place,
    Line,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BookingProblem {
    NoDay,
    NoTime,
    Past,
    TooFar,
    /// Clocks go forward over it.
    Skipped {
        next: TimeOfDay,
    },
    /// Clocks go back: which of the two is meant?
    Twice,
    TooShort,
    /// Longer than a day.
    TooLong,
    NoPerson,
    NoPlace,
    Long,
    Unclean,
}

impl Booking {
    /// # Errors
    /// Every broken rule, with its field.
    pub fn parse(
        form: &BookingForm<'_>,
        zone: (&str, &TimeZone),
        now: Timestamp,
    ) -> Result<Self, Vec<(BookingField, BookingProblem)>> {
        let mut broken = Vec::new();
        let mut note = |field, problem| broken.push((field, problem));
        let time = moment(form, zone, now, &mut note);
        let minutes = match form.minutes.trim().parse::<u16>() {
            Ok(minutes) if minutes > MAX_MINUTES => {
                note(BookingField::Minutes, BookingProblem::TooLong);
                None
            }
            Ok(minutes) if minutes >= MIN_MINUTES => Some(minutes),
            // More digits than any number of minutes has.
            Err(_) if form.minutes.trim().len() > 4 && form.minutes.trim().bytes().all(|b| b.is_ascii_digit()) => {
                note(BookingField::Minutes, BookingProblem::TooLong);
                None
            }
            _ => {
                note(BookingField::Minutes, BookingProblem::TooShort);
                None
            }
        };
        let person = person(form, &mut note);
        let place = form.place.trim();
        if place.is_empty() {
            note(BookingField::Place, BookingProblem::NoPlace);
        }
        for (field, text, max) in
            [(BookingField::Place, place, MAX_PLACE), (BookingField::Line, form.line.trim(), MAX_LINE)]
        {
            if is_longer(text, max) {
                note(field, BookingProblem::Long);
            }
            if !is_clean(text) {
                note(field, BookingProblem::Unclean);
            }
        }
        let line = Some(form.line.trim().to_owned()).filter(|line| !line.is_empty());
        match (time, minutes, person) {
            (Some(time), Some(minutes), Some(person)) if broken.is_empty() => {
                Ok(Self { time, minutes, person, place: place.to_owned(), line })
            }
            _ => Err(broken),
        }
    }
}

fn moment(
    form: &BookingForm<'_>,
    zone: (&str, &TimeZone),
    now: Timestamp,
    note: &mut dyn FnMut(BookingField, BookingProblem),
) -> Option<LocalMoment> {
    let date = VisitDate::parse(form.date.trim());
    // A browser may send seconds.
    let start = form.start.trim();
    let start = if start.len() == 8 { start.get(..5).unwrap_or(start) } else { start };
    let time = TimeOfDay::parse(start).filter(|time| time.minutes() < MAX_MINUTES);
    if date.is_none() {
        note(BookingField::Date, BookingProblem::NoDay);
    }
    if time.is_none() {
        note(BookingField::Start, BookingProblem::NoTime);
    }
    let which = match form.which {
        "first" => Some(Which::First),
        "second" => Some(Which::Second),
        _ => None,
    };
    match LocalMoment::resolve(date?, time?, zone, which) {
        Ok(moment) if moment.at <= now => note(BookingField::Date, BookingProblem::Past),
        Ok(moment) if (moment.at.seconds() - now.seconds()) / 86_400 > MAX_BOOKED_DAYS => {
            note(BookingField::Date, BookingProblem::TooFar);
        }
        Ok(moment) => return Some(moment),
        Err(TimeProblem::Skipped { next }) => note(BookingField::Start, BookingProblem::Skipped { next }),
        Err(TimeProblem::Twice) => note(BookingField::Start, BookingProblem::Twice),
        Err(TimeProblem::None) => note(BookingField::Date, BookingProblem::NoDay),
    }
    None
}

fn person(form: &BookingForm<'_>, note: &mut dyn FnMut(BookingField, BookingProblem)) -> Option<Attendant> {
    let other = form.other.split_whitespace().collect::<Vec<_>>().join(" ");
    let user = form.user.trim().parse::<UserId>().ok();
    if user.is_some() {
        // The store knows the name.
        return Some(Attendant { user, name: String::new() });
    }
    let problem = match () {
        () if other.is_empty() => BookingProblem::NoPerson,
        () if is_longer(&other, 80) => BookingProblem::Long,
        () if !is_clean(form.other) => BookingProblem::Unclean,
        () => return Some(Attendant { user: None, name: other }),
    };
    note(BookingField::Person, problem);
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> TimeZone {
        TimeZone::posix("EST5EDT,M3.2.0,M11.1.0").unwrap()
    }

    const FORM: BookingForm<'static> = BookingForm {
        date: "2026-11-23",
        start: "13:00",
        which: "",
        minutes: "45",
        user: "",
        other: " Tomas  Okafor ",
        place: "14 Alder Court",
        line: "",
    };

    fn parse(form: &BookingForm<'_>) -> Result<Booking, Vec<(BookingField, BookingProblem)>> {
        let now = Timestamp::parse_iso("2026-11-19T15:00:00Z").unwrap();
        Booking::parse(form, ("America/New_York", &rules()), now)
    }

    #[test]
    fn what_is_typed_becomes_a_booking() {
        let booking = parse(&FORM).unwrap();
        assert_eq!((booking.person.name.as_str(), booking.minutes, booking.line), ("Tomas Okafor", 45, None));
        assert_eq!(booking.time.at.to_string(), "2026-11-23T18:00:00.000Z");
        assert_eq!(parse(&BookingForm { start: "13:00:00", ..FORM }).unwrap().time, booking.time);
    }

    #[test]
    fn every_broken_rule_is_named_at_its_field() {
        use BookingField as F;
        use BookingProblem as P;
        let next = TimeOfDay::parse("03:30").unwrap();
        for (form, field, problem) in [
            (BookingForm { date: "2026-11-19", start: "09:00", ..FORM }, F::Date, P::Past),
            (BookingForm { date: "2028-11-19", ..FORM }, F::Date, P::TooFar),
            (BookingForm { date: "2026-02-30", ..FORM }, F::Date, P::NoDay),
            (BookingForm { date: "", ..FORM }, F::Date, P::NoDay),
            (BookingForm { start: "25:00", ..FORM }, F::Start, P::NoTime),
            (BookingForm { start: "24:00", ..FORM }, F::Start, P::NoTime),
            (BookingForm { start: "é1:00", ..FORM }, F::Start, P::NoTime),
            (BookingForm { date: "2027-03-14", start: "02:30", ..FORM }, F::Start, P::Skipped { next }),
            (BookingForm { date: "2027-11-07", start: "01:30", ..FORM }, F::Start, P::Twice),
            (BookingForm { minutes: "1441", ..FORM }, F::Minutes, P::TooLong),
            (BookingForm { minutes: "99999999999", ..FORM }, F::Minutes, P::TooLong),
            (BookingForm { minutes: "0", ..FORM }, F::Minutes, P::TooShort),
            (BookingForm { minutes: "-30", ..FORM }, F::Minutes, P::TooShort),
            (BookingForm { other: " ", ..FORM }, F::Person, P::NoPerson),
            (BookingForm { other: "a\u{202e}b", ..FORM }, F::Person, P::Unclean),
            (BookingForm { place: "", ..FORM }, F::Place, P::NoPlace),
            (BookingForm { line: "a\nb", ..FORM }, F::Line, P::Unclean),
        ] {
            assert_eq!(parse(&form).unwrap_err(), [(field, problem)], "{form:?}");
        }
        assert!(parse(&BookingForm { minutes: "1440", ..FORM }).is_ok());
        assert_eq!(parse(&BookingForm::default()).unwrap_err().len(), 5);
    }
}
