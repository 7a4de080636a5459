//! The inspection that is booked for a lead: booked, moved, canceled, agreed to and over, each change in one transaction
//! with its entry in the timeline and the notices to both sides.

use std::collections::HashMap;

use shingle_domain::appointment::{
    Appointment, AppointmentState, CancelReason, LocalMoment, MAX_MINUTES, Outcome, Side,
};
use shingle_domain::event::EventKind;
use shingle_domain::inspection::{InspectionState, Wish};
use shingle_domain::lead::Lead;
use shingle_domain::rules::Booking;
use shingle_domain::{AppointmentId, LeadId, Tenant, Timestamp, UserId};

use crate::StoreError;
use crate::encryption::data_key::{DataKeys, Field};
use crate::engine::db::{Db, Tx, execute, fetch_all, fetch_optional, transact};
use crate::engine::dialect;
use crate::leads::Leads;
use crate::leads::appointment_notice::Telling;
use crate::leads::work::EntryKind;
use crate::people::user::User;
use crate::store::{columns, from_json, given_ids, parse_id, to_json};

/// What became of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Booked {
    Done(Appointment),
    /// Somebody else was faster: what there is now.
    Changed(Option<Appointment>),
    /// Who should go is not of the company, or no longer.
    NotColleague,
    /// Who should go has these then.
    Overlaps(Vec<(LeadId, Appointment)>),
}

/// A form that books.
#[derive(Debug, Clone, Copy)]
pub struct BookingOrder<'a> {
    pub booking: &'a Booking,
    /// The mark of the inspection that the form showed, or nothing.
    pub seen: &'a str,
    /// Leads whose inspections at the same time were shown, and are wanted.
    pub allowed: &'a [LeadId],
    pub telling: Telling,
}

/// Who cancels.
#[derive(Clone, Copy)]
pub enum Canceler<'a> {
    Colleague {
        user: &'a User,
        /// For the homeowner.
        word: Option<&'a str>,
    },
    Homeowner(Option<CancelReason>),
}

row! {
    struct AppointmentRow {
        lead_id: String,
        record: String,
    }
}

impl AppointmentRow {
    fn read(self, keys: &DataKeys) -> Result<(LeadId, Appointment), StoreError> {
        let record = keys.open(Field::LeadAppointment, &self.lead_id, self.record)?;
        Ok((parse_id("lead", &self.lead_id)?, from_json("appointment of", &self.lead_id, &record)?))
    }
}

macro_rules! select_appointments {
    ($given:expr) => {
        concat!(
            $given,
            "SELECT lead_id, record FROM lead_appointment JOIN given ON given.id = lead_id
              WHERE account_id = $2 AND environment = $3"
        )
    };
}

/// What a list of appointments holds at most.
const MAX_LISTED: i64 = 2_000;

impl Leads<'_> {
    pub async fn appointment(self, tenant: &Tenant, lead: LeadId) -> Result<Option<Appointment>, StoreError> {
        Ok(self.appointments(tenant, &[lead]).await?.remove(&lead))
    }

    /// Those of these leads.
    pub async fn appointments(
        self,
        tenant: &Tenant,
        leads: &[LeadId],
    ) -> Result<HashMap<LeadId, Appointment>, StoreError> {
        let select = match self.store.db {
            Db::Sqlite { .. } => select_appointments!(dialect::given_rows!(sqlite: id text)),
            Db::Postgres(_) => select_appointments!(dialect::given_rows!(postgres: id text)),
        };
        let (account, environment) = columns(tenant);
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(reader, AppointmentRow, select, given_ids(leads)?, &account, environment)?;
        rows.into_iter().map(|row| row.read(&keys)).collect()
    }

    /// Those that stand and begin or end in a span of time, of one person or of everybody: the earliest first.
    pub async fn appointments_between(
        self,
        tenant: &Tenant,
        person: Option<UserId>,
        span: (Timestamp, Timestamp),
    ) -> Result<Vec<(LeadId, Appointment)>, StoreError> {
        let mut all = self.appointments_of_calendar(tenant, person, span).await?;
        all.retain(|(_, appointment)| appointment.state.stands());
        Ok(all)
    }

    /// The same with those that took place: what a calendar shows.
    pub async fn appointments_of_calendar(
        self,
        tenant: &Tenant,
        person: Option<UserId>,
        (from, until): (Timestamp, Timestamp),
    ) -> Result<Vec<(LeadId, Appointment)>, StoreError> {
        let (account, environment) = columns(tenant);
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            AppointmentRow,
            "SELECT lead_id, record FROM lead_appointment
              WHERE account_id = $1 AND environment = $2 AND starts_at < $4 AND ends_at > $3 AND starts_at > $7
                AND ($5 IS NULL OR person_id = $5)
              ORDER BY starts_at, lead_id LIMIT $6",
            &account,
            environment,
            from.micros(),
            until.micros(),
            person.map(|id| id.to_string()),
            MAX_LISTED,
            longest_before(from)
        )?;
        let all: Result<Vec<_>, _> = rows.into_iter().map(|row| row.read(&keys)).collect();
        let mut all = all?;
        all.retain(|(_, appointment)| !matches!(appointment.state, AppointmentState::Canceled { .. }));
        Ok(all)
    }

    /// Books an inspection, or moves the one there is.
    pub async fn book(
        self,
        tenant: &Tenant,
        id: LeadId,
        by: &User,
        order: BookingOrder<'_>,
    ) -> Result<Booked, StoreError> {
        let BookingOrder { booking, seen, allowed, telling } = order;
        let booked = transact!(self.store.db, |tx| {
            self.lock_calendars(tx, tenant).await?;
            let lead = self.lock(tx, tenant, id).await?.ok_or(StoreError::NotFound)?;
            let now = self.appointment_in(tx, tenant, id).await?;
            let Some(booking) = self.with_name(tx, &lead, tenant, booking.clone()).await? else {
                return Ok(Booked::NotColleague);
            };
            // A form that is sent twice books once.
            let asked = |now: &Appointment| matches!(now.state, AppointmentState::OtherAsked { .. });
            if let Some(same) = now.as_ref().filter(|now| now.state.stands() && !asked(now) && says(now, &booking)) {
                return Ok(Booked::Done(same.clone()));
            }
            if now.as_ref().map(Appointment::mark).unwrap_or_default() != seen {
                return Ok(Booked::Changed(now));
            }
            // Of leads that are merged, calendars have one inspection.
            if let Some(other) = self.booked_beside(tx, tenant, id).await? {
                return Ok(Booked::Changed(Some(other)));
            }
            let others = self.at_the_same_time(tx, tenant, id, &booking).await?;
            if others.iter().any(|(lead, _)| !allowed.contains(lead)) {
                return Ok(Booked::Overlaps(others));
            }
            let old = now.filter(|now| now.state.stands());
            let next = self.next(old.as_ref(), booking)?;
            self.keep(tx, tenant, id, &next).await?;
            let (kind, entry) = match &old {
                None => (EventKind::InspectionBooked, EntryKind::Booked),
                Some(_) => (EventKind::InspectionMoved, EntryKind::Moved),
            };
            self.add_entry(tx, tenant, id, by, entry, &told(&next)).await?;
            // Nobody's lead is theirs who go, or else theirs who book.
            let own = (by.account == Some(tenant.account)).then_some(by.id);
            if let Some(to) = next.person.user.or(own) {
                self.give_in(tx, id, tenant.account, to).await?;
            }
            let lead = self.note_on_lead(tx, tenant, lead, Some(by), InspectionState::Confirmed).await?;
            self.tell(tx, tenant, &lead, (old.as_ref(), &next), kind, telling).await?;
            Ok(Booked::Done(next))
        })?;
        self.store.wake.notify_one();
        Ok(booked)
    }

    pub async fn cancel_appointment(
        self,
        tenant: &Tenant,
        id: LeadId,
        by: Canceler<'_>,
        seen: &str,
        telling: Telling,
    ) -> Result<Booked, StoreError> {
        let (side, colleague, word, reason) = match by {
            Canceler::Colleague { user, word } => (Side::Company, Some(user), word, None),
            Canceler::Homeowner(reason) => (Side::Homeowner, None, None, reason),
        };
        let author = colleague.map_or("", |user| user.name.as_str());
        let state = AppointmentState::Canceled { by: side, word: word.map(str::to_owned), reason };
        let why = word.or(reason.map(CancelReason::as_str)).unwrap_or_default();
        let done = transact!(self.store.db, |tx| {
            let (lead, now) = match self.standing(tx, tenant, id, seen).await? {
                Ok(found) => found,
                Err(changed) => return Ok(changed),
            };
            let next = self.changed(&now, state.clone(), now.sequence + 1);
            self.keep(tx, tenant, id, &next).await?;
            let said = [told(&now).as_str(), why].join("\n");
            self.add_entry_of(tx, tenant, id, author, EntryKind::Canceled, said.trim_end()).await?;
            let lead = self.note_on_lead(tx, tenant, lead, colleague, InspectionState::Declined).await?;
            self.tell(tx, tenant, &lead, (None, &next), EventKind::InspectionCanceled, telling).await?;
            Ok(Booked::Done(next))
        })?;
        self.store.wake.notify_one();
        Ok(done)
    }

    /// What became of it, once its time has come.
    pub async fn end_appointment(
        self,
        tenant: &Tenant,
        id: LeadId,
        by: &User,
        outcome: Outcome,
        seen: &str,
    ) -> Result<Booked, StoreError> {
        transact!(self.store.db, |tx| {
            let (lead, now) = match self.standing(tx, tenant, id, seen).await? {
                Ok(found) => found,
                Err(changed) => return Ok(changed),
            };
            if now.time.at > self.store.now() {
                return Ok(Booked::Changed(Some(now)));
            }
            let next = self.changed(&now, AppointmentState::Over { outcome }, now.sequence);
            self.keep(tx, tenant, id, &next).await?;
            let entry = match outcome {
                Outcome::TookPlace => EntryKind::TookPlace,
                Outcome::NobodyHome => EntryKind::NobodyHome,
                Outcome::NotGone => EntryKind::NotGone,
            };
            self.add_entry(tx, tenant, id, by, entry, &told(&now)).await?;
            self.note_on_lead(tx, tenant, lead, Some(by), InspectionState::Confirmed).await?;
            Ok(Booked::Done(next))
        })
    }

    /// The homeowner agrees to the time to which the company moved it. Twice is once.
    pub async fn agree_to_appointment(
        self,
        tenant: &Tenant,
        id: LeadId,
        seen: &str,
        telling: Telling,
    ) -> Result<Booked, StoreError> {
        self.answer(tenant, id, seen, telling, |now| match &now.state {
            AppointmentState::Moved { .. } => {
                Some((AppointmentState::Booked, EventKind::InspectionAgreed, EntryKind::Agreed, told(now)))
            }
            _ => None,
        })
        .await
    }

    /// The homeowner asks for another time. The company has to agree.
    pub async fn ask_other_time(
        self,
        tenant: &Tenant,
        id: LeadId,
        wish: Wish,
        seen: &str,
        telling: Telling,
    ) -> Result<Booked, StoreError> {
        self.answer(tenant, id, seen, telling, |_| {
            let said = format!("{} {}", wish.date, wish.part.as_str());
            Some((AppointmentState::OtherAsked { wish }, EventKind::InspectionOther, EntryKind::OtherTime, said))
        })
        .await
    }

    /// A colleague says that the homeowner knows the time by text; `false`: nothing is booked any more.
    pub async fn note_texted(self, tenant: &Tenant, id: LeadId, by: &User) -> Result<bool, StoreError> {
        transact!(self.store.db, |tx| {
            self.lock(tx, tenant, id).await?.ok_or(StoreError::NotFound)?;
            let now = self.appointment_in(tx, tenant, id).await?.filter(|now| now.state.stands());
            let Some(now) = now else { return Ok(false) };
            let known: Option<(i64,)> = fetch_optional!(
                tx,
                (i64,),
                "SELECT created_at FROM lead_entry
                  WHERE lead_id = $1 AND account_id = $2 AND kind = $3 AND created_at >= $4 LIMIT 1",
                id.to_string(),
                tenant.account.to_string(),
                EntryKind::Texted.as_str(),
                now.since.micros()
            )?;
            if known.is_none() {
                self.add_entry(tx, tenant, id, by, EntryKind::Texted, &told(&now)).await?;
            }
            Ok(true)
        })
    }

    /// What the homeowner says about the one there is.
    async fn answer(
        self,
        tenant: &Tenant,
        id: LeadId,
        seen: &str,
        telling: Telling,
        say: impl Fn(&Appointment) -> Option<(AppointmentState, EventKind, EntryKind, String)> + Send + Sync,
    ) -> Result<Booked, StoreError> {
        let done = transact!(self.store.db, |tx| {
            let (lead, now) = match self.standing(tx, tenant, id, seen).await? {
                Ok(found) => found,
                Err(changed) => return Ok(changed),
            };
            let Some((state, kind, entry, said)) = say(&now).filter(|(state, ..)| *state != now.state) else {
                return Ok(Booked::Done(now));
            };
            let next = self.changed(&now, state, now.sequence);
            self.keep(tx, tenant, id, &next).await?;
            self.add_entry_of(tx, tenant, id, "", entry, &said).await?;
            execute!(tx, "UPDATE lead SET tokens_at = NULL WHERE id = $1", id.to_string())?;
            self.tell(tx, tenant, &lead, (None, &next), kind, telling).await?;
            Ok(Booked::Done(next))
        })?;
        self.store.wake.notify_one();
        Ok(done)
    }

    /// The lead and its appointment, if that is in calendars and what was seen.
    async fn standing(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        id: LeadId,
        seen: &str,
    ) -> Result<Result<(Lead, Appointment), Booked>, StoreError> {
        let lead = self.lock(tx, tenant, id).await?.ok_or(StoreError::NotFound)?;
        let now = self.appointment_in(tx, tenant, id).await?;
        Ok(match now {
            Some(now) if now.state.stands() && now.mark() == seen => Ok((lead, now)),
            now => Err(Booked::Changed(now)),
        })
    }

    pub(crate) async fn appointment_in(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        id: LeadId,
    ) -> Result<Option<Appointment>, StoreError> {
        let (account, environment) = columns(tenant);
        let row = fetch_optional!(
            tx,
            AppointmentRow,
            "SELECT lead_id, record FROM lead_appointment WHERE lead_id = $1 AND account_id = $2 AND environment = $3",
            id.to_string(),
            &account,
            environment
        )?;
        let keys = self.store.encryption().data_keys_in(tx, tenant.account).await?;
        row.map(|row| row.read(&keys).map(|(_, found)| found)).transpose()
    }

    /// With the name of the colleague who goes; `None` if no colleague who sees the lead has that id. Locks the colleague, so two who book
    /// the same person at once see each other.
    pub(super) async fn with_name(
        self,
        tx: &mut Tx<'_>,
        lead: &Lead,
        tenant: &Tenant,
        mut booking: Booking,
    ) -> Result<Option<Booking>, StoreError> {
        let Some(user) = booking.person.user else { return Ok(Some(booking)) };
        let row = fetch_optional!(
            tx,
            (String,),
            "UPDATE portal_user SET name = name WHERE id = $1 AND account_id = $2 AND disabled_at IS NULL
                AND (widgets IS NULL OR widgets LIKE '%' || $3 || '%') RETURNING name",
            user.to_string(),
            tenant.account.to_string(),
            lead.widget_id.to_string()
        )?;
        Ok(row.map(|(name,)| {
            booking.person.name = name;
            booking
        }))
    }

    pub(super) async fn at_the_same_time(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        id: LeadId,
        booking: &Booking,
    ) -> Result<Vec<(LeadId, Appointment)>, StoreError> {
        let Some(user) = booking.person.user else { return Ok(Vec::new()) };
        let (account, environment) = columns(tenant);
        let ends = booking.time.at + std::time::Duration::from_secs(u64::from(booking.minutes) * 60);
        let rows = fetch_all!(
            tx,
            AppointmentRow,
            "SELECT lead_id, record FROM lead_appointment
              WHERE account_id = $1 AND environment = $2 AND stands AND starts_at < $4 AND ends_at > $3 AND starts_at > $7
                AND person_id = $5 AND lead_id <> $6 ORDER BY starts_at",
            &account,
            environment,
            booking.time.at.micros(),
            ends.micros(),
            user.to_string(),
            id.to_string(),
            longest_before(booking.time.at)
        )?;
        let keys = self.store.encryption().data_keys_in(tx, tenant.account).await?;
        rows.into_iter().map(|row| row.read(&keys)).collect()
    }

    /// Until the end of the transaction nobody else books for this account.
    pub(super) async fn lock_calendars(self, tx: &mut Tx<'_>, tenant: &Tenant) -> Result<(), StoreError> {
        // Setting a column to itself is a lock that both engines support.
        execute!(tx, "UPDATE account SET created_at = created_at WHERE id = $1", tenant.account.to_string())?;
        Ok(())
    }

    /// The one that follows from a booking: a new one, or the old one moved.
    fn next(self, old: Option<&Appointment>, booking: Booking) -> Result<Appointment, StoreError> {
        let Booking { time, minutes, person, place, line } = booking;
        let (id, sequence, state) = match old {
            None => (AppointmentId(self.store.new_id()?), 0, AppointmentState::Booked),
            Some(old) => (old.id, old.sequence + 1, moved(old, &time)),
        };
        let now = self.store.now();
        Ok(Appointment { id, sequence, time, minutes, person, place, line, state, since: now, changed_at: now })
    }

    fn changed(self, now: &Appointment, state: AppointmentState, sequence: u32) -> Appointment {
        let at = self.store.now();
        let since = if sequence == now.sequence { now.since } else { at };
        Appointment { state, sequence, since, changed_at: at, ..now.clone() }
    }

    pub(super) async fn keep(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        id: LeadId,
        of: &Appointment,
    ) -> Result<(), StoreError> {
        let (account, environment) = columns(tenant);
        let lead = id.to_string();
        let keys = self.store.encryption().data_keys_in(tx, tenant.account).await?;
        let sealed = keys.seal(Field::LeadAppointment, &lead, &to_json(of)?.to_string())?;
        execute!(
            tx,
            "INSERT INTO lead_appointment (lead_id, account_id, environment, person_id, stands, starts_at, ends_at, record)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
             ON CONFLICT (lead_id) DO UPDATE SET person_id = excluded.person_id, stands = excluded.stands,
                 starts_at = excluded.starts_at, ends_at = excluded.ends_at, record = excluded.record",
            &lead,
            &account,
            environment,
            of.person.user.map(|user| user.to_string()),
            of.state.stands(),
            of.time.at.micros(),
            of.ends_at().micros(),
            sealed
        )?;
        Ok(())
    }

    /// The lead's request is answered, and somebody of the company has worked on the lead.
    async fn note_on_lead(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        old: Lead,
        by: Option<&User>,
        state: InspectionState,
    ) -> Result<Lead, StoreError> {
        let mut lead = old.clone();
        if let Some(asked) = &mut lead.inspection {
            asked.state = state;
        }
        if let Some(by) = by {
            lead.taken_by = lead.taken_by.or_else(|| Some(by.name.as_str().to_owned()));
            lead.first_touch_at = lead.first_touch_at.or(Some(self.store.now()));
        }
        if lead != old {
            lead.updated_at = self.store.now();
            self.update(tx, tenant, &lead).await?;
        }
        Ok(lead)
    }
}

/// None that began earlier reaches to this time: so the index of the beginnings leads to few.
pub(super) fn longest_before(at: Timestamp) -> i64 {
    (at - std::time::Duration::from_secs(u64::from(MAX_MINUTES) * 60)).micros() - 1
}

/// How far a move is agreed: at once, where the homeowner asked for that time, or only something else is changed.
fn moved(old: &Appointment, to: &LocalMoment) -> AppointmentState {
    match &old.state {
        AppointmentState::OtherAsked { wish } if is_within(*wish, to) => AppointmentState::Booked,
        AppointmentState::OtherAsked { .. } if to.at == old.time.at => AppointmentState::Booked,
        state if to.at == old.time.at => state.clone(),
        _ => AppointmentState::Moved { from: old.time.clone() },
    }
}

fn is_within(wish: Wish, time: &LocalMoment) -> bool {
    wish == time.wish()
}

fn says(now: &Appointment, booking: &Booking) -> bool {
    (&now.time, now.minutes, &now.person, &now.place, &now.line)
        == (&booking.time, booking.minutes, &booking.person, &booking.place, &booking.line)
}

/// As the timeline keeps it.
pub(super) fn told(of: &Appointment) -> String {
    format!("{} {} {}", of.time.date, of.time.time, of.person.name)
}
