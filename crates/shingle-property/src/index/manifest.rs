//! The list of what an index holds. An import becomes visible in one step: when this file is replaced by rename.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::PropertyError;

/// Raised with every change of the record, the schema or the key.
pub(crate) const FORMAT: u32 = 1;

const NAME: &str = "manifest.json";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Manifest {
    pub format: u32,
    /// Counts switches.
    pub generation: u64,
    pub datasets: Vec<Dataset>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Dataset {
    pub name: String,
    #[serde(flatten)]
    pub current: Version,
    /// Kept on disk for rollback.
    pub previous: Option<Version>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Version {
    pub version: u64,
    /// The generation that made it current: of equally old sources the one imported later is believed.
    pub imported: u64,
    /// It covers the country: what a local data set says is believed before it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub national: bool,
    pub shards: Vec<Shard>,
}

/// One file: one data set's places in one state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Shard {
    pub state: String,
    pub places: u64,
    pub streets: u64,
    pub bytes: u64,
}

#[derive(Deserialize)]
struct FormatOnly {
    format: u32,
}

impl Manifest {
    pub(crate) fn empty() -> Self {
        Self { format: FORMAT, generation: 0, datasets: Vec::new() }
    }

    pub(crate) fn path(root: &Path) -> PathBuf {
        root.join(NAME)
    }

    /// A folder without a manifest, or no folder, is an empty index.
    pub(crate) fn read(root: &Path) -> Result<Self, PropertyError> {
        let path = Self::path(root);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Self::empty()),
            Err(e) => return Err(PropertyError::read(&path)(e)),
        };
        Self::parse(&path, &bytes)
    }

    pub(crate) fn parse(path: &Path, bytes: &[u8]) -> Result<Self, PropertyError> {
        let format: FormatOnly = serde_json::from_slice(bytes).map_err(|e| PropertyError::damaged(path, e))?;
        if format.format != FORMAT {
            let (path, found) = (path.to_owned(), format.format);
            return Err(PropertyError::Format { path, found, expected: FORMAT });
        }
        let manifest: Self = serde_json::from_slice(bytes).map_err(|e| PropertyError::damaged(path, e))?;
        // Names become paths: a manifest from elsewhere must not lead out of the folder.
        let fits = |d: &Dataset| is_dataset_name(&d.name) && d.current.shards.iter().all(|s| is_state_code(&s.state));
        if !manifest.datasets.iter().all(fits) {
            return Err(PropertyError::damaged(path, "it names a data set or state that cannot be"));
        }
        Ok(manifest)
    }

    /// As [`Manifest::read`], but an index of an older format is empty: no program reads it any more, and what is
    /// imported now replaces it.
    pub(crate) fn read_to_replace(root: &Path) -> Result<Self, PropertyError> {
        match Self::read(root) {
            Err(PropertyError::Format { found, .. }) if found < FORMAT => Ok(Self::empty()),
            other => other,
        }
    }

    pub(crate) fn write(&self, root: &Path) -> Result<(), PropertyError> {
        let path = Self::path(root);
        let new = root.join("manifest.json.new");
        let text = serde_json::to_vec_pretty(self).map_err(|e| PropertyError::damaged(&path, e))?;
        let mut file = File::create(&new).map_err(PropertyError::write(&new))?;
        file.write_all(&text).and_then(|()| file.sync_all()).map_err(PropertyError::write(&new))?;
        fs::rename(&new, &path).map_err(PropertyError::write(&path))?;
        sync_folder(root)
    }

    pub(crate) fn dataset(&self, name: &str) -> Option<&Dataset> {
        self.datasets.iter().find(|d| d.name == name)
    }
}

pub(crate) fn version_folder(root: &Path, dataset: &str, version: u64) -> PathBuf {
    root.join(dataset).join(format!("v{version}"))
}

pub(crate) fn shard_path(root: &Path, dataset: &str, version: u64, state: &str) -> PathBuf {
    version_folder(root, dataset, version).join(format!("{state}.sqlite"))
}

pub(crate) fn is_dataset_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

fn is_state_code(state: &str) -> bool {
    state.len() == 2 && state.bytes().all(|b| b.is_ascii_uppercase())
}

/// Renames are on disk only once their folder is.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), PropertyError> {
    if cfg!(unix) {
        File::open(folder).and_then(|f| f.sync_all()).map_err(PropertyError::write(folder))?;
    }
    Ok(())
}
