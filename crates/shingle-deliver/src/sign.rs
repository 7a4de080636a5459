//! Signatures of the Standard Webhooks specification: HMAC-SHA256 with a shared secret (`v1`) and Ed25519 with a key pair
//! (`v1a`), for receivers that hold no secret.
//!
//! # Decision
//!
//! Each webhook has its own key pair, derived from the installation's secret (`v1a`, published at
//! `/webhook-keys/{id}`). Turned down: one for the installation; a receiver could mistake another webhook's events
//! for its own.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use ring::signature::{Ed25519KeyPair, KeyPair as _};

const SECRET_PREFIX: &str = "whsec_";
const PUBLIC_KEY_PREFIX: &str = "whpk_";
const SECRET_BYTES: usize = 32;

/// A secret shared with the receiver, as it is shown: `whsec_` and base64.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningSecret(String);

impl core::fmt::Debug for SigningSecret {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("SigningSecret([redacted])")
    }
}

impl SigningSecret {
    pub fn generate() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; SECRET_BYTES];
        getrandom::fill(&mut bytes)?;
        Ok(Self(format!("{SECRET_PREFIX}{}", STANDARD.encode(bytes))))
    }

    /// 24 to 64 bytes, as the specification asks for.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = STANDARD.decode(text.trim().strip_prefix(SECRET_PREFIX)?).ok()?;
        (24..=64).contains(&bytes.len()).then(|| Self(text.trim().to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// `v1,…`
    pub fn sign(&self, id: &str, timestamp: i64, body: &[u8]) -> String {
        format!("v1,{}", STANDARD.encode(self.mac(id, timestamp, body).as_ref()))
    }

    /// Whether one of the signatures of a `webhook-signature` header is ours.
    pub fn verifies(&self, signatures: &str, id: &str, timestamp: i64, body: &[u8]) -> bool {
        let content = content(id, timestamp, body);
        signatures
            .split_whitespace()
            .filter_map(|signature| STANDARD.decode(signature.strip_prefix("v1,")?).ok())
            .any(|tag| hmac::verify(&self.key(), &content, &tag).is_ok())
    }

    fn mac(&self, id: &str, timestamp: i64, body: &[u8]) -> hmac::Tag {
        let mut context = hmac::Context::with_key(&self.key());
        context.update(format!("{id}.{timestamp}.").as_bytes());
        context.update(body);
        context.sign()
    }

    fn key(&self) -> hmac::Key {
        let bytes = STANDARD.decode(&self.0[SECRET_PREFIX.len()..]).unwrap_or_default();
        hmac::Key::new(hmac::HMAC_SHA256, &bytes)
    }
}

/// A key pair whose public half is published.
pub struct SigningKey(Ed25519KeyPair);

impl SigningKey {
    pub fn from_seed(seed: &[u8; 32]) -> Option<Self> {
        Ed25519KeyPair::from_seed_unchecked(seed).ok().map(Self)
    }

    /// `v1a,…`
    pub fn sign(&self, id: &str, timestamp: i64, body: &[u8]) -> String {
        format!("v1a,{}", STANDARD.encode(self.0.sign(&content(id, timestamp, body)).as_ref()))
    }

    /// `whpk_` and base64.
    pub fn public_key(&self) -> String {
        format!("{PUBLIC_KEY_PREFIX}{}", STANDARD.encode(self.0.public_key().as_ref()))
    }
}

fn content(id: &str, timestamp: i64, body: &[u8]) -> Vec<u8> {
    let mut content = format!("{id}.{timestamp}.").into_bytes();
    content.extend_from_slice(body);
    content
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the specification's own reference libraries.
    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const ID: &str = "msg_p5jXN8AQM9LWM0D4loKWxJek";

    #[test]
    fn the_signature_is_that_of_the_specification() {
        let secret = SigningSecret::parse(SECRET).unwrap();
        let body = br#"{"test": 2432232314}"#;
        let signature = secret.sign(ID, 1_614_265_330, body);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        assert!(secret.verifies(&format!("v1,AAAA v2,x {signature}"), ID, 1_614_265_330, body));
        assert!(!secret.verifies(&signature, ID, 1_614_265_331, body), "another time");
        assert!(!secret.verifies(&signature, "msg_other", 1_614_265_330, body), "another event");
        assert!(!secret.verifies(&signature, ID, 1_614_265_330, b"{}"), "another body");
        assert!(!secret.verifies("", ID, 1_614_265_330, body));
    }

    #[test]
    fn a_generated_secret_verifies_with_the_official_library() {
        let secret = SigningSecret::generate().unwrap();
        let official = standardwebhooks::Webhook::new(secret.as_str()).unwrap();
        let ours = secret.sign(ID, 1_614_265_330, b"{}");
        assert_eq!(official.sign(ID, 1_614_265_330, b"{}").unwrap(), ours);
        assert_ne!(SigningSecret::generate().unwrap(), secret);
    }

    #[test]
    fn a_signature_by_key_pair_verifies_with_the_published_key() {
        let key = SigningKey::from_seed(&[7; 32]).unwrap();
        let signature = key.sign(ID, 5, b"{}");
        let bytes = STANDARD.decode(signature.strip_prefix("v1a,").unwrap()).unwrap();
        let public = STANDARD.decode(key.public_key().strip_prefix("whpk_").unwrap()).unwrap();
        let check = ring::signature::UnparsedPublicKey::new(&ring::signature::ED25519, public);
        assert!(check.verify(format!("{ID}.5.{{}}").as_bytes(), &bytes).is_ok());
        assert!(check.verify(format!("{ID}.6.{{}}").as_bytes(), &bytes).is_err());
    }

    #[test]
    fn what_is_no_secret_is_refused() {
        for text in ["", "whsec_", "whsec_AAAA", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_not base64"] {
            assert!(SigningSecret::parse(text).is_none(), "{text}");
        }
        assert!(!format!("{:?}", SigningSecret::parse(SECRET).unwrap()).contains("Mf"));
    }
}
