//! Whether a page runs a widget: only pages on its list of domains are fetched.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use shingle_deliver::{FetchLimits, FetchOutcome};
use shingle_domain::LinkId;
use shingle_domain::check::SiteCheck;
use shingle_domain::widget::Widget;
use shingle_sitecheck::{Subject, check_fetched, check_unlisted};
use url::Url;

use crate::app::App;
use crate::failure::Failure;
use crate::log_span::of_this_request;

/// For fetching one page.
const FETCH_LIMITS: FetchLimits =
    FetchLimits { timeout: Duration::from_secs(15), max_bytes: 2 * 1024 * 1024, max_redirects: 5 };

/// What is to be done for a page.
pub enum PageToCheck {
    /// It is not on the widget's list: known without a request.
    Unlisted(SiteCheck),
    Listed(ListedPage),
}

/// A page that may be fetched.
pub struct ListedPage {
    subject: Subject,
    url: Url,
}

/// `None`: what was typed is not the address of a page.
pub fn page_to_check(app: &App, widget: &Widget, typed: &str) -> Result<Option<PageToCheck>, Failure> {
    let Some(url) = page_url(typed) else { return Ok(None) };
    let subject = Subject::of(widget, &app.base_url).map_err(Failure::fault)?;
    Ok(Some(if subject.allows(&url) {
        PageToCheck::Listed(ListedPage { subject, url })
    } else {
        PageToCheck::Unlisted(check_unlisted(&subject, &url))
    }))
}

impl ListedPage {
    pub fn widget(&self) -> LinkId {
        self.subject.id
    }

    /// Fetches the page and reads it.
    pub async fn check(self, app: &App) -> Result<SiteCheck, Failure> {
        let Self { subject, url } = self;
        let outcome = match app.egress.target(url.as_str()) {
            Ok(target) => app.egress.get(target, FETCH_LIMITS, |next| subject.allows(next)).await,
            Err(error) => FetchOutcome { redirects: Vec::new(), final_url: url, result: Err(error) },
        };
        let waited_for = StopOnDrop::default();
        let stop = waited_for.0.clone();
        let checked = of_this_request(move || check_fetched(&subject, &outcome, &stop));
        tokio::task::spawn_blocking(checked).await.map_err(Failure::fault)
    }
}

/// Ends the work of a request that was given up.
#[derive(Default)]
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// People often leave out `https://`.
fn page_url(typed: &str) -> Option<Url> {
    let typed = typed.trim();
    let full = if typed.contains("://") { typed.to_owned() } else { format!("https://{typed}") };
    let url = Url::parse(&full).ok()?;
    (matches!(url.scheme(), "http" | "https") && url.has_host() && url.as_str().len() <= 2_000).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_may_be_typed_without_its_scheme() {
        for (typed, read) in [
            ("oak.example.com", Some("https://oak.example.com/")),
            (" www.oak.example.com/roofs?a=b ", Some("https://www.oak.example.com/roofs?a=b")),
            ("http://oak.example.com", Some("http://oak.example.com/")),
            ("127.0.0.1:3000", Some("https://127.0.0.1:3000/")),
            ("", None),
            ("javascript:alert(1)", None),
            ("file:///etc/passwd", None),
            ("ftp://oak.example.com", None),
            ("oak roofing", None),
        ] {
            assert_eq!(page_url(typed).as_ref().map(Url::as_str), read, "{typed}");
        }
    }
}
