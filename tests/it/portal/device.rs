//! A device that makes passkeys and signs with them, as a browser would hand on what it says.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

const PRESENT: u8 = 0x01;
const VERIFIED: u8 = 0x04;
const WITH_KEY: u8 = 0x40;

pub struct Device {
    key: EcdsaKeyPair,
    id: Vec<u8>,
    user: Vec<u8>,
    pub counter: u32,
    /// Whether it asks for a finger or a PIN.
    pub verifies: bool,
    /// Where the browser says that it is.
    pub origin: String,
}

impl Device {
    pub fn new(origin: &str) -> Self {
        let random = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).unwrap();
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, document.as_ref(), &random).unwrap();
        let id = Sha256::digest(key.public_key().as_ref()).to_vec();
        Self { key, id, user: Vec::new(), counter: 0, verifies: true, origin: origin.to_owned() }
    }

    fn client_data(&self, kind: &str, options: &Value) -> Vec<u8> {
        let challenge = options["challenge"].as_str().unwrap();
        json!({ "type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": false })
            .to_string()
            .into_bytes()
    }

    fn said(&mut self, name: &str, more: u8) -> Vec<u8> {
        self.counter += 1;
        let flags = PRESENT | more | if self.verifies { VERIFIED } else { 0 };
        let mut said = Sha256::digest(name).to_vec();
        said.push(flags);
        said.extend(self.counter.to_be_bytes());
        said
    }

    /// A new passkey: what `navigator.credentials.create` gives.
    pub fn make(&mut self, options: &Value) -> String {
        self.user = BASE64.decode(options["user"]["id"].as_str().unwrap()).unwrap();
        let client_data = self.client_data("webauthn.create", options);
        let mut said = self.said(options["rp"]["id"].as_str().unwrap(), WITH_KEY);
        said.extend([0; 16]);
        said.extend(u16::try_from(self.id.len()).unwrap().to_be_bytes());
        said.extend(&self.id);
        // The point on the curve, 4 and two coordinates of 32 bytes, as COSE writes it: {1: 2, 3: -7, -1: 1, -2: x, -3: y}.
        let point = self.key.public_key().as_ref();
        said.extend([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]);
        said.extend(&point[1..33]);
        said.extend([0x22, 0x58, 0x20]);
        said.extend(&point[33..]);
        let mut attestation = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58".to_vec();
        attestation.push(u8::try_from(said.len()).unwrap());
        attestation.extend(said);
        self.answer(
            json!({ "clientDataJSON": BASE64.encode(client_data), "attestationObject": BASE64.encode(attestation) }),
        )
    }

    /// What `navigator.credentials.get` gives.
    pub fn sign(&mut self, options: &Value) -> String {
        let client_data = self.client_data("webauthn.get", options);
        let said = self.said(options["rpId"].as_str().unwrap(), 0);
        let signed = [said.clone(), Sha256::digest(&client_data).to_vec()].concat();
        let signature = self.key.sign(&SystemRandom::new(), &signed).unwrap();
        self.answer(json!({
            "clientDataJSON": BASE64.encode(client_data),
            "authenticatorData": BASE64.encode(said),
            "signature": BASE64.encode(signature.as_ref()),
            "userHandle": BASE64.encode(&self.user),
        }))
    }

    fn answer(&self, response: Value) -> String {
        let id = BASE64.encode(&self.id);
        json!({ "id": id, "rawId": id, "type": "public-key", "response": response }).to_string()
    }

    /// Says that somebody else uses it.
    pub fn pretend(&mut self, user: shingle_domain::UserId) {
        self.user = user.0.as_bytes().to_vec();
    }
}
