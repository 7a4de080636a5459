//! Tokens that the server issues and verifies without storing them: a visitor's session, a form of the hosted page, and
//! the right of one browser to change the lead that it sent. A keyed hash proves that the server issued them.
//!
//! # Decisions
//!
//! - A test on a live site is a signed key in the page's address, which the widget sends with a lead as always. It
//!   costs visitors nothing; the lead goes to the account's sandbox, under the production widget.
//! - The link to an estimate holds no time: its end counts from the lead's day, so it is the same link everywhere.
//!   Turned down: a link that ends later each time it is shown.

use std::net::IpAddr;
use std::time::Duration;

use data_encoding::BASE32_NOPAD;
use shingle_domain::inspection::PhotoId;
use shingle_domain::{AccountId, DestinationId, EntryId, LeadId, LinkId, QuoteId, Timestamp, UserId};
use shingle_store::{CalendarOwner, Secret};
use uuid::Uuid;

/// Long enough for a slow visitor. The browser renews it on its own.
pub const MAX_SESSION_AGE: Duration = Duration::from_secs(15 * 60);
/// How long a homeowner can change the lead.
pub const MAX_LEAD_TOKEN_AGE: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// How long the link to an estimate works, from the day of the estimate on.
pub const MAX_LINK_AGE: Duration = Duration::from_secs(90 * 24 * 60 * 60);
/// How long a form may stay open. After that it comes back with its values, to be sent again.
pub const MAX_FORM_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// In the query of a page on which a widget is tested.
pub const TEST_PARAMETER: &str = "shingle-test";
/// How long a link tests a live widget.
pub const MAX_TEST_AGE: Duration = Duration::from_secs(24 * 60 * 60);

const NONCE_BYTES: usize = 8;
const MAC_BYTES: usize = 16;
/// The name of an address has 64 letters at most.
const REPLY_MAC_BYTES: usize = 10;
const TOKEN_BYTES: usize = 8 + NONCE_BYTES + MAC_BYTES;

/// How long the links of a mail work.
pub const MAX_MAIL_LINK_AGE: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// What a link in a mail to the company does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailAction {
    /// "I'm on it".
    Take(LeadId),
    /// No more digests.
    Unsubscribe,
}

/// Issues and verifies tokens, with a key that is derived from the installation's secret.
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

    pub fn of(secret: &Secret) -> Self {
        Self::new(secret.derive("shingle 2026-11 visitor tokens"))
    }

    /// A session for one widget, the pages of one host, and one network.
    pub fn session(&self, widget: LinkId, host: &str, ip: IpAddr, now: Timestamp) -> Result<String, getrandom::Error> {
        self.issue(&session_claim(widget, host, ip), now + MAX_SESSION_AGE)
    }

    /// When the session was granted, if it is one and has not ended.
    pub fn session_since(
        &self,
        token: &str,
        widget: LinkId,
        host: &str,
        ip: IpAddr,
        now: Timestamp,
    ) -> Option<Timestamp> {
        let expires = self.expiry(token, &session_claim(widget, host, ip), now)?;
        Some(Timestamp::from_micros(expires * 1_000_000) - MAX_SESSION_AGE)
    }

    /// A contact form as it was shown: for this widget and network, with this consent text.
    pub fn form(&self, widget: LinkId, consent: &str, ip: IpAddr, now: Timestamp) -> Result<String, getrandom::Error> {
        self.issue(&form_claim(widget, consent, ip), now + MAX_FORM_AGE)
    }

    /// When the form was shown, if this server issued its token and the token is not too old.
    pub fn form_shown(
        &self,
        token: &str,
        widget: LinkId,
        consent: &str,
        ip: IpAddr,
        now: Timestamp,
    ) -> Option<Timestamp> {
        let expires = self.expiry(token, &form_claim(widget, consent, ip), now)?;
        Some(Timestamp::from_micros(expires * 1_000_000) - MAX_FORM_AGE)
    }

    pub fn lead(&self, widget: LinkId, lead: LeadId, now: Timestamp) -> Result<String, getrandom::Error> {
        self.issue(&lead_claim(widget, lead), now + MAX_LEAD_TOKEN_AGE)
    }

    pub fn is_lead(&self, token: &str, widget: LinkId, lead: LeadId, now: Timestamp) -> bool {
        self.verify(token, &lead_claim(widget, lead), now)
    }

    /// When a genuine lead token ends, if it has not.
    pub fn lead_until(&self, token: &str, widget: LinkId, lead: LeadId, now: Timestamp) -> Option<Timestamp> {
        let expires = self.expiry(token, &lead_claim(widget, lead), now)?;
        Some(Timestamp::from_micros(expires * 1_000_000))
    }

    /// The link to the estimate of a lead: it names the lead, and is the same until `version` counts on. Anyone who
    /// reads it checks its age by the lead's.
    pub fn link(&self, lead: LeadId, version: i64) -> String {
        let mac = self.mac(&link_claim(version), lead.0.as_bytes());
        hex(&[&lead.0.as_bytes()[..], &mac.as_bytes()[..MAC_BYTES]].concat())
    }

    /// The lead that a link names, genuine or not.
    pub fn link_lead(&self, link: &str) -> Option<LeadId> {
        (link.len() == 32 + 2 * MAC_BYTES).then(|| link.get(..32)?.parse().ok()).flatten()
    }

    pub fn is_link(&self, link: &str, lead: LeadId, version: i64) -> bool {
        // Compared by its hash: how far it is right shows in no time.
        blake3::hash(link.as_bytes()) == blake3::hash(self.link(lead, version).as_bytes())
    }

    /// The link to a quote, as [`Tokens::link`] of its lead.
    pub fn quote(&self, quote: QuoteId, version: i64) -> String {
        let mac = self.mac(&quote_claim(version), quote.0.as_bytes());
        hex(&[&quote.0.as_bytes()[..], &mac.as_bytes()[..MAC_BYTES]].concat())
    }

    /// The quote that a link names, genuine or not.
    pub fn quote_of(&self, link: &str) -> Option<QuoteId> {
        (link.len() == 32 + 2 * MAC_BYTES).then(|| link.get(..32)?.parse().ok()).flatten()
    }

    pub fn is_quote(&self, link: &str, quote: QuoteId, version: i64) -> bool {
        // Compared by its hash: how far it is right shows in no time.
        blake3::hash(link.as_bytes()) == blake3::hash(self.quote(quote, version).as_bytes())
    }

    /// The name of a calendar's file: it names whose it is, and is the same until `version` counts on.
    pub fn calendar(&self, account: AccountId, of: CalendarOwner, version: i64) -> String {
        let (kind, user) = match of {
            CalendarOwner::Person(user) => (1, user.0.into_bytes()),
            CalendarOwner::Company => (0, [0; 16]),
        };
        let head = [&account.0.as_bytes()[..], &user, &version.to_be_bytes(), &[kind]].concat();
        let mac = self.mac(b"calendar\0", &head);
        hex(&[&head, &mac.as_bytes()[..MAC_BYTES]].concat())
    }

    /// Whose calendar a genuine link names, and its version.
    pub fn calendar_owner(&self, link: &str) -> Option<(AccountId, CalendarOwner, i64)> {
        let bytes: [u8; 16 + 16 + 8 + 1 + MAC_BYTES] = unhex(link)?;
        let account = AccountId(Uuid::from_slice(bytes.get(..16)?).ok()?);
        let user = UserId(Uuid::from_slice(bytes.get(16..32)?).ok()?);
        let version = i64::from_be_bytes(bytes.get(32..40)?.try_into().ok()?);
        let of = match bytes.get(40)? {
            0 => CalendarOwner::Company,
            _ => CalendarOwner::Person(user),
        };
        // Compared by its hash: how far it is right shows in no time.
        let is_genuine = blake3::hash(link.as_bytes()) == blake3::hash(self.calendar(account, of, version).as_bytes());
        is_genuine.then_some((account, of, version))
    }

    /// Names an email to a homeowner, in the address for its answers. It is the same for good, and mail servers may change the
    /// case of its letters.
    pub fn reply(&self, entry: EntryId) -> String {
        let mac = self.mac(b"reply\0", entry.0.as_bytes());
        BASE32_NOPAD
            .encode(&[&entry.0.as_bytes()[..], &mac.as_bytes()[..REPLY_MAC_BYTES]].concat())
            .to_ascii_lowercase()
    }

    /// The email that a genuine token names.
    pub fn reply_entry(&self, token: &str) -> Option<EntryId> {
        let bytes = BASE32_NOPAD.decode(token.to_ascii_uppercase().as_bytes()).ok()?;
        let entry = EntryId(Uuid::from_slice(bytes.get(..16)?).ok()?);
        // Compared by its hash: how far it is right shows in no time.
        let genuine = blake3::hash(self.reply(entry).as_bytes());
        (blake3::hash(token.to_ascii_lowercase().as_bytes()) == genuine).then_some(entry)
    }

    /// In the address to which a mail provider posts emails.
    pub fn inbound(&self) -> String {
        hex(&self.mac(b"inbound\0", b"").as_bytes()[..MAC_BYTES])
    }

    pub fn is_inbound(&self, key: &str) -> bool {
        blake3::hash(key.as_bytes()) == blake3::hash(self.inbound().as_bytes())
    }

    /// The right to act by a link of a mail that went to one destination.
    pub fn mail_link(
        &self,
        action: MailAction,
        destination: DestinationId,
        now: Timestamp,
    ) -> Result<String, getrandom::Error> {
        self.issue(&mail_claim(action, destination), now + MAX_MAIL_LINK_AGE)
    }

    pub fn is_mail_link(&self, token: &str, action: MailAction, destination: DestinationId, now: Timestamp) -> bool {
        self.verify(token, &mail_claim(action, destination), now)
    }

    /// A test of a widget where it is live: what is sent from its page is test data.
    pub fn test(&self, widget: LinkId, now: Timestamp) -> Result<String, getrandom::Error> {
        self.issue(&test_claim(widget), now + MAX_TEST_AGE)
    }

    pub fn is_test(&self, token: &str, widget: LinkId, now: Timestamp) -> bool {
        self.verify(token, &test_claim(widget), now)
    }

    /// The right to read the estimate of a lead, and nothing else of it.
    pub fn estimate(&self, lead: LeadId, now: Timestamp) -> Result<String, getrandom::Error> {
        self.issue(&estimate_claim(lead), now + MAX_MAIL_LINK_AGE)
    }

    pub fn is_estimate(&self, token: &str, lead: LeadId, now: Timestamp) -> bool {
        self.verify(token, &estimate_claim(lead), now)
    }

    /// The right to see one photograph of a lead.
    pub fn photo(&self, lead: LeadId, photo: PhotoId, now: Timestamp) -> Result<String, getrandom::Error> {
        self.issue(&photo_claim(lead, photo), now + MAX_MAIL_LINK_AGE)
    }

    pub fn is_photo(&self, token: &str, lead: LeadId, photo: PhotoId, now: Timestamp) -> bool {
        self.verify(token, &photo_claim(lead, photo), now)
    }

    fn issue(&self, claim: &[u8], expires: Timestamp) -> Result<String, getrandom::Error> {
        let mut token = [0; TOKEN_BYTES];
        token[..8].copy_from_slice(&expires.seconds().to_be_bytes());
        getrandom::fill(&mut token[8..8 + NONCE_BYTES])?;
        let mac = self.mac(claim, &token[..8 + NONCE_BYTES]);
        token[8 + NONCE_BYTES..].copy_from_slice(&mac.as_bytes()[..MAC_BYTES]);
        Ok(hex(&token))
    }

    fn verify(&self, token: &str, claim: &[u8], now: Timestamp) -> bool {
        self.expiry(token, claim, now).is_some()
    }

    /// When a genuine token expires, in seconds, if it has not.
    fn expiry(&self, token: &str, claim: &[u8], now: Timestamp) -> Option<i64> {
        let token: [u8; TOKEN_BYTES] = unhex(token)?;
        let (head, given) = token.split_at(8 + NONCE_BYTES);
        let mut expected = [0; MAC_BYTES];
        expected.copy_from_slice(&self.mac(claim, head).as_bytes()[..MAC_BYTES]);
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

fn session_claim(widget: LinkId, host: &str, ip: IpAddr) -> Vec<u8> {
    let mut claim = b"session\0".to_vec();
    claim.extend_from_slice(widget.0.as_bytes());
    claim.extend_from_slice(&network_prefix(ip));
    claim.extend_from_slice(host.as_bytes());
    claim
}

fn form_claim(widget: LinkId, consent: &str, ip: IpAddr) -> Vec<u8> {
    let mut claim = b"form\0".to_vec();
    claim.extend_from_slice(widget.0.as_bytes());
    claim.extend_from_slice(&network_prefix(ip));
    claim.extend_from_slice(consent.as_bytes());
    claim
}

fn lead_claim(widget: LinkId, lead: LeadId) -> Vec<u8> {
    let mut claim = b"lead\0".to_vec();
    claim.extend_from_slice(widget.0.as_bytes());
    claim.extend_from_slice(lead.0.as_bytes());
    claim
}

fn test_claim(widget: LinkId) -> Vec<u8> {
    [b"test\0".as_slice(), widget.0.as_bytes()].concat()
}

fn estimate_claim(lead: LeadId) -> Vec<u8> {
    let mut claim = b"estimate\0".to_vec();
    claim.extend_from_slice(lead.0.as_bytes());
    claim
}

fn photo_claim(lead: LeadId, photo: PhotoId) -> Vec<u8> {
    [b"photo\0".as_slice(), lead.0.as_bytes(), photo.0.as_bytes()].concat()
}

/// Where the estimate behind a link is.
pub fn estimate_path(widget: LinkId, link: &str) -> String {
    format!("/w/{widget}/e/{link}")
}

/// Where a calendar reads inspections.
pub fn calendar_path(link: &str) -> String {
    format!("/calendar/{link}.ics")
}

/// Where the homeowner sees and changes an inspection.
pub fn inspection_path(widget: LinkId, link: &str) -> String {
    format!("/w/{widget}/v/{link}")
}

/// Where the homeowner picks a time.
pub fn pick_path(widget: LinkId, link: &str) -> String {
    format!("/w/{widget}/t/{link}")
}

/// Where the homeowner answers a quote.
pub fn quote_path(widget: LinkId, link: &str) -> String {
    format!("/w/{widget}/q/{link}")
}

fn quote_claim(version: i64) -> Vec<u8> {
    [b"quote\0".as_slice(), &version.to_be_bytes()].concat()
}

fn link_claim(version: i64) -> Vec<u8> {
    [b"link\0".as_slice(), &version.to_be_bytes()].concat()
}

fn mail_claim(action: MailAction, destination: DestinationId) -> Vec<u8> {
    let mut claim = match action {
        MailAction::Take(_) => b"take\0".to_vec(),
        MailAction::Unsubscribe => b"unsubscribe\0".to_vec(),
    };
    claim.extend_from_slice(destination.0.as_bytes());
    if let MailAction::Take(lead) = action {
        claim.extend_from_slice(lead.0.as_bytes());
    }
    claim
}

/// The part of an IP address that stays while a phone changes cells: an IPv4 /24 or an IPv6 /48.
pub fn network_prefix(ip: IpAddr) -> [u8; 7] {
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

fn constant_time_eq(a: &[u8; MAC_BYTES], b: &[u8]) -> bool {
    // blake3's own comparison is constant-time; the shorter tags are padded to its width.
    let pad = |part: &[u8]| {
        let mut full = [0; 32];
        let length = part.len().min(32);
        full[..length].copy_from_slice(&part[..length]);
        blake3::Hash::from_bytes(full)
    };
    b.len() == MAC_BYTES && pad(a) == pad(b)
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        for nibble in [byte >> 4, byte & 15] {
            text.push(char::from_digit(u32::from(nibble), 16).unwrap_or('0'));
        }
        text
    })
}

pub(crate) fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    if text.len() != N * 2 || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
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

    const NOW: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

    fn widget(n: u128) -> LinkId {
        LinkId(Uuid::from_u128(n))
    }

    #[test]
    fn a_session_is_valid_for_its_widget_host_and_network_until_it_expires() {
        let tokens = Tokens::new([7; 32]);
        let ip: IpAddr = "203.0.113.9".parse().unwrap();
        let token = tokens.session(widget(1), "oak.example.com", ip, NOW).unwrap();
        let check =
            |w, host: &str, ip: &str, at| tokens.session_since(&token, w, host, ip.parse().unwrap(), at).is_some();

        assert!(check(widget(1), "oak.example.com", "203.0.113.200", NOW + MAX_SESSION_AGE));
        assert!(!check(widget(2), "oak.example.com", "203.0.113.9", NOW), "another widget");
        assert!(!check(widget(1), "evil.example.com", "203.0.113.9", NOW), "another host");
        assert!(!check(widget(1), "oak.example.com", "203.0.114.9", NOW), "another network");
        let later = NOW + MAX_SESSION_AGE + Duration::from_secs(1);
        assert!(!check(widget(1), "oak.example.com", "203.0.113.9", later), "too late");
        assert_eq!(
            Tokens::new([8; 32]).session_since(&token, widget(1), "oak.example.com", ip, NOW),
            None,
            "another server"
        );
    }

    #[test]
    fn a_form_token_holds_its_time_and_is_valid_for_its_consent() {
        let tokens = Tokens::new([7; 32]);
        let ip: IpAddr = "203.0.113.9".parse().unwrap();
        let token = tokens.form(widget(1), "Call me.", ip, NOW).unwrap();
        let shown = |w, consent: &str, at| tokens.form_shown(&token, w, consent, ip, at);
        assert_eq!(shown(widget(1), "Call me.", NOW + MAX_FORM_AGE), Some(NOW));
        assert_eq!(shown(widget(1), "Call me.", NOW + MAX_FORM_AGE + Duration::from_secs(1)), None, "too late");
        assert_eq!(shown(widget(1), "Call me daily.", NOW), None, "another consent");
        assert_eq!(shown(widget(2), "Call me.", NOW), None, "another widget");
        assert_eq!(tokens.form_shown(&token, widget(1), "Call me.", "198.51.100.1".parse().unwrap(), NOW), None);
        assert_eq!(tokens.session_since(&token, widget(1), "Call me.", ip, NOW), None, "a form is no session");
    }

    #[test]
    fn an_address_for_answers_names_one_email_in_any_case() {
        let tokens = Tokens::new([7; 32]);
        let entry = EntryId(Uuid::from_u128(0x1234));
        let token = tokens.reply(entry);
        assert_eq!((token.len(), tokens.reply_entry(&token)), (42, Some(entry)));
        assert_eq!(tokens.reply_entry(&token.to_uppercase()), Some(entry), "a mail server changed its case");
        assert_eq!(Tokens::new([8; 32]).reply_entry(&token), None, "another server");
        let other = token.replacen(|c: char| c.is_ascii_lowercase(), "7", 1);
        for wrong in ["", "a", &token[1..], &format!("{token}a"), &other, "é"] {
            assert_eq!(tokens.reply_entry(wrong), None, "{wrong}");
        }
        assert!(tokens.is_inbound(&tokens.inbound()) && !tokens.is_inbound("") && !tokens.is_inbound(&token));
    }

    #[test]
    fn a_link_of_a_mail_does_one_thing_for_one_recipient() {
        let tokens = Tokens::new([7; 32]);
        let (one, other) = (DestinationId(Uuid::from_u128(1)), DestinationId(Uuid::from_u128(2)));
        let take = |n| MailAction::Take(LeadId(Uuid::from_u128(n)));
        let token = tokens.mail_link(take(5), one, NOW).unwrap();
        assert!(tokens.is_mail_link(&token, take(5), one, NOW + MAX_MAIL_LINK_AGE));
        assert!(!tokens.is_mail_link(&token, take(5), one, NOW + MAX_MAIL_LINK_AGE + Duration::from_secs(1)));
        assert!(!tokens.is_mail_link(&token, take(6), one, NOW), "another lead");
        assert!(!tokens.is_mail_link(&token, take(5), other, NOW), "another recipient");
        assert!(!tokens.is_mail_link(&token, MailAction::Unsubscribe, one, NOW), "another action");
    }

    #[test]
    fn a_link_is_the_same_until_its_version_counts_on() {
        let (tokens, lead) = (Tokens::new([7; 32]), LeadId(Uuid::from_u128(5)));
        let link = tokens.link(lead, 1);
        assert_eq!(tokens.link(lead, 1), link);
        assert_eq!(tokens.link_lead(&link), Some(lead));
        assert!(tokens.is_link(&link, lead, 1));
        assert!(!tokens.is_link(&link, lead, 2), "revoked");
        assert!(!tokens.is_link(&link, LeadId(Uuid::from_u128(6)), 1), "another lead");
        assert!(!Tokens::new([8; 32]).is_link(&link, lead, 1), "another server");
        for i in 0..link.len() {
            let mut changed = link.clone().into_bytes();
            changed[i] = if changed[i] == b'0' { b'1' } else { b'0' };
            assert!(!tokens.is_link(&String::from_utf8(changed).unwrap(), lead, 1), "character {i}");
        }
        for bad in ["", "0", &link[1..], &"é".repeat(32)] {
            assert_eq!(tokens.link_lead(bad), None, "{bad}");
        }
    }

    #[test]
    fn changed_and_malformed_tokens_are_refused() {
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

    #[test]
    fn a_calendar_link_names_its_owner_and_nobody_can_write_one() {
        let tokens = Tokens::new([7; 32]);
        let (account, user) = (AccountId(Uuid::from_u128(1)), UserId(Uuid::from_u128(2)));
        for of in [CalendarOwner::Person(user), CalendarOwner::Company] {
            let link = tokens.calendar(account, of, 3);
            assert_eq!(tokens.calendar_owner(&link), Some((account, of, 3)));
            assert_eq!(Tokens::new([8; 32]).calendar_owner(&link), None, "another installation's");
            for at in 0..link.len() {
                let mut other = link.clone().into_bytes();
                other[at] = if other[at] == b'0' { b'1' } else { b'0' };
                assert_eq!(tokens.calendar_owner(&String::from_utf8(other).unwrap()), None, "letter {at}");
            }
            assert_eq!(tokens.calendar_owner(&link.to_uppercase()), None);
        }
        assert_eq!(tokens.calendar_owner(""), None);
    }
}
