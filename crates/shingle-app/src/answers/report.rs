//! What machines write: reports of mail servers, and answers of people who are away.

use mail_parser::{HeaderName, HeaderValue, Message, MimeHeaders};

/// Characters of a reason.
const MAX_REASON: usize = 300;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Nature {
    Person,
    /// Somebody is away, or a list.
    Machine,
    /// A mail server gave up. For good: there is no such mailbox.
    Bounce {
        for_good: bool,
        reason: String,
    },
    /// A read receipt, or a report that it takes longer: nothing to tell.
    Silent,
}

fn text<'m>(message: &'m Message<'_>, name: &'static str) -> Option<&'m str> {
    message.header(name)?.as_text()
}

impl Nature {
    pub(super) fn of(message: &Message<'_>) -> Self {
        let report =
            message.content_type().filter(|of| of.subtype().is_some_and(|sub| sub.eq_ignore_ascii_case("report")));
        let report_type = report.and_then(|of| of.attribute("report-type")).unwrap_or_default();
        let status = message.parts.iter().find(|part| {
            part.is_content_type("message", "delivery-status")
                || part.is_content_type("message", "global-delivery-status")
        });
        if let Some(status) = status {
            return of_status(&String::from_utf8_lossy(status.contents()));
        }
        if report_type.eq_ignore_ascii_case("disposition-notification") {
            return Self::Silent;
        }
        let from = message.from().and_then(|from| from.first()).and_then(|from| from.address.as_deref());
        let from = from.unwrap_or_default().to_ascii_lowercase();
        let nobody = is_from_nobody(message);
        if nobody && (from.is_empty() || from.starts_with("mailer-daemon@") || from.starts_with("postmaster@")) {
            let reason = message.subject().unwrap_or_default();
            return Self::Bounce { for_good: false, reason: cut(reason) };
        }
        let automatic = text(message, "Auto-Submitted").is_some_and(|said| !said.trim().eq_ignore_ascii_case("no"));
        let precedence = text(message, "Precedence").unwrap_or_default().trim().to_ascii_lowercase();
        let marked = ["X-Autoreply", "X-Autorespond", "X-Auto-Reply"].iter().any(|name| text(message, name).is_some());
        let is_list = message.header(HeaderName::ListId).is_some();
        let subject = message.subject().unwrap_or_default().to_lowercase();
        let says =
            ["automatic reply:", "respuesta automática:", "out of office:"].iter().any(|s| subject.starts_with(s));
        let bulk = ["bulk", "junk", "list", "auto_reply"].contains(&precedence.as_str());
        if nobody || automatic || marked || is_list || bulk || says { Self::Machine } else { Self::Person }
    }
}

/// `Return-Path: <>`
fn is_from_nobody(message: &Message<'_>) -> bool {
    match message.header(HeaderName::ReturnPath) {
        Some(HeaderValue::Text(path)) => path.trim().is_empty() || path.trim() == "<>",
        Some(HeaderValue::Empty) => true,
        _ => message.header_raw(HeaderName::ReturnPath).is_some_and(|path| path.trim() == "<>"),
    }
}

/// The fields of RFC 3464.
fn of_status(status: &str) -> Nature {
    let unfolded = status.replace("\r\n", "\n").replace("\n ", " ").replace("\n\t", " ");
    let field = |name: &str| {
        unfolded.lines().find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.trim().eq_ignore_ascii_case(name).then(|| value.trim())
        })
    };
    if field("Action").is_some_and(|action| !action.eq_ignore_ascii_case("failed")) {
        return Nature::Silent;
    }
    let code = field("Status").unwrap_or_default();
    let said = field("Diagnostic-Code").map(|said| said.split_once(';').map_or(said, |(_, said)| said.trim()));
    // A mailbox that is full, or mail that is not wanted today, says nothing about the address.
    let for_good = code.starts_with("5.1.") || code.starts_with("5.2.1");
    Nature::Bounce { for_good, reason: cut(said.unwrap_or(code)) }
}

fn cut(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(MAX_REASON).collect()
}
