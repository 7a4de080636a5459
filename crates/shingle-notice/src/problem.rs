//! To the contractor: something does not work, and what to do about it.

use shingle_domain::lead::Lead;
use shingle_domain::mail::MailContent;
use shingle_domain::{Language, Timestamp};
use shingle_widget::words::{fill, thousands};

use crate::compose::compose;
use crate::letter::{Block, Button, Letter, Row, Span};
use crate::moment::LocalTime;
use crate::skin::Skin;
use crate::words::{Words, words};
use crate::{clean, facts};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Destination {
    Webhook,
    Connector,
    Chat,
    MailAddress,
}

/// How something is switched on again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy<'a> {
    Link(&'a str),
    Command(&'a str),
}

#[derive(Debug, Clone, Copy)]
pub enum Problem<'a> {
    /// A destination was switched off by itself.
    SwitchedOff {
        destination: Destination,
        name: &'a str,
        reason: &'a str,
        at: Timestamp,
        failing_since: Timestamp,
        failed: u64,
        remedy: Remedy<'a>,
    },
    /// The homeowner's mail server refused the mail for good.
    HomeownerBounced {
        lead: &'a Lead,
        reference: &'a str,
        reply: &'a str,
        at: Timestamp,
        /// The lead in the portal.
        link: &'a str,
    },
}

#[derive(Debug, Clone, Copy)]
pub struct ProblemNotice<'a> {
    pub problem: Problem<'a>,
    /// The recipient's address.
    pub to: &'a str,
    pub language: Language,
    /// The recipient's IANA time zone.
    pub time_zone: &'a str,
}

impl ProblemNotice<'_> {
    pub fn content(&self) -> MailContent {
        let (subject, preview, blocks) = match self.problem {
            Problem::SwitchedOff { name, reason, .. } => {
                let subject = fill(self.words().off_subject, &[("name", &clean::subject_part(name))]);
                (subject, reason.to_owned(), self.switched_off())
            }
            Problem::HomeownerBounced { lead, reply, .. } => {
                let name = clean::subject_part(&facts::title_name(lead));
                let subject = fill(self.words().bounced_subject, &[("name", &name)]);
                (subject, reply.to_owned(), self.bounced())
            }
        };
        compose(Letter {
            language: self.language,
            skin: Skin::of(None),
            subject,
            preview,
            blocks,
            footer: vec![Span::Plain(self.footer())],
            pictures: Vec::new(),
            attachments: Vec::new(),
        })
    }

    fn words(&self) -> &'static Words {
        words(self.language)
    }

    fn footer(&self) -> String {
        let why = fill(self.words().problem_why, &[("to", &clean::line(self.to))]);
        match self.problem {
            Problem::SwitchedOff { .. } => why,
            Problem::HomeownerBounced { reference, .. } => {
                [&fill(self.words().reference, &[("reference", &clean::line(reference))]), " ", &why].concat()
            }
        }
    }

    fn switched_off(&self) -> Vec<Block> {
        let Problem::SwitchedOff { destination, name, reason, at, failing_since, failed, remedy } = self.problem else {
            return Vec::new();
        };
        let (words, time) = (self.words(), LocalTime::of(self.time_zone, self.language));
        let (kind, what) = match destination {
            Destination::Webhook => (words.kind_webhook, words.off_webhook),
            Destination::Connector => (words.kind_connector, words.off_connector),
            Destination::Chat => (words.kind_chat, words.off_chat),
            Destination::MailAddress => (words.kind_mail, words.off_mail),
        };
        let count = match failed {
            1 => words.failed_one.to_owned(),
            n => fill(words.failed_many, &[("n", &thousands(i64::try_from(n).unwrap_or(i64::MAX)))]),
        };
        let mut blocks = vec![
            Block::Kicker { what: words.off.to_owned(), when: time.moment(at) },
            Block::Title(clean::line(name)),
            Block::Line(what.to_owned()),
            Block::Heading(words.known.to_owned()),
            Block::Rows(vec![
                Row::plain(words.kind, [kind.to_owned()]),
                Row::plain(words.reason, [clean::line(reason)]),
                Row::plain(words.failing_since, [time.moment(failing_since)]),
                Row::plain(words.failed, [count]),
            ]),
            Block::Heading(words.to_do.to_owned()),
            Block::Steps(steps(destination, remedy, words)),
        ];
        blocks.push(match remedy {
            Remedy::Command(command) => Block::Command(clean::line(command)),
            Remedy::Link(href) => {
                let label = words.switch_on.to_owned();
                let text = [label.clone(), href.to_owned()];
                Block::Buttons(vec![Button { label, href: href.to_owned(), primary: true, text }])
            }
        });
        blocks
    }

    fn bounced(&self) -> Vec<Block> {
        let Problem::HomeownerBounced { lead, reply, at, link, .. } = self.problem else { return Vec::new() };
        let (words, time) = (self.words(), LocalTime::of(self.time_zone, self.language));
        let email = lead.email_text();
        let mut blocks = vec![
            Block::Kicker { what: words.bounced.to_owned(), when: time.moment(at) },
            Block::Title(facts::title_name(lead)),
        ];
        let callable = lead.phone.as_ref().filter(|_| lead.consent.given);
        let what = if callable.is_some() { words.bounced_call } else { words.bounced_what };
        blocks.push(Block::Line(fill(what, &[("email", email)])));
        let call = callable.map(|phone| Button {
            label: fill(words.call, &[("phone", phone.as_str())]),
            href: ["tel:", &phone.dialled()].concat(),
            primary: true,
            text: [words.phone.to_owned(), phone.as_str().to_owned()],
        });
        let open = Button {
            label: words.open_in_portal.to_owned(),
            href: link.to_owned(),
            primary: callable.is_none(),
            text: [words.open_in_portal.to_owned(), link.to_owned()],
        };
        blocks.push(Block::Buttons(call.into_iter().chain([open]).collect()));
        let phone = lead.phone.as_ref().map_or(words.no_phone, |phone| phone.as_str());
        let allowed = facts::may_contact(lead, &time, words);
        blocks.push(Block::Heading(words.known.to_owned()));
        blocks.push(Block::Rows(vec![
            Row::plain(words.email, [email.to_owned()]),
            Row::plain(words.bounced_reply, [clean::line(reply)]),
            Row::plain(words.phone, [phone.to_owned()]),
            Row::plain(words.may_contact, [allowed]),
            Row::plain(words.address, [clean::line(&lead.address)]),
        ]));
        blocks
    }
}

fn steps(destination: Destination, remedy: Remedy<'_>, words: &Words) -> Vec<[String; 2]> {
    let [mend, why] = match destination {
        Destination::Webhook => [words.mend_webhook, words.mend_webhook_why],
        Destination::Connector | Destination::Chat => [words.mend_service, words.mend_service_why],
        Destination::MailAddress => [words.mend_mail, words.mend_mail_why],
    };
    let [last, last_why] = match destination {
        Destination::MailAddress => [words.leads_kept, words.leads_kept_why],
        _ => [words.send_again, words.send_again_why],
    };
    let how = match remedy {
        Remedy::Link(_) => words.switch_on_link,
        Remedy::Command(_) => words.switch_on_how,
    };
    vec![
        [mend.to_owned(), why.to_owned()],
        [words.switch_on.to_owned(), how.to_owned()],
        [last.to_owned(), last_why.to_owned()],
    ]
}

#[cfg(test)]
mod tests;
