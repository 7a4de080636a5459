//! The name of a place on this server: short, opaque, safe in a URL.

use std::fmt;
use std::str::FromStr;

use shingle_domain::State;

/// State and key hash. The same address has the same key in every index that holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlaceKey {
    pub(crate) state: State,
    pub(crate) hash: u64,
}

/// Crockford's alphabet, small: no letter looks like a digit.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

impl fmt::Display for PlaceKey {
    /// Two letters and thirteen digits: `me0g5k…`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.state.as_str().to_ascii_lowercase())?;
        for at in (0..13).rev() {
            let digit = (self.hash >> (5 * at)) as usize & 31;
            write!(f, "{}", char::from(DIGITS[digit]))?;
        }
        Ok(())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not the key of a place")]
pub struct NotAPlaceKey;

impl FromStr for PlaceKey {
    type Err = NotAPlaceKey;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (state, digits) = text.split_at_checked(2).ok_or(NotAPlaceKey)?;
        let state = State::parse(state).ok_or(NotAPlaceKey)?;
        if digits.len() != 13 {
            return Err(NotAPlaceKey);
        }
        let hash = digits.bytes().try_fold(0u128, |hash, b| {
            let digit = DIGITS.iter().position(|d| *d == b.to_ascii_lowercase()).ok_or(NotAPlaceKey)?;
            Ok(hash << 5 | digit as u128)
        })?;
        Ok(Self { state, hash: u64::try_from(hash).map_err(|_| NotAPlaceKey)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_key_survives_its_text(hash: u64, a in "[A-Z]{2}") {
            let key = PlaceKey { state: State::parse(&a).unwrap(), hash };
            let text = key.to_string();
            prop_assert!(text.bytes().all(|b| b.is_ascii_alphanumeric()) && text.len() == 15);
            prop_assert_eq!(text.parse(), Ok(key));
        }

        #[test]
        fn any_text_is_a_key_or_an_error(text: String) {
            let _ = text.parse::<PlaceKey>();
        }
    }

    #[test]
    fn a_key_over_64_bits_is_refused() {
        assert_eq!("mezzzzzzzzzzzzz".parse::<PlaceKey>(), Err(NotAPlaceKey));
    }
}
