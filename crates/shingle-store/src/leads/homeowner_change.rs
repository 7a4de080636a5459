//! A homeowner's later changes to a lead, and the requested visit.

use shingle_domain::answers::AnswersChange;
use shingle_domain::event::EventKind;
use shingle_domain::inspection::{Inspection, InspectionState, Photo};
use shingle_domain::lead::{ContactTime, Lead};
use shingle_domain::roof::RoofMaterial;
use shingle_domain::rules::InspectionWishes;
use shingle_domain::{LeadId, Tenant, Timestamp};

use crate::StoreError;
use crate::engine::db::{execute, transact};
use crate::leads::Leads;
use crate::leads::lead::subject;
use crate::leads::photo::photos_in;

/// What the homeowner may change later. `None` leaves a field as it is.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct HomeownerChange {
    pub roof_material: Option<RoofMaterial>,
    pub preferred_contact_time: Option<ContactTime>,
    pub message: Option<String>,
    /// Replaces what was asked before.
    pub inspection: Option<InspectionWishes>,
    pub answers: Option<AnswersChange>,
}

impl Leads<'_> {
    /// Changes a lead for the homeowner. The caller must know that it is the homeowner. A visit that is asked for is also
    /// an event of its own, for people notified of leads.
    ///
    /// # Errors
    /// [`StoreError::InspectionConfirmed`] for other wishes than those that the company has confirmed.
    pub async fn change_as_homeowner(
        self,
        tenant: &Tenant,
        id: LeadId,
        change: &HomeownerChange,
    ) -> Result<Lead, StoreError> {
        let lead = transact!(self.store.db, |tx| {
            let old = self.lock(tx, tenant, id).await?.ok_or(StoreError::NotFound)?;
            let mut lead = old.clone();
            lead.roof_material = change.roof_material.or(lead.roof_material);
            lead.preferred_contact_time = change.preferred_contact_time.or(lead.preferred_contact_time);
            lead.message = change.message.clone().or_else(|| lead.message.take());
            if let Some(answers) = &change.answers {
                answers.apply(&mut lead.answers);
            }
            let asked = match &change.inspection {
                Some(wishes) if !asks_the_same(&old, wishes) => {
                    if old.inspection.as_ref().is_some_and(Inspection::is_confirmed) {
                        return Err(StoreError::InspectionConfirmed);
                    }
                    let photos = photos_in(tx, id).await?;
                    lead.inspection = Some(inspection(wishes, photos, self.store.now()));
                    true
                }
                _ => false,
            };
            if lead != old {
                lead.updated_at = self.store.now();
                self.update(tx, tenant, &lead).await?;
            }
            // Once: its notices wait a minute for the other answers.
            if old.answers.is_empty() && !lead.answers.is_empty() {
                let data = serde_json::json!({ "leadId": id, "at": self.store.now() });
                self.store
                    .deliveries()
                    .record_event(tx, tenant, subject(EventKind::LeadAnswered, &lead), &data)
                    .await?;
            }
            if asked {
                execute!(
                    tx,
                    "UPDATE lead SET inspection_at = $2 WHERE id = $1",
                    id.to_string(),
                    self.store.now().micros()
                )?;
                let data = serde_json::json!({ "leadId": id, "at": self.store.now() });
                self.store
                    .deliveries()
                    .record_event(tx, tenant, subject(EventKind::InspectionAsked, &lead), &data)
                    .await?;
            }
            Ok(lead)
        })?;
        self.store.wake.notify_one();
        Ok(lead)
    }
}

/// Whether these very wishes wait for an answer, or have one. A request that is sent twice is one request.
fn asks_the_same(lead: &Lead, wishes: &InspectionWishes) -> bool {
    lead.inspection.as_ref().is_some_and(|known| {
        known.state != InspectionState::Declined
            && (&known.wishes, known.contact_by, &known.note) == (&wishes.wishes, wishes.contact_by, &wishes.note)
    })
}

fn inspection(wishes: &InspectionWishes, photos: Vec<Photo>, now: Timestamp) -> Inspection {
    Inspection {
        requested_at: now,
        wishes: wishes.wishes.clone(),
        contact_by: wishes.contact_by,
        note: wishes.note.clone(),
        photos,
        state: InspectionState::Asked,
    }
}
