//! Encryption of texts: signing keys and access keys of other systems, and personal data (`encryption/data_key.rs`).
//!
//! # Decision
//!
//! Signing keys, headers and credentials of other systems are encrypted, each under a key derived for its row. Turned
//! down: one key for all, under which random nonces come close to repeating.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};

use crate::{Secret, StoreError};

/// ChaCha20-Poly1305. Each record has a key of its own, so that random nonces never come close to repeating under one.
#[derive(Clone)]
pub(crate) struct Cipher {
    root: [u8; 32],
}

impl Cipher {
    pub fn new(secret: &Secret) -> Self {
        Self::of_key(secret.derive("shingle-store 2026 encryption"))
    }

    pub fn of_key(root: [u8; 32]) -> Self {
        Self { root }
    }

    /// `record` names what is encrypted: the text opens under the same name alone.
    pub fn seal(&self, record: &str, plain: &str) -> Result<String, StoreError> {
        let mut bytes = Vec::new();
        self.seal_bytes(record, plain.as_bytes(), &mut bytes)?;
        Ok(STANDARD.encode(bytes))
    }

    pub fn open(&self, record: &str, sealed: &str) -> Result<String, StoreError> {
        let plain = self.open_bytes(record, &STANDARD.decode(sealed).map_err(|_| StoreError::Cipher)?)?;
        String::from_utf8(plain).map_err(|_| StoreError::Cipher)
    }

    /// As [`Self::seal`], behind what `out` holds.
    pub fn seal_bytes(&self, record: &str, plain: &[u8], out: &mut Vec<u8>) -> Result<(), StoreError> {
        let mut nonce = [0; NONCE_LEN];
        getrandom::fill(&mut nonce).map_err(StoreError::Random)?;
        out.reserve(NONCE_LEN + plain.len() + CHACHA20_POLY1305.tag_len());
        out.extend_from_slice(&nonce);
        let begin = out.len();
        out.extend_from_slice(plain);
        let aad = Aad::from(record.as_bytes());
        let tag = self
            .key(record)?
            .seal_in_place_separate_tag(
                Nonce::assume_unique_for_key(nonce),
                aad,
                out.get_mut(begin..).unwrap_or_default(),
            )
            .map_err(|_| StoreError::Cipher)?;
        out.extend_from_slice(tag.as_ref());
        Ok(())
    }

    pub fn open_bytes(&self, record: &str, sealed: &[u8]) -> Result<Vec<u8>, StoreError> {
        let (nonce, rest) = sealed.split_at_checked(NONCE_LEN).ok_or(StoreError::Cipher)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| StoreError::Cipher)?;
        let mut rest = rest.to_vec();
        let plain = self
            .key(record)?
            .open_in_place(nonce, Aad::from(record.as_bytes()), &mut rest)
            .map_err(|_| StoreError::Cipher)?
            .len();
        rest.truncate(plain);
        Ok(rest)
    }

    fn key(&self, record: &str) -> Result<LessSafeKey, StoreError> {
        let key = blake3::keyed_hash(&self.root, record.as_bytes());
        UnboundKey::new(&CHACHA20_POLY1305, key.as_bytes()).map(LessSafeKey::new).map_err(|_| StoreError::Cipher)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_text_opens_under_its_own_name_and_secret_alone() {
        let cipher = Cipher::new(&Secret::from_bytes([7; 32]));
        let sealed = cipher.seal("destination 1", "whsec_x").unwrap();
        assert!(!sealed.contains("whsec"));
        assert_eq!(cipher.open("destination 1", &sealed).unwrap(), "whsec_x");
        assert!(cipher.open("destination 2", &sealed).is_err());
        assert!(Cipher::new(&Secret::from_bytes([8; 32])).open("destination 1", &sealed).is_err());
        for bad in ["", "AAAA", "not base64!", &sealed[4..]] {
            assert!(cipher.open("destination 1", bad).is_err(), "{bad}");
        }
        assert_ne!(sealed, cipher.seal("destination 1", "whsec_x").unwrap(), "each has a nonce of its own");
    }
}
