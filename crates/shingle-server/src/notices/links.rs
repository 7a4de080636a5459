//! The links in mails to the company.

use shingle_domain::{DestinationId, LeadId, Timestamp, WidgetId};

use crate::tokens::{MailAction, Tokens};

/// Makes signed links to this server.
#[derive(Debug, Clone)]
pub struct NoticeLinks {
    pub tokens: Tokens,
    /// Without a slash at the end.
    pub base_url: String,
}

impl NoticeLinks {
    /// "I'm on it": opening it shows the page, its button takes the lead.
    pub fn on_it(
        &self,
        widget: WidgetId,
        lead: LeadId,
        to: DestinationId,
        now: Timestamp,
    ) -> Result<String, getrandom::Error> {
        let token = self.tokens.mail_link(MailAction::Take(lead), to, now)?;
        Ok(format!("{}/w/{widget}/on-it?lead={}&to={}&t={token}", self.base_url, lead.0.simple(), to.0.simple()))
    }

    /// The homeowner's page to print. It shows no contact details.
    pub fn estimate(&self, widget: WidgetId, lead: LeadId, now: Timestamp) -> Result<String, getrandom::Error> {
        let token = self.tokens.estimate(lead, now)?;
        Ok(format!("{}/w/{widget}/estimate.pdf?lead={}&t={token}", self.base_url, lead.0.simple()))
    }

    /// Ends the digests to one mailbox. One POST is enough.
    pub fn unsubscribe(&self, widget: WidgetId, to: DestinationId, now: Timestamp) -> Result<String, getrandom::Error> {
        let token = self.tokens.mail_link(MailAction::Unsubscribe, to, now)?;
        Ok(format!("{}/w/{widget}/unsubscribe?to={}&t={token}", self.base_url, to.0.simple()))
    }
}
