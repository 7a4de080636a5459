//! How long an account keeps its leads.
//!
//! # Decision
//!
//! A new retention period takes effect after a day, a longer one immediately, so its effect can be seen and undone.
//! Turned down: asking for confirmation, which a script answers too.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use shingle_domain::{AccountId, Environment, LeadId, Tenant, Timestamp};

use crate::StoreError;
use crate::accounts::Accounts;
use crate::audit::change::Change;
use crate::engine::db::{execute, fetch_all, fetch_optional, transact};
use crate::store::{parse_id, require_row};

const DAY: Duration = Duration::from_secs(24 * 3_600);
/// A new or a shorter time begins to act so much later: until then it is shown what it will erase.
const NOTICE: Duration = DAY;
/// Leads that are erased in one go of the chore; the rest follows a minute later.
const MAX_TOGETHER: i64 = 500;

/// How long leads are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Retention {
    /// Leads that came earlier than so many days ago are erased. Null: they are kept. Example: `1500`
    pub days: Option<u32>,
    /// When this begins to act, in UTC: a day after it was set. Null while leads are kept. Example: `2026-11-24T08:00:00.000Z`
    pub acts_from: Option<Timestamp>,
}

/// What would be erased now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DueForErasure {
    /// How many leads. Example: `14`
    pub leads: u64,
    /// When the oldest of them came, in UTC. Null without one. Example: `2022-03-10T12:00:00.000Z`
    pub oldest: Option<Timestamp>,
    /// When the newest of them came, in UTC. Null without one. Example: `2022-10-15T09:30:00.000Z`
    pub newest: Option<Timestamp>,
}

row! {
    struct DueRow {
        leads: i64,
        oldest: Option<i64>,
        newest: Option<i64>,
    }
}

impl Accounts<'_> {
    pub async fn retention(self, account: AccountId) -> Result<Retention, StoreError> {
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (Option<i64>, Option<i64>),
            "SELECT retention_days, retention_from FROM account WHERE id = $1",
            account.to_string()
        )?;
        let (days, from) = row.ok_or(StoreError::NotFound)?;
        Ok(Retention {
            days: days.and_then(|days| u32::try_from(days).ok()),
            acts_from: from.map(Timestamp::from_micros),
        })
    }

    /// `None`: leads are kept. A time that is longer than the one before acts at once, any other a day later.
    pub async fn set_retention(self, account: AccountId, days: Option<u32>) -> Result<Retention, StoreError> {
        let now = self.store.now();
        transact!(self.store.db, |tx| {
            let row = fetch_optional!(
                tx,
                (Option<i64>, Option<i64>),
                "UPDATE account SET updated_at = $2 WHERE id = $1 RETURNING retention_days, retention_from",
                account.to_string(),
                now.micros()
            )?;
            let (before, from) = row.ok_or(StoreError::NotFound)?;
            let longer = days.is_some_and(|days| before.is_some_and(|before| before <= i64::from(days)));
            let from = if longer { from } else { Some((now + NOTICE).micros()) };
            require_row(execute!(
                tx,
                "UPDATE account SET retention_days = $2, retention_from = $3 WHERE id = $1",
                account.to_string(),
                days.map(i64::from),
                from.filter(|_| days.is_some())
            )?)?;
            let shown = days.map(|days| days.to_string()).unwrap_or_default();
            self.store.audit().note_change(tx, account, Change::RetentionSet, "", &shown).await
        })?;
        self.retention(account).await
    }

    /// What keeping leads for so many days would erase now, of both environments.
    pub async fn due_for_erasure(self, account: AccountId, days: u32) -> Result<DueForErasure, StoreError> {
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            DueRow,
            "SELECT COUNT(*) AS leads, MIN(created_at) AS oldest, MAX(created_at) AS newest FROM lead
              WHERE account_id = $1 AND created_at < $2 AND record IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM lead AS newer WHERE newer.merged_into = lead.id AND newer.account_id = $1
                                   AND newer.created_at >= $2)",
            account.to_string(),
            (self.store.now() - DAY * days).micros()
        )?;
        Ok(row.map_or_else(DueForErasure::default, |DueRow { leads, oldest, newest }| DueForErasure {
            leads: u64::try_from(leads).unwrap_or_default(),
            oldest: oldest.map(Timestamp::from_micros),
            newest: newest.map(Timestamp::from_micros),
        }))
    }

    /// Erases leads that are older than their accounts keep them. One that a newer one was merged into is kept as long as that.
    /// Returns how many.
    pub async fn erase_old_leads(self) -> Result<u64, StoreError> {
        let now = self.store.now();
        let mut reader = self.store.db.read().await?;
        let accounts = fetch_all!(
            reader,
            (String, i64),
            "SELECT id, retention_days FROM account WHERE retention_days IS NOT NULL AND retention_from <= $1",
            now.micros()
        )?;
        drop(reader);
        let mut erased = 0;
        for (account, days) in accounts {
            let days = u32::try_from(days).unwrap_or(u32::MAX);
            erased += self.erase_old_leads_of(parse_id("account", &account)?, (now - DAY * days).micros()).await?;
        }
        Ok(erased)
    }

    async fn erase_old_leads_of(self, account: AccountId, before: i64) -> Result<u64, StoreError> {
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            (String, String),
            "SELECT id, environment FROM lead WHERE account_id = $1 AND created_at < $2 AND record IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM lead AS newer WHERE newer.merged_into = lead.id AND newer.account_id = $1
                                   AND newer.created_at >= $2)
              ORDER BY created_at LIMIT $3",
            account.to_string(),
            before,
            MAX_TOGETHER
        )?;
        drop(reader);
        let mut erased = 0;
        for (id, environment) in rows {
            let environment: Environment = parse_id("environment", &environment)?;
            match self.store.leads().erase(&Tenant { account, environment }, parse_id::<LeadId>("lead", &id)?).await {
                // Another node was first.
                Err(StoreError::NotFound) => {}
                Err(error) => return Err(error),
                Ok(()) => erased += 1,
            }
        }
        Ok(erased)
    }
}
