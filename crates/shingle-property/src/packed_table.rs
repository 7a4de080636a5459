//! The tables that the program carries, as its build script packed them.

use std::io::{BufRead, BufReader, Read};

use flate2::read::GzDecoder;

/// The text of a table. The build script packed it, so it is whole.
pub(crate) fn unpacked(packed: &[u8]) -> String {
    // Its length stands at the end. A text that grows leaves twice its size of memory behind.
    let length = packed.last_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
    let mut text = String::with_capacity(usize::try_from(length).unwrap_or_default());
    match GzDecoder::new(packed).read_to_string(&mut text) {
        Ok(_) => text,
        Err(error) => unreachable!("a table of the program: {error}"),
    }
}

/// The same, piece by piece: the text is never in memory as a whole.
pub(crate) fn unpacking(packed: &[u8]) -> impl BufRead {
    BufReader::new(GzDecoder::new(packed))
}

/// A file of `assets`, packed.
macro_rules! packed_table {
    ($file:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/", $file, ".csv.gz"))
    };
}
pub(crate) use packed_table;
