//! Files that a company keeps with a lead: pictures and PDFs. As with photographs, the row of a file is there before its
//! blob and goes after it, so no blob is left behind, whenever the server stops.

use std::time::Duration;

use shingle_domain::{LeadId, Role, Tenant, Timestamp, UserId};
use uuid::Uuid;

use crate::StoreError;
use crate::audit::actor::seen_now;
use crate::audit::change::Change;
use crate::encryption::data_key::{DataKeys, Field};
use crate::engine::db::{execute, fetch_all, fetch_optional, transact};
use crate::leads::Leads;
use crate::leads::seen::is_seen;
use crate::leads::work::EntryKind;
use crate::people::user::User;
use crate::store::{parse_id, require_row};

/// Files of one lead.
pub const MAX_FILES: usize = 20;
/// An upload that has not ended by then was given up.
const MAX_UPLOAD_TIME: Duration = Duration::from_secs(3_600);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    Jpeg,
    Pdf,
}

impl FileKind {
    pub fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Pdf => "pdf",
        }
    }

    fn parse(text: &str) -> Self {
        if text == "jpg" { Self::Jpeg } else { Self::Pdf }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeadFile {
    pub id: Uuid,
    /// As it was called where it came from, with the ending of what is stored.
    pub name: String,
    pub kind: FileKind,
    pub bytes: u32,
    /// Who added it, by the name of then.
    pub author: String,
    pub author_id: Option<UserId>,
    pub at: Timestamp,
    /// The name of its blob.
    pub path: String,
}

/// A file whose blob is to be written, or deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReservedFile {
    pub id: Uuid,
    /// The name of the blob.
    pub path: String,
}

/// What is kept of a file beside its content.
#[derive(Debug, Clone, Copy)]
pub struct FileDraft<'d> {
    pub name: &'d str,
    pub kind: FileKind,
    pub bytes: u32,
}

row! {
    struct FileRow {
        id: String,
        name: String,
        kind: String,
        bytes: i64,
        author: String,
        author_id: Option<String>,
        created_at: i64,
        path: String,
    }
}

impl FileRow {
    fn read(self, keys: &DataKeys) -> Result<LeadFile, StoreError> {
        Ok(LeadFile {
            id: parse_id("file", &self.id)?,
            name: keys.open(Field::LeadFileName, &self.id, self.name)?,
            kind: FileKind::parse(&self.kind),
            bytes: u32::try_from(self.bytes).unwrap_or(u32::MAX),
            author: self.author,
            author_id: self.author_id.map(|id| parse_id("user", &id)).transpose()?,
            at: Timestamp::from_micros(self.created_at),
            path: self.path,
        })
    }
}

impl Leads<'_> {
    /// Makes room for a file.
    ///
    /// # Errors
    /// [`StoreError::TooMany`]; [`StoreError::Merged`].
    pub async fn reserve_file(
        self,
        tenant: &Tenant,
        lead: LeadId,
        by: &User,
        draft: FileDraft<'_>,
    ) -> Result<ReservedFile, StoreError> {
        let id = self.store.new_id()?;
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let sealed = keys.seal(Field::LeadFileName, &id.to_string(), draft.name)?;
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(StoreError::Random)?;
        let path = format!("files/{}.{}", Uuid::from_bytes(random).simple(), draft.kind.extension());
        transact!(self.store.db, |tx| {
            self.lock_open(tx, tenant, lead).await?;
            let known = fetch_optional!(
                tx,
                (i64,),
                "SELECT COUNT(*) FROM lead_file WHERE lead_id = $1 AND state <> 'removed'",
                lead.to_string()
            )?;
            if known.is_some_and(|(n,)| n >= MAX_FILES as i64) {
                return Err(StoreError::TooMany { max: MAX_FILES });
            }
            execute!(
                tx,
                "INSERT INTO lead_file (id, lead_id, account_id, author, author_id, name, kind, path, state, bytes, created_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'arriving', $9, $10)",
                id.to_string(),
                lead.to_string(),
                tenant.account.to_string(),
                by.name.as_str(),
                by.id.to_string(),
                &sealed,
                draft.kind.extension(),
                &path,
                i64::from(draft.bytes),
                self.store.now().micros()
            )?;
            Ok(())
        })?;
        Ok(ReservedFile { id, path })
    }

    /// The blob is written: the file belongs to the lead.
    pub async fn keep_file(
        self,
        tenant: &Tenant,
        lead: LeadId,
        by: &User,
        (id, name): (Uuid, &str),
    ) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            self.lock(tx, tenant, lead).await?.ok_or(StoreError::NotFound)?;
            require_row(execute!(
                tx,
                "UPDATE lead_file SET state = 'stored' WHERE id = $1 AND lead_id = $2 AND state = 'arriving'",
                id.to_string(),
                lead.to_string()
            )?)?;
            self.add_entry(tx, tenant, lead, by, EntryKind::FileAdded, name).await
        })
    }

    /// The blob was not written: the file gives its place back.
    pub async fn drop_file(self, tenant: &Tenant, id: Uuid) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            execute!(
                tx,
                "UPDATE lead_file SET state = 'removed' WHERE id = $1 AND account_id = $2 AND state = 'arriving'",
                id.to_string(),
                tenant.account.to_string()
            )?;
            Ok(())
        })
    }

    /// With those of the leads that were merged into it, the newest first.
    pub async fn files(self, tenant: &Tenant, lead: LeadId) -> Result<Vec<LeadFile>, StoreError> {
        if self.find(tenant, lead).await?.is_none() {
            return Ok(Vec::new());
        }
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            FileRow,
            concat!(
                "SELECT id, name, kind, bytes, author, author_id, created_at, path FROM lead_file
              WHERE account_id = $2 AND state = 'stored'
                AND lead_id IN (SELECT CAST($1 AS TEXT) UNION ALL
                                SELECT id FROM lead WHERE merged_into = $1 AND account_id = $2
                                   AND ",
                is_seen!("widget_id", "$2", "$3"),
                ")
              ORDER BY id DESC"
            ),
            lead.to_string(),
            tenant.account.to_string(),
            seen_now().text()
        )?;
        rows.into_iter().map(|row| row.read(&keys)).collect()
    }

    /// Without those of the leads that were merged into it.
    pub(crate) async fn own_files(self, tenant: &Tenant, lead: LeadId) -> Result<Vec<LeadFile>, StoreError> {
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            FileRow,
            "SELECT id, name, kind, bytes, author, author_id, created_at, path FROM lead_file
              WHERE lead_id = $1 AND account_id = $2 AND state = 'stored' ORDER BY id DESC",
            lead.to_string(),
            tenant.account.to_string()
        )?;
        rows.into_iter().map(|row| row.read(&keys)).collect()
    }

    /// By its author or an owner. Its blob is deleted afterwards, see [`Leads::removed_files`].
    ///
    /// # Errors
    /// [`StoreError::NotFound`] also for a file that another member added.
    pub async fn remove_file(self, tenant: &Tenant, lead: LeadId, by: &User, id: Uuid) -> Result<(), StoreError> {
        let file = self.files(tenant, lead).await?.into_iter().find(|file| file.id == id);
        let file = file.filter(|file| file.author_id == Some(by.id) || by.role >= Role::Owner);
        let file = file.ok_or(StoreError::NotFound)?;
        transact!(self.store.db, |tx| {
            self.lock_open(tx, tenant, lead).await?;
            require_row(execute!(
                tx,
                "UPDATE lead_file SET state = 'removed' WHERE id = $1 AND account_id = $2 AND state = 'stored'",
                id.to_string(),
                tenant.account.to_string()
            )?)?;
            self.add_entry(tx, tenant, lead, by, EntryKind::FileDeleted, &file.name).await?;
            self.store.audit().note_change(tx, tenant.account, Change::FileDeleted, &lead.to_string(), "").await
        })
    }

    /// Blobs that are to be deleted: of files that were removed, erased with their lead, or whose upload has stopped. Each is
    /// forgotten once its blob is gone.
    pub async fn removed_files(self) -> Result<Vec<ReservedFile>, StoreError> {
        let now = self.store.now();
        transact!(self.store.db, |tx| {
            execute!(
                tx,
                "UPDATE lead_file SET state = 'removed' WHERE state = 'arriving' AND created_at < $1",
                (now - MAX_UPLOAD_TIME).micros()
            )?;
            let rows = fetch_all!(
                tx,
                (String, String),
                "SELECT id, path FROM lead_file WHERE state = 'removed' ORDER BY id LIMIT 100"
            )?;
            rows.into_iter().map(|(id, path)| Ok(ReservedFile { id: parse_id("file", &id)?, path })).collect()
        })
    }

    /// Its blob is deleted.
    pub async fn forget_file(self, id: Uuid) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            execute!(tx, "DELETE FROM lead_file WHERE id = $1 AND state = 'removed'", id.to_string())?;
            Ok(())
        })
    }
}
