//! A mail as the list of what it says. Two renderers read it, so that HTML and text hold the same facts in the same
//! order. Everything in it is plain text; the renderers escape it.
//!
//! # Decision
//!
//! A mail is a list of facts that two renderers read, so HTML and text hold the same in the same order. Turned down:
//! two templates, which differ after the second change.

use shingle_domain::Language;
use shingle_domain::mail::{MailAttachment, MailPicture};

use crate::skin::Skin;

#[derive(Debug)]
pub struct Letter {
    pub language: Language,
    pub skin: Skin,
    /// One line.
    pub subject: String,
    /// What lists of mails show behind the subject.
    pub preview: String,
    pub blocks: Vec<Block>,
    /// Below the card, in small letters.
    pub footer: Vec<Span>,
    pub pictures: Vec<MailPicture>,
    pub attachments: Vec<MailAttachment>,
}

#[derive(Debug, Clone)]
pub enum Block {
    /// What this is, and when: above the title.
    Kicker {
        what: String,
        when: String,
    },
    Title(String),
    Line(String),
    /// A bordered note that must be seen.
    Notice(String),
    Amount(Amount),
    Buttons(Vec<Button>),
    Small(Vec<Span>),
    /// A line to copy into a terminal.
    Command(String),
    Picture {
        content_id: String,
        alt: String,
    },
    Heading(String),
    Rows(Vec<Row>),
    /// What happens next, in order.
    Steps(Vec<[String; 2]>),
    /// Who the mail is from.
    Card {
        title: String,
        lines: Vec<Vec<Span>>,
    },
}

/// The figure that everything is about.
#[derive(Debug, Clone)]
pub struct Amount {
    pub sum: String,
    /// In the title's color and larger: for the homeowner.
    pub proud: bool,
    pub strong: Option<String>,
    pub details: Vec<String>,
}

#[derive(Debug, Clone)]
pub struct Button {
    pub label: String,
    pub href: String,
    /// Filled; the first one only.
    pub primary: bool,
    /// Label and value of its line in plain text.
    pub text: [String; 2],
}

#[derive(Debug, Clone)]
pub struct Row {
    pub label: String,
    /// Its value, line by line.
    pub lines: Vec<Vec<Span>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Span {
    Plain(String),
    Strong(String),
    Link { label: String, href: String },
}

impl Span {
    pub fn plain(text: impl Into<String>) -> Self {
        Self::Plain(text.into())
    }

    pub fn mail(address: &str) -> Self {
        Self::Link { label: address.to_owned(), href: mailto(address, None) }
    }
}

impl Row {
    pub fn new(label: &str, lines: Vec<Vec<Span>>) -> Self {
        Self { label: label.to_owned(), lines }
    }

    /// Lines without links.
    pub fn plain(label: &str, lines: impl IntoIterator<Item = String>) -> Self {
        Self::new(label, lines.into_iter().map(|line| vec![Span::Plain(line)]).collect())
    }
}

/// A link that writes a mail.
pub fn mailto(address: &str, subject: Option<&str>) -> String {
    // The local part may hold `?`, `&` and `%`.
    let name_and_host = address.rsplit_once('@').unwrap_or((address, ""));
    let mut link = ["mailto:", &escaped(name_and_host.0), "@", &escaped(name_and_host.1)].concat();
    if let Some(subject) = subject {
        link.push_str("?subject=");
        link.push_str(&escaped(subject));
    }
    link
}

/// Escaped for any part of a link, blanks as `%20`.
pub fn escaped(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_address_cannot_add_headers_to_its_link() {
        assert_eq!(mailto("dana.w+roof@example.com", None), "mailto:dana.w%2Broof@example.com");
        assert_eq!(
            mailto("a?bcc=x&y%0a@example.com", Some("A & B")),
            "mailto:a%3Fbcc%3Dx%26y%250a@example.com?subject=A%20%26%20B"
        );
    }
}
