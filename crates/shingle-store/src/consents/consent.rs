//! Evidence of consent: a row for each submission, with its place in the chain of the account. Rows are added and, with
//! their lead, erased; never changed.

use serde::Serialize;
use shingle_consent::{
    CertificateKey, ConsentCertificate, Digest, Draft, Evidence, Head, Place, RecordedConsent, Salt,
};
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::lead::Consent;
use shingle_domain::{AccountId, ConsentId, LeadId, Tenant, Timestamp};

use crate::StoreError;
use crate::consents::Consents;
use crate::consents::texts::{Asked, count_texts, uncount_texts};
use crate::encryption::data_key::{DataKeys, Field};
use crate::engine::db::{Db, Tx, execute, fetch_all, fetch_optional};
use crate::engine::dialect;
use crate::store::{columns, from_json};

/// A row of `consent`, as JSON.
#[derive(Serialize)]
pub(crate) struct NewConsent {
    id: ConsentId,
    account_id: AccountId,
    environment: &'static str,
    lead_id: LeadId,
    given: bool,
    text: String,
    text_hash: String,
    at: i64,
    evidence: String,
    digest: Digest,
    sequence: u64,
    link: Digest,
}

impl NewConsent {
    pub fn new(evidence: Evidence, keys: &DataKeys) -> Result<Self, StoreError> {
        let recorded = RecordedConsent { evidence, salt: Salt::random()? };
        let id = recorded.evidence.id;
        let sealed = keys.seal(Field::ConsentEvidence, &id.to_string(), &serde_json::to_string(&recorded)?)?;
        let digest = recorded.digest();
        let Evidence { account_id, environment, lead_id, given, text, text_hash, at, .. } = recorded.evidence;
        Ok(Self {
            id,
            account_id,
            environment: environment.as_str(),
            lead_id,
            given,
            text,
            text_hash,
            at: at.micros(),
            evidence: sealed,
            digest,
            sequence: 0,
            link: Digest::ZERO,
        })
    }

    fn asked(&self) -> Asked<'_> {
        Asked {
            account: self.account_id.to_string(),
            environment: self.environment,
            hash: &self.text_hash,
            text: &self.text,
            given: self.given,
            at: self.at,
        }
    }

    fn place_behind(&mut self, end: Head) -> Head {
        let place = Place::new(end.sequence + 1, end.link, self.digest);
        (self.sequence, self.link) = (place.sequence, place.link);
        Head { sequence: place.sequence, link: place.link }
    }
}

macro_rules! insert_consents {
    ($given:expr) => {
        concat!(
            $given,
            "INSERT INTO consent (id, account_id, environment, lead_id, given, text, text_hash, at, evidence, digest,
                                  sequence, link)
             SELECT id, account_id, environment, lead_id, given, text, text_hash, at, evidence, digest, sequence, link
               FROM given"
        )
    };
}

/// The statement in the language of one engine.
macro_rules! statement {
    ($engine:ident) => {
        insert_consents!(dialect::given_rows!($engine: id text, account_id text, environment text, lead_id text,
            given boolean, text text, text_hash text, at bigint, evidence text, digest text, sequence bigint, link text))
    };
}

row! {
    struct ConsentRow {
        id: String,
        evidence: String,
        sequence: i64,
        link: String,
    }
}

impl ConsentRow {
    fn recorded(&self, keys: &DataKeys) -> Result<RecordedConsent, StoreError> {
        read_evidence(&self.id, self.evidence.clone(), keys)
    }

    fn certified(&self, keys: &DataKeys, previous: Digest) -> Result<(RecordedConsent, Place), StoreError> {
        let place = Place {
            sequence: u64::try_from(self.sequence).unwrap_or_default(),
            previous,
            link: read_digest(&self.id, &self.link)?,
        };
        Ok((self.recorded(keys)?, place))
    }
}

pub(crate) fn read_evidence(id: &str, sealed: String, keys: &DataKeys) -> Result<RecordedConsent, StoreError> {
    from_json("consent", id, &keys.open(Field::ConsentEvidence, id, sealed)?)
}

pub(crate) fn read_digest(id: &str, text: &str) -> Result<Digest, StoreError> {
    text.parse().map_err(|()| StoreError::Unreadable {
        what: "consent",
        id: id.to_owned(),
        reason: "no digest".to_owned(),
    })
}

impl Consents<'_> {
    /// All consents recorded for a lead, in order.
    pub async fn list(self, tenant: &Tenant, lead: LeadId) -> Result<Vec<Consent>, StoreError> {
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let rows = self.consent_rows(tenant, lead).await?;
        rows.iter().map(|row| Ok(consent(row.recorded(&keys)?.evidence))).collect()
    }

    /// The same with who agreed.
    pub async fn list_evidence(self, tenant: &Tenant, lead: LeadId) -> Result<Vec<Evidence>, StoreError> {
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let rows = self.consent_rows(tenant, lead).await?;
        rows.iter().map(|row| Ok(row.recorded(&keys)?.evidence)).collect()
    }

    /// Proves what the homeowner of a lead agreed to.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for somebody else's lead, and for one that was erased.
    pub async fn certificate(self, tenant: &Tenant, lead: LeadId) -> Result<ConsentCertificate, StoreError> {
        if self.store.leads().find(tenant, lead).await?.is_none() {
            return Err(StoreError::NotFound);
        }
        let account = self.store.accounts().find(tenant.account).await?.ok_or(StoreError::NotFound)?;
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let mut consents = Vec::new();
        for row in self.consent_rows(tenant, lead).await? {
            let previous = self.link_before(tenant.account, row.sequence).await?;
            consents.push(row.certified(&keys, previous)?);
        }
        // After the consents: none of them is behind it.
        let head = self.chain_head(tenant.account).await?;
        let draft = Draft {
            account_id: tenant.account,
            account_name: account.name,
            issued_at: self.store.now(),
            consents,
            head,
        };
        Ok(ConsentCertificate::sign(draft, &self.store.certificate_signer))
    }

    /// By which everybody recognizes the certificates of this installation.
    pub fn certificate_key(self) -> CertificateKey {
        self.store.certificate_signer.key()
    }

    /// Of a lead and of those that were merged into it, in order.
    pub(crate) async fn evidence_of_all(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        lead: LeadId,
    ) -> Result<Vec<Evidence>, StoreError> {
        let (account, environment) = columns(tenant);
        let keys = self.store.encryption().data_keys_in(tx, tenant.account).await?;
        let mut rows = fetch_all!(
            tx,
            ConsentRow,
            "SELECT id, evidence, sequence, link FROM consent
              WHERE lead_id IN (SELECT CAST($1 AS TEXT) UNION ALL
                                SELECT id FROM lead WHERE merged_into = $1 AND account_id = $2)
                AND account_id = $2 AND environment = $3 AND erased_at IS NULL",
            lead.to_string(),
            &account,
            environment
        )?;
        rows.cold_sort_by_key(|row| row.sequence);
        rows.iter().map(|row| Ok(row.recorded(&keys)?.evidence)).collect()
    }

    async fn consent_rows(self, tenant: &Tenant, lead: LeadId) -> Result<Vec<ConsentRow>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let mut rows = fetch_all!(
            reader,
            ConsentRow,
            "SELECT id, evidence, sequence, link FROM consent
              WHERE lead_id = $1 AND account_id = $2 AND environment = $3 AND erased_at IS NULL",
            lead.to_string(),
            &account,
            environment
        )?;
        // Not in SQL: to save sorting a few rows, SQLite would read all consents of the account in their order.
        rows.cold_sort_by_key(|row| row.sequence);
        Ok(rows)
    }

    async fn link_before(self, account: AccountId, sequence: i64) -> Result<Digest, StoreError> {
        let before = sequence - 1;
        if before == 0 {
            return Ok(Digest::ZERO);
        }
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (String, String),
            "SELECT id, link FROM consent WHERE account_id = $1 AND sequence = $2",
            account.to_string(),
            before
        )?;
        let (id, link) = row.ok_or(StoreError::NotFound)?;
        read_digest(&id, &link)
    }

    /// Appends them to the chains of their accounts, in their order.
    pub(crate) async fn append(self, tx: &mut Tx<'_>, mut consents: Vec<NewConsent>) -> Result<(), StoreError> {
        if consents.is_empty() {
            return Ok(());
        }
        // In one order on all nodes: nobody then waits in a circle.
        consents.cold_sort_by_key(|consent| consent.account_id);
        for of_account in consents.chunk_by_mut(|one, other| one.account_id == other.account_id) {
            let Some(account) = of_account.first().map(|consent| consent.account_id) else { continue };
            let mut end = self.lock_chain(tx, account).await?;
            for consent in of_account {
                end = consent.place_behind(end);
            }
            self.move_chain(tx, account, end).await?;
        }
        count_texts(tx, consents.iter().map(NewConsent::asked)).await?;
        let insert = match self.store.db {
            Db::Sqlite { .. } => statement!(sqlite),
            Db::Postgres(_) => statement!(postgres),
        };
        execute!(tx, insert, serde_json::to_string(&consents)?)?;
        Ok(())
    }
}

pub(crate) fn consent(evidence: Evidence) -> Consent {
    let Evidence { given, text, text_hash, at, page_url, ip, user_agent, .. } = evidence;
    Consent { given, text, text_hash, at, page_url, ip, user_agent }
}

/// The places stay: without them nobody could tell an erased consent from one that was hidden.
pub(crate) async fn erase_consents(tx: &mut Tx<'_>, lead: &str, now: Timestamp) -> Result<(), StoreError> {
    uncount_texts(tx, lead).await?;
    execute!(
        tx,
        "UPDATE consent SET text = '', text_hash = '', evidence = NULL, erased_at = $2 WHERE lead_id = $1",
        lead,
        now.micros()
    )?;
    Ok(())
}
