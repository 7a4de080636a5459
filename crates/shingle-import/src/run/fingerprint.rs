//! Determines whether the files and the mapping of an import are those of a checkpoint.

use std::fs::{File, Metadata};
use std::path::PathBuf;
use std::time::SystemTime;

use shingle_measure::point_files;

use crate::error::ImportError;
use crate::format::open::is_of_points;
use crate::format::shapefile::sibling;
use crate::run::job::ImportJob;

/// Taken only where there is a checkpoint, or one is to be saved: it reads every file from beginning to end, and most
/// imports are done before their first checkpoint.
pub(crate) struct Fingerprint<'a> {
    job: &'a ImportJob<'a>,
    files: Vec<PathBuf>,
    before: Vec<Stamp>,
}

/// What changes when a file is written.
type Stamp = (u64, Option<SystemTime>);

impl<'a> Fingerprint<'a> {
    /// Notes how the files are before they are read.
    pub fn of(job: &'a ImportJob<'a>) -> Result<Self, ImportError> {
        let mut files = Vec::new();
        for path in &job.files {
            if path.is_dir() {
                let tiles = point_files(std::slice::from_ref(path)).unwrap_or_default();
                // An octree is a folder of its own, which its description names.
                files.extend(tiles.into_iter().map(|t| if t.is_dir() { t.join("ept.json") } else { t }));
                continue;
            }
            files.push(path.clone());
            if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("shp")) {
                files.extend([sibling(path, "dbf"), sibling(path, "prj")].into_iter().flatten());
            }
        }
        let mut it = Self { job, files, before: Vec::new() };
        it.before = it.stamps()?;
        Ok(it)
    }

    /// Changes with any byte of the files (of laser points, with their size and time) or of the mapping. Empty, which no later one is, where a file was written since
    /// its rows began to be read: nobody knows then which rows those were.
    pub fn take(&self) -> Result<String, ImportError> {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.job.mapping.digest.as_bytes());
        for path in &self.files {
            let file = File::open(path).map_err(ImportError::read(path))?;
            if is_of_points(path) {
                // A survey has hundreds of gigabytes: its size and its time have to do.
                let (length, changed) = stamp(&file.metadata().map_err(ImportError::read(path))?);
                hasher.update(format!("{length} {changed:?}").as_bytes());
            } else {
                hasher.update_reader(file).map_err(ImportError::read(path))?;
            }
            hasher.update(b"\0");
        }
        let is_as_before = self.stamps()? == self.before;
        Ok(if is_as_before { hasher.finalize().to_hex().to_string() } else { String::new() })
    }

    fn stamps(&self) -> Result<Vec<Stamp>, ImportError> {
        self.files.iter().map(|path| path.metadata().map(|m| stamp(&m)).map_err(ImportError::read(path))).collect()
    }
}

fn stamp(metadata: &Metadata) -> Stamp {
    (metadata.len(), metadata.modified().ok())
}
