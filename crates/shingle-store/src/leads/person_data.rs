//! All that is stored about a person, by email address or phone number: to export it, and to erase it.
//!
//! # Decision
//!
//! A person is found by everything given with any consent of a lead, including replaced addresses. Hash matches are
//! verified against the consents, because a hash has 64 bits. Turned down: a table of former addresses, which would
//! lack older changes.

use schemars::JsonSchema;
use serde::Serialize;
use shingle_consent::Evidence;
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::inspection::Photo;
use shingle_domain::lead::Lead;
use shingle_domain::loss::Loss;
use shingle_domain::public::ShownStep;
use shingle_domain::quote::{Quote, QuoteChoice, QuoteState};
use shingle_domain::{Email, LeadId, Phone, Tenant, Timestamp, Usd};

use crate::StoreError;
use crate::engine::db::fetch_all;
use crate::leads::Leads;
use crate::leads::search_token;
use crate::store::{columns, parse_id};

/// A lead is theirs that has one of the two.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Person {
    pub email: Option<Email>,
    pub phone: Option<Phone>,
}

/// What is stored of one lead.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonRecord {
    /// The lead.
    pub lead: Lead,
    /// The estimate as it was shown, as the page got it. Null where there was none.
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    pub shown: Option<ShownStep>,
    /// Everything that was agreed to, or not, the oldest first.
    pub consents: Vec<Evidence>,
    /// The photographs of the roof.
    pub photos: Vec<Photo>,
    /// The files that the company keeps with it, without what is in them.
    pub files: Vec<PersonFile>,
    /// Why the company lost it. Null where it is not lost or nobody said.
    pub loss: Option<Loss>,
    /// The quotes that the company made, the newest first.
    pub quotes: Vec<PersonQuote>,
    /// Who was notified of the lead, as far as the log of deliveries goes back. What they hold is not erased from here.
    pub recipients: Vec<Recipient>,
}

/// A file that a company keeps with a lead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonFile {
    /// Its name. Example: `contract.pdf`
    pub name: String,
    /// How many bytes it has. Example: `48213`
    pub bytes: u32,
    /// When it was added, in UTC. Example: `2026-11-22T23:04:05.000Z`
    pub added_at: Timestamp,
}

/// A quote to the person.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonQuote {
    /// Its number; of a later revision with that behind it. Null: it is a draft. Example: `1007-2`
    pub number: Option<String>,
    /// Where it stands: `draft`, `sent`, `accepted`, `declined`, `withdrawn` or `replaced`. Example: `accepted`
    pub state: QuoteState,
    /// When it was sent, in UTC. Null: it was not. Example: `2026-11-22T23:04:05.000Z`
    pub sent_at: Option<Timestamp>,
    /// When it was accepted or declined, in UTC. Null: it was not. Example: `2026-11-23T09:12:40.000Z`
    pub answered_at: Option<Timestamp>,
    /// The name that was typed to accept it. Null: nobody has. Example: `Ann Sample`
    pub accepted_by: Option<String>,
    /// Why it was declined. Null where nothing was said. Example: `Too much for now.`
    pub decline_reason: Option<String>,
    /// What it offers, a text each, with the price before tax. Example: `["Good: Asphalt shingle, 11800.00"]`
    pub choices: Vec<String>,
    /// What was accepted. Null: nothing. Example: `Better: Metal, 14200.00`
    pub accepted: Option<String>,
    /// What the company wrote to the person. Empty: nothing. Example: `Thank you for having us.`
    pub message: String,
}

impl PersonQuote {
    fn of(quote: Quote) -> Self {
        let choice = |choice: &QuoteChoice| {
            let parts = [choice.title.as_str(), &choice.material].into_iter().filter(|part| !part.is_empty());
            let price = Usd::from_cents(choice.price_cents).to_string();
            [&parts.collect::<Vec<_>>().join(": "), ", ", &price].concat()
        };
        let (accepted, answer) = (quote.accepted().map(choice), quote.answer.clone());
        let is_accepted = quote.state == QuoteState::Accepted;
        let said = |text: String| Some(text).filter(|text| !text.is_empty());
        Self {
            number: said(quote.name()),
            state: quote.state,
            sent_at: quote.sent_at,
            answered_at: quote.answered_at,
            accepted_by: answer.clone().filter(|_| is_accepted).map(|answer| answer.name),
            decline_reason: answer.and_then(|answer| said(answer.reason)),
            choices: quote.content().choices.iter().map(choice).collect(),
            accepted,
            message: quote.record.content.message,
        }
    }
}

/// Where a lead was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Recipient {
    /// What it is. Example: `webhook`
    pub kind: String,
    /// Its name. Example: `crm`
    pub name: String,
    /// Its address: a URL or a mailbox. Example: `https://hooks.example.com/shingle`
    pub address: String,
    /// When the last of it arrived there, in UTC. Example: `2026-11-22T23:04:05.000Z`
    pub last_sent_at: Timestamp,
}

row! {
    struct RecipientRow {
        kind: String,
        name: String,
        address: String,
        last_sent_at: i64,
    }
}

row! {
    struct MetLead {
        id: String,
        is_theirs_now: i64,
    }
}

impl Leads<'_> {
    /// The newest first. Theirs is also a lead that they sent again with another address or number.
    pub async fn of_person(self, tenant: &Tenant, person: &Person) -> Result<Vec<LeadId>, StoreError> {
        self.index_leads_of(tenant.account).await?;
        let email = person.email.as_ref().map(|email| (search_token::of_email(email), self.store.hashes.email(email)));
        let phone = person.phone.as_ref().map(|phone| (search_token::of_phone(phone), self.store.hashes.phone(phone)));
        let mut leads = Vec::new();
        for (word, hash) in email.into_iter().chain(phone) {
            for MetLead { id, is_theirs_now } in self.leads_that_meet(tenant, &word, &hash).await? {
                let id = parse_id::<LeadId>("lead", &id)?;
                // Leads that are merged are found together, and are of one person.
                let merged = self.merged_with(tenant, id).await?;
                let is_merged_theirs = merged.iter().any(|of| self.has(&of.lead, &hash));
                let all: Vec<LeadId> = [id].into_iter().chain(merged.iter().map(|of| of.lead.id)).collect();
                if is_theirs_now != 0 || is_merged_theirs || self.was_given(tenant, &all, &hash).await? {
                    leads.extend(all);
                }
            }
        }
        // Ids begin with the time.
        leads.cold_sort_by(|one, other| other.cmp(one));
        leads.dedup();
        Ok(leads)
    }

    /// Leads that have the word, whatever it is in them.
    async fn leads_that_meet(self, tenant: &Tenant, word: &str, hash: &str) -> Result<Vec<MetLead>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        Ok(fetch_all!(
            reader,
            MetLead,
            "SELECT lead.id, CAST(CASE WHEN email_hash = $4 OR phone_hash = $4 THEN 1 ELSE 0 END AS BIGINT) AS is_theirs_now
               FROM lead_token AS found CROSS JOIN lead_facet AS facet CROSS JOIN lead
              WHERE found.token = $3 AND facet.number = found.lead AND lead.id = facet.lead_id
                AND lead.account_id = $1 AND lead.environment = $2 AND record IS NOT NULL",
            &account,
            environment,
            self.store.hashes.word(tenant.account, environment, word),
            hash
        )?)
    }

    /// Whether it has this address or number now.
    fn has(self, lead: &Lead, hash: &str) -> bool {
        let email = lead.email.as_ref().map(|email| self.store.hashes.email(email));
        let phone = lead.phone.as_ref().map(|phone| self.store.hashes.phone(phone));
        email.is_some_and(|own| own == hash) || phone.is_some_and(|own| own == hash)
    }

    /// Whether one of their consents was given under this address or number.
    async fn was_given(self, tenant: &Tenant, leads: &[LeadId], hash: &str) -> Result<bool, StoreError> {
        let mut evidence = Vec::new();
        for lead in leads {
            evidence.extend(self.store.consents().list_evidence(tenant, *lead).await?);
        }
        Ok(evidence.iter().any(|consent| {
            let email = consent.email.as_deref().and_then(Email::parse).map(|email| self.store.hashes.email(&email));
            let phone =
                consent.phone.as_deref().and_then(Phone::parse_loosely).map(|phone| self.store.hashes.phone(&phone));
            email.is_some_and(|own| own == hash) || phone.is_some_and(|own| own == hash)
        }))
    }

    /// Everything that is stored of a person, lead by lead.
    pub async fn export_person(self, tenant: &Tenant, person: &Person) -> Result<Vec<PersonRecord>, StoreError> {
        let mut records = Vec::new();
        for id in self.of_person(tenant, person).await? {
            // Erased meanwhile: it is no longer theirs.
            let Some(lead) = self.find(tenant, id).await? else { continue };
            records.push(PersonRecord {
                shown: self.shown(tenant, id).await?,
                consents: self.store.consents().list_evidence(tenant, id).await?,
                photos: self.list_photos(tenant, id).await?,
                files: self.files_of(tenant, id).await?,
                loss: self.loss(tenant, id).await?,
                quotes: self.own_quotes(tenant, id).await?.into_iter().map(PersonQuote::of).collect(),
                recipients: self.recipients(tenant, id).await?,
                lead,
            });
        }
        Ok(records)
    }

    /// Erases every lead of a person, as [`Leads::erase`] does. Returns their ids.
    pub async fn erase_person(self, tenant: &Tenant, person: &Person) -> Result<Vec<LeadId>, StoreError> {
        let leads = self.of_person(tenant, person).await?;
        for id in &leads {
            match self.erase(tenant, *id).await {
                // Erased meanwhile.
                Err(StoreError::NotFound) => {}
                other => other?,
            }
        }
        self.forget_files(tenant).await?;
        Ok(leads)
    }

    async fn files_of(self, tenant: &Tenant, lead: LeadId) -> Result<Vec<PersonFile>, StoreError> {
        let own = self.own_files(tenant, lead).await?;
        Ok(own.into_iter().map(|file| PersonFile { name: file.name, bytes: file.bytes, added_at: file.at }).collect())
    }

    async fn recipients(self, tenant: &Tenant, lead: LeadId) -> Result<Vec<Recipient>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            RecipientRow,
            "SELECT destination.kind, name, address, MAX(completed_at) AS last_sent_at
               FROM delivery JOIN destination ON destination.id = destination_id
              WHERE resource_id = $1 AND delivery.account_id = $2 AND delivery.environment = $3 AND state = 'delivered'
              GROUP BY destination.id, destination.kind, name, address ORDER BY name, address",
            lead.to_string(),
            &account,
            environment
        )?;
        let recipient = |RecipientRow { kind, name, address, last_sent_at }| {
            let last_sent_at = Timestamp::from_micros(last_sent_at);
            Recipient { kind, name, address, last_sent_at }
        };
        Ok(rows.into_iter().map(recipient).collect())
    }
}
