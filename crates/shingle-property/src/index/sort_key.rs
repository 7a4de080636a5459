//! What the rows of an index are sorted by: three numbers, as bytes that sort as the numbers do.

use crate::error::PropertyError;
use crate::external_sort::{Sorted, Sorter};

/// The first number counts most.
pub(super) type SortKey = [u64; 3];

pub(super) fn push(sorter: &mut Sorter, key: SortKey, value: &[u8]) -> Result<(), PropertyError> {
    sorter.push(&key.each_ref().map(|n| n.to_be_bytes()).each_ref().map(|n| n.as_slice()), value).map(drop)
}

/// A row of a sorter that is being looked at.
#[derive(Default)]
pub(super) struct SortedRow {
    pub key: SortKey,
    pub value: Vec<u8>,
}

impl SortedRow {
    /// Reads the next row over this one; `false` at the end.
    pub(super) fn read(&mut self, rows: &mut Sorted) -> Result<bool, PropertyError> {
        let Some((key, value)) = rows.next()? else { return Ok(false) };
        self.key.iter_mut().zip(key.as_chunks().0).for_each(|(n, bytes)| *n = u64::from_be_bytes(*bytes));
        self.value.clear();
        self.value.extend_from_slice(value);
        Ok(true)
    }
}

/// A signed number, as SQLite sorts it, as an unsigned one that sorts in the same order.
pub(super) fn ordered(signed: i64) -> u64 {
    signed as u64 ^ 1 << 63
}

pub(super) fn signed(ordered: u64) -> i64 {
    (ordered ^ 1 << 63) as i64
}
