//! A submitted lead: stored once, even if the browser repeats the request; and changed by its own browser alone.

use std::time::Duration;

use shingle_domain::answers::Answers;
use shingle_domain::lead::{Consent, EarlierLead, Lead, LeadStatus};
use shingle_domain::{LeadId, Tenant, Timestamp, WidgetId};

use crate::data_key::{DataKeys, Field};
use crate::db::{execute, fetch_all, transact};
use crate::lead_draft::LeadDraft;
use crate::store::columns;
use crate::{Store, StoreError};

impl Store {
    /// All consents recorded for a lead, in order.
    pub async fn list_consents(&self, tenant: &Tenant, lead: LeadId) -> Result<Vec<Consent>, StoreError> {
        let (account, environment) = columns(tenant);
        let keys = self.data_keys(tenant.account).await?;
        let mut reader = self.db.read().await?;
        let rows = fetch_all!(
            reader,
            ConsentRow,
            "SELECT id, given, text, text_hash, page_url, ip, user_agent, at FROM consent
              WHERE lead_id = $1 AND account_id = $2 AND environment = $3 ORDER BY at, id",
            lead.to_string(),
            &account,
            environment
        )?;
        rows.into_iter().map(|row| row.read(&keys)).collect()
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
        id: String,
        given: bool,
        text: String,
        text_hash: String,
        page_url: Option<String>,
        ip: Option<String>,
        user_agent: Option<String>,
        at: i64,
    }
}

impl ConsentRow {
    fn read(self, keys: &DataKeys) -> Result<Consent, StoreError> {
        let Self { id, given, text, text_hash, page_url, ip, user_agent, at } = self;
        Ok(Consent {
            given,
            text,
            text_hash,
            page_url: keys.open_some(Field::ConsentPageUrl, &id, page_url)?,
            ip: keys.open_some(Field::ConsentIp, &id, ip)?,
            user_agent: keys.open_some(Field::ConsentUserAgent, &id, user_agent)?,
            at: Timestamp::from_micros(at),
        })
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
