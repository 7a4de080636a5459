//! A mail as bytes, from its content and a few facts. Whatever the texts hold, they cannot add a header.

use std::time::{Duration, SystemTime};

use lettre::Address;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Attachment, Message, MessageBuilder, MultiPart, SinglePart};
use shingle_domain::Timestamp;
use shingle_domain::contact::Email;
use shingle_domain::mail::{CalendarMethod, MailAttachment, MailCalendar, MailContent, MailPicture};
use shingle_domain::message::ToMessage;
use url::Url;

use super::address::{ascii_address, mailbox, one_line};
use super::error::{MailFailure, MailFailureKind};
use super::messages::MailProblem;
use super::settings::MailSettings;

/// Characters of a subject; longer ones are cut.
const MAX_SUBJECT: usize = 200;
/// A line of a mail may have 998 characters, and a link is not folded.
const MAX_LINK: usize = 900;
/// So many of the mails before this one are named: the first and the last ones.
const MAX_REFERENCES: usize = 20;

/// What one mail is called in all mailboxes: `name@domain`. The same mail sent again has the same id.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MessageId(String);

impl MessageId {
    /// With or without angle brackets.
    pub fn parse(text: &str) -> Option<Self> {
        let bare = text.strip_prefix('<').map_or(Some(text), |text| text.strip_suffix('>'))?;
        let (name, domain) = bare.split_once('@')?;
        let atom = |part: &str| {
            let inner = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(c);
            !part.is_empty() && part.split('.').all(|atom| !atom.is_empty() && atom.chars().all(inner))
        };
        (bare.len() <= 250 && atom(name) && atom(domain)).then(|| Self(bare.to_owned()))
    }

    /// Without angle brackets.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn bracketed(&self) -> String {
        format!("<{}>", self.0)
    }
}

/// One mail to one recipient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutgoingMail {
    pub to: Email,
    /// The sender's shown name.
    pub from_name: Option<String>,
    /// In place of our address, where the operator has set up its domain.
    pub from: Option<Email>,
    /// Who gets it back if it cannot be delivered; our address unless it is named.
    pub bounces_to: Option<Email>,
    /// Name and address of who should get the answer.
    pub reply_to: Option<(String, Email)>,
    pub message_id: MessageId,
    /// The mails before this one in its conversation, oldest first.
    pub references: Vec<MessageId>,
    /// Where one POST, or an email, unsubscribes the recipient.
    pub list_unsubscribe: Option<Url>,
    /// A machine writes on its own: no out-of-office answers, please.
    pub auto_submitted: bool,
    pub date: Timestamp,
    /// `en`, `es`
    pub language: &'static str,
    pub content: MailContent,
}

/// A mail ready to be sent.
pub(super) struct ComposedMail {
    pub(super) to: Address,
    /// Of the envelope.
    pub(super) from: Address,
    /// Lines of ASCII that end with CR LF, without the last end.
    pub(super) text: String,
}

pub(super) fn compose(mail: &OutgoingMail, settings: &MailSettings) -> Result<ComposedMail, MailFailure> {
    let to = ascii_address(&mail.to).ok_or_else(|| refused(&MailProblem::Recipient))?;
    let from = mail.from.as_ref().and_then(ascii_address).unwrap_or_else(|| settings.from.clone());
    let builder = headers(mail, settings, (from.clone(), to.clone()))?;
    let message = match body(&mail.content)? {
        Body::Single(part) => builder.singlepart(part),
        Body::Multi(part) => builder.multipart(part),
    };
    let message = message.map_err(|e| refused(&MailProblem::Unwritable { why: e.to_string() }))?;
    let mut text = String::from_utf8(message.formatted()).map_err(|_| refused(&MailProblem::NotText))?;
    let head = text.find("\r\n\r\n").map_or(0, |at| at + 4);
    // Sending adds the last line end.
    text.truncate(head + text[head..].trim_end_matches("\r\n").len());
    if let Some(key) = &settings.dkim {
        let signature = key.signature(&text, from.domain(), mail.date.seconds()).map_err(|e| misconfigured(&e))?;
        text.insert_str(0, &signature);
    }
    let from = mail.bounces_to.as_ref().and_then(ascii_address).unwrap_or_else(|| settings.from.clone());
    Ok(ComposedMail { to, from, text })
}

fn headers(
    mail: &OutgoingMail,
    settings: &MailSettings,
    (from, to): (Address, Address),
) -> Result<MessageBuilder, MailFailure> {
    let name = mail.from_name.as_deref().or(settings.from_name.as_deref());
    let mut builder = Message::builder()
        .from(mailbox(name, from))
        .to(mailbox(None, to))
        .subject(one_line(&mail.content.subject, MAX_SUBJECT))
        .date(system_time(mail.date))
        .message_id(Some(mail.message_id.bracketed()));
    // A Reply-To that cannot be written is no reason to lose the mail: the address is in its text.
    if let Some((name, address)) = &mail.reply_to
        && let Some(address) = ascii_address(address)
    {
        builder = builder.reply_to(mailbox(Some(name), address));
    }
    if let Some(before) = mail.references.last() {
        let skipped = mail.references.len().saturating_sub(MAX_REFERENCES - 1).max(1);
        let first = mail.references.iter().take(1);
        let kept: Vec<_> = first.chain(mail.references.iter().skip(skipped)).map(MessageId::bracketed).collect();
        builder = builder.in_reply_to(before.bracketed()).references(kept.join(" "));
    }
    if let Some(link) = &mail.list_unsubscribe {
        if link.as_str().len() > MAX_LINK || link.as_str().contains(['<', '>', ',']) {
            return Err(refused(&MailProblem::UnsubscribeLink));
        }
        builder = raw(builder, "List-Unsubscribe", format!("<{link}>"));
        if link.scheme() != "mailto" {
            builder = raw(builder, "List-Unsubscribe-Post", "List-Unsubscribe=One-Click".to_owned());
        }
    }
    if mail.auto_submitted {
        builder = raw(builder, "Auto-Submitted", "auto-generated".to_owned());
    }
    if mail.language.is_empty() || !mail.language.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
        return Err(refused(&MailProblem::Language));
    }
    Ok(raw(builder, "Content-Language", mail.language.to_owned()))
}

/// A header whose value is printable ASCII and needs neither encoding nor folding.
fn raw(builder: MessageBuilder, name: &'static str, value: String) -> MessageBuilder {
    let name = HeaderName::new_from_ascii_str(name);
    builder.raw_header(HeaderValue::dangerous_new_pre_encoded(name, value.clone(), value))
}

/// A mail's date is a year of four digits after 1970.
fn system_time(at: Timestamp) -> SystemTime {
    const LAST: u64 = 253_402_300_799;
    SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(at.seconds()).unwrap_or_default().min(LAST))
}

enum Body {
    Single(SinglePart),
    Multi(MultiPart),
}

/// Text alone, or text and HTML with its pictures; attachments beside both. A calendar file is a third way to read the mail,
/// and attached too: some programs take the one, some the other.
fn body(content: &MailContent) -> Result<Body, MailFailure> {
    let text = SinglePart::plain(lines(&content.text));
    let shown = if content.html.is_empty() && content.calendar.is_none() {
        Body::Single(text)
    } else {
        let mut alternative = MultiPart::alternative().singlepart(text);
        if !content.html.is_empty() {
            let html = SinglePart::html(lines(&content.html));
            alternative = if content.pictures.is_empty() {
                alternative.singlepart(html)
            } else {
                let mut related = MultiPart::related().singlepart(html);
                for shown in &content.pictures {
                    related = related.singlepart(picture(shown)?);
                }
                alternative.multipart(related)
            };
        }
        if let Some(calendar) = &content.calendar {
            let kind = media_type(calendar_type(calendar.method))?;
            alternative = alternative.singlepart(SinglePart::builder().header(kind).body(calendar.text.clone()));
        }
        Body::Multi(alternative)
    };
    if content.attachments.is_empty() && content.calendar.is_none() {
        return Ok(shown);
    }
    let mut mixed = match shown {
        Body::Single(part) => MultiPart::mixed().singlepart(part),
        Body::Multi(part) => MultiPart::mixed().multipart(part),
    };
    for attached in &content.attachments {
        mixed = mixed.singlepart(attachment(attached)?);
    }
    if let Some(MailCalendar { text, .. }) = &content.calendar {
        let file = Attachment::new("inspection.ics".to_owned());
        mixed = mixed.singlepart(file.body(text.clone().into_bytes(), media_type("application/ics")?));
    }
    Ok(Body::Multi(mixed))
}

/// The method is that of the file: Outlook refuses two that differ.
fn calendar_type(method: CalendarMethod) -> &'static str {
    match method {
        CalendarMethod::Publish => "text/calendar;charset=utf-8;method=PUBLISH",
        CalendarMethod::Request => "text/calendar;charset=utf-8;method=REQUEST",
        CalendarMethod::Cancel => "text/calendar;charset=utf-8;method=CANCEL",
    }
}

fn picture(picture: &MailPicture) -> Result<SinglePart, MailFailure> {
    let id = &picture.content_id;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '@');
    if id.is_empty() || id.len() > 200 || !id.chars().all(plain) {
        return Err(refused(&MailProblem::ContentId));
    }
    let (kind, extension) = (media_type(picture.media_type)?, picture.media_type.rsplit('/').next().unwrap_or("png"));
    let name = format!("{}.{extension}", id.split('@').next().unwrap_or("picture"));
    Ok(Attachment::new_inline_with_name(id.clone(), name).body(picture.bytes.clone(), kind))
}

fn attachment(attached: &MailAttachment) -> Result<SinglePart, MailFailure> {
    let name = one_line(&attached.file_name, 100).replace(['/', '\\'], "-");
    let name = if name.is_empty() { "attachment".to_owned() } else { name };
    Ok(Attachment::new(name).body(attached.bytes.clone(), media_type(attached.media_type)?))
}

fn media_type(text: &str) -> Result<ContentType, MailFailure> {
    let plain = text.bytes().all(|b| b.is_ascii_graphic());
    ContentType::parse(text).ok().filter(|_| plain).ok_or_else(|| refused(&MailProblem::MediaType))
}

/// Line ends as one `\n` (writing makes them `\r\n`), and no other control characters than the tab.
fn lines(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}

fn refused(why: &impl ToMessage) -> MailFailure {
    MailFailure { kind: MailFailureKind::Refused, code: None, why: why.to_message(), may_have_arrived: false }
}

fn misconfigured(why: &impl ToMessage) -> MailFailure {
    MailFailure { kind: MailFailureKind::Misconfigured, ..refused(why) }
}
