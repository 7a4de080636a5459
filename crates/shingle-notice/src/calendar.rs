//! Calendar files (RFC 5545) of inspections: for the mails to both sides, for a download, and for feeds.
//!
//! # Decisions
//!
//! - Times are instants in UTC: each calendar shows them on its reader's clock, and no file can carry rules of a zone that
//!   have changed. Turned down: local times with a `VTIMEZONE`, which programs read differently and which matter only for
//!   what repeats.
//! - Mails carry `REQUEST` and `CANCEL`: Gmail offers an entry for those alone, and Outlook refuses a file whose method is
//!   not that of its part. Downloads and feeds are `PUBLISH`: nobody is asked to answer.
//! - No answer is asked for (`RSVP=FALSE`): it would go to a mailbox that no program reads. The page of the inspection is
//!   where homeowners answer.

use icalendar::{Calendar, Component, Event, EventLike, Property};
use shingle_domain::appointment::{Appointment, AppointmentState};
use shingle_domain::mail::CalendarMethod;
use shingle_domain::{Email, Timestamp};

use crate::clean;

/// What one side sees of an inspection in its calendar.
#[derive(Debug, Clone)]
pub struct CalendarEntry<'a> {
    pub appointment: &'a Appointment,
    pub title: String,
    /// Line by line.
    pub about: Vec<String>,
    pub link: &'a str,
    /// The company, by name and address.
    pub organizer: (&'a str, &'a Email),
    /// Whose calendar it is for, by name and address.
    pub attendee: Option<(&'a str, &'a Email)>,
    /// Whether the reader is busy then.
    pub takes_time: bool,
    /// The host of this server: a part of the entry's name.
    pub host: &'a str,
}

/// One file with these entries. `name`: of a feed.
pub fn calendar_file(entries: &[CalendarEntry<'_>], method: CalendarMethod, name: Option<&str>) -> String {
    let mut calendar = Calendar::empty();
    let head = [("VERSION", "2.0"), ("PRODID", "-//Shingle//Inspections//EN"), ("CALSCALE", "GREGORIAN")];
    for (key, value) in head {
        calendar.append_property(Property::new(key, value));
    }
    calendar.append_property(Property::new("METHOD", method.as_str()));
    if let Some(name) = name {
        // The library escapes no name.
        let name = clean::line(name).replace(['\\', ';', ','], " ");
        calendar.name(&name);
        calendar.append_property(Property::new("REFRESH-INTERVAL", "PT1H").add_parameter("VALUE", "DURATION").done());
    }
    for entry in entries {
        calendar.push(event(entry, method));
    }
    calendar.done().to_string()
}

fn event(of: &CalendarEntry<'_>, method: CalendarMethod) -> Event {
    let appointment = of.appointment;
    let mut event = Event::new();
    event.uid(&format!("{}@{}", appointment.id, of.host));
    event.sequence(appointment.sequence);
    let changed = instant(appointment.changed_at);
    event.add_property("DTSTAMP", &changed).add_property("LAST-MODIFIED", &changed);
    event.add_property("DTSTART", instant(appointment.time.at)).add_property("DTEND", instant(appointment.ends_at()));
    event.summary(&clean::line(&of.title)).location(&clean::line(&appointment.place));
    let about: Vec<String> = of.about.iter().map(|line| clean::line(line)).collect();
    event.description(&about.join("\n"));
    event.url(of.link);
    // Also for one reader alone, who no longer goes.
    let canceled = method == CalendarMethod::Cancel || matches!(appointment.state, AppointmentState::Canceled { .. });
    event.add_property("STATUS", if canceled { "CANCELLED" } else { "CONFIRMED" });
    event.add_property("TRANSP", if of.takes_time { "OPAQUE" } else { "TRANSPARENT" });
    event.append_property(person("ORGANIZER", of.organizer).done());
    // What is published has no attendees (RFC 5546, 3.2.1).
    if let Some(attendee) = of.attendee.filter(|_| method != CalendarMethod::Publish) {
        let mut attendee = person("ATTENDEE", attendee);
        attendee.add_parameter("ROLE", "REQ-PARTICIPANT").add_parameter("RSVP", "FALSE");
        let accepted = !matches!(appointment.state, AppointmentState::Moved { .. });
        attendee.add_parameter("PARTSTAT", if accepted { "ACCEPTED" } else { "NEEDS-ACTION" });
        event.append_multi_property(attendee.done());
    }
    event.done()
}

fn person(key: &str, (name, address): (&str, &Email)) -> Property {
    // A parameter has no way to write a quotation mark.
    let name: String = clean::line(name).chars().filter(|c| *c != '"').collect();
    let name = if name.is_empty() { address.as_str().to_owned() } else { name };
    Property::new(key, format!("mailto:{}", address.as_str())).add_parameter("CN", &name).done()
}

/// `20261123T180000Z`
fn instant(at: Timestamp) -> String {
    let time = jiff::Timestamp::from_microsecond(at.micros()).unwrap_or_default();
    time.strftime("%Y%m%dT%H%M%SZ").to_string()
}

#[cfg(test)]
mod tests;
