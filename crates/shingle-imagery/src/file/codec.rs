//! Unpacks one block into memory of a size that is known before.

use flate2::{Decompress, FlushDecompress, Status};

use crate::error::ImageryError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    None,
    Lzw,
    Jpeg,
    Deflate,
    PackBits,
    Zstd,
    WebP,
}

impl Compression {
    /// By the number in the file; `Err` is the name of what is not read.
    pub fn of(code: u32) -> Result<Self, &'static str> {
        Ok(match code {
            1 => Self::None,
            5 => Self::Lzw,
            7 => Self::Jpeg,
            8 | 32_946 => Self::Deflate,
            32_773 => Self::PackBits,
            50_000 => Self::Zstd,
            50_001 => Self::WebP,
            2..=4 => return Err("fax"),
            6 => return Err("old-style JPEG"),
            33_003 | 33_005 | 34_712 => return Err("JPEG 2000"),
            34_887 => return Err("LERC"),
            34_925 => return Err("LZMA"),
            50_002 | 52_546 => return Err("JPEG XL"),
            _ => return Err("an unknown method"),
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Lzw => "LZW",
            Self::Jpeg => "JPEG",
            Self::Deflate => "deflate",
            Self::PackBits => "PackBits",
            Self::Zstd => "ZSTD",
            Self::WebP => "WebP",
        }
    }

    fn problem(self, why: impl ToString) -> ImageryError {
        ImageryError::Compression { method: self.name(), why: why.to_string() }
    }

    /// Exactly so many bytes of `packed`; what follows them is left alone. Pictures within pictures (JPEG, WebP) are not
    /// for here.
    pub fn unpack(self, packed: &[u8], length: usize) -> Result<Vec<u8>, ImageryError> {
        let short = || self.problem("it ends too early");
        if self == Self::None {
            return packed.get(..length).map(<[u8]>::to_vec).ok_or_else(short);
        }
        let mut out = vec![0; length];
        let filled = match self {
            Self::Lzw => unpack_lzw(packed, &mut out).map_err(|e| self.problem(e))?,
            Self::Deflate => inflate(packed, &mut out).map_err(|e| self.problem(e))?,
            Self::PackBits => unpack_bits(packed, &mut out),
            Self::Zstd => zstd::bulk::decompress_to_buffer(packed, &mut out).map_err(|e| self.problem(e))?,
            Self::None | Self::Jpeg | Self::WebP => 0,
        };
        if filled < length { Err(short()) } else { Ok(out) }
    }
}

fn unpack_lzw(packed: &[u8], out: &mut [u8]) -> Result<usize, weezl::LzwError> {
    let mut decoder = weezl::decode::Decoder::with_tiff_size_switch(weezl::BitOrder::Msb, 8);
    let (mut read, mut written) = (0, 0);
    while written < out.len() {
        let step = decoder.decode_bytes(&packed[read..], &mut out[written..]);
        read += step.consumed_in;
        written += step.consumed_out;
        match step.status? {
            weezl::LzwStatus::Done => break,
            weezl::LzwStatus::Ok if step.consumed_in + step.consumed_out > 0 => {}
            _ => break,
        }
    }
    Ok(written)
}

fn inflate(packed: &[u8], out: &mut [u8]) -> Result<usize, flate2::DecompressError> {
    let mut decoder = Decompress::new(true);
    let (mut read, mut written) = (0, 0);
    while written < out.len() {
        let status = decoder.decompress(&packed[read..], &mut out[written..], FlushDecompress::None)?;
        #[allow(clippy::cast_possible_truncation, reason = "at most what the slices hold")]
        let now = (decoder.total_in() as usize, decoder.total_out() as usize);
        if status == Status::StreamEnd || now == (read, written) {
            return Ok(now.1);
        }
        (read, written) = now;
    }
    Ok(written)
}

fn unpack_bits(mut packed: &[u8], out: &mut [u8]) -> usize {
    let mut written = 0;
    while let ([head, rest @ ..], true) = (packed, written < out.len()) {
        let room = out.len() - written;
        let count = match *head {
            128 => {
                packed = rest;
                continue;
            }
            literal @ 0..128 => {
                let stated = usize::from(literal) + 1;
                let count = stated.min(room).min(rest.len());
                out[written..written + count].copy_from_slice(&rest[..count]);
                packed = &rest[stated.min(rest.len())..];
                count
            }
            repeat => {
                let [value, rest @ ..] = rest else { break };
                let count = (257 - usize::from(repeat)).min(room);
                out[written..written + count].fill(*value);
                packed = rest;
                count
            }
        };
        written += count;
    }
    written
}

/// A WebP picture of exactly this size, as so many samples a pixel.
pub fn unpack_webp(packed: &[u8], wide: u32, high: u32, samples: usize) -> Result<Vec<u8>, ImageryError> {
    let problem = |why: &dyn std::fmt::Display| Compression::WebP.problem(why);
    let mut decoder = image_webp::WebPDecoder::new(std::io::Cursor::new(packed)).map_err(|e| problem(&e))?;
    if decoder.dimensions() != (wide, high) || decoder.is_animated() {
        return Err(problem(&"it has another size"));
    }
    let has = if decoder.has_alpha() { 4 } else { 3 };
    if !(3..=4).contains(&samples) {
        return Err(problem(&"it holds another number of bands"));
    }
    let mut pixels = vec![0; wide as usize * high as usize * has];
    decoder.read_image(&mut pixels).map_err(|e| problem(&e))?;
    Ok(match (has, samples) {
        (3, 4) => pixels.chunks_exact(3).flat_map(|p| [p[0], p[1], p[2], 255]).collect(),
        (4, 3) => pixels.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect(),
        _ => pixels,
    })
}
