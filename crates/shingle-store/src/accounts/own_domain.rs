//! A company's own domain: the host name under which its people and its homeowners see this installation.
//!
//! # Decision
//!
//! The operator sets it, not the company: a certificate is ordered for the name, and a name that somebody forgot to take
//! out of the DNS would belong to the first company that asked. Links use it only while a check has found this
//! installation there, so a mistake in the DNS breaks no link.

use shingle_domain::{AccountId, Timestamp};

use crate::StoreError;
use crate::accounts::Accounts;
use crate::audit::change::Change;
use crate::engine::db::{execute, fetch_all, fetch_optional, transact};
use crate::engine::dialect;
use crate::store::{parse_id, refuse_nul};

/// What a check met in place of this installation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DomainFault {
    /// The DNS has no such name.
    NoName,
    /// It leads to an address that is not on the public internet.
    NotPublic,
    /// Nothing answers.
    Silent,
    /// Browsers would refuse the certificate.
    Certificate,
    OtherServer,
    OtherInstallation,
    /// A proxy does not say that the visitor came over HTTPS.
    Plain,
    /// A proxy passes on another name.
    NameLost,
}

impl DomainFault {
    pub const ALL: [Self; 8] = [
        Self::NoName,
        Self::NotPublic,
        Self::Silent,
        Self::Certificate,
        Self::OtherServer,
        Self::OtherInstallation,
        Self::Plain,
        Self::NameLost,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoName => "noName",
            Self::NotPublic => "notPublic",
            Self::Silent => "silent",
            Self::Certificate => "certificate",
            Self::OtherServer => "otherServer",
            Self::OtherInstallation => "otherInstallation",
            Self::Plain => "plain",
            Self::NameLost => "nameLost",
        }
    }

    fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|fault| fault.as_str() == word)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnDomain {
    pub account: AccountId,
    /// In lower case, as browsers send it.
    pub host: String,
    /// Since when the last checks have found this installation there.
    pub works_since: Option<Timestamp>,
    pub checked_at: Option<Timestamp>,
    pub fault: Option<DomainFault>,
}

row! {
    struct OwnDomainRow {
        account_id: String,
        host: String,
        works_since: Option<i64>,
        checked_at: Option<i64>,
        fault: String,
    }
}

impl TryFrom<OwnDomainRow> for OwnDomain {
    type Error = StoreError;

    fn try_from(row: OwnDomainRow) -> Result<Self, StoreError> {
        Ok(Self {
            account: parse_id("account", &row.account_id)?,
            works_since: row.works_since.map(Timestamp::from_micros),
            checked_at: row.checked_at.map(Timestamp::from_micros),
            host: row.host,
            fault: DomainFault::parse(&row.fault),
        })
    }
}

impl Accounts<'_> {
    pub async fn own_domain(self, account: AccountId) -> Result<Option<OwnDomain>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            OwnDomainRow,
            "SELECT account_id, host, works_since, checked_at, fault FROM own_domain WHERE account_id = $1",
            account.to_string()
        )?;
        row.map(OwnDomain::try_from).transpose()
    }

    /// Of all companies that are open.
    pub async fn own_domains(self) -> Result<Vec<OwnDomain>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            OwnDomainRow,
            "SELECT account_id, host, works_since, checked_at, fault FROM own_domain
              WHERE account_id IN (SELECT id FROM account WHERE closed_at IS NULL)
              ORDER BY host"
        )?;
        rows.into_iter().map(OwnDomain::try_from).collect()
    }

    /// `None` takes it away. The same name again changes nothing.
    ///
    /// # Errors
    /// [`StoreError::AlreadyExists`] where another company has the name.
    pub async fn set_own_domain(self, account: AccountId, host: Option<&str>) -> Result<(), StoreError> {
        refuse_nul(host.unwrap_or_default())?;
        let id = account.to_string();
        transact!(self.store.db, |tx| {
            let before = fetch_optional!(tx, (String,), "SELECT host FROM own_domain WHERE account_id = $1", &id)?;
            let before = before.map(|(host,)| host);
            if before.as_deref() == host {
                return Ok(());
            }
            execute!(tx, "DELETE FROM own_domain WHERE account_id = $1", &id)?;
            if let Some(host) = host {
                let stored =
                    execute!(tx, "INSERT INTO own_domain (host, account_id, fault) VALUES ($1, $2, '')", host, &id);
                match stored {
                    Err(e) if dialect::is_duplicate(&e) => return Err(StoreError::AlreadyExists),
                    other => other?,
                };
            }
            let about = host.or(before.as_deref()).unwrap_or_default();
            let change = if host.is_some() { Change::DomainSet } else { Change::DomainRemoved };
            self.store.audit().note_change(tx, account, change, about, "").await
        })
    }

    /// What a check found at a name. It says nothing of a name that was set meanwhile.
    pub async fn note_domain_check(self, host: &str, fault: Option<DomainFault>) -> Result<(), StoreError> {
        let now = self.store.now().micros();
        transact!(self.store.db, |tx| {
            execute!(
                tx,
                "UPDATE own_domain SET checked_at = $2, fault = $3,
                        works_since = CASE WHEN $4 THEN COALESCE(works_since, $2) ELSE NULL END
                  WHERE host = $1",
                host,
                now,
                fault.map_or("", DomainFault::as_str),
                fault.is_none()
            )?;
            Ok(())
        })
    }
}
