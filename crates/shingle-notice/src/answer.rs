//! To the contractor: the homeowner has answered an email.

use shingle_domain::Language;
use shingle_domain::lead::Lead;
use shingle_domain::mail::MailContent;
use shingle_widget::words::fill;

use crate::compose::compose;
use crate::letter::{Block, Button, Letter, Row, Span};
use crate::moment::LocalTime;
use crate::skin::Skin;
use crate::words::words;
use crate::{clean, facts};

/// Lines of an answer that a notice shows.
const MAX_LINES: usize = 40;

#[derive(Debug, Clone, Copy)]
pub struct AnswerNotice<'a> {
    pub lead: &'a Lead,
    /// Who wrote it, where that is not the lead's address.
    pub other: Option<&'a str>,
    pub subject: &'a str,
    /// Names with commas.
    pub attachments: &'a str,
    pub text: &'a str,
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

impl AnswerNotice<'_> {
    pub fn content(&self) -> MailContent {
        let (words, time) = (words(self.language), LocalTime::of(self.time_zone, self.language));
        // Whoever has the address of a reply can write: their name is not the homeowner's.
        let name = self.other.map_or_else(|| facts::title_name(self.lead), clean::line);
        let callable = self.lead.phone.as_ref().filter(|_| self.lead.consent.given);
        let call = callable.map(|phone| Button {
            label: fill(words.call, &[("phone", phone.as_str())]),
            href: ["tel:", &phone.dialled()].concat(),
            primary: false,
            text: [words.phone.to_owned(), phone.as_str().to_owned()],
        });
        let open = Button {
            label: words.wrote_open.to_owned(),
            href: self.link.to_owned(),
            primary: true,
            text: [words.wrote_open.to_owned(), self.link.to_owned()],
        };
        let mut blocks = vec![
            Block::Kicker { what: words.wrote.to_owned(), when: clean::line(self.subject) },
            Block::Title(name.clone()),
        ];
        if self.sandbox {
            blocks.push(Block::Line(words.lead_test_why.to_owned()));
        }
        if self.other.is_some() {
            blocks.push(Block::Notice(fill(words.wrote_other, &[("name", &facts::title_name(self.lead))])));
        }
        let lines = self.text.lines().map(clean::line).filter(|line| !line.is_empty());
        blocks.extend(lines.take(MAX_LINES).map(Block::Line));
        if !self.attachments.is_empty() {
            blocks.push(Block::Notice(fill(words.wrote_files, &[("files", &clean::line(self.attachments))])));
        }
        let phone = self.lead.phone.as_ref().map_or(words.no_phone, |phone| phone.as_str());
        blocks.extend([
            Block::Buttons([open].into_iter().chain(call).collect()),
            Block::Heading(words.known.to_owned()),
            Block::Rows(vec![
                Row::plain(words.address, [clean::line(&self.lead.address)]),
                Row::plain(words.phone, [phone.to_owned()]),
                Row::plain(words.may_contact, [facts::may_contact(self.lead, &time, words)]),
            ]),
        ]);
        let footer = [
            fill(words.reference, &[("reference", &clean::line(self.reference))]),
            fill(words.wrote_why, &[("to", &clean::line(self.to))]),
        ];
        compose(Letter {
            language: self.language,
            skin: Skin::of(None),
            subject: fill(words.wrote_subject, &[("name", &clean::subject_part(&name))]),
            preview: clean::line(self.text.lines().next().unwrap_or_default()),
            blocks,
            footer: vec![Span::Plain(footer.join(" "))],
            pictures: Vec::new(),
            attachments: Vec::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn it_says_what_the_homeowner_wrote_and_where_to_answer() {
        let lead = sample::lead().unwrap();
        let notice = AnswerNotice {
            lead: &lead,
            other: None,
            subject: "Re: Your roof",
            attachments: "roof.jpg",
            text: "Thursday works.\n\nCome at <noon>",
            reference: "R-1",
            link: "https://roofs.example.com/portal/leads/1",
            sandbox: false,
            to: "maya@oak.example",
            language: Language::English,
            time_zone: "America/New_York",
        };
        for language in [Language::English, Language::Spanish] {
            let content = AnswerNotice { language, ..notice }.content();
            assert!(content.text.contains("Thursday works.") && content.text.contains("roof.jpg"), "{}", content.text);
            assert!(
                content.text.contains("/portal/leads/1") && content.html.contains("&lt;noon&gt;"),
                "{}",
                content.html
            );
        }
    }
}
