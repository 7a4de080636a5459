//! Which of two values stays when leads are merged, chosen field by field; and what the lead that stays had before, so that
//! undoing gives it back. What somebody changed since stays as it is.

use serde::{Deserialize, Serialize};
use shingle_domain::lead::{Consent, Lead, LeadStatus};
use shingle_domain::loss::Loss;
use shingle_domain::{Email, LeadId, Phone, Tenant, UserId};

use crate::StoreError;
use crate::engine::db::{Tx, execute, fetch_optional};
use crate::leads::Leads;

/// Fields that the lead that stays takes from the other one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MergeChoice {
    pub name: bool,
    /// Where both have one, as of an email: where one has none, it gets that of the other anyway.
    pub phone: bool,
    pub email: bool,
    pub assignee: bool,
    /// With why it was lost.
    pub status: bool,
    pub won_value: bool,
}

/// What the lead that stays had before, where it took the other's.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Kept {
    name: Option<[String; 2]>,
    phone: Option<KeptPhone>,
    email: Option<KeptEmail>,
    assignee: Option<KeptAssignee>,
    status: Option<KeptStatus>,
    won_value: Option<KeptWonValue>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct KeptPhone {
    phone: Option<Phone>,
    /// A consent belongs to its number.
    consent: Consent,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct KeptEmail {
    email: Option<Email>,
    problem: Option<String>,
    /// Without a number it belongs to the email.
    consent: Option<Consent>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct KeptAssignee {
    user: Option<UserId>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct KeptStatus {
    status: LeadStatus,
    loss: Option<Loss>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct KeptWonValue {
    cents: Option<i64>,
}

/// What of a lead is not in its record.
#[derive(Debug, Clone, PartialEq)]
struct Beside {
    assignee: Option<UserId>,
    loss: Option<Loss>,
    cents: Option<i64>,
}

impl Kept {
    /// `gone`: a merge that ends. Where this one kept the value that the other had given, it keeps what was before that.
    pub fn follow(&mut self, gone: &Self, goes: &Lead, beside: (Option<UserId>, Option<i64>)) {
        if let (Some(own), Some(before)) = (&mut self.name, &gone.name)
            && *own == [goes.first_name.clone(), goes.last_name.clone()]
        {
            own.clone_from(before);
        }
        if let (Some(own), Some(before)) = (&mut self.phone, &gone.phone)
            && own.phone == goes.phone
        {
            own.clone_from(before);
        }
        if let (Some(own), Some(before)) = (&mut self.email, &gone.email)
            && own.email == goes.email
        {
            own.clone_from(before);
        }
        if let (Some(own), Some(before)) = (&mut self.assignee, &gone.assignee)
            && own.user == beside.0
        {
            own.clone_from(before);
        }
        if let (Some(own), Some(before)) = (&mut self.status, &gone.status)
            && own.status == goes.status
        {
            own.clone_from(before);
        }
        if let (Some(own), Some(before)) = (&mut self.won_value, &gone.won_value)
            && own.cents == beside.1
        {
            own.clone_from(before);
        }
    }
}

impl Leads<'_> {
    /// Returns the lead as it is then, and what it had before.
    pub(crate) async fn choose(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        (stays, goes): (&Lead, &Lead),
        choice: MergeChoice,
    ) -> Result<(Lead, Kept), StoreError> {
        let (mut lead, mut kept) = (stays.clone(), Kept::default());
        let (own, other) = (self.beside_in(tx, tenant, stays.id).await?, self.beside_in(tx, tenant, goes.id).await?);
        if choice.name && (&lead.first_name, &lead.last_name) != (&goes.first_name, &goes.last_name) {
            kept.name = Some([lead.first_name, lead.last_name]);
            (lead.first_name, lead.last_name) = (goes.first_name.clone(), goes.last_name.clone());
        }
        if choice.phone && lead.phone.is_some() && goes.phone.is_some() && lead.phone != goes.phone {
            kept.phone = Some(KeptPhone { phone: lead.phone.take(), consent: lead.consent.clone() });
            lead.phone.clone_from(&goes.phone);
            let agreed = self.consent_in(tx, tenant, &lead, &[stays.id, goes.id]).await?;
            // What the homeowner took back later, without saying the number again, stays taken back.
            lead.consent = if agreed.given && !goes.consent.given { goes.consent.clone() } else { agreed };
        }
        if choice.email && lead.email.is_some() && goes.email.is_some() && lead.email != goes.email {
            let consent = lead.phone.is_none().then(|| lead.consent.clone());
            if consent.is_some() {
                // Also where it takes over the other's number below: it is for both then.
                lead.consent.clone_from(&goes.consent);
            }
            kept.email = Some(KeptEmail { email: lead.email, problem: lead.email_problem, consent });
            (lead.email, lead.email_problem) = (goes.email.clone(), goes.email_problem.clone());
        }
        if choice.status && lead.status != goes.status {
            kept.status = Some(KeptStatus { status: lead.status, loss: own.loss.clone() });
            lead.status = goes.status;
            self.put_loss(tx, tenant, stays.id, other.loss.as_ref()).await?;
        }
        if choice.won_value && own.cents != other.cents {
            kept.won_value = Some(KeptWonValue { cents: own.cents });
            put_won_value(tx, stays.id, other.cents).await?;
        }
        if choice.assignee && own.assignee != other.assignee {
            kept.assignee = Some(KeptAssignee { user: own.assignee });
            self.put_assignee(tx, tenant, stays.id, other.assignee).await?;
        }
        if lead != *stays {
            lead.updated_at = self.store.now();
            self.update(tx, tenant, &lead).await?;
        }
        Ok((lead, kept))
    }

    /// Returns the lead as it is then.
    pub(crate) async fn unchoose(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        (stays, goes): (&Lead, &Lead),
        kept: &Kept,
    ) -> Result<Lead, StoreError> {
        let mut lead = stays.clone();
        let (own, other) = (self.beside_in(tx, tenant, stays.id).await?, self.beside_in(tx, tenant, goes.id).await?);
        if let Some([first, last]) = &kept.name
            && (&lead.first_name, &lead.last_name) == (&goes.first_name, &goes.last_name)
        {
            (lead.first_name, lead.last_name) = (first.clone(), last.clone());
        }
        if let Some(before) = kept.phone.clone().filter(|_| lead.phone == goes.phone) {
            (lead.phone, lead.consent) = (before.phone, before.consent);
        }
        if let Some(before) = kept.email.clone().filter(|_| lead.email == goes.email) {
            (lead.email, lead.email_problem) = (before.email, before.problem);
            // Of a number that was typed since, the consent is that of the number.
            let is_of_email = lead.phone.is_none() || lead.phone == goes.phone;
            if let Some(consent) = before.consent.filter(|_| is_of_email) {
                lead.consent = consent;
            }
        }
        if let Some(before) = kept.status.clone().filter(|_| lead.status == goes.status && own.loss == other.loss) {
            lead.status = before.status;
            self.put_loss(tx, tenant, stays.id, before.loss.as_ref()).await?;
        }
        if let Some(before) = kept.won_value.as_ref().filter(|_| own.cents == other.cents) {
            put_won_value(tx, stays.id, before.cents).await?;
        }
        if let Some(before) = kept.assignee.as_ref().filter(|_| own.assignee == other.assignee) {
            self.put_assignee(tx, tenant, stays.id, before.user).await?;
        }
        if lead != *stays {
            lead.updated_at = self.store.now();
            self.update(tx, tenant, &lead).await?;
        }
        Ok(lead)
    }

    /// Assignee and contract amount of a lead, for [`Kept::follow`].
    pub(crate) async fn beside_of(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        lead: LeadId,
    ) -> Result<(Option<UserId>, Option<i64>), StoreError> {
        let Beside { assignee, cents, .. } = self.beside_in(tx, tenant, lead).await?;
        Ok((assignee, cents))
    }

    async fn beside_in(self, tx: &mut Tx<'_>, tenant: &Tenant, lead: LeadId) -> Result<Beside, StoreError> {
        let row = fetch_optional!(
            tx,
            (Option<i64>,),
            "SELECT won_value_cents FROM lead WHERE id = $1 AND account_id = $2",
            lead.to_string(),
            tenant.account.to_string()
        )?;
        Ok(Beside {
            assignee: self.work_in(tx, tenant, lead).await?.assignee.map(|(id, _)| id),
            loss: self.loss_in(tx, tenant, lead).await?,
            cents: row.and_then(|(cents,)| cents),
        })
    }

    /// Somebody who has left meanwhile gets no lead: it is nobody's then.
    async fn put_assignee(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        lead: LeadId,
        to: Option<UserId>,
    ) -> Result<(), StoreError> {
        execute!(
            tx,
            "INSERT INTO lead_work (lead_id, account_id, assignee_id)
             VALUES ($1, $2, (SELECT id FROM portal_user WHERE id = $3 AND account_id = $2 AND disabled_at IS NULL))
                 ON CONFLICT (lead_id) DO UPDATE SET assignee_id = excluded.assignee_id",
            lead.to_string(),
            tenant.account.to_string(),
            to.map(|id| id.to_string())
        )?;
        Ok(())
    }
}

async fn put_won_value(tx: &mut Tx<'_>, lead: LeadId, cents: Option<i64>) -> Result<(), StoreError> {
    execute!(tx, "UPDATE lead SET won_value_cents = $2 WHERE id = $1", lead.to_string(), cents)?;
    Ok(())
}
