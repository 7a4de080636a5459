//! The folder of all imports, and which of them is being worked on.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use shingle_domain::Timestamp;
use shingle_domain::cold_sort::ColdSort as _;
use tokio::sync::Notify;

use super::record::{self, ImportId, ImportRecord, Stage};
use super::tables::tables;

/// How long a file waits to be imported.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3_600);
/// Imports that are listed; the oldest are deleted.
const MAX_RECORDS: usize = 100;
/// Files that wait at one time.
pub const MAX_WAITING: usize = 10;

/// How far the work is. The thread that works writes it, pages read it.
#[derive(Debug, Default)]
pub struct RowsRead {
    pub(super) rows: AtomicU64,
    /// 0: the files do not say.
    pub(super) total: AtomicU64,
    stops: AtomicBool,
}

impl RowsRead {
    pub fn rows(&self) -> u64 {
        self.rows.load(Ordering::Relaxed)
    }

    pub fn total(&self) -> Option<u64> {
        Some(self.total.load(Ordering::Relaxed)).filter(|total| *total > 0)
    }

    pub fn is_stopping(&self) -> bool {
        self.stops.load(Ordering::Relaxed)
    }
}

pub(super) struct Running {
    pub id: ImportId,
    pub read: Arc<RowsRead>,
}

/// The imports of this server.
pub struct Imports {
    folder: PathBuf,
    /// Of the index that they go into.
    pub(super) index: PathBuf,
    running: Mutex<Option<Running>>,
    /// Told whenever the work ends.
    pub(super) ended: Notify,
}

impl Imports {
    /// An import cut off by the end of a server is reported as such; what was left of an upload goes.
    pub fn open(data: &Path, index: PathBuf) -> Self {
        let imports = Self { folder: data.join("imports"), index, running: Mutex::new(None), ended: Notify::default() };
        for folder in imports.folders() {
            match ImportRecord::read(&folder) {
                Some(record) if record.stage.is_working() => {
                    let stage = if record.stage == Stage::Importing { Stage::CutOff } else { Stage::Ready };
                    if let Err(error) = (ImportRecord { stage, ..record }).write(&folder) {
                        tracing::warn!(%error, "an import that was cut off could not be marked");
                    }
                }
                Some(_) => {}
                None => remove(&folder),
            }
        }
        imports
    }

    fn folders(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
    }

    pub(super) fn folder_of(&self, id: ImportId) -> PathBuf {
        self.folder.join(id.to_string())
    }

    /// Newest first.
    pub fn list(&self) -> Vec<ImportRecord> {
        let mut records: Vec<_> = self.folders().iter().filter_map(|folder| ImportRecord::read(folder)).collect();
        records.cold_sort_by_key(|record| std::cmp::Reverse((record.begun_at, record.id.to_string())));
        records
    }

    pub fn find(&self, id: ImportId) -> Option<ImportRecord> {
        ImportRecord::read(&self.folder_of(id))
    }

    pub fn mapping(&self, id: ImportId) -> String {
        std::fs::read_to_string(self.folder_of(id).join("mapping.toml")).unwrap_or_default()
    }

    /// A mapping that was corrected: what a check said of the one before is not true of it.
    pub fn set_mapping(&self, id: ImportId, text: &str) -> std::io::Result<()> {
        let folder = self.folder_of(id);
        record::replace(&folder.join("mapping.toml"), text.as_bytes())?;
        if let Some(record) = ImportRecord::read(&folder) {
            ImportRecord { checked: None, unproposed: None, stage: Stage::Ready, ..record }.write(&folder)?;
        }
        Ok(())
    }

    /// The uploaded files, in the order of their names.
    pub fn files(&self, id: ImportId) -> Vec<PathBuf> {
        tables(&self.folder_of(id).join("files"))
    }

    pub fn rejects(&self, id: ImportId) -> PathBuf {
        self.folder_of(id).join("rejected.csv")
    }

    pub(super) fn running(&self) -> std::sync::MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How far it is, where it is being worked on.
    pub fn progress(&self, id: ImportId) -> Option<Arc<RowsRead>> {
        self.running().as_ref().filter(|running| running.id == id).map(|running| running.read.clone())
    }

    pub fn is_busy(&self) -> bool {
        self.running().is_some()
    }

    /// Asks the work to end. It does at the next rows.
    pub fn stop(&self, id: ImportId) {
        if let Some(read) = self.progress(id) {
            read.stops.store(true, Ordering::Relaxed);
        }
    }

    /// Waits until nothing of this import is being worked on, and so long at most.
    pub async fn ended(&self, id: ImportId, patience: Duration) {
        let waiting = async {
            loop {
                let notified = self.ended.notified();
                if self.progress(id).is_none() {
                    return;
                }
                notified.await;
            }
        };
        // Without waiting, the progress is shown.
        let _: Result<(), _> = tokio::time::timeout(patience, waiting).await;
    }

    /// Deletes everything of an import but what it brought into the index. `false`: it is being worked on.
    pub fn forget(&self, record: &ImportRecord) -> bool {
        if self.progress(record.id).is_some() {
            return false;
        }
        if let (Stage::CutOff | Stage::Shrinks { .. }, Some(dataset)) = (&record.stage, &record.dataset)
            && let Err(error) = shingle_import::discard(&self.index, dataset)
        {
            tracing::warn!(%error, "what an import had done could not be deleted");
        }
        remove(&self.folder_of(record.id));
        true
    }

    /// What nobody imported within a week, and all but the newest hundred.
    pub fn tidy(&self, now: Timestamp) {
        for (at, record) in self.list().into_iter().enumerate() {
            let waits = !matches!(record.stage, Stage::Done(_) | Stage::Undone);
            if at >= MAX_RECORDS || (waits && record.begun_at < now - KEPT) {
                self.forget(&record);
            }
        }
    }

    /// Takes back what an import brought. `false`: another import has changed the data set since.
    pub fn undo(&self, record: &ImportRecord) -> Result<bool, shingle_property::PropertyError> {
        let (Stage::Done(done), Some(dataset)) = (&record.stage, &record.dataset) else { return Ok(false) };
        let is_undone = shingle_property::undo_import(&self.index, dataset, done.version)?;
        if is_undone
            && let Err(error) =
                (ImportRecord { stage: Stage::Undone, ..record.clone() }).write(&self.folder_of(record.id))
        {
            tracing::warn!(%error, "that an import was taken back could not be written down");
        }
        Ok(is_undone)
    }
}

pub fn remove(folder: &Path) {
    if let Err(error) = std::fs::remove_dir_all(folder) {
        tracing::warn!(%error, folder = %folder.display(), "what was left of an upload could not be deleted");
    }
}
