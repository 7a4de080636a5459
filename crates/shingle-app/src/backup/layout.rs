//! Where the parts of an installation lie, on this machine and in an archive.

use shingle_domain::cold_sort::ColdSort as _;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use shingle_backup::{ArchiveError, FileName};
use shingle_store::Engine;

use crate::aerial;
use crate::bucket::StoragePlace;
use crate::installation::{BACKUPS, Installation, UNFINISHED};
use crate::operator_error::OperatorError;

pub(super) const SQLITE: &str = "database.sqlite";
pub(super) const POSTGRES: &str = "database.pgdump";
pub(super) const SECRET: &str = "secret";
pub(super) const SETTINGS: &str = "shingle.toml";
/// Folders of the archive.
pub(super) const DATA: &str = "data";
pub(super) const STORAGE: &str = "storage";
pub(super) const PROPERTY: &str = "property";
/// Below the data folder: what is made again, or fetched again.
const MADE_AGAIN: [&str; 2] = ["sample-town", "acme"];
/// Below the data folder: why the last backup failed that the server took.
pub(super) const FAILED: &str = ".backup-failed.json";
/// Below the data folder, while a restore runs.
pub(super) const RESTORING: &str = ".restoring";

pub(super) struct Layout {
    pub data: PathBuf,
    pub storage: StoragePlace,
    pub property: PathBuf,
    pub secret: PathBuf,
    /// Of a database in a file.
    pub sqlite: Option<PathBuf>,
    pub engine: Engine,
}

impl Layout {
    pub(super) fn of(context: &Installation) -> Result<Self, OperatorError> {
        let (settings, database) = (&context.settings, context.database());
        let engine = shingle_store::engine_of(&database)?;
        Ok(Self {
            data: settings.data.clone(),
            storage: StoragePlace::of(settings)?,
            property: settings.property(),
            secret: settings.secret_file(),
            sqlite: database.strip_prefix("sqlite://").map(PathBuf::from),
            engine,
        })
    }

    /// What a backup is made of, as far as it lies on this machine.
    pub(super) fn folders(&self) -> Vec<&PathBuf> {
        [Some(&self.data), self.storage.folder(), Some(&self.property)].into_iter().flatten().collect()
    }

    /// Backups may lie in the data folder's `backups` alone, or each would hold those before it.
    pub(super) fn would_back_up(&self, file: &Path) -> bool {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let Ok(folder) = folder.canonicalize() else { return false };
        let is_below = |root: &Path| root.canonicalize().is_ok_and(|root| folder.starts_with(root));
        self.folders().into_iter().any(|root| is_below(root)) && !is_below(&self.data.join(BACKUPS))
    }

    /// Makes the data folder's own folder of backups, if the file is to go there: an image has no `mkdir`.
    pub(super) fn make_own_folder_of(&self, file: &Path) -> std::io::Result<()> {
        let own = self.data.join(BACKUPS);
        let above = |path: &Path| path.parent().filter(|folder| !folder.as_os_str().is_empty()).map(Path::to_owned);
        let Some(folder) = above(file).filter(|folder| folder.ends_with(BACKUPS)) else { return Ok(()) };
        let holder = above(&folder).unwrap_or_else(|| PathBuf::from("."));
        match (holder.canonicalize(), self.data.canonicalize()) {
            (Ok(holder), Ok(data)) if holder == data => std::fs::create_dir_all(own),
            _ => Ok(()),
        }
    }

    /// Whether what lies in the data folder under this path is in a part of its own, or is not backed up.
    fn is_left_out(&self, path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_top = path.parent() == Some(self.data.as_path());
        let begins_like = |file: &Path| {
            let own = file.file_name().and_then(|name| name.to_str());
            path.parent() == file.parent()
                && own
                    .and_then(|own| name.strip_prefix(own))
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '.']))
        };
        self.storage.folder().is_some_and(|folder| path == folder)
            || path == self.property
            // With its log and its lock, and with a draft of it.
            || self.sqlite.as_deref().is_some_and(begins_like)
            || self.sqlite.as_deref().is_some_and(|file| path == file.with_extension("lock"))
            || begins_like(&self.secret)
            || (is_top && Self::stays_here(name))
            // They are cut again.
            || path == aerial::cuts_folder(&aerial::folder(&self.data))
            || name == "lock"
            || name.ends_with(".new")
    }

    /// At the top of the data folder. Copies of the secret and of the settings would lie open in the archive.
    fn stays_here(name: &str) -> bool {
        MADE_AGAIN.contains(&name)
            || [BACKUPS, RESTORING, UNFINISHED, FAILED].contains(&name)
            || [".clock-", SECRET, SETTINGS].iter().any(|begin| name.starts_with(begin))
            // What Litestream keeps beside the database.
            || name.ends_with("-litestream")
    }

    /// Every file of the data folder that is in no part of its own, with its name in the archive.
    pub(super) fn each_data_file<E: From<ArchiveError>>(
        &self,
        each: impl FnMut(&FileName, &Path) -> Result<(), E>,
    ) -> Result<(), E> {
        each_file(DATA, &self.data, &|path| self.is_left_out(path), each)
    }

    /// Every file of this storage, of which there may be very many.
    pub(super) fn each_stored<E: From<ArchiveError>>(
        storage: &Path,
        each: impl FnMut(&FileName, &Path) -> Result<(), E>,
    ) -> Result<(), E> {
        each_file(STORAGE, storage, &|_| false, each)
    }
}

fn each_file<E: From<ArchiveError>>(
    part: &str,
    root: &Path,
    is_left_out: &dyn Fn(&Path) -> bool,
    mut each: impl FnMut(&FileName, &Path) -> Result<(), E>,
) -> Result<(), E> {
    walk(root, is_left_out, &mut |path| {
        let name = named(part, root, path)?;
        each(&name, path)
    })
}

/// The name of a file of this folder in the archive.
pub(super) fn named(part: &str, root: &Path, path: &Path) -> Result<FileName, ArchiveError> {
    let below = path.strip_prefix(root).unwrap_or(path);
    let words: Option<Vec<&str>> = below.iter().map(|word| word.to_str()).collect();
    let words = words.ok_or_else(|| ArchiveError::FileName { name: path.display().to_string() })?;
    FileName::new(&format!("{part}/{}", words.join("/")))
}

/// Files below a folder, in the order of their names. Where a folder links to is not followed. A folder that cannot be
/// read would be missing in the backup, which therefore fails.
fn walk<E: From<ArchiveError>>(
    folder: &Path,
    is_left_out: &dyn Fn(&Path) -> bool,
    each: &mut dyn FnMut(&Path) -> Result<(), E>,
) -> Result<(), E> {
    let entries = std::fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let entries = match entries {
        Ok(entries) => entries,
        // Nothing of this kind is here, or it was deleted meanwhile.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => {
            return Err(ArchiveError::Read { file: folder.display().to_string(), why: error.to_string() }.into());
        }
    };
    let mut paths: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    paths.cold_sort();
    for path in paths.into_iter().filter(|path| !is_left_out(path)) {
        let is_folder = std::fs::symlink_metadata(&path).is_ok_and(|found| found.is_dir());
        if is_folder {
            walk(&path, is_left_out, each)?;
        } else if path.is_file() {
            each(&path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::installation::SettingFlags;

    #[test]
    fn all_of_the_data_folder_is_taken_but_what_has_a_part_of_its_own_or_is_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path();
        for file in [
            "secret",
            "secret.lock",
            "secret.0a.new",
            "secret~",
            "shingle.toml",
            "shingle.toml.restored",
            ".shingle.db-litestream/generation",
            ".backup-failed.json",
            "shingle.db",
            "shingle.db-wal",
            "shingle.lock",
            "storage/logos/a.png",
            "property/manifest.json",
            "sample-town/x",
            "acme/key",
            "backups/old",
            ".clock-7",
            "areas/a/lock",
            "imports/1/x.new",
            "areas/a/record.json",
            "calibration.json",
            "reference/prices.csv",
            "tomorrow/new-thing",
        ] {
            std::fs::create_dir_all(data.join(file).parent().unwrap()).unwrap();
            std::fs::write(data.join(file), file).unwrap();
        }
        let flags = SettingFlags { data: Some(data.to_owned()), ..SettingFlags::default() };
        let layout = Layout::of(&Installation::read(None, flags).unwrap()).unwrap();
        let mut names = Vec::new();
        let note = |name: &FileName, _: &Path| {
            names.push(name.to_string());
            Ok::<_, ArchiveError>(())
        };
        layout.each_data_file(note).unwrap();
        let taken = ["areas/a/record.json", "calibration.json", "reference/prices.csv", "tomorrow/new-thing"];
        assert_eq!(names, taken.map(|name| format!("data/{name}")));
        let mut stored = Vec::new();
        let note = |name: &FileName, _: &Path| {
            stored.push(name.to_string());
            Ok::<_, ArchiveError>(())
        };
        let storage = layout.storage.folder().unwrap();
        Layout::each_stored(storage, note).unwrap();
        assert_eq!(stored, ["storage/logos/a.png"]);
        // Root may read every folder; nobody may read a file as one.
        std::fs::remove_dir_all(data.join("areas")).unwrap();
        std::fs::remove_dir_all(storage).unwrap();
        std::fs::write(storage, "not a folder").unwrap();
        let unread = Layout::each_stored(storage, |_, _| Ok::<_, ArchiveError>(()));
        assert!(matches!(unread, Err(ArchiveError::Read { .. })), "{unread:?}");
        assert!(layout.would_back_up(&data.join("b.tar.zst")) && layout.would_back_up(&data.join("imports/b")));
        assert!(!layout.would_back_up(&data.join("backups/b")) && !layout.would_back_up(&data.join("../b")));
    }
}
