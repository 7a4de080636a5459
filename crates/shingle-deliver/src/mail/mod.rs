//! Mail out, over one SMTP server that the operator names.
//!
//! From is always the operator's own address; replies go to the address in Reply-To. A mail that is sent
//! has one outcome: accepted by the server, or a [`MailFailure`] that says whose fault it is and whether it is worth
//! trying again.

mod address;
mod connection;
mod dkim;
mod error;
mod fault;
mod line_stream;
mod mailer;
mod message;
mod messages;
mod server;
mod settings;

pub use error::{DkimKeyProblem, MailError, MailFailure, MailFailureKind, MailReceipt, SmtpUrlProblem};
pub use mailer::Mailer;
pub use message::{MessageId, OutgoingMail};
pub use messages::{Encrypted, LoggedIn, MailAnswer, MailProblem, ServerFault, Unusable};
pub use settings::MailSettings;
