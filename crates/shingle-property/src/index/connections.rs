//! The connections to one file. All threads share them: an index of every state has hundreds of files, and a search for an
//! address reads all of them.
//!
//! # Decision
//!
//! All threads share one pool with at most two idle connections per file. Turned down: a pool per thread, which took
//! 800 file handles for 50 states. The page caches of all files share one bound: a megabyte each took 300 MB in a nation of
//! 150 files, and a look-up found little more in it.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::error::PropertyError;

/// That stay open while nobody reads. More are opened when several threads read at the same moment.
const MAX_IDLE: usize = 2;
/// For a connection to come back, where the file itself is gone.
const MAX_WAIT: Duration = Duration::from_secs(1);
/// Page caches of all idle connections of an index together, and of one connection, in KiB.
const CACHES_KIB: usize = 64 << 10;
const CACHE_KIB: std::ops::RangeInclusive<usize> = 16..=1_024;

/// The page cache of each connection to one of several files.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PageCache {
    kib: usize,
}

impl PageCache {
    pub(crate) fn among(files: usize) -> Self {
        let share = CACHES_KIB / (files.max(1) * MAX_IDLE);
        Self { kib: share.clamp(*CACHE_KIB.start(), *CACHE_KIB.end()) }
    }
}

pub(super) struct Connections {
    path: PathBuf,
    cache: PageCache,
    idle: Mutex<Vec<Connection>>,
    returned: Condvar,
}

/// One of them, which goes back when dropped.
pub(super) struct Lease<'c> {
    owner: &'c Connections,
    connection: Option<Connection>,
}

impl Connections {
    /// Opens the first, so that a damaged file is known at once, and one that is deleted can still be read.
    pub fn open(path: &Path, cache: PageCache) -> Result<Self, PropertyError> {
        let first = connect(path, cache)?;
        Ok(Self { path: path.to_owned(), cache, idle: Mutex::new(vec![first]), returned: Condvar::new() })
    }

    pub fn lease(&self) -> Result<Lease<'_>, PropertyError> {
        // Not while it is locked: opening takes longer than reading.
        let idle = self.idle().pop();
        let connection = match idle {
            Some(connection) => connection,
            None if self.path.exists() => connect(&self.path, self.cache)?,
            None => self.wait()?,
        };
        Ok(Lease { owner: self, connection: Some(connection) })
    }

    /// For another thread's: the file was replaced while this one began to read.
    fn wait(&self) -> Result<Connection, PropertyError> {
        let waiting = self.returned.wait_timeout_while(self.idle(), MAX_WAIT, |idle| idle.is_empty());
        let (mut idle, _) = waiting.unwrap_or_else(PoisonError::into_inner);
        idle.pop().ok_or_else(|| PropertyError::read(&self.path)(std::io::ErrorKind::NotFound.into()))
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Deref for Lease<'_> {
    type Target = Connection;

    #[expect(clippy::expect_used, reason = "it is there until the lease is dropped")]
    fn deref(&self) -> &Connection {
        self.connection.as_ref().expect("a lease has its connection")
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        let mut idle = self.owner.idle();
        if idle.len() < MAX_IDLE {
            idle.push(connection);
            self.owner.returned.notify_one();
        }
    }
}

fn connect(path: &Path, cache: PageCache) -> Result<Connection, PropertyError> {
    let damaged = |e: rusqlite::Error| PropertyError::damaged(path, e);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    // Immutable: no locks and no look at the file's change counter. No memory map either: a file cut short
    // under a map kills the process, under reads it is an error.
    let connection = Connection::open_with_flags(immutable_uri(path), flags).map_err(damaged)?;
    connection.pragma_update(None, "cache_size", -(cache.kib as i64)).map_err(damaged)?;
    // The file does not change: one transaction for all that is ever read, where each statement would begin and end its own.
    connection.execute_batch("BEGIN").map_err(damaged)?;
    Ok(connection)
}

fn immutable_uri(path: &Path) -> String {
    let mut uri = String::from("file:");
    for c in path.to_string_lossy().chars() {
        match c {
            '%' => uri.push_str("%25"),
            '?' => uri.push_str("%3f"),
            '#' => uri.push_str("%23"),
            c => uri.push(c),
        }
    }
    uri.push_str("?immutable=1");
    uri
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use crate::PropertyIndex;
    use crate::index::tests::{build, index_of, place_in};
    use crate::reference::Reference;

    const STATES: [&str; 12] = ["AL", "AR", "CA", "CO", "FL", "GA", "IA", "ID", "IL", "MA", "ME", "VT"];
    const THREADS: usize = 8;

    /// Files below a folder that this process has open.
    #[cfg(target_os = "linux")]
    fn open_files(below: &std::path::Path) -> usize {
        let links = std::fs::read_dir("/proc/self/fd").unwrap().flatten();
        links.filter_map(|link| std::fs::read_link(link.path()).ok()).filter(|to| to.starts_with(below)).count()
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn all_threads_share_the_files_of_all_states() {
        let (root, index) = index_of(STATES.map(|state| place_in("14", "Alder Court", "Springfield", state, "04999")));
        let met = Barrier::new(THREADS + 1);
        std::thread::scope(|threads| {
            for _ in 0..THREADS {
                threads.spawn(|| {
                    for _ in 0..20 {
                        assert_eq!(index.suggest("14 alder", 50).unwrap().len(), STATES.len());
                    }
                    met.wait();
                    met.wait();
                });
            }
            met.wait();
            let open = open_files(root.path());
            met.wait();
            // Besides the connections, what reads the rows of its homes holds each file open.
            let each = 2..=1 + super::MAX_IDLE;
            let all = STATES.len() * each.start()..=STATES.len() * each.end();
            assert!(all.contains(&open), "{open} files are open");
        });
        drop(index);
        assert_eq!(open_files(root.path()), 0);
    }

    #[test]
    fn threads_read_a_file_that_is_gone_with_the_connections_that_there_are() {
        let root = tempfile::tempdir().unwrap();
        build(root.path(), "test", [place_in("14", "Alder Court", "Bath", "ME", "04999")]);
        let index = PropertyIndex::open(root.path(), Reference::built_in()).unwrap();
        let directory = index.directory().unwrap();
        std::fs::remove_file(&directory.readers[0].shard.path).unwrap();
        std::thread::scope(|threads| {
            for _ in 0..THREADS {
                threads.spawn(|| {
                    for _ in 0..20 {
                        assert_eq!(crate::suggest::suggest(&directory, "14 alder", 5).unwrap().len(), 1);
                    }
                });
            }
        });
    }

    #[test]
    fn the_page_caches_of_a_nation_share_one_bound() {
        for files in [1, 32, 150, 1_000, 2_048] {
            let caches = super::PageCache::among(files).kib * files * super::MAX_IDLE;
            assert!(caches <= super::CACHES_KIB, "{files} files have {caches} KiB");
        }
        assert_eq!(super::PageCache::among(1).kib, *super::CACHE_KIB.end());
        assert_eq!(super::PageCache::among(100_000).kib, *super::CACHE_KIB.start());
    }
}
