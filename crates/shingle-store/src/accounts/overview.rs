//! All accounts, as operators see them.

use std::collections::HashMap;
use std::time::Duration;

use shingle_domain::AccountId;

use crate::accounts::Accounts;
use crate::engine::db::{execute, fetch_all, transact};
use crate::store::{refuse_nul, require_row};
use crate::{Account, Change, StoreError};

const MONTH: Duration = Duration::from_secs(30 * 24 * 3_600);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountOverview {
    pub account: Account,
    /// The owner who came first.
    pub owner: Option<String>,
    pub widgets: u64,
    /// Of the last 30 days, erased ones too.
    pub leads: u64,
}

fn counts(rows: Vec<(String, i64)>) -> HashMap<String, u64> {
    rows.into_iter().map(|(id, count)| (id, u64::try_from(count).unwrap_or_default())).collect()
}

impl Accounts<'_> {
    /// Oldest first, with what is in production.
    pub async fn overviews(self) -> Result<Vec<AccountOverview>, StoreError> {
        let accounts = self.list().await?;
        let mut reader = self.store.db.read().await?;
        let widgets = counts(fetch_all!(
            reader,
            (String, i64),
            "SELECT account_id, COUNT(*) FROM widget WHERE environment = 'production' GROUP BY account_id"
        )?);
        let leads = counts(fetch_all!(
            reader,
            (String, i64),
            "SELECT account_id, COUNT(*) FROM lead WHERE environment = 'production' AND created_at >= $1 GROUP BY account_id",
            (self.store.now() - MONTH).micros()
        )?);
        let owners = fetch_all!(
            reader,
            (String, String),
            "SELECT account_id, name FROM portal_user
              WHERE account_id IS NOT NULL AND role <> 'member' AND disabled_at IS NULL ORDER BY created_at DESC, id DESC"
        )?;
        // The oldest comes last, and stays.
        let owners: HashMap<String, String> = owners.into_iter().collect();
        Ok(accounts
            .into_iter()
            .map(|account| {
                let id = account.id.to_string();
                AccountOverview {
                    owner: owners.get(&id).cloned(),
                    widgets: widgets.get(&id).copied().unwrap_or_default(),
                    leads: leads.get(&id).copied().unwrap_or_default(),
                    account,
                }
            })
            .collect())
    }

    pub async fn rename(self, id: AccountId, name: &str) -> Result<(), StoreError> {
        refuse_nul(name)?;
        let now = self.store.now().micros();
        transact!(self.store.db, |tx| {
            let sql = "UPDATE account SET name = $2, updated_at = $3 WHERE id = $1";
            require_row(execute!(tx, sql, id.to_string(), name, now)?)?;
            self.store.audit().note_change(tx, id, Change::AccountRenamed, "", "").await
        })
    }
}
