//! The version before, again; and nothing more of a data set.

use std::fs::{self, File};
use std::path::Path;

use super::builder::{lock, wait_for_lock};
use super::manifest::{self, Manifest, version_folder};
use crate::error::PropertyError;

/// Which versions of a data set there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatasetVersions {
    pub current: u64,
    pub previous: Option<u64>,
    /// Of the current one.
    pub places: u64,
}

/// `None`: the index has no such data set.
pub fn dataset_versions(root: &Path, dataset: &str) -> Result<Option<DatasetVersions>, PropertyError> {
    let manifest = Manifest::read(root)?;
    let known = manifest.dataset(dataset);
    Ok(known.map(|known| DatasetVersions {
        current: known.current.version,
        previous: known.previous.as_ref().map(|version| version.version),
        places: known.current.shards.iter().map(|shard| shard.places).sum(),
    }))
}

/// Takes back the import that made this version of a data set: what was there before it is current again, or nothing. In one
/// step, as an import is. `false`: it is not the current version any more, and nothing was changed.
pub fn undo_import(root: &Path, dataset: &str, version: u64) -> Result<bool, PropertyError> {
    let Some((_locks, mut manifest)) = locked(root, dataset)? else { return Ok(false) };
    let Some(at) = manifest.datasets.iter().position(|d| d.name == dataset && d.current.version == version) else {
        return Ok(false);
    };
    match manifest.datasets[at].previous.take() {
        Some(previous) => manifest.datasets[at].current = previous,
        None => {
            manifest.datasets.remove(at);
        }
    }
    manifest.generation += 1;
    manifest.write(root)?;
    // The switch is done; files that a reader has open stay readable for it.
    let _ = fs::remove_dir_all(version_folder(root, dataset, version));
    Ok(true)
}

/// Removes a data set with the version before it, in one step, as an import is. `false`: no data set has this name.
pub fn remove_dataset(root: &Path, dataset: &str) -> Result<bool, PropertyError> {
    let Some((_locks, mut manifest)) = locked(root, dataset)? else { return Ok(false) };
    let before = manifest.datasets.len();
    manifest.datasets.retain(|d| d.name != dataset);
    let is_removed = manifest.datasets.len() < before;
    if is_removed {
        manifest.generation += 1;
        manifest.write(root)?;
    }
    // The switch is done; files that a reader has open stay readable for it.
    let _ = fs::remove_dir_all(root.join(dataset));
    Ok(is_removed)
}

/// What is current, while nobody else changes it. `None`: the data set has no folder. While an import of the data set
/// runs this is refused, as another import would be.
fn locked(root: &Path, dataset: &str) -> Result<Option<([File; 2], Manifest)>, PropertyError> {
    if !manifest::is_dataset_name(dataset) {
        return Err(PropertyError::DatasetName { name: dataset.to_owned() });
    }
    let folder = root.join(dataset);
    if !folder.is_dir() {
        return Ok(None);
    }
    let locks = [lock(&folder.join("lock"))?, wait_for_lock(&root.join("lock"))?];
    Ok(Some((locks, Manifest::read(root)?)))
}
