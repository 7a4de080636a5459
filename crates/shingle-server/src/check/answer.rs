//! What a site answered, or why nothing came.

use shingle_deliver::{EgressError, FetchOutcome};
use shingle_domain::check::{Finding, Level, Topic};
use url::Url;

use super::policy::Policy;

/// A page that came, with the headers that rule over its scripts.
#[derive(Debug, Clone)]
pub struct Seen {
    pub url: Url,
    pub body: String,
    /// There was more than is read.
    pub cut: bool,
    pub policies: Vec<Policy>,
    /// Policies that only report.
    pub on_trial: bool,
    /// `Integrity-Policy` asks every script for a hash.
    pub wants_hashes: bool,
    /// Frames must ask to be embedded (`Cross-Origin-Embedder-Policy: require-corp`).
    pub isolated: bool,
}

impl Seen {
    pub fn of(outcome: &FetchOutcome) -> Result<Self, Vec<Finding>> {
        let answer = outcome.result.as_ref().map_err(|error| vec![trouble(error, !outcome.redirects.is_empty())])?;
        if let Some(finding) = refusal(answer) {
            return Err(vec![finding]);
        }
        let kind = answer.header("content-type").unwrap_or("text/html").trim().to_ascii_lowercase();
        if !kind.starts_with("text/html") && !kind.starts_with("application/xhtml+xml") {
            return Err(vec![
                Finding::new(Topic::Page, Level::Stops, "The address does not lead to a web page")
                    .text(format!("The server calls what is there {}.", short(&kind)))
                    .todo("Check the address of a page that visitors see."),
            ]);
        }
        let lower = |name: &str| answer.headers(name).map(str::to_ascii_lowercase).collect::<Vec<_>>();
        Ok(Self {
            url: answer.url.clone(),
            // What matters here is ASCII, in every encoding that web pages use today.
            body: String::from_utf8_lossy(&answer.body).into_owned(),
            cut: answer.truncated,
            policies: answer.headers("content-security-policy").flat_map(Policy::of_header).collect(),
            on_trial: answer.header("content-security-policy-report-only").is_some(),
            wants_hashes: lower("integrity-policy").iter().any(|line| {
                let list = line.split_once("blocked-destinations").map_or("", |(_, rest)| rest);
                list.split_once('(')
                    .is_some_and(|(_, rest)| rest.split(')').next().unwrap_or_default().contains("script"))
            }),
            isolated: lower("cross-origin-embedder-policy").iter().any(|line| line.starts_with("require-corp")),
        })
    }
}

/// How the page was come to.
pub fn way(outcome: &FetchOutcome) -> Option<Finding> {
    let first = outcome.redirects.first()?;
    let to = match &outcome.result {
        Err(EgressError::RedirectNotAllowed(_)) => return None,
        _ => &outcome.final_url,
    };
    (first.url != *to).then(|| {
        Finding::new(Topic::Page, Level::Note, format!("Visitors are sent on to {to}"))
            .text(format!("{} redirects there; what follows is about that page.", first.url))
    })
}

/// Why an answer with a status of its own holds no page to judge.
fn refusal(answer: &shingle_deliver::FetchedPage) -> Option<Finding> {
    let status = answer.status;
    let challenged = answer.header("cf-mitigated").is_some() || answer.header("x-sucuri-block").is_some();
    let finding = match status {
        200..=299 if !challenged => return None,
        401 | 407 => Finding::new(Topic::Page, Level::Unclear, "The page asks for a password")
            .todo("Check a page that every visitor can see, or lift the password until the check is done."),
        404 | 410 => Finding::new(Topic::Page, Level::Stops, format!("There is no page at this address ({status})"))
            .todo("Check the spelling, or try the start page."),
        403 | 406 | 429 | 503 | 200..=299 => {
            Finding::new(Topic::Page, Level::Unclear, "The site turns our program away")
                .text(format!(
                    "It answered with {status}. Protection against robots (Cloudflare, Sucuri, Wordfence and others) often does that \
                     although visitors see the page; a site under maintenance does so, too."
                ))
                .todo("Open the page in a browser and look for the estimate there, or let the user agent “Shingle” through.")
        }
        500..=599 => Finding::new(Topic::Page, Level::Stops, format!("The site answers with an error ({status})"))
            .todo("Have the site mended first; its host's error log tells more."),
        _ => Finding::new(Topic::Page, Level::Unclear, format!("The site answered with {status} and no page")),
    };
    Some(finding)
}

/// Why nothing came.
fn trouble(error: &EgressError, redirected: bool) -> Finding {
    let words = error.to_string();
    let mut letters = words.chars();
    let title: String = letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default();
    let found = |level| Finding::new(Topic::Page, level, title.clone());
    match error {
        EgressError::UnknownHost { .. } => {
            found(Level::Stops).todo("Check the spelling. If it is right, the domain's DNS has no entry for this name.")
        }
        EgressError::BadCertificate { .. } => found(Level::Stops)
            .text("Browsers warn visitors away from such a page before they see any of it.")
            .todo("Renew the certificate with the site's host (most do it for free), with all names the site is reached by."),
        EgressError::TooManyRedirects { .. } => {
            found(Level::Stops).todo("The redirects go in a circle. Check the site's rules for www, https and languages.")
        }
        EgressError::RedirectNotAllowed(to) => Finding::new(Topic::Domain, Level::Stops, format!("The page sends visitors on to {to}"))
            .text("That domain is not on the widget’s list, so the script does nothing there and we do not look further.")
            .todo("Add its domain to the widget’s domains, or give the address that visitors end up at."),
        EgressError::NotHttps if redirected => {
            Finding::new(Topic::Page, Level::Unclear, "The page sends visitors on from https:// to http://")
                .text("We follow no redirect to an unprotected address.")
                .todo("Turn that redirect around: visitors should end up at https://, which browsers do not warn of.")
        }
        EgressError::NotHttps => Finding::new(Topic::Page, Level::Unclear, "This server checks pages over HTTPS only")
            .todo("Try the address with https://. A site without HTTPS should get it first: browsers mark it as not secure."),
        EgressError::NotPublic { .. } => found(Level::Unclear).todo(
            "Our server only visits public addresses. For a site inside your own network, the operator can open it with \
             SHINGLE_EGRESS_ALLOW.",
        ),
        EgressError::ConnectionRefused { .. }
        | EgressError::Unreachable { .. }
        | EgressError::Tls { .. }
        | EgressError::Timeout { .. }
        | EgressError::ConnectionLost { .. } => found(Level::Unclear)
            .text("Either the site is down, or its firewall keeps our server out.")
            .todo("Open the page in a browser. If it is there, look for the estimate with your own eyes, or try again later."),
        _ => found(Level::Unclear).todo("Check the address."),
    }
}

fn short(text: &str) -> String {
    text.chars().take(100).collect()
}
