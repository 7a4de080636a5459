//! Homeowners who asked a company for no more emails, or no more texts. Kept as keyed hashes, so they stay known after their
//! leads are erased.

use shingle_domain::{AccountId, Email, Phone};

use crate::StoreError;
use crate::engine::db::{Tx, execute, fetch_optional};
use crate::leads::Leads;

/// What a homeowner may ask a company not to use.
#[derive(Debug, Clone, Copy)]
pub enum Contact<'c> {
    Email(&'c Email),
    Phone(&'c Phone),
}

impl Leads<'_> {
    fn contact(self, contact: Contact<'_>) -> String {
        match contact {
            Contact::Email(email) => self.store.hashes.email(email),
            Contact::Phone(phone) => self.store.hashes.phone(phone),
        }
    }

    pub async fn is_stopped(self, account: AccountId, contact: Contact<'_>) -> Result<bool, StoreError> {
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (i64,),
            "SELECT stopped_at FROM contact_stop WHERE account_id = $1 AND contact = $2",
            account.to_string(),
            self.contact(contact)
        )?;
        Ok(row.is_some())
    }

    /// Whether that is new. `contact` is the hash.
    pub(crate) async fn stop_in(self, tx: &mut Tx<'_>, account: AccountId, contact: &str) -> Result<bool, StoreError> {
        let changed = execute!(
            tx,
            "INSERT INTO contact_stop (account_id, contact, stopped_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
            account.to_string(),
            contact,
            self.store.now().micros()
        )?;
        Ok(changed > 0)
    }

    /// Whether there was a stop.
    pub(crate) async fn resume_in(
        self,
        tx: &mut Tx<'_>,
        account: AccountId,
        contact: &str,
    ) -> Result<bool, StoreError> {
        let changed = execute!(
            tx,
            "DELETE FROM contact_stop WHERE account_id = $1 AND contact = $2",
            account.to_string(),
            contact
        )?;
        Ok(changed > 0)
    }
}
