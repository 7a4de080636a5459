//! The rows of new leads, which are written together, table by table.

use serde::Serialize;
use shingle_consent::Evidence;
use shingle_domain::lead::Lead;
use shingle_domain::{ConsentId, LeadId, Timestamp, Usd};

use crate::StoreError;
use crate::consents::consent::NewConsent;
use crate::deliveries::event::NewEvent;
use crate::deliveries::fan_out::DeliveryRow;
use crate::encryption::data_key::Field;
use crate::engine::db::{Db, Tx, execute};
use crate::engine::dialect;
use crate::leads::Leads;
use crate::leads::draft::SpamReason;
use crate::leads::submission_queue::Submission;
use crate::store::columns;

/// What is not in the database yet.
#[derive(Default)]
pub(crate) struct SubmissionRows {
    /// The row of the widget to which leads and keys are added.
    pub widget: String,
    leads: Vec<NewLead>,
    pub events: Vec<NewEvent>,
    pub deliveries: Vec<DeliveryRow>,
    /// Written last: the chains of their accounts are then locked in one order.
    pub consents: Vec<NewConsent>,
    keys: Vec<NewKey>,
}

/// A row of `lead`, as JSON.
#[derive(Serialize)]
struct NewLead {
    id: LeadId,
    account_id: String,
    environment: &'static str,
    widget_id: String,
    status: &'static str,
    record: String,
    address_hash: String,
    email_hash: Option<String>,
    phone_hash: Option<String>,
    at: i64,
    updated_at: i64,
    won_value_cents: Option<i64>,
    drawing: Option<String>,
    shown: Option<String>,
    spam_reason: Option<&'static str>,
}

/// A row of `idempotency`, as JSON.
#[derive(Serialize)]
struct NewKey {
    account_id: String,
    environment: &'static str,
    widget_id: String,
    key_hash: String,
    request_hash: String,
    lead_id: LeadId,
    at: i64,
}

macro_rules! insert_leads {
    ($values:literal) => {
        concat!(
            "INSERT INTO lead (id, account_id, environment, widget_id, status, record, address_hash, email_hash,
                               phone_hash, created_at, updated_at, drawing, shown, spam_reason, won_value_cents) ",
            $values
        )
    };
}

macro_rules! insert_keys {
    ($given:expr) => {
        concat!(
            $given,
            "INSERT INTO idempotency (account_id, environment, widget_id, key_hash, request_hash, lead_id, created_at)
             SELECT account_id, environment, widget_id, key_hash, request_hash, lead_id, at FROM given"
        )
    };
}

/// The statement in the language of one engine.
macro_rules! statement {
    ($engine:ident) => {
        insert_keys!(dialect::given_rows!($engine: account_id text, environment text, widget_id text, key_hash text,
            request_hash text, lead_id text, at bigint))
    };
}

impl SubmissionRows {
    pub fn add_lead(&mut self, submission: &Submission, lead: &Lead, record: &str) -> Result<(), StoreError> {
        let (id, keys) = (lead.id.to_string(), &submission.keys);
        let (account_id, environment) = columns(&submission.tenant);
        self.leads.push(NewLead {
            id: lead.id,
            account_id,
            environment,
            widget_id: self.widget.clone(),
            status: lead.status.as_str(),
            record: keys.seal(Field::LeadRecord, &id, record)?,
            address_hash: submission.address_hash.clone(),
            email_hash: submission.email_hash.clone(),
            phone_hash: submission.phone_hash.clone(),
            at: lead.created_at.micros(),
            updated_at: lead.updated_at.micros(),
            won_value_cents: submission.draft.of_file().and_then(|file| file.won_value).map(Usd::cents),
            drawing: keys.seal_some(Field::LeadDrawing, &id, submission.drawing.as_deref())?,
            shown: keys.seal_some(Field::LeadShown, &id, submission.shown.as_deref())?,
            spam_reason: submission.draft.spam.map(SpamReason::as_str),
        });
        Ok(())
    }

    /// The newest consent of a lead.
    pub fn add_consent(&mut self, id: ConsentId, submission: &Submission, lead: &Lead) -> Result<(), StoreError> {
        let Submission { tenant, draft, keys, .. } = submission;
        let consent = lead.consent.clone();
        let evidence = Evidence {
            id,
            account_id: tenant.account,
            environment: tenant.environment,
            lead_id: lead.id,
            widget_id: lead.widget_id,
            first_name: Some(draft.first_name.clone()),
            last_name: Some(draft.last_name.clone()),
            email: draft.email.as_ref().map(ToString::to_string),
            phone: draft.phone.as_ref().map(ToString::to_string),
            address: Some(draft.address.clone()),
            given: consent.given,
            text: consent.text,
            text_hash: consent.text_hash,
            at: consent.at,
            page_url: consent.page_url,
            ip: consent.ip,
            user_agent: consent.user_agent,
        };
        self.consents.push(NewConsent::new(evidence, keys)?);
        Ok(())
    }

    pub fn add_key(&mut self, submission: &Submission, lead: LeadId, now: Timestamp) {
        let (account_id, environment) = columns(&submission.tenant);
        self.keys.push(NewKey {
            account_id,
            environment,
            widget_id: self.widget.clone(),
            key_hash: submission.key_hash.clone(),
            request_hash: submission.request_hash.clone(),
            lead_id: lead,
            at: now.micros(),
        });
    }
}

impl Leads<'_> {
    /// Afterwards nothing is left to write but consents.
    pub(crate) async fn write_rows(self, tx: &mut Tx<'_>, rows: &mut SubmissionRows) -> Result<(), StoreError> {
        let widget = rows.widget.clone();
        let consents = std::mem::take(&mut rows.consents);
        let SubmissionRows { leads, events, deliveries, keys, .. } =
            std::mem::replace(rows, SubmissionRows { widget, consents, ..SubmissionRows::default() });
        let insert_keys = match self.store.db {
            Db::Sqlite { .. } => statement!(sqlite),
            Db::Postgres(_) => statement!(postgres),
        };
        if !leads.is_empty() {
            self.insert_leads(tx, &leads).await?;
            self.store.deliveries().insert_events(tx, &events).await?;
            self.store.deliveries().insert_deliveries(tx, &deliveries).await?;
        }
        if !keys.is_empty() {
            execute!(tx, insert_keys, serde_json::to_string(&keys)?)?;
        }
        Ok(())
    }

    async fn insert_leads(self, tx: &mut Tx<'_>, rows: &[NewLead]) -> Result<(), StoreError> {
        if let Db::Postgres(_) = self.store.db {
            let sql = concat!(
                dialect::given_rows!(postgres: id text, account_id text, environment text, widget_id text, status text,
                    record text, address_hash text, email_hash text, phone_hash text, at bigint, updated_at bigint, drawing text, shown text,
                    spam_reason text, won_value_cents bigint),
                insert_leads!(
                    "SELECT id, account_id, environment, widget_id, status, record, address_hash, email_hash, phone_hash,
                            at, updated_at, drawing, shown, spam_reason, won_value_cents FROM given"
                )
            );
            execute!(tx, sql, serde_json::to_string(rows)?)?;
            return Ok(());
        }
        // SQLite reads the whole JSON of a row again for each column, which for a drawing is long; and no network is
        // between.
        for row in rows {
            execute!(
                tx,
                insert_leads!("VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)"),
                row.id.to_string(),
                &row.account_id,
                row.environment,
                &row.widget_id,
                row.status,
                &row.record,
                &row.address_hash,
                &row.email_hash,
                &row.phone_hash,
                row.at,
                row.updated_at,
                &row.drawing,
                &row.shown,
                row.spam_reason,
                row.won_value_cents
            )?;
        }
        Ok(())
    }
}
