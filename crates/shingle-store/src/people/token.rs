//! Tokens of the portal: 256 random bits, of which the database holds a hash.

use data_encoding::BASE64URL_NOPAD;

use crate::StoreError;

pub(crate) const CHARS: usize = 43;

pub(crate) fn new_token() -> Result<String, StoreError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(StoreError::Random)?;
    Ok(BASE64URL_NOPAD.encode(&bytes))
}

/// Whether a text may be one: anything else never reaches the database.
pub(crate) fn may_be_token(text: &str) -> bool {
    text.len() == CHARS && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}
