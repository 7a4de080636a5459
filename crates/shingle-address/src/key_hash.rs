//! The number that stands for an address in an index.

/// The hash that names a place in an index, and four more bytes of it that tell collisions apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyHash {
    pub hash: u64,
    pub check: u32,
}

impl KeyHash {
    pub fn of(key: &str) -> Self {
        let bytes = blake3::hash(key.as_bytes());
        let [a, b, c, d, e, f, g, h, i, j, k, l, ..] = *bytes.as_bytes();
        Self { hash: u64::from_le_bytes([a, b, c, d, e, f, g, h]), check: u32::from_le_bytes([i, j, k, l]) }
    }
}
