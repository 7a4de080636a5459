//! A row of a table by its number, read from its page without SQLite.
//!
//! A look-up of a home reads two rows of each data set. Which page has a row is in memory, four bytes for each page of rows,
//! so a row is one read of one page. Rows are sealed with their number: a page in the wrong place is a row that is missing or
//! malformed. The format is SQLite's: <https://www.sqlite.org/fileformat2.html>.
//!
//! # Decision
//!
//! Turned down: asking SQLite. What it does around a page (a statement, a connection, a place in its cache) costs more than
//! the page, also where all pages are in its cache: a look-up took 1.4 times the processor time among a million homes in
//! 150 files, and 1.2 times among ten thousand. It takes a second open file for each file of the index.

use std::cell::RefCell;
use std::fs::File;
use std::io;

use super::packed::Malformed;

/// Of a page of rows, and of one that leads to them.
const LEAF: u8 = 0x0d;
const INNER: u8 = 0x05;
/// Pages above each other: a table of four billion rows has fewer.
const MAX_DEPTH: usize = 8;
/// A row that is longer is damaged.
const MAX_ROW: usize = 64 << 20;
/// In front of what the first page holds.
const FILE_HEADER: usize = 100;

/// The rows of the homes of a file.
pub(super) struct HomeRows {
    pages: Pages,
    blocks: NumberedRows,
    key_lists: NumberedRows,
}

impl HomeRows {
    /// Given the first page of each table.
    pub fn open(file: File, blocks: u32, key_lists: u32) -> Result<Self, Unreadable> {
        let pages = Pages::of(file)?;
        let (blocks, key_lists) = (pages.table(blocks)?, pages.table(key_lists)?);
        Ok(Self { pages, blocks, key_lists })
    }

    /// What is made of a block.
    pub fn block<T>(&self, id: i64, read: impl FnOnce(&[u8]) -> Result<T, Malformed>) -> Result<Option<T>, Unreadable> {
        self.pages.blob(&self.blocks, id, read)
    }

    /// What is made of a list of keys.
    pub fn key_list<T>(
        &self,
        id: i64,
        read: impl FnOnce(&[u8]) -> Result<T, Malformed>,
    ) -> Result<Option<T>, Unreadable> {
        self.pages.blob(&self.key_lists, id, read)
    }
}

/// Why a row cannot be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unreadable {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Malformed(#[from] Malformed),
}

/// The pages of a file.
struct Pages {
    file: File,
    size: usize,
    count: u64,
}

/// Where the rows of a table are.
struct NumberedRows {
    /// The last row of each of its pages, in order; that of the last page is not known.
    ends: Box<[u32]>,
    /// Pages that follow each other in the file: the first of them among `ends`, and its number.
    runs: Box<[(u32, u32)]>,
}

thread_local! {
    /// A page, and a row that is longer.
    static READ: RefCell<(Vec<u8>, Vec<u8>)> = const { RefCell::new((Vec::new(), Vec::new())) };
}

impl Pages {
    fn of(file: File) -> Result<Self, Unreadable> {
        let mut header = [0; FILE_HEADER];
        read_at(&file, 0, &mut header)?;
        let size = match u16::from_be_bytes([header[16], header[17]]) {
            1 => 1 << 16,
            size => usize::from(size),
        };
        // Nothing is kept behind the rows of a page.
        if size < 512 || !size.is_power_of_two() || header[20] != 0 {
            return Err(Malformed.into());
        }
        let count = file.metadata()?.len() / size as u64;
        Ok(Self { file, size, count })
    }

    fn read(&self, page: u32, into: &mut Vec<u8>) -> Result<(), Unreadable> {
        let before = page.checked_sub(1).ok_or(Malformed)?;
        into.resize(self.size, 0);
        Ok(read_at(&self.file, u64::from(before) * self.size as u64, into)?)
    }

    /// Finds the pages of a table, given its first. All its rows are equally deep.
    fn table(&self, root: u32) -> Result<NumberedRows, Unreadable> {
        let (mut level, mut bytes) = (vec![(root, u32::MAX)], Vec::new());
        for _ in 0..MAX_DEPTH {
            let Some((first, _)) = level.first() else { break };
            self.read(*first, &mut bytes)?;
            if Page::of(&bytes, *first)?.kind == LEAF {
                return Ok(NumberedRows::of(&level));
            }
            let mut below = Vec::new();
            for (page, end) in level {
                self.read(page, &mut bytes)?;
                Page::of(&bytes, page)?.below(end, &mut below)?;
                if below.len() as u64 > self.count {
                    return Err(Malformed.into());
                }
            }
            level = below;
        }
        Err(Malformed.into())
    }

    /// What is made of the blob of a row, which is all it has beside its number.
    fn blob<T>(
        &self,
        table: &NumberedRows,
        row: i64,
        read: impl FnOnce(&[u8]) -> Result<T, Malformed>,
    ) -> Result<Option<T>, Unreadable> {
        let Some(page) = u32::try_from(row).ok().and_then(|row| table.page_of(row)) else { return Ok(None) };
        READ.with_borrow_mut(|(bytes, long)| {
            self.read(page, bytes)?;
            let Some((length, mut cell)) = Page::of(bytes, page)?.row(row)? else { return Ok(None) };
            let here = self.length_here(length);
            if length > MAX_ROW {
                return Err(Malformed.into());
            }
            let record = if here == length {
                cell.take(length)?
            } else {
                long.clear();
                long.extend_from_slice(cell.take(here)?);
                let mut next = cell.u32()?;
                while long.len() < length {
                    self.read(next, bytes)?;
                    let mut more = Cell(bytes);
                    next = more.u32()?;
                    long.extend_from_slice(more.take((length - long.len()).min(self.size - 4))?);
                }
                long
            };
            Ok(Some(read(blob_of(record)?)?))
        })
    }

    /// How much of a row lies in its page, and not in pages of its own.
    fn length_here(&self, length: usize) -> usize {
        let (most, least) = (self.size - 35, (self.size - 12) * 32 / 255 - 23);
        if length <= most {
            return length;
        }
        let rest = least + (length - least) % (self.size - 4);
        if rest <= most { rest } else { least }
    }
}

impl NumberedRows {
    /// Of pages, each with the number of its last row.
    fn of(leaves: &[(u32, u32)]) -> Self {
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for (at, (page, _)) in (0..).zip(leaves) {
            if runs.last().is_none_or(|(first, of)| of.checked_add(at - first) != Some(*page)) {
                runs.push((at, *page));
            }
        }
        Self { ends: leaves.iter().map(|(_, end)| *end).collect(), runs: runs.into() }
    }

    fn page_of(&self, row: u32) -> Option<u32> {
        let at = u32::try_from(self.ends.partition_point(|end| *end < row)).ok()?;
        let run = self.runs.partition_point(|(first, _)| *first <= at).checked_sub(1)?;
        let (first, page) = self.runs[run];
        page.checked_add(at - first)
    }
}

/// A record of two columns, of which the first is its number and so is kept elsewhere.
fn blob_of(record: &[u8]) -> Result<&[u8], Malformed> {
    let mut cell = Cell(record);
    let header = usize::try_from(cell.varint()?).map_err(|_| Malformed)?;
    let number = cell.varint()?;
    let kind = cell.varint()?;
    let is_blob = kind >= 12 && kind % 2 == 0;
    if number != 0 || !is_blob || header != record.len() - cell.0.len() || cell.0.len() as u64 != (kind - 12) / 2 {
        return Err(Malformed);
    }
    Ok(cell.0)
}

struct Page<'b> {
    bytes: &'b [u8],
    kind: u8,
    cells: usize,
    /// Of what it says about itself, and of the list of its cells.
    start: usize,
    list: usize,
}

impl<'b> Page<'b> {
    fn of(bytes: &'b [u8], number: u32) -> Result<Self, Malformed> {
        let start = if number == 1 { FILE_HEADER } else { 0 };
        let kind = *bytes.get(start).ok_or(Malformed)?;
        let list = start
            + match kind {
                LEAF => 8,
                INNER => 12,
                _ => return Err(Malformed),
            };
        let cells = usize::from(short(bytes, start + 3)?);
        Ok(Self { bytes, kind, cells, start, list })
    }

    fn cell(&self, at: usize) -> Result<Cell<'b>, Malformed> {
        let from = short(self.bytes, self.list + 2 * at)?;
        self.bytes.get(usize::from(from)..).map(Cell).ok_or(Malformed)
    }

    /// The pages that it leads to, each with the number of its last row; that of the last is known from above.
    fn below(&self, end: u32, found: &mut Vec<(u32, u32)>) -> Result<(), Malformed> {
        if self.kind != INNER {
            return Err(Malformed);
        }
        for at in 0..self.cells {
            let mut cell = self.cell(at)?;
            let page = cell.u32()?;
            found.push((page, u32::try_from(cell.varint()?).map_err(|_| Malformed)?));
        }
        let last = self.bytes.get(self.start + 8..).ok_or(Malformed)?;
        found.push((Cell(last).u32()?, end));
        Ok(())
    }

    /// The length of a row, and where it begins.
    fn row(&self, row: i64) -> Result<Option<(usize, Cell<'b>)>, Malformed> {
        if self.kind != LEAF {
            return Err(Malformed);
        }
        let (mut from, mut to) = (0, self.cells);
        while from < to {
            let middle = from.midpoint(to);
            let mut cell = self.cell(middle)?;
            let length = usize::try_from(cell.varint()?).map_err(|_| Malformed)?;
            match cell.varint()?.cast_signed().cmp(&row) {
                std::cmp::Ordering::Less => from = middle + 1,
                std::cmp::Ordering::Greater => to = middle,
                std::cmp::Ordering::Equal => return Ok(Some((length, cell))),
            }
        }
        Ok(None)
    }
}

fn short(bytes: &[u8], at: usize) -> Result<u16, Malformed> {
    let two = bytes.get(at..at + 2).and_then(|two| two.try_into().ok()).ok_or(Malformed)?;
    Ok(u16::from_be_bytes(two))
}

/// Read from its front.
struct Cell<'b>(&'b [u8]);

impl<'b> Cell<'b> {
    fn take(&mut self, count: usize) -> Result<&'b [u8], Malformed> {
        let (first, rest) = self.0.split_at_checked(count).ok_or(Malformed)?;
        self.0 = rest;
        Ok(first)
    }

    fn u32(&mut self) -> Result<u32, Malformed> {
        Ok(u32::from_be_bytes(self.take(4)?.try_into().map_err(|_| Malformed)?))
    }

    /// Seven bits a byte, the highest first; all eight of a ninth.
    fn varint(&mut self) -> Result<u64, Malformed> {
        let mut n = 0;
        for _ in 0..8 {
            let byte = self.take(1)?[0];
            n = n << 7 | u64::from(byte & 0x7f);
            if byte < 0x80 {
                return Ok(n);
            }
        }
        Ok(n << 8 | u64::from(self.take(1)?[0]))
    }
}

#[cfg(unix)]
fn read_at(file: &File, at: u64, into: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, into, at)
}

#[cfg(windows)]
fn read_at(file: &File, mut at: u64, mut into: &mut [u8]) -> io::Result<()> {
    while !into.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, into, at)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        (at, into) = (at + read as u64, &mut into[read..]);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::{Seek, SeekFrom, Write};
    use std::path::Path;

    use rusqlite::Connection;

    use super::super::packed::{RowId, seal, unseal};
    use super::*;

    const SIZES: [usize; 5] = [512, 1_024, 4_096, 8_192, 65_536];

    /// Row `n` for all numbers of which `has` is true, some longer than a page.
    fn written(path: &Path, size: usize, rows: i64, has: fn(i64) -> bool) -> u32 {
        let connection = Connection::open(path).unwrap();
        connection.pragma_update(None, "page_size", size as i64).unwrap();
        let tables = "CREATE TABLE other (id INTEGER PRIMARY KEY, of BLOB); CREATE TABLE block (id INTEGER PRIMARY KEY, of BLOB);";
        connection.execute_batch(tables).unwrap();
        connection.execute_batch("BEGIN").unwrap();
        for n in (0..rows).filter(|n| has(*n)) {
            connection.execute("INSERT INTO block VALUES (?1, ?2)", (n, blob(n))).unwrap();
            connection.execute("INSERT INTO other VALUES (?1, ?2)", (n, vec![1; 20])).unwrap();
        }
        connection.execute_batch("COMMIT").unwrap();
        connection.query_row("SELECT rootpage FROM sqlite_schema WHERE name = 'block'", (), |row| row.get(0)).unwrap()
    }

    fn blob(n: i64) -> Vec<u8> {
        let length = if n % 50 == 7 { 20_000 + n * 13 } else { n * n % 700 };
        seal((0..length).map(|at| (at * 7 + n) as u8).collect(), RowId(n))
    }

    #[test]
    fn every_row_of_a_table_is_read_and_no_other() {
        for size in SIZES {
            for (rows, has) in
                [(0, (|_| true) as fn(i64) -> bool), (1, |_| true), (900, |_| true), (900, |n| n % 3 > 0)]
            {
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join("rows.sqlite");
                let root = written(&path, size, rows, has);
                let pages = Pages::of(File::open(&path).unwrap()).unwrap();
                let table = pages.table(root).unwrap();
                for n in -2..rows + 9 {
                    let found = pages.blob(&table, n, |bytes| Ok(bytes.to_vec())).unwrap();
                    assert_eq!(
                        found,
                        (n >= 0 && n < rows && has(n)).then(|| blob(n)),
                        "{n} of {rows}, pages of {size}"
                    );
                }
                for n in [i64::MIN, i64::MAX, 1 << 32, (1 << 32) - 1] {
                    assert_eq!(pages.blob(&table, n, |_| Ok(())).unwrap(), None);
                }
            }
        }
    }

    #[test]
    fn a_changed_byte_or_a_file_cut_short_gives_the_row_or_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.sqlite");
        let rows = 50;
        let root = written(&path, 1_024, rows, |_| true);
        let sound = std::fs::read(&path).unwrap();
        let mut file = File::options().write(true).open(&path).unwrap();
        let (mut told, mut missing) = (0, 0);
        let mut ask = |at: usize| {
            let (pages, n) = (Pages::of(File::open(&path).unwrap()), at as i64 % rows);
            let found = pages.and_then(|pages| {
                let table = pages.table(root)?;
                pages.blob(&table, n, |bytes| Ok(unseal(bytes, RowId(n))?.0.to_vec()))
            });
            match found {
                Ok(Some(found)) => assert_eq!(seal(found, RowId(n)), blob(n), "byte {at}"),
                Ok(None) => missing += 1,
                Err(_) => told += 1,
            }
        };
        for at in (0..sound.len()).step_by(17) {
            let mut write = |byte: u8| {
                file.seek(SeekFrom::Start(at as u64)).unwrap();
                file.write_all(&[byte]).unwrap();
            };
            write(sound[at] ^ 1 << (at % 8));
            ask(at);
            write(sound[at]);
        }
        for length in (0..sound.len()).rev().step_by(977) {
            file.set_len(length as u64).unwrap();
            ask(length);
        }
        assert!(told > 20, "{told} were told, in {missing} a row was missing");
    }
}
