//! What somebody of the company writes to a homeowner from here. It is sent from their own phone or mail program, so it is
//! prepared until they say that they sent it.

use shingle_domain::{EntryId, LeadId, Tenant};

use crate::StoreError;
use crate::engine::db::{execute, transact};
use crate::leads::Leads;
use crate::leads::work::EntryKind;
use crate::people::user::User;

impl Leads<'_> {
    /// `text` is what the entry says.
    pub async fn prepare_reply(self, tenant: &Tenant, lead: LeadId, by: &User, text: &str) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            self.lock_open(tx, tenant, lead).await?;
            self.add_entry(tx, tenant, lead, by, EntryKind::ReplyPrepared, text).await
        })
    }

    /// By the one who prepared it. Said twice, it is sent once.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] also for one that somebody else prepared.
    pub async fn reply_is_sent(
        self,
        tenant: &Tenant,
        lead: LeadId,
        by: &User,
        entry: EntryId,
    ) -> Result<(), StoreError> {
        let now = self.store.now();
        transact!(self.store.db, |tx| {
            let mut kept = self.lock_open(tx, tenant, lead).await?;
            let changed = execute!(
                tx,
                "UPDATE lead_entry SET kind = $5, changed_at = COALESCE(changed_at, $6)
                  WHERE id = $1 AND account_id = $3 AND author_id = $4 AND kind IN ($5, $7)
                    AND lead_id IN (SELECT CAST($2 AS TEXT) UNION ALL
                                    SELECT id FROM lead WHERE merged_into = $2 AND account_id = $3)",
                entry.to_string(),
                lead.to_string(),
                tenant.account.to_string(),
                by.id.to_string(),
                EntryKind::Replied.as_str(),
                now.micros(),
                EntryKind::ReplyPrepared.as_str()
            )?;
            if changed == 0 {
                return Err(StoreError::NotFound);
            }
            // Somebody has answered the homeowner.
            if kept.first_touch_at.is_none() {
                (kept.first_touch_at, kept.updated_at) = (Some(now), now);
                self.update(tx, tenant, &kept).await?;
            }
            Ok(())
        })
    }
}
