//! Which home has a key, and which title a piece of misspelled text: hashes in order, some 64 to a row of a table, so that
//! a look-up reads one row. Every row is there, if empty, so that one that is missing is damage.
//!
//! A home takes five or six bytes: two of its hash, and its number. The place of the row says the hash's first bits, and the
//! home's block has it in full.

use super::home::Home;
use super::packed::{Malformed, RowId, seal, unseal};

const OF_A_ROW: u64 = 64;
/// Bytes of the hash.
const MARK: usize = 2;

/// A small number as one whose first and last bits tell it from others.
pub(super) fn spread(n: u32) -> u64 {
    u64::from(n).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// How the keys of a file are spread over rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeyRows {
    rows: u64,
    /// Bytes of a home's number.
    width: usize,
}

impl KeyRows {
    /// For so many keys, which lead to numbers up to one.
    pub fn of(keys: u64, most: u64) -> Self {
        Self::there(keys / OF_A_ROW + 1, most)
    }

    /// As they are in a file with so many rows.
    pub fn there(rows: u64, most: u64) -> Self {
        Self { rows, width: if most < 1 << 24 { 3 } else { 4 } }
    }

    pub fn rows(self) -> i64 {
        self.rows.cast_signed()
    }

    /// The row of a key. Grows with it.
    pub fn row_of(self, hash: u64) -> i64 {
        ((u128::from(hash) * u128::from(self.rows)) >> 64) as i64
    }

    pub fn pack(self, keys: &[(u64, Home)], id: i64) -> Vec<u8> {
        let mut row = Vec::with_capacity(keys.len() * (MARK + self.width) + 4);
        for (hash, home) in keys {
            row.extend_from_slice(&hash.to_le_bytes()[..MARK]);
            row.extend_from_slice(&home.0.to_le_bytes()[..self.width]);
        }
        seal(row, RowId(id))
    }

    /// The homes of its row that may have a key.
    pub fn homes_of(self, sealed: &[u8], hash: u64) -> Result<Vec<Home>, Malformed> {
        let row = unseal(sealed, RowId(self.row_of(hash)))?.0;
        let length = MARK + self.width;
        if row.len() % length != 0 {
            return Err(Malformed);
        }
        let mark = hash.to_le_bytes();
        let found = row.chunks_exact(length).filter(|entry| entry[..MARK] == mark[..MARK]);
        let home = |entry: &[u8]| {
            let mut number = [0; 4];
            number[..self.width].copy_from_slice(&entry[MARK..]);
            Home(u32::from_le_bytes(number))
        };
        Ok(found.map(home).collect())
    }
}

/// The parcels of a row, in order, each with its home: hashes as steps from one to the next. The first names the row.
pub(super) mod parcels {
    use super::super::packed::{put_number, put_signed};
    use super::{Home, Malformed, RowId, seal, unseal};

    pub fn pack(parcels: &[(u64, Home)]) -> Vec<u8> {
        let mut row = Vec::with_capacity(parcels.len() * 8 + 4);
        let (mut before, mut last) = (0, 0);
        for (hash, home) in parcels {
            put_number(hash - before, &mut row);
            put_signed(i64::from(home.0) - last, &mut row);
            (before, last) = (*hash, i64::from(home.0));
        }
        let first = parcels.first().map_or(0, |(hash, _)| hash.cast_signed());
        seal(row, RowId(first))
    }

    pub fn unpack(sealed: &[u8], first: i64) -> Result<Vec<(u64, Home)>, Malformed> {
        let mut row = unseal(sealed, RowId(first))?;
        let (mut hash, mut home, mut found) = (0_u64, 0_i64, Vec::new());
        while !row.is_empty() {
            hash = hash.checked_add(row.number()?).ok_or(Malformed)?;
            home = home.wrapping_add(row.signed()?);
            found.push((hash, Home(u32::try_from(home).map_err(|_| Malformed)?)));
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_key_is_in_its_row(mut hashes in proptest::collection::vec(any::<u64>(), 1..400), large: bool) {
            hashes.sort_unstable();
            let rows = KeyRows::of(hashes.len() as u64, if large { 1 << 24 } else { hashes.len() as u64 });
            let all: Vec<(u64, Home)> = hashes.iter().zip(0..).map(|(hash, n)| (*hash, Home(n * 7))).collect();
            for of_row in all.chunk_by(|(a, _), (b, _)| rows.row_of(*a) == rows.row_of(*b)) {
                let packed = rows.pack(of_row, rows.row_of(of_row[0].0));
                for (hash, home) in of_row {
                    prop_assert!(rows.homes_of(&packed, *hash).unwrap().contains(home));
                }
            }
            prop_assert_eq!(parcels::unpack(&parcels::pack(&all), all[0].0.cast_signed()), Ok(all));
        }
    }

    #[test]
    fn a_row_holds_some_64_keys() {
        let rows = KeyRows::of(1_000_000, 1_000_000);
        let mut counts = std::collections::HashMap::new();
        for n in 0..1_000_000_u64 {
            *counts.entry(rows.row_of(n.wrapping_mul(0x9e37_79b9_7f4a_7c15))).or_insert(0_u64) += 1;
        }
        assert!(counts.keys().all(|row| (0..=1_000_000 / 64).contains(row)));
        assert!(counts.values().all(|count| *count < 128));
    }
}
