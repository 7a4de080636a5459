//! Whether companies' own domains lead here, as a visitor's browser would come to them.

use std::time::Duration;

use serde::Deserialize;
use shingle_deliver::{EgressError, FetchLimits};
use shingle_domain::{AccountId, Timestamp};
use shingle_store::{DomainFault, OwnDomain, StoreError};

use crate::app::App;
use crate::installation_proof::{InstallationProof, Proof, QUESTION};

const LIMITS: FetchLimits = FetchLimits { timeout: Duration::from_secs(5), max_bytes: 4 * 1024, max_redirects: 0 };
/// How often a name is asked that works, and one that does not.
const EVERY: Duration = Duration::from_secs(10 * 60);
const EVERY_BROKEN: Duration = Duration::from_secs(60);
const CHECKS_AT_ONCE: usize = 8;

/// Reads what the database has; another node may have changed it.
pub async fn refresh(app: &App) -> Result<Vec<OwnDomain>, StoreError> {
    let domains = app.store.accounts().own_domains().await?;
    app.own_domains.replace(&domains);
    Ok(domains)
}

/// Once a minute.
pub async fn check_due(app: &App) -> Result<(), StoreError> {
    let now = app.clock.now();
    let due = |domain: &OwnDomain| {
        let every = if domain.works_since.is_some() { EVERY } else { EVERY_BROKEN };
        domain.checked_at.is_none_or(|at| passed(at, now) >= every)
    };
    let domains = refresh(app).await?;
    let due: Vec<&OwnDomain> = domains.iter().filter(|domain| due(domain)).collect();
    for some in due.chunks(CHECKS_AT_ONCE) {
        let checks = some.iter().map(|domain| check_host(app, &domain.host));
        futures_util::future::try_join_all(checks).await?;
    }
    if !due.is_empty() {
        refresh(app).await?;
    }
    Ok(())
}

fn passed(since: Timestamp, now: Timestamp) -> Duration {
    Duration::from_micros(u64::try_from(now.micros().saturating_sub(since.micros())).unwrap_or_default())
}

/// Looks now whether a company's domain leads here.
pub async fn check(app: &App, account: AccountId) -> Result<(), StoreError> {
    if let Some(domain) = app.store.accounts().own_domain(account).await? {
        check_host(app, &domain.host).await?;
    }
    refresh(app).await.map(drop)
}

async fn check_host(app: &App, host: &str) -> Result<(), StoreError> {
    let fault = find_us(app, host).await?.err();
    app.store.accounts().note_domain_check(host, fault).await
}

/// Who answered.
#[derive(Deserialize)]
struct Answer {
    #[serde(flatten)]
    proof: Proof,
}

async fn find_us(app: &App, host: &str) -> Result<Result<(), DomainFault>, StoreError> {
    let query = format!("{QUESTION}={}", InstallationProof::question().map_err(StoreError::Random)?);
    let address = format!("{}/healthz?{query}", app.own_domains.url(host));
    let page = match app.egress.target(&address) {
        Ok(target) => app.egress.get(target, LIMITS, |_| false).await.result,
        Err(error) => Err(error),
    };
    Ok(match page {
        Err(error) => Err(fault(&error)),
        Ok(page) => match (page.status, serde_json::from_slice::<Answer>(&page.body)) {
            (200, Ok(Answer { proof })) if Some(&proof.proof) != app.proof.answer(&query).as_ref() => {
                Err(DomainFault::OtherInstallation)
            }
            (200, Ok(Answer { proof })) if !proof.secure => Err(DomainFault::Plain),
            (200, Ok(Answer { proof })) if proof.host != host => Err(DomainFault::NameLost),
            (200, Ok(_)) => Ok(()),
            _ => Err(DomainFault::OtherServer),
        },
    })
}

fn fault(error: &EgressError) -> DomainFault {
    match error {
        EgressError::UnknownHost { .. } => DomainFault::NoName,
        EgressError::NotPublic { .. } => DomainFault::NotPublic,
        EgressError::BadCertificate { .. } | EgressError::Tls { .. } => DomainFault::Certificate,
        EgressError::RedirectNotAllowed { .. } | EgressError::TooManyRedirects { .. } => DomainFault::OtherServer,
        EgressError::NotHttps => DomainFault::Plain,
        _ => DomainFault::Silent,
    }
}
