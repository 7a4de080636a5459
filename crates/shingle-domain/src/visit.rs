//! How visits are counted: by step, page and source. Sums only: nothing here names a visitor or a visit.

use serde::{Deserialize, Serialize};

use crate::lead::LeadChannel;

/// How far a visitor came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VisitStep {
    /// A page asked for the widget's script, or the hosted page was opened.
    Seen,
    /// The flow was on screen.
    Opened,
    /// An address was looked up.
    Address,
    /// The visitor said that it is their roof, or asked for a visit instead.
    Roof,
    /// Something was typed into the details.
    Details,
    /// A lead came in that a person seems to have sent.
    Lead,
}

impl VisitStep {
    pub const ALL: [Self; 6] = [Self::Seen, Self::Opened, Self::Address, Self::Roof, Self::Details, Self::Lead];
}

/// `POST /w/{id}/session`
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SessionRequest {
    /// Of a flow that was opened just now.
    #[serde(default)]
    pub at: Option<SentFrom>,
    /// The solution of a challenge, or nothing to say that it could not be solved.
    #[serde(default)]
    pub altcha: Option<String>,
}

/// Where a flow was opened, for the company's sums: `via`, the path of its page, the campaign's source, and the host of the page
/// before.
pub type SentFrom = (String, String, String, String);

/// `POST /w/{id}/step`: a flow has come so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepRequest {
    pub step: SentStep,
    pub at: SentFrom,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SentStep {
    Roof,
    Details,
}

/// The page a visit began on, and what led to it, as they are counted: short texts of a few kinds, whatever was sent.
///
/// A page is empty (not known), a path, `hosted` or `other`; a source is empty, `direct`, `hosted`, `qr`, `utm:` with a campaign's
/// source, `site:` with a host, or `other`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct VisitFrom {
    page: String,
    source: String,
}

pub const HOSTED: &str = "hosted";
/// What cannot be told apart, or is one too many.
pub const OTHER: &str = "other";

const MAX_PAGE: usize = 100;
const MAX_UTM: usize = 40;
const MAX_HOST: usize = 60;

impl VisitFrom {
    /// `page` is a path; `utm` the campaign's source and `referrer` the host of the page before, both empty without one.
    pub fn new(via: LeadChannel, page: &str, utm: &str, referrer: &str) -> Self {
        let page = counted_page(page);
        let is_hosted = page == HOSTED;
        let source = match (counted_utm(utm), counted_host(referrer)) {
            (Some(utm), _) => utm,
            (None, _) if via == LeadChannel::Qr => "qr".to_owned(),
            (None, _) if via == LeadChannel::Hand => "hand".to_owned(),
            (None, _) if via == LeadChannel::Import => "import".to_owned(),
            (None, Some(host)) => host,
            (None, None) if is_hosted => HOSTED.to_owned(),
            (None, None) => "direct".to_owned(),
        };
        Self { page, source }
    }

    /// As it was counted before.
    pub fn counted(page: String, source: String) -> Self {
        Self { page, source }
    }

    pub fn other() -> Self {
        Self { page: OTHER.to_owned(), source: OTHER.to_owned() }
    }

    pub fn page(&self) -> &str {
        &self.page
    }

    pub fn source(&self) -> &str {
        &self.source
    }
}

fn counted_page(path: &str) -> String {
    let path = path.split(['?', '#', ';']).next().unwrap_or_default();
    if path.is_empty() {
        return String::new();
    }
    let path = path.strip_suffix("/index.html").or_else(|| path.strip_suffix("/index.php")).unwrap_or(path);
    let path = path.trim_end_matches('/');
    // The page of ours: `/w/` and the id of a widget.
    if path.rsplit_once("/w/").is_some_and(|(_, id)| id.len() == 36 && !id.contains('/')) {
        return HOSTED.to_owned();
    }
    let is_path = path.is_empty() || path.starts_with('/');
    let is_plain = path.bytes().all(|b| b.is_ascii_alphanumeric() || b"/-._~!$&*+,=:%".contains(&b));
    // A person's address is not a page's.
    let is_plain = is_plain && !path.contains("%40");
    if !is_path || !is_plain || path.len() > MAX_PAGE {
        return OTHER.to_owned();
    }
    if path.is_empty() { "/".to_owned() } else { path.to_owned() }
}

fn counted_utm(text: &str) -> Option<String> {
    let text = text.trim().to_lowercase();
    if text.is_empty() {
        return None;
    }
    let is_plain = text.len() <= MAX_UTM && text.bytes().all(|b| b.is_ascii_alphanumeric() || b" -_.+".contains(&b));
    Some(if is_plain { format!("utm:{text}") } else { OTHER.to_owned() })
}

fn counted_host(host: &str) -> Option<String> {
    let host = host.trim().to_lowercase();
    if host.is_empty() {
        return None;
    }
    let host = host.strip_prefix("www.").unwrap_or(&host);
    let is_plain = host.len() <= MAX_HOST && host.bytes().all(|b| b.is_ascii_alphanumeric() || b"-.".contains(&b));
    Some(if is_plain { format!("site:{host}") } else { OTHER.to_owned() })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn from(via: LeadChannel, page: &str, utm: &str, referrer: &str) -> (String, String) {
        let VisitFrom { page, source } = VisitFrom::new(via, page, utm, referrer);
        (page, source)
    }

    #[test]
    fn a_page_is_its_path_and_nothing_of_its_query() {
        let page = |path: &str| from(LeadChannel::Embed, path, "", "").0;
        for (path, counted) in [
            ("", ""),
            ("/", "/"),
            ("/roofs", "/roofs"),
            ("/roofs/", "/roofs"),
            ("/roofs/index.html", "/roofs"),
            ("/index.php", "/"),
            ("/roofs?email=ann@example.com", "/roofs"),
            ("/roofs;jsessionid=8#x", "/roofs"),
            ("/%C3%A9t%C3%A9", "/%C3%A9t%C3%A9"),
            ("/w/7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11", "hosted"),
            ("/below/w/7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11/", "hosted"),
            ("/w/short", "/w/short"),
            ("roofs", "other"),
            ("/a b", "other"),
            ("/<b>", "other"),
            ("/été", "other"),
            ("/for/ann@example.com", "other"),
            ("/for/ann%40example.com", "other"),
        ] {
            assert_eq!(page(path), counted, "{path}");
        }
        assert_eq!(page(&format!("/{}", "a".repeat(99))).len(), 100);
        assert_eq!(page(&format!("/{}", "a".repeat(100))), "other");
    }

    #[test]
    fn a_campaign_comes_before_a_code_and_a_code_before_a_site() {
        let hosted = "/w/7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11";
        for (via, page, utm, referrer, source) in [
            (LeadChannel::Qr, "/", "Yard Sign", "www.google.com", "utm:yard sign"),
            (LeadChannel::Qr, "/", "", "www.google.com", "qr"),
            (LeadChannel::Embed, "/", "", "www.Google.com", "site:google.com"),
            (LeadChannel::Embed, "/", "", "", "direct"),
            (LeadChannel::Hosted, hosted, "", "", "hosted"),
            (LeadChannel::Hosted, hosted, "", "oak.example.com", "site:oak.example.com"),
            (LeadChannel::Link, "/", "ann@example.com", "", "other"),
            (LeadChannel::Embed, "/", "", "[::1]", "other"),
        ] {
            assert_eq!(from(via, page, utm, referrer).1, source, "{via:?} {utm} {referrer}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_sent_becomes_a_short_plain_text(page in ".{0,300}", utm in ".{0,300}", referrer in ".{0,300}") {
            let from = VisitFrom::new(LeadChannel::Embed, &page, &utm, &referrer);
            for text in [from.page(), from.source()] {
                prop_assert!(text.len() <= 100 && text.bytes().all(|b| b == b' ' || b.is_ascii_graphic()), "{text}");
            }
        }
    }
}
