//! Texts before they are encrypted: packed, because what is stored of a lead is JSON with the same names in each row.

use std::io::Read as _;

use flate2::read::DeflateDecoder;
use flate2::{Compress, Compression, FlushCompress, Status};

use crate::StoreError;

/// Begins a packed text, and says with which sample. No other text begins with it: it is no byte of UTF-8.
const PACKED: u8 = 0xff;
/// What is shorter gains nothing.
const MIN_LENGTH: usize = 60;

/// What rows have in common: a text is packed as if it came behind this one. Never change it, or what was packed cannot be
/// read; for a better one, take another byte than [`PACKED`].
const SAMPLE: &[u8] = include_bytes!("packing_sample.txt");
/// The sample as a block of a deflate stream, which holds it as it is; the rest of the stream follows.
const SAMPLE_BLOCK: [u8; 5] = {
    assert!(SAMPLE.len() < 1 << 15, "as far as deflate looks back");
    let [low, high, ..] = SAMPLE.len().to_le_bytes();
    [0, low, high, !low, !high]
};

/// `None`: it would take as much.
pub(crate) fn pack(text: &str) -> Option<Vec<u8>> {
    if text.len() < MIN_LENGTH {
        return None;
    }
    let mut deflate = Compress::new(Compression::default(), false);
    deflate.set_dictionary(SAMPLE).ok()?;
    // One that has no room in it takes too much.
    let mut packed = Vec::with_capacity(text.len());
    packed.push(PACKED);
    let status = deflate.compress_vec(text.as_bytes(), &mut packed, FlushCompress::Finish).ok()?;
    (status == Status::StreamEnd).then_some(packed)
}

pub(crate) fn unpack(stored: Vec<u8>) -> Result<String, StoreError> {
    let Some(packed) = stored.strip_prefix(&[PACKED]) else {
        return String::from_utf8(stored).map_err(|_| StoreError::Cipher);
    };
    let mut text = Vec::new();
    let whole = SAMPLE_BLOCK.chain(SAMPLE).chain(packed);
    DeflateDecoder::new(whole).read_to_end(&mut text).map_err(|_| StoreError::Cipher)?;
    let text = text.split_off(SAMPLE.len().min(text.len()));
    String::from_utf8(text).map_err(|_| StoreError::Cipher)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Letters in no order.
    fn noise(length: u32) -> String {
        let mut at = 12_345_u32;
        let mut next = || {
            at = at.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from_u32(0x4e00 + (at >> 12) % 20_000).unwrap()
        };
        (0..length).map(|_| next()).collect()
    }

    #[test]
    fn a_text_of_any_length_comes_back_as_it_was() {
        let names = r#"{"firstName":"Zoë","lastName":"Quizzelthorn","utmSource":null,"utmMedium":null,"utmCampaign":null,"clickId":null}"#;
        let sample = std::str::from_utf8(SAMPLE).unwrap();
        let texts = [
            String::new(),
            "a".to_owned(),
            "\u{ff}".to_owned(),
            "ÿ".repeat(200),
            names.to_owned(),
            names.repeat(900),
            sample.to_owned(),
            sample.repeat(30),
            noise(20),
            noise(30_000),
            "a".repeat(MIN_LENGTH - 1),
            "a".repeat(MIN_LENGTH),
            "a".repeat(1_000_000),
        ];
        for text in texts {
            let packed = pack(&text);
            if let Some(packed) = &packed {
                assert!(packed.len() <= text.len(), "{} of {}", packed.len(), text.len());
            }
            assert_eq!(unpack(packed.unwrap_or_else(|| text.clone().into_bytes())).unwrap(), text);
        }
        assert!(pack(names).unwrap().len() * 2 < names.len(), "names that all rows have");
    }

    #[test]
    fn what_is_cut_or_altered_is_an_error_and_no_panic() {
        let packed = pack(&r#"{"firstName":"Zoë","lastName":"Quizzelthorn"}"#.repeat(20)).unwrap();
        for cut in 1..packed.len() {
            assert!(unpack(packed[..cut].to_vec()).is_err(), "{cut} bytes");
        }
        for at in 1..packed.len() {
            let mut altered = packed.clone();
            altered[at] ^= 0x55;
            drop(unpack(altered));
        }
        assert!(unpack(vec![0xfe, 1]).is_err(), "no text, and not packed");
    }

    /// What was stored must be read by all later versions.
    #[test]
    fn the_sample_never_changes() {
        assert_eq!(
            blake3::hash(SAMPLE).to_hex().as_str(),
            "ffe36f4a9ba9eab8edf233cb0aa03a418905038866a8278e7ebcc8624957932e"
        );
    }
}
