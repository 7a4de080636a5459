//! Reminders of next steps: when they are made, and whether they are still wanted when they are sent.

use std::collections::HashMap;

use serde::Deserialize;
use shingle_deliver::Job;
use shingle_domain::lead::{Lead, LeadStatus};
use shingle_domain::{LeadId, Tenant};
use shingle_notice::NoticeTiming;
use shingle_store::{DueStep, LeadWork, StepReminder, Store, StoreError};

use super::messages::NoNotice;

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
pub(super) async fn reminded(store: &Store, job: &Job) -> Result<Result<Reminded, NoNotice>, StoreError> {
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
