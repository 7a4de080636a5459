//! Open files: each thread has its own connections, opened at first use and again after a switch.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, Weak};
use std::time::SystemTime;

use shingle_domain::State;

use super::manifest::{Manifest, shard_path};
use super::shard::ShardReader;
use super::summary::{DatasetStatus, IndexStatus, StateSummary};
use crate::error::PropertyError;

/// A file of the index open in this thread, with the state it holds.
#[derive(Clone)]
pub(crate) struct Reader {
    pub state: State,
    /// When its data set was imported, in switches of the index.
    pub imported: u64,
    pub shard: Rc<ShardReader>,
}

pub(crate) struct SharedIndex {
    root: PathBuf,
    loaded: RwLock<Loaded>,
}

#[derive(Clone)]
struct Loaded {
    stamp: Option<ManifestStamp>,
    snapshot: Arc<Snapshot>,
    problem: Option<String>,
}

/// Tells one manifest file from the next without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ManifestStamp {
    changed: Option<SystemTime>,
    len: u64,
    inode: u64,
}

struct Snapshot {
    /// Different for every snapshot of this process.
    serial: u64,
    manifest: Manifest,
    files: Vec<ShardFile>,
}

struct ShardFile {
    path: PathBuf,
    state: State,
    imported: u64,
    bytes: u64,
}

static SERIAL: AtomicU64 = AtomicU64::new(0);

struct ThreadFiles {
    owner: Weak<SharedIndex>,
    serial: u64,
    open: Vec<Option<Rc<ShardReader>>>,
}

thread_local! {
    static LOCAL: RefCell<Vec<ThreadFiles>> = const { RefCell::new(Vec::new()) };
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
            if now.as_ref().is_ok_and(|n| *n == loaded.stamp) {
                return loaded.clone();
            }
        }
        let mut loaded = self.loaded.write().unwrap_or_else(PoisonError::into_inner);
        match now.and_then(|now| Ok((now, Snapshot::read(&self.root)?))) {
            Ok((now, snapshot)) => *loaded = Loaded { stamp: now, snapshot: Arc::new(snapshot), problem: None },
            // The files of the version before are still there: serve them, and say so when asked.
            Err(e) => loaded.problem = Some(e.to_string()),
        }
        loaded.clone()
    }

    /// This thread's readers of a state's files, or of all.
    pub(crate) fn readers(self: &Arc<Self>, state: Option<State>) -> Result<Vec<Reader>, PropertyError> {
        let snapshot = self.current().snapshot;
        match self.open_files(&snapshot, state) {
            // Two switches since the snapshot was taken: its files are gone, newer ones are there.
            Err(PropertyError::Read { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
                self.open_files(&self.current().snapshot, state)
            }
            other => other,
        }
    }

    fn open_files(self: &Arc<Self>, snapshot: &Snapshot, state: Option<State>) -> Result<Vec<Reader>, PropertyError> {
        LOCAL.with_borrow_mut(|locals| {
            let mine = |l: &ThreadFiles| std::ptr::eq(l.owner.as_ptr(), Arc::as_ptr(self));
            if !locals.iter().any(|l| mine(l) && l.serial == snapshot.serial) {
                locals.retain(|l| l.owner.strong_count() > 0 && !mine(l));
                let open = snapshot.files.iter().map(|_| None).collect();
                locals.push(ThreadFiles { owner: Arc::downgrade(self), serial: snapshot.serial, open });
            }
            let mut readers = Vec::new();
            let Some(local) = locals.iter_mut().find(|l| mine(l)) else { return Ok(readers) };
            for (file, slot) in snapshot.files.iter().zip(&mut local.open) {
                if state.is_some_and(|s| s != file.state) {
                    continue;
                }
                let shard = match slot {
                    Some(open) => Rc::clone(open),
                    None => Rc::clone(slot.insert(Rc::new(ShardReader::open(&file.path, file.bytes)?))),
                };
                readers.push(Reader { state: file.state, imported: file.imported, shard });
            }
            Ok(readers)
        })
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
            problem: loaded.problem,
        }
    }
}

impl Snapshot {
    fn read(root: &Path) -> Result<Self, PropertyError> {
        let manifest = Manifest::read(root)?;
        let mut files = Vec::new();
        for dataset in &manifest.datasets {
            for shard in &dataset.current.shards {
                let path = shard_path(root, &dataset.name, dataset.current.version, &shard.state);
                if let Some(state) = State::parse(&shard.state) {
                    files.push(ShardFile { path, state, imported: dataset.current.imported, bytes: shard.bytes });
                }
            }
        }
        Ok(Self { serial: SERIAL.fetch_add(1, Ordering::Relaxed), manifest, files })
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
