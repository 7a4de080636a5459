//! Emails about an inspection: one event for each recipient, delivered like every other mail, so a restart loses none and
//! none is sent twice.
//!
//! # Decision
//!
//! A reminder is a delivery that is due later; whether it is still wanted is decided when it is due, by the sequence that
//! it was made for. Turned down: deleting planned reminders when an inspection is moved, which loses the race with the
//! worker that sends them.

use serde::{Deserialize, Serialize};
use shingle_domain::appointment::{Appointment, AppointmentState};
use shingle_domain::event::EventKind;
use shingle_domain::lead::Lead;
use shingle_domain::{AppointmentId, DestinationId, Tenant, Timestamp, UserId};

use crate::StoreError;
use crate::deliveries::event::EventSubject;
use crate::destinations::destination::{Destination, DestinationDraft};
use crate::destinations::kind::DestinationKind;
use crate::destinations::mailbox::MAIL_TIMEOUT_SECONDS;
use crate::engine::db::Tx;
use crate::leads::Leads;
use crate::leads::lead::subject;

/// Who gets an email about a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Telling {
    pub homeowner: bool,
    pub team: bool,
    /// When both sides are reminded.
    pub remind_at: Option<Timestamp>,
}

/// Who gets one of these mails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Addressee {
    Homeowner,
    Colleague(UserId),
    /// Was to go until this change.
    Former(UserId),
    /// The widget's `companyEmail`, where no colleague has to do with it.
    Company,
}

/// `data` of the events about an inspection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AppointmentNotice {
    pub appointment: AppointmentId,
    pub sequence: u32,
    pub to: Addressee,
    /// A change of who goes, where or how long is no new time.
    #[serde(default)]
    pub keeps_time: bool,
}

/// The address of the destination of all homeowners, and of that of all colleagues.
pub const APPOINTMENTS_OF_HOMEOWNERS: &str = "homeowner";
const TEAM: &str = "team";

impl Leads<'_> {
    pub(crate) async fn tell(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        lead: &Lead,
        (old, of): (Option<&Appointment>, &Appointment),
        kind: EventKind,
        telling: Telling,
    ) -> Result<(), StoreError> {
        let mut addressees = Vec::new();
        // What homeowners did themselves they know, but for what leaves their calendar.
        if telling.homeowner && !matches!(kind, EventKind::InspectionAgreed | EventKind::InspectionOther) {
            addressees.push(Addressee::Homeowner);
        }
        if telling.team {
            let stays = self.root_in(tx, tenant.account, lead.id).await?;
            let assignee = self.work_in(tx, tenant, stays).await?.assignee.map(|(id, _)| id);
            let former = old.and_then(|old| old.person.user).filter(|user| of.person.user != Some(*user));
            let mut team: Vec<UserId> = of.person.user.into_iter().chain(assignee).collect();
            team.dedup();
            // The assignee keeps the entry; its title names the person who goes.
            let former = former.filter(|user| !team.contains(user));
            match team.is_empty() {
                true => addressees.push(Addressee::Company),
                false => addressees.extend(team.into_iter().map(Addressee::Colleague)),
            }
            addressees.extend(former.map(Addressee::Former));
        }
        let steps = self.reminder_step(of, telling.remind_at);
        let keeps_time = old.is_some_and(|old| old.time.at == of.time.at);
        for to in addressees {
            let (address, name) = match to {
                Addressee::Homeowner => (APPOINTMENTS_OF_HOMEOWNERS, "Inspections, to homeowners"),
                _ => (TEAM, "Inspections, to the team"),
            };
            let destination = self.team_mailbox(tx, tenant, (address, name)).await?;
            let notice = AppointmentNotice { appointment: of.id, sequence: of.sequence, to, keeps_time };
            self.write_notice(tx, &destination, (lead, kind), notice, 0).await?;
            if let Some(step) = steps.filter(|_| !matches!(to, Addressee::Former(_))) {
                self.write_notice(tx, &destination, (lead, EventKind::InspectionReminder), notice, step).await?;
            }
        }
        Ok(())
    }

    /// Minutes from now.
    fn reminder_step(self, of: &Appointment, at: Option<Timestamp>) -> Option<u32> {
        let wanted = matches!(of.state, AppointmentState::Booked | AppointmentState::Moved { .. });
        let seconds = at.filter(|_| wanted)?.seconds() - self.store.now().seconds();
        u32::try_from(seconds).ok().filter(|seconds| *seconds > 0).map(|seconds| seconds.div_ceil(60))
    }

    async fn write_notice(
        self,
        tx: &mut Tx<'_>,
        destination: &Destination,
        (lead, kind): (&Lead, EventKind),
        notice: AppointmentNotice,
        step: u32,
    ) -> Result<(), StoreError> {
        let about: EventSubject = subject(kind, lead);
        let data = serde_json::to_value(notice)?;
        let deliveries = self.store.deliveries();
        let event = deliveries.write_event(tx, &destination.tenant, about, &data).await?;
        deliveries.write_delivery(tx, destination, about, &event, step).await?;
        Ok(())
    }

    /// Made when it is first needed.
    pub(crate) async fn team_mailbox(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        (address, name): (&'static str, &'static str),
    ) -> Result<Destination, StoreError> {
        let destinations = self.store.destinations();
        let known = destinations.destinations_in(tx, tenant).await?;
        let own = |of: &Destination| of.draft.kind == DestinationKind::Appointment && of.draft.address == address;
        if let Some(found) = known.into_iter().find(own) {
            return Ok(found);
        }
        let draft = DestinationDraft {
            kind: DestinationKind::Appointment,
            name: name.to_owned(),
            address: address.to_owned(),
            events: Vec::new(),
            widgets: Vec::new(),
            active: true,
            ordered: false,
            timeout_seconds: MAIL_TIMEOUT_SECONDS,
            config: "{}".to_owned(),
            secrets: None,
        };
        destinations.insert(tx, tenant, DestinationId(self.store.new_id()?), &draft).await
    }
}
