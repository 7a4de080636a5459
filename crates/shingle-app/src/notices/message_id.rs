//! What mails are called. The same mail sent again has the same id, so a mailbox shows it once; later mails about a lead
//! name the first one, so they stand together.

use std::sync::Arc;

use shingle_deliver::mail::{Mailer, MessageId};
use shingle_domain::{DestinationId, EntryId, LeadId};

pub struct MessageIds(pub Arc<Mailer>);

impl MessageIds {
    /// The notice of a lead to one mailbox, so many minutes after it.
    pub fn lead(&self, lead: LeadId, to: DestinationId, step: u32) -> Option<MessageId> {
        let later = if step == 0 { String::new() } else { format!(".{step}") };
        self.0.message_id(&format!("lead.{}.{}{later}", lead.0.simple(), to.0.simple()))
    }

    /// The estimate to its homeowner.
    pub fn copy(&self, lead: LeadId) -> Option<MessageId> {
        self.0.message_id(&format!("estimate.{}", lead.0.simple()))
    }

    /// What somebody writes to a homeowner.
    pub fn reply(&self, entry: EntryId) -> Option<MessageId> {
        self.0.message_id(&format!("reply.{}", entry.0.simple()))
    }

    /// Any other event to one mailbox.
    pub fn event(&self, event: &str, to: DestinationId) -> Option<MessageId> {
        self.0.message_id(&format!("{event}.{}", to.0.simple()))
    }
}
