//! Photographs of a lead: kept with their record, deleted with it.

use std::time::Duration;

use serde::Serialize;
use shingle_domain::inspection::PhotoId;
use shingle_domain::{LeadId, Tenant};
use shingle_store::{Blobs, Store, StoreError};

use crate::app::App;
use crate::image_failure::ImageFailure;
use crate::lead_files;

/// For what somebody waits for.
const PATIENCE: Duration = Duration::from_secs(3);

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
    if let Err(error) = app.blobs.put(&reserved.path, photo.bytes).await {
        // A homeowner who tries again while the storage is away would use up the number of photographs.
        app.store.leads().remove_photo(tenant, lead, reserved.id).await?;
        return Err(error.into());
    }
    app.store.leads().keep_photo(tenant, lead, reserved.id).await?;
    Ok(added)
}

/// The same for a request that has removed some, and is answered whether or not the storage does its part: what it does not
/// delete now goes with the chores of a next minute.
pub async fn delete_removed_soon(app: &App) {
    if !app.node.may_delete_files() {
        return;
    }
    let deleted = tokio::time::timeout(PATIENCE, delete_removed(&app.store, &app.blobs)).await;
    match deleted {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(%error, "a removed photograph could not be deleted yet"),
        Err(_) => tracing::warn!("a removed photograph could not be deleted yet: the storage does not answer"),
    }
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
