//! A certificate in two files that something else renews.

use std::path::{Path, PathBuf};

use crate::certificate::Certificate;
use crate::error::{TlsError, TlsProblem};

/// No chain is longer; a file of another kind is not read into memory.
const MAX_BYTES: u64 = 1024 * 1024;

#[derive(Debug)]
pub struct CertificateFiles {
    certificate: PathBuf,
    key: PathBuf,
    /// Of both, as they were read last: what is broken is reported once.
    read: Option<ring::digest::Digest>,
}

/// What became of the files since they were read last.
#[derive(Debug)]
pub enum Reload {
    Unchanged,
    Changed(Certificate),
}

impl CertificateFiles {
    pub fn new(certificate: &Path, key: &Path) -> Self {
        Self { certificate: certificate.to_owned(), key: key.to_owned(), read: None }
    }

    /// Reads both. Their writer replaces one after the other, so a pair that does not fit may be right a moment
    /// later.
    ///
    /// # Errors
    /// Where a pair that was not read before cannot be used.
    pub fn reload(&mut self) -> Result<Reload, TlsError> {
        let (certificate, key) = (contents(&self.certificate)?, contents(&self.key)?);
        let mut both = ring::digest::Context::new(&ring::digest::SHA256);
        both.update(&(certificate.len() as u64).to_be_bytes());
        both.update(&certificate);
        both.update(&key);
        let both = both.finish();
        if self.read.as_ref().is_some_and(|read| read.as_ref() == both.as_ref()) {
            return Ok(Reload::Unchanged);
        }
        self.read = Some(both);
        Certificate::from_pem(&certificate, &key).map(Reload::Changed).map_err(|error| match error {
            TlsError::KeyMismatch => TlsError::file(&self.key, TlsProblem::OtherKey),
            error => TlsError::file(&self.certificate, error),
        })
    }
}

fn contents(path: &Path) -> Result<Vec<u8>, TlsError> {
    let size = std::fs::metadata(path).map_err(|e| TlsError::file(path, e.to_string()))?.len();
    if size > MAX_BYTES {
        return Err(TlsError::file(path, TlsProblem::TooLarge));
    }
    std::fs::read(path).map_err(|e| TlsError::file(path, e.to_string()))
}

#[cfg(test)]
mod tests;
