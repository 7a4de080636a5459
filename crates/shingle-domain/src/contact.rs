//! Links, e-mail addresses and phone numbers.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::address::text_newtype;
use crate::rules::MAX_LINK;
use crate::text::{bare, is_clean};

/// A link that is safe in `href`, a QR code or a redirect: http or https, a host name with a
/// dot, no credentials. Kept in the form the WHATWG parser writes, so quotes and controls are escaped.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SafeUrl(String);

impl SafeUrl {
    /// A link without a scheme is completed with `https://`; so `javascript:…` becomes a host with an invalid
    /// port and is refused.
    pub fn parse(text: &str) -> Option<Self> {
        const MARKUP: [char; 5] = ['"', '<', '>', '\\', '`'];
        if text.len() > MAX_LINK || !is_clean(text) || text.contains(char::is_whitespace) || text.contains(MARKUP) {
            return None;
        }
        let schemed = ["http://", "https://"]
            .into_iter()
            .any(|s| text.get(..s.len()).is_some_and(|start| start.eq_ignore_ascii_case(s)));
        let full = if schemed { text.to_owned() } else { format!("https://{text}") };
        // The parser would skip extra slashes and find a host behind them.
        if full.split_once("://")?.1.starts_with('/') {
            return None;
        }
        let url = url::Url::parse(&full).ok()?;
        let named = url.domain().is_some_and(|d| {
            let labels = d.trim_end_matches('.').split('.').collect::<Vec<_>>();
            labels.len() > 1
                && labels.iter().all(|l| is_label(l) && !l.contains('_'))
                && labels.last().is_some_and(|l| is_ending(l))
        });
        let bare = url.username().is_empty() && url.password().is_none() && url.port() != Some(0);
        (named && bare && url.as_str().len() <= MAX_LINK).then(|| Self(url.into()))
    }

    /// A page of this server, which may be reached by a name without a dot.
    pub(crate) fn of_this_server(url: String) -> Self {
        Self(url)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The host name, lower case, in ASCII.
    pub fn host(&self) -> String {
        url::Url::parse(&self.0).ok().and_then(|u| u.host_str().map(str::to_owned)).unwrap_or_default()
    }
}

/// A part of a host name between dots, except for its letters.
fn is_label(label: &str) -> bool {
    !label.is_empty() && label.len() <= 63 && !label.starts_with('-') && !label.ends_with('-')
}

/// A top-level domain: letters only, unless it is one of another script in ASCII.
fn is_ending(label: &str) -> bool {
    label.len() > 1 && (label.starts_with("xn--") || label.bytes().all(|b| !b.is_ascii() || b.is_ascii_alphabetic()))
}

/// An e-mail address that a mail server could take: one `@`, a dotted host.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Email(String);

impl Email {
    /// What nobody sees is left out: it comes along with copied text, and the address looks flawless.
    pub fn parse(text: &str) -> Option<Self> {
        let text = bare(text);
        let (local, host) = text.rsplit_once('@')?;
        let local_ok = local.len() <= 64
            && local.split('.').all(|part| !part.is_empty())
            && local.chars().all(|c| {
                c.is_ascii_alphanumeric()
                    || matches!(c, '!' | '#'..='\'' | '*' | '+' | '-'..='/' | '=' | '?' | '^'..='`' | '{'..='~')
                    || (!c.is_ascii() && is_letter_or_digit(c))
            });
        let labels = host.split('.').collect::<Vec<_>>();
        let host_ok = host.len() <= 253
            && labels.len() > 1
            && labels.iter().all(|l| is_label(l) && l.chars().all(|c| is_letter_or_digit(c) || c == '-'))
            && labels.last().is_some_and(|l| is_ending(l));
        (local_ok && host_ok).then_some(Self(text))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// In the browser, Unicode's tables of letters would be larger than all rules of a form together. There unknown
/// characters pass; the server has the tables and decides.
const UNICODE_TABLES: bool = cfg!(not(target_arch = "wasm32"));

fn is_letter_or_digit(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || (!c.is_ascii() && if UNICODE_TABLES { c.is_alphanumeric() } else { !c.is_whitespace() })
}

pub(crate) fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || (UNICODE_TABLES && c.is_alphabetic())
}

/// A digit as a keyboard of another script writes it, or in full width.
pub(crate) fn digit(c: char) -> Option<char> {
    const ZEROS: [u32; 7] = [0x30, 0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10];
    let value = ZEROS.iter().find_map(|zero| u32::from(c).checked_sub(*zero).filter(|value| *value < 10))?;
    char::from_digit(value, 10)
}

/// A phone number of the North American plan, written `(XXX) XXX-XXXX`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Phone(String);

impl Phone {
    /// The contract's form, to the letter.
    pub fn parse(text: &str) -> Option<Self> {
        let fits = text.len() == 14
            && text
                .bytes()
                .zip(b"(ddd) ddd-dddd")
                .all(|(b, form)| if *form == b'd' { b.is_ascii_digit() } else { b == *form });
        fits.then(|| Self(text.to_owned()))
    }

    /// Any way a person writes one: ten digits, with or without the country's 1.
    pub fn parse_loosely(text: &str) -> Option<Self> {
        if text.chars().any(is_letter) {
            return None;
        }
        let digits: String = text.chars().filter_map(digit).collect();
        let ten = match digits.len() {
            10 => digits.as_str(),
            11 => digits.strip_prefix('1')?,
            _ => return None,
        };
        Some(Self(["(", &ten[..3], ") ", &ten[3..6], "-", &ten[6..]].concat()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What follows `tel:` in a link.
    pub fn dialled(&self) -> String {
        let digits: String = self.0.chars().filter(char::is_ascii_digit).collect();
        format!("+1{digits}")
    }
}

text_newtype!(SafeUrl, "not a URL address");
text_newtype!(Email, "not an email");
text_newtype!(Phone, "not a phone number");

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_link_is_kept_as_the_parser_writes_it() {
        for (text, kept) in [
            ("https://oak.example.com", "https://oak.example.com/"),
            ("HTTP://Oak.Example.com/A b".trim_end_matches(" b"), "http://oak.example.com/A"),
            ("oak.example.com/terms?x=1", "https://oak.example.com/terms?x=1"),
            ("oak.example.com:8443", "https://oak.example.com:8443/"),
            ("oak.example.com?next=https://other.example", "https://oak.example.com/?next=https://other.example"),
            ("http://demo.localhost:8080/", "http://demo.localhost:8080/"),
            ("https://b\u{fc}cher.example/\u{e9}", "https://xn--bcher-kva.example/%C3%A9"),
            ("https://oak.example.com/it's", "https://oak.example.com/it's"),
        ] {
            assert_eq!(SafeUrl::parse(text).as_ref().map(SafeUrl::as_str), Some(kept), "{text}");
        }
    }

    #[test]
    fn hostile_links_are_refused() {
        for text in [
            "",
            " ",
            "nope",
            "http://",
            "https://",
            "//x",
            "///x.com",
            "/path",
            "?x",
            "#x",
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            "java\tscript:alert(1)",
            "java\nscript:alert(1)",
            "javascript://oak.example.com/%0aalert(1)",
            "data:text/html,<script>alert(1)</script>",
            "vbscript:msgbox(1)",
            "file:///etc/passwd",
            "ftp://oak.example.com",
            "mailto:a@b.co",
            "tel:+17575550134",
            "blob:https://x.com/1",
            "https:evil.com",
            "https:/evil.com",
            "https:///evil.com",
            "https://\\evil.com",
            "https:\\\\evil.com",
            "https://good.com@evil.com",
            "https://user:pass@evil.com",
            "good.com@evil.com",
            "https://@evil.com:x",
            "https://[::1]/",
            "https://127.0.0.1/",
            "https://2130706433/",
            "https://0x7f.1/",
            "https://localhost/",
            "https://evil",
            "https://a..com",
            "https://.com",
            "https://x.1",
            "https://x.c1",
            "https://x_y.com",
            "https://-x.com",
            "https://x-.com",
            "http://x.com:0",
            "https://oak.example.com:99999",
            "https://oak.example.com/\"onload=x",
            "https://oak.example.com/<script>",
            "https://oak.example.com/`x`",
            "https://oak.example.com/\u{202e}moc",
            "https://oak.example.com/\0",
            "https://oak.example.com/a b",
            "https://good.com\u{ff20}evil.com",
            "https://ex%00ample.com",
            " https://oak.example.com",
        ] {
            assert_eq!(SafeUrl::parse(text), None, "{text:?}");
        }
        assert_eq!(SafeUrl::parse(&format!("https://oak.example.com/{}", "x".repeat(2_048))), None);
        let swells = format!("https://oak.example.com/{}", "\u{e9}".repeat(1_000));
        assert_eq!(SafeUrl::parse(&swells), None, "longer than the limit once escaped");
    }

    #[test]
    fn emails_need_a_name_one_at_and_a_dotted_host() {
        for text in
            ["a@b.xn--p1ai", "a@b.\u{440}\u{444}", "a@b.co", "first.last+roof@mail.example.com", "o'neil@example.org"]
        {
            assert!(Email::parse(text).is_some(), "{text}");
        }
        for text in [
            "",
            "nope",
            "a@b",
            "a b@c.de",
            "@x.de",
            "a@x..de",
            ".a@x.de",
            "a.@x.de",
            "a@-x.de",
            "a@x.de\0",
            "a@x.d",
            "a\n@x.de",
            "a@x.de\r\nBcc: b@c.de",
            "a@b@",
            "<a@x.de>",
            "a@1.2.3.44",
            "a@b.c1",
            "a@b.co-m",
        ] {
            assert_eq!(Email::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn what_nobody_sees_is_no_part_of_an_email() {
        let unseen = [
            "\u{200b}",
            "\u{feff}",
            "\u{ad}",
            "\u{200e}",
            "\u{200f}",
            "\u{202a}",
            "\u{202c}",
            "\u{2060}",
            "\u{2066}",
            "\u{200d}",
            "\u{200c}",
            "\u{fe0f}",
            "\u{180e}",
            "\u{34f}",
            "\u{e0041}",
        ];
        for sign in unseen {
            for at in 0..="ann@example.com".len() {
                let mut text = "ann@example.com".to_owned();
                text.insert_str(at, sign);
                assert_eq!(Email::parse(&text).unwrap().as_str(), "ann@example.com", "{sign:?} at {at}");
            }
        }
    }

    #[test]
    fn digits_of_other_keyboards_are_digits() {
        for text in [
            "\u{ff12}\u{ff10}\u{ff17}-555-0143",
            "\u{662}\u{660}\u{667} 555 0143",
            "\u{6f2}\u{6f0}\u{6f7}5550143",
            "\u{968}\u{966}\u{96d} 5550143",
            "+1 \u{ff12}07 555 0143",
        ] {
            assert_eq!(Phone::parse_loosely(text).unwrap().as_str(), "(207) 555-0143", "{text}");
        }
        for text in ["207-555-0143 ext 5", "207-555-0143 x5", "+44 20 7946 0958", "n/a", "\u{ff12}\u{ff10}"] {
            assert_eq!(Phone::parse_loosely(text), None, "{text}");
        }
    }

    #[test]
    fn a_phone_is_read_in_any_way_a_person_writes_it() {
        for text in ["7575550134", "757-555-0134", "+1 (757) 555-0134", "757.555.0134", "(757)555-0134"] {
            let phone = Phone::parse_loosely(text).unwrap();
            assert_eq!(phone.as_str(), "(757) 555-0134");
            assert_eq!(phone.dialled(), "+17575550134");
        }
        for text in ["", "555-0134", "27575550134", "call me", "75755501345"] {
            assert_eq!(Phone::parse_loosely(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_a_parser_panic(text in any::<String>()) {
            let _ = (SafeUrl::parse(&text), Email::parse(&text), Phone::parse(&text), Phone::parse_loosely(&text));
        }

        #[test]
        fn what_a_link_parser_took_it_takes_again_unchanged(text in r"(https?://)?[a-z.\-é]{1,30}(:[0-9]{1,5})?[/?#a-z'%|{}\[\]^~!$&()*+,;=@:é0-9]{0,60}") {
            if let Some(link) = SafeUrl::parse(&text) {
                let again = SafeUrl::parse(link.as_str());
                prop_assert_eq!(again.as_ref(), Some(&link));
                prop_assert!(!link.as_str().contains(['"', '<', '>', '\\', '`', ' ', '\n']));
            }
        }

        #[test]
        fn a_phone_read_back_is_the_same(digits in "[0-9]{10}") {
            let phone = Phone::parse_loosely(&digits).unwrap();
            prop_assert_eq!(Phone::parse(phone.as_str()), Some(phone.clone()));
            prop_assert_eq!(Phone::parse_loosely(&phone.dialled()), Some(phone));
        }
    }
}
