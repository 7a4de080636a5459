//! A submitted lead: stored once, even if the browser repeats the request; changed only by its own browser.
//!
//! # Decision
//!
//! Only the browser that made a lead changes it: within a day, for the same address, with the lead's token. Anything
//! else for that address is a new lead that names the earlier one (`earlierLead`). Consents are added, never
//! rewritten. Turned down: merging by phone or email, with which a stranger could rewrite a lead and receive its
//! token.

use std::time::Duration;

use shingle_domain::answers::Answers;
use shingle_domain::lead::{Consent, EarlierLead, Lead, LeadStatus};
use shingle_domain::{LeadId, Tenant, Timestamp, WidgetId};

use crate::StoreError;
use crate::engine::db::{execute, fetch_optional, transact};
use crate::leads::Leads;
use crate::leads::draft::LeadDraft;
use crate::store::{columns, parse_id};

impl Leads<'_> {
    /// Deletes idempotency keys older than `age`; a browser that retries after that makes an update or a
    /// new lead. Returns how many there were.
    pub async fn delete_idempotency_keys(self, age: Duration) -> Result<u64, StoreError> {
        let before = (self.store.now() - age).micros();
        transact!(self.store.db, |tx| { Ok(execute!(tx, "DELETE FROM idempotency WHERE created_at < $1", before)?) })
    }

    /// The lead that a request with this key made, through [`Leads::accept`] or [`Leads::accept_test`].
    pub async fn accepted_with(
        self,
        tenant: &Tenant,
        widget: WidgetId,
        idempotency_key: &str,
    ) -> Result<Option<LeadId>, StoreError> {
        let (account, environment) = columns(tenant);
        let hash = |key: &str| self.store.hashes.request(key.as_bytes());
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (String,),
            "SELECT lead_id FROM idempotency JOIN widget ON widget.id = idempotency.widget_id
              WHERE idempotency.account_id = $1 AND idempotency.environment = $2 AND widget.reference_id = $3
                AND key_hash IN ($4, $5)",
            &account,
            environment,
            widget.to_string(),
            hash(idempotency_key),
            hash(&test_key(idempotency_key))
        )?;
        row.map(|(id,)| parse_id("lead", &id)).transpose()
    }
}

/// A browser may send the same key for a real lead: keys are counted by widgets.
pub(crate) fn test_key(idempotency_key: &str) -> String {
    format!("test {idempotency_key}")
}

pub(crate) fn new_lead(
    id: LeadId,
    widget_id: WidgetId,
    draft: &LeadDraft,
    consent: Consent,
    earlier_lead: Option<EarlierLead>,
    now: Timestamp,
) -> Lead {
    let file = draft.of_file();
    let status = file.map_or(LeadStatus::New, |file| file.status);
    Lead {
        id,
        widget_id,
        status: if draft.spam.is_some() { LeadStatus::Spam } else { status },
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
        // A lead with a status was worked on where it comes from.
        first_touch_at: file.filter(|file| file.status != LeadStatus::New).map(|file| file.received.unwrap_or(now)),
        taken_by: None,
        email_problem: None,
        records: Vec::new(),
        earlier_lead,
        created_at: file.and_then(|file| file.received).unwrap_or(now),
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
