//! Reminders of next steps: to the assignee, or else to those who are notified of the lead.
//!
//! # Decision
//!
//! `lead_work.remind_at` says when, and is emptied in the transaction that writes the reminder's deliveries: so any number of
//! nodes may ask, a restart loses none, and none is sent twice. More than a day late, it is emptied and nobody is told.
//! Planning, changing or finishing a step sets it anew. Who is reminded is decided then, because a lead changes hands. Turned
//! down: a delivery written when the step is planned, as of an inspection, for a person and for devices that may not be there
//! any more.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use shingle_domain::event::EventKind;
use shingle_domain::lead::LeadStatus;
use shingle_domain::{LeadId, Tenant, Timestamp, UserId};

use crate::StoreError;
use crate::destinations::destination::Destination;
use crate::destinations::kind::DestinationKind;
use crate::engine::db::{Tx, execute, fetch_all, transact};
use crate::leads::Leads;
use crate::leads::lead::subject;
use crate::store::parse_id;

/// Read at once.
const MAX_TOGETHER: i64 = 200;
/// Later reminders are dropped: after a company reopens, or after a merge is undone days later.
const MOST_LATE: Duration = Duration::from_secs(24 * 3_600);
/// The address of the destination of the mails to assignees.
pub const NEXT_STEPS: &str = "steps";

/// A step whose reminder is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueStep {
    pub tenant: Tenant,
    pub lead: LeadId,
    pub at: Timestamp,
}

/// `data` of the event `step.reminder`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StepReminder {
    pub step: String,
    /// `2026-12-01`, `2026-12-01 14:30`
    pub due: String,
    /// Whose lead it was then. `None`: nobody’s.
    pub to: Option<UserId>,
}

row! {
    struct DueRow {
        lead_id: String,
        account_id: String,
        environment: String,
        remind_at: i64,
    }
}

impl Leads<'_> {
    /// Those that are due, of all accounts, the first first; some of them. `after`: the last that was read.
    pub async fn due_steps(self, after: Option<&DueStep>) -> Result<Vec<DueStep>, StoreError> {
        let (at, lead) = after.map_or((i64::MIN, String::new()), |last| (last.at.micros(), last.lead.to_string()));
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            DueRow,
            "SELECT lead_work.lead_id AS lead_id, lead.account_id AS account_id, environment, remind_at
               FROM lead_work JOIN lead ON lead.id = lead_work.lead_id JOIN account ON account.id = lead.account_id
              WHERE remind_at IS NOT NULL AND remind_at <= $1
                AND remind_at >= $2 AND (remind_at > $2 OR lead_work.lead_id > $3)
                AND record IS NOT NULL AND merged_into IS NULL AND closed_at IS NULL
              ORDER BY remind_at, lead_work.lead_id LIMIT $4",
            self.store.now().micros(),
            at,
            lead,
            MAX_TOGETHER
        )?;
        rows.into_iter()
            .map(|row| {
                Ok(DueStep {
                    tenant: Tenant {
                        account: parse_id("account", &row.account_id)?,
                        environment: parse_id("environment", &row.environment)?,
                    },
                    lead: parse_id("lead", &row.lead_id)?,
                    at: Timestamp::from_micros(row.remind_at),
                })
            })
            .collect()
    }

    /// Writes the reminder, once, however many nodes ask for it. `mails`: the installation sends mail.
    pub async fn remind_of_step(self, step: &DueStep, mails: bool) -> Result<bool, StoreError> {
        let tenant = &step.tenant;
        let reminded = transact!(self.store.db, |tx| {
            let Some(lead) = self.lock(tx, tenant, step.lead).await? else { return Ok(false) };
            let taken = execute!(
                tx,
                "UPDATE lead_work SET remind_at = NULL WHERE lead_id = $1 AND remind_at = $2
                    AND EXISTS (SELECT 1 FROM lead WHERE id = $1 AND merged_into IS NULL)",
                step.lead.to_string(),
                step.at.micros()
            )?;
            let is_late = step.at + MOST_LATE < self.store.now();
            // Done, changed or reminded of meanwhile.
            if taken == 0 || is_late || matches!(lead.status, LeadStatus::Lost | LeadStatus::Spam) {
                return Ok(false);
            }
            let work = self.work_in(tx, tenant, lead.id).await?;
            let (Some(planned), Some(due)) = (work.next_step, work.due) else { return Ok(false) };
            let to = work.assignee.map(|(id, _)| id);
            let about = subject(EventKind::StepReminder, &lead);
            let data = serde_json::to_value(StepReminder { step: planned, due: due.to_string(), to })?;
            let deliveries = self.store.deliveries();
            let destinations = match to {
                Some(user) => self.destinations_of_assignee(tx, tenant, user, mails).await?,
                None => deliveries.destinations_of(tx, tenant, about).await?,
            };
            if destinations.is_empty() {
                return Ok(false);
            }
            let event = deliveries.write_event(tx, tenant, about, &data).await?;
            for destination in &destinations {
                deliveries.write_delivery(tx, destination, about, &event, 0).await?;
            }
            Ok(true)
        })?;
        if reminded {
            self.store.wake.notify_one();
        }
        Ok(reminded)
    }

    /// The mailbox and the devices.
    async fn destinations_of_assignee(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        user: UserId,
        mails: bool,
    ) -> Result<Vec<Destination>, StoreError> {
        let devices = fetch_all!(
            tx,
            (String, String),
            "SELECT production_id, sandbox_id FROM push_device WHERE user_id = $1",
            user.to_string()
        )?;
        let mut all = self.store.destinations().destinations_in(tx, tenant).await?;
        all.retain(|of| {
            let id = of.id.to_string();
            of.draft.kind == DestinationKind::Push
                && of.draft.active
                && devices.iter().any(|(production, sandbox)| *production == id || *sandbox == id)
        });
        if mails {
            all.push(self.team_mailbox(tx, tenant, (NEXT_STEPS, "Next steps, to the team")).await?);
        }
        Ok(all)
    }
}
