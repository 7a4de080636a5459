//! What somebody of the company writes to a homeowner from here: sent by us as an email, or from their own phone or mail
//! program. Then it is prepared until they say that they sent it.
//!
//! # Decision
//!
//! An email is an entry, an event and its delivery in one transaction; the entry names the event, so the history shows what
//! became of it. Turned down: sending before the answer to the form, which loses an email when the mail server is away.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use shingle_domain::event::EventKind;
use shingle_domain::{EntryId, LeadId, Tenant, UserId};

use crate::StoreError;
use crate::audit::change::Change;
use crate::engine::db::{execute, fetch_all, fetch_optional, transact};
use crate::leads::Leads;
use crate::leads::lead::subject;
use crate::leads::work::{EntryKind, EntryRow, LeadEntry};
use crate::people::user::User;

/// The address of the destination of all replies.
pub const REPLIES: &str = "replies";
/// The same email of the same person within this time is a second click.
const SAME_WITHIN: Duration = Duration::from_secs(10 * 60);

/// `data` of the event `reply.sent`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReplyNotice {
    /// It has the text.
    pub entry: EntryId,
    pub by: UserId,
}

impl Leads<'_> {
    /// `text` is what the entry says.
    pub async fn prepare_reply(self, tenant: &Tenant, lead: LeadId, by: &User, text: &str) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            self.lock_open(tx, tenant, lead).await?;
            self.add_entry(tx, tenant, lead, by, EntryKind::ReplyPrepared, text).await
        })
    }

    /// Has an email sent. `text` is the subject and the message, a line each; the message may have several. Sent twice, it
    /// goes out once.
    pub async fn send_reply(self, tenant: &Tenant, lead: LeadId, by: &User, text: &str) -> Result<(), StoreError> {
        let (entry, now) = (EntryId(self.store.new_id()?), self.store.now());
        transact!(self.store.db, |tx| {
            let mut kept = self.lock_open(tx, tenant, lead).await?;
            let recent = fetch_all!(
                tx,
                EntryRow,
                "SELECT id, author, author_id, kind, text, created_at, changed_at FROM lead_entry
                  WHERE lead_id = $1 AND account_id = $2 AND author_id = $3 AND kind = $4 AND created_at > $5
                  ORDER BY id DESC LIMIT 5",
                lead.to_string(),
                tenant.account.to_string(),
                by.id.to_string(),
                EntryKind::EmailSent.as_str(),
                (now - SAME_WITHIN).micros()
            )?;
            let keys = self.store.encryption().data_keys_in(tx, tenant.account).await?;
            for row in recent {
                if row.read(&keys)?.text.split_once('\n').is_some_and(|(_, sent)| sent == text) {
                    return Ok(());
                }
            }
            drop(keys);
            let about = subject(EventKind::ReplySent, &kept);
            let deliveries = self.store.deliveries();
            let data = serde_json::to_value(ReplyNotice { entry, by: by.id })?;
            let destination = self.team_mailbox(tx, tenant, (REPLIES, "Replies, to homeowners")).await?;
            let event = deliveries.write_event(tx, tenant, about, &data).await?;
            let to = kept.email.as_ref().map(|email| self.store.hashes.email(email)).unwrap_or_default();
            let told = format!("{} {to}\n{text}", event.id.as_str());
            let author = (by.name.as_str(), Some(by.id));
            self.write_entry_as(tx, tenant, lead, (entry, now), author, EntryKind::EmailSent, &told).await?;
            deliveries.write_delivery(tx, &destination, about, &event, 0).await?;
            // Somebody has answered the homeowner.
            if kept.first_touch_at.is_none() {
                (kept.first_touch_at, kept.updated_at) = (Some(now), now);
                self.update(tx, tenant, &kept).await?;
            }
            self.store.audit().note_change(tx, tenant.account, Change::ReplySent, &lead.to_string(), "").await
        })?;
        self.store.wake.notify_one();
        Ok(())
    }

    /// One entry of a lead, or of one that was merged into it.
    pub async fn entry(self, tenant: &Tenant, entry: EntryId) -> Result<Option<LeadEntry>, StoreError> {
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            EntryRow,
            "SELECT id, author, author_id, kind, text, created_at, changed_at FROM lead_entry
              WHERE id = $1 AND account_id = $2",
            entry.to_string(),
            tenant.account.to_string()
        )?;
        row.map(|row| row.read(&keys)).transpose()
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
