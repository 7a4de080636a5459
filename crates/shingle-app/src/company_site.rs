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
use shingle_sitecheck::{LogoSource, SiteFacts};
use url::Url;

use crate::app::App;
use crate::logo::{MAX_LOGO_BYTES, brand_color};
use crate::site_failure::SiteFailure;
use crate::vector_logo::{data_bytes, drawn_color, svg_text};

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
    /// The text of an SVG that is likelier to be the logo. A browser can draw it.
    pub drawing: Option<String>,
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
    let mut site = CompanySite { host, facts, logo: None, drawing: None };
    for logo in std::mem::take(&mut site.facts.logos) {
        let bytes = match logo {
            LogoSource::Drawn(markup) => markup.into_bytes(),
            LogoSource::At(url) => match picture(app, &url).await {
                Some(bytes) => bytes,
                None => continue,
            },
        };
        let known = site.drawing.is_some();
        let Ok(read) = app.heavy_work.run(move || Picture::read(bytes, known)).await else { continue };
        let color = match read {
            Picture::Drawing { text, color } => {
                site.drawing = Some(text);
                color
            }
            Picture::Pixels { bytes, color } => {
                site.logo = Some(bytes);
                color
            }
            Picture::Unknown => continue,
        };
        if let (None, Some([r, g, b])) = (&site.facts.color, color) {
            site.facts.color = HexColor::parse(&format!("#{r:02x}{g:02x}{b:02x}"));
        }
        if site.logo.is_some() {
            break;
        }
    }
    Ok(site)
}

/// What a picture of a site turned out to be, with the color it has most of.
enum Picture {
    Drawing { text: String, color: Option<[u8; 3]> },
    Pixels { bytes: Vec<u8>, color: Option<[u8; 3]> },
    Unknown,
}

impl Picture {
    /// One drawing is enough.
    fn read(bytes: Vec<u8>, has_drawing: bool) -> Self {
        match svg_text(&bytes) {
            Some(_) if has_drawing => Self::Unknown,
            Some(text) => Self::Drawing { color: drawn_color(&text), text },
            None => brand_color(&bytes).map_or(Self::Unknown, |color| Self::Pixels { bytes, color }),
        }
    }
}

async fn picture(app: &App, url: &Url) -> Option<Vec<u8>> {
    if url.scheme() == "data" {
        return data_bytes(url);
    }
    let picture = fetch(app, url.as_str(), PICTURE).await.ok()?;
    (picture.status == 200 && !picture.truncated).then_some(picture.body)
}

/// By the kind that a server says: one that says none may have a page.
fn is_page(kind: &str) -> bool {
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    matches!(kind.as_str(), "" | "text/html" | "application/xhtml+xml" | "text/plain")
}

/// The line of the settings file that lets a site on the operator's own network be read, if its address may be named.
pub async fn opening_setting(app: &App, failure: &SiteFailure) -> Option<String> {
    let SiteFailure::OwnNetwork { host } = failure else { return None };
    let closed = app.egress.closed_addresses(host).await;
    let open = app.egress.policy().allowed_networks.iter().map(ToString::to_string);
    let new = closed.iter().map(|ip| format!("{ip}/{}", if ip.is_ipv4() { 32 } else { 128 }));
    let all: Vec<String> = open.chain(new).map(|network| format!("\"{network}\"")).collect();
    (!closed.is_empty()).then(|| format!("egress_allow = [{}]", all.join(", ")))
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
