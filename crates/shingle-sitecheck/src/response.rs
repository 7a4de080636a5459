//! The site's response: a page to check, or why not.

use shingle_deliver::{EgressError, FetchOutcome};
use shingle_domain::check::{Finding, Level, Topic};
use url::Url;

use crate::messages::SiteMessage;
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
                Finding::new(Topic::Page, Level::Stops, SiteMessage::NotPage)
                    .text(SiteMessage::ContentType { kind: truncated(&kind) })
                    .todo(SiteMessage::CheckVisiblePage),
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
        Finding::new(Topic::Page, Level::Note, SiteMessage::SentOn { to: to.to_string() })
            .text(SiteMessage::Redirected { from: first.url.to_string() })
    })
}

/// Why a response with this status holds no page to check.
fn status_finding(answer: &shingle_deliver::FetchedPage) -> Option<Finding> {
    let status = answer.status;
    let is_challenge = answer.header("cf-mitigated").is_some() || answer.header("x-sucuri-block").is_some();
    let finding = match status {
        200..=299 if !is_challenge => return None,
        401 | 407 => Finding::new(Topic::Page, Level::Unclear, SiteMessage::Password).todo(SiteMessage::RemovePassword),
        404 | 410 => {
            Finding::new(Topic::Page, Level::Stops, SiteMessage::Missing { status }).todo(SiteMessage::CheckSpelling)
        }
        403 | 406 | 429 | 503 | 200..=299 => Finding::new(Topic::Page, Level::Unclear, SiteMessage::Refused)
            .text(SiteMessage::RefusedText { status })
            .todo(SiteMessage::AllowProgram),
        500..=599 => {
            Finding::new(Topic::Page, Level::Stops, SiteMessage::ServerError { status }).todo(SiteMessage::RepairSite)
        }
        _ => Finding::new(Topic::Page, Level::Unclear, SiteMessage::NoPage { status }),
    };
    Some(finding)
}

/// Why there was no response.
fn fetch_error(error: &EgressError, redirected: bool) -> Finding {
    let finding = |level| Finding::new(Topic::Page, level, SiteMessage::NotFetched { error: error.clone() });
    match error {
        EgressError::UnknownHost { .. } => finding(Level::Stops).todo(SiteMessage::CheckName),
        EgressError::BadCertificate { .. } => {
            finding(Level::Stops).text(SiteMessage::CertificateWarning).todo(SiteMessage::RenewCertificate)
        }
        EgressError::TooManyRedirects { .. } => finding(Level::Stops).todo(SiteMessage::RedirectLoop),
        EgressError::RedirectNotAllowed { to } => {
            Finding::new(Topic::Domain, Level::Stops, SiteMessage::SendsOn { to: to.clone() })
                .text(SiteMessage::SentToOtherDomain)
                .todo(SiteMessage::AddDomain)
        }
        EgressError::NotHttps if redirected => Finding::new(Topic::Page, Level::Unclear, SiteMessage::SentToHttp)
            .text(SiteMessage::NoPlainRedirects)
            .todo(SiteMessage::ReverseRedirect),
        EgressError::NotHttps => {
            Finding::new(Topic::Page, Level::Unclear, SiteMessage::HttpsOnly).todo(SiteMessage::TryHttps)
        }
        EgressError::NotPublic { .. } => finding(Level::Unclear).todo_of_operator(SiteMessage::PublicOnly),
        EgressError::ConnectionRefused { .. }
        | EgressError::Unreachable { .. }
        | EgressError::Tls { .. }
        | EgressError::Timeout { .. }
        | EgressError::ConnectionLost { .. } => {
            finding(Level::Unclear).text(SiteMessage::DownOrBlocked).todo(SiteMessage::LookYourself)
        }
        _ => finding(Level::Unclear).todo(SiteMessage::CheckAddress),
    }
}

fn truncated(text: &str) -> String {
    text.chars().take(100).collect()
}
