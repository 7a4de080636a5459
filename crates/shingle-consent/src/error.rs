//! The errors of this crate.

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConsentError {
    #[error("the system gave no random bytes: {0}")]
    Random(getrandom::Error),
    /// The text is not repeated: it is personal.
    #[error("it is no certificate of consent: {reason} at line {line}, column {column}")]
    NotACertificate { reason: &'static str, line: usize, column: usize },
    #[error("it is no certificate of consent: an id or a time is not written as the server writes it")]
    Rewritten,
    #[error("a key has 64 hexadecimal digits")]
    Key,
    #[error("the signing key cannot be made")]
    Signer,
}

impl From<serde_json::Error> for ConsentError {
    fn from(error: serde_json::Error) -> Self {
        let reason = match error.classify() {
            serde_json::error::Category::Data => "a field is missing, unknown or of another form",
            _ => "it is not JSON",
        };
        Self::NotACertificate { reason, line: error.line(), column: error.column() }
    }
}
