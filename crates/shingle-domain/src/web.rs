//! Links, e-mail addresses and telephone numbers.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::address::text_newtype;
use crate::text::is_clean;

/// A link that is safe to put into `href`, a QR code or a redirect: http or https, a host name with a
/// dot, no credentials. Kept in the form the WHATWG parser writes, so quotes and controls are escaped.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SafeUrl(String);

impl SafeUrl {
    /// A link without a scheme is completed with `https://`.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() > 2_048 || !is_clean(text) || text.contains(char::is_whitespace) || text.starts_with('/') {
            return None;
        }
        let full = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
        let (scheme, rest) = full.split_once("://")?;
        let schemed = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
        if !schemed || rest.starts_with('/') || rest.contains(['"', '<', '>', '\\', '`']) {
            return None;
        }
        let url = url::Url::parse(&full).ok()?;
        let named = url.domain().is_some_and(|d| {
            let labels = d.trim_end_matches('.').split('.').collect::<Vec<_>>();
            labels.len() > 1
                && labels.iter().all(|l| !l.is_empty() && l.len() <= 63)
                && labels.last().is_some_and(|l| l.len() > 1 && l.starts_with(|c: char| c.is_ascii_alphabetic()))
        });
        let bare = url.username().is_empty() && url.password().is_none();
        (named && bare).then(|| Self(url.into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The host name, lower case, in ASCII.
    pub fn host(&self) -> String {
        url::Url::parse(&self.0).ok().and_then(|u| u.domain().map(str::to_owned)).unwrap_or_default()
    }

    /// This link with one more query parameter.
    pub fn with_query(&self, name: &str, value: &str) -> String {
        match url::Url::parse(&self.0) {
            Ok(mut url) => {
                url.query_pairs_mut().append_pair(name, value);
                url.into()
            }
            Err(_) => self.0.clone(),
        }
    }
}

/// An e-mail address that a mail server could take: one `@`, a dotted host.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Email(String);

impl Email {
    pub fn parse(text: &str) -> Option<Self> {
        let (local, host) = text.rsplit_once('@')?;
        let local_ok = !local.is_empty()
            && local.len() <= 64
            && !local.starts_with('.')
            && !local.ends_with('.')
            && !local.contains("..")
            && local.chars().all(|c| {
                c.is_ascii_alphanumeric()
                    || "!#$%&'*+-/=?^_`{|}~.".contains(c)
                    || (!c.is_ascii() && c.is_alphanumeric())
            });
        let labels = host.split('.').collect::<Vec<_>>();
        let host_ok = host.len() <= 253
            && labels.len() > 1
            && labels.iter().all(|l| {
                !l.is_empty()
                    && l.len() <= 63
                    && !l.starts_with('-')
                    && !l.ends_with('-')
                    && l.chars().all(|c| c.is_alphanumeric() || c == '-')
            })
            && labels.last().is_some_and(|l| l.len() > 1 && !l.chars().all(|c| c.is_ascii_digit()));
        (local_ok && host_ok).then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A telephone number of the North American plan, written `(XXX) XXX-XXXX`.
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
        if text.chars().any(|c| c.is_alphabetic()) {
            return None;
        }
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        let ten = match digits.len() {
            10 => digits.as_str(),
            11 => digits.strip_prefix('1')?,
            _ => return None,
        };
        Some(Self(format!("({}) {}-{}", &ten[..3], &ten[3..6], &ten[6..])))
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
