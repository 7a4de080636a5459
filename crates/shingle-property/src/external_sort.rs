//! Sorting more than fits in memory: full buffers go to disk as sorted runs, and the runs are merged.
//!
//! An entry is a key and a value, both bytes. Entries come back in the order of their keys, byte by byte, and entries of one
//! key in the order in which they were pushed.
//!
//! # Decision
//!
//! One sorter of bytes for everything an import sorts. Turned down: four sorters, each with the layout of its own entries,
//! and rows that stay in one buffer from the file to the index. They halved the processor time of an import, which runs a
//! few times a year, and took 1,100 lines.

use std::cmp::Ordering;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use crate::error::PropertyError;

/// More runs are first merged into a longer one, so that few files are open.
const MAX_RUNS: usize = 48;
/// Lengths of key and value before an entry of a run.
const HEAD: usize = 8;

pub struct Sorter {
    folder: PathBuf,
    name: &'static str,
    budget: usize,
    /// Keys and values, one entry after the other.
    bytes: Vec<u8>,
    slots: Vec<Slot>,
    /// File names, in the order in which they were written.
    runs: Vec<String>,
    written: usize,
}

/// Where an entry of the buffer lies.
#[derive(Default)]
struct Slot {
    /// The beginning of the key: most comparisons need no more.
    prefix: u128,
    start: usize,
    key: u32,
    value: u32,
}

impl Sorter {
    /// Holds about `budget` bytes in memory; runs are files in `folder`.
    pub fn new(folder: &Path, name: &'static str, budget: usize) -> Self {
        let folder = folder.to_owned();
        Self { folder, name, budget, bytes: Vec::new(), slots: Vec::new(), runs: Vec::new(), written: 0 }
    }

    /// Goes on with the [`runs`](Self::runs) of an earlier sorter.
    pub fn resumed(mut self, runs: Vec<String>) -> Self {
        self.runs = runs;
        self
    }

    /// The names of the runs on disk.
    pub fn runs(&self) -> &[String] {
        &self.runs
    }

    /// Takes an entry whose key comes in parts. `true` if all entries are on disk now.
    pub fn push(&mut self, key: &[&[u8]], value: &[u8]) -> Result<bool, PropertyError> {
        if self.slots.capacity() == 0 {
            // Memory that is not used costs nothing; a buffer that grows is copied repeatedly.
            self.slots.reserve(self.budget / size_of::<Slot>() + 1);
            self.bytes.reserve(self.budget);
        }
        let start = self.bytes.len();
        for part in key {
            self.bytes.extend_from_slice(part);
        }
        let prefix = prefix(&self.bytes[start..]);
        let length = |n: usize| u32::try_from(n).map_err(|_| self.failed(io::Error::other("an entry is over 4 GB")));
        let (key, value_length) = (length(self.bytes.len() - start)?, length(value.len())?);
        self.bytes.extend_from_slice(value);
        self.slots.push(Slot { prefix, start, key, value: value_length });
        let is_full = self.held() >= self.budget;
        if is_full {
            self.spill()?;
        }
        Ok(is_full)
    }

    /// Deletes runs that nobody reads any more.
    pub fn forget(&self, runs: &[String]) -> Result<(), PropertyError> {
        runs.iter().try_for_each(|run| {
            let path = self.folder.join(run);
            fs::remove_file(&path).map_err(PropertyError::write(&path))
        })
    }

    /// Makes sure that the newest run survives a crash of the machine.
    pub fn sync(&self) -> Result<(), PropertyError> {
        let Some(newest) = self.runs.last() else { return Ok(()) };
        let path = self.folder.join(newest);
        File::open(&path).and_then(|run| run.sync_data()).map_err(PropertyError::write(&path))
    }

    /// Everything pushed, in order.
    pub fn sorted(mut self) -> Result<Sorted, PropertyError> {
        self.sort();
        let mut runs = self.open_runs()?;
        let entries = Source::Memory { bytes: self.bytes, slots: self.slots.into_iter(), at: Slot::default() };
        runs.push(Run { source: entries, prefix: 0 });
        Sorted::open(runs)
    }

    fn held(&self) -> usize {
        self.bytes.len() + self.slots.len() * size_of::<Slot>()
    }

    fn failed(&self, error: io::Error) -> PropertyError {
        PropertyError::write(&self.folder)(error)
    }

    fn sort(&mut self) {
        let bytes = &self.bytes;
        // Entries lie in the buffer in the order in which they were pushed.
        self.slots.sort_unstable_by(|a, b| {
            a.prefix.cmp(&b.prefix).then_with(|| a.key(bytes).cmp(b.key(bytes))).then(a.start.cmp(&b.start))
        });
    }

    fn spill(&mut self) -> Result<(), PropertyError> {
        self.sort();
        let (name, mut run) = self.new_run()?;
        for slot in &self.slots {
            run.entry(slot.key(&self.bytes), slot.value(&self.bytes))?;
        }
        run.finish()?;
        self.runs.push(name);
        self.bytes.clear();
        self.slots.clear();
        if self.runs.len() >= MAX_RUNS { self.merge_runs() } else { Ok(()) }
    }

    fn merge_runs(&mut self) -> Result<(), PropertyError> {
        let mut merged = Sorted::open(self.open_runs()?)?;
        let (name, mut run) = self.new_run()?;
        while let Some((key, value)) = merged.next()? {
            run.entry(key, value)?;
        }
        run.finish()?;
        let old = std::mem::replace(&mut self.runs, vec![name]);
        self.forget(&old)
    }

    fn new_run(&mut self) -> Result<(String, RunWriter), PropertyError> {
        loop {
            self.written += 1;
            let name = format!("{}-{}.run", self.name, self.written);
            let path = self.folder.join(&name);
            match File::create_new(&path) {
                // Of the sorter before this one.
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(PropertyError::write(&path)(e)),
                Ok(file) => return Ok((name, RunWriter { path, file: BufWriter::with_capacity(1 << 17, file) })),
            }
        }
    }

    fn open_runs(&self) -> Result<Vec<Run>, PropertyError> {
        let open = |name: &String| {
            let path = self.folder.join(name);
            let file = File::open(&path).map_err(PropertyError::read(&path))?;
            let file = BufReader::with_capacity(1 << 16, file);
            Ok(Run { source: Source::File { path, file, entry: Vec::new(), key: 0 }, prefix: 0 })
        };
        self.runs.iter().map(open).collect()
    }
}

impl Slot {
    fn key<'b>(&self, bytes: &'b [u8]) -> &'b [u8] {
        &bytes[self.start..][..self.key as usize]
    }

    fn value<'b>(&self, bytes: &'b [u8]) -> &'b [u8] {
        &bytes[self.start + self.key as usize..][..self.value as usize]
    }
}

/// The beginning of a key as a number that sorts as the bytes do.
fn prefix(key: &[u8]) -> u128 {
    let mut bytes = [0; 16];
    let length = key.len().min(bytes.len());
    bytes[..length].copy_from_slice(&key[..length]);
    u128::from_be_bytes(bytes)
}

struct RunWriter {
    path: PathBuf,
    file: BufWriter<File>,
}

impl RunWriter {
    fn entry(&mut self, key: &[u8], value: &[u8]) -> Result<(), PropertyError> {
        let mut head = [0; HEAD];
        head[..4].copy_from_slice(&(key.len() as u32).to_le_bytes());
        head[4..].copy_from_slice(&(value.len() as u32).to_le_bytes());
        let parts = [&head, key, value];
        parts.iter().try_for_each(|part| self.file.write_all(part)).map_err(PropertyError::write(&self.path))
    }

    fn finish(mut self) -> Result<(), PropertyError> {
        self.file.flush().map_err(PropertyError::write(&self.path))
    }
}

/// A key and its value.
pub type Entry<'a> = (&'a [u8], &'a [u8]);

/// All entries of a [`Sorter`]: a merge of its runs. Equal keys come in the order of their runs.
pub struct Sorted {
    runs: Vec<Run>,
    /// A heap of the runs that are not at their end: the run with the smallest key is first.
    heap: Vec<usize>,
    /// Whether the first run's entry was given to the caller.
    is_given: bool,
}

struct Run {
    source: Source,
    /// Of the current key.
    prefix: u128,
}

enum Source {
    Memory {
        bytes: Vec<u8>,
        slots: std::vec::IntoIter<Slot>,
        at: Slot,
    },
    /// The current entry, and where its key ends.
    File {
        path: PathBuf,
        file: BufReader<File>,
        entry: Vec<u8>,
        key: usize,
    },
}

impl Run {
    /// Moves to the next entry; `false` at the end.
    fn advance(&mut self) -> Result<bool, PropertyError> {
        match &mut self.source {
            Source::Memory { slots, at, .. } => {
                let Some(slot) = slots.next() else { return Ok(false) };
                self.prefix = slot.prefix;
                *at = slot;
            }
            Source::File { path, file, entry, key } => {
                if !read_entry(file, entry, key).map_err(PropertyError::read(path))? {
                    return Ok(false);
                }
                self.prefix = prefix(&entry[..*key]);
            }
        }
        Ok(true)
    }

    fn entry(&self) -> Entry<'_> {
        match &self.source {
            Source::Memory { bytes, at, .. } => (at.key(bytes), at.value(bytes)),
            Source::File { entry, key, .. } => entry.split_at(*key),
        }
    }

    fn compare(&self, other: &Self) -> Ordering {
        self.prefix.cmp(&other.prefix).then_with(|| self.entry().0.cmp(other.entry().0))
    }
}

/// Reads key and value over those before; `false` at the end. A run that ends within an entry is an error.
fn read_entry(run: &mut impl Read, entry: &mut Vec<u8>, key: &mut usize) -> io::Result<bool> {
    let mut head = [0; HEAD];
    let (first, rest) = head.split_at_mut(1);
    if run.read(first)? == 0 {
        return Ok(false);
    }
    run.read_exact(rest)?;
    let [a, b, c, d, e, f, g, h] = head;
    *key = u32::from_le_bytes([a, b, c, d]) as usize;
    entry.resize(*key + u32::from_le_bytes([e, f, g, h]) as usize, 0);
    run.read_exact(entry)?;
    Ok(true)
}

impl Sorted {
    fn open(mut runs: Vec<Run>) -> Result<Self, PropertyError> {
        let mut heap = Vec::with_capacity(runs.len());
        for (at, run) in runs.iter_mut().enumerate() {
            if run.advance()? {
                heap.push(at);
            }
        }
        let mut sorted = Self { runs, heap, is_given: false };
        for at in (0..sorted.heap.len() / 2).rev() {
            sorted.sift_down(at);
        }
        Ok(sorted)
    }

    /// The next key and value; they stay readable until the next call.
    #[allow(clippy::should_implement_trait, reason = "an iterator cannot lend what it holds")]
    pub fn next(&mut self) -> Result<Option<Entry<'_>>, PropertyError> {
        if self.is_given
            && let Some(&first) = self.heap.first()
        {
            if !self.runs[first].advance()? {
                self.heap.swap_remove(0);
            }
            self.sift_down(0);
        }
        self.is_given = true;
        Ok(self.heap.first().map(|first| self.runs[*first].entry()))
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
    use proptest::prelude::*;

    use super::*;

    type Owned = (Vec<u8>, Vec<u8>);

    fn all(mut sorted: Sorted) -> Vec<Owned> {
        let mut found = Vec::new();
        while let Some((key, value)) = sorted.next().unwrap() {
            found.push((key.to_vec(), value.to_vec()));
        }
        assert!(sorted.next().unwrap().is_none());
        found
    }

    proptest! {
        #[test]
        fn entries_come_back_in_order_and_those_of_one_key_as_they_were_pushed(
            keys in proptest::collection::vec(proptest::collection::vec(0..3u8, 0..20), 0..300),
            budget in prop_oneof![Just(1usize), 100..4_000usize, Just(1 << 20)],
        ) {
            let folder = tempfile::tempdir().unwrap();
            let mut sorter = Sorter::new(folder.path(), "t", budget);
            let mut expected: Vec<Owned> = Vec::new();
            for (n, key) in keys.into_iter().enumerate() {
                let (first, second) = key.split_at(key.len() / 2);
                sorter.push(&[first, second], n.to_string().as_bytes()).unwrap();
                expected.push((key, n.to_string().into_bytes()));
            }
            expected.sort_by(|a, b| a.0.cmp(&b.0));
            prop_assert_eq!(all(sorter.sorted().unwrap()), expected);
        }
    }

    #[test]
    fn memory_holds_one_buffer_and_few_files_are_open() {
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::new(folder.path(), "t", 1_000);
        let (mut most, mut spilled) = (0, 0);
        for n in 0..5_000u32 {
            spilled += usize::from(sorter.push(&[&n.to_be_bytes()], &[7; 3]).unwrap());
            most = most.max(sorter.held());
            assert!(sorter.runs().len() < MAX_RUNS);
        }
        assert!(most < 1_000, "{most} bytes held");
        assert!(spilled > 2 * MAX_RUNS, "the test must reach the merge of merges");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), sorter.runs().len());
        assert_eq!(all(sorter.sorted().unwrap()).len(), 5_000);
    }

    #[test]
    fn a_sorter_goes_on_with_the_runs_of_another() {
        let folder = tempfile::tempdir().unwrap();
        let new = || Sorter::new(folder.path(), "t", 1);
        let mut first = new();
        assert!(first.push(&[b"b"], b"1").unwrap());
        assert!(first.push(&[b"a"], b"2").unwrap());
        first.sync().unwrap();
        let mut second = new().resumed(first.runs().to_vec());
        second.push(&[b"a"], b"3").unwrap();
        let found: Vec<_> = all(second.sorted().unwrap()).into_iter().map(|(_, value)| value).collect();
        assert_eq!(found, [b"2", b"3", b"1"]);
    }

    #[test]
    fn a_run_that_ends_within_an_entry_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::new(folder.path(), "t", 1);
        sorter.push(&[b"key"], b"value").unwrap();
        let path = folder.path().join(&sorter.runs()[0]);
        let whole = fs::read(&path).unwrap();
        for length in 1..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let opened = Sorted::open(sorter.open_runs().unwrap());
            assert!(matches!(opened.map(|_| ()), Err(PropertyError::Read { .. })), "{length} bytes");
        }
    }
}
