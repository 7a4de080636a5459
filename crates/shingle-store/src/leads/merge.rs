//! Leads of one homeowner, merged into one that stays.
//!
//! # Decision
//!
//! Nothing moves: a merged lead keeps its rows, with the one that stays in `lead.merged_into`, and the page of that one
//! shows both. So undoing restores both as they are, every consent stays with the lead and the number it was given for, and
//! the links that the homeowner has keep working. What the lead that stays takes over, because it has none, is named in
//! `lead_merge` and given back. Turned down: moving rows, with a journal of where they came from; deleting the merged lead.

use std::collections::HashMap;

use shingle_domain::appointment::Appointment;
use shingle_domain::lead::{Lead, LeadStatus};
use shingle_domain::{AccountId, LeadId, Tenant, Timestamp};

use crate::StoreError;
use crate::audit::actor::seen_now;
use crate::audit::change::Change;
use crate::encryption::data_key::{DataKeys, Field};
use crate::engine::db::{Db, Tx, execute, fetch_all, fetch_optional, transact};
use crate::engine::dialect;
use crate::leads::Leads;
use crate::leads::lead::LeadRow;
use crate::leads::merge_choice::{Kept, MergeChoice};
use crate::leads::merge_taken::Taken;
use crate::leads::reference::reference;
use crate::leads::seen::is_seen;
use crate::leads::work::EntryKind;
use crate::people::user::User;
use crate::store::{columns, given_ids, parse_id};

/// A lead that was merged into another.
#[derive(Debug, Clone, PartialEq)]
pub struct MergedLead {
    pub lead: Lead,
    /// Into which one: the lead that stays, or one that was merged into that.
    pub into: LeadId,
    pub at: Timestamp,
}

/// What became of a merge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MergeOutcome {
    Done,
    /// One of the two was changed after it was shown. Nothing was changed.
    Outdated,
    /// One of the two is merged into another lead already.
    Merged,
    /// Calendars have an inspection of each.
    BothBooked,
    /// They came through two widgets, and somebody sees one of the two alone.
    OtherWidget,
    /// One of the two is spam.
    Spam,
}

row! {
    struct MergedRow {
        id: String,
        record: String,
        into_id: String,
        merged_at: i64,
    }
}

macro_rules! select_merged {
    ($given:expr) => {
        concat!(
            $given,
            "SELECT lead.id AS id, merged_into FROM given JOIN lead ON merged_into = given.id
              WHERE account_id = $2 AND record IS NOT NULL
                AND ",
            is_seen!("widget_id", "$2", "$3"),
            "
              ORDER BY lead.id DESC"
        )
    };
}

impl Leads<'_> {
    /// The lead that stays; `None`: this one is not merged.
    pub async fn merged_into(self, tenant: &Tenant, lead: LeadId) -> Result<Option<LeadId>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (Option<String>,),
            "SELECT merged_into FROM lead WHERE id = $1 AND account_id = $2 AND environment = $3",
            lead.to_string(),
            &account,
            environment
        )?;
        row.and_then(|(into,)| into).map(|into| parse_id("lead", &into)).transpose()
    }

    /// Those that were merged into this one, the last first.
    pub async fn merged_with(self, tenant: &Tenant, lead: LeadId) -> Result<Vec<MergedLead>, StoreError> {
        let (account, environment) = columns(tenant);
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            MergedRow,
            "SELECT lead.id AS id, record, into_id, merged_at FROM lead JOIN lead_merge ON lead_merge.lead_id = lead.id
              WHERE merged_into = $1 AND lead.account_id = $2 AND environment = $3 AND record IS NOT NULL
              ORDER BY merged_at DESC, lead.id DESC",
            lead.to_string(),
            &account,
            environment
        )?;
        let seen = seen_now();
        let read = |MergedRow { id, record, into_id, merged_at }: MergedRow| {
            Ok(MergedLead {
                lead: LeadRow::new(id, record).read(&keys)?,
                into: parse_id("lead", &into_id)?,
                at: Timestamp::from_micros(merged_at),
            })
        };
        let all = rows.into_iter().map(read).collect::<Result<Vec<MergedLead>, StoreError>>()?;
        Ok(all.into_iter().filter(|merged| seen.sees(merged.lead.widget_id)).collect())
    }

    /// Those that were merged into these leads, each with the one that stays.
    pub(crate) async fn merged_of(
        self,
        tenant: &Tenant,
        leads: &[LeadId],
    ) -> Result<HashMap<LeadId, LeadId>, StoreError> {
        let select = match self.store.db {
            Db::Sqlite { .. } => select_merged!(dialect::given_rows!(sqlite: id text)),
            Db::Postgres(_) => select_merged!(dialect::given_rows!(postgres: id text)),
        };
        // What the company writes belongs to the account: a table of test leads asks with another environment.
        let mut reader = self.store.db.read().await?;
        let (account, seen) = (tenant.account.to_string(), seen_now().text());
        let rows = fetch_all!(reader, (String, String), select, given_ids(leads)?, account, seen)?;
        rows.iter().map(|(id, into)| Ok((parse_id("lead", id)?, parse_id("lead", into)?))).collect()
    }

    /// The inspections of these leads, or else of those that were merged into them.
    pub async fn appointments_shown(
        self,
        tenant: &Tenant,
        leads: &[LeadId],
    ) -> Result<HashMap<LeadId, Appointment>, StoreError> {
        let merged = self.merged_of(tenant, leads).await?;
        let mut shown = self.appointments(tenant, leads).await?;
        if merged.is_empty() {
            return Ok(shown);
        }
        let ids: Vec<LeadId> = merged.keys().copied().collect();
        for (id, appointment) in self.appointments(tenant, &ids).await? {
            let Some(stays) = merged.get(&id) else { continue };
            let is_better = shown.get(stays).is_none_or(|own| !own.state.stands() && appointment.state.stands());
            if is_better {
                shown.insert(*stays, appointment);
            }
        }
        Ok(shown)
    }

    /// Stands for what a page shows of a lead that may be merged.
    pub async fn merge_mark(self, tenant: &Tenant, lead: &Lead) -> Result<String, StoreError> {
        transact!(self.store.db, |tx| { self.merge_mark_in(tx, tenant, lead).await })
    }

    async fn merge_mark_in(self, tx: &mut Tx<'_>, tenant: &Tenant, lead: &Lead) -> Result<String, StoreError> {
        let (_, worth) = self.beside_of(tx, tenant, lead.id).await?;
        let work = self.work_in(tx, tenant, lead.id).await?;
        let appointment = self.appointment_in(tx, tenant, lead.id).await?.map(|now| now.mark());
        let tags = self.tag_hashes_in(tx, tenant, lead.id).await?;
        let shown = serde_json::json!([
            [lead.first_name, lead.last_name, lead.address, lead.email_text()],
            lead.phone.as_ref().map(|phone| phone.as_str()),
            lead.status.as_str(),
            worth,
            lead.consent.given,
            lead.inspection.as_ref().map(|asked| asked.state.as_str()),
            work.assignee.map(|(id, _)| id.to_string()),
            [work.next_step, work.due.map(|due| due.to_string())],
            appointment,
            tags,
        ]);
        Ok(self.store.hashes.request(shown.to_string().as_bytes()))
    }

    /// `seen`: the marks of both as they were shown.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] also for a lead with itself.
    pub async fn merge(
        self,
        tenant: &Tenant,
        (stays, goes): (LeadId, LeadId),
        by: &User,
        (seen_stays, seen_goes): (&str, &str),
        choice: MergeChoice,
    ) -> Result<MergeOutcome, StoreError> {
        if stays == goes {
            return Err(StoreError::NotFound);
        }
        let outcome = transact!(self.store.db, |tx| {
            let (one, other) = self.lock_both(tx, tenant, stays, goes).await?;
            let into = self.root_in(tx, tenant.account, goes).await?;
            if into == stays {
                // Sent twice.
                return Ok(MergeOutcome::Done);
            }
            if into != goes || self.root_in(tx, tenant.account, stays).await? != stays {
                return Ok(MergeOutcome::Merged);
            }
            if one.widget_id != other.widget_id && self.has_clients(tx, tenant.account).await? {
                return Ok(MergeOutcome::OtherWidget);
            }
            self.sees_all_merged(tx, tenant, stays).await?;
            self.sees_all_merged(tx, tenant, goes).await?;
            if one.status == LeadStatus::Spam || other.status == LeadStatus::Spam {
                return Ok(MergeOutcome::Spam);
            }
            if self.merge_mark_in(tx, tenant, &one).await? != seen_stays
                || self.merge_mark_in(tx, tenant, &other).await? != seen_goes
            {
                return Ok(MergeOutcome::Outdated);
            }
            if self.is_booked_in(tx, tenant, stays).await? && self.is_booked_in(tx, tenant, goes).await? {
                return Ok(MergeOutcome::BothBooked);
            }
            let (one, kept) = self.choose(tx, tenant, (&one, &other), choice).await?;
            let taken = self.take_over(tx, tenant, &one, &other, None).await?;
            let kept = self.sealed_kept(tx, tenant, goes, &kept).await?;
            // Two statements: with an OR, SQLite reads all leads of the company.
            for sql in [
                "UPDATE lead SET merged_into = $1, tokens_at = NULL WHERE id = $2 AND account_id = $3",
                "UPDATE lead SET merged_into = $1, tokens_at = NULL WHERE merged_into = $2 AND account_id = $3",
            ] {
                execute!(tx, sql, stays.to_string(), goes.to_string(), tenant.account.to_string())?;
            }
            execute!(tx, "UPDATE lead SET tokens_at = NULL WHERE id = $1", stays.to_string())?;
            execute!(
                tx,
                "INSERT INTO lead_merge (lead_id, account_id, into_id, taken, merged_at, kept) VALUES ($1, $2, $3, $4, $5, $6)",
                goes.to_string(),
                tenant.account.to_string(),
                stays.to_string(),
                serde_json::to_string(&taken)?,
                self.store.now().micros(),
                kept
            )?;
            self.add_entry(tx, tenant, stays, by, EntryKind::Merged, &goes.to_string()).await?;
            self.add_entry(tx, tenant, goes, by, EntryKind::MergedAway, &stays.to_string()).await?;
            let (target, detail) = (goes.to_string(), reference(stays));
            self.store.audit().note_change(tx, tenant.account, Change::LeadMerged, &target, &detail).await?;
            Ok(MergeOutcome::Done)
        })?;
        self.store.wake.notify_one();
        Ok(outcome)
    }

    /// Both leads are as they were before, with what was done to each since. `false`: they are not merged.
    ///
    /// # Errors
    /// [`StoreError::Merged`] where `stays` is merged into another lead, which is to be undone first.
    pub async fn undo_merge(
        self,
        tenant: &Tenant,
        (stays, goes): (LeadId, LeadId),
        by: &User,
    ) -> Result<bool, StoreError> {
        let undone = transact!(self.store.db, |tx| {
            let (one, other) = self.lock_both(tx, tenant, stays, goes).await?;
            if self.root_in(tx, tenant.account, stays).await? != stays {
                return Err(StoreError::Merged);
            }
            self.sees_all_merged(tx, tenant, stays).await?;
            let merges = self.merges_in(tx, tenant, stays).await?;
            let own = merges.iter().find(|merge| merge.lead == goes && merge.into == stays);
            let Some(own) = own else { return Ok(false) };
            let one = self.unchoose(tx, tenant, (&one, &other), &own.kept).await?;
            let given_back = self.give_back(tx, tenant, &one, &other, &own.taken).await?;
            let beside = self.beside_of(tx, tenant, goes).await?;
            // Those that were merged into the one that goes go with it.
            let mut going = vec![goes];
            while let Some(more) = merges.iter().find(|of| going.contains(&of.into) && !going.contains(&of.lead)) {
                going.push(more.lead);
            }
            for lead in &going {
                let into = Some(goes.to_string()).filter(|_| *lead != goes);
                let sql = "UPDATE lead SET merged_into = $2, tokens_at = NULL WHERE id = $1";
                execute!(tx, sql, lead.to_string(), into)?;
            }
            execute!(tx, "UPDATE lead SET tokens_at = NULL WHERE id = $1", stays.to_string())?;
            execute!(tx, "DELETE FROM lead_merge WHERE lead_id = $1", goes.to_string())?;
            // What another merged lead has too stays.
            for merge in merges.iter().filter(|of| of.into == stays && of.lead != goes) {
                let mut kept = merge.kept.clone();
                kept.follow(&own.kept, &other, beside);
                let kept = self.sealed_kept(tx, tenant, merge.lead, &kept).await?;
                execute!(tx, "UPDATE lead_merge SET kept = $2 WHERE lead_id = $1", merge.lead.to_string(), kept)?;
                let one = self.lock(tx, tenant, stays).await?.ok_or(StoreError::NotFound)?;
                let Some(third) = self.lock(tx, tenant, merge.lead).await? else { continue };
                let also = self.take_over(tx, tenant, &one, &third, Some(&given_back)).await?;
                let taken = serde_json::to_string(&merge.taken.clone().and(also))?;
                execute!(tx, "UPDATE lead_merge SET taken = $2 WHERE lead_id = $1", merge.lead.to_string(), taken)?;
            }
            self.add_entry(tx, tenant, stays, by, EntryKind::Unmerged, &goes.to_string()).await?;
            self.add_entry(tx, tenant, goes, by, EntryKind::Unmerged, &stays.to_string()).await?;
            let (target, detail) = (goes.to_string(), reference(stays));
            self.store.audit().note_change(tx, tenant.account, Change::LeadUnmerged, &target, &detail).await?;
            Ok(true)
        })?;
        self.store.wake.notify_one();
        Ok(undone)
    }

    /// As [`Leads::lock`], for a change by the company: one that was merged is not changed any more.
    ///
    /// # Errors
    /// [`StoreError::NotFound`]; [`StoreError::Merged`].
    pub(crate) async fn lock_open(self, tx: &mut Tx<'_>, tenant: &Tenant, id: LeadId) -> Result<Lead, StoreError> {
        let lead = self.lock(tx, tenant, id).await?.ok_or(StoreError::NotFound)?;
        match self.root_in(tx, tenant.account, id).await? == id {
            true => Ok(lead),
            false => Err(StoreError::Merged),
        }
    }

    /// In one order, so that two who merge the same leads do not wait for each other.
    async fn lock_both(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        one: LeadId,
        other: LeadId,
    ) -> Result<(Lead, Lead), StoreError> {
        let first = self.lock(tx, tenant, one.min(other)).await?.ok_or(StoreError::NotFound)?;
        let second = self.lock(tx, tenant, one.max(other)).await?.ok_or(StoreError::NotFound)?;
        Ok(if first.id == one { (first, second) } else { (second, first) })
    }

    /// The lead that stays: most often itself.
    pub(crate) async fn root_in(self, tx: &mut Tx<'_>, account: AccountId, lead: LeadId) -> Result<LeadId, StoreError> {
        let row = fetch_optional!(
            tx,
            (Option<String>,),
            "SELECT merged_into FROM lead WHERE id = $1 AND account_id = $2",
            lead.to_string(),
            account.to_string()
        )?;
        row.and_then(|(into,)| into).map_or(Ok(lead), |into| parse_id("lead", &into))
    }

    /// Those that were merged into this one.
    pub(crate) async fn merged_in(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        lead: LeadId,
    ) -> Result<Vec<LeadId>, StoreError> {
        let rows = fetch_all!(
            tx,
            (String,),
            "SELECT id FROM lead WHERE merged_into = $1 AND account_id = $2 AND record IS NOT NULL ORDER BY id",
            lead.to_string(),
            tenant.account.to_string()
        )?;
        rows.iter().map(|(id,)| parse_id("lead", id)).collect()
    }

    /// An inspection that calendars have of another lead it is merged with.
    pub(crate) async fn booked_beside(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        lead: LeadId,
    ) -> Result<Option<Appointment>, StoreError> {
        let stays = self.root_in(tx, tenant.account, lead).await?;
        let mut family = self.merged_in(tx, tenant, stays).await?;
        family.push(stays);
        for other in family.into_iter().filter(|other| *other != lead) {
            if let Some(booked) = self.appointment_in(tx, tenant, other).await?.filter(|now| now.state.stands()) {
                return Ok(Some(booked));
            }
        }
        Ok(None)
    }

    /// `None`: nothing.
    async fn sealed_kept(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        goes: LeadId,
        kept: &Kept,
    ) -> Result<Option<String>, StoreError> {
        if *kept == Kept::default() {
            return Ok(None);
        }
        let keys = self.store.encryption().data_keys_in(tx, tenant.account).await?;
        Ok(Some(keys.seal(Field::LeadMergeKept, &goes.to_string(), &serde_json::to_string(kept)?)?))
    }

    async fn is_booked_in(self, tx: &mut Tx<'_>, tenant: &Tenant, stays: LeadId) -> Result<bool, StoreError> {
        let own = self.appointment_in(tx, tenant, stays).await?.is_some_and(|now| now.state.stands());
        Ok(own || self.booked_beside(tx, tenant, stays).await?.is_some())
    }

    async fn merges_in(self, tx: &mut Tx<'_>, tenant: &Tenant, stays: LeadId) -> Result<Vec<Merge>, StoreError> {
        let rows = fetch_all!(
            tx,
            (String, String, String, Option<String>),
            "SELECT lead_merge.lead_id, into_id, taken, kept FROM lead JOIN lead_merge ON lead_merge.lead_id = lead.id
              WHERE merged_into = $1 AND lead.account_id = $2 ORDER BY merged_at, lead_merge.lead_id",
            stays.to_string(),
            tenant.account.to_string()
        )?;
        let keys = self.store.encryption().data_keys_in(tx, tenant.account).await?;
        rows.into_iter()
            .map(|(lead, into, taken, kept)| {
                let taken = serde_json::from_str(&taken)?;
                let kept = read_kept(&keys, &lead, kept)?;
                Ok(Merge { lead: parse_id("lead", &lead)?, into: parse_id("lead", &into)?, taken, kept })
            })
            .collect()
    }

    /// A reader who sees one of the leads that are merged changes none of them: what they do would reach the others.
    ///
    /// # Errors
    /// [`StoreError::Merged`] where one of them is not seen.
    pub(crate) async fn sees_all_merged(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        lead: LeadId,
    ) -> Result<(), StoreError> {
        let Some(seen) = seen_now().text() else { return Ok(()) };
        let root = self.root_in(tx, tenant.account, lead).await?;
        let unseen = fetch_optional!(
            tx,
            (i64,),
            concat!(
                "SELECT COUNT(*) FROM lead
              WHERE (id = $1 OR merged_into = $1) AND account_id = $2 AND record IS NOT NULL
                AND NOT ",
                is_seen!("widget_id", "$2", "$3")
            ),
            root.to_string(),
            tenant.account.to_string(),
            seen
        )?;
        if unseen.is_some_and(|(count,)| count > 0) { Err(StoreError::Merged) } else { Ok(()) }
    }

    /// Whether somebody sees the leads of some widgets alone.
    async fn has_clients(self, tx: &mut Tx<'_>, account: AccountId) -> Result<bool, StoreError> {
        let row = fetch_optional!(
            tx,
            (i64,),
            "SELECT COUNT(*) FROM (
                 SELECT id FROM portal_user WHERE account_id = $1 AND widgets IS NOT NULL AND disabled_at IS NULL
                 UNION ALL
                 SELECT id FROM api_key WHERE account_id = $1 AND widgets IS NOT NULL AND revoked_at IS NULL) AS narrow",
            account.to_string()
        )?;
        Ok(row.is_some_and(|(count,)| count > 0))
    }

    /// Before a merged lead is erased: what was merged into it stays merged into the one that stays.
    pub(crate) async fn leave_merge(self, tx: &mut Tx<'_>, tenant: &Tenant, id: LeadId) -> Result<(), StoreError> {
        let (lead, account) = (id.to_string(), tenant.account.to_string());
        let row = fetch_optional!(
            tx,
            (String, String, Option<String>),
            "DELETE FROM lead_merge WHERE lead_id = $1 AND account_id = $2 RETURNING into_id, taken, kept",
            &lead,
            &account
        )?;
        let Some((into, taken, kept)) = row else { return Ok(()) };
        let keys = self.store.encryption().data_keys_in(tx, tenant.account).await?;
        let kept = read_kept(&keys, &lead, kept)?;
        let stays = self.lock(tx, tenant, parse_id("lead", &into)?).await?;
        if let (Some(stays), Some(goes)) = (stays, self.lock(tx, tenant, id).await?) {
            let stays = self.unchoose(tx, tenant, (&stays, &goes), &kept).await?;
            self.give_back(tx, tenant, &stays, &goes, &serde_json::from_str(&taken)?).await?;
            let beside = self.beside_of(tx, tenant, id).await?;
            for merge in self.merges_in(tx, tenant, stays.id).await?.iter().filter(|of| of.into == stays.id) {
                let mut other = merge.kept.clone();
                other.follow(&kept, &goes, beside);
                let other = self.sealed_kept(tx, tenant, merge.lead, &other).await?;
                execute!(tx, "UPDATE lead_merge SET kept = $2 WHERE lead_id = $1", merge.lead.to_string(), other)?;
            }
        }
        // What they gave to the one that is erased is not taken from the other.
        execute!(tx, "UPDATE lead_merge SET into_id = $2, taken = '{}', kept = NULL WHERE into_id = $1", &lead, &into)?;
        // It is not found by these words any more.
        let sql = "UPDATE lead SET tokens_at = NULL WHERE id IN (SELECT merged_into FROM lead WHERE id = $1)";
        execute!(tx, sql, &lead)?;
        execute!(tx, "UPDATE lead SET merged_into = NULL WHERE id = $1", &lead)?;
        Ok(())
    }
}

fn read_kept(keys: &DataKeys, lead: &str, sealed: Option<String>) -> Result<Kept, StoreError> {
    let opened = sealed.map(|sealed| keys.open(Field::LeadMergeKept, lead, sealed)).transpose()?;
    Ok(opened.map(|kept| serde_json::from_str(&kept)).transpose()?.unwrap_or_default())
}

struct Merge {
    lead: LeadId,
    into: LeadId,
    taken: Taken,
    kept: Kept,
}
