//! What the program carries compressed: tables, words, fonts, the manual. Build scripts pack it, the program unpacks it at
//! its first use.
//!
//! # Decision
//!
//! Brotli, whose unpacker the program has anyway: of these texts it leaves three quarters of what gzip leaves, 0.3 MB
//! less in all. Turned down: zstd, which leaves more and would be compiled for every build script.

use std::io::{self, BufRead, BufReader, Read, Write};

use brotli::Decompressor;
use brotli::enc::BrotliEncoderParams;

/// Bytes of a buffer on the way.
const BUFFER: usize = 4096;
/// Texts are looked back into for four megabytes: more than any of them is long.
const WINDOW_BITS: i32 = 22;
const BEST: i32 = 11;
/// The length of the text, before it: a text that grows leaves twice its size of memory behind.
const LENGTH: usize = size_of::<u32>();

/// Packs files, one after the other.
pub fn pack(parts: &[Vec<u8>], mut to: impl Write) -> io::Result<()> {
    let whole = parts.concat();
    let length = u32::try_from(whole.len()).map_err(io::Error::other)?;
    to.write_all(&length.to_le_bytes())?;
    let params =
        BrotliEncoderParams { quality: BEST, lgwin: WINDOW_BITS, size_hint: whole.len(), ..Default::default() };
    brotli::BrotliCompress(&mut whole.as_slice(), &mut to, &params)?;
    to.flush()
}

/// What [`pack`] packed. The build of the program did, so it is whole.
pub fn unpacked(packed: &[u8]) -> Vec<u8> {
    let length = packed.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
    let mut whole = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
    match unpacking(packed).read_to_end(&mut whole) {
        Ok(_) => whole,
        Err(error) => unreachable!("the build packed it: {error}"),
    }
}

/// The same as text.
pub fn unpacked_text(packed: &[u8]) -> String {
    match String::from_utf8(unpacked(packed)) {
        Ok(text) => text,
        Err(error) => unreachable!("the build packed text: {error}"),
    }
}

/// The same, piece by piece: it is never in memory as a whole.
pub fn unpacking(packed: &[u8]) -> impl BufRead {
    BufReader::new(Decompressor::new(packed.get(LENGTH..).unwrap_or_default(), BUFFER))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_packed_comes_back() {
        let line = b"04103,Portland,ME,43.66,-70.29\n";
        for parts in [vec![], vec![Vec::new()], vec![b"one".to_vec(), b" and two".to_vec()], vec![line.repeat(200_000)]]
        {
            let mut packed = Vec::new();
            pack(&parts, &mut packed).unwrap();
            assert_eq!(unpacked(&packed), parts.concat());
        }
        let mut packed = Vec::new();
        pack(&[line.repeat(3)], &mut packed).unwrap();
        assert_eq!(unpacking(&packed).lines().map_while(Result::ok).count(), 3);
        assert_eq!(unpacked_text(&packed).len(), 3 * line.len());
    }
}
