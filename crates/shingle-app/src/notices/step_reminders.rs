//! Reminders of next steps: when they are made, and the mail. What is done, changed or someone else’s by then is not told.

use std::collections::HashMap;

use serde::Deserialize;
use shingle_deliver::mail::OutgoingMail;
use shingle_deliver::{Job, Outcome, Verdict};
use shingle_domain::lead::{Lead, LeadStatus};
use shingle_domain::{Email, Environment, LeadId, Tenant};
use shingle_notice::{Language, NoticeTiming, StepNotice};
use shingle_store::{DueStep, LeadWork, StepReminder, Store, StoreError};

use super::mail_transport::{MailTransport, Preparation, PrepareError, Prepared, not};
use super::messages::NoNotice;
use crate::lead_reference::reference;

/// Makes the reminders that are due; in quiet hours of a company, its own wait. Any number of nodes may ask: each is made once.
/// One that fails stops no other.
pub async fn remind_of_steps(store: &Store, mails: bool) -> Result<usize, StoreError> {
    let mut quiet: HashMap<Tenant, bool> = HashMap::new();
    let (mut made, mut failed) = (0, None);
    let mut last: Option<DueStep> = None;
    loop {
        let due = store.leads().due_steps(last.as_ref()).await?;
        if due.is_empty() {
            return failed.map_or(Ok(made), Err);
        }
        for step in &due {
            let is_quiet = match quiet.get(&step.tenant) {
                Some(known) => *known,
                None => {
                    let settings = store.destinations().notice_settings(&step.tenant).await?.unwrap_or_default();
                    let is_quiet = NoticeTiming::of(&settings).wait_until(false, store.now()).is_some();
                    quiet.insert(step.tenant, is_quiet);
                    is_quiet
                }
            };
            if is_quiet {
                continue;
            }
            match store.leads().remind_of_step(step, mails).await {
                Ok(reminded) => made += usize::from(reminded),
                Err(error) => failed = Some(error),
            }
        }
        last = due.last().copied();
    }
}

#[derive(Deserialize)]
struct Body {
    data: StepReminder,
}

/// What is reminded of, as it is now.
pub(super) struct Reminded {
    pub lead: Lead,
    pub work: LeadWork,
    pub reminder: StepReminder,
}

/// Why nobody is reminded any more.
pub(super) async fn reminded(store: &Store, job: &Job) -> Result<Result<Reminded, NoNotice>, PrepareError> {
    let (tenant, event) = (&job.destination.tenant, &job.delivery.event);
    let id = LeadId(event.resource);
    let Some(payload) = &event.payload else { return Ok(Err(NoNotice::Erased)) };
    let reminder = serde_json::from_str::<Body>(payload)?.data;
    let Some(lead) = store.leads().find(tenant, id).await? else { return Ok(Err(NoNotice::Erased)) };
    let work = store.leads().work(tenant, id).await?;
    let is_same = work.next_step.as_deref() == Some(reminder.step.as_str())
        && work.due.is_some_and(|due| due.to_string() == reminder.due);
    if !is_same || store.leads().merged_into(tenant, id).await?.is_some() {
        return Ok(Err(NoNotice::NewerStep));
    }
    if matches!(lead.status, LeadStatus::Lost | LeadStatus::Spam) {
        return Ok(Err(NoNotice::Finished));
    }
    if store.accounts().is_closed(tenant.account).await? {
        return Ok(Err(NoNotice::AccountClosed));
    }
    Ok(Ok(Reminded { lead, work, reminder }))
}

impl MailTransport {
    /// To the assignee: of those that are reminded otherwise, each has a mailbox of notices.
    pub(super) async fn step_mail_to_assignee(&self, job: &Job) -> Preparation {
        let settings = self.store.destinations().notice_settings(&job.destination.tenant).await?.unwrap_or_default();
        if let Some(until) = NoticeTiming::of(&settings).wait_until(false, self.clock.now()) {
            return Ok(Prepared::Not(Box::new(Outcome::new(Verdict::Postponed(until)))));
        }
        let reminded = match reminded(&self.store, job).await? {
            Ok(reminded) => reminded,
            Err(why) => return Ok(not(&why)),
        };
        // The lead may be someone else’s by now.
        let Some((user, _)) = &reminded.work.assignee else { return Ok(not(&NoNotice::StepNotTheirs)) };
        let Some(user) = self.store.people().find_user(*user).await? else { return Ok(not(&NoNotice::LeftCompany)) };
        let language = user.language.as_deref().map_or(Language::English, Language::of_tag);
        self.step_mail(job, &reminded, (user.email, language)).await
    }

    pub(super) async fn step_mail(
        &self,
        job: &Job,
        reminded: &Reminded,
        (to, language): (Email, Language),
    ) -> Preparation {
        let (lead, tenant) = (&reminded.lead, &job.destination.tenant);
        let Some(due) = reminded.work.due else { return Ok(not(&NoNotice::NewerStep)) };
        // Where it was planned: the portal has one zone for real leads and test data.
        let live = Tenant { environment: Environment::Production, ..*tenant };
        let settings = self.store.destinations().notice_settings(&live).await?.unwrap_or_default();
        let content = StepNotice {
            lead,
            step: &reminded.reminder.step,
            due: &due,
            is_own: reminded.reminder.to.is_some(),
            reference: &reference(lead.id),
            link: &self.links.in_portal(lead.id, tenant.environment),
            sandbox: tenant.environment == Environment::Sandbox,
            to: to.as_str(),
            language,
            time_zone: &settings.time_zone,
        }
        .content();
        let Some(message_id) = self.ids.event(job.delivery.event.id.as_str(), job.destination.id) else {
            return Ok(not(&NoNotice::NoId));
        };
        Ok(Prepared::Mail(Box::new(OutgoingMail {
            to,
            from_name: None,
            reply_to: lead.email.clone().map(|email| (format!("{} {}", lead.first_name, lead.last_name), email)),
            message_id,
            references: Vec::new(),
            list_unsubscribe: None,
            auto_submitted: true,
            date: self.clock.now(),
            language: language.tag(),
            content,
        })))
    }
}
