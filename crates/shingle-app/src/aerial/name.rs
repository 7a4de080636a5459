//! The name of a photograph's file: what it shows, from which set, and a proof that this installation named it. So nobody
//! else can have any ground cut out, and nothing has to be stored before it is asked for.

use super::ground::Ground;
use crate::tokens::{hex, unhex};

const PROOF: usize = 8;
const BYTES: usize = 4 + 4 + 2 + 4 + 4 + PROOF;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhotoName {
    pub ground: Ground,
    /// Of the set that it is cut from.
    pub set: [u8; 4],
    /// What of it is painted over.
    pub hidden: [u8; 4],
}

impl PhotoName {
    pub fn write(&self, key: &[u8; 32]) -> String {
        let head = self.head();
        hex(&[&head[..], &proof(key, &head)].concat())
    }

    /// `None` unless it was written with this key.
    pub fn read(text: &str, key: &[u8; 32]) -> Option<Self> {
        let bytes: [u8; BYTES] = unhex(text)?;
        let (head, given) = bytes.split_at(BYTES - PROOF);
        // Compared by its hash: how far it is right shows in no time. One photograph has one name, in lower case.
        if blake3::hash(given) != blake3::hash(&proof(key, head)) || hex(&bytes) != text {
            return None;
        }
        let four = |from: usize| <[u8; 4]>::try_from(&head[from..from + 4]).ok();
        Some(Self {
            ground: Ground {
                longitude: i32::from_be_bytes(four(0)?),
                latitude: i32::from_be_bytes(four(4)?),
                half: u16::from_be_bytes([head[8], head[9]]),
            },
            set: four(10)?,
            hidden: four(14)?,
        })
    }

    fn head(&self) -> Vec<u8> {
        let Ground { longitude, latitude, half } = self.ground;
        [&longitude.to_be_bytes()[..], &latitude.to_be_bytes(), &half.to_be_bytes(), &self.set, &self.hidden].concat()
    }
}

fn proof(key: &[u8; 32], head: &[u8]) -> [u8; PROOF] {
    let hash = blake3::keyed_hash(key, head);
    let mut proof = [0; PROOF];
    proof.copy_from_slice(&hash.as_bytes()[..PROOF]);
    proof
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_with_its_key_alone() {
        let name = PhotoName {
            ground: Ground { longitude: -840_000_000, latitude: 391_000_000, half: 400 },
            set: [1, 2, 3, 4],
            hidden: [0; 4],
        };
        let text = name.write(&[7; 32]);
        assert_eq!(PhotoName::read(&text, &[7; 32]), Some(name));
        assert_eq!(PhotoName::read(&text, &[8; 32]), None);
        for at in 0..text.len() {
            let mut other = text.clone().into_bytes();
            other[at] = if other[at] == b'0' { b'1' } else { b'0' };
            assert_eq!(PhotoName::read(core::str::from_utf8(&other).unwrap(), &[7; 32]), None, "digit {at}");
        }
        for wrong in ["", "00", &text[1..], &format!("{text}0"), &text.to_uppercase(), "é"] {
            assert_eq!(PhotoName::read(wrong, &[7; 32]), None, "{wrong}");
        }
    }
}
