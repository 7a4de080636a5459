//! A failure of the mail server, as an operator reads it.

use shingle_deliver::mail::{MailFailure, MailFailureKind};

use crate::operator_error::OperatorError;

/// What failed, and what to do.
pub fn mail_failed(failure: &MailFailure) -> OperatorError {
    let fix = match failure.kind {
        MailFailureKind::Refused => "Check the address of the recipient.",
        MailFailureKind::Later => "Try again in a few minutes.",
        MailFailureKind::Unavailable => {
            "Check scheme, host and port in smtp_url, and that this machine may connect to it."
        }
        MailFailureKind::Misconfigured => {
            "Check smtp_url (scheme, user, password), and that the server lets this user send as mail_from."
        }
    };
    let mut text = failure.text.clone();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    OperatorError::new(text).fix(fix)
}
