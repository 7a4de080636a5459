//! A failure of the mail server, as an operator reads it.

use shingle_deliver::mail::{MailFailure, MailFailureKind};
use shingle_domain::message::Message;
use shingle_domain::messages;

use crate::operator_error::OperatorError;

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum MailFault {
        Failed { why: Message } => "{^why}",
    }
}

messages! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum MailFix {
        Recipient => "Check the address of the recipient.",
        Later => "Try again in a few minutes.",
        Server => "Check scheme, host and port in smtp_url, and that this machine may connect to it.",
        Settings => "Check smtp_url (scheme, user, password), and that the server lets this user send as mail_from.",
    }
}

/// What failed, and what to do.
pub fn mail_failed(failure: &MailFailure) -> OperatorError {
    let fix = match failure.kind {
        MailFailureKind::Refused => MailFix::Recipient,
        MailFailureKind::Later => MailFix::Later,
        MailFailureKind::Unavailable => MailFix::Server,
        MailFailureKind::Misconfigured => MailFix::Settings,
    };
    OperatorError::new(MailFault::Failed { why: failure.why.clone() }).fix(fix)
}
