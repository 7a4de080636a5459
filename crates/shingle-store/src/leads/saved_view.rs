//! Saved lists of leads.

use shingle_domain::AccountId;

use crate::StoreError;
use crate::encryption::data_key::Field;
use crate::engine::db::{execute, fetch_all, fetch_optional, transact};
use crate::leads::Leads;
use crate::people::user::User;

/// How many one user may have.
const MAX_VIEWS: usize = 20;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedView {
    pub id: String,
    pub name: String,
    /// Of the list's address.
    pub query: String,
}

row! {
    struct ViewRow {
        id: String,
        name: String,
        query: String,
    }
}

impl Leads<'_> {
    /// Oldest first.
    pub async fn saved_views(self, account: AccountId, user: &User) -> Result<Vec<SavedView>, StoreError> {
        let keys = self.store.encryption().data_keys(account).await?;
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            ViewRow,
            "SELECT id, name, query FROM portal_view WHERE user_id = $1 AND account_id = $2 ORDER BY id",
            user.id.to_string(),
            account.to_string()
        )?;
        rows.into_iter()
            .map(|ViewRow { id, name, query }| {
                let query = keys.open(Field::SavedQuery, &id, query)?;
                Ok(SavedView { name: keys.open(Field::SavedName, &id, name)?, id, query })
            })
            .collect()
    }

    /// # Errors
    /// [`StoreError::TooMany`]
    pub async fn save_view(self, account: AccountId, user: &User, name: &str, query: &str) -> Result<(), StoreError> {
        let id = self.store.new_id()?.to_string();
        transact!(self.store.db, |tx| {
            let count = fetch_optional!(
                tx,
                (i64,),
                "SELECT COUNT(*) FROM portal_view WHERE user_id = $1",
                user.id.to_string()
            )?;
            if count.is_some_and(|(count,)| count >= MAX_VIEWS as i64) {
                return Err(StoreError::TooMany { max: MAX_VIEWS });
            }
            let keys = self.store.encryption().data_keys_in(tx, account).await?;
            execute!(
                tx,
                "INSERT INTO portal_view (id, user_id, account_id, name, query, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
                &id,
                user.id.to_string(),
                account.to_string(),
                keys.seal(Field::SavedName, &id, name)?,
                keys.seal(Field::SavedQuery, &id, query)?,
                self.store.now().micros()
            )?;
            Ok(())
        })
    }

    /// One that is not there, or somebody else's, is gone already.
    pub async fn delete_view(self, user: &User, id: &str) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            execute!(tx, "DELETE FROM portal_view WHERE id = $1 AND user_id = $2", id, user.id.to_string())?;
            Ok(())
        })
    }
}
