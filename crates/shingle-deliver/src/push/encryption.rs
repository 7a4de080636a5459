//! A message that only one browser reads: RFC 8291, in the content coding `aes128gcm` of RFC 8188, as one record.

use p256::elliptic_curve::sec1::ToSec1Point as _;
use p256::{PublicKey, SecretKey, ecdh::diffie_hellman};
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::hmac::{HMAC_SHA256, Key, sign};
use serde::{Deserialize, Serialize};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

const SALT: usize = 16;
const POINT: usize = 65;
/// Of the head of a message: salt, size of a record, length of the key, key.
const HEAD: usize = SALT + 4 + 1 + POINT;
const RECORD: u32 = 4_096;
/// What a push service has to take.
pub const MAX_TEXT: usize = 3_000;
/// Ends the last record.
const LAST: u8 = 2;

/// What a browser gives to be written to.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PushKeys {
    /// A point of P-256, uncompressed, in base64url.
    pub p256dh: String,
    /// Sixteen bytes, in base64url.
    pub auth: String,
}

struct Parsed {
    public: PublicKey,
    point: Vec<u8>,
    auth: Vec<u8>,
}

impl PushKeys {
    /// Whether they are what a browser gives.
    pub fn are_sound(&self) -> bool {
        self.parse().is_some()
    }

    fn parse(&self) -> Option<Parsed> {
        let read = |text: &str| URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok();
        let (point, auth) = (read(&self.p256dh)?, read(&self.auth)?);
        let public = PublicKey::from_sec1_bytes(&point).ok().filter(|_| point.len() == POINT)?;
        (auth.len() == 16).then_some(Parsed { public, point, auth })
    }

    /// `None` if the keys are invalid, the text is too long, or the system has no randomness.
    pub fn encrypt(&self, text: &[u8]) -> Option<Vec<u8>> {
        let (mut salt, mut seed) = ([0; SALT], [0; 32]);
        getrandom::fill(&mut salt).ok()?;
        getrandom::fill(&mut seed).ok()?;
        self.encrypt_with(text, &SecretKey::from_slice(&seed).ok()?, salt)
    }

    fn encrypt_with(&self, text: &[u8], own: &SecretKey, salt: [u8; SALT]) -> Option<Vec<u8>> {
        let theirs = self.parse()?;
        if text.len() > MAX_TEXT {
            return None;
        }
        let own_point = point_of(&own.public_key());
        let shared = diffie_hellman(own.to_nonzero_scalar(), theirs.public.as_affine());
        let (key, nonce) = keys(shared.raw_secret_bytes(), &theirs.auth, &theirs.point, &own_point, &salt)?;
        let mut sealed = text.to_vec();
        sealed.push(LAST);
        key.seal_in_place_append_tag(nonce, Aad::empty(), &mut sealed).ok()?;
        let mut message = Vec::with_capacity(HEAD + sealed.len());
        message.extend_from_slice(&salt);
        message.extend_from_slice(&RECORD.to_be_bytes());
        message.push(u8::try_from(POINT).ok()?);
        message.extend_from_slice(&own_point);
        message.extend_from_slice(&sealed);
        Some(message)
    }
}

fn point_of(key: &PublicKey) -> Vec<u8> {
    key.to_sec1_point(false).as_bytes().to_vec()
}

fn hmac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = [0; 32];
    mac.copy_from_slice(sign(&Key::new(HMAC_SHA256, key), &parts.concat()).as_ref());
    mac
}

/// Of the record, from what both sides know. `theirs` is the browser's point, `own` the sender's.
fn keys(shared: &[u8], auth: &[u8], theirs: &[u8], own: &[u8], salt: &[u8]) -> Option<(LessSafeKey, Nonce)> {
    let extracted = hmac(auth, &[shared]);
    let input = hmac(&extracted, &[b"WebPush: info\0", theirs, own, &[1]]);
    let extracted = hmac(salt, &[&input]);
    let key = hmac(&extracted, &[b"Content-Encoding: aes128gcm\0", &[1]]);
    let nonce = hmac(&extracted, &[b"Content-Encoding: nonce\0", &[1]]);
    let key = UnboundKey::new(&AES_128_GCM, &key[..16]).ok()?;
    Some((LessSafeKey::new(key), Nonce::try_assume_unique_for_key(&nonce[..12]).ok()?))
}

/// As a browser reads it, with its private key: for tests of the whole way. `None`: it is not for this browser.
pub fn decrypt(message: &[u8], private: &[u8], auth: &[u8]) -> Option<Vec<u8>> {
    let private = SecretKey::from_slice(private).ok()?;
    let (head, sealed) = message.split_at_checked(HEAD)?;
    let (salt, sender) = (&head[..SALT], &head[HEAD - POINT..]);
    let shared = diffie_hellman(private.to_nonzero_scalar(), PublicKey::from_sec1_bytes(sender).ok()?.as_affine());
    let (key, nonce) = keys(shared.raw_secret_bytes(), auth, &point_of(&private.public_key()), sender, salt)?;
    let mut sealed = sealed.to_vec();
    let text = key.open_in_place(nonce, Aad::empty(), &mut sealed).ok()?;
    let (last, text) = text.split_last()?;
    (*last == LAST).then(|| text.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        URL_SAFE_NO_PAD.decode(text).unwrap()
    }

    /// Appendix A of RFC 8291.
    #[test]
    fn the_example_of_the_standard() {
        let keys = PushKeys {
            p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
                .to_owned(),
            auth: "BTBZMqHH6r4Tts7J_aSIgg".to_owned(),
        };
        let own = SecretKey::from_slice(&bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")).unwrap();
        let salt = bytes("DGv6ra1nlYgDCS1FRnbzlw").try_into().unwrap();
        let message = keys.encrypt_with(b"When I grow up, I want to be a watermelon", &own, salt).unwrap();
        assert_eq!(
            URL_SAFE_NO_PAD.encode(&message),
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
        );
        let private = bytes("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94");
        let read = decrypt(&message, &private, &bytes(&keys.auth)).unwrap();
        assert_eq!(read, b"When I grow up, I want to be a watermelon");
        assert_eq!(decrypt(&message, &private, &[0; 16]), None, "another browser");
        assert_eq!(decrypt(&message[..40], &private, &bytes(&keys.auth)), None);
        assert_ne!(keys.encrypt(b"x").unwrap(), keys.encrypt(b"x").unwrap());
        assert_eq!(keys.encrypt(&[0; MAX_TEXT + 1]), None);
    }

    #[test]
    fn keys_that_are_none_are_told() {
        let sound = PushKeys {
            p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
                .to_owned(),
            auth: "BTBZMqHH6r4Tts7J_aSIgg".to_owned(),
        };
        assert!(sound.are_sound());
        let off_curve = format!("{}AAA", &sound.p256dh[..84]);
        for (p256dh, auth) in
            [("", ""), ("x", "y"), (&*off_curve, &*sound.auth), (&*sound.p256dh, "AAAA"), ("A", &*sound.auth)]
        {
            assert!(!PushKeys { p256dh: p256dh.to_owned(), auth: auth.to_owned() }.are_sound(), "{p256dh} {auth}");
        }
    }
}
