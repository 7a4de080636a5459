//! Notes about a lead: written by anybody of the company, edited and deleted by their author.
//!
//! # Decision
//!
//! A deleted note leaves its entry without text, so the history keeps who deleted a note and when. Turned down: deleting
//! the row, after which a note that was acted on would never have been there; keeping the text, which somebody wanted gone.

use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::{EntryId, KeyId, LeadId, Tenant, Timestamp};

use crate::StoreError;
use crate::audit::change::Change;
use crate::encryption::data_key::Field;
use crate::engine::db::{Tx, execute, fetch_optional, transact};
use crate::leads::Leads;
use crate::leads::work::{EntryKind, EntryRow, LeadEntry};
use crate::people::user::User;

/// What became of a change of a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoteChange {
    Done,
    /// It was edited after it was shown. This is what it says now; nothing was changed.
    Outdated(LeadEntry),
    /// It was deleted after it was shown.
    Gone,
}

impl Leads<'_> {
    pub async fn add_note(self, tenant: &Tenant, lead: LeadId, by: &User, text: &str) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            self.lock_open(tx, tenant, lead).await?;
            self.add_entry(tx, tenant, lead, by, EntryKind::Note, text).await
        })
    }

    /// A note by a program with a key. Nobody of the portal can edit it.
    pub async fn add_note_of_key(
        self,
        tenant: &Tenant,
        lead: LeadId,
        key: &KeyId,
        text: &str,
    ) -> Result<LeadEntry, StoreError> {
        let (at, id) = (self.store.now(), EntryId(self.store.new_id()?));
        let author = transact!(self.store.db, |tx| {
            self.lock_open(tx, tenant, lead).await?;
            let name = fetch_optional!(tx, (String,), "SELECT name FROM api_key WHERE id = $1", &key.0)?;
            let author =
                name.map(|(name,)| name).filter(|name| !name.is_empty()).unwrap_or_else(|| format!("API {}", key.0));
            self.write_entry_as(tx, tenant, lead, (id, at), (&author, None), EntryKind::Note, text).await?;
            Ok(author)
        })?;
        Ok(LeadEntry {
            id,
            kind: EntryKind::Note,
            author,
            author_id: None,
            text: text.to_owned(),
            at,
            changed_at: None,
        })
    }

    /// Notes alone, the oldest first. A deleted one is left out.
    pub async fn notes_of(self, tenant: &Tenant, lead: LeadId) -> Result<Vec<LeadEntry>, StoreError> {
        self.find(tenant, lead).await?.ok_or(StoreError::NotFound)?;
        let mut notes = self.entries(tenant, lead).await?;
        notes.retain(|entry| entry.kind == EntryKind::Note && !entry.text.is_empty());
        notes.cold_sort_by_key(|entry| (entry.at, entry.id));
        Ok(notes)
    }

    /// `seen`: when it was last edited, as it was shown.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] also for a note that somebody else wrote.
    pub async fn edit_note(
        self,
        tenant: &Tenant,
        lead: LeadId,
        by: &User,
        (note, seen): (EntryId, Option<Timestamp>),
        text: &str,
    ) -> Result<NoteChange, StoreError> {
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let sealed = keys.seal(Field::LeadEntry, &note.to_string(), text)?;
        transact!(self.store.db, |tx| {
            let now = match self.own_note(tx, tenant, lead, by, note).await? {
                None => return Ok(NoteChange::Gone),
                Some(now) if now.text == text => return Ok(NoteChange::Done),
                Some(now) if now.changed_at != seen => return Ok(NoteChange::Outdated(now)),
                Some(now) => now,
            };
            execute!(
                tx,
                "UPDATE lead_entry SET text = $2, changed_at = $3 WHERE id = $1",
                note.to_string(),
                &sealed,
                self.after(now.changed_at).micros()
            )?;
            self.add_entry(tx, tenant, lead, by, EntryKind::NoteEdited, "").await?;
            self.store.audit().note_change(tx, tenant.account, Change::NoteEdited, &lead.to_string(), "").await?;
            Ok(NoteChange::Done)
        })
    }

    /// Its text is gone; that there was a note stays. `seen` as in [`Leads::edit_note`].
    ///
    /// # Errors
    /// [`StoreError::NotFound`] also for a note that somebody else wrote.
    pub async fn delete_note(
        self,
        tenant: &Tenant,
        lead: LeadId,
        by: &User,
        (note, seen): (EntryId, Option<Timestamp>),
    ) -> Result<NoteChange, StoreError> {
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let nothing = keys.seal(Field::LeadEntry, &note.to_string(), "")?;
        transact!(self.store.db, |tx| {
            let now = match self.own_note(tx, tenant, lead, by, note).await? {
                None => return Ok(NoteChange::Gone),
                Some(now) if now.changed_at != seen => return Ok(NoteChange::Outdated(now)),
                Some(now) => now,
            };
            execute!(
                tx,
                "UPDATE lead_entry SET text = $2, changed_at = $3, kind = $4 WHERE id = $1",
                note.to_string(),
                &nothing,
                self.after(now.changed_at).micros(),
                EntryKind::NoteDeleted.as_str()
            )?;
            self.store.audit().note_change(tx, tenant.account, Change::NoteDeleted, &lead.to_string(), "").await?;
            Ok(NoteChange::Done)
        })
    }

    /// Two changes of one note never have the same time.
    fn after(self, earlier: Option<Timestamp>) -> Timestamp {
        let now = self.store.now();
        earlier.map_or(now, |earlier| now.max(Timestamp::from_micros(earlier.micros() + 1)))
    }

    /// `None`: it is deleted.
    async fn own_note(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        lead: LeadId,
        by: &User,
        note: EntryId,
    ) -> Result<Option<LeadEntry>, StoreError> {
        self.lock_open(tx, tenant, lead).await?;
        let row = fetch_optional!(
            tx,
            EntryRow,
            "SELECT id, author, author_id, kind, text, created_at, changed_at FROM lead_entry
              WHERE id = $1 AND account_id = $3 AND author_id = $4
                AND lead_id IN (SELECT CAST($2 AS TEXT) UNION ALL
                                SELECT id FROM lead WHERE merged_into = $2 AND account_id = $3)",
            note.to_string(),
            lead.to_string(),
            tenant.account.to_string(),
            by.id.to_string()
        )?;
        let keys = self.store.encryption().data_keys_in(tx, tenant.account).await?;
        let entry = row.ok_or(StoreError::NotFound)?.read(&keys)?;
        match entry.kind {
            EntryKind::Note => Ok(Some(entry)),
            EntryKind::NoteDeleted => Ok(None),
            _ => Err(StoreError::NotFound),
        }
    }
}
