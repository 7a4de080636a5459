//! The origin of the page that made a request.
//!
//! # Decision
//!
//! A sandbox widget also runs on `localhost`, `127.0.0.1` and pages opened from a file (origin `null`): its homes are
//! invented. A production widget runs only on its listed hosts.

use axum::http::{HeaderMap, HeaderValue, header};
use shingle_domain::AccountId;
use url::Url;

use crate::state::Web;

/// Scheme, host and port of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PageOrigin {
    /// As the header has it, to be sent back.
    pub text: String,
    /// Empty without one.
    pub host: String,
}

impl PageOrigin {
    pub fn of(headers: &HeaderMap) -> Option<Self> {
        let text = |name| headers.get(name).and_then(|v: &HeaderValue| v.to_str().ok());
        let url = match text(header::ORIGIN) {
            // A page opened from a file, or a frame that was given no origin.
            Some("null") => return Some(Self { text: "null".to_owned(), host: String::new() }),
            Some(origin) => Url::parse(origin).ok()?,
            None => Url::parse(text(header::REFERER)?).ok()?,
        };
        let host = url.host_str()?.to_owned();
        matches!(url.scheme(), "http" | "https").then(|| Self { text: url.origin().ascii_serialization(), host })
    }

    /// Whether the page came from this server, under its configured address or the own domain of this company.
    pub fn is_own(&self, web: &Web, account: AccountId) -> bool {
        let is = |address: &str| Url::parse(address).is_ok_and(|at| at.origin().ascii_serialization() == self.text);
        is(&web.base_url)
            || (web.own_domains.account_of(&self.host) == Some(account) && is(&web.own_domains.url(&self.host)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(headers: &[(&'static str, &str)]) -> Option<PageOrigin> {
        PageOrigin::of(&headers.iter().map(|(n, v)| (n.parse().unwrap(), v.parse().unwrap())).collect())
    }

    #[test]
    fn the_origin_comes_from_the_origin_header_or_else_from_the_referrer() {
        let page = origin(&[("origin", "https://Oak.example.com:8443")]).unwrap();
        assert_eq!((page.text.as_str(), page.host.as_str()), ("https://oak.example.com:8443", "oak.example.com"));
        let page = origin(&[("referer", "http://localhost:3000/a?b#c")]).unwrap();
        assert_eq!((page.text.as_str(), page.host.as_str()), ("http://localhost:3000", "localhost"));
        let file = origin(&[("origin", "null"), ("referer", "https://oak.example.com/")]).unwrap();
        assert_eq!((file.text.as_str(), file.host.as_str()), ("null", ""));
        for nobody in [&[][..], &[("origin", "file:///x")], &[("origin", "chrome-extension://x")]] {
            assert_eq!(origin(nobody), None, "{nobody:?}");
        }
    }
}
