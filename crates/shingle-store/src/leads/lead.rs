//! Stored leads: reading, changing, erasing. `leads/submission.rs` stores new ones.
//!
//! # Decisions
//!
//! - An erased lead leaves an empty row, so a browser that retries late is told it is gone. Turned down: deleting the
//!   row; the retry would bring the lead back.
//! - A connector's record id is stored on the lead without an event: connectors that listen to changes would call
//!   themselves.

use std::collections::HashMap;

use serde::de::DeserializeOwned;
use shingle_domain::event::EventKind;
use shingle_domain::inspection::InspectionState;
use shingle_domain::lead::{ExternalRecord, Lead, LeadStatus};
use shingle_domain::public::ShownStep;
use shingle_domain::roof::RoofDrawing;
use shingle_domain::{DeliveryId, LeadId, Tenant, Timestamp, UserId, WidgetId};

use crate::StoreError;
use crate::audit::actor::seen_now;
use crate::audit::change::Change;
use crate::consents::consent::erase_consents;
use crate::deliveries::event::EventSubject;
use crate::encryption::data_key::{DataKeys, Field};
use crate::engine::connect;
use crate::engine::cursor::Cursor;
use crate::engine::db::{Db, Tx, execute, fetch_all, fetch_optional, transact};
use crate::engine::dialect;
use crate::leads::Leads;
use crate::leads::facets::erase_facets;
use crate::leads::loss::forget_loss;
use crate::leads::seen::is_seen;
use crate::leads::tag::erase_tags;
use crate::leads::work::{Assignee, EntryKind, erase_work};
use crate::people::user::User;
use crate::store::{columns, from_json, given_ids, parse_id, require_row, to_json};

macro_rules! select_drawings {
    ($given:expr) => {
        concat!(
            $given,
            "SELECT lead.id, lead.drawing FROM lead JOIN given ON given.id = lead.id
              WHERE lead.account_id = $2 AND lead.drawing IS NOT NULL"
        )
    };
}

/// Which leads to list; a field that is `None` does not filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LeadFilter {
    pub widget: Option<WidgetId>,
    pub status: Option<LeadStatus>,
    /// Created at this moment or later.
    pub from: Option<Timestamp>,
    /// Created before this moment.
    pub until: Option<Timestamp>,
    pub assignee: Option<Assignee>,
    /// Not those that were merged into another.
    pub without_merged: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct LeadPage {
    /// Newest first.
    pub leads: Vec<Lead>,
    /// Where the next page begins; `None` on the last.
    pub next: Option<Cursor>,
}

/// What the owner may change.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct OwnerChange {
    pub status: Option<LeadStatus>,
    /// An empty text removes it.
    pub message: Option<String>,
    pub inspection: Option<InspectionState>,
    /// What the status was when its page was shown: one that another has changed meanwhile is left alone.
    pub seen_status: Option<LeadStatus>,
}

const MAX_PAGE_SIZE: u32 = 500;

impl LeadPage {
    /// One more than a page has: it shows whether there is another one.
    pub(crate) fn rows_for(limit: u32) -> i64 {
        i64::from(limit.clamp(1, MAX_PAGE_SIZE)) + 1
    }
}

pub(crate) fn page_of(rows: Vec<LeadRow>, keys: &DataKeys, limit: u32) -> Result<LeadPage, StoreError> {
    let limit = limit.clamp(1, MAX_PAGE_SIZE) as usize;
    let more = rows.len() > limit;
    let leads = rows.into_iter().take(limit).map(|row| row.read(keys)).collect::<Result<Vec<_>, _>>()?;
    let last = leads.last().filter(|_| more);
    let next = last.map(|lead| Cursor { created_at: lead.created_at.micros(), id: lead.id.0 });
    Ok(LeadPage { leads, next })
}

row! {
    pub(crate) struct LeadRow {
        id: String,
        record: String,
    }
}

impl LeadRow {
    pub fn new(id: String, record: String) -> Self {
        Self { id, record }
    }

    pub fn read(self, keys: &DataKeys) -> Result<Lead, StoreError> {
        from_json("lead", &self.id, &keys.open(Field::LeadRecord, &self.id, self.record)?)
    }
}

impl Leads<'_> {
    /// `None` also for a lead that was erased.
    pub async fn find(self, tenant: &Tenant, id: LeadId) -> Result<Option<Lead>, StoreError> {
        let (account, environment) = columns(tenant);
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            LeadRow,
            "SELECT id, record FROM lead
              WHERE id = $1 AND account_id = $2 AND environment = $3 AND record IS NOT NULL",
            id.to_string(),
            &account,
            environment
        )?;
        let found = row.map(|row| row.read(&keys)).transpose()?;
        Ok(found.filter(|lead| seen_now().sees(lead.widget_id)))
    }

    /// One page, newest first. `limit` is held between 1 and 500.
    pub async fn list(
        self,
        tenant: &Tenant,
        filter: &LeadFilter,
        after: Option<Cursor>,
        limit: u32,
    ) -> Result<LeadPage, StoreError> {
        let (account, environment) = columns(tenant);
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let (before, before_id) = after.map_or((i64::MAX, String::new()), |c| (c.created_at, c.id.to_string()));
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            LeadRow,
            concat!("SELECT id, record FROM lead
              WHERE account_id = $1 AND environment = $2
                AND created_at <= $3 AND (created_at < $3 OR id < $4)
                AND created_at >= $5 AND created_at < $6
                AND ($7 IS NULL OR widget_id IN (SELECT id FROM widget WHERE reference_id = $7 AND account_id = $1
                                                                                     AND environment = $2)) AND ($8 IS NULL OR status = $8)
                AND ($10 IS NULL OR COALESCE((SELECT assignee_id FROM lead_work WHERE lead_id = lead.id), '') = $10)
                AND record IS NOT NULL AND (merged_into IS NULL OR NOT $11)
                AND ", is_seen!("widget_id", "$1", "$12"), "
              ORDER BY created_at DESC, id DESC LIMIT $9"),
            &account,
            environment,
            before,
            before_id,
            filter.from.map_or(i64::MIN, Timestamp::micros),
            filter.until.map_or(i64::MAX, Timestamp::micros),
            filter.widget.map(|id| id.to_string()),
            filter.status.map(LeadStatus::as_str),
            LeadPage::rows_for(limit),
            filter.assignee.map(Assignee::column),
            filter.without_merged,
            seen_now().text()
        )?;
        page_of(rows, &keys, limit)
    }

    /// Changes a lead for its owner. A change that changes nothing writes nothing and makes no event.
    ///
    /// # Errors
    /// [`StoreError::NoInspection`] for the answer to a visit that nobody asked for; [`StoreError::Outdated`].
    pub async fn change(self, tenant: &Tenant, id: LeadId, change: &OwnerChange) -> Result<Lead, StoreError> {
        self.change_by(tenant, id, change, None).await
    }

    /// As [`Leads::change`], with the one of the company who did it.
    pub async fn change_by(
        self,
        tenant: &Tenant,
        id: LeadId,
        change: &OwnerChange,
        by: Option<&User>,
    ) -> Result<Lead, StoreError> {
        self.change_given(tenant, id, change, by).await.map(|(lead, _)| lead)
    }

    /// As [`Leads::change_by`], with who got a lead that is spam no more, by the company's rules.
    pub async fn change_given(
        self,
        tenant: &Tenant,
        id: LeadId,
        change: &OwnerChange,
        by: Option<&User>,
    ) -> Result<(Lead, Option<UserId>), StoreError> {
        self.edit_lead(tenant, id, by, |lead| {
            let status = change.status.unwrap_or(lead.status);
            if status != lead.status && change.seen_status.is_some_and(|seen| seen != lead.status) {
                return Err(StoreError::Outdated);
            }
            if status != lead.status {
                lead.first_touch_at = lead.first_touch_at.or(Some(self.store.now()));
            }
            lead.status = status;
            if let Some(message) = &change.message {
                lead.message = Some(message.clone()).filter(|text| !text.is_empty());
            }
            if let Some(state) = change.inspection {
                lead.inspection.as_mut().ok_or(StoreError::NoInspection)?.state = state;
            }
            Ok(())
        })
        .await
    }

    /// Somebody of the company takes the lead, or the one it was merged into. The first one stays recorded.
    pub async fn take_lead(self, tenant: &Tenant, id: LeadId, by: &str) -> Result<Lead, StoreError> {
        let id = self.merged_into(tenant, id).await?.unwrap_or(id);
        self.take(tenant, id, by, None).await
    }

    /// As [`Leads::take_lead`], by a user of the portal: a lead of nobody is theirs then.
    pub async fn take_lead_by(self, tenant: &Tenant, id: LeadId, by: &User) -> Result<Lead, StoreError> {
        let lead = self.take(tenant, id, by.name.as_str(), Some(by)).await?;
        if lead.taken_by.as_deref() == Some(by.name.as_str()) && by.account == Some(tenant.account) {
            self.give_to_taker(id, tenant.account, by.id).await?;
        }
        Ok(lead)
    }

    async fn take(self, tenant: &Tenant, id: LeadId, name: &str, by: Option<&User>) -> Result<Lead, StoreError> {
        self.edit_lead(tenant, id, by, |lead| {
            if lead.taken_by.is_none() {
                lead.taken_by = Some(name.to_owned());
                lead.first_touch_at = lead.first_touch_at.or(Some(self.store.now()));
            }
            Ok(())
        })
        .await
        .map(|(lead, _)| lead)
    }

    /// The homeowner's mail server refuses mail for good. Told once for each lead.
    pub async fn mark_email_problem(self, tenant: &Tenant, id: LeadId, reply: &str) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            let mut lead = self.lock(tx, tenant, id).await?.ok_or(StoreError::NotFound)?;
            if lead.email_problem.is_some() {
                return Ok(());
            }
            self.note_email_problem(tx, tenant, &mut lead, reply).await
        })?;
        self.store.wake.notify_one();
        Ok(())
    }

    /// Of a lead that is locked.
    pub(crate) async fn note_email_problem(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        lead: &mut Lead,
        reply: &str,
    ) -> Result<(), StoreError> {
        lead.email_problem = Some(reply.to_owned());
        lead.updated_at = self.store.now();
        self.update(tx, tenant, lead).await?;
        let data = serde_json::json!({ "leadId": lead.id, "reply": reply, "at": self.store.now() });
        self.store.deliveries().record_event(tx, tenant, subject(EventKind::MailRefused, lead), &data).await
    }

    /// Keeps the id of the record that a connector made of the lead. It does not change the lead, so there is no event:
    /// connectors that listen to changes would call themselves.
    pub(crate) async fn keep_external_record(
        self,
        tx: &mut Tx<'_>,
        delivery: DeliveryId,
        record: &ExternalRecord,
    ) -> Result<(), StoreError> {
        let row = fetch_optional!(
            tx,
            (String, String, String),
            "UPDATE lead SET status = status
              WHERE record IS NOT NULL AND id IN (SELECT resource_id FROM delivery WHERE id = $1)
             RETURNING account_id, id, record",
            delivery.to_string()
        )?;
        let Some((account, id, stored)) = row else { return Ok(()) };
        let keys = self.store.encryption().data_keys_in(tx, parse_id("account", &account)?).await?;
        let mut lead = LeadRow { id: id.clone(), record: stored }.read(&keys)?;
        lead.records.retain(|known| known.system != record.system);
        lead.records.push(record.clone());
        let sealed = keys.seal(Field::LeadRecord, &id, &to_json(&lead)?.to_string())?;
        execute!(tx, "UPDATE lead SET record = $2 WHERE id = $1", id, sealed)?;
        Ok(())
    }

    /// The id of the lead that came last, spam aside.
    pub async fn newest(self, tenant: &Tenant) -> Result<Option<String>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (String,),
            "SELECT id FROM lead WHERE account_id = $1 AND environment = $2 AND status <> 'spam'
              ORDER BY created_at DESC, id DESC LIMIT 1",
            &account,
            environment
        )?;
        Ok(row.map(|(id,)| id))
    }

    /// For an operator's tool, which is given the id alone.
    pub async fn tenant_of(self, id: LeadId) -> Result<Option<Tenant>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (String, String),
            "SELECT account_id, environment FROM lead WHERE id = $1 AND record IS NOT NULL",
            id.to_string()
        )?;
        row.map(|(account, environment)| {
            Ok(Tenant { account: parse_id("account", &account)?, environment: parse_id("environment", &environment)? })
        })
        .transpose()
    }

    /// The drawing that was shown with the lead.
    pub async fn drawing(self, tenant: &Tenant, id: LeadId) -> Result<Option<RoofDrawing>, StoreError> {
        let sql = "SELECT drawing FROM lead WHERE id = $1 AND account_id = $2 AND environment = $3";
        self.shown_with_lead(tenant, id, sql, Field::LeadDrawing, "drawing of lead").await
    }

    /// Those of several leads, whatever the environment; leads without one are left out.
    pub async fn drawings(self, tenant: &Tenant, leads: &[LeadId]) -> Result<HashMap<LeadId, RoofDrawing>, StoreError> {
        let select = match self.store.db {
            Db::Sqlite { .. } => select_drawings!(dialect::given_rows!(sqlite: id text)),
            Db::Postgres(_) => select_drawings!(dialect::given_rows!(postgres: id text)),
        };
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let mut reader = self.store.db.read().await?;
        let account = tenant.account.to_string();
        let rows = fetch_all!(reader, (String, String), select, given_ids(leads)?, account)?;
        let drawing = |(id, text): (String, String)| {
            let text = keys.open(Field::LeadDrawing, &id, text)?;
            Ok((parse_id("lead", &id)?, from_json("drawing of lead", &id, &text)?))
        };
        rows.into_iter().map(drawing).collect()
    }

    /// The step that was shown with the lead; none for leads without a price.
    pub async fn shown(self, tenant: &Tenant, id: LeadId) -> Result<Option<ShownStep>, StoreError> {
        let sql = "SELECT shown FROM lead WHERE id = $1 AND account_id = $2 AND environment = $3";
        self.shown_with_lead(tenant, id, sql, Field::LeadShown, "estimate of lead").await
    }

    async fn shown_with_lead<T: DeserializeOwned>(
        self,
        tenant: &Tenant,
        id: LeadId,
        sql: &'static str,
        field: Field,
        what: &'static str,
    ) -> Result<Option<T>, StoreError> {
        let (account, environment) = columns(tenant);
        let id = id.to_string();
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(reader, (Option<String>,), sql, &id, &account, environment)?;
        let Some((Some(text),)) = row else { return Ok(None) };
        let text = self.store.encryption().data_keys(tenant.account).await?.open(field, &id, text)?;
        from_json(what, &id, &text).map(Some)
    }

    async fn edit_lead(
        self,
        tenant: &Tenant,
        id: LeadId,
        by: Option<&User>,
        edit: impl Fn(&mut Lead) -> Result<(), StoreError> + Send + Sync,
    ) -> Result<(Lead, Option<UserId>), StoreError> {
        let changed = transact!(self.store.db, |tx| {
            let old = match by {
                Some(_) => self.lock_open(tx, tenant, id).await?,
                None => self.lock(tx, tenant, id).await?.ok_or(StoreError::NotFound)?,
            };
            let mut lead = old.clone();
            edit(&mut lead)?;
            // Both calendars have it: it is canceled, not declined.
            let declined = |lead: &Lead| lead.inspection.as_ref().map(|asked| asked.state == InspectionState::Declined);
            if declined(&lead) == Some(true)
                && declined(&old) == Some(false)
                && self.appointment_in(tx, tenant, id).await?.is_some_and(|now| now.state.stands())
            {
                return Err(StoreError::InspectionBooked);
            }
            if lead != old {
                lead.updated_at = self.store.now();
                self.update(tx, tenant, &lead).await?;
            }
            if lead.status != old.status && old.status == LeadStatus::Lost {
                forget_loss(tx, id).await?;
            }
            if let Some(by) = by {
                if lead.taken_by != old.taken_by {
                    self.add_entry(tx, tenant, id, by, EntryKind::Taken, "").await?;
                }
                if lead.status != old.status {
                    self.add_entry(tx, tenant, id, by, EntryKind::Status, lead.status.as_str()).await?;
                }
            }
            // What is won or lost at once is nobody's turn.
            let is_open = matches!(lead.status, LeadStatus::New | LeadStatus::Contacted | LeadStatus::Qualified);
            let is_released = old.status == LeadStatus::Spam && is_open;
            let given = match is_released && self.work_in(tx, tenant, id).await?.assignee.is_none() {
                true => self.give_by_rules(tx, vec![(*tenant, &lead)]).await?,
                false => Vec::new(),
            };
            Ok((lead, given.first().map(|given| given.to)))
        })?;
        self.store.wake.notify_one();
        Ok(changed)
    }

    /// Stores a changed lead, with its hashes and its `lead.updated` event.
    pub(crate) async fn update(self, tx: &mut Tx<'_>, tenant: &Tenant, lead: &Lead) -> Result<(), StoreError> {
        let (id, data) = (lead.id.to_string(), to_json(lead)?);
        let sealed = self.store.encryption().data_keys_in(tx, tenant.account).await?.seal(
            Field::LeadRecord,
            &id,
            &data.to_string(),
        )?;
        execute!(
            tx,
            "UPDATE lead SET status = $2, record = $3, email_hash = $4, phone_hash = $5, updated_at = $6, tokens_at = NULL
              WHERE id = $1",
            id,
            lead.status.as_str(),
            sealed,
            lead.email.as_ref().map(|email| self.store.hashes.email(email)),
            lead.phone.as_ref().map(|phone| self.store.hashes.phone(phone)),
            lead.updated_at.micros()
        )?;
        self.store.deliveries().record_event(tx, tenant, subject(EventKind::LeadUpdated, lead), &data).await
    }

    /// Removes all personal data: the record, its drawing, its hashes, who consented to what, the payloads of its events and
    /// what was sent of them. What is still on its way is not sent.
    /// It stays known that there was a lead, when, and for which widget. SQLite overwrites the data on disk before
    /// this returns; PostgreSQL drops it with its next vacuum. The caller deletes the blobs of
    /// [`Leads::removed_photos`] then. The leads that were merged into it are erased with it.
    pub async fn erase(self, tenant: &Tenant, id: LeadId) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            // Nothing is merged into it from here on.
            let sql = "UPDATE lead SET status = status WHERE id = $1 AND account_id = $2";
            execute!(tx, sql, id.to_string(), tenant.account.to_string())?;
            self.sees_all_merged(tx, tenant, id).await?;
            for merged in self.merged_in(tx, tenant, id).await? {
                self.erase_in(tx, tenant, merged).await?;
            }
            self.erase_in(tx, tenant, id).await
        })?;
        connect::truncate_log(&self.store.db).await?;
        Ok(())
    }

    async fn erase_in(self, tx: &mut Tx<'_>, tenant: &Tenant, id: LeadId) -> Result<(), StoreError> {
        self.leave_merge(tx, tenant, id).await?;
        let (account, environment) = columns(tenant);
        let (id, now) = (id.to_string(), self.store.now());
        require_row(execute!(
            tx,
            "UPDATE lead SET record = NULL, drawing = NULL, shown = NULL, address_hash = NULL, email_hash = NULL, phone_hash = NULL,
                             inspection_at = NULL, updated_at = $4, erased_at = $4
              WHERE id = $1 AND account_id = $2 AND environment = $3 AND record IS NOT NULL",
            &id,
            &account,
            environment,
            now.micros()
        )?)?;
        erase_consents(tx, &id, now).await?;
        execute!(tx, "DELETE FROM lead_token WHERE lead IN (SELECT number FROM lead_facet WHERE lead_id = $1)", &id)?;
        erase_facets(tx, &id, now).await?;
        execute!(tx, "DELETE FROM portal_lead_view WHERE lead_id = $1", &id)?;
        erase_work(tx, &id).await?;
        erase_tags(tx, &id).await?;
        execute!(tx, "DELETE FROM lead_import_lead WHERE lead_id = $1", &id)?;
        execute!(tx, "UPDATE lead_photo SET state = 'removed' WHERE lead_id = $1", &id)?;
        execute!(tx, "UPDATE lead_file SET name = '', author = '', state = 'removed' WHERE lead_id = $1", &id)?;
        execute!(tx, "UPDATE event SET payload = NULL WHERE resource_id = $1", &id)?;
        execute!(tx, "UPDATE delivery SET progress = NULL, reason = 'erased' WHERE resource_id = $1", &id)?;
        execute!(
            tx,
            "UPDATE delivery SET state = 'skipped', completed_at = $2
              WHERE resource_id = $1 AND state IN ('pending', 'waiting')",
            &id,
            now.micros()
        )?;
        execute!(
            tx,
            "DELETE FROM homeowner_copy WHERE delivery_id IN (SELECT id FROM delivery WHERE resource_id = $1)",
            &id
        )?;
        // Last: a result that is being stored holds its delivery, so its attempt is there by now. What a mail server
        // says names the address.
        execute!(
            tx,
            "UPDATE attempt SET exchange = NULL, cause = CASE WHEN cause IS NULL THEN NULL ELSE 'erased' END WHERE delivery_id IN (SELECT id FROM delivery WHERE resource_id = $1)",
            &id
        )?;
        self.store.audit().note_change(tx, tenant.account, Change::LeadErased, &id, "").await
    }

    /// Reads a lead and locks it against other changes until the transaction ends.
    pub(crate) async fn lock(self, tx: &mut Tx<'_>, tenant: &Tenant, id: LeadId) -> Result<Option<Lead>, StoreError> {
        let (account, environment) = columns(tenant);
        // Setting a column to itself is a lock that both engines support.
        let row = fetch_optional!(
            tx,
            LeadRow,
            "UPDATE lead SET status = status
              WHERE id = $1 AND account_id = $2 AND environment = $3 AND record IS NOT NULL RETURNING id, record",
            id.to_string(),
            &account,
            environment
        )?;
        let Some(row) = row else { return Ok(None) };
        let lead = row.read(&*self.store.encryption().data_keys_in(tx, tenant.account).await?)?;
        Ok(Some(lead).filter(|lead| seen_now().sees(lead.widget_id)))
    }
}

pub(crate) fn subject(kind: EventKind, lead: &Lead) -> EventSubject {
    EventSubject { kind, resource: lead.id.0, widget: Some(lead.widget_id), spam: lead.status == LeadStatus::Spam }
}
