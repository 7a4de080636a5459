//! The key with which a command asks a server: from a variable, never from a flag, which every user of a machine can read.

use shingle_deliver::header::HeaderValue;

use crate::operator_error::OperatorError;

const VARIABLE: &str = "SHINGLE_API_KEY";

/// # Errors
/// Where the variable is missing, empty, or holds what no header can.
pub fn from_environment() -> Result<HeaderValue, OperatorError> {
    let set = std::env::var_os(VARIABLE).filter(|key| !key.is_empty()).ok_or_else(|| {
        OperatorError::text("There is no API key")
            .at(VARIABLE)
            .fix(format!("Set the variable {VARIABLE} to a key from `shingle key issue`."))
    })?;
    let text = set.to_str().map(str::trim).and_then(|key| HeaderValue::from_str(key).ok());
    let mut key = text.ok_or_else(|| {
        OperatorError::text("The API key has characters that no key has")
            .at(VARIABLE)
            .fix("Copy it again, in one line.")
    })?;
    key.set_sensitive(true);
    Ok(key)
}
