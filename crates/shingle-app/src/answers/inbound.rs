//! An email as it comes in, as far as a lead's history needs it.
//!
//! # Decision
//!
//! `mailparse`, whose decoding of charsets the program has anyway: 100 kB of code before the linker leaves out what is not used.
//! Turned down: `mail-parser`, which makes a small program 275 kB larger, much of it tables.

use mailparse::{DispositionType, MailHeaderMap as _, ParsedMail, parse_mail};
use shingle_domain::Email;
use shingle_domain::text::{is_clean, is_clean_block};

use super::html::text_of_html;
use super::quoted::without_quotation;
use super::report::{Nature, sender};

/// What follows is not read: texts come first, attachments last.
pub const MAX_MESSAGE_BYTES: usize = 25_000_000;
/// Characters that are kept of a text.
const MAX_TEXT: usize = 20_000;
const MAX_SUBJECT: usize = 200;
const MAX_ATTACHMENTS: usize = 10;
const MAX_FILE_NAME: usize = 80;
/// Bytes of HTML, or of a text, that are looked at.
const MAX_BODY_BYTES: usize = 500_000;
const MAX_NAME: usize = 250;
/// Programs make less than ten.
const MAX_BOUNDARIES: usize = 30;

/// Whole texts that ask for no more emails, in lower case. `cancel` may mean the inspection.
const STOP: [&str; 9] =
    ["stop", "stopall", "stop all", "unsubscribe", "remove me", "alto", "parar", "basta", "cancelar suscripción"];
const RESUME: [&str; 4] = ["start", "unstop", "subscribe", "reanudar"];

/// Characters of the longest wish, and a little.
const MAX_WISH: usize = 40;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    Stop,
    Resume,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Inbound {
    /// What names it: the same email has the same name.
    pub name: String,
    /// Without brackets; empty where there is none.
    pub message_id: String,
    pub from: Option<Email>,
    pub subject: String,
    pub attachments: Vec<String>,
    /// What is new.
    pub text: String,
    pub nature: Nature,
    pub wish: Option<Wish>,
}

impl Inbound {
    /// `None`: it is no email.
    pub(super) fn parse(raw: &[u8]) -> Option<Self> {
        let mail = parse_mail(shallow(raw)).ok()?;
        if mail.headers.is_empty() {
            return None;
        }
        let text = |name: &str| mail.headers.get_first_value(name).unwrap_or_default();
        let subject = one_line(&text("Subject"), MAX_SUBJECT);
        let nature = Nature::of(&mail);
        let said = clean_block(&text_of(&mail));
        let message_id = text("Message-ID");
        let message_id = one_line(message_id.trim().trim_start_matches('<').trim_end_matches('>'), MAX_NAME);
        let name = match message_id.is_empty() {
            // FreeScout #311, #4740: of two emails without an id, each is one.
            true => format!("\0{}", blake3::hash(raw).to_hex()),
            false => message_id.clone(),
        };
        let wish = wish_of(&said, &subject);
        Some(Self {
            name,
            message_id,
            from: sender(&mail).as_deref().and_then(Email::parse),
            subject,
            attachments: attachments(&mail),
            text: said,
            nature,
            wish,
        })
    }
}

impl Inbound {
    /// Holds nothing but a wish.
    pub(super) fn is_bare(&self) -> bool {
        self.attachments.is_empty() && self.text.chars().count() <= MAX_WISH
    }
}

/// Without what is in more parts than any program makes: each may be within the one before.
fn shallow(raw: &[u8]) -> &[u8] {
    let word = b"boundary";
    let mut found = raw.windows(word.len()).enumerate().filter(|(_, part)| part.eq_ignore_ascii_case(word));
    found.nth(MAX_BOUNDARIES).and_then(|(at, _)| raw.get(..at)).unwrap_or(raw)
}

fn wish_of(text: &str, subject: &str) -> Option<Wish> {
    let plain = |text: &str| {
        let text = text.trim_matches(|c: char| c.is_whitespace() || c.is_ascii_punctuation());
        text.chars().take(40).collect::<String>().to_lowercase()
    };
    // "¿El techo es alto o bajo?" is answered by the same word: as a wish it is written as phones' services ask for it.
    let is_small = text.chars().any(char::is_lowercase);
    let (text, subject) = (plain(text), plain(subject));
    if is_small && ["alto", "parar", "basta"].contains(&text.as_str()) {
        return None;
    }
    // What a program sends for a link of `List-Unsubscribe`.
    if STOP.contains(&text.as_str()) || subject == "unsubscribe" {
        return Some(Wish::Stop);
    }
    RESUME.contains(&text.as_str()).then_some(Wish::Resume)
}

/// The new text: of all parts that are shown as text, or of the HTML where they are empty.
fn text_of(mail: &ParsedMail<'_>) -> String {
    let mut plain = String::new();
    let of_kind = |kind: &'static str| mail.parts().filter(move |part| part.ctype.mimetype == kind && !is_file(part));
    for part in of_kind("text/plain") {
        plain.push_str(head(&body(part)));
        plain.push('\n');
        if plain.len() > MAX_BODY_BYTES {
            break;
        }
    }
    // Some programs send an empty text beside the HTML.
    if plain.trim().is_empty() {
        for part in of_kind("text/html") {
            plain.push_str(&text_of_html(head(&body(part))));
            if plain.len() > MAX_BODY_BYTES {
                break;
            }
        }
    }
    without_quotation(&plain.replace('\u{a0}', " "))
}

/// What cannot be decoded is shown as it is; what names no charset is UTF-8 more often than not.
fn body(part: &ParsedMail<'_>) -> String {
    let raw = || part.get_body_raw().unwrap_or_default();
    if part.ctype.charset.eq_ignore_ascii_case("us-ascii")
        && let Ok(text) = String::from_utf8(raw())
    {
        return text;
    }
    part.get_body().unwrap_or_else(|_| String::from_utf8_lossy(&raw()).into_owned())
}

fn is_file(part: &ParsedMail<'_>) -> bool {
    part.get_content_disposition().disposition == DispositionType::Attachment
}

fn head(text: &str) -> &str {
    text.get(..text.floor_char_boundary(MAX_BODY_BYTES)).unwrap_or(text)
}

/// All that is no text, by its name.
fn attachments(mail: &ParsedMail<'_>) -> Vec<String> {
    let files = mail.parts().filter(|part| {
        let kind = part.ctype.mimetype.as_str();
        let is_text = ["text/plain", "text/html"].contains(&kind) && !is_file(part);
        !is_text && !kind.starts_with("multipart/") && !kind.ends_with("delivery-status")
    });
    let name = |part: &ParsedMail<'_>| {
        let disposition = part.get_content_disposition();
        let given = disposition.params.get("filename").or_else(|| part.ctype.params.get("name"));
        let given = given.map(|name| one_line(&name.replace(',', " "), MAX_FILE_NAME));
        given.filter(|name| !name.is_empty()).unwrap_or_else(|| match part.ctype.mimetype.as_str() {
            "message/rfc822" => "email".to_owned(),
            kind => one_line(kind, MAX_FILE_NAME),
        })
    };
    files.take(MAX_ATTACHMENTS).map(name).collect()
}

fn one_line(text: &str, max: usize) -> String {
    let spaced: String = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).collect();
    let kept: String = spaced.chars().filter(|c| is_clean(c.encode_utf8(&mut [0; 4]))).collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(max).collect()
}

fn clean_block(text: &str) -> String {
    let kept: String = text.chars().filter(|c| is_clean_block(c.encode_utf8(&mut [0; 4]))).collect();
    let kept = kept.trim();
    if kept.chars().count() <= MAX_TEXT {
        return kept.to_owned();
    }
    let mut cut: String = kept.chars().take(MAX_TEXT).collect();
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests;
