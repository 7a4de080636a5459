use std::hash::{BuildHasher, Hasher};

use uuid::Uuid;

/// Of the system; should it have none, of the standard library, which has its own.
fn random_bytes() -> [u8; 16] {
    let mut bytes = [0; 16];
    if getrandom::fill(&mut bytes).is_err() {
        for half in bytes.chunks_exact_mut(8) {
            half.copy_from_slice(&std::hash::RandomState::new().build_hasher().finish().to_be_bytes());
        }
    }
    bytes
}

pub(super) fn random_uuid() -> Uuid {
    uuid::Builder::from_random_bytes(random_bytes()).into_uuid()
}

/// In [0, 1).
pub(super) fn random_chance() -> f64 {
    let [a, b, c, d, ..] = random_bytes();
    f64::from(u32::from_be_bytes([a, b, c, d])) / (f64::from(u32::MAX) + 1.0)
}
