//! Photographs of a lead's roof. The row of a photograph is there before its blob and goes after it, so no blob is left
//! behind, whenever the server stops.
//!
//! # Decision
//!
//! A photo's row exists before its blob and is deleted after it. Cleanup deletes blobs of rows that were removed,
//! erased, abandoned, or not sent with a visit within two days. Turned down: deleting blobs outside the transaction,
//! which a crash leaves behind.

use std::time::Duration;

use shingle_domain::inspection::{MAX_PHOTOS, Photo, PhotoId};
use shingle_domain::{LeadId, Tenant};

use crate::StoreError;
use crate::engine::db::{Tx, execute, fetch_all, fetch_optional, transact};
use crate::leads::Leads;
use crate::store::{columns, parse_id, require_row};

/// A photograph whose blob is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReservedPhoto {
    pub id: PhotoId,
    /// The name of the blob.
    pub path: String,
}

/// An upload that has not ended by then was given up.
const MAX_UPLOAD_TIME: Duration = Duration::from_secs(3_600);
/// Photographs for a visit that nobody has asked for in this time are removed: they were never sent.
const MAX_UNSENT_TIME: Duration = Duration::from_secs(2 * 24 * 3_600);

row! {
    struct PhotoRow {
        id: String,
        width: i64,
        height: i64,
        bytes: i64,
    }
}

impl PhotoRow {
    fn read(&self) -> Result<Photo, StoreError> {
        let number = |value: i64| u32::try_from(value).unwrap_or(u32::MAX);
        Ok(Photo {
            id: parse_id("photo", &self.id)?,
            width: number(self.width),
            height: number(self.height),
            bytes: number(self.bytes),
        })
    }
}

impl Leads<'_> {
    /// Makes room for a photograph, of which a lead has at most five.
    ///
    /// # Errors
    /// [`StoreError::TooMany`]; [`StoreError::InspectionConfirmed`].
    pub async fn reserve_photo(
        self,
        tenant: &Tenant,
        lead: LeadId,
        (width, height, bytes): (u32, u32, u32),
    ) -> Result<ReservedPhoto, StoreError> {
        let id = PhotoId(self.store.new_id()?);
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(StoreError::Random)?;
        let path = format!("photos/{}.jpg", uuid::Uuid::from_bytes(random).simple());
        transact!(self.store.db, |tx| {
            let locked = self.lock(tx, tenant, lead).await?.ok_or(StoreError::NotFound)?;
            if locked.inspection.is_some_and(|i| i.is_confirmed()) {
                return Err(StoreError::InspectionConfirmed);
            }
            let known = fetch_optional!(
                tx,
                (i64,),
                "SELECT COUNT(*) FROM lead_photo WHERE lead_id = $1 AND state <> 'removed'",
                lead.to_string()
            )?;
            if known.is_some_and(|(n,)| n >= MAX_PHOTOS as i64) {
                return Err(StoreError::TooMany { max: MAX_PHOTOS });
            }
            execute!(
                tx,
                "INSERT INTO lead_photo (id, lead_id, path, state, width, height, bytes, created_at)
                 VALUES ($1, $2, $3, 'arriving', $4, $5, $6, $7)",
                id.to_string(),
                lead.to_string(),
                &path,
                i64::from(width),
                i64::from(height),
                i64::from(bytes),
                self.store.now().micros()
            )?;
            Ok(())
        })?;
        Ok(ReservedPhoto { id, path })
    }

    /// The blob is written: the photograph belongs to the lead. Where a visit was asked for already, that is a change of
    /// the lead.
    pub async fn keep_photo(self, tenant: &Tenant, lead: LeadId, id: PhotoId) -> Result<(), StoreError> {
        self.change_photo(tenant, lead, id, "stored").await
    }

    /// Takes a photograph back. Its blob is deleted afterwards, see [`Leads::removed_photos`].
    pub async fn remove_photo(self, tenant: &Tenant, lead: LeadId, id: PhotoId) -> Result<(), StoreError> {
        self.change_photo(tenant, lead, id, "removed").await
    }

    async fn change_photo(
        self,
        tenant: &Tenant,
        lead: LeadId,
        id: PhotoId,
        state: &'static str,
    ) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            let mut lead = self.lock(tx, tenant, lead).await?.ok_or(StoreError::NotFound)?;
            require_row(execute!(
                tx,
                "UPDATE lead_photo SET state = $3 WHERE id = $1 AND lead_id = $2 AND state <> 'removed'",
                id.to_string(),
                lead.id.to_string(),
                state
            )?)?;
            let photos = photos_in(tx, lead.id).await?;
            let changed = lead.inspection.as_mut().is_some_and(|inspection| {
                let changed = inspection.photos != photos;
                inspection.photos = photos;
                changed
            });
            if changed {
                lead.updated_at = self.store.now();
                self.update(tx, tenant, &lead).await?;
            }
            Ok(())
        })?;
        self.store.wake.notify_one();
        Ok(())
    }

    /// Those that have arrived, whether or not a visit was asked for.
    pub async fn list_photos(self, tenant: &Tenant, lead: LeadId) -> Result<Vec<Photo>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            PhotoRow,
            "SELECT p.id AS id, p.width AS width, p.height AS height, p.bytes AS bytes
               FROM lead_photo p JOIN lead l ON l.id = p.lead_id
              WHERE p.lead_id = $1 AND l.account_id = $2 AND l.environment = $3 AND p.state = 'stored'
              ORDER BY p.created_at, p.id",
            lead.to_string(),
            &account,
            environment
        )?;
        rows.iter().map(PhotoRow::read).collect()
    }

    /// The name of the blob of a photograph that the owner may see: the visit was asked for.
    pub async fn photo_path(self, tenant: &Tenant, lead: LeadId, id: PhotoId) -> Result<Option<String>, StoreError> {
        let sent = self.find(tenant, lead).await?.and_then(|lead| lead.inspection);
        if !sent.is_some_and(|inspection| inspection.photos.iter().any(|photo| photo.id == id)) {
            return Ok(None);
        }
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (String,),
            "SELECT path FROM lead_photo WHERE id = $1 AND lead_id = $2 AND state = 'stored'",
            id.to_string(),
            lead.to_string()
        )?;
        Ok(row.map(|(path,)| path))
    }

    /// Blobs that are to be deleted: of photographs that were taken back, erased with their lead, never sent, or whose
    /// upload has stopped. Each is forgotten once its blob is gone.
    pub async fn removed_photos(self) -> Result<Vec<ReservedPhoto>, StoreError> {
        let now = self.store.now();
        transact!(self.store.db, |tx| {
            execute!(
                tx,
                "UPDATE lead_photo SET state = 'removed' WHERE state = 'arriving' AND created_at < $1",
                (now - MAX_UPLOAD_TIME).micros()
            )?;
            execute!(
                tx,
                "UPDATE lead_photo SET state = 'removed'
                  WHERE state = 'stored' AND created_at < $1
                    AND lead_id IN (SELECT id FROM lead WHERE inspection_at IS NULL)",
                (now - MAX_UNSENT_TIME).micros()
            )?;
            let rows = fetch_all!(
                tx,
                (String, String),
                "SELECT id, path FROM lead_photo WHERE state = 'removed' ORDER BY id LIMIT 100"
            )?;
            rows.into_iter().map(|(id, path)| Ok(ReservedPhoto { id: parse_id("photo", &id)?, path })).collect()
        })
    }

    /// Its blob is deleted.
    pub async fn forget_photo(self, id: PhotoId) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            execute!(tx, "DELETE FROM lead_photo WHERE id = $1 AND state = 'removed'", id.to_string())?;
            Ok(())
        })
    }
}

/// The photographs of a locked lead.
pub(crate) async fn photos_in(tx: &mut Tx<'_>, lead: LeadId) -> Result<Vec<Photo>, StoreError> {
    let rows = fetch_all!(
        tx,
        PhotoRow,
        "SELECT id, width, height, bytes FROM lead_photo
          WHERE lead_id = $1 AND state = 'stored' ORDER BY created_at, id",
        lead.to_string()
    )?;
    rows.iter().map(PhotoRow::read).collect()
}
