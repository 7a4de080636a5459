//! What is kept from one start to the next: the account at the directory and the certificate with its key. Only this user
//! may read it.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use instant_acme::AccountCredentials;
use serde_json::{Value, json};

use crate::certificate::Certificate;
use crate::error::TlsError;

pub(super) struct AcmeFolder(PathBuf);

impl AcmeFolder {
    pub fn open(path: &Path) -> Result<Self, TlsError> {
        std::fs::create_dir_all(path).map_err(|e| TlsError::file(path, e.to_string()))?;
        Ok(Self(path.to_owned()))
    }

    fn certificate_file(&self) -> PathBuf {
        self.0.join("certificate.pem")
    }

    fn account_file(&self) -> PathBuf {
        self.0.join("account.json")
    }

    pub fn certificate(&self) -> Result<Option<Certificate>, TlsError> {
        let path = self.certificate_file();
        let Some(pem) = read(&path)? else { return Ok(None) };
        Certificate::from_pem(&pem, &pem).map(Some).map_err(|e| TlsError::file(&path, e.to_string()))
    }

    pub fn keep_certificate(&self, pem: &str) -> Result<(), TlsError> {
        write(&self.certificate_file(), pem)
    }

    fn file_of(&self, host: &str) -> PathBuf {
        self.0.join("hosts").join(format!("{host}.pem"))
    }

    pub fn certificate_of(&self, host: &str) -> Result<Option<Certificate>, TlsError> {
        let path = self.file_of(host);
        let Some(pem) = read(&path)? else { return Ok(None) };
        Certificate::from_pem(&pem, &pem).map(Some).map_err(|e| TlsError::file(&path, e.to_string()))
    }

    pub fn keep_certificate_of(&self, host: &str, pem: &str) -> Result<(), TlsError> {
        let path = self.file_of(host);
        let folder = self.0.join("hosts");
        std::fs::create_dir_all(&folder).map_err(|e| TlsError::file(&folder, e.to_string()))?;
        write(&path, pem)
    }

    /// At this directory: another one knows nothing of it.
    pub fn account(&self, directory: &str) -> Result<Option<AccountCredentials>, TlsError> {
        let path = self.account_file();
        let Some(text) = read(&path)? else { return Ok(None) };
        let mut kept: Value = serde_json::from_slice(&text).map_err(|e| TlsError::file(&path, e.to_string()))?;
        if kept["directory"] != directory {
            return Ok(None);
        }
        serde_json::from_value(kept["credentials"].take()).map(Some).map_err(|e| TlsError::file(&path, e.to_string()))
    }

    pub fn keep_account(&self, directory: &str, credentials: &AccountCredentials) -> Result<(), TlsError> {
        let path = self.account_file();
        let credentials = serde_json::to_value(credentials).map_err(|e| TlsError::file(&path, e.to_string()))?;
        write(&path, &json!({ "directory": directory, "credentials": credentials }).to_string())
    }
}

fn read(path: &Path) -> Result<Option<Vec<u8>>, TlsError> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(TlsError::file(path, error.to_string())),
    }
}

/// Beside the file first, then into its place: a crash leaves the previous one.
fn write(path: &Path, text: &str) -> Result<(), TlsError> {
    let draft = path.with_extension("new");
    let failed = |e: std::io::Error| TlsError::file(path, e.to_string());
    // A draft of a run that was cut off may have other rights.
    match std::fs::remove_file(&draft) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(failed(error)),
        _ => {}
    }
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&draft).map_err(failed)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(failed)?;
    std::fs::rename(&draft, path).map_err(failed)
}
