//! Photographs of a lead: kept with their record, deleted with it.

use serde::Serialize;
use shingle_domain::inspection::PhotoId;
use shingle_domain::{LeadId, Tenant};
use shingle_store::{Blobs, Store, StoreError};

use crate::app::App;
use crate::image_failure::ImageFailure;
use crate::lead_files;

#[derive(Debug, Serialize)]
pub struct AddedPhoto {
    id: PhotoId,
    width: u32,
    height: u32,
    bytes: usize,
}

/// Encodes and stores a photograph. The caller knows that it is the homeowner.
pub async fn add(app: &App, tenant: &Tenant, lead: LeadId, bytes: Vec<u8>) -> Result<AddedPhoto, ImageFailure> {
    let photo = app.encode_photo(bytes).await?;
    let size = u32::try_from(photo.bytes.len()).unwrap_or(u32::MAX);
    let reserved = app.store.leads().reserve_photo(tenant, lead, (photo.width, photo.height, size)).await?;
    let added = AddedPhoto { id: reserved.id, width: photo.width, height: photo.height, bytes: photo.bytes.len() };
    app.blobs.put(&reserved.path, photo.bytes).await?;
    app.store.leads().keep_photo(tenant, lead, reserved.id).await?;
    Ok(added)
}

/// Deletes the blobs of photographs and files that were removed.
pub async fn delete_removed(store: &Store, blobs: &Blobs) -> Result<(), StoreError> {
    for photo in store.leads().removed_photos().await? {
        blobs.delete(&photo.path).await?;
        store.leads().forget_photo(photo.id).await?;
    }
    // Whatever erases the one erases the other.
    lead_files::delete_removed(store, blobs).await
}
