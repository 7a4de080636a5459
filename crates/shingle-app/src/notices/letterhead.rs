//! Who an email to a homeowner is from, and where the answer goes.

use shingle_domain::{AccountId, Email};
use shingle_store::StoreError;

use super::mail_transport::MailTransport;

/// What an email to a homeowner has on top.
pub(super) struct Letterhead {
    pub from_name: String,
    /// `None`: our own address.
    pub from: Option<Email>,
    pub reply_to: Email,
    /// The company has named an address of its own.
    pub is_own: bool,
}

impl MailTransport {
    /// The company's own sender, if it proved one; its address stands under `From` where the operator has set up its domain,
    /// and gets the answers anyway. Otherwise as the widget says.
    pub(super) async fn letterhead(
        &self,
        account: AccountId,
        (name, email): (&str, &Email),
    ) -> Result<Letterhead, StoreError> {
        let Some(sender) = self.store.accounts().sender(account).await? else {
            return Ok(Letterhead { from_name: name.to_owned(), from: None, reply_to: email.clone(), is_own: false });
        };
        let from = Some(sender.email.clone()).filter(|email| self.settings.may_send_as(email));
        let from_name = if sender.name.is_empty() { name.to_owned() } else { sender.name };
        Ok(Letterhead { from_name, from, reply_to: sender.email, is_own: true })
    }
}
