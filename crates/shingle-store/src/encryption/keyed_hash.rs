//! Keyed hashes: they let the store recognize a value without storing it.

use shingle_domain::{AccountId, Email, Phone};

use crate::Secret;

/// 64 bits: two towns of one account that share them are not met.
const TOWN_DIGITS: usize = 16;

#[derive(Clone)]
pub(crate) struct KeyedHashes {
    api_key: [u8; 32],
    person: [u8; 32],
    request: [u8; 32],
    check: [u8; 32],
    search: [u8; 32],
    portal: [u8; 32],
}

impl Secret {
    /// Equal for equal secrets; reveals nothing about the secret. The database keeps it.
    pub fn check(&self) -> String {
        KeyedHashes::new(self).secret_check()
    }
}

impl KeyedHashes {
    pub fn new(secret: &Secret) -> Self {
        Self {
            api_key: secret.derive("shingle-store 2026 api key"),
            person: secret.derive("shingle-store 2026 person and address"),
            request: secret.derive("shingle-store 2026 request"),
            check: secret.derive("shingle-store 2026 secret check"),
            search: secret.derive("shingle-store 2026 lead search"),
            portal: secret.derive("shingle-store 2026 portal"),
        }
    }

    pub fn api_key(&self, token: &str) -> blake3::Hash {
        blake3::keyed_hash(&self.api_key, token.as_bytes())
    }

    pub fn email(&self, email: &Email) -> String {
        self.person('e', &email.as_str().to_lowercase())
    }

    pub fn phone(&self, phone: &Phone) -> String {
        self.person('p', &phone.dialled())
    }

    /// Case, punctuation and spacing do not make a different address.
    pub fn address(&self, line: &str) -> String {
        let words = line.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty());
        self.person('a', &words.map(str::to_lowercase).collect::<Vec<_>>().join(" "))
    }

    /// Of what opens the portal: a session, an invite, a link, a code. `kind` keeps one from being used as another.
    pub fn portal(&self, kind: &str, token: &str) -> String {
        let mut hasher = blake3::Hasher::new_keyed(&self.portal);
        hasher.update(kind.as_bytes()).update(&[0]).update(token.as_bytes());
        hasher.finalize().to_hex().to_string()
    }

    /// Six digits to show to the holder of the link.
    pub fn sign_in_code(&self, link: &str) -> String {
        let mut hasher = blake3::Hasher::new_keyed(&self.portal);
        hasher.update(b"code\0").update(link.as_bytes());
        let mut bytes = [0; 8];
        hasher.finalize_xof().fill(&mut bytes);
        format!("{:06}", u64::from_be_bytes(bytes) % 1_000_000)
    }

    fn person(&self, kind: char, text: &str) -> String {
        blake3::keyed_hash(&self.person, format!("{kind}{text}").as_bytes()).to_hex().to_string()
    }

    pub fn request(&self, bytes: &[u8]) -> String {
        blake3::keyed_hash(&self.request, bytes).to_hex().to_string()
    }

    /// Of a word by which leads of a tenant are found. Equal words of two tenants have different hashes; code that finds a lead
    /// by one still asks whose it is, because 64 bits can meet.
    pub fn word(&self, account: AccountId, environment: &str, word: &str) -> i64 {
        let mut hasher = blake3::Hasher::new_keyed(&self.search);
        hasher.update(account.0.as_bytes()).update(environment.as_bytes()).update(b"\0");
        let mut bytes = [0; 8];
        hasher.update(word.as_bytes()).finalize_xof().fill(&mut bytes);
        i64::from_be_bytes(bytes)
    }

    /// Of a town in an account's addresses.
    pub fn town(&self, account: AccountId, town: &str) -> String {
        let mut hasher = blake3::Hasher::new_keyed(&self.search);
        hasher.update(account.0.as_bytes()).update(b"town ").update(town.as_bytes());
        hasher.finalize().to_hex()[..TOWN_DIGITS].to_owned()
    }

    /// Of a word on an account's leads.
    pub fn tag(&self, account: AccountId, word: &str) -> String {
        let mut hasher = blake3::Hasher::new_keyed(&self.search);
        hasher.update(account.0.as_bytes()).update(b"tag ").update(word.as_bytes());
        hasher.finalize().to_hex()[..TOWN_DIGITS].to_owned()
    }

    /// Equal for equal secrets; reveals nothing about the secret.
    pub fn secret_check(&self) -> String {
        blake3::keyed_hash(&self.check, b"").to_hex().to_string()
    }
}
