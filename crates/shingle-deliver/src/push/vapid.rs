//! Who sends: RFC 8292. A browser takes messages of the key alone under which it subscribed.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{Signature, SigningKey};
use shingle_domain::Timestamp;
use shingle_store::Secret;

/// Push services refuse a token that is good for more than a day.
const GOOD_FOR_SECONDS: i64 = 12 * 3_600;

/// Of the installation, made of its secret: it is the same wherever the secret is, and is in no database.
#[derive(Clone)]
pub struct VapidKey {
    key: SigningKey,
    public: String,
}

impl VapidKey {
    /// `None`: a secret of which no key can be made, of which there is one in 2^32.
    pub fn new(secret: &Secret) -> Option<Self> {
        let key = SigningKey::from_slice(&secret.derive("shingle-deliver 2026 web push")).ok()?;
        let public = URL_SAFE_NO_PAD.encode(key.verifying_key().to_sec1_point(false).as_bytes());
        Some(Self { key, public })
    }

    /// As browsers want it, to subscribe.
    pub fn public(&self) -> &str {
        &self.public
    }

    /// The header `authorization` for a push service. `contact` is a URL of the sender's.
    pub fn authorization(&self, service: &url::Origin, contact: &str, now: Timestamp) -> String {
        let expires = now.seconds() + GOOD_FOR_SECONDS;
        let claims = serde_json::json!({ "aud": service.ascii_serialization(), "exp": expires, "sub": contact });
        let part = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        let signed = format!("{}.{}", part(br#"{"typ":"JWT","alg":"ES256"}"#), part(claims.to_string().as_bytes()));
        let signature: Signature = self.key.sign(signed.as_bytes());
        format!("vapid t={signed}.{}, k={}", part(&signature.to_bytes()), self.public)
    }
}
