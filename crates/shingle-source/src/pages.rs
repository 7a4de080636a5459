//! Looks at the pages of a column before anything unpacks them: a page says how large it will be, and is not believed.
//!
//! The reader of Parquet unpacks gzip and Brotli to their end, however far that is, and makes room for whatever size a
//! page states. So pages that state more than any writer makes are refused, and those packings are unpacked once
//! without keeping anything. Zstandard and Snappy, which sources use, are unpacked into the stated room and no further.

use std::io::Read;

use parquet::basic::Compression;

/// Writers end a page at about one megabyte.
const MOST_BYTES_OF_PAGE: u64 = 64 << 20;
const MOST_DEPTH: u32 = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageProblem {
    /// Unpacked, it is larger than it says or than a page may be.
    TooLarge,
    /// Its head cannot be read.
    Damaged,
    /// Packed in a way that has no limit and that no source uses any more.
    Packing,
}

/// Every page of a column chunk.
pub fn check_pages(chunk: &[u8], packing: Compression) -> Result<(), PageProblem> {
    if packing == Compression::LZ4 {
        return Err(PageProblem::Packing);
    }
    let mut rest = chunk;
    while !rest.is_empty() {
        let mut head = Compact { rest };
        let page = head.page()?;
        if page.unpacked > MOST_BYTES_OF_PAGE {
            return Err(PageProblem::TooLarge);
        }
        let body = head.rest.get(..page.packed).ok_or(PageProblem::Damaged)?;
        rest = &head.rest[page.packed..];
        let packed = body.get(page.levels..).ok_or(PageProblem::Damaged)?;
        if !page.is_packed {
            continue;
        }
        let most = page.unpacked.saturating_sub(page.levels as u64);
        let unpacked = match packing {
            Compression::GZIP(_) => counted(flate2::read::MultiGzDecoder::new(packed), most),
            Compression::BROTLI(_) => counted(brotli::Decompressor::new(packed, 4_096), most),
            _ => continue,
        };
        if unpacked > most {
            return Err(PageProblem::TooLarge);
        }
    }
    Ok(())
}

/// What damaged content is, the reader says.
fn counted(from: impl Read, most: u64) -> u64 {
    std::io::copy(&mut from.take(most + 1), &mut std::io::sink()).unwrap_or_default()
}

struct PageHead {
    packed: usize,
    unpacked: u64,
    /// Bytes before what is packed.
    levels: usize,
    is_packed: bool,
}

/// The encoding of page heads: Thrift's compact protocol, as far as they need it.
struct Compact<'b> {
    rest: &'b [u8],
}

const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const STRUCT: u8 = 12;

impl Compact<'_> {
    fn page(&mut self) -> Result<PageHead, PageProblem> {
        let (mut unpacked, mut packed, mut levels, mut is_packed) = (None, None, 0, true);
        let mut id = 0;
        while let Some(kind) = self.field(&mut id)? {
            match (id, kind) {
                (2, 5) => unpacked = Some(self.size()?),
                (3, 5) => packed = Some(self.size()?),
                (8, STRUCT) => {
                    let mut inner = 0;
                    while let Some(kind) = self.field(&mut inner)? {
                        match (inner, kind) {
                            (5 | 6, 5) => levels += self.size()?,
                            (7, kind) => is_packed = kind == TRUE,
                            _ => self.skip(kind, MOST_DEPTH)?,
                        }
                    }
                }
                _ => self.skip(kind, MOST_DEPTH)?,
            }
        }
        let (packed, unpacked) = packed.zip(unpacked).ok_or(PageProblem::Damaged)?;
        Ok(PageHead { packed, unpacked: unpacked as u64, levels, is_packed })
    }

    fn byte(&mut self) -> Result<u8, PageProblem> {
        let (first, rest) = self.rest.split_first().ok_or(PageProblem::Damaged)?;
        self.rest = rest;
        Ok(*first)
    }

    fn take(&mut self, bytes: usize) -> Result<(), PageProblem> {
        self.rest = self.rest.get(bytes..).ok_or(PageProblem::Damaged)?;
        Ok(())
    }

    fn number(&mut self) -> Result<u64, PageProblem> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(PageProblem::Damaged)
    }

    /// A number that is not negative; as written, its sign is its last bit.
    fn size(&mut self) -> Result<usize, PageProblem> {
        match self.number()? {
            written if written & 1 == 0 => usize::try_from(written >> 1).map_err(|_| PageProblem::Damaged),
            _ => Err(PageProblem::Damaged),
        }
    }

    /// The kind of the next field; `None` at the end of a structure.
    fn field(&mut self, id: &mut u64) -> Result<Option<u8>, PageProblem> {
        let head = self.byte()?;
        if head == 0 {
            return Ok(None);
        }
        *id = match head >> 4 {
            0 => self.number()? >> 1,
            step => *id + u64::from(step),
        };
        Ok(Some(head & 0x0F))
    }

    fn skip(&mut self, kind: u8, depth: u32) -> Result<(), PageProblem> {
        let depth = depth.checked_sub(1).ok_or(PageProblem::Damaged)?;
        match kind {
            TRUE | FALSE => Ok(()),
            BYTE => self.take(1),
            4..=6 => self.number().map(drop),
            DOUBLE => self.take(8),
            BINARY => {
                let bytes = self.number()?;
                self.take(usize::try_from(bytes).map_err(|_| PageProblem::Damaged)?)
            }
            LIST | SET => {
                let head = self.byte()?;
                let count = if head >> 4 == 15 { self.number()? } else { u64::from(head >> 4) };
                for _ in 0..count {
                    match head & 0x0F {
                        // In a list, a flag has a byte of its own.
                        TRUE | FALSE => self.take(1)?,
                        kind => self.skip(kind, depth)?,
                    }
                }
                Ok(())
            }
            STRUCT => {
                let mut id = 0;
                while let Some(kind) = self.field(&mut id)? {
                    self.skip(kind, depth)?;
                }
                Ok(())
            }
            _ => Err(PageProblem::Damaged),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use parquet::basic::{BrotliLevel, GzipLevel};

    use super::*;

    fn number(mut value: u64, into: &mut Vec<u8>) {
        while value >= 0x80 {
            into.push((value & 0x7F) as u8 | 0x80);
            value >>= 7;
        }
        into.push(value as u8);
    }

    /// A data page of the first version that says of itself what it is told to.
    fn page(unpacked: u64, body: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0x15, 0x00, 0x15];
        number(unpacked << 1, &mut bytes);
        bytes.push(0x15);
        number((body.len() as u64) << 1, &mut bytes);
        // Its own head: five values, and the encodings.
        bytes.extend([0x2C, 0x15, 0x0A, 0x15, 0x00, 0x15, 0x06, 0x15, 0x06, 0x00, 0x00]);
        bytes.extend(body);
        bytes
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        packed.write_all(bytes).unwrap();
        packed.finish().unwrap()
    }

    #[test]
    fn a_page_is_as_large_as_it_says_and_not_larger_than_any() {
        let packing = Compression::GZIP(GzipLevel::default());
        let nothing = vec![0; 1 << 20];
        let packed = gzip(&nothing);
        let honest = page(1 << 20, &packed);
        assert_eq!(check_pages(&[honest.clone(), honest.clone()].concat(), packing), Ok(()));
        assert_eq!(check_pages(&page(100, &packed), packing), Err(PageProblem::TooLarge));
        assert_eq!(check_pages(&[honest.clone(), page(100, &packed)].concat(), packing), Err(PageProblem::TooLarge));
        assert_eq!(check_pages(&page(1 << 30, b"small"), Compression::SNAPPY), Err(PageProblem::TooLarge));
        let mut brotli = Vec::new();
        brotli::CompressorWriter::new(&mut brotli, 4_096, 5, 20).write_all(&nothing).unwrap();
        assert_eq!(
            check_pages(&page(100, &brotli), Compression::BROTLI(BrotliLevel::default())),
            Err(PageProblem::TooLarge)
        );
    }

    #[test]
    fn a_damaged_head_is_an_error_wherever_it_is_damaged() {
        let whole = page(5, b"hello");
        assert_eq!(check_pages(&whole, Compression::UNCOMPRESSED), Ok(()));
        for end in 1..whole.len() {
            assert_eq!(check_pages(&whole[..end], Compression::UNCOMPRESSED), Err(PageProblem::Damaged), "{end}");
        }
        assert_eq!(check_pages(&[0xFF; 40], Compression::UNCOMPRESSED), Err(PageProblem::Damaged));
        assert_eq!(check_pages(&whole, Compression::LZ4), Err(PageProblem::Packing));
    }
}
