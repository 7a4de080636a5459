//! What came of a mail, for the queue and for the log.
//!
//! # Decision
//!
//! A mailbox that its server reports as nonexistent is turned off at once, and the others are told; a homeowner's
//! mailbox marks the lead. Turned down: retrying for three days.

use serde_json::json;
use shingle_deliver::mail::{MailFailure, MailFailureKind, MailReceipt, OutgoingMail};
use shingle_deliver::{Outcome, Verdict};
use shingle_domain::message::ToMessage;

/// Replies that speak of the mailbox, not of the mail: there is no such user, or it moved.
const NO_SUCH_MAILBOX: [u16; 3] = [550, 551, 553];

pub fn accepted(mail: &OutgoingMail, receipt: &MailReceipt) -> Outcome {
    Outcome { exchange: Some(exchange(mail, Some(&receipt.response))), ..Outcome::new(Verdict::Delivered) }
}

/// A mailbox of the company that does not exist is switched off; a homeowner's is that of one lead.
pub fn failed(mail: &OutgoingMail, failure: &MailFailure, is_company: bool) -> Outcome {
    let refused = failure.kind == MailFailureKind::Refused;
    let verdict = match failure.code {
        Some(code) if refused && is_company && NO_SUCH_MAILBOX.contains(&code) => Verdict::Gone,
        _ if refused => Verdict::Refused,
        _ => Verdict::TryAgain { retry_after: None, throttle: false },
    };
    Outcome {
        verdict,
        status: failure.code,
        cause: Some(failure.to_message()),
        exchange: Some(exchange(mail, None)),
        progress: None,
        record: None,
    }
}

fn exchange(mail: &OutgoingMail, reply: Option<&str>) -> String {
    json!({
        "request": { "to": mail.to, "subject": mail.content.subject, "messageId": mail.message_id.as_str() },
        "response": reply.map(|reply| json!({ "reply": reply })),
    })
    .to_string()
}
