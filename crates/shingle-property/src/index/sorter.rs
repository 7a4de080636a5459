//! Sorting more than fits in memory: full buffers go to disk as sorted runs, which are merged at the end.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use crate::error::PropertyError;

/// Runs merged at once; more are first merged into longer ones, so open files stay few.
const FAN_IN: usize = 48;

type Entry = (Vec<u8>, Vec<u8>);

/// Entries of a key and a value, given back in the order of their keys' bytes.
pub(crate) struct Sorter {
    folder: PathBuf,
    name: &'static str,
    buffer: Vec<Entry>,
    held: usize,
    budget: usize,
    runs: Vec<PathBuf>,
    written: usize,
}

impl Sorter {
    /// Holds about `budget` bytes in memory; runs are files in `folder`.
    pub(crate) fn new(folder: &Path, name: &'static str, budget: usize) -> Self {
        Self { folder: folder.to_owned(), name, buffer: Vec::new(), held: 0, budget, runs: Vec::new(), written: 0 }
    }

    pub(crate) fn push(&mut self, key: Vec<u8>, value: Vec<u8>) -> Result<(), PropertyError> {
        self.held += key.len() + value.len() + 2 * size_of::<Vec<u8>>();
        self.buffer.push((key, value));
        if self.held >= self.budget { self.spill() } else { Ok(()) }
    }

    fn spill(&mut self) -> Result<(), PropertyError> {
        self.buffer.sort_unstable();
        let entries = std::mem::take(&mut self.buffer);
        self.held = 0;
        self.write_run(entries.into_iter().map(Ok))?;
        if self.runs.len() >= FAN_IN {
            let runs = std::mem::take(&mut self.runs);
            let merged = Merge::open(&runs, Vec::new())?;
            self.write_run(merged)?;
            for run in runs {
                std::fs::remove_file(&run).map_err(PropertyError::write(&run))?;
            }
        }
        Ok(())
    }

    fn write_run(&mut self, entries: impl Iterator<Item = Result<Entry, PropertyError>>) -> Result<(), PropertyError> {
        let path = self.folder.join(format!("{}-{}.run", self.name, self.written));
        self.written += 1;
        let mut file = BufWriter::with_capacity(1 << 16, File::create(&path).map_err(PropertyError::write(&path))?);
        for entry in entries {
            let (key, value) = entry?;
            write_entry(&mut file, &key, &value).map_err(PropertyError::write(&path))?;
        }
        file.flush().map_err(PropertyError::write(&path))?;
        self.runs.push(path);
        Ok(())
    }

    /// Everything pushed, in order.
    pub(crate) fn sorted(mut self) -> Result<Merge, PropertyError> {
        self.buffer.sort_unstable();
        Merge::open(&self.runs, std::mem::take(&mut self.buffer))
    }
}

fn write_entry(to: &mut impl Write, key: &[u8], value: &[u8]) -> io::Result<()> {
    let len = |bytes: &[u8]| u32::try_from(bytes.len()).map_err(|_| io::Error::other("an entry is over 4 GB"));
    to.write_all(&len(key)?.to_le_bytes())?;
    to.write_all(&len(value)?.to_le_bytes())?;
    to.write_all(key)?;
    to.write_all(value)
}

/// The k-way merge of sorted runs.
pub(crate) struct Merge {
    /// The next entry of each source, and which source.
    heap: BinaryHeap<Reverse<(Entry, usize)>>,
    sources: Vec<RunReader>,
}

enum RunReader {
    Memory(std::vec::IntoIter<Entry>),
    File { path: PathBuf, file: BufReader<File> },
}

impl RunReader {
    fn next(&mut self) -> Result<Option<Entry>, PropertyError> {
        match self {
            Self::Memory(entries) => Ok(entries.next()),
            Self::File { path, file } => {
                let mut sizes = [0; 8];
                match file.read(&mut sizes[..1]).map_err(PropertyError::read(path))? {
                    0 => return Ok(None),
                    _ => file.read_exact(&mut sizes[1..]).map_err(PropertyError::read(path))?,
                }
                let [a, b, c, d, e, f, g, h] = sizes;
                let mut key = vec![0; u32::from_le_bytes([a, b, c, d]) as usize];
                let mut value = vec![0; u32::from_le_bytes([e, f, g, h]) as usize];
                file.read_exact(&mut key)
                    .and_then(|()| file.read_exact(&mut value))
                    .map_err(PropertyError::read(path))?;
                Ok(Some((key, value)))
            }
        }
    }
}

impl Merge {
    fn open(runs: &[PathBuf], rest: Vec<Entry>) -> Result<Self, PropertyError> {
        let mut sources = vec![RunReader::Memory(rest.into_iter())];
        for path in runs {
            let file = File::open(path).map_err(PropertyError::read(path))?;
            sources.push(RunReader::File { path: path.clone(), file: BufReader::with_capacity(1 << 15, file) });
        }
        let mut heap = BinaryHeap::with_capacity(sources.len());
        for (at, source) in sources.iter_mut().enumerate() {
            if let Some(entry) = source.next()? {
                heap.push(Reverse((entry, at)));
            }
        }
        Ok(Self { heap, sources })
    }
}

impl Iterator for Merge {
    type Item = Result<Entry, PropertyError>;

    fn next(&mut self) -> Option<Self::Item> {
        let Reverse((entry, at)) = self.heap.pop()?;
        match self.sources[at].next() {
            Ok(Some(next)) => self.heap.push(Reverse((next, at))),
            Ok(None) => {}
            Err(e) => return Some(Err(e)),
        }
        Some(Ok(entry))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_on_disk_come_back_in_one_order() {
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::new(folder.path(), "t", 2_000);
        // A full cycle modulo a prime: every number once, in a scattered order.
        let mut n: u32 = 1;
        for _ in 0..5_002 {
            n = n * 7 % 5_003;
            sorter.push(n.to_be_bytes().to_vec(), vec![n as u8; 3]).unwrap();
        }
        assert!(sorter.written > FAN_IN, "the test must reach the merge of merges");
        let keys: Vec<u32> =
            sorter.sorted().unwrap().map(|e| u32::from_be_bytes(e.unwrap().0.try_into().unwrap())).collect();
        assert_eq!(keys.len(), 5_002);
        assert!(keys.is_sorted());
    }
}
