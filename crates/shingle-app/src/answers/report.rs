//! What machines write: reports of mail servers, and answers of people who are away.

use mailparse::{MailAddr, MailHeaderMap as _, ParsedMail, addrparse_header};
use shingle_domain::Email;
use shingle_domain::text::is_clean;

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
        /// The address that it is about.
        of: Option<Email>,
    },
    /// A read receipt, or a report that it takes longer: nothing to tell.
    Silent,
}

/// The first address of `From`.
pub(super) fn sender(mail: &ParsedMail<'_>) -> Option<String> {
    let header = mail.headers.get_first_header("From")?;
    match addrparse_header(header).ok()?.into_inner().into_iter().next()? {
        MailAddr::Single(one) => Some(one.addr),
        MailAddr::Group(group) => group.addrs.into_iter().next().map(|one| one.addr),
    }
}

impl Nature {
    pub(super) fn of(mail: &ParsedMail<'_>) -> Self {
        let text = |name: &str| mail.headers.get_first_value(name);
        let subject = text("Subject").unwrap_or_default();
        let is_status = |part: &&ParsedMail<'_>| {
            ["message/delivery-status", "message/global-delivery-status"].contains(&part.ctype.mimetype.as_str())
        };
        if let Some(status) = mail.parts().find(is_status) {
            return of_status(&status.get_body().unwrap_or_default());
        }
        let report = mail.ctype.params.get("report-type").map_or("", String::as_str);
        if mail.ctype.mimetype == "multipart/report" && report.eq_ignore_ascii_case("disposition-notification") {
            return Self::Silent;
        }
        let from = sender(mail).unwrap_or_default().to_ascii_lowercase();
        let nobody = text("Return-Path").is_some_and(|path| ["", "<>"].contains(&path.trim()));
        if nobody && (from.is_empty() || from.starts_with("mailer-daemon@") || from.starts_with("postmaster@")) {
            return Self::Bounce { for_good: false, reason: cut(&subject), of: None };
        }
        let automatic = text("Auto-Submitted").is_some_and(|said| !said.trim().eq_ignore_ascii_case("no"));
        let marked =
            ["X-Autoreply", "X-Autorespond", "X-Auto-Reply", "List-Id"].iter().any(|name| text(name).is_some());
        let precedence = text("Precedence").unwrap_or_default().trim().to_ascii_lowercase();
        let bulk = ["bulk", "junk", "list", "auto_reply"].contains(&precedence.as_str());
        let subject = subject.to_lowercase();
        let says =
            ["automatic reply:", "respuesta automática:", "out of office:"].iter().any(|s| subject.starts_with(s));
        if nobody || automatic || marked || bulk || says { Self::Machine } else { Self::Person }
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
    // A mailbox that is full, or mail that is not wanted today, says nothing about the address.
    let for_good = code.starts_with("5.1.") || code.starts_with("5.2.1");
    let of = ["Original-Recipient", "Final-Recipient"].into_iter().find_map(field);
    let of = of.and_then(|of| Email::parse(of.split_once(';').map_or(of, |(_, of)| of.trim())));
    // The code alone: the words may be anybody's, and stand in a notice of ours.
    let is_code = code.len() <= 12 && code.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    Nature::Bounce { for_good, reason: if is_code { code.to_owned() } else { String::new() }, of }
}

fn cut(text: &str) -> String {
    text.chars().filter(|c| is_clean(c.encode_utf8(&mut [0; 4]))).take(MAX_REASON).collect()
}
