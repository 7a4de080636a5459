//! To both sides of an inspection: it is booked, moved, canceled, or tomorrow. The homeowner's has time, place, person and
//! the link; the team's also phone, answers and roof.

use shingle_domain::Language;
use shingle_domain::appointment::{Appointment, AppointmentState, CancelReason, LocalMoment, Side};
use shingle_domain::lead::Lead;
use shingle_domain::mail::{CalendarMethod, MailCalendar, MailContent};
use shingle_domain::widget::{Widget, WidgetLinks};
use shingle_domain::{Email, Timestamp};
use shingle_widget::ssr::part::wish_text;
use shingle_widget::words::{fill, flow_words, told, w, written};

use crate::calendar::{CalendarEntry, calendar_file};
use crate::compose::compose;
use crate::letter::{Amount, Block, Button, Letter, Row, Span};
use crate::moment::LocalTime;
use crate::skin::Skin;
use crate::words::{Words, words};
use crate::{clean, facts};

/// What has happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InspectionNews {
    Booked,
    Moved,
    Canceled,
    Tomorrow,
    /// The homeowner agreed to another time.
    Agreed,
    /// The homeowner asks for another time.
    OtherAsked,
    /// To the one who no longer goes.
    HandedOver,
}

/// Whom the mail is for.
#[derive(Debug, Clone, Copy)]
pub enum InspectionReader<'a> {
    /// With the page of the inspection.
    Homeowner { page: &'a str },
    /// With the lead in the portal. `goes`: this reader does the inspection.
    Team { name: &'a str, to: &'a Email, lead: &'a str, goes: bool },
}

#[derive(Debug, Clone, Copy)]
pub struct InspectionNotice<'a> {
    pub news: InspectionNews,
    pub reader: InspectionReader<'a>,
    pub lead: &'a Lead,
    pub appointment: &'a Appointment,
    /// What changed is who goes, where or how long.
    pub keeps_time: bool,
    pub widget: &'a Widget,
    /// What people call the lead: `7K3-Q9F`.
    pub reference: &'a str,
    /// Made with a sandbox key.
    pub sandbox: bool,
    pub language: Language,
    /// Origin and path prefix of this server.
    pub base_url: &'a str,
}

impl InspectionNotice<'_> {
    pub fn content(&self) -> MailContent {
        let words = self.words();
        let mut blocks = vec![Block::Kicker { what: self.company(), when: String::new() }];
        if self.sandbox {
            blocks.push(Block::Notice(words.lead_test_why.to_owned()));
        }
        blocks.push(Block::Title(self.title()));
        blocks.push(Block::Amount(self.time_card()));
        blocks.extend(self.word().map(|said| Block::Line(fill(words.quoted, &[("text", &said)]))));
        blocks.push(Block::Rows(self.rows()));
        blocks.extend(self.buttons());
        blocks.extend(self.hint().map(|said| Block::Small(vec![Span::Plain(said)])));
        let content = compose(Letter {
            language: self.language,
            skin: Skin::of(Some(self.widget)),
            subject: self.subject(),
            preview: self.when(&self.appointment.time),
            blocks,
            footer: self.footer(),
            pictures: Vec::new(),
            attachments: Vec::new(),
        });
        MailContent { calendar: self.calendar(), ..content }
    }

    fn words(&self) -> &'static Words {
        words(self.language)
    }

    /// Nobody is named yet where the company itself is the one who goes.
    fn who(&self, person: &str, company: &str) -> String {
        if person == company {
            return company.to_owned();
        }
        fill(self.words().inspection_from, &[("name", person), ("company", company)])
    }

    fn is_homeowner(&self) -> bool {
        matches!(self.reader, InspectionReader::Homeowner { .. })
    }

    fn company(&self) -> String {
        clean::line(&self.widget.company_name)
    }

    fn clock(&self, of: &LocalMoment) -> LocalTime {
        LocalTime::of(&of.zone, self.language)
    }

    /// `Mon, Nov 23, 1:00 pm`
    fn when(&self, of: &LocalMoment) -> String {
        self.clock(of).moment(of.at)
    }

    fn subject(&self) -> String {
        let words = self.words();
        let when = self.when(&self.appointment.time);
        let name = clean::subject_part(&facts::title_name(self.lead));
        let person = clean::subject_part(&self.appointment.person.name);
        let by_homeowner = matches!(self.appointment.state, AppointmentState::Canceled { by: Side::Homeowner, .. });
        let sentence = match (self.news, self.is_homeowner()) {
            (InspectionNews::Booked, true) => words.inspection_subject,
            (InspectionNews::Moved, true) if self.keeps_time => words.inspection_changed_subject,
            (InspectionNews::Moved, true) => words.inspection_moved_subject,
            (InspectionNews::Canceled, true) => words.inspection_canceled_subject,
            (InspectionNews::Tomorrow, true) => words.inspection_tomorrow_subject,
            (InspectionNews::Booked, false) => words.inspection_team_booked,
            (InspectionNews::Moved, false) if self.keeps_time => words.inspection_team_changed,
            (InspectionNews::Moved, false) => words.inspection_team_moved,
            (InspectionNews::Canceled, false) if by_homeowner => words.inspection_team_canceled_by,
            (InspectionNews::Canceled, false) => words.inspection_team_canceled,
            (InspectionNews::Tomorrow, false) => words.inspection_team_tomorrow,
            (InspectionNews::Agreed, _) => words.inspection_team_agreed,
            (InspectionNews::OtherAsked, _) => words.inspection_team_other,
            (InspectionNews::HandedOver, _) => words.inspection_team_handed,
        };
        let said = fill(sentence, &[("time", &when), ("name", &name), ("person", &person)]);
        if self.sandbox { fill(words.inspection_test, &[("subject", &said)]) } else { said }
    }

    fn title(&self) -> String {
        let words = self.words();
        if !self.is_homeowner() {
            return self.subject();
        }
        let time = self.clock(&self.appointment.time).time_of_day(self.appointment.time.at);
        let first = facts::greeting_name(self.lead);
        let (named, plain) = match self.news {
            InspectionNews::Moved if self.keeps_time => {
                (words.inspection_changed_title_for, words.inspection_changed_title)
            }
            InspectionNews::Moved => (words.inspection_moved_title_for, words.inspection_moved_title),
            InspectionNews::Canceled => (words.inspection_canceled_title_for, words.inspection_canceled_title),
            InspectionNews::Tomorrow => (words.inspection_tomorrow_title, words.inspection_tomorrow_title),
            _ => (words.inspection_title_for, words.inspection_title),
        };
        match first {
            Some(first) => fill(named, &[("first", &first), ("time", &time)]),
            None => fill(plain, &[("time", &time)]),
        }
    }

    /// Day, hours and zone; of a moved one also when it was before.
    fn time_card(&self) -> Amount {
        let words = self.words();
        let appointment = self.appointment;
        let clock = self.clock(&appointment.time);
        let end = clock.time_of_day(appointment.ends_at());
        let start = clock.time_of_day(appointment.time.at);
        let hours = fill(words.inspection_hours, &[("from", &start), ("to", &end)]);
        let zone = clock.zone_name(appointment.time.at);
        let hours = if zone.is_empty() { hours } else { [&hours, ", ", &zone].concat() };
        let mut details = Vec::new();
        if let AppointmentState::Moved { from } = &appointment.state {
            details.push(fill(words.inspection_before, &[("time", &self.when(from))]));
        }
        if let AppointmentState::OtherAsked { wish } = &appointment.state {
            details.push(fill(words.inspection_wish, &[("time", &wish_text(flow_words(self.language), *wish))]));
        }
        Amount { sum: clock.day(appointment.time.at), proud: self.is_homeowner(), strong: Some(hours), details }
    }

    /// What one side wrote to the other.
    fn word(&self) -> Option<String> {
        let words = self.words();
        let said = match &self.appointment.state {
            AppointmentState::Canceled { reason: Some(reason), .. } => Some(match reason {
                CancelReason::BadTime => words.inspection_bad_time,
                CancelReason::SomeoneElse => words.inspection_someone_else,
                CancelReason::NotReady => words.inspection_not_ready,
            }),
            AppointmentState::Canceled { word, .. } => word.as_deref(),
            _ if self.is_homeowner() => self.appointment.line.as_deref(),
            _ => None,
        };
        said.map(clean::line).filter(|said| !said.is_empty())
    }

    fn rows(&self) -> Vec<Row> {
        let (words, lead, appointment) = (self.words(), self.lead, self.appointment);
        let mut rows = vec![Row::plain(words.inspection_where, [clean::line(&appointment.place)])];
        let person = clean::line(&appointment.person.name);
        if self.is_homeowner() {
            rows.insert(0, Row::plain(words.inspection_who, [self.who(&person, &self.company())]));
            return rows;
        }
        rows.insert(0, Row::plain(words.inspection_who, [person]));
        rows.push(Row::plain(words.inspection_homeowner, [facts::name(lead)]));
        let phone = lead.phone.as_ref().map_or(words.no_phone, |phone| phone.as_str());
        rows.push(Row::plain(words.phone, [phone.to_owned()]));
        let flow = flow_words(self.language);
        let answers: Vec<String> = told(flow, lead).into_iter().map(|one| one.text).collect();
        if !answers.is_empty() {
            rows.push(Row::plain(words.told, [answers.join(" · ")]));
        }
        if let Some(estimate) = &lead.estimate {
            rows.push(Row::plain(words.measured, facts::measured(estimate, None, self.language, words)));
        }
        rows
    }

    fn buttons(&self) -> Option<Block> {
        let words = self.words();
        let button = |label: &str, href: String| Button {
            label: label.to_owned(),
            text: [label.to_owned(), href.clone()],
            href,
            primary: true,
        };
        let (label, href) = match self.reader {
            InspectionReader::Team { lead, .. } => (words.open_in_portal, lead),
            InspectionReader::Homeowner { .. } if self.news == InspectionNews::Canceled => return None,
            InspectionReader::Homeowner { page } => match self.appointment.state {
                AppointmentState::Moved { .. } => (words.inspection_answer, page),
                _ => (words.inspection_change, page),
            },
        };
        Some(Block::Buttons(vec![button(label, href.to_owned())]))
    }

    fn hint(&self) -> Option<String> {
        let words = self.words();
        if !self.is_homeowner() {
            let is_handed = self.news == InspectionNews::HandedOver;
            return is_handed.then(|| words.inspection_team_handed_hint.to_owned());
        }
        let phone = self.widget.company_phone.as_str();
        let sentence = match self.news {
            InspectionNews::Canceled => words.inspection_canceled_hint,
            InspectionNews::Tomorrow => words.inspection_tomorrow_hint,
            _ => words.inspection_hint,
        };
        Some(fill(sentence, &[("phone", phone)]))
    }

    fn footer(&self) -> Vec<Span> {
        let words = self.words();
        let reference = fill(words.reference, &[("reference", &clean::line(self.reference))]);
        let with = [("company", self.company())];
        let with = with.each_ref().map(|(name, value)| (*name, value.as_str()));
        let why = if self.is_homeowner() { words.inspection_why } else { words.inspection_team_why };
        let mut spans = vec![Span::Plain([&fill(why, &with), " ", &reference].concat())];
        if self.is_homeowner() {
            let links =
                WidgetLinks { base_url: self.base_url, pages_url: self.base_url.into(), storage_url: self.base_url };
            let href = self.widget.privacy_policy(&links).as_str().to_owned();
            let label = flow_words(self.language)[w::PRIVACY].to_owned();
            spans.extend([Span::plain(" "), Span::Link { label, href }]);
        }
        spans
    }

    /// What changes a calendar comes with a file; an answer of the homeowner's does not.
    fn calendar(&self) -> Option<MailCalendar> {
        let method = match self.news {
            InspectionNews::Booked | InspectionNews::Moved | InspectionNews::Agreed => CalendarMethod::Request,
            InspectionNews::Canceled | InspectionNews::HandedOver => CalendarMethod::Cancel,
            InspectionNews::Tomorrow | InspectionNews::OtherAsked => return None,
        };
        Some(MailCalendar { method, text: self.file(method) })
    }

    /// The calendar file of this reader.
    pub fn file(&self, method: CalendarMethod) -> String {
        calendar_file(&[self.entry()], method, None)
    }

    /// As this reader's calendar shows it. The homeowner's has no price and no notes.
    pub fn entry(&self) -> CalendarEntry<'_> {
        let (words, lead, appointment) = (self.words(), self.lead, self.appointment);
        let (title, about, link, attendee) = match self.reader {
            InspectionReader::Homeowner { page } => {
                let who = self.who(&appointment.person.name, &self.widget.company_name);
                let change = [words.inspection_change, ": ", page].concat();
                let phone = self.widget.company_phone.as_str().to_owned();
                let title = fill(words.inspection_entry, &[("company", &self.widget.company_name)]);
                (title, vec![who, phone, change], page, None)
            }
            InspectionReader::Team { name, to, lead: link, goes } => {
                let flow = flow_words(self.language);
                let mut about: Vec<String> = lead.phone.iter().map(|phone| phone.as_str().to_owned()).collect();
                about.push(told(flow, lead).into_iter().map(|one| one.text).collect::<Vec<_>>().join(" · "));
                about.extend(written(lead).into_iter().map(str::to_owned));
                about.extend(lead.estimate.iter().flat_map(|of| facts::measured(of, None, self.language, words)));
                about.push(appointment.person.name.clone());
                about.push(link.to_owned());
                about.retain(|line| !line.is_empty());
                let with = [("name", facts::title_name(lead)), ("person", clean::line(&appointment.person.name))];
                let with = with.each_ref().map(|(name, value)| (*name, value.as_str()));
                let sentence = if goes { words.inspection_team_entry } else { words.inspection_other_entry };
                (fill(sentence, &with), about, link, Some((name, to)))
            }
        };
        let attendee = attendee.or_else(|| {
            let email = lead.email.as_ref().filter(|_| self.is_homeowner());
            email.map(|email| (lead.first_name.as_str(), email))
        });
        CalendarEntry {
            appointment,
            title,
            about,
            link,
            organizer: (&self.widget.company_name, &self.widget.company_email),
            attendee,
            takes_time: !matches!(self.reader, InspectionReader::Team { goes: false, .. }),
            host: host(self.base_url),
        }
    }
}

/// What a calendar calls the inspections that it reads. `name`: empty, those of all.
pub fn feed_name(language: Language, company: &str, name: &str) -> String {
    let sentence = if name.is_empty() { words(language).feed_company } else { words(language).feed_person };
    fill(sentence, &[("name", name), ("company", company)])
}

/// `est.example.com` of `https://est.example.com/roofs`.
fn host(base_url: &str) -> &str {
    let bare = base_url.split_once("://").map_or(base_url, |(_, rest)| rest);
    bare.split(['/', ':']).next().unwrap_or(bare)
}

/// When both sides are reminded: at five in the afternoon of the day before, if that is still to come. So nobody is reminded
/// at night.
pub fn reminder_at(of: &LocalMoment, now: Timestamp) -> Option<Timestamp> {
    let zone = crate::timing::zone_of(&of.zone);
    let eve = of.date.0.yesterday().ok()?.at(17, 0, 0, 0).to_zoned(zone).ok()?;
    let at = Timestamp::from_micros(eve.timestamp().as_microsecond());
    (at > now).then_some(at)
}

/// Whether it is the day before, where the inspection is.
pub fn is_eve(of: &LocalMoment, now: Timestamp) -> bool {
    let zone = crate::timing::zone_of(&of.zone);
    let today = jiff::Timestamp::from_microsecond(now.micros()).unwrap_or_default().to_zoned(zone).date();
    of.date.0.yesterday().is_ok_and(|eve| eve == today)
}

#[cfg(test)]
mod tests;
