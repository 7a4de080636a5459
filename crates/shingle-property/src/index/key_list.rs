//! Which home has a key: hashes in order, some 64 to a row of a table, so that a look-up reads one row. Every row is there,
//! if empty, so that one that is missing is damage.
//!
//! A home takes nine or ten bytes: the last six of its hash, and its number. The row gives the hash's first bits. So one
//! of four trillion look-ups of an unknown address finds a wrong home. Keeping the whole hash beside the home would take
//! four bytes more.

use super::home::Home;
use super::packed::{Malformed, RowId, seal, unseal};

const OF_A_ROW: u64 = 64;
/// Bytes of the hash.
const MARK: usize = 6;

/// What the list has of a key hash.
pub(crate) fn mark_of(hash: u64) -> u64 {
    hash & ((1 << (8 * MARK)) - 1)
}

/// How the keys of a file are spread over rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeyRows {
    rows: u64,
    /// Bytes of a home's number.
    width: usize,
}

impl KeyRows {
    /// Of a file with so many homes.
    pub fn of(homes: u64) -> Self {
        Self { rows: homes / OF_A_ROW + 1, width: if homes < 1 << 24 { 3 } else { 4 } }
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

    /// The home of a key, given its row.
    pub fn home_of(self, sealed: &[u8], hash: u64) -> Result<Option<Home>, Malformed> {
        let mark = &hash.to_le_bytes()[..MARK];
        let found = self.entries(sealed, self.row_of(hash))?.find(|entry| entry[..MARK] == *mark);
        Ok(found.map(|entry| {
            let mut number = [0; 4];
            number[..self.width].copy_from_slice(&entry[MARK..]);
            Home(u32::from_le_bytes(number))
        }))
    }

    /// What a row has of each of its keys: [`mark_of`].
    pub fn marks(self, sealed: &[u8], row: i64) -> Result<impl Iterator<Item = u64>, Malformed> {
        Ok(self.entries(sealed, row)?.map(|entry| {
            let mut mark = [0; 8];
            mark[..MARK].copy_from_slice(&entry[..MARK]);
            u64::from_le_bytes(mark)
        }))
    }

    fn entries(self, sealed: &[u8], row: i64) -> Result<impl Iterator<Item = &[u8]>, Malformed> {
        let row = unseal(sealed, RowId(row))?.0;
        let length = MARK + self.width;
        if row.len() % length == 0 { Ok(row.chunks_exact(length)) } else { Err(Malformed) }
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
            hashes.dedup_by_key(|hash| *hash >> 1);
            let mut rows = KeyRows::of(hashes.len() as u64);
            rows.width = if large { 4 } else { 3 };
            let all: Vec<(u64, Home)> = hashes.iter().zip(0..).map(|(hash, n)| (*hash, Home(n * 7))).collect();
            for of_row in all.chunk_by(|(a, _), (b, _)| rows.row_of(*a) == rows.row_of(*b)) {
                let packed = rows.pack(of_row, rows.row_of(of_row[0].0));
                for (hash, home) in of_row {
                    prop_assert_eq!(rows.home_of(&packed, *hash), Ok(Some(*home)));
                    prop_assert_eq!(rows.home_of(&packed, *hash ^ 1), Ok(None));
                }
                let marks: Vec<u64> = rows.marks(&packed, rows.row_of(of_row[0].0)).unwrap().collect();
                prop_assert_eq!(marks, of_row.iter().map(|(hash, _)| mark_of(*hash)).collect::<Vec<_>>());
            }
            prop_assert_eq!(parcels::unpack(&parcels::pack(&all), all[0].0.cast_signed()), Ok(all));
        }
    }

    #[test]
    fn a_row_holds_some_64_keys() {
        let rows = KeyRows::of(1_000_000);
        let mut counts = std::collections::HashMap::new();
        for n in 0..1_000_000_u64 {
            *counts.entry(rows.row_of(n.wrapping_mul(0x9e37_79b9_7f4a_7c15))).or_insert(0_u64) += 1;
        }
        assert!(counts.keys().all(|row| (0..=1_000_000 / 64).contains(row)));
        assert!(counts.values().all(|count| *count < 128));
    }
}
