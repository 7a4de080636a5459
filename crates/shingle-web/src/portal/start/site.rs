//! Reads a company's own site for what a new widget needs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use shingle_deliver::{FetchLimits, FetchedPage};
use shingle_domain::HexColor;
use shingle_sitecheck::SiteFacts;
use url::Url;

use crate::state::Web;
use shingle_app::logo::{MAX_LOGO_BYTES, brand_color};

const PAGE: FetchLimits = FetchLimits { timeout: Duration::from_secs(8), max_bytes: 2 * 1024 * 1024, max_redirects: 5 };
const PICTURE: FetchLimits =
    FetchLimits { timeout: Duration::from_secs(5), max_bytes: MAX_LOGO_BYTES, max_redirects: 3 };

/// What was found, with the first logo that can be decoded.
#[derive(Default)]
pub struct Site {
    pub facts: SiteFacts,
    pub logo: Option<Vec<u8>>,
}

/// `None` where the page cannot be read.
pub async fn read(web: &Web, url: &str) -> Option<Site> {
    let page = fetch(web, url, PAGE).await?;
    let stop = StopOnDrop::default();
    let stopped = stop.0.clone();
    let facts = move || SiteFacts::read(&String::from_utf8_lossy(&page.body), &page.url, &stopped);
    let facts = web.heavy_work.run(facts).await.ok()?;
    let mut site = Site { facts, logo: None };
    for url in site.facts.logos.clone() {
        let Some(picture) = fetch(web, url.as_str(), PICTURE).await.filter(|picture| !picture.truncated) else {
            continue;
        };
        let (bytes, own) = (picture.body.clone(), site.facts.color.is_none());
        let Ok(Some(color)) = web.heavy_work.run(move || brand_color(&bytes)).await else { continue };
        if own {
            site.facts.color = color.and_then(|[r, g, b]| HexColor::parse(&format!("#{r:02x}{g:02x}{b:02x}")));
        }
        site.logo = Some(picture.body);
        break;
    }
    Some(site)
}

async fn fetch(web: &Web, url: &str, limits: FetchLimits) -> Option<FetchedPage> {
    let target = web.egress.target(url).ok()?;
    let page = web.egress.get(target, limits, |_: &Url| true).await.result.ok()?;
    (page.status == 200).then_some(page)
}

/// Ends the work of a request that was given up.
#[derive(Default)]
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
