//! Tokens that the server gives out and later recognises by itself: a visitor's session, a form of the hosted
//! page, and the right of one browser to amend the lead it sent. Nothing is stored; a keyed hash proves the origin.

use std::net::IpAddr;
use std::time::Duration;

use shingle_domain::{LeadId, Timestamp, WidgetId};

/// Long enough for a slow visitor; the browser renews it unasked.
pub const SESSION_LIFE: Duration = Duration::from_secs(15 * 60);
/// How long a homeowner can still amend the lead.
pub const LEAD_LIFE: Duration = Duration::from_secs(24 * 60 * 60);
/// How long a form may lie open. Nothing is lost after that: it comes back filled, to be sent again.
pub const FORM_LIFE: Duration = Duration::from_secs(24 * 60 * 60);

const NONCE: usize = 8;
const MAC: usize = 16;
const LENGTH: usize = 8 + NONCE + MAC;

/// Makes and checks tokens, with a key of its own derived from the installation's secret.
#[derive(Clone)]
pub struct Tokens {
    key: [u8; 32],
}

impl core::fmt::Debug for Tokens {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Tokens")
    }
}

impl Tokens {
    pub fn new(key: [u8; 32]) -> Self {
        Self { key }
    }

    /// A session of one widget, for pages of one host, from one neighbourhood of the network.
    pub fn session(
        &self,
        widget: WidgetId,
        host: &str,
        ip: IpAddr,
        now: Timestamp,
    ) -> Result<String, getrandom::Error> {
        self.issue(&session_claim(widget, host, ip), now + SESSION_LIFE)
    }

    pub fn is_session(&self, token: &str, widget: WidgetId, host: &str, ip: IpAddr, now: Timestamp) -> bool {
        self.holds(token, &session_claim(widget, host, ip), now)
    }

    /// A contact form as it was shown: for this widget, to this neighbourhood, with this consent beside its box.
    pub fn form(
        &self,
        widget: WidgetId,
        consent: &str,
        ip: IpAddr,
        now: Timestamp,
    ) -> Result<String, getrandom::Error> {
        self.issue(&form_claim(widget, consent, ip), now + FORM_LIFE)
    }

    /// When the form was shown, if it is one of ours and not too old.
    pub fn form_shown(
        &self,
        token: &str,
        widget: WidgetId,
        consent: &str,
        ip: IpAddr,
        now: Timestamp,
    ) -> Option<Timestamp> {
        let expires = self.expiry(token, &form_claim(widget, consent, ip), now)?;
        Some(Timestamp::from_micros(expires * 1_000_000) - FORM_LIFE)
    }

    pub fn lead(&self, widget: WidgetId, lead: LeadId, now: Timestamp) -> Result<String, getrandom::Error> {
        self.issue(&lead_claim(widget, lead), now + LEAD_LIFE)
    }

    pub fn is_lead(&self, token: &str, widget: WidgetId, lead: LeadId, now: Timestamp) -> bool {
        self.holds(token, &lead_claim(widget, lead), now)
    }

    fn issue(&self, claim: &[u8], expires: Timestamp) -> Result<String, getrandom::Error> {
        let mut token = [0; LENGTH];
        token[..8].copy_from_slice(&expires.seconds().to_be_bytes());
        getrandom::fill(&mut token[8..8 + NONCE])?;
        let mac = self.mac(claim, &token[..8 + NONCE]);
        token[8 + NONCE..].copy_from_slice(&mac.as_bytes()[..MAC]);
        Ok(hex(&token))
    }

    fn holds(&self, token: &str, claim: &[u8], now: Timestamp) -> bool {
        self.expiry(token, claim, now).is_some()
    }

    /// Seconds of the time at which a genuine token ends, if it has not.
    fn expiry(&self, token: &str, claim: &[u8], now: Timestamp) -> Option<i64> {
        let token = unhex(token)?;
        let (head, given) = token.split_at(8 + NONCE);
        let mut expected = [0; MAC];
        expected.copy_from_slice(&self.mac(claim, head).as_bytes()[..MAC]);
        let mut expires = [0; 8];
        expires.copy_from_slice(&head[..8]);
        let expires = i64::from_be_bytes(expires);
        (constant_time_eq(&expected, given) && expires >= now.seconds()).then_some(expires)
    }

    fn mac(&self, claim: &[u8], head: &[u8]) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        hasher.update(&(claim.len() as u64).to_le_bytes()).update(claim).update(head);
        hasher.finalize()
    }
}

fn session_claim(widget: WidgetId, host: &str, ip: IpAddr) -> Vec<u8> {
    let mut claim = b"session\0".to_vec();
    claim.extend_from_slice(widget.0.as_bytes());
    claim.extend_from_slice(&neighbourhood(ip));
    claim.extend_from_slice(host.as_bytes());
    claim
}

fn form_claim(widget: WidgetId, consent: &str, ip: IpAddr) -> Vec<u8> {
    let mut claim = b"form\0".to_vec();
    claim.extend_from_slice(widget.0.as_bytes());
    claim.extend_from_slice(&neighbourhood(ip));
    claim.extend_from_slice(consent.as_bytes());
    claim
}

fn lead_claim(widget: WidgetId, lead: LeadId) -> Vec<u8> {
    let mut claim = b"lead\0".to_vec();
    claim.extend_from_slice(widget.0.as_bytes());
    claim.extend_from_slice(lead.0.as_bytes());
    claim
}

/// The part of an address that stays while a telephone changes cells: /24, or /48 of version 6.
pub fn neighbourhood(ip: IpAddr) -> [u8; 7] {
    let mut prefix = [0; 7];
    match ip.to_canonical() {
        IpAddr::V4(v4) => {
            prefix[0] = 4;
            prefix[1..4].copy_from_slice(&v4.octets()[..3]);
        }
        IpAddr::V6(v6) => {
            prefix[0] = 6;
            prefix[1..7].copy_from_slice(&v6.octets()[..6]);
        }
    }
    prefix
}

fn constant_time_eq(a: &[u8; MAC], b: &[u8]) -> bool {
    // blake3's own comparison is constant-time; the shorter tags are padded to its width.
    let pad = |part: &[u8]| {
        let mut full = [0; 32];
        let length = part.len().min(32);
        full[..length].copy_from_slice(&part[..length]);
        blake3::Hash::from_bytes(full)
    };
    b.len() == MAC && pad(a) == pad(b)
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        for nibble in [byte >> 4, byte & 15] {
            text.push(char::from_digit(u32::from(nibble), 16).unwrap_or('0'));
        }
        text
    })
}

fn unhex(text: &str) -> Option<[u8; LENGTH]> {
    let mut bytes = [0; LENGTH];
    if text.len() != LENGTH * 2 || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        *byte = u8::from_str_radix(core::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    const NOW: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

    fn widget(n: u128) -> WidgetId {
        WidgetId(Uuid::from_u128(n))
    }

    #[test]
    fn a_session_holds_for_its_widget_host_and_neighbourhood_until_it_ends() {
        let tokens = Tokens::new([7; 32]);
        let ip: IpAddr = "203.0.113.9".parse().unwrap();
        let token = tokens.session(widget(1), "oak.example.com", ip, NOW).unwrap();
        let check = |w, host: &str, ip: &str, at| tokens.is_session(&token, w, host, ip.parse().unwrap(), at);

        assert!(check(widget(1), "oak.example.com", "203.0.113.200", NOW + SESSION_LIFE));
        assert!(!check(widget(2), "oak.example.com", "203.0.113.9", NOW), "another widget");
        assert!(!check(widget(1), "evil.example.com", "203.0.113.9", NOW), "another host");
        assert!(!check(widget(1), "oak.example.com", "203.0.114.9", NOW), "another network");
        let later = NOW + SESSION_LIFE + Duration::from_secs(1);
        assert!(!check(widget(1), "oak.example.com", "203.0.113.9", later), "too late");
        assert!(!Tokens::new([8; 32]).is_session(&token, widget(1), "oak.example.com", ip, NOW), "another server");
    }

    #[test]
    fn a_form_remembers_when_it_was_shown_and_holds_for_the_consent_it_showed() {
        let tokens = Tokens::new([7; 32]);
        let ip: IpAddr = "203.0.113.9".parse().unwrap();
        let token = tokens.form(widget(1), "Call me.", ip, NOW).unwrap();
        let shown = |w, consent: &str, at| tokens.form_shown(&token, w, consent, ip, at);
        assert_eq!(shown(widget(1), "Call me.", NOW + FORM_LIFE), Some(NOW));
        assert_eq!(shown(widget(1), "Call me.", NOW + FORM_LIFE + Duration::from_secs(1)), None, "too late");
        assert_eq!(shown(widget(1), "Call me daily.", NOW), None, "another consent");
        assert_eq!(shown(widget(2), "Call me.", NOW), None, "another widget");
        assert_eq!(tokens.form_shown(&token, widget(1), "Call me.", "198.51.100.1".parse().unwrap(), NOW), None);
        assert!(!tokens.is_session(&token, widget(1), "Call me.", ip, NOW), "a form is no session");
    }

    #[test]
    fn no_changed_or_foreign_token_is_taken() {
        let tokens = Tokens::new([7; 32]);
        let lead = LeadId(Uuid::from_u128(5));
        let token = tokens.lead(widget(1), lead, NOW).unwrap();
        assert!(tokens.is_lead(&token, widget(1), lead, NOW));
        for i in 0..token.len() {
            let mut changed = token.clone().into_bytes();
            changed[i] = if changed[i] == b'0' { b'1' } else { b'0' };
            let changed = String::from_utf8(changed).unwrap();
            assert!(!tokens.is_lead(&changed, widget(1), lead, NOW), "character {i}");
        }
        for bad in ["", "0", "zz", &token[1..], &format!("{token}00"), &"é".repeat(32)] {
            assert!(!tokens.is_lead(bad, widget(1), lead, NOW), "{bad:?}");
        }
    }
}
