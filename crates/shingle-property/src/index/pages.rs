//! The tables of an index file, written page by page in [SQLite's format](https://www.sqlite.org/fileformat2.html).
//!
//! SQLite makes the file and its empty tables, and makes the small indices afterwards. In between the rows come in
//! the order of their keys and never change, so every page is filled once and appended. An `INSERT` instead looks for
//! the place of each row in a tree of pages: that took half of the time of building.
//!
//! # Decision
//!
//! The tables are written page by page in SQLite's own format: rows arrive in key order and never change. SQLite
//! makes the empty tables before and the small indices after. Turned down: inserts, which look up a place for each
//! row and took half of the build time.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

/// Bytes of a page. Records are long: half as many pages as usual are begun, filled and found.
pub(super) const PAGE_SIZE: usize = 8_192;
/// SQLite locks bytes of this page, and nothing may be stored in it.
const LOCK_PAGE: u32 = (1 << 30) / PAGE_SIZE as u32 + 1;
/// Columns of an index of numbers: its rows are short enough for lengths of one byte.
const MAX_NUMBERS: usize = 6;
/// Where the first page of a file counts its pages.
const PAGE_COUNT: u64 = 28;

/// A file that pages are appended to.
pub(super) struct PageFile {
    file: BufWriter<File>,
    pages: u32,
    /// Written last: their places are taken since the schema was made.
    roots: Vec<(u32, Page)>,
}

impl PageFile {
    /// Opens a file that no SQLite connection has open.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let mut file = File::options().write(true).open(path)?;
        let pages = file.seek(SeekFrom::End(0))? / PAGE_SIZE as u64;
        let pages = u32::try_from(pages).map_err(io::Error::other)?;
        Ok(Self { file: BufWriter::with_capacity(1 << 17, file), pages, roots: Vec::new() })
    }

    /// Gives the page's number.
    fn append(&mut self, page: &[u8; PAGE_SIZE]) -> io::Result<u32> {
        if self.pages + 1 == LOCK_PAGE {
            self.file.write_all(&[0; PAGE_SIZE])?;
            self.pages += 1;
        }
        self.file.write_all(page)?;
        self.pages += 1;
        Ok(self.pages)
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        for (number, page) in &self.roots {
            self.file.seek(SeekFrom::Start(u64::from(number - 1) * PAGE_SIZE as u64))?;
            self.file.write_all(&*page.bytes)?;
        }
        self.file.seek(SeekFrom::Start(PAGE_COUNT))?;
        self.file.write_all(&self.pages.to_be_bytes())?;
        self.file.flush()
    }
}

/// What the pages of a tree hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Records by a number, all in the leaves.
    Table,
    /// Records that are keys themselves: of an index, or of a table `WITHOUT ROWID`.
    Index,
}

/// One table or index, filled in the order of its keys.
pub(super) struct Tree {
    kind: Kind,
    root: u32,
    /// The page that is being filled on each level, leaves first.
    levels: Vec<Page>,
    last_key: i64,
    cell: Vec<u8>,
}

/// A value of a row.
#[derive(Debug, Clone, Copy)]
pub(super) enum Value<'a> {
    /// The column that is the row's number: stored beside the record.
    Key,
    Number(i64),
    Text(&'a str),
    Blob(&'a [u8]),
}

impl Tree {
    /// The table whose first page is `root`.
    pub(super) fn table(root: u32) -> Self {
        Self::new(Kind::Table, root)
    }

    /// The index, or table `WITHOUT ROWID`, whose first page is `root`.
    pub(super) fn index(root: u32) -> Self {
        Self::new(Kind::Index, root)
    }

    fn new(kind: Kind, root: u32) -> Self {
        let levels = vec![Page::new(kind, true)];
        Self { kind, root, levels, last_key: i64::MIN, cell: Vec::new() }
    }

    /// Appends a row to a table. Keys grow.
    pub(super) fn push(&mut self, file: &mut PageFile, key: i64, row: &[Value<'_>]) -> io::Result<()> {
        debug_assert!(self.kind == Kind::Table && (self.last_key < key || self.last_key == i64::MIN));
        self.push_row(file, key, row)?;
        self.last_key = key;
        Ok(())
    }

    /// Appends a row of numbers to an index. Rows grow.
    pub(super) fn push_numbers<const WIDTH: usize>(
        &mut self,
        file: &mut PageFile,
        row: [i64; WIDTH],
    ) -> io::Result<()> {
        debug_assert!(self.kind == Kind::Index && WIDTH <= MAX_NUMBERS);
        // Each part is one byte or has a fixed place: nothing is measured first, and nothing copied twice.
        let mut cell = [0; 2 + 9 * MAX_NUMBERS];
        let mut len = 2 + WIDTH;
        for (at, n) in row.into_iter().enumerate() {
            let (kind, bytes) = width(n);
            cell[2 + at] = kind;
            // All eight bytes, of which the next number covers those that are not wanted.
            cell[len..len + 8].copy_from_slice(&n.unbounded_shl(64 - 8 * bytes as u32).to_be_bytes());
            len += bytes;
        }
        cell[0] = len as u8 - 1;
        cell[1] = WIDTH as u8 + 1;
        self.put(file, 0, &cell[..len])
    }

    fn push_row(&mut self, file: &mut PageFile, key: i64, row: &[Value<'_>]) -> io::Result<()> {
        let mut cell = std::mem::take(&mut self.cell);
        cell.clear();
        let record = record_len(row);
        varint(record as u64, &mut cell);
        if self.kind == Kind::Table {
            varint(key as u64, &mut cell);
        }
        let start = cell.len();
        encode(row, &mut cell);
        debug_assert_eq!(cell.len() - start, record);
        let here = self.kind.kept_in_cell(record);
        if here < record {
            // From the last page to the first: each names the one that follows it.
            let mut next = 0;
            for part in cell[start + here..].chunks(PAGE_SIZE - 4).rev() {
                let mut page = [0; PAGE_SIZE];
                page[..4].copy_from_slice(&u32::to_be_bytes(next));
                page[4..][..part.len()].copy_from_slice(part);
                next = file.append(&page)?;
            }
            cell.truncate(start + here);
            cell.extend_from_slice(&next.to_be_bytes());
        }
        self.put(file, 0, &cell)?;
        self.cell = cell;
        Ok(())
    }

    fn put(&mut self, file: &mut PageFile, level: usize, cell: &[u8]) -> io::Result<()> {
        if !self.levels[level].has_room(cell.len()) {
            self.close(file, level)?;
        }
        self.levels[level].put(cell);
        Ok(())
    }

    /// Appends a full page to the file, and informs the level above where it is and what parts it from the next one.
    fn close(&mut self, file: &mut PageFile, level: usize) -> io::Result<()> {
        let page = &mut self.levels[level];
        let mut cell = vec![0; 4];
        let mut right = None;
        if self.kind == Kind::Table && level == 0 {
            varint(self.last_key as u64, &mut cell);
        } else {
            let last = page.take_last();
            // Above the leaves a cell begins with the page below it: here that page is the last one.
            let (child, parting) = last.split_at(if level == 0 { 0 } else { 4 });
            right = child.first_chunk().map(|n| u32::from_be_bytes(*n));
            cell.extend_from_slice(parting);
        }
        page.write_header(right);
        cell[..4].copy_from_slice(&file.append(&page.bytes)?.to_be_bytes());
        page.clear();
        if self.levels.len() == level + 1 {
            self.levels.push(Page::new(self.kind, false));
        }
        self.put(file, level + 1, &cell)
    }

    /// Puts the last page of every level into the file. The topmost one becomes the root.
    pub(super) fn finish(self, file: &mut PageFile) -> io::Result<()> {
        let top = self.levels.len() - 1;
        let mut right = None;
        for (level, mut page) in self.levels.into_iter().enumerate() {
            page.write_header(right);
            if level < top {
                right = Some(file.append(&page.bytes)?);
            } else {
                file.roots.push((self.root, page));
            }
        }
        Ok(())
    }
}

impl Kind {
    /// The bytes of a record that stay in its cell. The rest goes to pages of its own.
    fn kept_in_cell(self, len: usize) -> usize {
        let most = match self {
            Self::Table => PAGE_SIZE - 35,
            Self::Index => (PAGE_SIZE - 12) * 64 / 255 - 23,
        };
        if len <= most {
            return len;
        }
        let least = (PAGE_SIZE - 12) * 32 / 255 - 23;
        let fitted = least + (len - least) % (PAGE_SIZE - 4);
        if fitted <= most { fitted } else { least }
    }
}

/// A page that is being filled: a header, the places of its cells in their order, and the cells, from the end.
struct Page {
    bytes: Box<[u8; PAGE_SIZE]>,
    kind: u8,
    header: usize,
    cells: usize,
    /// Where the last cell begins.
    content: usize,
}

impl Page {
    fn new(kind: Kind, is_leaf: bool) -> Self {
        let (kind, header) = match (kind, is_leaf) {
            (Kind::Index, false) => (0x02, 12),
            (Kind::Table, false) => (0x05, 12),
            (Kind::Index, true) => (0x0a, 8),
            (Kind::Table, true) => (0x0d, 8),
        };
        Self { bytes: Box::new([0; PAGE_SIZE]), kind, header, cells: 0, content: PAGE_SIZE }
    }

    /// What is in it is overwritten, by cells or by [`write_header`](Self::write_header).
    fn clear(&mut self) {
        (self.cells, self.content) = (0, PAGE_SIZE);
    }

    fn has_room(&self, len: usize) -> bool {
        self.header + 2 * (self.cells + 1) + len <= self.content
    }

    fn put(&mut self, cell: &[u8]) {
        self.content -= cell.len();
        self.bytes[self.content..][..cell.len()].copy_from_slice(cell);
        self.set(self.header + 2 * self.cells, self.content);
        self.cells += 1;
    }

    fn take_last(&mut self) -> Vec<u8> {
        self.cells -= 1;
        let at = self.header + 2 * self.cells;
        let end = match self.cells {
            0 => PAGE_SIZE,
            _ => usize::from(u16::from_be_bytes([self.bytes[at - 2], self.bytes[at - 1]])),
        };
        let cell = self.bytes[self.content..end].to_vec();
        self.content = end;
        cell
    }

    /// `right` is the page below that is behind all cells. Between header and cells nothing is left of earlier ones.
    fn write_header(&mut self, right: Option<u32>) {
        self.bytes[self.header + 2 * self.cells..self.content].fill(0);
        self.bytes[0] = self.kind;
        self.set(3, self.cells);
        self.set(5, self.content);
        if let Some(right) = right {
            self.bytes[8..12].copy_from_slice(&right.to_be_bytes());
        }
    }

    fn set(&mut self, at: usize, number: usize) {
        self.bytes[at..at + 2].copy_from_slice(&(number as u16).to_be_bytes());
    }
}

/// The bytes that [`encode`] takes for a row.
fn record_len(row: &[Value<'_>]) -> usize {
    let of = |value: &Value<'_>| match value {
        Value::Key => 1,
        Value::Number(n) => 1 + width(*n).1,
        Value::Text(text) => varint_len(text.len() as u64 * 2 + 13) + text.len(),
        Value::Blob(bytes) => varint_len(bytes.len() as u64 * 2 + 12) + bytes.len(),
    };
    1 + row.iter().map(of).sum::<usize>()
}

/// A row as SQLite stores it: what each value is, then the values.
fn encode(row: &[Value<'_>], to: &mut Vec<u8>) {
    let start = to.len();
    to.push(0);
    for value in row {
        match value {
            Value::Key => to.push(0),
            Value::Number(n) => to.push(width(*n).0),
            Value::Text(text) => varint(text.len() as u64 * 2 + 13, to),
            Value::Blob(bytes) => varint(bytes.len() as u64 * 2 + 12, to),
        }
    }
    // A row has a handful of columns: the length of this part is one byte.
    debug_assert!(to.len() - start < 128);
    to[start] = (to.len() - start) as u8;
    for value in row {
        match value {
            Value::Key => {}
            Value::Number(n) => to.extend_from_slice(&n.to_be_bytes()[8 - width(*n).1..]),
            Value::Text(text) => to.extend_from_slice(text.as_bytes()),
            Value::Blob(bytes) => to.extend_from_slice(bytes),
        }
    }
}

/// The type of a whole number, and the bytes that it takes.
fn width(n: i64) -> (u8, usize) {
    let bits = 65 - (n ^ n >> 63).leading_zeros();
    match (n, bits) {
        (0, _) => (8, 0),
        (1, _) => (9, 0),
        (_, ..=8) => (1, 1),
        (_, ..=16) => (2, 2),
        (_, ..=24) => (3, 3),
        (_, ..=32) => (4, 4),
        (_, ..=48) => (5, 6),
        _ => (6, 8),
    }
}

/// The bytes of a [`varint`].
fn varint_len(n: u64) -> usize {
    match 64 - n.leading_zeros() as usize {
        0 => 1,
        bits => bits.div_ceil(7).min(9),
    }
}

/// Seven bits a byte, the highest first; a ninth byte has eight.
fn varint(n: u64, to: &mut Vec<u8>) {
    if n < 0x80 {
        return to.push(n as u8);
    }
    let mut bytes = [0; 9];
    if n >> 56 != 0 {
        bytes[8] = n as u8;
        for (at, byte) in bytes[..8].iter_mut().rev().enumerate() {
            *byte = (n >> (8 + 7 * at)) as u8 | 0x80;
        }
        return to.extend_from_slice(&bytes);
    }
    let mut at = 8;
    bytes[at] = n as u8 & 0x7f;
    let mut rest = n >> 7;
    while rest > 0 {
        at -= 1;
        bytes[at] = rest as u8 | 0x80;
        rest >>= 7;
    }
    to.extend_from_slice(&bytes[at..]);
}

#[cfg(test)]
#[path = "pages_tests.rs"]
mod tests;
