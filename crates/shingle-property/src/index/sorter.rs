//! Entries of numbers and bytes, sorted in bounded memory.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use crate::error::PropertyError;
use crate::external_sort::{Merge, RunFiles, SortedRun, open_run, read_head};

/// Numbers to sort by, the first one first.
pub(crate) type Key = [u64; 3];

/// Where an entry of the buffer lies.
struct Slot {
    key: Key,
    start: u32,
    len: u32,
}

/// Entries of a key and some bytes, given back in the order of their keys; entries of one key in the order in
/// which they were pushed; but entries that are held after the others.
pub(crate) struct Sorter {
    bytes: Vec<u8>,
    slots: Vec<Slot>,
    /// Bytes of the caller, and the entries that lie in them.
    held_bytes: Vec<u8>,
    held: Vec<Slot>,
    budget: usize,
    runs: RunFiles,
}

impl Sorter {
    /// Holds about `budget` bytes in memory; runs are files in `folder`.
    pub(crate) fn new(folder: &Path, name: &'static str, budget: usize) -> Self {
        let runs = RunFiles::new(folder, name);
        Self { bytes: Vec::new(), slots: Vec::new(), held_bytes: Vec::new(), held: Vec::new(), budget, runs }
    }

    /// The value comes in parts.
    pub(crate) fn push(&mut self, key: Key, value: &[&[u8]]) -> Result<(), PropertyError> {
        let place = |n: usize| u32::try_from(n).map_err(|_| self.too_long());
        let (start, len) = (place(self.bytes.len())?, place(value.iter().map(|part| part.len()).sum())?);
        if self.slots.capacity() == 0 {
            // Memory that is not used costs nothing; a buffer that grows is copied repeatedly.
            self.slots.reserve(self.budget / size_of::<Slot>() + 1);
            self.bytes.reserve(if value.is_empty() { 0 } else { self.budget });
        }
        for part in value {
            self.bytes.extend_from_slice(part);
        }
        self.slots.push(Slot { key, start, len });
        if self.held() >= self.budget { self.spill() } else { Ok(()) }
    }

    /// Takes an entry whose value lies in the bytes that [`hold`](Self::hold) will get. It is not counted as memory of
    /// the sorter, and does not go to disk.
    pub(crate) fn push_held(&mut self, key: Key, start: usize, len: usize) -> Result<(), PropertyError> {
        let place = |n: usize| u32::try_from(n).map_err(|_| self.too_long());
        let (start, len) = (place(start)?, place(len)?);
        self.held.push(Slot { key, start, len });
        Ok(())
    }

    pub(crate) fn hold(&mut self, bytes: Vec<u8>) {
        self.held_bytes = bytes;
    }

    fn too_long(&self) -> PropertyError {
        PropertyError::write(self.runs.folder())(io::Error::other("an entry is over 4 GB"))
    }

    fn held(&self) -> usize {
        self.bytes.len() + self.slots.len() * size_of::<Slot>()
    }

    fn sort(slots: &mut [Slot]) {
        // Two numbers are compared as one: a comparison without a branch. Entries lie in the buffer in the order in which
        // they were pushed.
        let wide = |a: u64, b: u64| u128::from(a) << 64 | u128::from(b);
        slots.sort_unstable_by(|a, b| {
            let rest = |slot: &Slot| wide(slot.key[2], u64::from(slot.start) << 32 | u64::from(slot.len));
            wide(a.key[0], a.key[1]).cmp(&wide(b.key[0], b.key[1])).then_with(|| rest(a).cmp(&rest(b)))
        });
    }

    fn spill(&mut self) -> Result<(), PropertyError> {
        Self::sort(&mut self.slots);
        self.runs.write(|path| {
            let mut run = RunWriter::create(path)?;
            for slot in &self.slots {
                run.entry(&slot.key, slice(&self.bytes, slot))?;
            }
            run.finish()
        })?;
        self.bytes.clear();
        self.slots.clear();
        self.runs.compact(|old, path| {
            let mut run = RunWriter::create(path)?;
            let mut merged = SortedEntries::open(old, Vec::new())?;
            while let Some((key, value)) = merged.next()? {
                run.entry(&key, value)?;
            }
            run.finish()
        })
    }

    /// Everything pushed, in order.
    pub(crate) fn sorted(mut self) -> Result<SortedEntries, PropertyError> {
        Self::sort(&mut self.slots);
        Self::sort(&mut self.held);
        SortedEntries::open(self.runs.paths(), vec![(self.bytes, self.slots), (self.held_bytes, self.held)])
    }
}

fn slice<'a>(bytes: &'a [u8], slot: &Slot) -> &'a [u8] {
    &bytes[slot.start as usize..][..slot.len as usize]
}

struct RunWriter {
    path: PathBuf,
    file: BufWriter<File>,
}

impl RunWriter {
    fn create(path: &Path) -> Result<Self, PropertyError> {
        let file = File::create(path).map_err(PropertyError::write(path))?;
        Ok(Self { path: path.to_owned(), file: BufWriter::with_capacity(1 << 17, file) })
    }

    fn entry(&mut self, [a, b, c]: &Key, value: &[u8]) -> Result<(), PropertyError> {
        let mut head = [0; HEAD];
        head[..8].copy_from_slice(&a.to_le_bytes());
        head[8..16].copy_from_slice(&b.to_le_bytes());
        head[16..24].copy_from_slice(&c.to_le_bytes());
        head[24..].copy_from_slice(&(value.len() as u32).to_le_bytes());
        self.file
            .write_all(&head)
            .and_then(|()| self.file.write_all(value))
            .map_err(|e| PropertyError::write(&self.path)(e))
    }

    fn finish(mut self) -> Result<(), PropertyError> {
        self.file.flush().map_err(PropertyError::write(&self.path))
    }
}

/// Key and length.
const HEAD: usize = 28;

/// All entries of a [`Sorter`].
pub(crate) struct SortedEntries(Merge<Run>);

struct Run {
    source: Source,
    key: Key,
}

enum Source {
    File { path: PathBuf, file: BufReader<File>, value: Vec<u8> },
    Memory { bytes: Vec<u8>, slots: std::vec::IntoIter<Slot>, at: Slot },
}

impl SortedRun for Run {
    type Error = PropertyError;

    fn advance(&mut self) -> Result<bool, PropertyError> {
        match &mut self.source {
            Source::Memory { slots, at, .. } => {
                let Some(slot) = slots.next() else { return Ok(false) };
                self.key = slot.key;
                *at = slot;
            }
            Source::File { path, file, value } => {
                let mut head = [0; HEAD];
                let failed = |e| PropertyError::read(path)(e);
                if !read_head(file, &mut head).map_err(failed)? {
                    return Ok(false);
                }
                let (words, rest) = head.as_chunks::<8>();
                self.key.iter_mut().zip(words).for_each(|(n, word)| *n = u64::from_le_bytes(*word));
                let len = rest.first_chunk().map_or(0, |len| u32::from_le_bytes(*len));
                value.resize(len as usize, 0);
                file.read_exact(value).map_err(failed)?;
            }
        }
        Ok(true)
    }

    fn compare(&self, other: &Self) -> Ordering {
        self.key.cmp(&other.key)
    }
}

impl Run {
    fn value(&self) -> &[u8] {
        match &self.source {
            Source::File { value, .. } => value,
            Source::Memory { bytes, at, .. } => slice(bytes, at),
        }
    }
}

impl SortedEntries {
    fn open(runs: &[PathBuf], memory: Vec<(Vec<u8>, Vec<Slot>)>) -> Result<Self, PropertyError> {
        let key = [0; 3];
        let mut all = Vec::with_capacity(runs.len() + memory.len());
        for path in runs {
            let file = open_run(path).map_err(PropertyError::read(path))?;
            all.push(Run { source: Source::File { path: path.clone(), file, value: Vec::new() }, key });
        }
        for (bytes, slots) in memory {
            let at = Slot { key, start: 0, len: 0 };
            all.push(Run { source: Source::Memory { bytes, slots: slots.into_iter(), at }, key });
        }
        Merge::open(all).map(Self)
    }

    /// The next entry; it stays readable until the next call.
    pub(crate) fn next(&mut self) -> Result<Option<(Key, &[u8])>, PropertyError> {
        Ok(self.0.next()?.map(|run| (run.key, run.value())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back_in_order_and_memory_holds_one_buffer_of_them() {
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::new(folder.path(), "t", 2_000);
        let mut most = 0;
        // Multiples modulo a prime: every number once, in a scattered order.
        for n in (1..5_003u64).map(|n| n * 1_999 % 5_003) {
            sorter.push([n / 1_000, n, 7], &[&[n as u8; 3]]).unwrap();
            most = most.max(sorter.held());
        }
        assert!(most < 2_000 + size_of::<Slot>(), "{most} bytes held");
        assert!(sorter.runs.was_compacted(), "the test must reach the merge of merges");
        let mut merge = sorter.sorted().unwrap();
        for n in 1..5_003 {
            assert_eq!(merge.next().unwrap(), Some(([n / 1_000, n, 7], [n as u8; 3].as_slice())));
        }
        assert_eq!(merge.next().unwrap(), None);
        assert_eq!(merge.next().unwrap(), None);
    }

    #[test]
    fn entries_of_one_key_keep_the_order_they_were_pushed_in() {
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::new(folder.path(), "t", 500);
        for n in 0..2_000u32 {
            sorter.push([0, u64::from(n % 3), 0], &[&n.to_le_bytes()]).unwrap();
            sorter.push([1, 0, 0], &[]).unwrap();
        }
        let mut merge = sorter.sorted().unwrap();
        let mut last = ([0; 3], None);
        let mut seen = 0;
        while let Some((key, value)) = merge.next().unwrap() {
            let n = value.first_chunk().map(|n| u32::from_le_bytes(*n));
            assert!((key, n) >= last, "{key:?} {n:?} after {last:?}");
            last = (key, n);
            seen += 1;
        }
        assert_eq!(seen, 4_000);
    }
}
