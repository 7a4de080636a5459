//! Files that need a passphrase.

use std::fmt;

use argon2::{Algorithm, Argon2, Params, Version};
use data_encoding::BASE64;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use serde::{Deserialize, Serialize};

use crate::{ArchiveError, FileName};

/// In characters.
pub const MIN_PASSPHRASE: usize = 12;
const SALT_LENGTH: usize = 16;
const KEY_LENGTH: usize = 32;

/// What one try at the passphrase costs.
const MEMORY_KIB: u32 = 64 * 1024;
const PASSES: u32 = 3;
/// A header from elsewhere must not ask for all the memory of the machine.
const MAX_MEMORY_KIB: u32 = 1024 * 1024;
const MAX_PASSES: u32 = 100;

/// `Debug` does not show it.
#[derive(Clone)]
pub struct Passphrase(String);

impl Passphrase {
    pub fn new(text: &str) -> Result<Self, ArchiveError> {
        if text.chars().count() < MIN_PASSPHRASE {
            return Err(ArchiveError::ShortPassphrase { min: MIN_PASSPHRASE });
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Debug for Passphrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Passphrase([redacted])")
    }
}

/// How the key is made of the passphrase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Seal {
    method: Method,
    memory_kib: u32,
    passes: u32,
    salt: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Method {
    #[serde(rename = "argon2id, aes-256-gcm")]
    Argon2idAes256Gcm,
}

impl Seal {
    pub(crate) fn generate() -> Result<Self, ArchiveError> {
        let mut salt = [0; SALT_LENGTH];
        getrandom::fill(&mut salt).map_err(|_| ArchiveError::Random)?;
        let salt = BASE64.encode(&salt);
        Ok(Self { method: Method::Argon2idAes256Gcm, memory_kib: MEMORY_KIB, passes: PASSES, salt })
    }

    pub(crate) fn key(&self, Passphrase(text): &Passphrase) -> Result<SealKey, ArchiveError> {
        let fits = self.memory_kib <= MAX_MEMORY_KIB && self.passes <= MAX_PASSES;
        let salt = BASE64.decode(self.salt.as_bytes()).ok().filter(|_| fits).ok_or(ArchiveError::Key)?;
        let params = Params::new(self.memory_kib, self.passes, 1, Some(KEY_LENGTH)).map_err(|_| ArchiveError::Key)?;
        let mut key = [0; KEY_LENGTH];
        Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
            .hash_password_into(text.as_bytes(), &salt, &mut key)
            .map_err(|_| ArchiveError::Key)?;
        let key = UnboundKey::new(&AES_256_GCM, &key).map_err(|_| ArchiveError::Key)?;
        Ok(SealKey(LessSafeKey::new(key)))
    }
}

/// Opens and makes sealed files.
pub struct SealKey(LessSafeKey);

impl SealKey {
    /// A random nonce and the encrypted bytes. The name of the file is part of what is proved.
    pub(crate) fn seal(&self, name: &FileName, bytes: &[u8]) -> Result<Vec<u8>, ArchiveError> {
        let mut nonce = [0; NONCE_LEN];
        getrandom::fill(&mut nonce).map_err(|_| ArchiveError::Random)?;
        let mut text = bytes.to_vec();
        let name = Aad::from(name.as_str().as_bytes());
        let unique = Nonce::assume_unique_for_key(nonce);
        self.0.seal_in_place_append_tag(unique, name, &mut text).map_err(|_| ArchiveError::Key)?;
        Ok([&nonce[..], &text].concat())
    }

    /// Fails with another passphrase than the one that sealed it.
    pub fn open(&self, name: &FileName, sealed: &[u8]) -> Result<Vec<u8>, ArchiveError> {
        let (nonce, text) = sealed.split_first_chunk().ok_or(ArchiveError::WrongPassphrase)?;
        let mut text = text.to_vec();
        let (nonce, name) = (Nonce::assume_unique_for_key(*nonce), Aad::from(name.as_str().as_bytes()));
        let opened = self.0.open_in_place(nonce, name, &mut text).map_err(|_| ArchiveError::WrongPassphrase)?;
        Ok(opened.to_vec())
    }
}
