//! Parcel numbers, compared as clerks write them: with and without dashes, dots and spaces.

/// A number of 40 bits for the table of parcels; `None` for what cannot tell one parcel from another: short numbers, texts
/// without digits, rows of one character.
pub(super) fn parcel_hash(text: &str) -> Option<u64> {
    const MAX_LEN: usize = 64;
    let mut plain = [0; MAX_LEN];
    let mut len = 0;
    for b in text.bytes().filter(|b| !matches!(b, b' ' | b'-' | b'.' | b'/' | b'_')) {
        *plain.get_mut(len)? = b.to_ascii_uppercase();
        len += 1;
    }
    let plain = &plain[..len];
    let usable = len >= 5 && plain.iter().any(u8::is_ascii_digit) && plain.iter().any(|b| Some(b) != plain.first());
    if !usable {
        return None;
    }
    // FNV-1a: quick, and who is brought together is looked at again. So forty bits do.
    let hash = plain.iter().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3));
    Some(hash >> 24)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parcel_is_the_same_with_and_without_its_dashes() {
        assert_eq!(parcel_hash("12-034 a.7"), parcel_hash("12034A7"));
        assert_ne!(parcel_hash("12-034-7"), parcel_hash("12-034-8"));
        for nothing in ["", "12-3", "00000000", "UNKNOWN", "-----", &"7".repeat(80)] {
            assert_eq!(parcel_hash(nothing), None, "{nothing}");
        }
    }
}
