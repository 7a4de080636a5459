//! An inspection that its homeowner books, or moves, to a time that is free.
//!
//! # Decision
//!
//! Whoever books anything of an account holds the account's row until the end of the transaction, colleagues too: so of
//! two who take the last free time one is told, on several nodes as well. Turned down: a unique index on the start,
//! which neither lengths, ways between visits nor several visits at once fit into.

use shingle_domain::appointment::{Appointment, AppointmentState};
use shingle_domain::event::EventKind;
use shingle_domain::free_times::{Span, is_free};
use shingle_domain::inspection::{Inspection, InspectionState, Wish};
use shingle_domain::lead::{Lead, LeadStatus};
use shingle_domain::rules::Booking;
use shingle_domain::settings::SelfBooking;
use shingle_domain::{AppointmentId, LeadId, Tenant, Timestamp, UserId, WidgetId};

use crate::StoreError;
use crate::engine::db::{Tx, execute, fetch_all, transact};
use crate::leads::Leads;
use crate::leads::appointment::{Booked, longest_before, told};
use crate::leads::appointment_notice::Telling;
use crate::leads::photo::photos_in;
use crate::leads::work::EntryKind;
use crate::store::columns;

/// A time that a homeowner picked.
#[derive(Debug, Clone, Copy)]
pub struct PickedTime<'a> {
    /// Its person is the company itself: a colleague goes where the lead has one who is free.
    pub booking: &'a Booking,
    /// The day and its part, as the lead's record has it.
    pub wish: Wish,
    /// The mark of the inspection that the form showed, or nothing.
    pub seen: &'a str,
    pub rules: &'a SelfBooking,
    pub telling: Telling,
}

macro_rules! select_taken {
    () => {
        "SELECT starts_at, ends_at FROM lead_appointment
           JOIN lead ON lead.id = lead_appointment.lead_id JOIN widget ON widget.id = lead.widget_id
          WHERE lead_appointment.account_id = $1 AND lead_appointment.environment = $2 AND stands
            AND starts_at < $4 AND ends_at > $3 AND starts_at > $5 AND lead_appointment.lead_id <> $6
            AND ($7 LIKE '%' || widget.reference_id || '%') = $8
          ORDER BY starts_at"
    };
}

const SELECT_SCOPES: &str =
    "SELECT widgets FROM portal_user WHERE account_id = $1 AND widgets IS NOT NULL AND disabled_at IS NULL";

/// The widgets of the company behind one: those that a client of an agency sees with it, or else those that no client
/// sees.
fn company(scopes: Vec<(String,)>, widget: WidgetId) -> (String, bool) {
    let own = widget.to_string();
    let has = |(scope,): &(String,)| scope.contains(&own);
    let is_clients = scopes.iter().any(has);
    let of: Vec<String> = scopes.into_iter().filter(|scope| !is_clients || has(scope)).map(|(scope,)| scope).collect();
    (of.join(" "), is_clients)
}

fn spans(rows: Vec<(i64, i64)>) -> Vec<Span> {
    rows.into_iter().map(|(from, to)| (Timestamp::from_micros(from), Timestamp::from_micros(to))).collect()
}

impl Leads<'_> {
    /// When the company's people are booked in a span of time, but for this lead's own inspection.
    pub async fn taken_times(self, tenant: &Tenant, lead: &Lead, (from, to): Span) -> Result<Vec<Span>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let scopes = fetch_all!(reader, (String,), SELECT_SCOPES, &account)?;
        let (widgets, is_clients) = company(scopes, lead.widget_id);
        let rows = fetch_all!(
            reader,
            (i64, i64),
            select_taken!(),
            &account,
            environment,
            from.micros(),
            to.micros(),
            longest_before(from),
            lead.id.to_string(),
            widgets,
            is_clients
        )?;
        Ok(spans(rows))
    }

    /// Books the time, or moves the inspection there is. The caller knows that it is the homeowner, and that the company
    /// offers this time. Sent twice it is booked once.
    pub async fn book_as_homeowner(
        self,
        tenant: &Tenant,
        id: LeadId,
        picked: PickedTime<'_>,
    ) -> Result<Booked, StoreError> {
        let done = transact!(self.store.db, |tx| {
            self.lock_calendars(tx, tenant).await?;
            let lead = self.lock(tx, tenant, id).await?.ok_or(StoreError::NotFound)?;
            let now = self.appointment_in(tx, tenant, id).await?;
            let there = now.as_ref().filter(|now| now.state == AppointmentState::Booked);
            if let Some(same) = there.filter(|now| now.time.at == picked.booking.time.at) {
                return Ok(Booked::Done(same.clone()));
            }
            if now.as_ref().map(Appointment::mark).unwrap_or_default() != picked.seen || lead.status == LeadStatus::Spam
            {
                return Ok(Booked::Changed(now));
            }
            // Of leads that are merged, calendars have one inspection.
            if let Some(other) = self.booked_beside(tx, tenant, id).await? {
                return Ok(Booked::Changed(Some(other)));
            }
            if !self.is_free_in(tx, tenant, &lead, &picked).await? {
                return Ok(Booked::Overlaps(Vec::new()));
            }
            let old = now.filter(|now| now.state.stands());
            let booking = self.with_colleague(tx, tenant, &lead, old.as_ref(), &picked).await?;
            let next = self.picked(old.as_ref(), booking)?;
            self.keep(tx, tenant, id, &next).await?;
            let (kind, entry) = match &old {
                None => (EventKind::InspectionBooked, EntryKind::Booked),
                Some(_) => (EventKind::InspectionMoved, EntryKind::Moved),
            };
            self.add_entry_of(tx, tenant, id, "", entry, &told(&next)).await?;
            let lead = self.note_picked(tx, tenant, lead, picked.wish).await?;
            self.tell(tx, tenant, &lead, (old.as_ref(), &next), kind, picked.telling).await?;
            Ok(Booked::Done(next))
        })?;
        self.store.wake.notify_one();
        Ok(done)
    }

    async fn is_free_in(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        lead: &Lead,
        picked: &PickedTime<'_>,
    ) -> Result<bool, StoreError> {
        let (account, environment) = columns(tenant);
        let gap = minutes(picked.rules.travel_minutes);
        let starts = picked.booking.time.at;
        let ends = starts + minutes(picked.booking.minutes);
        let scopes = fetch_all!(tx, (String,), SELECT_SCOPES, &account)?;
        let (widgets, is_clients) = company(scopes, lead.widget_id);
        let rows = fetch_all!(
            tx,
            (i64, i64),
            select_taken!(),
            &account,
            environment,
            (starts - gap).micros(),
            (ends + gap).micros(),
            longest_before(starts - gap),
            lead.id.to_string(),
            widgets,
            is_clients
        )?;
        Ok(is_free((starts, ends), &spans(rows), picked.rules))
    }

    /// Who was to go still goes, or else whose lead it is, if that colleague is free with the way there and back.
    async fn with_colleague(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        lead: &Lead,
        old: Option<&Appointment>,
        picked: &PickedTime<'_>,
    ) -> Result<Booking, StoreError> {
        let stays = self.root_in(tx, tenant.account, lead.id).await?;
        let assignee = self.work_in(tx, tenant, stays).await?.assignee.map(|(user, _)| user);
        let gap = picked.rules.travel_minutes;
        let candidates: [Option<UserId>; 2] = [old.and_then(|old| old.person.user), assignee];
        for user in candidates.into_iter().flatten() {
            let mut booking = picked.booking.clone();
            booking.person.user = Some(user);
            let Some(booking) = self.with_name(tx, lead, tenant, booking).await? else { continue };
            let mut with_ways = booking.clone();
            with_ways.time.at = booking.time.at - minutes(gap);
            with_ways.minutes = booking.minutes.saturating_add(gap.saturating_mul(2));
            if self.at_the_same_time(tx, tenant, lead.id, &with_ways).await?.is_empty() {
                return Ok(booking);
            }
        }
        Ok(picked.booking.clone())
    }

    /// Both sides have agreed: the company by offering the time.
    fn picked(self, old: Option<&Appointment>, booking: Booking) -> Result<Appointment, StoreError> {
        let Booking { time, minutes, person, place, line } = booking;
        let (id, sequence, place, line) = match old {
            None => (AppointmentId(self.store.new_id()?), 0, place, line),
            Some(old) => (old.id, old.sequence + 1, old.place.clone(), old.line.clone()),
        };
        let (now, state) = (self.store.now(), AppointmentState::Booked);
        Ok(Appointment { id, sequence, time, minutes, person, place, line, state, since: now, changed_at: now })
    }

    /// The lead's record says what was picked, as if it had been asked for and confirmed.
    async fn note_picked(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        mut lead: Lead,
        wish: Wish,
    ) -> Result<Lead, StoreError> {
        let now = self.store.now();
        let photos = photos_in(tx, lead.id).await?;
        let asked = lead.inspection.take().unwrap_or_else(|| Inspection::picked(wish, now));
        let state = InspectionState::Confirmed;
        lead.inspection = Some(Inspection { requested_at: now, wishes: vec![wish], photos, state, ..asked });
        lead.updated_at = now;
        self.update(tx, tenant, &lead).await?;
        execute!(tx, "UPDATE lead SET inspection_at = $2 WHERE id = $1", lead.id.to_string(), now.micros())?;
        Ok(lead)
    }
}

fn minutes(of: u16) -> core::time::Duration {
    core::time::Duration::from_secs(u64::from(of) * 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clients_widgets_are_a_company_of_their_own() {
        let [a, b, c] = [1, 2, 3].map(|n: u128| WidgetId(uuid::Uuid::from_u128(n)));
        let scopes = || vec![(format!("{a} {b}"),), (b.to_string(),)];
        assert_eq!(company(scopes(), a), (format!("{a} {b}"), true));
        assert_eq!(company(scopes(), b), (format!("{a} {b} {b}"), true));
        assert_eq!(company(scopes(), c), (format!("{a} {b} {b}"), false), "all but theirs");
        assert_eq!(company(Vec::new(), c), (String::new(), false));
    }
}
