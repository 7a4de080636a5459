//! To the contractor: the next step of a lead is due.

use shingle_domain::Language;
use shingle_domain::lead::Lead;
use shingle_domain::mail::MailContent;
use shingle_domain::next_step::Due;
use shingle_widget::words::fill;

use crate::compose::compose;
use crate::letter::{Block, Button, Letter, Row, Span};
use crate::moment::LocalTime;
use crate::skin::Skin;
use crate::words::words;
use crate::{clean, facts};

#[derive(Debug, Clone, Copy)]
pub struct StepNotice<'a> {
    pub lead: &'a Lead,
    pub step: &'a str,
    pub due: &'a Due,
    /// It goes to the person whose lead it is.
    pub is_own: bool,
    pub reference: &'a str,
    /// The lead in the portal.
    pub link: &'a str,
    /// Made with a sandbox key.
    pub sandbox: bool,
    /// The recipient's address.
    pub to: &'a str,
    pub language: Language,
    /// The company's IANA time zone.
    pub time_zone: &'a str,
}

impl StepNotice<'_> {
    pub fn content(&self) -> MailContent {
        let (words, time) = (words(self.language), LocalTime::of(self.time_zone, self.language));
        let (step, name) = (clean::line(self.step), facts::title_name(self.lead));
        let when = match self.due.time {
            Some(due) => time.moment(due.at),
            None => LocalTime::of("UTC", self.language).day(midnight(self.due)),
        };
        let with = [("step", clean::subject_part(&step)), ("name", clean::subject_part(&name))];
        let with = with.each_ref().map(|(key, text)| (*key, text.as_str()));
        let callable = self.lead.phone.as_ref().filter(|_| self.lead.consent.given);
        let call = callable.map(|phone| Button {
            label: fill(words.call, &[("phone", phone.as_str())]),
            href: ["tel:", &phone.dialled()].concat(),
            primary: false,
            text: [words.phone.to_owned(), phone.as_str().to_owned()],
        });
        let open = Button {
            label: words.open_in_portal.to_owned(),
            href: self.link.to_owned(),
            primary: true,
            text: [words.open_in_portal.to_owned(), self.link.to_owned()],
        };
        let phone = self.lead.phone.as_ref().map_or(words.no_phone, |phone| phone.as_str());
        let mut blocks = vec![
            Block::Kicker { what: words.step.to_owned(), when: when.clone() },
            Block::Title(step.clone()),
            Block::Line(name),
        ];
        if self.sandbox {
            blocks.push(Block::Line(words.lead_test_why.to_owned()));
        }
        blocks.extend([
            Block::Buttons([open].into_iter().chain(call).collect()),
            Block::Heading(words.known.to_owned()),
            Block::Rows(vec![
                Row::plain(words.step_due, [when.clone()]),
                Row::plain(words.address, [clean::line(&self.lead.address)]),
                Row::plain(words.phone, [phone.to_owned()]),
                Row::plain(words.may_contact, [facts::may_contact(self.lead, &time, words)]),
            ]),
        ]);
        let why = if self.is_own { words.step_why_own } else { words.step_why };
        let footer = [
            fill(words.reference, &[("reference", &clean::line(self.reference))]),
            fill(why, &[("to", &clean::line(self.to))]),
        ];
        compose(Letter {
            language: self.language,
            skin: Skin::of(None),
            subject: fill(words.step_subject, &with),
            preview: when,
            blocks,
            footer: vec![Span::Plain(footer.join(" "))],
            pictures: Vec::new(),
            attachments: Vec::new(),
        })
    }
}

/// In UTC, where the day is read again.
fn midnight(due: &Due) -> shingle_domain::Timestamp {
    let at = due.day.0.to_zoned(jiff::tz::TimeZone::UTC).map(|at| at.timestamp().as_microsecond());
    shingle_domain::Timestamp::from_micros(at.unwrap_or_default())
}

#[cfg(test)]
mod tests;
