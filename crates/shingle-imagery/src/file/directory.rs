//! The directories of a TIFF or BigTIFF file: which tags a page has, and where their values are. Values stay in the file
//! until they are asked for.
//!
//! ## Decision
//!
//! Written here instead of taken from the crate `tiff` 0.11.3. Its decoder parses the first page as a whole when it opens
//! a file: the tables of offsets become 32 bytes for each number, under limits that can be set only afterwards, and a
//! page it does not like (no photometric tag, tables that are longer than needed, mixed sample formats) cannot be opened
//! at all. Blocks that are left out (`SPARSE_OK` of GDAL), planes of JPEG, and colors of JPEG that differ from what its
//! own header says are not readable through it, so blocks had to be read here in any case; the directory is what would
//! have been left. The codecs are the crates that `tiff` uses.

use std::collections::BTreeSet;

use super::bytes::Bytes;
use crate::error::ImageryError;

/// More pages than that are a mistake.
const MOST_PAGES: usize = 256;
const MOST_ENTRIES: u64 = 4_096;
/// Of a tag that is read as a whole.
const MOST_VALUE_BYTES: u64 = 4 << 20;

#[derive(Debug)]
pub struct Tiff {
    bytes: Bytes,
    big_endian: bool,
    big: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry {
    tag: u16,
    kind: u16,
    pub count: u64,
    /// Where the first value is.
    at: u64,
}

#[derive(Debug, Default)]
pub struct Directory {
    entries: Vec<Entry>,
}

impl Directory {
    pub fn entry(&self, tag: u16) -> Option<Entry> {
        self.entries.iter().find(|entry| entry.tag == tag).copied()
    }
}

impl Tiff {
    /// The file and its pages in their order.
    pub fn open(bytes: Bytes) -> Result<(Self, Vec<Directory>), ImageryError> {
        let start = bytes.read(0, 8.min(bytes.length()), "the header")?;
        let big_endian = match start.get(..2) {
            Some(b"II") => false,
            Some(b"MM") => true,
            _ => return Err(ImageryError::NotTiff),
        };
        let mut tiff = Self { bytes, big_endian, big: false };
        if start.len() < 8 {
            return Err(ImageryError::CutOff { what: "the header", at: 8, length: tiff.bytes.length() });
        }
        let first = match (tiff.number(&start[2..4]), tiff.number(&start[4..6]), tiff.number(&start[6..8])) {
            (42, ..) => tiff.number(&start[4..8]),
            (43, 8, 0) => {
                tiff.big = true;
                tiff.number(&tiff.bytes.read(8, 8, "the header")?)
            }
            _ => return Err(ImageryError::NotTiff),
        };
        let pages = tiff.pages(first)?;
        Ok((tiff, pages))
    }

    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    pub fn big_endian(&self) -> bool {
        self.big_endian
    }

    /// An unsigned number of up to eight bytes.
    fn number(&self, bytes: &[u8]) -> u64 {
        let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        if self.big_endian { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) }
    }

    fn pages(&self, first: u64) -> Result<Vec<Directory>, ImageryError> {
        let (mut pages, mut seen, mut at) = (Vec::new(), BTreeSet::new(), first);
        while at != 0 && pages.len() < MOST_PAGES && seen.insert(at) {
            match self.directory(at) {
                Ok((directory, next)) => {
                    pages.push(directory);
                    at = next;
                }
                // The first page is enough.
                Err(_) if !pages.is_empty() => break,
                Err(why) => return Err(why),
            }
        }
        if pages.is_empty() {
            return Err(ImageryError::Damaged("it has no page"));
        }
        Ok(pages)
    }

    fn directory(&self, at: u64) -> Result<(Directory, u64), ImageryError> {
        let what = "a directory of pages";
        let (head, size, field) = if self.big { (8, 20, 8) } else { (2, 12, 4) };
        let count = self.number(&self.bytes.read(at, head, what)?);
        if count > MOST_ENTRIES {
            return Err(ImageryError::Damaged("a page has more tags than there are"));
        }
        let body = self.bytes.read(at + head, count * size + field, what)?;
        let mut entries = Vec::new();
        let size = usize::try_from(size).unwrap_or(0);
        for (i, entry) in body.chunks_exact(size).enumerate() {
            let (tag, kind) = (self.number(&entry[..2]), self.number(&entry[2..4]));
            let (count, value) = entry[4..].split_at((size - 4) / 2);
            let count = self.number(count);
            #[allow(clippy::cast_possible_truncation, reason = "read from two bytes")]
            let (tag, kind) = (tag as u16, kind as u16);
            let Some(length) = size_of(kind).and_then(|one| one.checked_mul(count)) else { continue };
            let field_at = at + head + (i * size + 4 + (size - 4) / 2) as u64;
            let at = if length <= field { field_at } else { self.number(value) };
            entries.push(Entry { tag, kind, count, at });
        }
        let next = self.number(&body[entries_end(&body, size)..]);
        Ok((Directory { entries }, next))
    }

    /// One value of a table.
    pub fn at(&self, entry: &Entry, index: u64) -> Result<u64, ImageryError> {
        let size = size_of(entry.kind).unwrap_or(1);
        if index >= entry.count || entry.kind == ASCII {
            return Err(ImageryError::Damaged("a table of the picture is too short"));
        }
        let at = index.checked_mul(size).and_then(|skip| entry.at.checked_add(skip));
        let at = at.ok_or(ImageryError::Damaged("a table lies beyond the end"))?;
        let bytes = self.bytes.read(at, size, "a table of the picture")?;
        Ok(match entry.kind {
            FLOAT | DOUBLE | RATIONAL | SRATIONAL => return Err(ImageryError::Damaged("a table holds fractions")),
            _ => self.number(&bytes),
        })
    }

    fn raw(&self, entry: &Entry) -> Result<Vec<u8>, ImageryError> {
        let length = size_of(entry.kind).and_then(|one| one.checked_mul(entry.count));
        match length {
            Some(length) if length <= MOST_VALUE_BYTES => self.bytes.read(entry.at, length, "the value of a tag"),
            _ => Err(ImageryError::Damaged("a tag is too long")),
        }
    }

    pub fn blob(&self, page: &Directory, tag: u16) -> Result<Option<Vec<u8>>, ImageryError> {
        page.entry(tag).map(|entry| self.raw(&entry)).transpose()
    }

    pub fn text(&self, page: &Directory, tag: u16) -> Result<Option<String>, ImageryError> {
        let Some(bytes) = self.blob(page, tag)? else { return Ok(None) };
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        Ok(Some(String::from_utf8_lossy(&bytes[..end]).trim().to_owned()).filter(|text| !text.is_empty()))
    }

    pub fn numbers(&self, page: &Directory, tag: u16) -> Result<Vec<f64>, ImageryError> {
        let Some(entry) = page.entry(tag) else { return Ok(Vec::new()) };
        let Some(size) = size_of(entry.kind).and_then(|size| usize::try_from(size).ok()) else { return Ok(Vec::new()) };
        let raw = self.raw(&entry)?;
        #[allow(clippy::cast_precision_loss, reason = "what a tag states as a number of pixels or a code is small")]
        #[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "the bits of signed numbers")]
        let one = |value: &[u8]| {
            let n = self.number(value);
            match entry.kind {
                FLOAT => f64::from(f32::from_bits(n as u32)),
                DOUBLE => f64::from_bits(n),
                SBYTE => f64::from(n as u8 as i8),
                SSHORT => f64::from(n as u16 as i16),
                SLONG => f64::from(n as u32 as i32),
                SLONG8 => n as i64 as f64,
                RATIONAL | SRATIONAL => {
                    let (over, under) = value.split_at(4);
                    self.number(over) as f64 / self.number(under) as f64
                }
                _ => n as f64,
            }
        };
        Ok(raw.chunks_exact(size).map(one).collect())
    }

    /// Whole numbers; what does not fit is damage.
    pub fn whole(&self, page: &Directory, tag: u16) -> Result<Vec<u32>, ImageryError> {
        let fits = |n: f64| {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "looked at first")]
            let whole = (n >= 0.0 && n <= f64::from(u32::MAX) && n.fract() == 0.0).then_some(n as u32);
            whole.ok_or(ImageryError::Damaged("a tag holds a number that makes no sense"))
        };
        self.numbers(page, tag)?.into_iter().map(fits).collect()
    }

    pub fn one(&self, page: &Directory, tag: u16) -> Result<Option<u32>, ImageryError> {
        Ok(self.whole(page, tag)?.first().copied())
    }
}

fn entries_end(body: &[u8], size: usize) -> usize {
    body.len() / size * size
}

const ASCII: u16 = 2;
const RATIONAL: u16 = 5;
const SBYTE: u16 = 6;
const SSHORT: u16 = 8;
const SLONG: u16 = 9;
const SRATIONAL: u16 = 10;
const FLOAT: u16 = 11;
const DOUBLE: u16 = 12;
const SLONG8: u16 = 17;

fn size_of(kind: u16) -> Option<u64> {
    match kind {
        1 | ASCII | SBYTE | 7 => Some(1),
        3 | SSHORT => Some(2),
        4 | SLONG | FLOAT | 13 => Some(4),
        RATIONAL | SRATIONAL | DOUBLE | 16 | SLONG8 | 18 => Some(8),
        _ => None,
    }
}
