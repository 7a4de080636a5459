//! Passkey challenges and their verification. Devices know this server by the host name of its base URL.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;
use shingle_domain::UserId;
use shingle_store::{CEREMONY_LIFETIME, NewPasskey};
use url::{Host, Origin, Url};
use webauthn_rs::prelude::{
    Credential, DiscoverableAuthentication, Passkey, PasskeyRegistration, PublicKeyCredential,
    RegisterPublicKeyCredential,
};
use webauthn_rs::{Webauthn, WebauthnBuilder};

/// More is not an answer of a device.
const MAX_ANSWER: usize = 16 * 1024;

pub struct RelyingParty {
    webauthn: Webauthn,
    name: String,
    origin: Origin,
}

/// For the browser, and what the answer is checked by.
pub struct Question {
    pub options: Value,
    pub state: String,
}

/// What an answer says of itself, before it is checked.
pub struct Answer {
    answer: PublicKeyCredential,
    pub credential: String,
}

/// A key after it was used.
pub struct UsedKey {
    pub key: String,
    pub counter: u32,
}

impl RelyingParty {
    /// `None` where browsers offer no passkeys: at an address without a name, and without TLS except on the local
    /// machine.
    pub fn of(base_url: &str) -> Option<Self> {
        let url = Url::parse(base_url).ok()?;
        let Some(Host::Domain(name)) = url.host() else { return None };
        let is_local = name == "localhost" || name.ends_with(".localhost");
        if url.scheme() != "https" && !is_local {
            return None;
        }
        let built = WebauthnBuilder::new(name, &url).ok()?.rp_name("Shingle").timeout(CEREMONY_LIFETIME).build();
        Some(Self { webauthn: built.ok()?, name: name.to_owned(), origin: url.origin() })
    }

    /// By which devices know it. A port is no part of it, so passkeys outlive another port.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where passkeys work, for a page with another origin. `None`: it is that page, or the browser does not say.
    pub fn elsewhere(&self, page: Option<&str>) -> Option<String> {
        let page = Url::parse(page?).ok()?.origin();
        (page.is_tuple() && page != self.origin).then(|| self.origin.ascii_serialization())
    }

    /// For a new passkey of this user. A device that has one of `known` makes no second.
    pub fn ask_for_new(&self, user: UserId, email: &str, name: &str, known: &[String]) -> Option<Question> {
        let known = known.iter().filter_map(|key| serde_json::from_str::<Passkey>(key).ok());
        let known = known.map(|key| key.cred_id().clone()).collect();
        let (asked, state) = self.webauthn.start_passkey_registration(user.0, email, name, Some(known)).ok()?;
        let mut options = serde_json::to_value(asked.public_key).ok()?;
        // Nobody types who they are before they sign in, so the device has to keep it.
        options["authenticatorSelection"]["residentKey"] = "required".into();
        options["authenticatorSelection"]["requireResidentKey"] = true.into();
        Some(Question { options, state: serde_json::to_string(&state).ok()? })
    }

    /// `None`: the answer is not right.
    pub fn made(&self, answer: &str, state: &str, name: String) -> Option<NewPasskey> {
        let answer: RegisterPublicKeyCredential = read(answer)?;
        let state: PasskeyRegistration = serde_json::from_str(state).ok()?;
        let passkey = self.webauthn.finish_passkey_registration(&answer, &state).ok()?;
        let credential = URL_SAFE_NO_PAD.encode(passkey.cred_id());
        let key = serde_json::to_string(&passkey).ok()?;
        let counter = Credential::from(passkey).counter;
        Some(NewPasskey { credential, key, counter, name, host: self.name.clone() })
    }

    pub fn ask_to_sign(&self) -> Option<Question> {
        let (asked, state) = self.webauthn.start_discoverable_authentication().ok()?;
        let options = serde_json::to_value(asked.public_key).ok()?;
        Some(Question { options, state: serde_json::to_string(&state).ok()? })
    }

    /// `None`: the answer is not right.
    pub fn signed(&self, answer: &Answer, state: &str, user: UserId, key: &str) -> Option<UsedKey> {
        if answer.answer.get_user_unique_id().is_some_and(|id| id != user.0.as_bytes()) {
            return None;
        }
        let state: DiscoverableAuthentication = serde_json::from_str(state).ok()?;
        let mut passkey: Passkey = serde_json::from_str(key).ok()?;
        let result = self.webauthn.finish_discoverable_authentication_v2(&answer.answer, state, &passkey).ok()?;
        passkey.update_credential(&result)?;
        Some(UsedKey { key: serde_json::to_string(&passkey).ok()?, counter: result.counter() })
    }
}

impl Answer {
    pub fn read(text: &str) -> Option<Self> {
        let answer: PublicKeyCredential = read(text)?;
        let credential = URL_SAFE_NO_PAD.encode(answer.get_credential_id());
        Some(Self { answer, credential })
    }
}

fn read<T: serde::de::DeserializeOwned>(text: &str) -> Option<T> {
    (text.len() <= MAX_ANSWER).then(|| serde_json::from_str(text).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_know_servers_by_name_and_over_tls() {
        for (base, knows) in [
            ("https://roofs.example.com", true),
            ("https://roofs.example.com:8443", true),
            ("http://localhost:4711", true),
            ("http://roofs.example.com", false),
            ("http://127.0.0.1:4711", false),
            ("https://192.0.2.7", false),
            ("https://[2001:db8::1]", false),
            ("nothing", false),
        ] {
            assert_eq!(RelyingParty::of(base).is_some(), knows, "{base}");
        }
    }

    #[test]
    fn a_page_at_another_address_is_told_where_passkeys_work() {
        let here = "https://leads.example.com";
        let local = "http://localhost:4711";
        for (base, page, elsewhere) in [
            (here, "https://leads.example.com", None),
            (here, "https://leads.example.com:443", None),
            (here, "https://LEADS.example.com", None),
            // The name is the same, but what is signed there names another port.
            (here, "https://leads.example.com:8443", Some(here)),
            ("https://leads.example.com:8443", "https://leads.example.com:8443", None),
            ("https://leads.example.com:8443", "https://leads.example.com", Some("https://leads.example.com:8443")),
            (here, "http://leads.example.com", Some(here)),
            (here, "https://www.leads.example.com", Some(here)),
            (here, "https://example.com", Some(here)),
            (here, "https://leads.example.com.", Some(here)),
            (here, "https://leads.example.com.evil.example", Some(here)),
            (here, "https://192.0.2.7", Some(here)),
            (here, "https://[2001:db8::1]:8443", Some(here)),
            (here, "http://192.168.1.20:8080", Some(here)),
            (local, "http://localhost:4711", None),
            (local, "http://127.0.0.1:4711", Some(local)),
            (local, "http://[::1]:4711", Some(local)),
            (local, "http://shingle.local:4711", Some(local)),
            // Browsers that hide it.
            (here, "null", None),
            (here, "", None),
        ] {
            let party = RelyingParty::of(base).unwrap();
            assert_eq!(party.elsewhere(Some(page)).as_deref(), elsewhere, "{base} at {page}");
            assert_eq!(party.elsewhere(None), None);
        }
    }

    #[test]
    fn a_port_is_no_part_of_the_name() {
        for (base, name) in [
            ("https://leads.example.com", "leads.example.com"),
            ("https://leads.example.com:8443", "leads.example.com"),
            ("https://Leads.Example.com/", "leads.example.com"),
            ("http://localhost:4711", "localhost"),
            ("http://portal.localhost:80", "portal.localhost"),
        ] {
            assert_eq!(RelyingParty::of(base).unwrap().name(), name, "{base}");
        }
    }
}
