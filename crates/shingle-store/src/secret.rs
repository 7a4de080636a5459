//! The installation's secret: the key of all keyed hashes.

use core::fmt;
use std::io::{ErrorKind, Write};
use std::path::Path;

use crate::StoreError;

/// 32 random bytes, made once for an installation and kept outside the database: whoever steals only the
/// database cannot test guesses against its hashes. All nodes of an installation share it.
#[derive(Clone)]
pub struct Secret([u8; 32]);

impl Secret {
    pub fn generate() -> Result<Self, StoreError> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(StoreError::Random)?;
        Ok(Self(bytes))
    }

    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// 64 hexadecimal digits; space around them is ignored.
    pub fn parse(text: &str) -> Result<Self, StoreError> {
        blake3::Hash::from_hex(text.trim()).map(|h| Self(*h.as_bytes())).map_err(|_| StoreError::SecretForm)
    }

    /// Reads the secret from a file, or creates the file, readable only by its owner. Two processes that start
    /// at the same time get the same secret.
    pub fn load_or_create(path: &Path) -> Result<Self, StoreError> {
        let failed = |source| StoreError::SecretFile { path: path.display().to_string(), source };
        match std::fs::read_to_string(path) {
            Ok(text) => return Self::parse(&text),
            Err(e) if e.kind() == ErrorKind::NotFound => {}
            Err(e) => return Err(failed(e)),
        }
        let secret = Self::generate()?;
        // Written beside it and linked into place: nobody reads half a secret.
        let mut suffix = [0; 4];
        getrandom::fill(&mut suffix).map_err(StoreError::Random)?;
        let draft = path.with_extension(format!("{:08x}.new", u32::from_be_bytes(suffix)));
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let written = options.open(&draft).and_then(|mut file| {
            writeln!(file, "{}", blake3::Hash::from_bytes(secret.0).to_hex())?;
            file.sync_all()
        });
        let linked = written.and_then(|()| std::fs::hard_link(&draft, path));
        let removed = std::fs::remove_file(&draft);
        match linked {
            Ok(()) => removed.map(|()| secret).map_err(failed),
            Err(e) if e.kind() == ErrorKind::AlreadyExists => {
                std::fs::read_to_string(path).map_err(failed).and_then(|text| Self::parse(&text))
            }
            Err(e) => Err(failed(e)),
        }
    }

    /// A separate key for each purpose, so that a hash made for one is useless for another.
    pub fn derive(&self, purpose: &str) -> [u8; 32] {
        blake3::derive_key(purpose, &self.0)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret([redacted])")
    }
}
