//! A submitted lead: stored once, even if the browser repeats the request; and changed by its own browser alone.

use core::fmt;
use std::time::Duration;

use shingle_domain::answers::Answers;
use shingle_domain::lead::{Consent, ContactTime, EarlierLead, Lead, LeadSource, LeadStatus, ShownEstimate};
use shingle_domain::public::ShownStep;
use shingle_domain::roof::{RoofDrawing, RoofMaterial};
use shingle_domain::{Email, LeadId, Phone, Tenant, Timestamp, WidgetId};

use crate::db::{execute, fetch_all, transact};
use crate::store::columns;
use crate::{Store, StoreError};

/// A submitted lead, before it gets its id, status and times.
#[derive(Clone, PartialEq)]
pub struct LeadDraft {
    /// One line, as it was confirmed.
    pub address: String,
    pub first_name: String,
    pub last_name: String,
    pub email: Email,
    pub phone: Option<Phone>,
    pub preferred_contact_time: Option<ContactTime>,
    pub roof_material: Option<RoofMaterial>,
    pub message: Option<String>,
    pub estimate: Option<ShownEstimate>,
    /// As it was shown.
    pub drawing: Option<RoofDrawing>,
    /// The whole step in which it was shown.
    pub shown: Option<ShownStep>,
    pub source: LeadSource,
    pub consent: ConsentDraft,
    /// The lead that this one changes, by a browser that has shown that lead's token.
    pub changes: Option<LeadId>,
    /// Probably sent by a program: stored as spam, and never changes an earlier lead.
    pub suspected_spam: bool,
}

/// A submitted consent, before it gets its time and the hash of its text.
#[derive(Clone, PartialEq, Eq)]
pub struct ConsentDraft {
    pub given: bool,
    /// The text that was on screen, word for word.
    pub text: String,
    pub page_url: Option<String>,
    pub ip: Option<String>,
    pub user_agent: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SubmissionOutcome {
    /// A new lead; `lead.created` is written.
    Created,
    /// The same browser, with other details; `lead.updated` is written.
    Updated,
    /// The same request again; nothing is written.
    Replayed,
}

#[derive(Clone, PartialEq)]
pub struct AcceptedLead {
    pub lead: Lead,
    pub outcome: SubmissionOutcome,
}

impl fmt::Debug for LeadDraft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LeadDraft([redacted])")
    }
}

impl fmt::Debug for ConsentDraft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConsentDraft").field("given", &self.given).finish_non_exhaustive()
    }
}

impl fmt::Debug for AcceptedLead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AcceptedLead").field("lead", &self.lead.id).field("outcome", &self.outcome).finish()
    }
}

impl Store {
    /// All consents recorded for a lead, in order.
    pub async fn list_consents(&self, tenant: &Tenant, lead: LeadId) -> Result<Vec<Consent>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.db.read().await?;
        let rows = fetch_all!(
            reader,
            ConsentRow,
            "SELECT given, text, text_hash, page_url, ip, user_agent, at FROM consent
              WHERE lead_id = $1 AND account_id = $2 AND environment = $3 ORDER BY at, id",
            lead.to_string(),
            &account,
            environment
        )?;
        Ok(rows.into_iter().map(Consent::from).collect())
    }

    /// Deletes idempotency keys older than `age`; a browser that retries after that makes an update or a
    /// new lead. Returns how many there were.
    pub async fn delete_idempotency_keys(&self, age: Duration) -> Result<u64, StoreError> {
        let before = (self.now() - age).micros();
        transact!(self.db, |tx| { Ok(execute!(tx, "DELETE FROM idempotency WHERE created_at < $1", before)?) })
    }
}

row! {
    struct ConsentRow {
        given: bool,
        text: String,
        text_hash: String,
        page_url: Option<String>,
        ip: Option<String>,
        user_agent: Option<String>,
        at: i64,
    }
}

impl From<ConsentRow> for Consent {
    fn from(row: ConsentRow) -> Self {
        let ConsentRow { given, text, text_hash, page_url, ip, user_agent, at } = row;
        Self { given, text, text_hash, page_url, ip, user_agent, at: Timestamp::from_micros(at) }
    }
}

pub(crate) fn new_lead(
    id: LeadId,
    widget_id: WidgetId,
    draft: &LeadDraft,
    consent: Consent,
    earlier_lead: Option<EarlierLead>,
    now: Timestamp,
) -> Lead {
    Lead {
        id,
        widget_id,
        status: if draft.suspected_spam { LeadStatus::Spam } else { LeadStatus::New },
        address: draft.address.clone(),
        first_name: draft.first_name.clone(),
        last_name: draft.last_name.clone(),
        email: draft.email.clone(),
        phone: draft.phone.clone(),
        preferred_contact_time: draft.preferred_contact_time,
        roof_material: draft.roof_material,
        message: draft.message.clone(),
        estimate: draft.estimate.clone(),
        inspection: None,
        answers: Answers::default(),
        source: draft.source.clone(),
        consent,
        first_touch_at: None,
        taken_by: None,
        email_problem: None,
        records: Vec::new(),
        earlier_lead,
        created_at: now,
        updated_at: now,
    }
}

/// Newly submitted values replace the old ones; values that were not submitted again stay, as do the source of
/// the first submission and the owner's changes.
pub(crate) fn merge_lead(old: Lead, draft: &LeadDraft, consent: Consent, now: Timestamp) -> Lead {
    Lead {
        first_name: draft.first_name.clone(),
        last_name: draft.last_name.clone(),
        email: draft.email.clone(),
        phone: draft.phone.clone().or(old.phone),
        preferred_contact_time: draft.preferred_contact_time.or(old.preferred_contact_time),
        roof_material: draft.roof_material.or(old.roof_material),
        message: draft.message.clone().or(old.message),
        estimate: draft.estimate.clone().or(old.estimate),
        consent,
        updated_at: now,
        ..old
    }
}
