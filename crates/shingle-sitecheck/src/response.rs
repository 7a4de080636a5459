//! The site's response: a page to check, or why there is none.

use shingle_deliver::{EgressError, FetchOutcome};
use shingle_domain::check::{Finding, Level, Topic};
use url::Url;

use crate::policy::{MAX_POLICIES, Policy};

/// A page as the site sent it, with the headers that affect scripts.
#[derive(Debug, Clone)]
pub struct ReceivedPage {
    pub url: Url,
    pub body: String,
    /// The page was longer than we read.
    pub truncated: bool,
    pub policies: Vec<Policy>,
    /// There is a policy that only reports.
    pub has_report_only_policy: bool,
    /// `Integrity-Policy` refuses scripts without a hash.
    pub requires_hashes: bool,
    /// Frames must opt in to be embedded (`Cross-Origin-Embedder-Policy: require-corp`).
    pub requires_corp: bool,
}

impl ReceivedPage {
    pub fn from_outcome(outcome: &FetchOutcome) -> Result<Self, Vec<Finding>> {
        let answer =
            outcome.result.as_ref().map_err(|error| vec![fetch_error(error, !outcome.redirects.is_empty())])?;
        if let Some(finding) = status_finding(answer) {
            return Err(vec![finding]);
        }
        let kind = answer.header("content-type").unwrap_or("text/html").trim().to_ascii_lowercase();
        if !kind.starts_with("text/html") && !kind.starts_with("application/xhtml+xml") {
            return Err(vec![
                Finding::new(Topic::Page, Level::Stops, "The address does not lead to a web page")
                    .text(format!("The server says that it is {kind}.", kind = truncated(&kind)))
                    .todo("Check the address of a page that visitors see."),
            ]);
        }
        let lower = |name: &str| answer.headers(name).map(str::to_ascii_lowercase).collect::<Vec<_>>();
        Ok(Self {
            url: answer.url.clone(),
            // All that we look for is ASCII in every encoding that web pages use today.
            body: String::from_utf8_lossy(&answer.body).into_owned(),
            truncated: answer.truncated,
            policies: answer
                .headers("content-security-policy")
                .flat_map(Policy::of_header)
                .take(MAX_POLICIES)
                .collect(),
            has_report_only_policy: answer.header("content-security-policy-report-only").is_some(),
            requires_hashes: lower("integrity-policy").iter().any(|line| {
                let list = line.split_once("blocked-destinations").map_or("", |(_, rest)| rest);
                list.split_once('(')
                    .is_some_and(|(_, rest)| rest.split(')').next().unwrap_or_default().contains("script"))
            }),
            requires_corp: lower("cross-origin-embedder-policy").iter().any(|line| line.starts_with("require-corp")),
        })
    }
}

/// Says where redirects led.
pub fn redirect_finding(outcome: &FetchOutcome) -> Option<Finding> {
    let first = outcome.redirects.first()?;
    let to = match &outcome.result {
        Err(EgressError::RedirectNotAllowed { .. }) => return None,
        _ => &outcome.final_url,
    };
    (first.url != *to).then(|| {
        Finding::new(Topic::Page, Level::Note, format!("Visitors are sent on to {to}"))
            .text(format!("{from} redirects there. The rest of this check is about that page.", from = first.url))
    })
}

/// Why a response with this status holds no page to check.
fn status_finding(answer: &shingle_deliver::FetchedPage) -> Option<Finding> {
    let status = answer.status;
    let is_challenge = answer.header("cf-mitigated").is_some() || answer.header("x-sucuri-block").is_some();
    let finding = match status {
        200..=299 if !is_challenge => return None,
        401 | 407 => Finding::new(Topic::Page, Level::Unclear, "The page asks for a password")
            .todo("Check a page that every visitor can see, or remove the password until the check is done."),
        404 | 410 => Finding::new(Topic::Page, Level::Stops, format!("There is no page at this address ({status})"))
            .todo("Check the spelling, or try the home page."),
        403 | 406 | 429 | 503 | 200..=299 => {
            Finding::new(Topic::Page, Level::Unclear, "The site refuses our program")
                .text(format!(
                    "It answered with {status}. Bot protection (Cloudflare, Sucuri, Wordfence and others) often does that although \
                     visitors see the page. A site under maintenance does it too."
                ))
                .todo("Open the page in a browser and look for the estimate there, or allow the user agent “Shingle”.")
        }
        500..=599 => Finding::new(Topic::Page, Level::Stops, format!("The site answers with an error ({status})"))
            .todo("Have the site repaired first. The error log of its host says more."),
        _ => Finding::new(Topic::Page, Level::Unclear, format!("The site answered with {status} and sent no page")),
    };
    Some(finding)
}

/// Why there was no response.
fn fetch_error(error: &EgressError, redirected: bool) -> Finding {
    let message = error.to_string();
    let mut letters = message.chars();
    let title: String = letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default();
    let finding = |level| Finding::new(Topic::Page, level, title.clone());
    match error {
        EgressError::UnknownHost { .. } => {
            finding(Level::Stops).todo("Check the spelling. If it is right, the domain's DNS has no entry for this name.")
        }
        EgressError::BadCertificate { .. } => finding(Level::Stops)
            .text("Browsers show a warning instead of such a page.")
            .todo("Renew the certificate at the site's host (most do it for free), for all names of the site."),
        EgressError::TooManyRedirects { .. } => {
            finding(Level::Stops).todo("The redirects form a loop. Check the site's rules for www, https and languages.")
        }
        EgressError::RedirectNotAllowed { to } => Finding::new(Topic::Domain, Level::Stops, format!("The page sends visitors on to {to}"))
            .text("That domain is not on the widget’s list, so the script does nothing there and we do not follow.")
            .todo("Add its domain to the widget’s domains, or check the address that visitors end up at."),
        EgressError::NotHttps if redirected => {
            Finding::new(Topic::Page, Level::Unclear, "The page sends visitors on from https:// to http://")
                .text("We do not follow redirects to unencrypted addresses.")
                .todo("Reverse that redirect: visitors should end up at https://. Browsers warn of http://.")
        }
        EgressError::NotHttps => Finding::new(Topic::Page, Level::Unclear, "This server checks pages over HTTPS only")
            .todo("Try the address with https://. A site without HTTPS should get it first: browsers mark it as not secure."),
        EgressError::NotPublic { .. } => finding(Level::Unclear).todo(
            "Our server only visits public addresses. For a site inside your own network, the operator can open it with \
             SHINGLE_EGRESS_ALLOW.",
        ),
        EgressError::ConnectionRefused { .. }
        | EgressError::Unreachable { .. }
        | EgressError::Tls { .. }
        | EgressError::Timeout { .. }
        | EgressError::ConnectionLost { .. } => finding(Level::Unclear)
            .text("Either the site is down, or its firewall blocks our server.")
            .todo("Open the page in a browser. If it is there, look for the estimate yourself, or try again later."),
        _ => finding(Level::Unclear).todo("Check the address."),
    }
}

fn truncated(text: &str) -> String {
    text.chars().take(100).collect()
}
