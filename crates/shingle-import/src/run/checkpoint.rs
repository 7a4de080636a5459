//! The progress of an interrupted import, so that it can be resumed.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::ImportError;
use crate::format::server_answer::DownloadedFile;
use crate::note::Note;
use crate::row::reason::Reasons;
use crate::row::stats::ImportStats;

/// Raised with every change of what runs hold.
const FORMAT: u32 = 1;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Checkpoint {
    pub format: u32,
    /// Of the files' bytes and the mapping's text; empty before the first checkpoint.
    pub fingerprint: String,
    /// The file being read, and the rows of it that are done.
    pub file: u16,
    pub file_rows: u64,
    pub rows_read: u64,
    pub rejected: u64,
    /// Rows that the mapping has no use for.
    pub skipped: u64,
    pub reasons: Reasons,
    /// Bytes of the rejects file that belong to the rows done.
    pub side_file: u64,
    pub stats: ImportStats,
    pub runs: Vec<String>,
    pub notes: Vec<Note>,
    /// Files that were read, each with what it is.
    pub downloads: Vec<(String, DownloadedFile)>,
}

/// The folder of an import in progress, beside the index. One process holds its lock.
pub(crate) struct ImportWorkdir {
    folder: PathBuf,
    _lock: File,
}

impl ImportWorkdir {
    pub fn open(into: &Path, dataset: &str) -> Result<Self, ImportError> {
        let folder = into.join(format!(".importing-{dataset}"));
        fs::create_dir_all(&folder).map_err(ImportError::write(&folder))?;
        let path = folder.join("lock");
        let lock = File::create(&path).map_err(ImportError::write(&path))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { folder, _lock: lock }),
            Err(fs::TryLockError::WouldBlock) => Err(ImportError::Busy { path: folder }),
            Err(fs::TryLockError::Error(e)) => Err(ImportError::write(&path)(e)),
        }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn side_file(&self) -> PathBuf {
        self.folder.join("rejected.csv")
    }

    fn path(&self) -> PathBuf {
        self.folder.join("checkpoint.json")
    }

    /// The state to resume from: the one on disk if it belongs to these files and this mapping, else a new one.
    /// Leftovers that cannot be used are removed. The fingerprint is taken only where it is needed.
    pub fn resume(&self, fingerprint: impl FnOnce() -> Result<String, ImportError>) -> Result<Checkpoint, ImportError> {
        let found = fs::read(self.path()).ok().and_then(|b| serde_json::from_slice::<Checkpoint>(&b).ok());
        let found = found.filter(|c| {
            let whole = |name: &String| self.folder.join(name).is_file();
            let side = fs::metadata(self.side_file()).map_or(0, |m| m.len());
            c.format == FORMAT && c.runs.iter().all(whole) && side >= c.side_file
        });
        let usable = match found {
            Some(c) if !c.fingerprint.is_empty() && c.fingerprint == fingerprint()? => Some(c),
            _ => None,
        };
        let state = usable.unwrap_or_else(|| Checkpoint { format: FORMAT, ..Checkpoint::default() });
        let kept = |name: &str| {
            name == "lock"
                || (state.rows_read > 0 && (name == "checkpoint.json" || name == "rejected.csv"))
                || state.runs.iter().any(|r| r == name)
        };
        for entry in fs::read_dir(&self.folder).map_err(ImportError::read(&self.folder))? {
            let entry = entry.map_err(ImportError::read(&self.folder))?;
            if !entry.file_name().to_str().is_some_and(kept) {
                fs::remove_file(entry.path()).map_err(ImportError::write(&entry.path()))?;
            }
        }
        Ok(state)
    }

    pub fn save(&self, state: &Checkpoint) -> Result<(), ImportError> {
        let (path, new) = (self.path(), self.folder.join("checkpoint.new"));
        let text = serde_json::to_vec(state).map_err(|e| ImportError::write(&path)(e.into()))?;
        let write = || {
            let mut file = File::create(&new)?;
            file.write_all(&text)?;
            file.sync_data()?;
            fs::rename(&new, &path)
        };
        write().map_err(ImportError::write(&path))
    }

    /// Removes the folder: only the result of the import stays.
    pub fn clear(self) -> Result<(), ImportError> {
        let Self { folder, _lock } = self;
        fs::remove_dir_all(&folder).map_err(ImportError::write(&folder))
    }
}

/// Deletes what an import of this data set has done that was cut off and will not go on.
pub fn discard(into: &Path, dataset: &str) -> Result<(), ImportError> {
    let is_name = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    if !dataset.bytes().all(is_name) || !into.join(format!(".importing-{dataset}")).is_dir() {
        return Ok(());
    }
    ImportWorkdir::open(into, dataset)?.clear()
}
