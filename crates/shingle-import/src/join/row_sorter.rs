//! Rows sorted by group in bounded memory: sorted runs on disk, merged when all are read.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use crate::format::source::input;
use crate::row::reader::Gathered;
use shingle_property::PropertyError;

/// Bytes of rows kept in memory, roughly counted.
const ROOM: usize = 96 * 1024 * 1024;

pub(crate) struct Spool {
    folder: PathBuf,
    #[allow(clippy::vec_box, reason = "a row is a kilobyte, and sorting moves it about")]
    rows: Vec<Box<Gathered>>,
    bytes: usize,
    room: usize,
    /// Runs on disk, by name.
    runs: Vec<String>,
}

impl Spool {
    pub fn new(folder: &Path, runs: Vec<String>) -> Self {
        Self { folder: folder.to_owned(), rows: Vec::new(), bytes: 0, room: ROOM, runs }
    }

    #[cfg(test)]
    pub fn with_room(mut self, room: usize) -> Self {
        self.room = room;
        self
    }

    /// `true` when it is time to [`flush`](Self::flush).
    pub fn push(&mut self, row: Gathered) -> bool {
        let points: usize =
            row.plan.iter().map(|p| p.exterior.len() + p.holes.iter().map(Vec::len).sum::<usize>()).sum();
        self.bytes += size_of::<Gathered>() + 200 + points * 16;
        self.rows.push(Box::new(row));
        self.bytes >= self.room
    }

    /// Writes what is in memory as a run, and gives the names of all runs.
    pub fn flush(&mut self) -> Result<&[String], PropertyError> {
        let name = format!("run-{}", self.runs.len());
        let path = self.folder.join(&name);
        self.sort();
        let write = || {
            let mut out = BufWriter::with_capacity(256 * 1024, File::create(&path)?);
            for row in &self.rows {
                let bytes = postcard::to_stdvec(&**row).map_err(std::io::Error::other)?;
                out.write_all(&(bytes.len() as u32).to_le_bytes())?;
                out.write_all(&bytes)?;
            }
            out.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_data()
        };
        write().map_err(PropertyError::write(&path))?;
        self.rows.clear();
        self.bytes = 0;
        self.runs.push(name);
        Ok(&self.runs)
    }

    fn sort(&mut self) {
        self.rows.sort_by(|a, b| key(a).cmp(&key(b)));
    }

    /// All rows by group, and within a group as they were read.
    pub fn into_sorted(mut self) -> Result<Sorted, PropertyError> {
        self.sort();
        let mut runs = vec![Run { source: Source::Memory(self.rows.into_iter()), head: None }];
        for name in &self.runs {
            let path = self.folder.join(name);
            let file = File::open(&path).map_err(PropertyError::read(&path))?;
            runs.push(Run { source: Source::Disk(BufReader::with_capacity(64 * 1024, file), path), head: None });
        }
        let mut sorted = Sorted { runs, heap: BinaryHeap::new() };
        if sorted.runs.len() > 1 {
            for i in 0..sorted.runs.len() {
                sorted.advance(i)?;
            }
        }
        Ok(sorted)
    }
}

fn key(row: &Gathered) -> (&str, u16, u64) {
    (&row.group, row.file, row.row)
}

/// Group, file and row; with it in the heap, the number of the run.
type Key = (String, u16, u64);

pub(crate) struct Sorted {
    runs: Vec<Run>,
    heap: BinaryHeap<Reverse<(Key, usize)>>,
}

struct Run {
    source: Source,
    head: Option<Gathered>,
}

enum Source {
    Memory(std::vec::IntoIter<Box<Gathered>>),
    Disk(BufReader<File>, PathBuf),
}

impl Run {
    fn next(&mut self) -> Result<Option<Gathered>, PropertyError> {
        match &mut self.source {
            Source::Memory(rows) => Ok(rows.next().map(|row| *row)),
            Source::Disk(reader, path) => {
                let mut length = [0; 4];
                if let Err(e) = reader.read_exact(&mut length) {
                    return if e.kind() == std::io::ErrorKind::UnexpectedEof {
                        Ok(None)
                    } else {
                        Err(PropertyError::read(path)(e))
                    };
                }
                let mut bytes = vec![0; u32::from_le_bytes(length) as usize];
                reader.read_exact(&mut bytes).map_err(PropertyError::read(path))?;
                let row = postcard::from_bytes(&bytes).map_err(|e| input(path, format!("a damaged run: {e}")))?;
                Ok(Some(row))
            }
        }
    }
}

impl Sorted {
    fn advance(&mut self, i: usize) -> Result<Option<Gathered>, PropertyError> {
        let next = self.runs[i].next()?;
        if let Some(row) = &next {
            self.heap.push(Reverse(((row.group.clone(), row.file, row.row), i)));
        }
        Ok(std::mem::replace(&mut self.runs[i].head, next))
    }

    pub fn next_row(&mut self) -> Result<Option<Gathered>, PropertyError> {
        if let [only] = self.runs.as_mut_slice() {
            return only.next();
        }
        match self.heap.pop() {
            Some(Reverse((_, i))) => self.advance(i),
            None => Ok(None),
        }
    }
}
