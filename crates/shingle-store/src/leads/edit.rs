//! Who a homeowner is and where the roof is, corrected by the company. What was agreed to stays as it was given.
//!
//! # Decision
//!
//! A consent belongs to the number that it was given for. After a correction, the lead claims no consent for the new number,
//! to any program or person that reads it. The evidence never changes and decides anew with each correction, so the old
//! number has its consent again. Turned down: a mark beside the consent, which no webhook's receiver would know.

use shingle_consent::Evidence;
use shingle_domain::lead::{Consent, Lead, ShownEstimate};
use shingle_domain::public::ShownStep;
use shingle_domain::roof::{RoofDrawing, RoofMaterial};
use shingle_domain::{Email, LeadId, Phone, Tenant};

use crate::StoreError;
use crate::audit::change::Change;
use crate::consents::consent::consent;
use crate::encryption::data_key::Field;
use crate::engine::db::{Tx, execute, transact};
use crate::leads::Leads;
use crate::leads::work::EntryKind;
use crate::people::user::User;
use crate::store::to_json;

/// What the company writes over a lead's contact.
#[derive(Clone, PartialEq)]
pub struct ContactEdit {
    pub first_name: String,
    pub last_name: String,
    pub email: Option<Email>,
    pub phone: Option<Phone>,
    /// `None`: the address stays.
    pub home: Option<EditedHome>,
}

/// Another address, with what is known of the roof there.
#[derive(Clone, PartialEq)]
pub struct EditedHome {
    pub address: String,
    pub roof_material: Option<RoofMaterial>,
    pub estimate: Option<ShownEstimate>,
    pub drawing: Option<RoofDrawing>,
    pub shown: Option<ShownStep>,
}

/// The contact as a form showed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenContact {
    pub first_name: String,
    pub last_name: String,
    pub email: String,
    pub phone: String,
    pub address: String,
}

#[derive(Clone, PartialEq)]
pub enum EditOutcome {
    Done(Box<Lead>),
    /// Somebody has changed a field meanwhile that this edit changes too. This is the lead now; nothing was changed.
    Outdated(Box<Lead>),
}

impl SeenContact {
    pub fn of(lead: &Lead) -> Self {
        Self {
            first_name: lead.first_name.clone(),
            last_name: lead.last_name.clone(),
            email: lead.email_text().to_owned(),
            phone: lead.phone.as_ref().map(|phone| phone.as_str().to_owned()).unwrap_or_default(),
            address: lead.address.clone(),
        }
    }

    /// With the names that entries have for the fields.
    pub fn fields(&self) -> [(&'static str, &str); 5] {
        [
            ("firstName", &self.first_name),
            ("lastName", &self.last_name),
            ("phone", &self.phone),
            ("email", &self.email),
            ("address", &self.address),
        ]
    }
}

/// Whether a consent was given for what the lead has now: its number, or where it has none, its email address.
fn is_for(evidence: &Evidence, lead: &Lead) -> bool {
    match &lead.phone {
        Some(phone) => evidence.phone.as_deref().and_then(Phone::parse).as_ref() == Some(phone),
        None => evidence.email.as_deref().is_some_and(|email| email.eq_ignore_ascii_case(lead.email_text())),
    }
}

impl Leads<'_> {
    /// By the last evidence for the contact that the lead has now, of these leads and of those that were merged into them.
    /// Where none fits, the lead's own as one that was not given.
    pub(crate) async fn consent_in(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        lead: &Lead,
        of: &[LeadId],
    ) -> Result<Consent, StoreError> {
        let mut last: Option<Evidence> = None;
        for id in of {
            let evidence = self.store.consents().evidence_of_all(tx, tenant, *id).await?;
            let found = evidence.into_iter().rfind(|evidence| is_for(evidence, lead));
            last = last.into_iter().chain(found).max_by_key(|evidence| evidence.at);
        }
        Ok(last.map_or_else(|| Consent { given: false, ..lead.consent.clone() }, consent))
    }

    /// A field that the form did not change stays as somebody else has set it meanwhile.
    pub async fn edit_contact(
        self,
        tenant: &Tenant,
        id: LeadId,
        by: &User,
        edit: &ContactEdit,
        seen: &SeenContact,
    ) -> Result<EditOutcome, StoreError> {
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let row = id.to_string();
        let home = edit.home.as_ref().filter(|home| home.address != seen.address);
        let sealed = match home {
            None => None,
            Some(home) => {
                let drawing = home.drawing.as_ref().map(serde_json::to_string).transpose()?;
                let shown = home.shown.as_ref().map(to_json).transpose()?.map(|shown| shown.to_string());
                Some((
                    keys.seal_some(Field::LeadDrawing, &row, drawing.as_deref())?,
                    keys.seal_some(Field::LeadShown, &row, shown.as_deref())?,
                ))
            }
        };
        let outcome = transact!(self.store.db, |tx| {
            let old = self.lock_open(tx, tenant, id).await?;
            let now = SeenContact::of(&old);
            let typed = SeenContact {
                first_name: edit.first_name.clone(),
                last_name: edit.last_name.clone(),
                email: edit.email.as_ref().map(|email| email.as_str().to_owned()).unwrap_or_default(),
                phone: edit.phone.as_ref().map(|phone| phone.as_str().to_owned()).unwrap_or_default(),
                address: home.map_or_else(|| seen.address.clone(), |home| home.address.clone()),
            };
            let fields = typed.fields().into_iter().zip(seen.fields()).zip(now.fields());
            let all = fields.map(|(((name, typed), (_, seen)), (_, now))| (name, typed, seen, now));
            let mine: Vec<_> = all.filter(|(_, typed, seen, now)| typed != seen && typed != now).collect();
            if mine.iter().any(|(_, _, seen, now)| seen != now) {
                return Ok(EditOutcome::Outdated(Box::new(old)));
            }
            if mine.is_empty() {
                return Ok(EditOutcome::Done(Box::new(old)));
            }
            let mut lead = old.clone();
            for (name, ..) in &mine {
                match *name {
                    "firstName" => lead.first_name.clone_from(&edit.first_name),
                    "lastName" => lead.last_name.clone_from(&edit.last_name),
                    "phone" => lead.phone.clone_from(&edit.phone),
                    "email" => {
                        lead.email.clone_from(&edit.email);
                        // What a mail server said was of the other address.
                        lead.email_problem = None;
                    }
                    _ => {
                        if let Some(home) = home {
                            lead.address.clone_from(&home.address);
                            // Where no roof is known, what the homeowner was shown stays.
                            if home.estimate.is_some() {
                                lead.estimate.clone_from(&home.estimate);
                                lead.roof_material = home.roof_material;
                            }
                        }
                    }
                }
            }
            if lead.phone != old.phone || lead.email != old.email {
                lead.consent = self.consent_in(tx, tenant, &lead, &[id]).await?;
            }
            lead.updated_at = self.store.now();
            self.update(tx, tenant, &lead).await?;
            if lead.address != old.address {
                let hash = self.store.hashes.address(&lead.address);
                execute!(tx, "UPDATE lead SET address_hash = $2 WHERE id = $1", &row, hash)?;
                if home.is_some_and(|home| home.estimate.is_some()) {
                    let (drawing, shown) = sealed.clone().unwrap_or_default();
                    execute!(tx, "UPDATE lead SET drawing = $2, shown = $3 WHERE id = $1", &row, drawing, shown)?;
                }
            }
            // The link that was mailed to the old address stops working.
            if lead.email != old.email && old.email.is_some() {
                execute!(
                    tx,
                    "UPDATE lead SET link_version = link_version + 1 WHERE id = $1 OR merged_into = $1",
                    &row
                )?;
            }
            for (name, typed, seen, _) in &mine {
                let told = format!("{name}\n{seen}\n{typed}");
                self.add_entry(tx, tenant, id, by, EntryKind::Edited, &told).await?;
            }
            self.store.audit().note_change(tx, tenant.account, Change::LeadEdited, &row, "").await?;
            Ok(EditOutcome::Done(Box::new(lead)))
        })?;
        self.store.wake.notify_one();
        Ok(outcome)
    }
}
