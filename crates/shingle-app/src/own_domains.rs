//! Companies' own domains, held in memory for every request.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use shingle_domain::AccountId;
use shingle_store::{DomainFault, OwnDomain};
use url::{Host, Url};

/// Why a name cannot be a company's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostProblem {
    NotAName,
    /// The installation's own.
    Own,
}

/// Which names belong to whom, as this node last read it.
#[derive(Debug)]
pub struct OwnDomains {
    base: Option<Url>,
    /// The installation's own address.
    pub base_url: Arc<str>,
    held: RwLock<Held>,
    /// Counts the changes: what was rendered with links to a name is valid while it stays.
    changes: AtomicU64,
}

#[derive(Debug, Default, PartialEq)]
struct Held {
    by_host: HashMap<String, AccountId>,
    /// Of those that work: the address without a slash at the end.
    bases: HashMap<AccountId, Arc<str>>,
    /// Browsers come to us by these, and lack nothing but a certificate.
    certified: Vec<String>,
}

impl OwnDomains {
    pub fn new(base_url: &str) -> Self {
        Self {
            base: Url::parse(base_url).ok(),
            base_url: base_url.into(),
            held: RwLock::default(),
            changes: AtomicU64::new(0),
        }
    }

    /// A name as somebody types it, perhaps as an address.
    ///
    /// # Errors
    /// Where browsers would not come to this server by it.
    pub fn host(&self, typed: &str) -> Result<String, HostProblem> {
        let typed = typed.trim();
        let address = if typed.contains("://") { typed.to_owned() } else { format!("https://{typed}") };
        let url = Url::parse(&address).map_err(|_| HostProblem::NotAName)?;
        let is_plain = url.port().is_none() && url.path() == "/" && url.query().is_none() && url.username().is_empty();
        let Some(Host::Domain(name)) = url.host() else { return Err(HostProblem::NotAName) };
        let name = name.trim_end_matches('.');
        let is_label = |label: &str| {
            !label.is_empty()
                && label.len() <= 63
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        };
        if !is_plain || name.len() > 253 || !name.contains('.') || !name.split('.').all(is_label) {
            return Err(HostProblem::NotAName);
        }
        if self.base.as_ref().and_then(Url::host_str) == Some(name) {
            return Err(HostProblem::Own);
        }
        Ok(name.to_owned())
    }

    /// The company that a host name belongs to, whether or not a check has found us there.
    pub fn account_of(&self, host: &str) -> Option<AccountId> {
        self.read().by_host.get(host).copied()
    }

    /// Where a company's people and homeowners find this installation.
    pub fn base_of(&self, account: AccountId) -> Arc<str> {
        self.read().bases.get(&account).unwrap_or(&self.base_url).clone()
    }

    /// How often they have changed.
    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }

    /// The name of the installation, to which the DNS of the others has to lead.
    pub fn server(&self) -> &str {
        self.base.as_ref().and_then(Url::host_str).unwrap_or(&self.base_url)
    }

    /// The names for which there must be certificates. One that leads elsewhere would be refused.
    pub fn certified(&self) -> Vec<String> {
        self.read().certified.clone()
    }

    /// This installation under a name: the scheme and the port of its base URL.
    pub fn url(&self, host: &str) -> String {
        let scheme = self.base.as_ref().map_or("https", Url::scheme);
        match self.base.as_ref().and_then(Url::port) {
            Some(port) => format!("{scheme}://{host}:{port}"),
            None => format!("{scheme}://{host}"),
        }
    }

    pub fn replace(&self, domains: &[OwnDomain]) {
        let works = domains.iter().filter(|domain| domain.works_since.is_some());
        let held = Held {
            by_host: domains.iter().map(|domain| (domain.host.clone(), domain.account)).collect(),
            certified: domains
                .iter()
                .filter(|domain| domain.works_since.is_some() || domain.fault == Some(DomainFault::Certificate))
                .map(|domain| domain.host.clone())
                .collect(),
            bases: works.map(|domain| (domain.account, self.url(&domain.host).into())).collect(),
        };
        let mut old = self.held.write().unwrap_or_else(PoisonError::into_inner);
        if *old != held {
            *old = held;
            self.changes.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, Held> {
        self.held.read().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use shingle_domain::Timestamp;

    use super::*;

    #[test]
    fn a_name_is_a_host_name_and_not_the_installations_own() {
        let domains = OwnDomains::new("https://roofs.example.com:8443");
        for (typed, host) in [
            ("leads.agency.example", "leads.agency.example"),
            (" https://Leads.Agency.example/ ", "leads.agency.example"),
            ("http://leads.agency.example", "leads.agency.example"),
            ("leads.agency.example.", "leads.agency.example"),
            ("techos.peña.example", "techos.xn--pea-8ma.example"),
        ] {
            assert_eq!(domains.host(typed).as_deref(), Ok(host), "{typed}");
        }
        for typed in [
            "",
            "agency",
            "192.0.2.7",
            "[::1]",
            "*.agency.example",
            "leads.agency.example:8080",
            "a_b.example",
            "leads.agency.example/portal",
            "ann@agency.example",
            "-a.example",
            "a..example",
            "ftp://x y.example",
        ] {
            assert_eq!(domains.host(typed), Err(HostProblem::NotAName), "{typed}");
        }
        assert_eq!(domains.host("Roofs.example.com"), Err(HostProblem::Own));
        assert_eq!(domains.url("leads.agency.example"), "https://leads.agency.example:8443");
    }

    #[test]
    fn links_use_a_name_only_while_it_works() {
        let domains = OwnDomains::new("https://roofs.example.com");
        let (one, other) = (AccountId(uuid::Uuid::from_u128(1)), AccountId(uuid::Uuid::from_u128(2)));
        let row = |account, host: &str, works| OwnDomain {
            account,
            host: host.to_owned(),
            works_since: works,
            checked_at: None,
            fault: works.is_none().then_some(DomainFault::NoName),
        };
        let broken = row(other, "other.example", None);
        domains.replace(&[row(one, "one.example", Some(Timestamp::from_micros(1))), broken.clone()]);
        assert_eq!(&*domains.base_of(one), "https://one.example");
        assert_eq!(&*domains.base_of(other), "https://roofs.example.com");
        assert_eq!(domains.account_of("other.example"), Some(other), "a page there is shown before links use it");
        assert_eq!(domains.certified(), ["one.example"]);
        domains.replace(&[OwnDomain { fault: Some(DomainFault::Certificate), ..broken }]);
        assert_eq!(domains.certified(), ["other.example"], "what it lacks is ordered");
        domains.replace(&[]);
        assert_eq!(&*domains.base_of(one), "https://roofs.example.com");
        assert_eq!(domains.account_of("one.example"), None);
    }
}
