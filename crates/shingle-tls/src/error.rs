use std::path::{Path, PathBuf};

/// Why there is no certificate, or no new one.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    #[error("{path} cannot be used: {reason}")]
    File { path: PathBuf, reason: String },
    #[error("the certificate and its key do not belong together")]
    KeyMismatch,
    #[error("the certificate cannot be read: {0}")]
    Certificate(String),
    #[error("the ACME directory {directory} refused: {source}")]
    Directory { directory: String, source: instant_acme::Error },
    #[error("the ACME directory {directory} cannot be reached: {reason}")]
    Unreachable { directory: String, reason: String },
    /// What the directory says of a name.
    #[error("the ACME directory could not verify {name}: {reason}")]
    NotVerified { name: String, reason: String },
    #[error("the ACME directory offers none of the ways in which this server can prove that {name} is its own")]
    NoChallenge { name: String },
}

impl TlsError {
    pub(crate) fn file(path: &Path, reason: impl ToString) -> Self {
        Self::File { path: path.to_owned(), reason: reason.to_string() }
    }
}
