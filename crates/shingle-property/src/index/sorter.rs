//! Sorting more than fits in memory: full buffers go to disk as sorted runs, which are merged at the end.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use crate::error::PropertyError;

/// Runs merged at once; more are first merged into longer ones, so open files stay few.
const FAN_IN: usize = 48;

/// Numbers to sort by, the first one first.
pub(crate) type Key = [u64; 3];

/// Where an entry of the buffer lies.
struct Slot {
    key: Key,
    start: u32,
    len: u32,
}

/// Entries of a key and some bytes, given back in the order of their keys; entries of one key in the order in
/// which they were pushed.
pub(crate) struct Sorter {
    folder: PathBuf,
    name: &'static str,
    bytes: Vec<u8>,
    slots: Vec<Slot>,
    budget: usize,
    runs: Vec<PathBuf>,
    written: usize,
}

impl Sorter {
    /// Holds about `budget` bytes in memory; runs are files in `folder`.
    pub(crate) fn new(folder: &Path, name: &'static str, budget: usize) -> Self {
        let (bytes, slots) = (Vec::new(), Vec::new());
        Self { folder: folder.to_owned(), name, bytes, slots, budget, runs: Vec::new(), written: 0 }
    }

    /// The value comes in parts.
    pub(crate) fn push(&mut self, key: Key, value: &[&[u8]]) -> Result<(), PropertyError> {
        let place = |n: usize| u32::try_from(n).map_err(|_| self.too_long());
        let (start, len) = (place(self.bytes.len())?, place(value.iter().map(|part| part.len()).sum())?);
        if self.slots.capacity() == 0 {
            // Room that is not used takes no memory; room that grows is copied again and again.
            self.slots.reserve(self.budget / size_of::<Slot>() + 1);
            self.bytes.reserve(if value.is_empty() { 0 } else { self.budget });
        }
        for part in value {
            self.bytes.extend_from_slice(part);
        }
        self.slots.push(Slot { key, start, len });
        if self.held() >= self.budget { self.spill() } else { Ok(()) }
    }

    fn too_long(&self) -> PropertyError {
        PropertyError::write(&self.folder)(io::Error::other("an entry is over 4 GB"))
    }

    fn held(&self) -> usize {
        self.bytes.len() + self.slots.len() * size_of::<Slot>()
    }

    fn sort(&mut self) {
        // Entries lie in the buffer in the order in which they were pushed.
        self.slots.sort_unstable_by_key(|slot| (slot.key, slot.start, slot.len));
    }

    fn spill(&mut self) -> Result<(), PropertyError> {
        self.sort();
        let mut run = self.create()?;
        for slot in &self.slots {
            run.entry(&slot.key, slice(&self.bytes, slot))?;
        }
        self.runs.push(run.finish()?);
        self.bytes.clear();
        self.slots.clear();
        if self.runs.len() >= FAN_IN {
            let old = std::mem::take(&mut self.runs);
            let mut run = self.create()?;
            let mut merged = Merge::open(&old, Vec::new(), Vec::new())?;
            while let Some((key, value)) = merged.next()? {
                run.entry(&key, value)?;
            }
            self.runs.push(run.finish()?);
            for run in old {
                std::fs::remove_file(&run).map_err(PropertyError::write(&run))?;
            }
        }
        Ok(())
    }

    fn create(&mut self) -> Result<RunWriter, PropertyError> {
        self.written += 1;
        RunWriter::create(self.folder.join(format!("{}-{}.run", self.name, self.written)))
    }

    /// Everything pushed, in order.
    pub(crate) fn sorted(mut self) -> Result<Merge, PropertyError> {
        self.sort();
        Merge::open(&self.runs, self.bytes, self.slots)
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
    fn create(path: PathBuf) -> Result<Self, PropertyError> {
        let file = File::create(&path).map_err(PropertyError::write(&path))?;
        Ok(Self { path, file: BufWriter::with_capacity(1 << 17, file) })
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

    fn finish(mut self) -> Result<PathBuf, PropertyError> {
        self.file.flush().map_err(PropertyError::write(&self.path))?;
        Ok(self.path)
    }
}

/// Key and length.
const HEAD: usize = 28;

/// The k-way merge of sorted runs.
pub(crate) struct Merge {
    /// The next key of each source, and which source: older ones first.
    heap: BinaryHeap<Reverse<(Key, usize)>>,
    sources: Vec<Source>,
    /// The source whose entry was given last.
    given: Option<usize>,
}

enum Source {
    File { path: PathBuf, file: BufReader<File>, value: Vec<u8> },
    Memory { bytes: Vec<u8>, slots: std::vec::IntoIter<Slot>, at: Slot },
}

impl Source {
    fn next(&mut self) -> Result<Option<Key>, PropertyError> {
        match self {
            Self::Memory { slots, at, .. } => Ok(slots.next().map(|slot| {
                *at = slot;
                at.key
            })),
            Self::File { path, file, value } => {
                let mut head = [0; HEAD];
                let failed = |e| PropertyError::read(path)(e);
                match file.read(&mut head[..1]).map_err(failed)? {
                    0 => return Ok(None),
                    _ => file.read_exact(&mut head[1..]).map_err(failed)?,
                }
                let mut numbers = [0; 3];
                let (words, rest) = head.as_chunks::<8>();
                numbers.iter_mut().zip(words).for_each(|(n, word)| *n = u64::from_le_bytes(*word));
                let len = rest.first_chunk().map_or(0, |len| u32::from_le_bytes(*len));
                value.resize(len as usize, 0);
                file.read_exact(value).map_err(failed)?;
                Ok(Some(numbers))
            }
        }
    }

    fn value(&self) -> &[u8] {
        match self {
            Self::File { value, .. } => value,
            Self::Memory { bytes, at, .. } => slice(bytes, at),
        }
    }
}

impl Merge {
    fn open(runs: &[PathBuf], bytes: Vec<u8>, slots: Vec<Slot>) -> Result<Self, PropertyError> {
        let mut sources = Vec::with_capacity(runs.len() + 1);
        for path in runs {
            let file = BufReader::with_capacity(1 << 16, File::open(path).map_err(PropertyError::read(path))?);
            sources.push(Source::File { path: path.clone(), file, value: Vec::new() });
        }
        let at = Slot { key: [0; 3], start: 0, len: 0 };
        sources.push(Source::Memory { bytes, slots: slots.into_iter(), at });
        let mut heap = BinaryHeap::with_capacity(sources.len());
        for (at, source) in sources.iter_mut().enumerate() {
            if let Some(key) = source.next()? {
                heap.push(Reverse((key, at)));
            }
        }
        Ok(Self { heap, sources, given: None })
    }

    /// The next entry; it stays readable until the next call.
    pub(crate) fn next(&mut self) -> Result<Option<(Key, &[u8])>, PropertyError> {
        if let Some(at) = self.given.take()
            && let Some(mut top) = self.heap.peek_mut()
        {
            match self.sources[at].next()? {
                Some(key) => *top = Reverse((key, at)),
                None => {
                    PeekMut::pop(top);
                }
            }
        }
        let Some(Reverse((key, at))) = self.heap.peek() else { return Ok(None) };
        self.given = Some(*at);
        Ok(Some((*key, self.sources[*at].value())))
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
        assert!(sorter.written > FAN_IN && sorter.runs.len() < FAN_IN, "the test must reach the merge of merges");
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
