use std::path::Path;

use shingle_domain::message::{Message, ToMessage};
use shingle_domain::messages;

messages! {
    /// Why there is no certificate, or no new one.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum TlsError {
        File { path: String, reason: Message } => "{path} cannot be used: {reason}",
        KeyMismatch => "the certificate and its key do not belong together",
        Certificate { reason: Message } => "the certificate cannot be read: {reason}",
        Directory { directory: String, reason: String } => "the ACME directory {directory} refused: {reason}",
        Unreachable { directory: String, reason: String } =>
            "the ACME directory {directory} cannot be reached: {reason}",
        /// What the directory says of a name.
        NotVerified { name: String, reason: Message } => "the ACME directory could not verify {name}: {reason}",
        NoChallenge { name: String } =>
            "the ACME directory offers none of the ways in which this server can prove that {name} is its own",
    }
}

messages! {
    /// What is wrong with a file or a certificate.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum TlsProblem {
        OtherKey => "it is the key of another certificate",
        TooLarge => "it is larger than 1 MB, and no certificate",
        PrivateKey { why: String } => "its private key: {why}",
        Empty => "the file holds none",
        NoName => "it does not say which",
        NoReason => "it does not say why",
    }
}

impl TlsError {
    pub(crate) fn file(path: &Path, reason: impl ToMessage) -> Self {
        Self::File { path: path.display().to_string(), reason: reason.to_message() }
    }

    pub(crate) fn private_key(why: impl ToString) -> Self {
        Self::Certificate { reason: TlsProblem::PrivateKey { why: why.to_string() }.to_message() }
    }

    /// As a library says it.
    pub(crate) fn certificate(why: impl ToString) -> Self {
        Self::Certificate { reason: Message::Text(why.to_string()) }
    }
}
