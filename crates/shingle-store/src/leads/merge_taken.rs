//! What a lead takes over from one that is merged into it, because it has none itself, and gives back.

use serde::{Deserialize, Serialize};
use shingle_domain::lead::Lead;
use shingle_domain::{LeadId, Tenant};

use crate::StoreError;
use crate::encryption::data_key::Field;
use crate::engine::db::{Tx, execute, fetch_all};
use crate::leads::Leads;
use crate::leads::work::mark_changed;

/// What was taken over. The values stay on the lead that was merged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Taken {
    email: bool,
    phone: bool,
    step: bool,
    tags: Vec<String>,
}

impl Taken {
    pub fn and(mut self, other: Self) -> Self {
        self.email |= other.email;
        self.phone |= other.phone;
        self.step |= other.step;
        self.tags.extend(other.tags);
        self
    }
}

impl Leads<'_> {
    /// `only`: nothing else than these.
    pub(crate) async fn take_over(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        stays: &Lead,
        goes: &Lead,
        only: Option<&Taken>,
    ) -> Result<Taken, StoreError> {
        let may = |of: fn(&Taken) -> bool| only.is_none_or(of);
        let mut lead = stays.clone();
        let mut taken = Taken::default();
        if lead.email.is_none() && goes.email.is_some() && may(|only| only.email) {
            lead.email.clone_from(&goes.email);
            lead.email_problem.clone_from(&goes.email_problem);
            taken.email = true;
        }
        // Consent belongs to a number: one for which it was refused is not put under a consent that was given.
        let agrees = goes.consent.given || !lead.consent.given;
        if lead.phone.is_none() && goes.phone.is_some() && agrees && may(|only| only.phone) {
            lead.phone.clone_from(&goes.phone);
            taken.phone = true;
        }
        if lead != *stays {
            lead.updated_at = self.store.now();
            self.update(tx, tenant, &lead).await?;
        }
        if may(|only| only.step) {
            let (own, other) = (self.work_in(tx, tenant, stays.id).await?, self.work_in(tx, tenant, goes.id).await?);
            if let (None, Some(step)) = (own.next_step, other.next_step) {
                let keys = self.store.encryption().data_keys_in(tx, tenant.account).await?;
                execute!(
                    tx,
                    "INSERT INTO lead_work (lead_id, account_id, next_step, due_day, due_time, due_at, remind_at)
                     SELECT $1, account_id, $3, due_day, due_time, due_at, remind_at FROM lead_work
                      WHERE lead_id = $4 AND account_id = $2
                         ON CONFLICT (lead_id) DO UPDATE SET next_step = excluded.next_step, due_day = excluded.due_day,
                            due_time = excluded.due_time, due_at = excluded.due_at, remind_at = excluded.remind_at",
                    stays.id.to_string(),
                    tenant.account.to_string(),
                    keys.seal(Field::LeadNextStep, &stays.id.to_string(), &step)?,
                    goes.id.to_string()
                )?;
                taken.step = true;
            }
        }
        let own = self.tag_hashes_in(tx, tenant, stays.id).await?;
        for tag in self.tag_hashes_in(tx, tenant, goes.id).await? {
            if own.contains(&tag) || only.is_some_and(|only| !only.tags.contains(&tag)) {
                continue;
            }
            execute!(
                tx,
                "INSERT INTO lead_tag (lead_id, tag, account_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
                stays.id.to_string(),
                &tag,
                tenant.account.to_string()
            )?;
            taken.tags.push(tag);
        }
        mark_changed(tx, stays.id).await?;
        Ok(taken)
    }

    /// What was changed since stays as it is. Returns what was given back.
    pub(crate) async fn give_back(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        stays: &Lead,
        goes: &Lead,
        taken: &Taken,
    ) -> Result<Taken, StoreError> {
        let mut lead = stays.clone();
        let mut back = Taken { tags: taken.tags.clone(), ..Taken::default() };
        if taken.email && lead.email == goes.email {
            (lead.email, lead.email_problem) = (None, None);
            back.email = true;
        }
        if taken.phone && lead.phone == goes.phone {
            lead.phone = None;
            back.phone = true;
        }
        if lead != *stays {
            lead.updated_at = self.store.now();
            self.update(tx, tenant, &lead).await?;
        }
        if taken.step {
            let (own, other) = (self.work_in(tx, tenant, stays.id).await?, self.work_in(tx, tenant, goes.id).await?);
            if (&own.next_step, own.due) == (&other.next_step, other.due) {
                // What was reminded of is not reminded of again.
                execute!(
                    tx,
                    "UPDATE lead_work SET remind_at = (SELECT own.remind_at FROM lead_work AS own WHERE own.lead_id = $1)
                      WHERE lead_id = $2",
                    stays.id.to_string(),
                    goes.id.to_string()
                )?;
                execute!(
                    tx,
                    "UPDATE lead_work SET next_step = NULL, due_day = NULL, due_time = NULL, due_at = NULL,
                                          remind_at = NULL WHERE lead_id = $1",
                    stays.id.to_string()
                )?;
                back.step = true;
            }
        }
        for tag in &taken.tags {
            execute!(tx, "DELETE FROM lead_tag WHERE lead_id = $1 AND tag = $2", stays.id.to_string(), tag)?;
        }
        mark_changed(tx, stays.id).await?;
        Ok(back)
    }

    pub(crate) async fn tag_hashes_in(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        lead: LeadId,
    ) -> Result<Vec<String>, StoreError> {
        let rows = fetch_all!(
            tx,
            (String,),
            "SELECT tag FROM lead_tag WHERE lead_id = $1 AND account_id = $2 ORDER BY tag",
            lead.to_string(),
            tenant.account.to_string()
        )?;
        Ok(rows.into_iter().map(|(tag,)| tag).collect())
    }
}
