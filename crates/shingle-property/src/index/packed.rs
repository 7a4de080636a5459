//! Numbers and texts in few bytes, and the sum that tells a damaged piece of a file.

use std::fmt;

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

/// Appends the sum of the bytes.
pub(super) fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    let sum = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
    bytes
}

/// The bytes before their sum, if it is theirs.
pub(super) fn unseal(sealed: &[u8]) -> Result<Unpacker<'_>, Malformed> {
    let (bytes, sum) = sealed.split_last_chunk::<SUM>().ok_or(Malformed)?;
    if crc32fast::hash(bytes) == u32::from_le_bytes(*sum) { Ok(Unpacker(bytes)) } else { Err(Malformed) }
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
        fn a_changed_byte_breaks_the_seal(bytes in proptest::collection::vec(any::<u8>(), 0..60), at: usize, to: u8) {
            let mut sealed = seal(bytes.clone());
            prop_assert_eq!(unseal(&sealed).map(|read| read.0.to_vec()), Ok(bytes));
            let at = at % sealed.len();
            prop_assume!(sealed[at] != to);
            sealed[at] = to;
            prop_assert!(unseal(&sealed).is_err());
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
            let mut read = Unpacker(&bytes);
            while read.number().is_ok() {}
            let _ = Unpacker(&bytes).bytes();
            let _ = unseal(&bytes);
        }
    }
}
