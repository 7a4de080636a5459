//! What the database holds of submitted leads before they are stored: the same request, and leads of the same person or
//! home.

use std::collections::HashMap;

use serde::Serialize;
use shingle_domain::LeadId;
use shingle_domain::lead::{EarlierLead, Lead, LeadStatus, Same};

use crate::StoreError;
use crate::engine::db::{Db, Tx, fetch_all};
use crate::engine::dialect;
use crate::leads::Leads;
use crate::leads::submission_queue::Submission;
use crate::store::parse_id;

/// Of submissions to one widget.
pub(crate) struct KnownBefore {
    /// By hash of the idempotency key.
    pub keys: HashMap<String, KnownKey>,
    /// What the database names, by the number of the submission.
    earlier: HashMap<usize, EarlierLead>,
    /// The leads that were added since, by hash of the address.
    added: HashMap<String, Vec<AddedLead>>,
}

/// A request that was accepted.
pub(crate) struct KnownKey {
    pub request_hash: String,
    pub lead: LeadId,
}

struct AddedLead {
    id: LeadId,
    email_hash: Option<String>,
    phone_hash: Option<String>,
}

/// What is asked of one submission, as JSON.
#[derive(Serialize)]
struct Asked<'s> {
    number: usize,
    key_hash: &'s str,
    address_hash: &'s str,
    email_hash: Option<&'s str>,
    phone_hash: Option<&'s str>,
}

row! {
    struct KeyRow {
        key_hash: String,
        request_hash: String,
        lead_id: String,
    }
}

row! {
    struct EarlierRow {
        number: i64,
        id: String,
        email_hash: Option<String>,
        phone_hash: Option<String>,
    }
}

macro_rules! select_keys {
    ($given:expr) => {
        concat!(
            $given,
            "SELECT idempotency.key_hash, request_hash, lead_id
               FROM given JOIN idempotency ON widget_id = $2 AND idempotency.key_hash = given.key_hash"
        )
    };
}

// The first of the same person at this home, or else of the same home. Spam is nobody's earlier lead. A flood of one
// address does not make this slow.
macro_rules! select_earlier {
    ($given:expr) => {
        concat!(
            $given,
            "SELECT picked.number, lead.id, lead.email_hash, lead.phone_hash
               FROM (SELECT given.number,
                            (SELECT id
                               FROM (SELECT id, created_at,
                                            CASE WHEN lead.email_hash = given.email_hash
                                                   OR lead.phone_hash = given.phone_hash THEN 0 ELSE 1 END AS differs
                                       FROM lead
                                      WHERE widget_id = $2 AND environment = $3 AND lead.address_hash = given.address_hash
                                        AND record IS NOT NULL AND status <> 'spam'
                                      ORDER BY created_at, id LIMIT 100) AS same_home
                              ORDER BY differs, created_at, id LIMIT 1) AS id
                       FROM given) AS picked
               JOIN lead ON lead.id = picked.id"
        )
    };
}

/// Both statements in the language of one engine.
macro_rules! statements {
    ($engine:ident) => {
        [
            select_keys!(dialect::given_rows!($engine: key_hash text)),
            select_earlier!(dialect::given_rows!($engine: number bigint, address_hash text, email_hash text,
                phone_hash text)),
        ]
    };
}

impl Leads<'_> {
    /// `widget` is the id of the widget's row.
    pub(crate) async fn known_before(
        self,
        tx: &mut Tx<'_>,
        submissions: &[&Submission],
        widget: &str,
    ) -> Result<KnownBefore, StoreError> {
        let mut known = KnownBefore { keys: HashMap::new(), earlier: HashMap::new(), added: HashMap::new() };
        let asked = submissions.iter().enumerate().map(|(number, submission)| Asked {
            number,
            key_hash: &submission.key_hash,
            address_hash: &submission.address_hash,
            email_hash: submission.email_hash.as_deref(),
            phone_hash: submission.phone_hash.as_deref(),
        });
        let asked = serde_json::to_string(&asked.collect::<Vec<_>>())?;
        // Test leads of a live widget are of its row too, and no real lead's earlier ones.
        let environment = submissions.first().map_or("", |submission| submission.tenant.environment.as_str());
        let [select_keys, select_earlier] = match self.store.db {
            Db::Sqlite { .. } => statements!(sqlite),
            Db::Postgres(_) => statements!(postgres),
        };
        for row in fetch_all!(tx, KeyRow, select_keys, &asked, widget)? {
            let key = KnownKey { request_hash: row.request_hash, lead: parse_id("lead", &row.lead_id)? };
            known.keys.insert(row.key_hash, key);
        }
        for row in fetch_all!(tx, EarlierRow, select_earlier, &asked, widget, environment)? {
            let number = usize::try_from(row.number).unwrap_or(usize::MAX);
            let Some(submission) = submissions.get(number) else { continue };
            let is_person = row.email_hash.is_some() && row.email_hash == submission.email_hash
                || row.phone_hash.is_some() && row.phone_hash == submission.phone_hash;
            let same = if is_person { Same::Person } else { Same::Home };
            known.earlier.insert(number, EarlierLead { id: parse_id("lead", &row.id)?, same });
        }
        Ok(known)
    }
}

impl KnownBefore {
    /// For the submission with this number.
    pub fn earlier_lead(&self, number: usize, submission: &Submission) -> Option<EarlierLead> {
        let stored = self.earlier.get(&number).cloned();
        if stored.as_ref().is_some_and(|earlier| earlier.same == Same::Person) {
            return stored;
        }
        let added = self.added.get(&submission.address_hash).map_or(&[][..], Vec::as_slice);
        let person = added.iter().find(|lead| {
            lead.email_hash.is_some() && lead.email_hash == submission.email_hash
                || lead.phone_hash.is_some() && lead.phone_hash == submission.phone_hash
        });
        let same = |same| move |lead: &AddedLead| EarlierLead { id: lead.id, same };
        person.map(same(Same::Person)).or(stored).or_else(|| added.first().map(same(Same::Home)))
    }

    /// A lead that was stored meanwhile.
    pub fn add(&mut self, submission: &Submission, lead: &Lead) {
        let key = KnownKey { request_hash: submission.request_hash.clone(), lead: lead.id };
        self.keys.insert(submission.key_hash.clone(), key);
        if lead.status != LeadStatus::Spam {
            self.added.entry(submission.address_hash.clone()).or_default().push(AddedLead {
                id: lead.id,
                email_hash: submission.email_hash.clone(),
                phone_hash: submission.phone_hash.clone(),
            });
        }
    }
}
