//! How a submitted lead is stored: once, even if the browser repeats the request; and changed by its own browser alone.

use core::fmt;
use std::time::Duration;

use shingle_domain::answers::Answers;
use shingle_domain::event::EventKind;
use shingle_domain::lead::{Consent, ContactTime, EarlierLead, Lead, LeadSource, LeadStatus, Same, ShownEstimate};
use shingle_domain::public::ShownStep;
use shingle_domain::roof::{RoofDrawing, RoofMaterial};
use shingle_domain::{Email, LeadId, Phone, Tenant, Timestamp, WidgetId};

use crate::db::{Tx, execute, fetch_all, fetch_optional, transact};
use crate::lead::{lock_lead, subject};
use crate::store::{columns, parse_id, require_row, to_json};
use crate::{Store, StoreError};

/// What the browser of a lead sends again within this time, for the same address, changes that lead.
const SAME_LEAD_WINDOW: Duration = Duration::from_secs(24 * 3_600);

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

row! {
    struct IdempotencyRow {
        request_hash: String,
        lead_id: String,
    }
}

row! {
    struct EarlierRow {
        id: String,
        email_hash: Option<String>,
        phone_hash: Option<String>,
    }
}

impl Store {
    /// Stores a submitted lead. Lead, consent, event and idempotency key are one transaction, committed before
    /// this returns.
    ///
    /// `request` holds bytes that are equal for equal requests (the body, without what a retry may change);
    /// only keyed hashes of them and of the idempotency key are stored.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for a widget that is not the tenant's, or a replayed lead that was erased;
    /// [`StoreError::KeyReused`]; [`StoreError::Nul`].
    pub async fn accept_lead(
        &self,
        tenant: &Tenant,
        widget: WidgetId,
        draft: &LeadDraft,
        idempotency_key: &str,
        request: &[u8],
    ) -> Result<AcceptedLead, StoreError> {
        let (account, environment) = columns(tenant);
        let widget_text = widget.to_string();
        let key_hash = self.hashes.request(idempotency_key.as_bytes());
        let request_hash = self.hashes.request(request);
        let address_hash = self.hashes.address(&draft.address);
        let email_hash = self.hashes.email(&draft.email);
        let phone_hash = draft.phone.as_ref().map(|phone| self.hashes.phone(phone));

        let drawing = draft.drawing.as_ref().map(serde_json::to_string).transpose()?;
        let shown = draft.shown.as_ref().map(to_json).transpose()?.map(|shown| shown.to_string());

        let accepted = transact!(self.db, |tx| {
            // Every submission locks this row first: a concurrent one waits here and then sees what this one wrote.
            require_row(execute!(
                tx,
                "UPDATE widget_lock SET acquisitions = acquisitions + 1
                  WHERE widget_id IN (SELECT id FROM widget WHERE id = $1 AND account_id = $2 AND environment = $3)",
                &widget_text,
                &account,
                environment
            )?)?;

            let earlier = fetch_optional!(
                tx,
                IdempotencyRow,
                "SELECT request_hash, lead_id FROM idempotency WHERE widget_id = $1 AND key_hash = $2",
                &widget_text,
                &key_hash
            )?;
            if let Some(earlier) = earlier {
                if earlier.request_hash != request_hash {
                    return Err(StoreError::KeyReused);
                }
                let id = parse_id("lead", &earlier.lead_id)?;
                let lead = lock_lead(tx, tenant, id).await?.ok_or(StoreError::NotFound)?;
                return Ok(AcceptedLead { lead, outcome: SubmissionOutcome::Replayed });
            }

            let now = self.now();
            let consent = Consent {
                given: draft.consent.given,
                text: draft.consent.text.clone(),
                text_hash: blake3::hash(draft.consent.text.as_bytes()).to_hex().to_string(),
                at: now,
                page_url: draft.consent.page_url.clone(),
                ip: draft.consent.ip.clone(),
                user_agent: draft.consent.user_agent.clone(),
            };
            let own = match draft.changes {
                Some(id) if !draft.suspected_spam => lock_lead(tx, tenant, id).await?,
                _ => None,
            };
            // One browser may be shared: what has nothing in common with the lead is another person's.
            let own = own.filter(|own| {
                own.widget_id == widget
                    && own.status != LeadStatus::Spam
                    && own.created_at > now - SAME_LEAD_WINDOW
                    && self.hashes.address(&own.address) == address_hash
                    && (self.hashes.email(&own.email) == email_hash
                        || own.phone.is_some() && own.phone == draft.phone
                        || (&own.first_name, &own.last_name) == (&draft.first_name, &draft.last_name))
            });
            let (lead, outcome) = match own {
                Some(old) => {
                    let lead = merge_lead(old, draft, consent, now);
                    self.update_lead(tx, tenant, &lead).await?;
                    if draft.estimate.is_some() {
                        execute!(
                            tx,
                            "UPDATE lead SET drawing = $2, shown = $3 WHERE id = $1",
                            lead.id.to_string(),
                            &drawing,
                            &shown
                        )?;
                    }
                    (lead, SubmissionOutcome::Updated)
                }
                None => {
                    // Spam is nobody's earlier lead. A flood of one address does not make this slow.
                    let earlier = fetch_optional!(
                        tx,
                        EarlierRow,
                        "SELECT id, email_hash, phone_hash
                           FROM (SELECT id, email_hash, phone_hash, created_at FROM lead
                                  WHERE widget_id = $1 AND address_hash = $2 AND record IS NOT NULL AND status <> 'spam'
                                  ORDER BY created_at, id LIMIT 100) AS same_home
                          ORDER BY CASE WHEN email_hash = $3 OR phone_hash = $4 THEN 0 ELSE 1 END, created_at, id LIMIT 1",
                        &widget_text,
                        &address_hash,
                        &email_hash,
                        &phone_hash
                    )?;
                    let earlier = match earlier {
                        Some(row) => {
                            let is_person = row.email_hash.as_ref() == Some(&email_hash)
                                || row.phone_hash.is_some() && row.phone_hash == phone_hash;
                            let same = if is_person { Same::Person } else { Same::Home };
                            Some(EarlierLead { id: parse_id("lead", &row.id)?, same })
                        }
                        None => None,
                    };
                    let lead = new_lead(LeadId(self.new_id()?), widget, draft, consent, earlier, now);
                    let data = to_json(&lead)?;
                    execute!(
                        tx,
                        "INSERT INTO lead (id, account_id, environment, widget_id, status, record,
                                           address_hash, email_hash, phone_hash, created_at, updated_at, drawing,
                                           shown)
                         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11, $12)",
                        lead.id.to_string(),
                        &account,
                        environment,
                        &widget_text,
                        lead.status.as_str(),
                        data.to_string(),
                        &address_hash,
                        &email_hash,
                        &phone_hash,
                        now.micros(),
                        &drawing,
                        &shown
                    )?;
                    self.record_event(tx, tenant, subject(EventKind::LeadCreated, &lead), &data).await?;
                    (lead, SubmissionOutcome::Created)
                }
            };
            self.insert_consent(tx, tenant, &lead).await?;
            execute!(
                tx,
                "INSERT INTO idempotency (account_id, environment, widget_id, key_hash, request_hash, lead_id, created_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7)",
                &account,
                environment,
                &widget_text,
                &key_hash,
                &request_hash,
                lead.id.to_string(),
                now.micros()
            )?;
            Ok(AcceptedLead { lead, outcome })
        })?;
        self.wake.notify_one();
        Ok(accepted)
    }

    async fn insert_consent(&self, tx: &mut Tx<'_>, tenant: &Tenant, lead: &Lead) -> Result<(), StoreError> {
        let (account, environment) = columns(tenant);
        let consent = &lead.consent;
        execute!(
            tx,
            "INSERT INTO consent (id, account_id, environment, lead_id, given, text, text_hash, page_url, ip,
                                  user_agent, at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
            self.new_id()?.to_string(),
            &account,
            environment,
            lead.id.to_string(),
            consent.given,
            &consent.text,
            &consent.text_hash,
            &consent.page_url,
            &consent.ip,
            &consent.user_agent,
            consent.at.micros()
        )?;
        Ok(())
    }

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

fn new_lead(
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
fn merge_lead(old: Lead, draft: &LeadDraft, consent: Consent, now: Timestamp) -> Lead {
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
