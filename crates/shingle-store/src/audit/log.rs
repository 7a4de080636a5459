//! Who changed what, when: written in the transaction of the change, read by owners and operators, kept for two years.

use std::time::Duration;

use shingle_domain::{AccountId, Tenant, Timestamp};

use crate::audit::Audit;
use crate::audit::actor::{Actor, acting_now};
use crate::audit::change::Change;
use crate::engine::db::{Tx, execute, fetch_all, transact};
use crate::store::parse_id;
use crate::{Cursor, StoreError};

/// How long entries are kept.
pub const AUDIT_KEPT: Duration = Duration::from_secs(2 * 366 * 24 * 3_600);
const MAX_DETAIL: usize = 80;
/// Rows that one chore deletes.
const MAX_TOGETHER: i64 = 5_000;

/// One change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    pub at: Timestamp,
    /// `None`: of the installation.
    pub account: Option<AccountId>,
    /// As it is called now; `None` where it is gone.
    pub company: Option<String>,
    pub actor: Actor,
    /// As the user is called now; `None` where nobody is a user.
    pub name: Option<String>,
    /// Whether the user is an operator.
    pub by_operator: bool,
    /// `None`: of a version that this one does not know.
    pub what: Option<Change>,
    pub target: Option<String>,
    /// As the user is called whom it was done to.
    pub target_name: Option<String>,
    pub detail: String,
    pub cursor: Cursor,
}

/// Which entries are wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditFilter {
    pub actor: Option<Actor>,
    pub what: Option<Change>,
    pub from: Option<Timestamp>,
    /// Before this time.
    pub to: Option<Timestamp>,
    pub after: Option<Cursor>,
}

row! {
    struct AuditRow {
        id: String,
        account_id: Option<String>,
        company: Option<String>,
        actor: String,
        actor_id: Option<String>,
        name: Option<String>,
        role: Option<String>,
        what: String,
        target: Option<String>,
        target_name: Option<String>,
        detail: String,
        created_at: i64,
    }
}

impl TryFrom<AuditRow> for AuditEntry {
    type Error = StoreError;

    fn try_from(row: AuditRow) -> Result<Self, StoreError> {
        let unreadable = || StoreError::Unreadable {
            what: "audit entry",
            id: row.id.clone(),
            reason: "an unknown actor".to_owned(),
        };
        Ok(Self {
            at: Timestamp::from_micros(row.created_at),
            account: row.account_id.as_deref().map(|id| parse_id("account", id)).transpose()?,
            company: row.company,
            actor: Actor::read(&row.actor, row.actor_id.as_deref()).ok_or_else(unreadable)?,
            name: row.name,
            by_operator: row.role.as_deref() == Some("operator"),
            what: Change::parse(&row.what),
            target: row.target,
            target_name: row.target_name,
            detail: row.detail,
            cursor: Cursor { created_at: row.created_at, id: parse_id("audit entry", &row.id)? },
        })
    }
}

impl Audit<'_> {
    /// Writes down a change of an account, or of the installation (`None`), in its transaction. `detail` is a value that says nothing of a person: an amount, a
    /// limit, the name of a product.
    pub(crate) async fn note_change(
        self,
        tx: &mut Tx<'_>,
        account: impl Into<Option<AccountId>>,
        what: Change,
        target: &str,
        detail: &str,
    ) -> Result<(), StoreError> {
        let account = account.into();
        let actor = acting_now();
        execute!(
            tx,
            "INSERT INTO audit_entry (id, account_id, actor, actor_id, what, target, detail, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            self.store.new_id()?.to_string(),
            account.map(|id| id.to_string()),
            actor.kind(),
            actor.id(),
            what.as_str(),
            Some(target).filter(|target| !target.is_empty()),
            detail.chars().take(MAX_DETAIL).collect::<String>(),
            self.store.now().micros()
        )?;
        Ok(())
    }

    /// A change of the installation that is not the database's: an import, a setting.
    pub async fn note_installation_change(self, what: Change, target: &str, detail: &str) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| { self.note_change(tx, None, what, target, detail).await })
    }

    /// Writes down that leads were copied out: `sandbox 25`. `None`: nobody knows how many.
    pub async fn note_download(self, tenant: &Tenant, leads: Option<usize>) -> Result<(), StoreError> {
        let count = leads.map(|leads| format!(" {leads}")).unwrap_or_default();
        let detail = format!("{}{count}", tenant.environment.as_str());
        transact!(self.store.db, |tx| {
            self.note_change(tx, tenant.account, Change::LeadsDownloaded, "", &detail).await
        })
    }

    /// Of one account, newest first.
    pub async fn log(self, account: AccountId, filter: &AuditFilter, most: u32) -> Result<Vec<AuditEntry>, StoreError> {
        self.audit_entries(Some(account), filter, most).await
    }

    /// Of all accounts and the installation, newest first: for operators.
    pub async fn log_of_all(self, filter: &AuditFilter, most: u32) -> Result<Vec<AuditEntry>, StoreError> {
        self.audit_entries(None, filter, most).await
    }

    async fn audit_entries(
        self,
        account: Option<AccountId>,
        filter: &AuditFilter,
        most: u32,
    ) -> Result<Vec<AuditEntry>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            AuditRow,
            "SELECT audit_entry.id AS id, audit_entry.account_id AS account_id, account.name AS company, actor, actor_id,
                    portal_user.name AS name, portal_user.role AS role, what, target,
                    other.name AS target_name, detail,
                    audit_entry.created_at AS created_at
               FROM audit_entry LEFT JOIN portal_user ON portal_user.id = actor_id
                    LEFT JOIN portal_user AS other ON other.id = target AND other.id <> COALESCE(actor_id, '')
                    LEFT JOIN account ON account.id = audit_entry.account_id
              WHERE ($1 IS NULL OR audit_entry.account_id = $1) AND ($2 IS NULL OR actor = $2) AND ($3 IS NULL OR actor_id = $3)
                AND ($4 IS NULL OR what = $4) AND audit_entry.created_at >= $5 AND audit_entry.created_at < $6
                AND (audit_entry.created_at < $7 OR (audit_entry.created_at = $7 AND audit_entry.id < $8))
              ORDER BY audit_entry.created_at DESC, audit_entry.id DESC LIMIT $9",
            account.map(|id| id.to_string()),
            filter.actor.as_ref().map(Actor::kind),
            filter.actor.as_ref().and_then(Actor::id),
            filter.what.map(Change::as_str),
            filter.from.map_or(i64::MIN, Timestamp::micros),
            filter.to.map_or(i64::MAX, Timestamp::micros),
            filter.after.map_or(i64::MAX, |cursor| cursor.created_at),
            filter.after.map(|cursor| cursor.id.to_string()).unwrap_or_default(),
            i64::from(most)
        )?;
        rows.into_iter().map(AuditEntry::try_from).collect()
    }

    /// Everyone who changed something in this account, or anywhere: for a filter.
    pub async fn actors(self, account: Option<AccountId>) -> Result<Vec<(Actor, Option<String>)>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            (String, Option<String>, Option<String>),
            "SELECT actor, actor_id, portal_user.name AS name
               FROM (SELECT DISTINCT actor, actor_id FROM audit_entry WHERE $1 IS NULL OR account_id = $1) AS known
               LEFT JOIN portal_user ON portal_user.id = actor_id ORDER BY actor, name LIMIT 200",
            account.map(|id| id.to_string())
        )?;
        Ok(rows.into_iter().filter_map(|(kind, id, name)| Some((Actor::read(&kind, id.as_deref())?, name))).collect())
    }

    /// Returns how many.
    pub async fn delete_old(self) -> Result<u64, StoreError> {
        let before = (self.store.now() - AUDIT_KEPT).micros();
        transact!(self.store.db, |tx| {
            Ok(execute!(
                tx,
                "DELETE FROM audit_entry WHERE id IN
                   (SELECT id FROM audit_entry WHERE created_at < $1 ORDER BY created_at LIMIT $2)",
                before,
                MAX_TOGETHER
            )?)
        })
    }
}
