//! Signs certificates, and verifies signatures.

use core::fmt;
use core::str::FromStr;

use data_encoding::{BASE64, HEXLOWER};
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};

use crate::{ConsentError, Digest};

/// The key by which an installation signs. It is made of the installation's secret.
pub struct CertificateSigner(Ed25519KeyPair);

impl CertificateSigner {
    pub fn from_seed(seed: &[u8; 32]) -> Result<Self, ConsentError> {
        Ed25519KeyPair::from_seed_unchecked(seed).map(Self).map_err(|_| ConsentError::Signer)
    }

    pub fn key(&self) -> CertificateKey {
        CertificateKey(Digest::from_ring(self.0.public_key().as_ref()))
    }

    pub(crate) fn sign(&self, message: &[u8]) -> String {
        BASE64.encode(self.0.sign(message).as_ref())
    }
}

impl fmt::Debug for CertificateSigner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CertificateSigner([redacted])")
    }
}

/// The public half, by which anybody recognizes the signatures of an installation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CertificateKey(pub Digest);

impl CertificateKey {
    pub(crate) fn verifies(self, message: &[u8], signature: &str) -> bool {
        let Ok(signature) = BASE64.decode(signature.as_bytes()) else { return false };
        UnparsedPublicKey::new(&ED25519, self.0.0).verify(message, &signature).is_ok()
    }
}

impl fmt::Display for CertificateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&HEXLOWER.encode(&self.0.0))
    }
}

impl FromStr for CertificateKey {
    type Err = ConsentError;
    fn from_str(text: &str) -> Result<Self, ConsentError> {
        text.trim().to_ascii_lowercase().parse().map(Self).map_err(|()| ConsentError::Key)
    }
}
