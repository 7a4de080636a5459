//! Submitted leads on their way into the database: those that come at once share a transaction, and each has its own
//! result.
//!
//! # Decision
//!
//! Leads that arrive together share a transaction and one disk flush; each is answered after the commit with its own
//! result. A lead that breaks the transaction costs the others one transaction each. PostgreSQL has eight groups, by
//! widget, because it has many writers. Turned down: savepoints, two more statements per lead.

use std::sync::Arc;
use std::time::Duration;

use shingle_domain::event::EventKind;
use shingle_domain::lead::{Consent, EarlierLead, Lead, LeadStatus};
use shingle_domain::{ConsentId, Environment, LeadId, Tenant, Timestamp, WidgetId};

use crate::StoreError;
use crate::destinations::destination::Destination;
use crate::encryption::data_key::Field;
use crate::engine::db::{Tx, execute, fetch_optional, transact};
use crate::engine::dialect;
use crate::leads::Leads;
use crate::leads::dedup::KnownKey;
use crate::leads::draft::{AcceptedLead, AddedBy, ConsentDraft, LeadDraft, SubmissionOutcome};
use crate::leads::lead::subject;
use crate::leads::submission::{merge_lead, new_lead, test_key};
use crate::leads::submission_queue::Submission;
use crate::leads::submission_rows::SubmissionRows;
use crate::leads::work::EntryKind;
use crate::store::{columns, to_json};

/// What the browser of a lead sends again within this time, for the same address, changes that lead.
const SAME_LEAD_WINDOW: Duration = Duration::from_secs(24 * 3_600);

/// Who is notified of the new leads of a widget: of suspected spam, others.
#[derive(Default)]
struct Told([Option<Vec<Destination>>; 2]);

impl Told {
    fn of(&mut self, spam: bool) -> &mut Option<Vec<Destination>> {
        let [wanted, suspected] = &mut self.0;
        if spam { suspected } else { wanted }
    }
}

impl Leads<'_> {
    /// Stores a submitted lead. Lead, consent, event and idempotency key are one transaction, committed before
    /// this returns.
    ///
    /// `request` holds bytes that are equal for equal requests (the body, without what a retry may change);
    /// only keyed hashes of them and of the idempotency key are stored.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for a widget that is not the tenant's, or a replayed lead that was erased;
    /// [`StoreError::KeyReused`]; [`StoreError::Nul`].
    pub async fn accept(
        self,
        tenant: &Tenant,
        widget: WidgetId,
        draft: &LeadDraft,
        idempotency_key: &str,
        request: &[u8],
    ) -> Result<AcceptedLead, StoreError> {
        self.submit(tenant, tenant, widget, draft, idempotency_key, request).await
    }

    /// A lead that is only a test of a live widget: it stands in the sandbox of the account, with all that follows from it.
    ///
    /// # Errors
    /// As those of [`Leads::accept`].
    pub async fn accept_test(
        self,
        tenant: &Tenant,
        widget: WidgetId,
        draft: &LeadDraft,
        idempotency_key: &str,
        request: &[u8],
    ) -> Result<AcceptedLead, StoreError> {
        let sandbox = Tenant { environment: Environment::Sandbox, ..*tenant };
        self.submit(&sandbox, tenant, widget, draft, &test_key(idempotency_key), request).await
    }

    async fn submit(
        self,
        tenant: &Tenant,
        owner: &Tenant,
        widget: WidgetId,
        draft: &LeadDraft,
        idempotency_key: &str,
        request: &[u8],
    ) -> Result<AcceptedLead, StoreError> {
        let submission = Submission {
            tenant: *tenant,
            widget_of: *owner,
            keys: self.store.encryption().data_keys(tenant.account).await?,
            widget,
            key_hash: self.store.hashes.request(idempotency_key.as_bytes()),
            request_hash: self.store.hashes.request(request),
            address_hash: self.store.hashes.address(&draft.address),
            email_hash: draft.email.as_ref().map(|email| self.store.hashes.email(email)),
            phone_hash: draft.phone.as_ref().map(|phone| self.store.hashes.phone(phone)),
            drawing: draft.drawing.as_ref().map(serde_json::to_string).transpose()?,
            shown: draft.shown.as_ref().map(to_json).transpose()?.map(|shown| shown.to_string()),
            draft: draft.clone(),
        };
        let store = self.store.clone();
        let accept_all = move |submissions: Vec<Submission>| {
            let store = store.clone();
            async move { store.leads().accept_all(&submissions).await }
        };
        let accepted = self.store.submissions.of(&self.store.db, widget).write(submission, accept_all).await;
        accepted.unwrap_or(Err(StoreError::GivenUp))
    }

    async fn accept_all(self, submissions: &[Submission]) -> Vec<Result<AcceptedLead, StoreError>> {
        let accepted = match self.accept_together(submissions).await {
            Ok(accepted) => accepted,
            Err(error) if submissions.len() == 1 => vec![Err(error)],
            Err(StoreError::Together(error)) => {
                submissions.iter().map(|_| Err(StoreError::Together(error.clone()))).collect()
            }
            Err(StoreError::Database(error)) if dialect::is_outage(&error) => {
                let error = Arc::new(StoreError::Database(error));
                submissions.iter().map(|_| Err(StoreError::Together(error.clone()))).collect()
            }
            Err(_) => self.accept_each(submissions).await,
        };
        self.store.wake.notify_one();
        accepted
    }

    /// Each in a transaction of its own: the shared one failed by what is in one of them. In an outage nobody waits until it
    /// has failed once more for everybody.
    async fn accept_each(self, submissions: &[Submission]) -> Vec<Result<AcceptedLead, StoreError>> {
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
                Err(StoreError::Together(error)) => Err(StoreError::Together(outage.insert(error).clone())),
                result => result,
            });
        }
        accepted
    }

    async fn accept_together(
        self,
        submissions: &[Submission],
    ) -> Result<Vec<Result<AcceptedLead, StoreError>>, StoreError> {
        // In one order on all nodes: nobody then waits in a circle.
        let mut order: Vec<usize> = (0..submissions.len()).collect();
        order.sort_by_key(|number| {
            let Submission { widget, tenant, .. } = &submissions[*number];
            let owner = submissions[*number].widget_of.environment.as_str();
            (widget.0, tenant.account.0, owner, tenant.environment.as_str())
        });
        let widget = |number: &usize| {
            let Submission { tenant, widget_of, widget, .. } = &submissions[*number];
            (*tenant, *widget_of, *widget)
        };
        transact!(self.store.db, |tx| {
            let mut accepted: Vec<_> = submissions.iter().map(|_| Err(StoreError::NotFound)).collect();
            let mut rows = SubmissionRows::default();
            for numbers in order.chunk_by(|one, other| widget(one) == widget(other)) {
                let of_widget: Vec<&Submission> = numbers.iter().map(|number| &submissions[*number]).collect();
                let results = self.accept_of_widget(tx, &of_widget, &mut rows).await?;
                numbers.iter().zip(results).for_each(|(number, result)| accepted[*number] = result);
            }
            self.write_rows(tx, &mut rows).await?;
            self.give_new(tx, submissions, &mut accepted).await?;
            self.store.consents().append(tx, rows.consents).await?;
            Ok(accepted)
        })
    }

    /// New leads that visitors sent, by the company's rules.
    async fn give_new(
        self,
        tx: &mut Tx<'_>,
        submissions: &[Submission],
        accepted: &mut [Result<AcceptedLead, StoreError>],
    ) -> Result<(), StoreError> {
        let new = submissions.iter().zip(accepted.iter()).filter_map(|(submission, accepted)| {
            let by_hand = submission.draft.added_by.is_some();
            let accepted = accepted.as_ref().ok().filter(|of| of.outcome == SubmissionOutcome::Created)?;
            (!by_hand && accepted.lead.status != LeadStatus::Spam).then_some((submission.tenant, &accepted.lead))
        });
        let given = self.give_by_rules(tx, new.collect()).await?;
        for accepted in accepted.iter_mut().flatten() {
            accepted.given_to = given.iter().find(|of| of.lead == accepted.lead.id).map(|of| of.to);
        }
        Ok(())
    }

    /// Submissions of one widget, each as if it came alone, in their order. An inner error: refused before anything was
    /// written of it. The outer one: the transaction cannot go on.
    async fn accept_of_widget(
        self,
        tx: &mut Tx<'_>,
        submissions: &[&Submission],
        rows: &mut SubmissionRows,
    ) -> Result<Vec<Result<AcceptedLead, StoreError>>, StoreError> {
        let Some(first) = submissions.first() else { return Ok(Vec::new()) };
        let Some(widget) = lock_widget(tx, first).await? else {
            return Ok(submissions.iter().map(|_| Err(StoreError::NotFound)).collect());
        };
        rows.widget = widget;
        let mut known = self.known_before(tx, submissions, &rows.widget).await?;
        let mut told = Told::default();
        let mut accepted = Vec::with_capacity(submissions.len());
        for (number, submission) in submissions.iter().enumerate() {
            accepted.push(if let Some(key) = known.keys.get(&submission.key_hash) {
                self.write_rows(tx, rows).await?;
                self.replay_submission(tx, submission, key).await?
            } else if let Some(own) = self.own_lead(tx, submission, rows).await? {
                let changed = self.change_own(tx, submission, own, rows).await?;
                // It may be another person's now.
                self.write_rows(tx, rows).await?;
                known = self.known_before(tx, submissions, &rows.widget).await?;
                Ok(changed)
            } else {
                let earlier = known.earlier_lead(number, submission);
                let lead = self.create(tx, submission, earlier, &mut told, rows).await?;
                known.add(submission, &lead);
                Ok(AcceptedLead { lead, outcome: SubmissionOutcome::Created, given_to: None })
            });
        }
        Ok(accepted)
    }

    /// The lead that this submission changes.
    async fn own_lead(
        self,
        tx: &mut Tx<'_>,
        submission: &Submission,
        rows: &mut SubmissionRows,
    ) -> Result<Option<Lead>, StoreError> {
        let Some(id) = submission.draft.changes.filter(|_| submission.draft.spam.is_none()) else { return Ok(None) };
        self.write_rows(tx, rows).await?;
        let own = self.lock(tx, &submission.tenant, id).await?;
        Ok(own.filter(|own| self.is_changed_by(own, submission, self.store.now())))
    }

    async fn change_own(
        self,
        tx: &mut Tx<'_>,
        submission: &Submission,
        own: Lead,
        rows: &mut SubmissionRows,
    ) -> Result<AcceptedLead, StoreError> {
        let draft = &submission.draft;
        let now = self.store.now();
        let lead = merge_lead(own, draft, consent(draft, now), now);
        self.update(tx, &submission.tenant, &lead).await?;
        if draft.estimate.is_some() {
            let id = lead.id.to_string();
            let drawing = submission.keys.seal_some(Field::LeadDrawing, &id, submission.drawing.as_deref())?;
            let shown = submission.keys.seal_some(Field::LeadShown, &id, submission.shown.as_deref())?;
            execute!(tx, "UPDATE lead SET drawing = $2, shown = $3 WHERE id = $1", id, drawing, shown)?;
        }
        rows.add_consent(ConsentId(self.store.new_id()?), submission, &lead)?;
        rows.add_key(submission, lead.id, now);
        Ok(AcceptedLead { lead, outcome: SubmissionOutcome::Updated, given_to: None })
    }

    async fn create(
        self,
        tx: &mut Tx<'_>,
        submission: &Submission,
        earlier: Option<EarlierLead>,
        told: &mut Told,
        rows: &mut SubmissionRows,
    ) -> Result<Lead, StoreError> {
        let Submission { tenant, widget, draft, .. } = submission;
        let now = self.store.now();
        let lead = new_lead(LeadId(self.store.new_id()?), *widget, draft, consent(draft, now), earlier, now);
        let record = to_json(&lead)?;
        let subject = subject(EventKind::LeadCreated, &lead);
        // The first event of its lead.
        let event = self.store.deliveries().event_row(tenant, &submission.keys, subject, 1, &record)?;
        let destinations = match told.of(subject.spam) {
            Some(known) => known,
            unknown => unknown.insert(self.store.deliveries().destinations_of(tx, tenant, subject).await?),
        };
        let event_row = event.recorded();
        match &draft.added_by {
            None => rows
                .deliveries
                .extend(self.store.deliveries().delivery_rows(tx, destinations, subject, &event_row).await?),
            Some(AddedBy { from_file: Some(file), name, id, .. }) => {
                self.note_from_file(tx, tenant, lead.id, (name.as_str(), Some(*id)), file).await?;
            }
            Some(by) => {
                let others = self.store.deliveries().without_person(tx, destinations, by).await?;
                rows.deliveries.extend(self.store.deliveries().delivery_rows(tx, &others, subject, &event_row).await?);
                let author = (by.name.as_str(), Some(by.id));
                self.write_entry(tx, tenant, lead.id, author, EntryKind::Added, "").await?;
            }
        }
        rows.events.push(event);
        rows.add_lead(submission, &lead, &record.to_string())?;
        rows.add_consent(ConsentId(self.store.new_id()?), submission, &lead)?;
        rows.add_key(submission, lead.id, now);
        if let Some(file) = draft.of_file().filter(|file| !file.tags.is_empty()) {
            self.write_rows(tx, rows).await?;
            self.tag_from_file(tx, tenant, lead.id, file).await?;
        }
        Ok(lead)
    }

    /// The same request again.
    async fn replay_submission(
        self,
        tx: &mut Tx<'_>,
        submission: &Submission,
        key: &KnownKey,
    ) -> Result<Result<AcceptedLead, StoreError>, StoreError> {
        if key.request_hash != submission.request_hash {
            return Ok(Err(StoreError::KeyReused));
        }
        let known = self.lock(tx, &submission.tenant, key.lead).await?;
        let replayed = known.map(|lead| AcceptedLead { lead, outcome: SubmissionOutcome::Replayed, given_to: None });
        Ok(replayed.ok_or(StoreError::NotFound))
    }

    /// One browser may be shared: what has nothing in common with the lead is another person's.
    fn is_changed_by(self, own: &Lead, submission: &Submission, now: Timestamp) -> bool {
        let draft = &submission.draft;
        own.widget_id == submission.widget
            && own.status != LeadStatus::Spam
            && own.created_at > now - SAME_LEAD_WINDOW
            && self.store.hashes.address(&own.address) == submission.address_hash
            && (own.email.is_some()
                && own.email.as_ref().map(|email| self.store.hashes.email(email)) == submission.email_hash
                || own.phone.is_some() && own.phone == draft.phone
                || (&own.first_name, &own.last_name) == (&draft.first_name, &draft.last_name))
    }
}

/// Every submission locks its widget first: a concurrent one waits here and then sees what this one wrote. Returns the id
/// of its row; `None`: it is not the tenant's.
async fn lock_widget(tx: &mut Tx<'_>, submission: &Submission) -> Result<Option<String>, StoreError> {
    let (account, environment) = columns(&submission.widget_of);
    let row = fetch_optional!(
        tx,
        (String,),
        "UPDATE widget_lock SET acquisitions = acquisitions + 1
          WHERE widget_id IN (SELECT id FROM widget WHERE reference_id = $1 AND account_id = $2 AND environment = $3)
         RETURNING widget_id",
        submission.widget.to_string(),
        &account,
        environment
    )?;
    Ok(row.map(|(id,)| id))
}

fn consent(draft: &LeadDraft, at: Timestamp) -> Consent {
    let ConsentDraft { given, text, page_url, ip, user_agent } = draft.consent.clone();
    let text_hash = blake3::hash(text.as_bytes()).to_hex().to_string();
    Consent { given, text, text_hash, at, page_url, ip, user_agent }
}
