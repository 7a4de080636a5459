//! Shapefiles: outlines in `.shp`, their attributes in `.dbf`, the projection in `.prj`.
//!
//! Records are cut by their own headers and parsed from a bounded slice, so that a hostile or broken record
//! costs one row: the general reader stops at the first one.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::error::ImportError;
use crate::format::cell;
use crate::format::charset::Charset;
use crate::format::columns::{distinct, locate, repeated};
use crate::format::file_note::FileNote;
use crate::format::file_problem::FileProblem;
use crate::format::source::{DeclaredCrs, Row, RowSource, Shape, Step};
use crate::format::unread_row::UnreadRow;

const HEADER: u64 = 100;
/// No outline of a building is larger; a whole city drawn as one shape is rejected.
const MAX_RECORD_BYTES: u64 = 16 * 1024 * 1024;

pub(crate) struct Shapefile {
    path: PathBuf,
    shp: BufReader<File>,
    /// `None` when there is no `.dbf` and no column is wanted.
    attributes: Option<DbfTable>,
    declared: DeclaredCrs,
    rows: u64,
    read: u64,
    buffer: Vec<u8>,
}

impl Shapefile {
    pub fn open(path: &Path, wanted: &[String], stated: Option<Charset>) -> Result<Self, ImportError> {
        refuse_lines(path)?;
        let attributes = match sibling(path, "dbf") {
            Some(dbf) => Some(DbfTable::open(&dbf, wanted, stated)?),
            None if wanted.is_empty() => None,
            None => {
                return Err(ImportError::input(path, FileProblem::NoDbf));
            }
        };
        let file = File::open(path).map_err(ImportError::read(path))?;
        let length = file.metadata().map_err(ImportError::read(path))?.len();
        let mut shp = BufReader::with_capacity(256 * 1024, file);
        let mut header = [0; HEADER as usize];
        shp.read_exact(&mut header).map_err(|_| ImportError::input(path, FileProblem::ShorterThanShapefile))?;
        let promised = u64::from(u32::from_be_bytes(array(&header, 24))) * 2;
        if promised > length {
            return Err(ImportError::input(path, FileProblem::ShorterThanPromised { promised, length }));
        }
        let rows = count_records(path, &mut shp, promised)?;
        if let Some(attributes) = attributes.as_ref().filter(|a| a.rows != rows) {
            let problem = FileProblem::OtherCount { rows, records: attributes.rows, dbf: attributes.path.clone() };
            return Err(ImportError::input(path, problem));
        }
        let declared = match sibling(path, "prj") {
            Some(prj) => {
                let mut bytes = Vec::new();
                let file = File::open(&prj).map_err(ImportError::read(&prj))?;
                file.take(256 * 1024).read_to_end(&mut bytes).map_err(ImportError::read(&prj))?;
                DeclaredCrs::Wkt(cell::decode(&bytes).into_owned())
            }
            None => {
                let edge = |at| f64::from_le_bytes(array(&header, at));
                let degrees = [36, 52].map(edge).iter().all(|x| x.abs() <= 180.0)
                    && [44, 60].map(edge).iter().all(|y| y.abs() <= 90.0);
                if degrees { DeclaredCrs::PerhapsDegrees } else { DeclaredCrs::Nothing }
            }
        };
        Ok(Self { path: path.to_owned(), shp, attributes, declared, rows, read: 0, buffer: Vec::new() })
    }
}

impl RowSource for Shapefile {
    fn next_row(&mut self, row: &mut Row) -> Result<Step, ImportError> {
        if self.read == self.rows {
            return Ok(Step::End);
        }
        self.read += 1;
        let mut header = [0; 8];
        self.shp.read_exact(&mut header).map_err(ImportError::read(&self.path))?;
        let length = u64::from(u32::from_be_bytes(array(&header, 4))) * 2;
        let attributes = self.attributes.as_mut().map_or(Ok(Step::Row), |a| a.next_row(row))?;
        row.shape = Shape::None;
        if length > MAX_RECORD_BYTES {
            self.shp.seek_relative(length as i64).map_err(ImportError::read(&self.path))?;
            return Ok(Step::Bad(UnreadRow::ShapeTooLarge { megabytes: length / 1_000_000 }));
        }
        self.buffer.resize(length as usize, 0);
        self.shp.read_exact(&mut self.buffer).map_err(ImportError::read(&self.path))?;
        match (parse(&self.buffer), attributes) {
            (_, Step::Bad(reason)) => return Ok(Step::Bad(reason)),
            (Err(reason), _) => return Ok(Step::Bad(reason)),
            (Ok(shape), _) => row.shape = shape,
        }
        Ok(Step::Row)
    }

    fn declared(&self) -> DeclaredCrs {
        self.declared.clone()
    }

    fn rows(&self) -> Option<u64> {
        Some(self.rows)
    }

    fn header(&self) -> &[String] {
        self.attributes.as_ref().map_or(&[], |table| &table.names)
    }

    fn told(&self) -> Vec<FileNote> {
        self.attributes.as_ref().map(DbfTable::told).unwrap_or_default()
    }
}

/// Reads the record headers only, and leaves the reader at the first record.
fn count_records(path: &Path, shp: &mut BufReader<File>, end: u64) -> Result<u64, ImportError> {
    let (mut at, mut count) = (HEADER, 0);
    while at < end {
        let mut header = [0; 8];
        shp.read_exact(&mut header)
            .map_err(|_| ImportError::input(path, FileProblem::EndsInRecord { record: count + 1 }))?;
        let length = u64::from(u32::from_be_bytes(array(&header, 4))) * 2;
        at += 8 + length;
        count += 1;
        if at > end {
            return Err(ImportError::input(path, FileProblem::RecordBeyondEnd { count }));
        }
        shp.seek_relative(length as i64).map_err(ImportError::read(path))?;
    }
    shp.seek(SeekFrom::Start(HEADER)).map_err(ImportError::read(path))?;
    Ok(count)
}

fn parse(record: &[u8]) -> Result<Shape, UnreadRow> {
    let float = |at: usize| -> Option<f64> { Some(f64::from_le_bytes(record.get(at..at + 8)?.try_into().ok()?)) };
    let int = |at: usize| -> Option<usize> {
        usize::try_from(i32::from_le_bytes(record.get(at..at + 4)?.try_into().ok()?)).ok()
    };
    let broken = || UnreadRow::ShapeDamaged;
    match int(0).ok_or_else(broken)? {
        0 => Ok(Shape::None),
        1 | 11 | 21 => Ok(Shape::Point(float(4).ok_or_else(broken)?, float(12).ok_or_else(broken)?)),
        5 | 15 | 25 => {
            let (parts, points) = (int(36).ok_or_else(broken)?, int(40).ok_or_else(broken)?);
            let first_point = parts.checked_mul(4).map(|p| p + 44).ok_or_else(broken)?;
            let end = points.checked_mul(16).and_then(|p| p.checked_add(first_point)).ok_or_else(broken)?;
            if end > record.len() {
                return Err(broken());
            }
            let mut rings = Vec::with_capacity(parts);
            for part in 0..parts {
                let from = int(44 + part * 4).ok_or_else(broken)?;
                let to = if part + 1 < parts { int(48 + part * 4).ok_or_else(broken)? } else { points };
                if from > to || to > points {
                    return Err(broken());
                }
                let point = |i: usize| Some((float(first_point + i * 16)?, float(first_point + i * 16 + 8)?));
                rings.push((from..to).map(point).collect::<Option<Vec<_>>>().ok_or_else(broken)?);
            }
            Ok(Shape::Rings(rings))
        }
        3 | 13 | 23 => Err(UnreadRow::Line),
        8 | 18 | 28 => Err(UnreadRow::Cloud),
        31 => Err(UnreadRow::Multipatch),
        other => Err(UnreadRow::OtherShape { other: other as u64 }),
    }
}

/// A whole file of lines is refused by name, before a column of it is missed.
fn refuse_lines(path: &Path) -> Result<(), ImportError> {
    let mut header = [0; HEADER as usize];
    let mut file = File::open(path).map_err(ImportError::read(path))?;
    let is_lines =
        file.read_exact(&mut header).is_ok() && matches!(i32::from_le_bytes(array(&header, 32)), 3 | 13 | 23);
    if !is_lines {
        return Ok(());
    }
    let columns = sibling(path, "dbf").and_then(|dbf| DbfTable::open(&dbf, &[], None).ok()).map(|dbf| dbf.names);
    let has = |name: &str| columns.iter().flatten().any(|c| c.eq_ignore_ascii_case(name));
    Err(ImportError::input(
        path,
        if has("LFROMHN") || has("LFROMADD") {
            FileProblem::AddressRanges
        } else if has("LINEARID") || has("TLID") {
            FileProblem::Roads
        } else {
            FileProblem::Lines
        },
    ))
}

/// A dBASE table on its own, or beside its shapes.
pub(crate) struct DbfTable {
    path: PathBuf,
    reader: BufReader<File>,
    /// Offset, width and type of every wanted column.
    at: Vec<(usize, usize, u8)>,
    names: Vec<String>,
    record: Vec<u8>,
    rows: u64,
    read: u64,
    text: DbfText,
    notes: Vec<FileNote>,
}

/// The encoding of a table's text.
struct DbfText {
    /// As the mapping says it, else the file `.cpg` beside the table, else its header.
    stated: Option<Charset>,
    /// Cells were met that are UTF-8 and nothing else.
    is_utf_8: bool,
}

impl DbfText {
    fn of(path: &Path, language: u8, stated: Option<Charset>) -> Self {
        let beside = || {
            let mut name = String::new();
            File::open(sibling(path, "cpg")?).ok()?.take(64).read_to_string(&mut name).ok()?;
            Charset::named(&name)
        };
        Self { stated: stated.or_else(beside).or_else(|| Charset::of_dbase(language)), is_utf_8: false }
    }

    /// A cell, and whether its encoding was guessed. `is_full`: its text fills the field, so a letter may be cut in two.
    fn decode<'c>(&mut self, bytes: &'c [u8], is_full: bool) -> (Cow<'c, str>, bool) {
        if bytes.is_ascii() {
            return (String::from_utf8_lossy(bytes), false);
        }
        if let Some(charset) = self.stated.filter(|charset| !charset.is_utf_8()) {
            return (charset.decode(bytes), false);
        }
        let is_stated = self.stated.is_some();
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                self.is_utf_8 = true;
                (Cow::Borrowed(text), false)
            }
            Err(e) => {
                let (whole, half) = bytes.split_at(e.valid_up_to());
                let is_half = is_full && e.error_len().is_none() && half.len() < 4;
                let is_known = is_stated || self.is_utf_8 || !whole.is_ascii();
                match std::str::from_utf8(whole) {
                    Ok(whole) if is_half && is_known => (Cow::Borrowed(whole), false),
                    _ => (cell::decode(bytes), true),
                }
            }
        }
    }
}

impl DbfTable {
    pub fn open(path: &Path, wanted: &[String], stated: Option<Charset>) -> Result<Self, ImportError> {
        let file = File::open(path).map_err(ImportError::read(path))?;
        let length = file.metadata().map_err(ImportError::read(path))?.len();
        let mut reader = BufReader::with_capacity(256 * 1024, file);
        let mut head = [0; 32];
        reader.read_exact(&mut head).map_err(|_| ImportError::input(path, FileProblem::ShorterThanDbf))?;
        let rows = u64::from(u32::from_le_bytes(array(&head, 4)));
        let header = u16::from_le_bytes(array(&head, 8)) as usize;
        let width = u16::from_le_bytes(array(&head, 10)) as usize;
        if header < 33 || width < 1 {
            return Err(ImportError::input(path, FileProblem::DbfHeader));
        }
        let needed = header as u64 + rows * width as u64;
        if needed > length {
            let held = length.saturating_sub(header as u64) / width as u64;
            return Err(ImportError::input(path, FileProblem::FewerRecords { rows, held }));
        }
        let mut fields = vec![0; header - 32];
        reader.read_exact(&mut fields).map_err(ImportError::read(path))?;
        let mut text = DbfText::of(path, head[29], stated);
        let mut names = Vec::new();
        let mut places = Vec::new();
        let mut at = 1;
        for field in fields.chunks_exact(32).take_while(|f| f[0] != 0x0d) {
            let name = field[..11].split(|b| *b == 0).next().unwrap_or_default();
            let length = field[16] as usize;
            names.push(cell::tidy(&text.decode(name, name.len() > 9).0));
            places.push((at, length, field[11]));
            at += length;
        }
        if at > width {
            return Err(ImportError::input(path, FileProblem::DbfFields));
        }
        let names = distinct(names);
        let at = locate(path, wanted, &names)?;
        let notes = repeated(&at, &names);
        let at = at.into_iter().map(|i| places[i]).collect();
        Ok(Self { path: path.to_owned(), reader, at, names, record: vec![0; width], rows, read: 0, text, notes })
    }
}

impl RowSource for DbfTable {
    fn next_row(&mut self, row: &mut Row) -> Result<Step, ImportError> {
        if self.read == self.rows {
            return Ok(Step::End);
        }
        self.read += 1;
        row.shape = Shape::None;
        self.reader.read_exact(&mut self.record).map_err(ImportError::read(&self.path))?;
        row.was_guessed = false;
        row.cells.resize(self.at.len(), String::new());
        for (cell, &(from, width, kind)) in row.cells.iter_mut().zip(&self.at) {
            let bytes = &self.record[from..from + width];
            // Some writers pad with NUL, some leave old text after it.
            let bytes = bytes.split(|b| *b == 0).next().unwrap_or_default().trim_ascii();
            cell.clear();
            match (kind, bytes) {
                (b'D', [y1, y2, y3, y4, m1, m2, d1, d2]) => {
                    cell.extend([*y1, *y2, *y3, *y4, b'-', *m1, *m2, b'-', *d1, *d2].map(char::from));
                }
                (b'L', b"?") => {}
                // Asterisks fill a number that did not fit.
                (b'N' | b'F', b) if b.contains(&b'*') => {}
                _ => {
                    let is_full = !matches!(self.record.get(from + width - 1), None | Some(0 | b' '));
                    let (text, was_guessed) = self.text.decode(bytes, is_full);
                    row.was_guessed |= was_guessed;
                    cell.push_str(&cell::tidy(&text));
                }
            }
        }
        if self.record[0] == b'*' { Ok(Step::Bad(UnreadRow::Deleted)) } else { Ok(Step::Row) }
    }

    fn declared(&self) -> DeclaredCrs {
        DeclaredCrs::Table
    }

    fn rows(&self) -> Option<u64> {
        Some(self.rows)
    }

    fn header(&self) -> &[String] {
        &self.names
    }

    fn told(&self) -> Vec<FileNote> {
        self.notes.clone()
    }
}

/// dBASE has no magic number; its header must make sense as a whole.
pub(crate) fn is_dbf(head: &[u8], length: u64) -> bool {
    let Some(&[version, _, month, day]) = head.first_chunk::<4>() else { return false };
    if head.len() < 65 || !matches!(version, 0x03 | 0x30 | 0x83 | 0x8b | 0xf5) || month > 12 || day > 31 {
        return false;
    }
    let header = u64::from(u16::from_le_bytes(array(head, 8)));
    let name_starts = head[32].is_ascii_alphabetic() || head[32] == b'_';
    header >= 65 && header <= length && name_starts && matches!(head[43], b'A'..=b'Z' | b'@' | b'+')
}

/// The file beside it with another ending, in whatever case.
pub(crate) fn sibling(path: &Path, ending: &str) -> Option<PathBuf> {
    let stem = path.file_stem()?;
    let exact = path.with_extension(ending);
    if exact.is_file() {
        return Some(exact);
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::read_dir(folder).ok()?.filter_map(Result::ok).map(|e| e.path()).find(|p| {
        p.file_stem().is_some_and(|s| s.eq_ignore_ascii_case(stem))
            && p.extension().is_some_and(|e| e.eq_ignore_ascii_case(ending))
    })
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes.get(at..at + N).and_then(|b| b.try_into().ok()).unwrap_or([0; N])
}
