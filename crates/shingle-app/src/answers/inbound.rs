//! An email as it comes in, as far as a lead's history needs it.

use std::borrow::Cow;

use mail_parser::decoders::html::html_to_text;
use mail_parser::{Message, MessageParser, MimeHeaders, PartType};
use shingle_domain::Email;
use shingle_domain::text::{is_clean, is_clean_block};

use super::quoted::{with_breaks, without_quotation};
use super::report::Nature;

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

/// Whole texts that ask for no more emails, in lower case. `cancel` may mean the inspection.
const STOP: [&str; 9] =
    ["stop", "stopall", "stop all", "unsubscribe", "remove me", "alto", "parar", "basta", "cancelar suscripción"];
const RESUME: [&str; 4] = ["start", "unstop", "subscribe", "reanudar"];

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
        let message = MessageParser::default().parse(raw)?;
        if message.headers().is_empty() {
            return None;
        }
        let from = message.from().and_then(|from| from.first()).and_then(|from| from.address.as_deref());
        let subject = one_line(message.subject().unwrap_or_default(), MAX_SUBJECT);
        let nature = Nature::of(&message);
        let text = clean_block(&text_of(&message));
        let message_id = message.message_id().map(|id| one_line(id, MAX_NAME)).unwrap_or_default();
        let name = match message_id.is_empty() {
            // FreeScout #311, #4740: of two emails without an id, each is one.
            true => format!("\0{}", blake3::hash(raw).to_hex()),
            false => message_id.clone(),
        };
        let wish = wish_of(&text, &subject);
        Some(Self {
            name,
            message_id,
            from: from.and_then(Email::parse),
            subject,
            attachments: attachments(&message),
            text,
            nature,
            wish,
        })
    }
}

fn wish_of(text: &str, subject: &str) -> Option<Wish> {
    let plain = |text: &str| {
        let text = text.trim_matches(|c: char| c.is_whitespace() || c.is_ascii_punctuation());
        text.chars().take(40).collect::<String>().to_lowercase()
    };
    let (text, subject) = (plain(text), plain(subject));
    // What a program sends for a link of `List-Unsubscribe`.
    if STOP.contains(&text.as_str()) || subject == "unsubscribe" {
        return Some(Wish::Stop);
    }
    RESUME.contains(&text.as_str()).then_some(Wish::Resume)
}

/// The new text: of all parts that are shown as text, or of the HTML where they are empty.
fn text_of(message: &Message<'_>) -> String {
    let mut plain = String::new();
    for part in message.text_bodies() {
        let text = match &part.body {
            PartType::Text(text) if !is_file(part) => Cow::Borrowed(head(text)),
            PartType::Html(html) if !is_file(part) => Cow::Owned(of_html(html)),
            _ => continue,
        };
        plain.push_str(&text);
        plain.push('\n');
        if plain.len() > MAX_BODY_BYTES {
            break;
        }
    }
    // Some programs send an empty text beside the HTML.
    if plain.trim().is_empty() {
        for part in message.html_bodies() {
            if let (PartType::Html(html), false) = (&part.body, is_file(part)) {
                plain.push_str(&of_html(html));
            }
        }
    }
    without_quotation(&plain.replace('\u{a0}', " "))
}

fn is_file(part: &mail_parser::MessagePart<'_>) -> bool {
    part.content_disposition().is_some_and(|of| of.is_attachment())
        || part.is_content_type("text", "calendar")
        || part.is_content_type("text", "vcard")
}

fn of_html(html: &str) -> String {
    let (above, all) = with_breaks(head(html));
    let above = html_to_text(&above);
    if above.trim().is_empty() { html_to_text(&all) } else { above }
}

fn head(text: &str) -> &str {
    text.get(..text.floor_char_boundary(MAX_BODY_BYTES)).unwrap_or(text)
}

fn attachments(message: &Message<'_>) -> Vec<String> {
    let files = message.parts.iter().filter(|part| {
        is_file(part) || matches!(part.body, PartType::Binary(_) | PartType::InlineBinary(_) | PartType::Message(_))
    });
    let name = |part: &mail_parser::MessagePart<'_>| {
        let given = part.attachment_name().map(|name| one_line(&name.replace(',', " "), MAX_FILE_NAME));
        given.filter(|name| !name.is_empty()).unwrap_or_else(|| match &part.body {
            PartType::Message(_) => "email".to_owned(),
            _ => part.content_type().map_or_else(
                || "file".to_owned(),
                |of| one_line(&[of.ctype(), of.subtype().unwrap_or_default()].join("/"), MAX_FILE_NAME),
            ),
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
