//! Open files, which all threads share: opened at first use and again after a switch.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::time::SystemTime;

use shingle_domain::State;

use super::block::Dictionaries;
use super::connections::PageCache;
use super::directory::{Directory, MAX_HOMES};
use super::found_homes::FoundHomes;
use super::manifest::{Manifest, shard_path};
use super::reader::{Reader, Readers};
use super::shard::ShardReader;
use super::summary::{DatasetStatus, IndexStatus, StateSummary, TownsOfState};
use crate::error::PropertyError;

pub(crate) struct SharedIndex {
    root: PathBuf,
    loaded: RwLock<Loaded>,
}

#[derive(Clone)]
struct Loaded {
    stamp: Option<ManifestStamp>,
    snapshot: Arc<Snapshot>,
    problem: Option<Problem>,
}

/// A manifest that cannot be read is read once: every look-up would wait while it is read again.
#[derive(Clone)]
struct Problem {
    stamp: Option<ManifestStamp>,
    text: String,
}

/// Tells one manifest file from the next without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ManifestStamp {
    changed: Option<SystemTime>,
    len: u64,
    inode: u64,
}

/// One version of the index.
pub(crate) struct Snapshot {
    manifest: Manifest,
    files: Vec<ShardFile>,
    dictionaries: Dictionaries,
    pub found_homes: FoundHomes,
    /// Of the states that were asked for.
    pub towns: Mutex<HashMap<State, Arc<TownsOfState>>>,
    directory: Mutex<Option<Arc<Directory>>>,
    /// Of the states that were asked for, and of all.
    opened: Mutex<HashMap<Option<State>, Arc<Readers>>>,
}

struct ShardFile {
    path: PathBuf,
    state: State,
    imported: u64,
    national: bool,
    places: u64,
    bytes: u64,
    /// Once it is open.
    shard: OnceLock<Arc<ShardReader>>,
}

impl ShardFile {
    fn open(&self, dictionaries: &Dictionaries, cache: PageCache) -> Result<Arc<ShardReader>, PropertyError> {
        if let Some(open) = self.shard.get() {
            return Ok(open.clone());
        }
        let opened = Arc::new(ShardReader::open(&self.path, self.bytes, dictionaries, cache)?);
        // Of two threads that open it at once, one wins.
        Ok(self.shard.get_or_init(|| opened).clone())
    }
}

impl SharedIndex {
    pub(crate) fn open(root: &Path) -> Result<Self, PropertyError> {
        let stamp = stamp(root)?;
        let snapshot = Arc::new(Snapshot::read(root)?);
        Ok(Self { root: root.to_owned(), loaded: RwLock::new(Loaded { stamp, snapshot, problem: None }) })
    }

    /// The snapshot to serve: the newest one that can be read.
    fn current(&self) -> Loaded {
        let now = stamp(&self.root);
        {
            let loaded = self.loaded.read().unwrap_or_else(PoisonError::into_inner);
            if now.as_ref().is_ok_and(|now| loaded.is_of(*now)) {
                return loaded.clone();
            }
        }
        let mut loaded = self.loaded.write().unwrap_or_else(PoisonError::into_inner);
        // A reader that waited for another one has it now.
        if now.as_ref().is_ok_and(|now| loaded.is_of(*now)) {
            return loaded.clone();
        }
        // The files of the version before are still there: they are served, and callers learn of the problem.
        match now {
            Ok(now) => match Snapshot::read(&self.root) {
                Ok(snapshot) => *loaded = Loaded { stamp: now, snapshot: Arc::new(snapshot), problem: None },
                Err(e) => loaded.problem = Some(Problem { stamp: now, text: e.to_string() }),
            },
            Err(e) => loaded.problem = Some(Problem { stamp: loaded.stamp, text: e.to_string() }),
        }
        loaded.clone()
    }

    /// The newest version that can be read.
    pub(crate) fn newest(&self) -> Arc<Snapshot> {
        self.current().snapshot
    }

    /// Readers of a state's files, or of all.
    pub(crate) fn readers(&self, state: Option<State>) -> Result<Arc<Readers>, PropertyError> {
        self.readers_of(&self.newest(), state)
    }

    /// Those of a version that was the newest a moment ago.
    pub(crate) fn readers_of(&self, snapshot: &Snapshot, state: Option<State>) -> Result<Arc<Readers>, PropertyError> {
        match snapshot.open_files(state) {
            // Two switches since the snapshot was taken: its files are gone, newer ones are there.
            Err(PropertyError::Read { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
                self.newest().open_files(state)
            }
            other => other,
        }
    }

    /// What a search needs of all files of the newest version: made at its first search, for which others wait.
    pub(crate) fn directory(&self) -> Result<Arc<Directory>, PropertyError> {
        let version = self.newest();
        let mut known = version.directory.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(directory) = &*known {
            return Ok(directory.clone());
        }
        let directory = Arc::new(Directory::read(self.readers_of(&version, None)?, MAX_HOMES)?);
        *known = Some(directory.clone());
        Ok(directory)
    }

    pub(crate) fn status(&self) -> IndexStatus {
        let loaded = self.current();
        let datasets = loaded.snapshot.manifest.datasets.iter().map(|d| DatasetStatus {
            name: d.name.clone(),
            version: d.current.version,
            states: d
                .current
                .shards
                .iter()
                .map(|s| StateSummary { state: s.state.clone(), places: s.places, streets: s.streets, bytes: s.bytes })
                .collect(),
        });
        IndexStatus {
            generation: loaded.snapshot.manifest.generation,
            datasets: datasets.collect(),
            problem: loaded.problem.map(|problem| problem.text),
        }
    }
}

impl Loaded {
    /// Whether this is what follows from the manifest with this stamp.
    fn is_of(&self, stamp: Option<ManifestStamp>) -> bool {
        self.problem.as_ref().map_or(self.stamp, |problem| problem.stamp) == stamp
    }
}

impl Snapshot {
    fn open_files(&self, state: Option<State>) -> Result<Arc<Readers>, PropertyError> {
        let opened = || self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(readers) = opened().get(&state) {
            return Ok(readers.clone());
        }
        let readers = match state {
            Some(state) => Readers::of_state(state, self.open_state(state)?),
            None => {
                let states: BTreeSet<State> = self.files.iter().map(|file| file.state).collect();
                let states: Result<Vec<_>, _> = states.into_iter().map(|state| self.open_files(Some(state))).collect();
                Readers::of_states(&states?)
            }
        };
        // Of two threads that open them at once, one wins.
        Ok(opened().entry(state).or_insert_with(|| Arc::new(readers)).clone())
    }

    fn open_state(&self, state: State) -> Result<Vec<Reader>, PropertyError> {
        let cache = PageCache::among(self.files.len());
        let reader = |file: &ShardFile| {
            let ShardFile { state, imported, national, places, .. } = *file;
            Ok(Reader { state, imported, national, places, shard: file.open(&self.dictionaries, cache)? })
        };
        self.files.iter().filter(|file| file.state == state).map(reader).collect()
    }

    fn read(root: &Path) -> Result<Self, PropertyError> {
        let manifest = Manifest::read(root)?;
        let mut files = Vec::new();
        for dataset in &manifest.datasets {
            for shard in &dataset.current.shards {
                let path = shard_path(root, &dataset.name, dataset.current.version, &shard.state);
                if let Some(state) = State::parse(&shard.state) {
                    let (imported, national) = (dataset.current.imported, dataset.current.national);
                    let (places, bytes, shard) = (shard.places, shard.bytes, OnceLock::new());
                    files.push(ShardFile { path, state, imported, national, places, bytes, shard });
                }
            }
        }
        Ok(Self {
            manifest,
            files,
            dictionaries: Dictionaries::default(),
            found_homes: FoundHomes::new(),
            towns: Mutex::default(),
            directory: Mutex::default(),
            opened: Mutex::default(),
        })
    }
}

fn stamp(root: &Path) -> Result<Option<ManifestStamp>, PropertyError> {
    let path = Manifest::path(root);
    match std::fs::metadata(&path) {
        Ok(meta) => Ok(Some(ManifestStamp { changed: meta.modified().ok(), len: meta.len(), inode: inode(&meta) })),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(PropertyError::read(&path)(e)),
    }
}

#[cfg(unix)]
fn inode(meta: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(meta)
}

#[cfg(not(unix))]
fn inode(_: &std::fs::Metadata) -> u64 {
    0
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;
    use crate::index::manifest::FORMAT;

    #[test]
    fn a_manifest_that_cannot_be_read_is_read_once() {
        let root = tempfile::tempdir().unwrap();
        let path = Manifest::path(root.path());
        let good = format!(r#"{{"format":{FORMAT},"generation":1,"datasets":[]}}"#);
        let bad = good.replace(']', "}");
        let write = |text: &str, second: u64| {
            std::fs::write(&path, text).unwrap();
            let time = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(second);
            File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
        };
        write(&good, 1);
        let index = SharedIndex::open(root.path()).unwrap();
        assert!(index.current().problem.is_none());
        write(&bad, 2);
        assert!(index.current().problem.is_some());
        // Nothing says that the file is another one, so it is not looked into.
        write(&good, 2);
        assert!(index.current().problem.is_some());
        write(&good, 3);
        assert!(index.current().problem.is_none());
        // The one before comes back as it was.
        write(&bad, 4);
        assert!(index.current().problem.is_some());
        write(&good, 3);
        assert!(index.current().problem.is_none());
    }
}
