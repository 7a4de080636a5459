//! Rows sorted by group in bounded memory: sorted runs on disk, merged when all are read.
//!
//! A row is encoded once, when it is read. Most rows of a table are addressed and have no outline: such a row is
//! encoded as the index will hold it, and when no other row is of its parcel it goes there as it is.
//!
//! # Decisions
//!
//! - Up to 160 MB of rows stay in memory on their way into the index (`IndexBuilder::push_held`), about half a
//!   million of a plain roll: sorted in place, no temporary file, no checkpoint. From CSV to index this costs 0.64
//!   times the CPU time of a raw insert loop (example `import_bench`). Turned down: larger sort buffers on both
//!   sides, which use more memory and copy each row twice.
//! - A row is encoded once, as the index stores it, and copied from then on. Turned down: structures that are
//!   written, read back and encoded again.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use shingle_property::BarePlace;
use shingle_property::external_sort::{Merge, SortedRun, open_run, read_head};

use crate::error::ImportError;
use crate::row::imported::ImportedRow;

/// Bytes of rows kept in memory. The roll of a town or a small county fits: its rows never go to disk on their way into
/// the index, and are not copied either.
const BUFFER_BYTES: usize = 160 * 1024 * 1024;

pub(crate) struct RowSorter {
    folder: PathBuf,
    rows: Vec<Slot>,
    bytes: Vec<u8>,
    room: usize,
    /// Runs on disk, by name.
    runs: Vec<String>,
}

/// Where a row lies in the buffer.
struct Slot {
    /// The group's beginning: most comparisons need no more.
    prefix: u128,
    start: usize,
    len: u32,
}

impl RowSorter {
    pub fn new(folder: &Path, runs: Vec<String>) -> Self {
        Self { folder: folder.to_owned(), rows: Vec::new(), bytes: Vec::new(), room: BUFFER_BYTES, runs }
    }

    #[cfg(test)]
    pub fn with_room(mut self, room: usize) -> Self {
        self.room = room;
        self
    }

    /// Takes the next row, and what the coverage says it has. `true` when it is time
    /// to [`flush`](Self::flush).
    pub fn push(&mut self, row: &ImportedRow, has: u64) -> Result<bool, ImportError> {
        if self.bytes.capacity() == 0 {
            // Memory that is not used costs nothing; a buffer that grows is copied repeatedly.
            self.bytes.reserve(self.room);
        }
        let start = self.bytes.len();
        encode(row, has, &mut self.bytes).map_err(|e| ImportError::write(&self.folder)(std::io::Error::other(e)))?;
        let slot = Slot { prefix: prefix(row.group.as_bytes()), start, len: (self.bytes.len() - start) as u32 };
        self.rows.push(slot);
        Ok(self.bytes.len() + self.rows.len() * size_of::<Slot>() >= self.room)
    }

    /// Writes what is in memory as a run, and gives the names of all runs.
    pub fn flush(&mut self) -> Result<&[String], ImportError> {
        let name = format!("run-{}", self.runs.len());
        let path = self.folder.join(&name);
        self.sort();
        let write = || {
            let mut out = BufWriter::with_capacity(256 * 1024, File::create(&path)?);
            for slot in &self.rows {
                out.write_all(&slot.len.to_le_bytes())?;
                out.write_all(slot.of(&self.bytes))?;
            }
            out.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_data()
        };
        write().map_err(ImportError::write(&path))?;
        self.rows.clear();
        self.bytes.clear();
        self.runs.push(name);
        Ok(&self.runs)
    }

    /// By group, and within a group as they were pushed.
    fn sort(&mut self) {
        let bytes = &self.bytes;
        self.rows.sort_unstable_by(|a, b| {
            let groups = || group(a.of(bytes)).cmp(group(b.of(bytes)));
            a.prefix.cmp(&b.prefix).then_with(groups).then(a.start.cmp(&b.start))
        });
    }

    /// All rows by group, and within a group as they were read.
    pub fn into_sorted(mut self) -> Result<SortedRows, ImportError> {
        self.sort();
        let mut runs = Vec::with_capacity(self.runs.len() + 1);
        for name in &self.runs {
            let path = self.folder.join(name);
            let file = open_run(&path).map_err(ImportError::read(&path))?;
            runs.push(Run::new(Source::Disk(file, path.into())));
        }
        runs.push(Run::new(Source::Memory(self.bytes, self.rows.into_iter(), 0)));
        Merge::open(runs).map(SortedRows)
    }
}

impl Slot {
    fn of<'b>(&self, bytes: &'b [u8]) -> &'b [u8] {
        &bytes[self.start..][..self.len as usize]
    }
}

/// A row as it is sorted: the length of its group, its file and row, what it has, whether it is encoded as a place,
/// its group, and the rest.
const HEAD: usize = 4 + 2 + 8 + 8 + 1;

fn encode(row: &ImportedRow, has: u64, to: &mut Vec<u8>) -> Result<(), postcard::Error> {
    // A place keeps no use of a building that it does not have.
    let address = row.address.as_ref().filter(|_| row.plan.is_empty() && row.building_use.is_none());
    to.extend_from_slice(&(row.group.len() as u32).to_le_bytes());
    to.extend_from_slice(&row.file.to_le_bytes());
    to.extend_from_slice(&row.row.to_le_bytes());
    to.extend_from_slice(&has.to_le_bytes());
    to.push(u8::from(address.is_some()));
    to.extend_from_slice(row.group.as_bytes());
    let Some(address) = address else {
        to.extend_from_slice(&postcard::to_stdvec(row)?);
        return Ok(());
    };
    let ImportedRow { unit, parcel, origin, assessor, permit, .. } = row;
    BarePlace { address, unit, parcel, origin: *origin, assessor, permits: permit.as_slice() }.encode(to)
}

/// The bytes of one place in a row's head.
fn field<const AT: usize, const N: usize>(row: &[u8]) -> [u8; N] {
    row.get(AT..).and_then(|rest| rest.first_chunk()).copied().unwrap_or([0; N])
}

fn group(row: &[u8]) -> &[u8] {
    let len = u32::from_le_bytes(field::<0, 4>(row)) as usize;
    row.get(HEAD..HEAD + len).unwrap_or_default()
}

fn prefix(group: &[u8]) -> u128 {
    let mut bytes = [0; 16];
    let len = group.len().min(bytes.len());
    bytes[..len].copy_from_slice(&group[..len]);
    u128::from_be_bytes(bytes)
}

/// A row on its way out.
#[derive(Default)]
pub(crate) struct SortedRow {
    bytes: Vec<u8>,
    /// Where it was read from, for an error.
    run: Option<Rc<Path>>,
    /// Where it lies in memory.
    start: Option<usize>,
}

impl SortedRow {
    pub fn group(&self) -> &[u8] {
        group(&self.bytes)
    }

    pub fn file(&self) -> u16 {
        u16::from_le_bytes(field::<4, 2>(&self.bytes))
    }

    pub fn has(&self) -> u64 {
        u64::from_le_bytes(field::<14, 8>(&self.bytes))
    }

    fn rest(&self) -> &[u8] {
        self.bytes.get(HEAD + self.group().len()..).unwrap_or_default()
    }

    /// Whether it is encoded as the index takes it.
    pub fn is_place(&self) -> bool {
        field::<22, 1>(&self.bytes) == [1]
    }

    /// As the index takes it, where it [is so encoded](Self::is_place).
    pub fn place(&mut self) -> &mut [u8] {
        let start = HEAD + self.group().len();
        self.bytes.get_mut(start..).unwrap_or_default()
    }

    pub fn decode(&self) -> Result<ImportedRow, ImportError> {
        let damaged = |e: postcard::Error| {
            ImportError::input(self.run.as_deref().unwrap_or(Path::new("")), format!("a damaged run: {e}"))
        };
        if !self.is_place() {
            return postcard::from_bytes(self.rest()).map_err(damaged);
        }
        let mut place = BarePlace::decode(self.rest()).map_err(damaged)?;
        Ok(ImportedRow {
            group: String::from_utf8_lossy(self.group()).into_owned(),
            file: self.file(),
            row: u64::from_le_bytes(field::<6, 8>(&self.bytes)),
            address: Some(place.address),
            unit: place.unit,
            parcel: place.parcel,
            building_use: None,
            origin: place.origin,
            plan: Vec::new(),
            spans_parcels: false,
            lot: Vec::new(),
            assessor: Box::new(place.assessor),
            permit: place.permits.pop(),
        })
    }
}

/// All rows of a [`RowSorter`].
pub(crate) struct SortedRows(Merge<Run>);

struct Run {
    source: Source,
    /// The beginning of the current row's group, and the row.
    prefix: u128,
    bytes: Vec<u8>,
}

enum Source {
    /// The rows, their places, and where the current one begins.
    Memory(Vec<u8>, std::vec::IntoIter<Slot>, usize),
    Disk(BufReader<File>, Rc<Path>),
}

impl Run {
    fn new(source: Source) -> Self {
        Self { source, prefix: 0, bytes: Vec::new() }
    }
}

impl SortedRun for Run {
    type Error = ImportError;

    fn advance(&mut self) -> Result<bool, ImportError> {
        match &mut self.source {
            Source::Memory(rows, slots, start) => {
                let Some(slot) = slots.next() else { return Ok(false) };
                *start = slot.start;
                self.bytes.clear();
                self.bytes.extend_from_slice(slot.of(rows));
            }
            Source::Disk(reader, path) => {
                let failed = |e| ImportError::read(path)(e);
                let mut length = [0; 4];
                if !read_head(reader, &mut length).map_err(failed)? {
                    return Ok(false);
                }
                self.bytes.resize(u32::from_le_bytes(length) as usize, 0);
                reader.read_exact(&mut self.bytes).map_err(failed)?;
            }
        }
        self.prefix = prefix(group(&self.bytes));
        Ok(true)
    }

    fn compare(&self, other: &Self) -> Ordering {
        self.prefix.cmp(&other.prefix).then_with(|| group(&self.bytes).cmp(group(&other.bytes)))
    }
}

impl SortedRows {
    /// Reads the next row over the last one; `false` at the end.
    pub fn read(&mut self, into: &mut SortedRow) -> Result<bool, ImportError> {
        let Some(run) = self.0.next()? else { return Ok(false) };
        std::mem::swap(&mut into.bytes, &mut run.bytes);
        (into.run, into.start) = match &run.source {
            Source::Disk(_, path) => (Some(Rc::clone(path)), None),
            Source::Memory(_, _, start) => (None, Some(*start)),
        };
        Ok(true)
    }

    /// A row that lies in memory, as [`SortedRow::place`] gives it, and where it lies.
    pub fn held(&mut self, row: &SortedRow) -> Option<(&mut [u8], usize)> {
        let start = row.start?;
        let range = start + HEAD + row.group().len()..start + row.bytes.len();
        Some((self.memory()?.get_mut(range.clone())?, range.start))
    }

    /// The rows in memory, once all are read.
    pub fn into_memory(mut self) -> Vec<u8> {
        self.memory().map(std::mem::take).unwrap_or_default()
    }

    fn memory(&mut self) -> Option<&mut Vec<u8>> {
        // Behind the runs on disk.
        self.0.runs_mut().last_mut().and_then(|run| match &mut run.source {
            Source::Memory(rows, ..) => Some(rows),
            Source::Disk(..) => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use shingle_domain::evidence::{Fact, Permit, PermitKind, Point, Polygon, Position};
    use shingle_domain::{Address, State, Zip};

    use super::*;

    fn row(n: u64) -> ImportedRow {
        let address = Address {
            street_number: n.to_string(),
            street_address: "Alder Court".to_owned(),
            city: "Harrow".to_owned(),
            state: State::parse("OH").unwrap(),
            zip: Zip::parse("43099").unwrap(),
        };
        let ring = [(0.0, 0.0), (n as f64 / 3.0, 0.0), (0.0, 7.1)].map(|(x, y)| Point { x, y });
        let mut row = ImportedRow {
            group: format!("p{}{}", "long-parcel-number-".repeat(n as usize % 3), n * 7 % 41),
            file: (n / 50) as u16,
            row: n,
            address: (!n.is_multiple_of(5)).then_some(address),
            unit: n.is_multiple_of(7).then(|| "3".to_owned()),
            parcel: (!n.is_multiple_of(3)).then(|| n.to_string()),
            building_use: n.is_multiple_of(11).then(|| "shed".to_owned()),
            origin: n.is_multiple_of(2).then_some(Position { longitude: -82.1, latitude: n as f64 / 7.0 }),
            plan: Vec::new(),
            spans_parcels: false,
            lot: Vec::new(),
            assessor: Default::default(),
            permit: None,
        };
        row.assessor.primary_owner = Some(Fact { value: format!("Owner {n}"), source: 0 });
        if n.is_multiple_of(6) {
            row.plan = vec![Polygon { exterior: ring.to_vec(), holes: Vec::new() }];
            row.spans_parcels = n.is_multiple_of(12);
        }
        if n.is_multiple_of(13) {
            let (kind, issued) = (PermitKind::Roof, "2020-01-02".to_owned());
            row.permit = Some(Permit { kind, issued, contractor: None, source: 0 });
        }
        row
    }

    #[test]
    fn rows_come_back_by_group_and_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let expected: Vec<ImportedRow> = (0..200).map(row).collect();
        for flushes in [0, 1, 4] {
            let mut sorter = RowSorter::new(folder.path(), Vec::new()).with_room(1 << 20);
            for (n, row) in (1..).zip(&expected) {
                assert!(!sorter.push(row, row.row).unwrap());
                if flushes > 0 && n % (200 / flushes) == 0 {
                    sorter.flush().unwrap();
                }
            }
            let mut sorted = sorter.into_sorted().unwrap();
            let mut by_group: Vec<&ImportedRow> = expected.iter().collect();
            by_group.sort_by_key(|row| (&row.group, row.file, row.row));
            let mut found = SortedRow::default();
            for row in by_group {
                assert!(sorted.read(&mut found).unwrap());
                assert_eq!((found.group(), found.file(), found.has()), (row.group.as_bytes(), row.file, row.row));
                assert_eq!(&found.decode().unwrap(), row);
                let is_bare = row.address.is_some() && row.plan.is_empty() && row.building_use.is_none();
                assert_eq!(found.is_place(), is_bare);
                if let Some((held, start)) = sorted.held(&found) {
                    assert_eq!(held, found.place());
                    assert_eq!(found.start.map(|at| at + HEAD + found.group().len()), Some(start));
                }
            }
            assert!(!sorted.read(&mut found).unwrap());
        }
    }
}
