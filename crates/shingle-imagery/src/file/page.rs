//! One page of a TIFF file: how its pixels are stored, and blocks of them.

use std::borrow::Cow;

use super::codec::{Compression, unpack_webp};
use super::directory::{Directory, Entry, Tiff};
use super::jpeg;
use crate::error::ImageryError;

/// Once unpacked. Two of them and a window are what reading holds at once.
const MOST_BLOCK: u64 = 64 << 20;
/// Of blocks that are pictures of their own: their decoders hold several times as much.
pub const MOST_PICTURE: u64 = 16 << 20;
/// Uncompressed strips of more than that are read in parts.
const LONG_STRIP: u64 = 1 << 20;

const TO_BYTE: &str = "-ot Byte -scale";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shade {
    BlackIsZero,
    WhiteIsZero,
    Rgb,
    Palette,
    Mask,
    YCbCr,
}

#[derive(Debug)]
pub struct Page {
    pub wide: u32,
    pub high: u32,
    pub samples: usize,
    /// 1, 2, 4, 8 or 16.
    pub bits: u32,
    pub shade: Shade,
    pub compression: Compression,
    /// What each sample beyond the color is: 1 and 2 are alpha.
    pub extra: Vec<u32>,
    pub palette: Vec<[u8; 3]>,
    /// A smaller copy of another page.
    pub reduced: bool,
    pub is_mask: bool,
    predictor: bool,
    planar: bool,
    tiled: bool,
    reversed_bits: bool,
    tables: Option<Vec<u8>>,
    pub block_wide: u32,
    pub block_high: u32,
    /// In how many blocks a stored strip is read.
    parts: u64,
    /// Rows of a stored strip.
    strip_high: u32,
    offsets: Entry,
    lengths: Entry,
}

/// Unpacked pixels, with samples in the order of this machine.
pub struct Block {
    pub left: u32,
    pub top: u32,
    pub wide: u32,
    pub high: u32,
    data: Vec<u8>,
    /// Samples from one row, pixel and band to the next.
    row: usize,
    pixel: usize,
    band: usize,
    two_bytes: bool,
}

impl Block {
    /// Of a pixel within the block.
    #[inline]
    pub fn sample(&self, x: u32, y: u32, band: usize) -> u16 {
        let at = y as usize * self.row + x as usize * self.pixel + band * self.band;
        if self.two_bytes {
            u16::from_ne_bytes([self.data[at * 2], self.data[at * 2 + 1]])
        } else {
            u16::from(self.data[at])
        }
    }
}

impl Page {
    pub fn of(tiff: &Tiff, tags: &Directory) -> Result<Self, ImageryError> {
        let one = |tag: u16| tiff.one(tags, tag);
        let (wide, high) = (one(256)?.unwrap_or(0), one(257)?.unwrap_or(0));
        if wide == 0 || high == 0 {
            return Err(ImageryError::Damaged("the picture has no pixels"));
        }
        let samples = one(277)?.unwrap_or(1) as usize;
        if samples == 0 || samples > 4_096 {
            return Err(ImageryError::Damaged("the picture has no bands"));
        }
        let bits = bits_of(tiff, tags)?;
        let kind = one(254)?.unwrap_or(0);
        let compression = Compression::of(one(259)?.unwrap_or(1))
            .map_err(|name| not_read(format!("is compressed by {name}"), "-co COMPRESS=DEFLATE"))?;
        let shade = match (one(262)?, samples) {
            (Some(0), _) => Shade::WhiteIsZero,
            (Some(1), _) => Shade::BlackIsZero,
            (None, 1 | 2) => Shade::BlackIsZero,
            (Some(2) | None, _) => Shade::Rgb,
            (Some(3), _) => Shade::Palette,
            (Some(4), _) => Shade::Mask,
            (Some(6), _) if compression == Compression::Jpeg => Shade::YCbCr,
            // A WebP picture gives RGB, whatever the page says.
            (Some(6), _) if compression == Compression::WebP => Shade::Rgb,
            (Some(5), _) => return Err(not_read("is in CMYK".to_owned(), "-co PHOTOMETRIC=RGB")),
            (Some(code), _) => {
                return Err(not_read(format!("has colors of another kind ({code})"), "-co PHOTOMETRIC=RGB"));
            }
        };
        let predictor = match one(317)?.unwrap_or(1) {
            _ if matches!(compression, Compression::None | Compression::PackBits | Compression::Jpeg) => false,
            1 => false,
            2 if bits >= 8 => true,
            n => return Err(not_read(format!("is stored with predictor {n}"), "-co COMPRESS=DEFLATE")),
        };
        let tiled = tags.entry(322).is_some();
        let stored = if tiled {
            (one(322)?.unwrap_or(0), one(323)?.unwrap_or(0))
        } else {
            (wide, one(278)?.unwrap_or(high).min(high))
        };
        if stored.0 == 0 || stored.1 == 0 {
            return Err(ImageryError::Damaged("a block of the picture has no pixels"));
        }
        let table = |tags: &Directory, tile: u16, strip: u16| {
            let found = if tiled { tags.entry(tile).or_else(|| tags.entry(strip)) } else { tags.entry(strip) };
            found.ok_or(ImageryError::Damaged("it does not say where its pixels are"))
        };
        let mut page = Self {
            wide,
            high,
            samples,
            bits,
            shade,
            compression,
            extra: tiff.whole(tags, 338)?,
            palette: if shade == Shade::Palette { palette_of(tiff, tags, bits)? } else { Vec::new() },
            reduced: kind & 1 != 0,
            is_mask: kind & 4 != 0 || shade == Shade::Mask,
            predictor,
            planar: one(284)?.unwrap_or(1) == 2 && samples > 1,
            tiled,
            reversed_bits: one(266)?.unwrap_or(1) == 2,
            tables: if compression == Compression::Jpeg { tiff.blob(tags, 347)? } else { None },
            block_wide: stored.0,
            block_high: stored.1,
            parts: 1,
            strip_high: stored.1,
            offsets: table(tags, 324, 273)?,
            lengths: table(tags, 325, 279)?,
        };
        page.extra.truncate(samples);
        page.check()?;
        Ok(page)
    }

    fn check(&mut self) -> Result<(), ImageryError> {
        if self.bits == 16 && matches!(self.compression, Compression::Jpeg | Compression::WebP) {
            return Err(not_read("has 16 bits in a compression of 8".to_owned(), TO_BYTE));
        }
        if self.shade == Shade::YCbCr && self.planar {
            return Err(not_read("has planes of YCbCr".to_owned(), "-co PHOTOMETRIC=RGB"));
        }
        if self.bits < 8 && self.samples > 1 {
            return Err(not_read(format!("has {} bands of {} bits", self.samples, self.bits), TO_BYTE));
        }
        let row = self.row_bytes() as u64;
        if self.compression == Compression::None
            && !self.tiled
            && !self.planar
            && row * u64::from(self.block_high) > LONG_STRIP
        {
            let rows = u32::try_from((LONG_STRIP / row).max(1)).unwrap_or(1);
            self.parts = u64::from(self.block_high.div_ceil(rows));
            self.block_high = rows;
        }
        let planes = if self.planar { self.samples.min(4) as u64 } else { 1 };
        let bytes = row.checked_mul(u64::from(self.block_high)).and_then(|plane| plane.checked_mul(planes));
        let bytes = bytes.unwrap_or(u64::MAX);
        // Bits become bytes.
        let bytes = if self.bits < 8 { bytes.saturating_mul(8 / u64::from(self.bits)) } else { bytes };
        let most = match self.compression {
            Compression::Jpeg | Compression::WebP => MOST_PICTURE,
            _ => MOST_BLOCK,
        };
        if bytes > most {
            return Err(ImageryError::LargeBlock { megabytes: bytes >> 20, most: most >> 20 });
        }
        let stored = u64::from(self.high.div_ceil(self.strip_high)) * u64::from(self.across());
        let stored = stored.saturating_mul(if self.planar { self.samples as u64 } else { 1 });
        if self.offsets.count < stored || self.lengths.count < stored {
            return Err(ImageryError::Damaged("it says of too few blocks where they are"));
        }
        Ok(())
    }

    /// Of a stored row of a block: of one plane, where planes are apart.
    fn row_bytes(&self) -> usize {
        let samples = if self.planar { 1 } else { self.samples };
        (self.block_wide as usize * samples * self.bits as usize).div_ceil(8)
    }

    pub fn across(&self) -> u32 {
        self.wide.div_ceil(self.block_wide)
    }

    /// Blocks from top to bottom, stored strips in their parts.
    pub fn down(&self) -> u32 {
        let whole = self.high / self.strip_high;
        let rest = (self.high % self.strip_high).div_ceil(self.block_high);
        let parts = u32::try_from(self.parts).unwrap_or(1);
        whole.saturating_mul(parts).saturating_add(rest)
    }

    /// The rows of a row of blocks: from, and how many.
    pub fn rows(&self, down: u32) -> (u32, u32) {
        let parts = u32::try_from(self.parts).unwrap_or(1);
        let (strip, part) = (down / parts, down % parts);
        let skipped = part * self.block_high;
        let top = strip.saturating_mul(self.strip_high).saturating_add(skipped);
        let high = self.block_high.min(self.strip_high.saturating_sub(skipped));
        (top, high.min(self.high.saturating_sub(top)))
    }

    /// The row of blocks that holds a row of pixels.
    pub fn down_at(&self, y: u32) -> u32 {
        let parts = u32::try_from(self.parts).unwrap_or(1);
        (y / self.strip_high) * parts + (y % self.strip_high) / self.block_high
    }

    /// Pixels of a block, `None` where the file leaves it out. Only these bands may be asked for.
    pub fn block(&self, tiff: &Tiff, x: u32, y: u32, bands: &[usize]) -> Result<Option<Block>, ImageryError> {
        let (top, high) = self.rows(y);
        let left = x.saturating_mul(self.block_wide);
        if high == 0 || left >= self.wide {
            return Err(ImageryError::Damaged("a block lies beside the picture"));
        }
        let index = u64::from(y) / self.parts * u64::from(self.across()) + u64::from(x);
        let plane_blocks = u64::from(self.high.div_ceil(self.strip_high)) * u64::from(self.across());
        let mut block = Block {
            left,
            top,
            wide: self.block_wide.min(self.wide - left),
            high,
            data: Vec::new(),
            row: self.block_wide as usize * if self.planar { 1 } else { self.samples },
            pixel: if self.planar { 1 } else { self.samples },
            band: 1,
            two_bytes: self.bits == 16,
        };
        // Tiles have all their rows, strips only those of the picture.
        let stored_high = if self.tiled { self.block_high } else { high };
        if !self.planar {
            let Some(data) = self.unpacked(tiff, index, u64::from(y) % self.parts, stored_high)? else {
                return Ok(None);
            };
            block.data = data;
            return Ok(Some(block));
        }
        let mut planes = Vec::new();
        for &band in bands {
            let at = plane_blocks * band as u64 + index;
            let Some(data) = self.unpacked(tiff, at, 0, stored_high)? else { return Ok(None) };
            planes.push((band, data));
        }
        // Bands that nobody asked for take no room: those before the first are not asked for either.
        let plane = planes.first().map_or(0, |(_, data)| data.len());
        let last = bands.iter().max().copied().unwrap_or(0);
        let samples = plane / if self.bits == 16 { 2 } else { 1 };
        block.band = samples;
        if plane.saturating_mul(last + 1) as u64 > MOST_BLOCK {
            return Err(ImageryError::LargeBlock {
                megabytes: (plane * (last + 1)) as u64 >> 20,
                most: MOST_BLOCK >> 20,
            });
        }
        block.data = vec![0; plane * (last + 1)];
        for (band, data) in planes {
            block.data[band * plane..][..plane].copy_from_slice(&data);
        }
        Ok(Some(block))
    }

    fn unpacked(&self, tiff: &Tiff, index: u64, part: u64, high: u32) -> Result<Option<Vec<u8>>, ImageryError> {
        let (at, length) = (tiff.at(&self.offsets, index)?, tiff.at(&self.lengths, index)?);
        if at == 0 || length == 0 {
            return Ok(None);
        }
        let row = self.row_bytes();
        let wanted = row * high as usize;
        let samples = if self.planar { 1 } else { self.samples };
        let packed = if self.compression == Compression::None {
            let skipped = part * u64::from(self.block_high) * row as u64;
            tiff.bytes().read(at.saturating_add(skipped), wanted as u64, "a block of pixels")?
        } else if length > MOST_BLOCK {
            return Err(ImageryError::LargeBlock { megabytes: length >> 20, most: MOST_BLOCK >> 20 });
        } else {
            tiff.bytes().read(at, length, "a block of pixels")?
        };
        let size = (self.block_wide, high);
        let mut data = match self.compression {
            Compression::Jpeg => {
                let ycbcr = self.shade == Shade::YCbCr;
                return jpeg::unpack(self.tables.as_deref(), &packed, size, self.block_high, samples, ycbcr).map(Some);
            }
            Compression::WebP => return unpack_webp(&packed, size.0, size.1, samples).map(Some),
            Compression::None => reversed(self.reversed_bits, packed).into_owned(),
            other => other.unpack(&reversed(self.reversed_bits, packed), wanted)?,
        };
        if self.bits < 8 {
            return Ok(Some(self.bytes_of_bits(&data, row)));
        }
        if self.bits == 16 && tiff.big_endian() != cfg!(target_endian = "big") {
            data.chunks_exact_mut(2).for_each(|two| two.swap(0, 1));
        }
        if self.predictor {
            data.chunks_exact_mut(row).for_each(|row| self.sum_up(row, samples));
        }
        Ok(Some(data))
    }

    /// Each value is stored as its difference from the one before.
    fn sum_up(&self, row: &mut [u8], samples: usize) {
        if self.bits == 16 {
            for at in (samples * 2..row.len()).step_by(2) {
                let before = u16::from_ne_bytes([row[at - samples * 2], row[at - samples * 2 + 1]]);
                let sum = before.wrapping_add(u16::from_ne_bytes([row[at], row[at + 1]]));
                row[at..at + 2].copy_from_slice(&sum.to_ne_bytes());
            }
        } else {
            for at in samples..row.len() {
                row[at] = row[at].wrapping_add(row[at - samples]);
            }
        }
    }

    fn bytes_of_bits(&self, data: &[u8], row: usize) -> Vec<u8> {
        let per_byte = 8 / self.bits;
        let mask = u8::MAX >> (8 - self.bits);
        let one_row = |row: &[u8]| {
            let wide = self.block_wide as usize;
            let values = row.iter().flat_map(|byte| (1..=per_byte).map(move |i| byte >> (8 - i * self.bits) & mask));
            values.take(wide).collect::<Vec<u8>>()
        };
        data.chunks_exact(row).flat_map(one_row).collect()
    }
}

fn not_read(what: String, options: &'static str) -> ImageryError {
    ImageryError::NotRead { what, options }
}

fn reversed(yes: bool, mut packed: Vec<u8>) -> Cow<'static, [u8]> {
    if yes {
        packed.iter_mut().for_each(|byte| *byte = byte.reverse_bits());
    }
    Cow::Owned(packed)
}

fn bits_of(tiff: &Tiff, tags: &Directory) -> Result<u32, ImageryError> {
    let bits = tiff.whole(tags, 258)?;
    let first = bits.first().copied().unwrap_or(1);
    if bits.iter().any(|b| *b != first) {
        return Err(not_read("has bands of different depths".to_owned(), TO_BYTE));
    }
    let formats = tiff.whole(tags, 339)?;
    let kind = match formats.iter().find(|format| !matches!(format, 1 | 4)) {
        None => None,
        Some(2) => Some("signed numbers"),
        Some(3) => Some("floating-point numbers"),
        Some(_) => Some("complex numbers"),
    };
    if let Some(kind) = kind {
        return Err(not_read(format!("has {first}-bit {kind} as pixels"), TO_BYTE));
    }
    if !matches!(first, 1 | 2 | 4 | 8 | 16) {
        return Err(not_read(format!("has {first} bits a sample"), TO_BYTE));
    }
    Ok(first)
}

fn palette_of(tiff: &Tiff, tags: &Directory, bits: u32) -> Result<Vec<[u8; 3]>, ImageryError> {
    let colors = tiff.whole(tags, 320)?;
    let count = colors.len() / 3;
    if bits > 8 || count < 1 << bits.min(8) {
        return Err(ImageryError::Damaged("its palette is too short"));
    }
    // Some write bytes where words belong.
    let shift = if colors.iter().all(|c| *c < 256) { 0 } else { 8 };
    let byte = |n: u32| u8::try_from((n >> shift).min(255)).unwrap_or(u8::MAX);
    Ok((0..count).map(|i| [byte(colors[i]), byte(colors[count + i]), byte(colors[2 * count + i])]).collect())
}
