//! Submitted leads on their way into the database: those that come at once share a transaction, and each has its own
//! result.

use std::mem;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use shingle_domain::event::EventKind;
use shingle_domain::lead::{Consent, EarlierLead, Lead, LeadStatus, Same};
use shingle_domain::{LeadId, Tenant, Timestamp, WidgetId};

use crate::db::{Db, Tx, execute, fetch_optional, transact};
use crate::destination::Destination;
use crate::fan_out::DeliveryRow;
use crate::lead::{lock_lead, subject};
use crate::lead_draft::{AcceptedLead, LeadDraft, SubmissionOutcome};
use crate::store::{columns, parse_id, to_json};
use crate::submission::{merge_lead, new_lead};
use crate::submission_queue::Submission;
use crate::{Store, StoreError, dialect};

/// What the browser of a lead sends again within this time, for the same address, changes that lead.
const SAME_LEAD_WINDOW: Duration = Duration::from_secs(24 * 3_600);

/// What the leads of one transaction share.
#[derive(Default)]
struct Shared {
    told: Option<Told>,
    ends: Ends,
}

/// Who is told of the new leads of a widget.
struct Told {
    widget: WidgetId,
    spam: bool,
    destinations: Vec<Destination>,
}

/// Rows that are written together at the end of the transaction, because the next new lead reads none of them.
#[derive(Default)]
struct Ends {
    deliveries: Vec<DeliveryRow>,
    consents: Vec<NewConsent>,
    keys: Vec<NewKey>,
}

/// A row of `consent`, as JSON.
#[derive(Serialize)]
struct NewConsent {
    id: String,
    account_id: String,
    environment: &'static str,
    lead_id: LeadId,
    given: bool,
    text: String,
    text_hash: String,
    page_url: Option<String>,
    ip: Option<String>,
    user_agent: Option<String>,
    at: i64,
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
    created_at: i64,
}

macro_rules! insert_consents {
    ($given:expr) => {
        concat!(
            $given,
            "INSERT INTO consent (id, account_id, environment, lead_id, given, text, text_hash, page_url, ip,
                                  user_agent, at)
             SELECT id, account_id, environment, lead_id, given, text, text_hash, page_url, ip, user_agent, at
               FROM given"
        )
    };
}

macro_rules! insert_keys {
    ($given:expr) => {
        concat!(
            $given,
            "INSERT INTO idempotency (account_id, environment, widget_id, key_hash, request_hash, lead_id, created_at)
             SELECT account_id, environment, widget_id, key_hash, request_hash, lead_id, created_at FROM given"
        )
    };
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
        let submission = Submission {
            tenant: *tenant,
            widget,
            key_hash: self.hashes.request(idempotency_key.as_bytes()),
            request_hash: self.hashes.request(request),
            address_hash: self.hashes.address(&draft.address),
            email_hash: self.hashes.email(&draft.email),
            phone_hash: draft.phone.as_ref().map(|phone| self.hashes.phone(phone)),
            drawing: draft.drawing.as_ref().map(serde_json::to_string).transpose()?,
            shown: draft.shown.as_ref().map(to_json).transpose()?.map(|shown| shown.to_string()),
            draft: draft.clone(),
        };
        let store = self.clone();
        let accept_all = move |submissions: Vec<Submission>| {
            let store = store.clone();
            async move { store.accept_all(&submissions).await }
        };
        let accepted = self.submissions.of(&self.db, widget).write(submission, accept_all).await;
        accepted.unwrap_or(Err(StoreError::GivenUp))
    }

    async fn accept_all(&self, submissions: &[Submission]) -> Vec<Result<AcceptedLead, StoreError>> {
        let accepted = match self.accept_together(submissions).await {
            Ok(accepted) => accepted,
            Err(error) if submissions.len() == 1 => vec![Err(error)],
            Err(StoreError::Database(error)) if dialect::is_outage(&error) => {
                let error = Arc::new(StoreError::Database(error));
                submissions.iter().map(|_| Err(StoreError::Together(error.clone()))).collect()
            }
            Err(_) => self.accept_each(submissions).await,
        };
        self.wake.notify_one();
        accepted
    }

    /// Each in a transaction of its own: the shared one failed by what is in one of them. In an outage nobody waits until it
    /// has failed once more for everybody.
    async fn accept_each(&self, submissions: &[Submission]) -> Vec<Result<AcceptedLead, StoreError>> {
        let mut outage = None;
        let mut accepted = Vec::with_capacity(submissions.len());
        for submission in submissions {
            let result = match &outage {
                Some(error) => Err(StoreError::Together(Arc::clone(error))),
                None => {
                    let alone = self.accept_together(std::slice::from_ref(submission)).await;
                    alone.and_then(|mut one| one.pop().unwrap_or(Err(StoreError::GivenUp)))
                }
            };
            accepted.push(match result {
                Err(StoreError::Database(error)) if dialect::is_outage(&error) => {
                    let error = outage.insert(Arc::new(StoreError::Database(error)));
                    Err(StoreError::Together(error.clone()))
                }
                result => result,
            });
        }
        accepted
    }

    async fn accept_together(
        &self,
        submissions: &[Submission],
    ) -> Result<Vec<Result<AcceptedLead, StoreError>>, StoreError> {
        // In one order on all nodes: nobody then waits in a circle.
        let mut order: Vec<usize> = (0..submissions.len()).collect();
        order.sort_by_key(|number| submissions[*number].widget.0);
        transact!(self.db, |tx| {
            let mut accepted: Vec<_> = submissions.iter().map(|_| None).collect();
            let (mut locked, mut shared) = (None, Shared::default());
            for number in &order {
                let submission = &submissions[*number];
                let widget = (submission.tenant, submission.widget);
                let found = locked == Some(widget) || lock_widget(tx, submission).await?;
                locked = found.then_some(widget);
                let result =
                    if found { self.accept_in(tx, submission, &mut shared).await? } else { Err(StoreError::NotFound) };
                accepted[*number] = Some(result);
            }
            self.write_ends(tx, shared.ends).await?;
            Ok(accepted.into_iter().map(|result| result.unwrap_or(Err(StoreError::GivenUp))).collect())
        })
    }

    /// The inner result: refused before anything was written of it. The outer one: the transaction cannot go on.
    async fn accept_in(
        &self,
        tx: &mut Tx<'_>,
        submission: &Submission,
        Shared { told, ends }: &mut Shared,
    ) -> Result<Result<AcceptedLead, StoreError>, StoreError> {
        let Submission { tenant, widget, draft, .. } = submission;
        let (account, environment) = columns(tenant);
        let widget_text = widget.to_string();
        let is_again = |key: &NewKey| key.key_hash == submission.key_hash && key.widget_id == widget_text;
        if draft.changes.is_some() || ends.keys.iter().any(is_again) {
            self.write_ends(tx, mem::take(ends)).await?;
        }
        let earlier = fetch_optional!(
            tx,
            IdempotencyRow,
            "SELECT request_hash, lead_id FROM idempotency WHERE widget_id = $1 AND key_hash = $2",
            &widget_text,
            &submission.key_hash
        )?;
        if let Some(earlier) = earlier {
            if earlier.request_hash != submission.request_hash {
                return Ok(Err(StoreError::KeyReused));
            }
            let known = lock_lead(tx, tenant, parse_id("lead", &earlier.lead_id)?).await?;
            let replayed = known.map(|lead| AcceptedLead { lead, outcome: SubmissionOutcome::Replayed });
            return Ok(replayed.ok_or(StoreError::NotFound));
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
        let (lead, outcome) = match own.filter(|own| self.is_changed_by(own, submission, now)) {
            Some(old) => {
                let lead = merge_lead(old, draft, consent, now);
                self.update_lead(tx, tenant, &lead).await?;
                if draft.estimate.is_some() {
                    execute!(
                        tx,
                        "UPDATE lead SET drawing = $2, shown = $3 WHERE id = $1",
                        lead.id.to_string(),
                        &submission.drawing,
                        &submission.shown
                    )?;
                }
                (lead, SubmissionOutcome::Updated)
            }
            None => {
                let earlier = earlier_lead(tx, submission).await?;
                let lead = new_lead(LeadId(self.new_id()?), *widget, draft, consent, earlier, now);
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
                    &submission.address_hash,
                    &submission.email_hash,
                    &submission.phone_hash,
                    now.micros(),
                    &submission.drawing,
                    &submission.shown
                )?;
                let subject = subject(EventKind::LeadCreated, &lead);
                let event = self.write_event(tx, tenant, subject, &data).await?;
                let destinations = match told.take() {
                    Some(told) if (told.widget, told.spam) == (*widget, subject.spam) => told.destinations,
                    _ => self.destinations_of(tx, tenant, subject).await?,
                };
                ends.deliveries.extend(self.delivery_rows(tx, &destinations, subject, &event).await?);
                *told = Some(Told { widget: *widget, spam: subject.spam, destinations });
                (lead, SubmissionOutcome::Created)
            }
        };
        let consent = lead.consent.clone();
        ends.consents.push(NewConsent {
            id: self.new_id()?.to_string(),
            account_id: account.clone(),
            environment,
            lead_id: lead.id,
            given: consent.given,
            text: consent.text,
            text_hash: consent.text_hash,
            page_url: consent.page_url,
            ip: consent.ip,
            user_agent: consent.user_agent,
            at: consent.at.micros(),
        });
        ends.keys.push(NewKey {
            account_id: account,
            environment,
            widget_id: widget_text,
            key_hash: submission.key_hash.clone(),
            request_hash: submission.request_hash.clone(),
            lead_id: lead.id,
            created_at: now.micros(),
        });
        Ok(Ok(AcceptedLead { lead, outcome }))
    }

    async fn write_ends(&self, tx: &mut Tx<'_>, ends: Ends) -> Result<(), StoreError> {
        self.insert_deliveries(tx, &ends.deliveries).await?;
        if ends.keys.is_empty() {
            return Ok(());
        }
        let (consents, keys) = match self.db {
            Db::Sqlite { .. } => (
                insert_consents!(
                    dialect::given_rows!(sqlite: id text, account_id text, environment text, lead_id text,
                given boolean, text text, text_hash text, page_url text, ip text, user_agent text, at bigint)
                ),
                insert_keys!(dialect::given_rows!(sqlite: account_id text, environment text, widget_id text,
                key_hash text, request_hash text, lead_id text, created_at bigint)),
            ),
            Db::Postgres(_) => (
                insert_consents!(dialect::given_rows!(postgres: id text, account_id text, environment text,
                lead_id text, given boolean, text text, text_hash text, page_url text, ip text, user_agent text,
                at bigint)),
                insert_keys!(dialect::given_rows!(postgres: account_id text, environment text, widget_id text,
                key_hash text, request_hash text, lead_id text, created_at bigint)),
            ),
        };
        execute!(tx, consents, serde_json::to_string(&ends.consents)?)?;
        execute!(tx, keys, serde_json::to_string(&ends.keys)?)?;
        Ok(())
    }

    /// One browser may be shared: what has nothing in common with the lead is another person's.
    fn is_changed_by(&self, own: &Lead, submission: &Submission, now: Timestamp) -> bool {
        let draft = &submission.draft;
        own.widget_id == submission.widget
            && own.status != LeadStatus::Spam
            && own.created_at > now - SAME_LEAD_WINDOW
            && self.hashes.address(&own.address) == submission.address_hash
            && (self.hashes.email(&own.email) == submission.email_hash
                || own.phone.is_some() && own.phone == draft.phone
                || (&own.first_name, &own.last_name) == (&draft.first_name, &draft.last_name))
    }
}

/// Every submission locks its widget first: a concurrent one waits here and then sees what this one wrote. False: it is not
/// the tenant's.
async fn lock_widget(tx: &mut Tx<'_>, submission: &Submission) -> Result<bool, StoreError> {
    let (account, environment) = columns(&submission.tenant);
    let rows = execute!(
        tx,
        "UPDATE widget_lock SET acquisitions = acquisitions + 1
          WHERE widget_id IN (SELECT id FROM widget WHERE id = $1 AND account_id = $2 AND environment = $3)",
        submission.widget.to_string(),
        &account,
        environment
    )?;
    Ok(rows > 0)
}

/// The first of the same person at this home, or else of the same home.
async fn earlier_lead(tx: &mut Tx<'_>, submission: &Submission) -> Result<Option<EarlierLead>, StoreError> {
    let (email, phone) = (&submission.email_hash, &submission.phone_hash);
    // Spam is nobody's earlier lead. A flood of one address does not make this slow.
    let row = fetch_optional!(
        tx,
        EarlierRow,
        "SELECT id, email_hash, phone_hash
           FROM (SELECT id, email_hash, phone_hash, created_at FROM lead
                  WHERE widget_id = $1 AND address_hash = $2 AND record IS NOT NULL AND status <> 'spam'
                  ORDER BY created_at, id LIMIT 100) AS same_home
          ORDER BY CASE WHEN email_hash = $3 OR phone_hash = $4 THEN 0 ELSE 1 END, created_at, id LIMIT 1",
        submission.widget.to_string(),
        &submission.address_hash,
        email,
        phone
    )?;
    let Some(row) = row else { return Ok(None) };
    let is_person = row.email_hash.as_ref() == Some(email) || row.phone_hash.is_some() && row.phone_hash == *phone;
    let same = if is_person { Same::Person } else { Same::Home };
    Ok(Some(EarlierLead { id: parse_id("lead", &row.id)?, same }))
}
