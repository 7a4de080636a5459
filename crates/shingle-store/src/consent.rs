//! Evidence of consent: a row for each submission, with its place in the chain of the account. Rows are added and, with
//! their lead, erased; never changed.

use serde::Serialize;
use shingle_consent::{
    CertificateKey, ConsentCertificate, Digest, Draft, Evidence, Head, Place, RecordedConsent, Salt,
};
use shingle_domain::lead::Consent;
use shingle_domain::{AccountId, ConsentId, LeadId, Tenant, Timestamp};

use crate::consent_texts::{Asked, count_texts, uncount_texts};
use crate::data_key::{DataKeys, Field};
use crate::db::{Db, Tx, execute, fetch_all, transact};
use crate::store::{columns, from_json, parse_id};
use crate::{Store, StoreError, dialect};

/// Rows that get their place in one transaction.
const MAX_OLDER: i64 = 200;

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
        environment: String,
        lead_id: String,
        widget_id: String,
        given: bool,
        text: String,
        text_hash: String,
        page_url: Option<String>,
        ip: Option<String>,
        user_agent: Option<String>,
        at: i64,
        evidence: Option<String>,
        sequence: Option<i64>,
        link: Option<String>,
    }
}

macro_rules! select_consents {
    ($where:literal) => {
        concat!(
            "SELECT consent.id, consent.environment, consent.lead_id, widget.reference_id AS widget_id, given, text, text_hash,
                    page_url, ip, user_agent, at, evidence, sequence, link
               FROM consent JOIN lead ON lead.id = consent.lead_id JOIN widget ON widget.id = lead.widget_id
              WHERE consent.erased_at IS NULL AND ",
            $where
        )
    };
}

impl ConsentRow {
    /// Rows of older versions say nothing of who agreed.
    fn evidence(&self, account: AccountId, keys: &DataKeys) -> Result<Evidence, StoreError> {
        if let Some(sealed) = &self.evidence {
            return Ok(read_evidence(&self.id, sealed.clone(), keys)?.evidence);
        }
        let Self { id, environment, lead_id, widget_id, given, text, text_hash, page_url, ip, user_agent, at, .. } =
            self;
        Ok(Evidence {
            id: parse_id("consent", id)?,
            account_id: account,
            environment: parse_id("environment of consent", environment)?,
            lead_id: parse_id("lead of consent", lead_id)?,
            widget_id: parse_id("widget of consent", widget_id)?,
            first_name: None,
            last_name: None,
            email: None,
            phone: None,
            address: None,
            given: *given,
            text: text.clone(),
            text_hash: text_hash.clone(),
            at: Timestamp::from_micros(*at),
            page_url: keys.open_some(Field::ConsentPageUrl, id, page_url.clone())?,
            ip: keys.open_some(Field::ConsentIp, id, ip.clone())?,
            user_agent: keys.open_some(Field::ConsentUserAgent, id, user_agent.clone())?,
        })
    }

    /// `None`: it has no place yet.
    fn certified(
        self,
        keys: &DataKeys,
        previous: Option<Digest>,
    ) -> Result<Option<(RecordedConsent, Place)>, StoreError> {
        let (Some(sequence), Some(link), Some(sealed), Some(previous)) =
            (self.sequence, self.link.as_deref(), self.evidence, previous)
        else {
            return Ok(None);
        };
        let recorded = read_evidence(&self.id, sealed, keys)?;
        let place = Place {
            sequence: u64::try_from(sequence).unwrap_or_default(),
            previous,
            link: read_digest(&self.id, link)?,
        };
        Ok(Some((recorded, place)))
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

impl Store {
    /// All consents recorded for a lead, in order.
    pub async fn list_consents(&self, tenant: &Tenant, lead: LeadId) -> Result<Vec<Consent>, StoreError> {
        let keys = self.data_keys(tenant.account).await?;
        let rows = self.consent_rows(tenant, lead).await?;
        rows.iter().map(|row| row.evidence(tenant.account, &keys).map(consent)).collect()
    }

    /// The same with who agreed.
    pub async fn list_evidence(&self, tenant: &Tenant, lead: LeadId) -> Result<Vec<Evidence>, StoreError> {
        let keys = self.data_keys(tenant.account).await?;
        let rows = self.consent_rows(tenant, lead).await?;
        rows.iter().map(|row| row.evidence(tenant.account, &keys)).collect()
    }

    /// Proves what the homeowner of a lead agreed to.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for somebody else's lead, and for one that was erased.
    pub async fn consent_certificate(&self, tenant: &Tenant, lead: LeadId) -> Result<ConsentCertificate, StoreError> {
        if self.find_lead(tenant, lead).await?.is_none() {
            return Err(StoreError::NotFound);
        }
        while self.place_older_consents_of(tenant.account).await? > 0 {}
        let account = self.find_account(tenant.account).await?.ok_or(StoreError::NotFound)?;
        let keys = self.data_keys(tenant.account).await?;
        let mut consents = Vec::new();
        for row in self.consent_rows(tenant, lead).await? {
            let previous = self.link_before(tenant.account, row.sequence).await?;
            consents.extend(row.certified(&keys, previous)?);
        }
        // After the consents: none of them is behind it.
        let head = self.chain_head(tenant.account).await?;
        let draft =
            Draft { account_id: tenant.account, account_name: account.name, issued_at: self.now(), consents, head };
        Ok(ConsentCertificate::sign(draft, &self.certificate_signer))
    }

    /// By which everybody recognizes the certificates of this installation.
    pub fn certificate_key(&self) -> CertificateKey {
        self.certificate_signer.key()
    }

    async fn consent_rows(&self, tenant: &Tenant, lead: LeadId) -> Result<Vec<ConsentRow>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.db.read().await?;
        let mut rows = fetch_all!(
            reader,
            ConsentRow,
            select_consents!("consent.lead_id = $1 AND consent.account_id = $2 AND consent.environment = $3"),
            lead.to_string(),
            &account,
            environment
        )?;
        // Not in SQL: to save sorting a few rows, SQLite would read all consents of the account in their order.
        rows.sort_by(|one, other| (one.sequence, one.at, &one.id).cmp(&(other.sequence, other.at, &other.id)));
        Ok(rows)
    }

    async fn link_before(&self, account: AccountId, sequence: Option<i64>) -> Result<Option<Digest>, StoreError> {
        let Some(before) = sequence.map(|sequence| sequence - 1) else { return Ok(None) };
        if before == 0 {
            return Ok(Some(Digest::ZERO));
        }
        let mut reader = self.db.read().await?;
        let rows = fetch_all!(
            reader,
            (String, String),
            "SELECT id, link FROM consent WHERE account_id = $1 AND sequence = $2",
            account.to_string(),
            before
        )?;
        rows.first().map(|(id, link)| read_digest(id, link)).transpose()
    }

    /// Appends them to the chains of their accounts, in their order.
    pub(crate) async fn append_consents(
        &self,
        tx: &mut Tx<'_>,
        mut consents: Vec<NewConsent>,
    ) -> Result<(), StoreError> {
        if consents.is_empty() {
            return Ok(());
        }
        // In one order on all nodes: nobody then waits in a circle.
        consents.sort_by_key(|consent| consent.account_id);
        for of_account in consents.chunk_by_mut(|one, other| one.account_id == other.account_id) {
            let Some(account) = of_account.first().map(|consent| consent.account_id) else { continue };
            let mut end = self.lock_chain(tx, account).await?;
            for consent in of_account {
                end = consent.place_behind(end);
            }
            self.move_chain(tx, account, end).await?;
        }
        count_texts(tx, consents.iter().map(NewConsent::asked)).await?;
        let insert = match self.db {
            Db::Sqlite { .. } => statement!(sqlite),
            Db::Postgres(_) => statement!(postgres),
        };
        execute!(tx, insert, serde_json::to_string(&consents)?)?;
        Ok(())
    }

    /// Gives consents of older versions their places, behind those that have one. Returns how many.
    pub async fn place_older_consents(&self) -> Result<u64, StoreError> {
        let mut reader = self.db.read().await?;
        let accounts =
            fetch_all!(reader, (String,), "SELECT DISTINCT account_id FROM consent WHERE link IS NULL LIMIT 100")?;
        drop(reader);
        let mut placed = 0;
        for (account,) in accounts {
            placed += self.place_older_consents_of(parse_id("account", &account)?).await?;
        }
        Ok(placed)
    }

    async fn place_older_consents_of(&self, account: AccountId) -> Result<u64, StoreError> {
        if self.count_without_place(account).await? == 0 {
            return Ok(0);
        }
        transact!(self.db, |tx| {
            let mut end = self.lock_chain(tx, account).await?;
            let rows = fetch_all!(
                tx,
                ConsentRow,
                select_consents!("consent.account_id = $1 AND link IS NULL ORDER BY at, consent.id LIMIT $2"),
                account.to_string(),
                MAX_OLDER
            )?;
            let keys = self.data_keys_in(tx, account).await?;
            for row in &rows {
                let mut consent = NewConsent::new(row.evidence(account, &keys)?, &keys)?;
                end = consent.place_behind(end);
                execute!(
                    tx,
                    "UPDATE consent SET evidence = $2, digest = $3, sequence = $4, link = $5, page_url = NULL, ip = NULL,
                                        user_agent = NULL
                      WHERE id = $1",
                    &row.id,
                    consent.evidence,
                    consent.digest.to_string(),
                    i64::try_from(consent.sequence).unwrap_or(i64::MAX),
                    consent.link.to_string()
                )?;
            }
            self.move_chain(tx, account, end).await?;
            Ok(rows.len() as u64)
        })
    }
}

fn consent(evidence: Evidence) -> Consent {
    let Evidence { given, text, text_hash, at, page_url, ip, user_agent, .. } = evidence;
    Consent { given, text, text_hash, at, page_url, ip, user_agent }
}

/// The places stay: without them nobody could tell an erased consent from one that was hidden.
pub(crate) async fn erase_consents(tx: &mut Tx<'_>, lead: &str, now: Timestamp) -> Result<(), StoreError> {
    uncount_texts(tx, lead).await?;
    execute!(tx, "DELETE FROM consent WHERE lead_id = $1 AND link IS NULL", lead)?;
    execute!(
        tx,
        "UPDATE consent SET text = '', text_hash = '', evidence = NULL, erased_at = $2 WHERE lead_id = $1",
        lead,
        now.micros()
    )?;
    Ok(())
}
