//! Reads a company's own site for what a new widget needs.
//!
//! # Decision
//!
//! What cannot be read says why, because each cause has another way on: a wrong name is corrected, a slow site is tried
//! again, one that turns programs away is typed in. Turned down: one sentence for all of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use shingle_deliver::{EgressError, FetchLimits, FetchedPage};
use shingle_domain::HexColor;
use shingle_domain::message::ToMessage as _;
use shingle_sitecheck::SiteFacts;
use url::Url;

use crate::app::App;
use crate::logo::{MAX_LOGO_BYTES, brand_color};
use crate::site_failure::SiteFailure;

const SECONDS: u64 = 8;
const PAGE: FetchLimits =
    FetchLimits { timeout: Duration::from_secs(SECONDS), max_bytes: 2 * 1024 * 1024, max_redirects: 5 };
const PICTURE: FetchLimits =
    FetchLimits { timeout: Duration::from_secs(5), max_bytes: MAX_LOGO_BYTES, max_redirects: 3 };

/// What was found, with the first logo that can be decoded.
#[derive(Default)]
pub struct CompanySite {
    /// Of the page that was read in the end.
    pub host: String,
    pub facts: SiteFacts,
    pub logo: Option<Vec<u8>>,
}

/// # Errors
/// Why the page cannot be read.
pub async fn read(app: &App, url: &str) -> Result<CompanySite, SiteFailure> {
    let typed = Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned));
    let page = fetch(app, url, PAGE).await.map_err(|error| failed(typed.unwrap_or_else(|| url.to_owned()), &error))?;
    let host = page.url.host_str().unwrap_or_default().to_owned();
    match page.status {
        200 => {}
        // Not 401, a site with a password, nor 503, which a site that is down says too.
        status @ (403 | 405 | 406 | 429) => return Err(SiteFailure::Blocked { host, status }),
        status => return Err(SiteFailure::Refused { host, status }),
    }
    if page.header("content-type").is_some_and(|kind| !is_page(kind)) {
        return Err(SiteFailure::NotAPage { host });
    }
    let stop = StopOnDrop::default();
    let stopped = stop.0.clone();
    let facts = move || SiteFacts::read(&String::from_utf8_lossy(&page.body), &page.url, &stopped);
    let Ok(facts) = app.heavy_work.run(facts).await else { return Err(SiteFailure::NotAPage { host }) };
    let mut site = CompanySite { host, facts, logo: None };
    for url in site.facts.logos.clone() {
        let picture = fetch(app, url.as_str(), PICTURE).await.ok();
        let Some(picture) = picture.filter(|picture| picture.status == 200 && !picture.truncated) else { continue };
        let (bytes, own) = (picture.body.clone(), site.facts.color.is_none());
        let Ok(Some(color)) = app.heavy_work.run(move || brand_color(&bytes)).await else { continue };
        if own {
            site.facts.color = color.and_then(|[r, g, b]| HexColor::parse(&format!("#{r:02x}{g:02x}{b:02x}")));
        }
        site.logo = Some(picture.body);
        break;
    }
    Ok(site)
}

/// By the kind that a server says: one that says none may have a page.
fn is_page(kind: &str) -> bool {
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    matches!(kind.as_str(), "" | "text/html" | "application/xhtml+xml" | "text/plain")
}

fn failed(host: String, error: &EgressError) -> SiteFailure {
    match error {
        EgressError::UnknownHost { .. } | EgressError::InvalidUrl { .. } => SiteFailure::NoServer { host },
        EgressError::Timeout { .. } => SiteFailure::Slow { host, seconds: SECONDS },
        EgressError::NotPublic { .. } => SiteFailure::OwnNetwork { host },
        EgressError::NotHttps => SiteFailure::NotHttps { host },
        other => SiteFailure::NoAnswer { host, why: other.to_message() },
    }
}

async fn fetch(app: &App, url: &str, limits: FetchLimits) -> Result<FetchedPage, EgressError> {
    let target = app.egress.target(url)?;
    app.egress.get(target, limits, |_: &Url| true).await.result
}

/// Ends the work of a request that was given up.
#[derive(Default)]
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
