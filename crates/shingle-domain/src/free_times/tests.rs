use super::*;
use crate::days_off::DaysOff;
use crate::notice::{Hours, Weekday};
use crate::settings::VisitDays;

/// New York's rules of today, without a table of zones.
fn new_york() -> TimeZone {
    TimeZone::posix("EST5EDT,M3.2.0,M11.1.0").unwrap()
}

fn time(text: &str) -> TimeOfDay {
    TimeOfDay::parse(text).unwrap()
}

fn at(text: &str) -> Timestamp {
    Timestamp::parse_iso(text).unwrap()
}

/// Every day, these hours: morning, afternoon, evening.
fn hours(parts: [Option<(&str, &str)>; 3]) -> VisitHours {
    let [morning, afternoon, evening] =
        parts.map(|part| part.map(|(from, to)| Hours { from: time(from), to: time(to) }));
    let visits = vec![VisitDays { days: Weekday::ALL.to_vec(), morning, afternoon, evening }];
    VisitHours { time_zone: "America/New_York".to_owned(), visits }
}

fn booking() -> SelfBooking {
    SelfBooking { on: true, minutes: 60, travel_minutes: 0, notice_hours: 0, days_ahead: 3, ..SelfBooking::default() }
}

fn shown(days: &[FreeDay]) -> Vec<String> {
    let day = |day: &FreeDay| {
        let times: Vec<String> = day.times.iter().map(|time| time.time.to_string()).collect();
        format!("{} {}", day.date, times.join(" "))
    };
    days.iter().map(day).collect()
}

fn free(hours: &VisitHours, of: &SelfBooking, now: &str, taken: &[(&str, &str)]) -> Vec<String> {
    let taken: Vec<Span> = taken.iter().map(|(from, to)| (at(from), at(to))).collect();
    let rules = new_york();
    shown(&OpenTimes { hours, rules: &rules, of, now: at(now) }.days(&taken))
}

const NOON: &str = "2026-12-01T17:00:00Z";

#[test]
fn a_visit_ends_with_the_working_hours_and_parts_that_touch_are_one() {
    let of = SelfBooking { minutes: 90, days_ahead: 0, ..booking() };
    let until_eight = hours([None, None, Some(("17:30", "20:00"))]);
    assert_eq!(free(&until_eight, &of, NOON, &[]), ["2026-12-01 17:30 18:00 18:30"]);
    let over_five = hours([None, Some(("16:00", "17:00")), Some(("17:00", "18:00"))]);
    assert_eq!(free(&over_five, &of, NOON, &[]), ["2026-12-01 16:00 16:30"]);
    let too_short = hours([None, Some(("13:00", "14:00")), None]);
    assert_eq!(free(&too_short, &of, NOON, &[]), Vec::<String>::new());
    let quarter = hours([None, Some(("13:15", "15:20")), None]);
    assert_eq!(free(&quarter, &of, NOON, &[]), ["2026-12-01 13:15 13:45"]);
}

#[test]
fn working_hours_may_last_until_midnight() {
    let of = SelfBooking { days_ahead: 0, ..booking() };
    let late = hours([None, None, Some(("22:00", "24:00"))]);
    assert_eq!(free(&late, &of, NOON, &[]), ["2026-12-01 22:00 22:30 23:00"]);
}

#[test]
fn the_notice_counts_in_hours_over_midnight_and_days_ahead_from_there() {
    let morning = hours([Some(("08:00", "10:00")), None, None]);
    let of = SelfBooking { notice_hours: 20, days_ahead: 1, ..booking() };
    // 12:30 plus 20 hours is 8:30 of the next day.
    let now = "2026-12-01T17:30:00Z";
    assert_eq!(free(&morning, &of, now, &[]), ["2026-12-02 08:30 09:00", "2026-12-03 08:00 08:30 09:00"]);
    let long = SelfBooking { notice_hours: 240, days_ahead: 1, ..booking() };
    assert_eq!(free(&morning, &long, now, &[]).len(), 1, "the notice alone leaves days to pick");
}

#[test]
fn an_hour_that_clocks_skip_has_no_starts_and_one_that_is_there_twice_has_each_once() {
    let night = hours([Some(("01:00", "04:00")), None, None]);
    let of = SelfBooking { days_ahead: 1, ..booking() };
    // On March 14 clocks go from 2 to 3: three hours of the clock are two.
    assert_eq!(
        free(&night, &of, "2027-03-13T05:00:00Z", &[]),
        ["2027-03-13 01:00 01:30 02:00 02:30 03:00", "2027-03-14 01:00 01:30 03:00"]
    );
    let back = free(&night, &of, "2026-11-01T04:00:00Z", &[]);
    assert_eq!(back[0], "2026-11-01 01:00 01:30 02:00 02:30 03:00");
    let rules = new_york();
    let open = OpenTimes { hours: &night, rules: &rules, of: &of, now: at("2026-11-01T04:00:00Z") };
    let instants: Vec<String> = open.days(&[])[0].times.iter().map(|time| time.at.to_string()).collect();
    assert_eq!(instants[..3], ["2026-11-01T05:00:00.000Z", "2026-11-01T05:30:00.000Z", "2026-11-01T07:00:00.000Z"]);
}

#[test]
fn nine_is_nine_before_and_after_clocks_change() {
    let morning = hours([Some(("09:00", "10:00")), None, None]);
    let of = SelfBooking { notice_hours: 24 * 7, days_ahead: 2, ..booking() };
    // A week from now is the day on which clocks go back, and 9:00 is not 8:00.
    let days = free(&morning, &of, "2026-10-25T12:00:00Z", &[]);
    assert_eq!(days, ["2026-11-01 09:00", "2026-11-02 09:00", "2026-11-03 09:00"]);
}

#[test]
fn a_leap_day_is_a_day_and_days_off_are_none() {
    let morning = hours([Some(("09:00", "10:00")), None, None]);
    assert_eq!(
        free(&morning, &booking(), "2028-02-28T10:00:00Z", &[]),
        ["2028-02-28 09:00", "2028-02-29 09:00", "2028-03-01 09:00", "2028-03-02 09:00"]
    );
    let off = |text: &str| DaysOff::parse(text).unwrap();
    let of = SelfBooking { days_off: vec![off("2028-02-28/2028-02-29"), off("2028-03-02")], ..booking() };
    assert_eq!(free(&morning, &of, "2028-02-28T10:00:00Z", &[]), ["2028-03-01 09:00"]);
    for wrong in
        ["2027-02-29", "2028-3-1", "2028-03-02/2028-03-01", "", "2028-02-28/", "2028-02-28/2028-02-29/2028-03-01"]
    {
        assert_eq!(DaysOff::parse(wrong), None, "{wrong}");
    }
    assert_eq!(off("2028-02-28/2028-02-28").to_string(), "2028-02-28");
}

#[test]
fn a_short_visit_within_a_long_one_takes_it_and_the_way_counts_on_both_sides() {
    let afternoon = hours([None, Some(("13:00", "18:00")), None]);
    let of = SelfBooking { minutes: 120, days_ahead: 0, ..booking() };
    // 15:00 to 15:15.
    let taken = [("2026-12-01T20:00:00Z", "2026-12-01T20:15:00Z")];
    assert_eq!(free(&afternoon, &of, NOON, &taken), ["2026-12-01 13:00 15:30 16:00"]);
    let of = SelfBooking { travel_minutes: 20, ..of };
    assert_eq!(free(&afternoon, &of, NOON, &taken), ["2026-12-01 16:00"]);
}

#[test]
fn as_many_visits_run_at_once_as_the_company_says() {
    let afternoon = hours([None, Some(("13:00", "16:00")), None]);
    let of = SelfBooking { days_ahead: 0, at_once: 2, ..booking() };
    // 13:00 to 14:00, and 14:30 to 15:00 twice.
    let taken = [
        ("2026-12-01T18:00:00Z", "2026-12-01T19:00:00Z"),
        ("2026-12-01T19:30:00Z", "2026-12-01T20:00:00Z"),
        ("2026-12-01T19:30:00Z", "2026-12-01T20:00:00Z"),
    ];
    assert_eq!(free(&afternoon, &of, NOON, &taken), ["2026-12-01 13:00 13:30 15:00"]);
    assert_eq!(
        free(&afternoon, &SelfBooking { at_once: 3, ..of.clone() }, NOON, &taken),
        ["2026-12-01 13:00 13:30 14:00 14:30 15:00"]
    );
    assert_eq!(free(&afternoon, &SelfBooking { at_once: 1, ..of }, NOON, &taken), ["2026-12-01 15:00"]);
}

#[test]
fn only_what_is_offered_can_be_found_at_the_moment_of_booking() {
    let afternoon = hours([None, Some(("13:00", "15:00")), None]);
    let (of, rules) = (booking(), new_york());
    let open = OpenTimes { hours: &afternoon, rules: &rules, of: &of, now: at(NOON) };
    let found = |text: &str, taken: &[Span]| open.find(at(text), taken).map(|time| time.time.to_string());
    assert_eq!(found("2026-12-01T18:30:00Z", &[]).as_deref(), Some("13:30"));
    assert_eq!(found("2026-12-01T18:30:00Z", &[(at("2026-12-01T19:00:00Z"), at("2026-12-01T19:30:00Z"))]), None);
    for other in ["2026-12-01T18:10:00Z", "2026-12-01T19:30:00Z", "2026-11-30T18:30:00Z", "2026-12-20T18:30:00Z"] {
        assert_eq!(found(other, &[]), None, "{other}");
    }
    assert_eq!(open.find(Timestamp::from_micros(i64::MAX), &[]), None);
    let late = OpenTimes { of: &SelfBooking { notice_hours: 2, ..of.clone() }, ..open };
    assert_eq!(late.find(at("2026-12-01T18:30:00Z"), &[]), None, "the notice holds when it is sent, too");
}
