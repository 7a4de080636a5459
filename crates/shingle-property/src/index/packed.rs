//! Numbers and texts in few bytes, and the sum that tells a damaged piece of a file, or one in the wrong place.

use std::fmt;

use crc32fast::Hasher;

/// A number in as many bytes as it needs, seven bits a byte, the lowest first.
pub(super) fn put_number(mut n: u64, to: &mut Vec<u8>) {
    while n >= 0x80 {
        to.push(n as u8 | 0x80);
        n >>= 7;
    }
    to.push(n as u8);
}

/// A number that may be negative: 0, -1, 1, -2, … become 0, 1, 2, 3, …
pub(super) fn put_signed(n: i64, to: &mut Vec<u8>) {
    put_number((n << 1 ^ n >> 63) as u64, to);
}

pub(super) fn put_bytes(bytes: &[u8], to: &mut Vec<u8>) {
    put_number(bytes.len() as u64, to);
    to.extend_from_slice(bytes);
}

/// What is not what was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Malformed;

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a piece of it is not what was written")
    }
}

impl std::error::Error for Malformed {}

impl From<postcard::Error> for Malformed {
    fn from(_: postcard::Error) -> Self {
        Self
    }
}

/// Reads what was put, from the front.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unpacker<'a>(pub &'a [u8]);

impl<'a> Unpacker<'a> {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn number(&mut self) -> Result<u64, Malformed> {
        let mut n = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            n |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(n);
            }
        }
        Err(Malformed)
    }

    /// A number that fits where it belongs.
    pub fn count<T: TryFrom<u64>>(&mut self) -> Result<T, Malformed> {
        T::try_from(self.number()?).map_err(|_| Malformed)
    }

    pub fn signed(&mut self) -> Result<i64, Malformed> {
        let n = self.number()?;
        Ok((n >> 1) as i64 ^ -((n & 1) as i64))
    }

    pub fn byte(&mut self) -> Result<u8, Malformed> {
        let (first, rest) = self.0.split_first().ok_or(Malformed)?;
        self.0 = rest;
        Ok(*first)
    }

    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let (first, rest) = self.0.split_at_checked(count).ok_or(Malformed)?;
        self.0 = rest;
        Ok(first)
    }

    pub fn bytes(&mut self) -> Result<&'a [u8], Malformed> {
        let count = self.count()?;
        self.take(count)
    }
}

const SUM: usize = 4;

/// Which row of a table a piece belongs to: part of its sum, because SQLite does not notice that a row number has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowId(pub i64);

impl RowId {
    /// Of a row that two numbers name.
    pub fn of_two(first: u32, second: i64) -> Self {
        Self(i64::from(first) << 32 ^ second)
    }

    /// The sum of the texts of a row.
    pub fn sum_of<'t>(self, texts: impl IntoIterator<Item = &'t str>) -> i32 {
        let mut sum = Hasher::new();
        for text in texts {
            sum.update(text.as_bytes());
            // No text has this byte, so none runs into the next.
            sum.update(&[0xff]);
        }
        sum.update(&self.0.to_le_bytes());
        // Signed, as SQLite has its numbers: never more than four bytes.
        sum.finalize().cast_signed()
    }

    fn sum(self, bytes: &[u8]) -> [u8; SUM] {
        let mut sum = Hasher::new();
        sum.update(bytes);
        sum.update(&self.0.to_le_bytes());
        sum.finalize().to_le_bytes()
    }
}

/// Appends the sum of the bytes and of the row they belong to.
pub(super) fn seal(mut bytes: Vec<u8>, row: RowId) -> Vec<u8> {
    let sum = row.sum(&bytes);
    bytes.extend_from_slice(&sum);
    bytes
}

/// The bytes before their sum, if it is theirs and they belong to this row.
pub(super) fn unseal(sealed: &[u8], row: RowId) -> Result<Unpacker<'_>, Malformed> {
    let (bytes, sum) = sealed.split_last_chunk::<SUM>().ok_or(Malformed)?;
    if row.sum(bytes) == *sum { Ok(Unpacker(bytes)) } else { Err(Malformed) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_put_is_read_again(numbers: Vec<u64>, signed: Vec<i64>, bytes: Vec<u8>) {
            let mut packed = Vec::new();
            numbers.iter().for_each(|n| put_number(*n, &mut packed));
            put_bytes(&bytes, &mut packed);
            signed.iter().for_each(|n| put_signed(*n, &mut packed));
            let mut read = Unpacker(&packed);
            prop_assert!(numbers.iter().all(|n| read.number() == Ok(*n)));
            prop_assert_eq!(read.bytes(), Ok(bytes.as_slice()));
            prop_assert!(signed.iter().all(|n| read.signed() == Ok(*n)));
            prop_assert!(read.is_empty() && read.number() == Err(Malformed));
        }

        #[test]
        fn a_changed_byte_breaks_the_seal(
            bytes in proptest::collection::vec(any::<u8>(), 0..60),
            row: i64, at: usize, to: u8,
        ) {
            let mut sealed = seal(bytes.clone(), RowId(row));
            prop_assert_eq!(unseal(&sealed, RowId(row)).map(|read| read.0.to_vec()), Ok(bytes));
            let mut other = row.to_le_bytes();
            if other[at % 8] != to {
                other[at % 8] = to;
                prop_assert!(unseal(&sealed, RowId(i64::from_le_bytes(other))).is_err());
            }
            let at = at % sealed.len();
            prop_assume!(sealed[at] != to);
            sealed[at] = to;
            prop_assert!(unseal(&sealed, RowId(row)).is_err());
        }

        #[test]
        fn texts_do_not_run_into_each_other(a in "[a-z]{1,6}", b in "[a-z]{1,6}") {
            let row = RowId(7);
            prop_assert_ne!(row.sum_of([&*a, &*b]), row.sum_of([&a[1..], &*format!("{}{b}", &a[..1])]));
            prop_assert_ne!(row.sum_of([&*a, &*b]), row.sum_of([&*format!("{a}{b}"), ""]));
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
            let mut read = Unpacker(&bytes);
            while read.number().is_ok() {}
            let _ = Unpacker(&bytes).bytes();
            let _ = unseal(&bytes, RowId(0));
        }
    }
}
