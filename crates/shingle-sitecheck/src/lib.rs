//! The check of a site: does a page run a widget's script, and if not, what stops it?
//!
//! `shingle-deliver` fetches the page. Everything here reads what came back and needs no network, so every rule is tested
//! on plain text. Three groups of findings make a check: about the widget and its server, about the response and the
//! script tag in it, and about the page's content policies.
//!
//! ```
//! use shingle_domain::check::Verdict;
//! use shingle_domain::widget::ElementType;
//! use shingle_sitecheck::{Subject, check_unlisted};
//! use url::Url;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let subject = Subject {
//!     id: "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11".parse()?,
//!     active: true,
//!     element: ElementType::Button,
//!     hosts: vec!["oak.example.com".into()],
//!     base: Url::parse("https://roofs.example")?,
//! };
//! let page = Url::parse("https://elm.example.com/")?;
//! assert!(!subject.allows(&page));
//!
//! // A page that is not on the widget's list is not fetched.
//! let check = check_unlisted(&subject, &page);
//! assert_eq!(check.verdict, Verdict::Hidden);
//! assert_eq!(
//!     check.summary,
//!     "Your site does not show the estimate button: elm.example.com is not on the widget’s list of domains."
//! );
//! # Ok(())
//! # }
//! ```
//!
//! # Decisions
//!
//! - The check is given what `shingle-deliver` fetched. It needs no route and no socket, so it is tested without a
//!   network.
//! - Only pages on the widget's domain list are fetched, so the check is not an open proxy.

mod drawn_logo;
mod error;
#[cfg(test)]
mod hostile_tests;
mod html;
mod messages;
mod policy;
mod policy_findings;
mod postal_text;
mod response;
mod script_findings;
mod site_colors;
mod site_facts;
mod source;
mod subject;
mod tag;
#[cfg(test)]
mod tests;
mod tokens;
mod verdict;
mod widget_findings;

use std::sync::atomic::AtomicBool;

use shingle_deliver::FetchOutcome;
use shingle_domain::check::{Finding, Level, SiteCheck};
use url::Url;

pub use error::SiteCheckError;
pub use messages::MESSAGES;
pub use site_facts::{LogoSource, SiteFacts};
pub use subject::Subject;

use html::ParsedPage;
use response::ReceivedPage;

/// Checks a page that was fetched, or says why it could not be fetched. The work is linear in the page's length, and once
/// nobody waits for the result, `stop` ends it early.
pub fn check_fetched(subject: &Subject, outcome: &FetchOutcome, stop: &AtomicBool) -> SiteCheck {
    let mut findings = widget_findings::findings(subject, &outcome.final_url);
    findings.extend(response::redirect_finding(outcome));
    match ReceivedPage::from_outcome(outcome) {
        Ok(received) => findings.extend(page_findings(subject, &received, stop)),
        Err(failure) => findings.extend(failure),
    }
    verdict::conclude(subject, &outcome.final_url, findings)
}

/// Checks what can be checked without fetching the page, because its host is not on the widget's list.
pub fn check_unlisted(subject: &Subject, url: &Url) -> SiteCheck {
    let mut findings = widget_findings::findings(subject, url);
    findings.retain(|finding| finding.level != Level::Fine);
    verdict::conclude(subject, url, findings)
}

fn page_findings(subject: &Subject, received: &ReceivedPage, stop: &AtomicBool) -> Vec<Finding> {
    let id = subject.id.to_string();
    let page = ParsedPage::read(&received.body, &id, stop);
    let base =
        page.base.as_deref().and_then(|href| received.url.join(href).ok()).unwrap_or_else(|| received.url.clone());
    let loader = subject.loader();
    let tags = tag::find(&page, &base, tag::ExpectedTag { id: &id, loader: &loader });
    let mut findings = script_findings::findings(subject, received, &page, &tags);
    findings.extend(policy_findings::findings(subject, received, &page, tags.first()));
    findings
}
