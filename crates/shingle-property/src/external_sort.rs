//! Sorting more than fits in memory: full buffers go to disk as sorted runs, and the runs are merged.
//!
//! Each sorter keeps its own buffer and writes its own entries. What all of them share is here: the files of the runs,
//! how an entry is found at the end of a file, and the merge.

use std::cmp::Ordering;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::error::PropertyError;

/// More runs are first merged into longer ones, so that few files are open.
const MAX_RUNS: usize = 48;

/// The files of the runs of one sorter.
pub(crate) struct RunFiles {
    folder: PathBuf,
    name: &'static str,
    paths: Vec<PathBuf>,
    written: usize,
}

impl RunFiles {
    pub(crate) fn new(folder: &Path, name: &'static str) -> Self {
        Self { folder: folder.to_owned(), name, paths: Vec::new(), written: 0 }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The runs in the order in which they were written.
    pub(crate) fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Writes one more run.
    pub(crate) fn write(
        &mut self,
        write: impl FnOnce(&Path) -> Result<(), PropertyError>,
    ) -> Result<(), PropertyError> {
        self.written += 1;
        let path = self.folder.join(format!("{}-{}.run", self.name, self.written));
        write(&path)?;
        self.paths.push(path);
        Ok(())
    }

    /// Merges all runs into one when there are too many of them. `merge` reads the old runs and writes the new one.
    pub(crate) fn compact(
        &mut self,
        merge: impl FnOnce(&[PathBuf], &Path) -> Result<(), PropertyError>,
    ) -> Result<(), PropertyError> {
        if self.paths.len() < MAX_RUNS {
            return Ok(());
        }
        let old = std::mem::take(&mut self.paths);
        self.write(|path| merge(&old, path))?;
        for run in old {
            fs::remove_file(&run).map_err(PropertyError::write(&run))?;
        }
        Ok(())
    }

    #[cfg(test)]
    pub(crate) fn was_compacted(&self) -> bool {
        self.written > MAX_RUNS && self.paths.len() < MAX_RUNS
    }
}

/// Reads a run from its file.
pub fn open_run(path: &Path) -> io::Result<BufReader<File>> {
    Ok(BufReader::with_capacity(1 << 16, File::open(path)?))
}

/// Fills `head` with the first bytes of the next entry; `false` at the end of the run. A run that ends within an entry
/// is an error.
pub fn read_head(run: &mut impl Read, head: &mut [u8]) -> io::Result<bool> {
    let (first, rest) = head.split_at_mut(1);
    if run.read(first)? == 0 {
        return Ok(false);
    }
    run.read_exact(rest)?;
    Ok(true)
}

/// Entries that come in order, one at a time.
pub trait SortedRun {
    type Error;

    /// Moves to the next entry; `false` at the end.
    fn advance(&mut self) -> Result<bool, Self::Error>;

    /// Compares the current entries of two runs.
    fn compare(&self, other: &Self) -> Ordering;
}

/// The k-way merge of sorted runs. Equal entries come in the order of their runs.
pub struct Merge<R> {
    runs: Vec<R>,
    /// A heap of the runs that are not at their end: the run with the smallest entry is first.
    heap: Vec<usize>,
    /// Whether the first run's entry was given to the caller.
    is_given: bool,
}

impl<R: SortedRun> Merge<R> {
    pub fn open(mut runs: Vec<R>) -> Result<Self, R::Error> {
        let mut heap = Vec::with_capacity(runs.len());
        for (at, run) in runs.iter_mut().enumerate() {
            if run.advance()? {
                heap.push(at);
            }
        }
        let mut merge = Self { runs, heap, is_given: false };
        for at in (0..merge.heap.len() / 2).rev() {
            merge.sift_down(at);
        }
        Ok(merge)
    }

    /// The run with the next entry. The entry is current until the next call.
    #[allow(clippy::should_implement_trait, reason = "an iterator cannot lend what it holds")]
    pub fn next(&mut self) -> Result<Option<&mut R>, R::Error> {
        if self.is_given
            && let Some(&first) = self.heap.first()
        {
            if !self.runs[first].advance()? {
                self.heap.swap_remove(0);
            }
            self.sift_down(0);
        }
        self.is_given = true;
        Ok(self.heap.first().map(|first| &mut self.runs[*first]))
    }

    pub fn runs_mut(&mut self) -> &mut [R] {
        &mut self.runs
    }

    fn comes_before(&self, a: usize, b: usize) -> bool {
        let (a, b) = (self.heap[a], self.heap[b]);
        self.runs[a].compare(&self.runs[b]).then(a.cmp(&b)).is_lt()
    }

    fn sift_down(&mut self, mut at: usize) {
        loop {
            let (left, right) = (2 * at + 1, 2 * at + 2);
            let mut least = at;
            for child in [left, right] {
                if child < self.heap.len() && self.comes_before(child, least) {
                    least = child;
                }
            }
            if least == at {
                return;
            }
            self.heap.swap(at, least);
            at = least;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Numbers {
        rest: std::vec::IntoIter<u32>,
        at: u32,
        run: usize,
    }

    impl SortedRun for Numbers {
        type Error = ();

        fn advance(&mut self) -> Result<bool, ()> {
            let next = self.rest.next();
            self.at = next.unwrap_or(self.at);
            Ok(next.is_some())
        }

        fn compare(&self, other: &Self) -> Ordering {
            self.at.cmp(&other.at)
        }
    }

    #[test]
    fn runs_of_any_length_are_merged_and_equal_entries_keep_the_order_of_their_runs() {
        let lists: Vec<Vec<u32>> =
            (0..7).map(|run| (0..run * 13 % 29).map(|n| n * (run + 1) % 5 + n).collect()).collect();
        let mut expected = Vec::new();
        let mut runs = Vec::new();
        for (run, mut list) in lists.into_iter().enumerate() {
            list.sort_unstable();
            expected.extend(list.iter().map(|n| (*n, run)));
            runs.push(Numbers { rest: list.into_iter(), at: 0, run });
        }
        expected.sort_unstable();
        let mut merge = Merge::open(runs).unwrap();
        let mut found = Vec::new();
        while let Some(run) = merge.next().unwrap() {
            found.push((run.at, run.run));
        }
        assert!(expected.len() > 50);
        assert_eq!(found, expected);
        assert!(merge.next().unwrap().is_none());
    }

    #[test]
    fn a_run_that_ends_within_an_entry_is_an_error() {
        let mut head = [0; 4];
        assert!(!read_head(&mut [].as_slice(), &mut head).unwrap());
        assert!(read_head(&mut [1, 2, 3, 4].as_slice(), &mut head).unwrap());
        assert!(read_head(&mut [1, 2].as_slice(), &mut head).is_err());
    }
}
