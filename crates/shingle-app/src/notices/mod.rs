//! Notices by mail and by push: what is said to whom is put together here, from the store and `shingle-notice`, at the moment it is
//! sent. So an erased lead is in no mail, and a taken one causes no reminder.

mod appointment_mail;
mod digest;
mod letterhead;
mod links;
mod mail_transport;
mod message_id;
mod messages;
mod outcome;
mod push_transport;
mod quote_answers;
mod quote_mail;
mod reply_mail;
mod step_mail;
mod step_reminders;

pub use digest::make_due_digests;
pub use links::{CompanyLinks, NoticeLinks, lead_path};
pub use mail_transport::{LinkMailError, MailTransport, copy_of, lead_language};
pub use messages::{NoNotice, PushFailure};
pub use push_transport::{PushConfig, PushSecrets, PushTransport};
pub use quote_answers::company_zone;
pub use step_reminders::remind_of_steps;
