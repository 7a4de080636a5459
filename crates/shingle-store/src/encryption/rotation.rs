//! New keys for everything that is encrypted, while the nodes go on: first the installation's, then each account's. What
//! the old ones encrypted is encrypted again by a chore (`encryption/reencryption.rs`).
//!
//! # Decision
//!
//! Keys rotate in three steps without stopping any node: a new line in the secret file, which nodes reread when they
//! meet an unknown number; data keys wrapped again plus a new one per account, used for encryption after a minute,
//! when all nodes know it; older rows encrypted again after five. An interrupted rotation resumes. The first line
//! stays: API keys and links are hashes under it and cannot be made again. Turned down: dropping old lines, which
//! backups need.

use serde::Serialize;
use shingle_domain::AccountId;

use crate::StoreError;
use crate::encryption::Encryption;
use crate::encryption::account_keys::{DataKeyRow, wrapped_name};
use crate::engine::caches::raise_revision;
use crate::engine::db::{execute, fetch_all, transact};
use crate::store::parse_id;

/// What a rotation has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rotation {
    /// The number of the installation's newest key.
    pub key: u16,
    /// Accounts that got a new data key.
    pub accounts: u64,
    /// Destinations whose secrets are encrypted again.
    pub destinations: u64,
}

impl Encryption<'_> {
    /// Whether something is encrypted by an older key of the installation than its newest one.
    pub async fn needs_rotation(self) -> Result<bool, StoreError> {
        self.store.installation_keys.refresh()?;
        Ok(!self.accounts_of_older_keys().await?.is_empty() || !self.destinations_of_older_keys().await?.is_empty())
    }

    /// Gives every account a new data key and encrypts its older ones and the secrets of destinations with the newest
    /// key of the installation. Begun again, it goes on where it was broken off.
    pub async fn rotate_keys(self) -> Result<Rotation, StoreError> {
        self.store.installation_keys.refresh()?;
        let mut rotation = Rotation { key: self.store.installation_keys.newest(), ..Rotation::default() };
        for account in self.accounts_of_older_keys().await? {
            self.rotate_account(account).await?;
            rotation.accounts += 1;
        }
        for id in self.destinations_of_older_keys().await? {
            rotation.destinations += self.rotate_destination(&id).await?;
        }
        Ok(rotation)
    }

    async fn accounts_of_older_keys(self) -> Result<Vec<AccountId>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            (String,),
            "SELECT DISTINCT account_id FROM data_key WHERE wrapping <> $1 ORDER BY account_id",
            i64::from(self.store.installation_keys.newest())
        )?;
        rows.into_iter().map(|(account,)| parse_id("account", &account)).collect()
    }

    async fn rotate_account(self, account: AccountId) -> Result<(), StoreError> {
        let changing = self.store.caches.generations.changing();
        transact!(self.store.db, |tx| {
            // Setting a column to itself is a lock that both engines support.
            let rows = fetch_all!(
                tx,
                DataKeyRow,
                "UPDATE data_key SET wrapping = wrapping WHERE account_id = $1
                 RETURNING number, wrapping, wrapped, created_at",
                account.to_string()
            )?;
            let mut last = 0;
            for row in &rows {
                let number = row.number()?;
                let name = wrapped_name(account, number);
                let key = self.store.installation_keys.unwrap(row.wrapping()?, &name, row.wrapped())?;
                let (wrapping, wrapped) = self.store.installation_keys.wrap(&name, &key)?;
                execute!(
                    tx,
                    "UPDATE data_key SET wrapping = $3, wrapped = $4 WHERE account_id = $1 AND number = $2",
                    account.to_string(),
                    i64::from(number),
                    i64::from(wrapping),
                    wrapped
                )?;
                last = last.max(number);
            }
            self.insert_data_key(tx, account, last.checked_add(1).ok_or(StoreError::Cipher)?).await?;
            raise_revision(tx).await
        })?;
        drop(changing);
        Ok(())
    }

    async fn destinations_of_older_keys(self) -> Result<Vec<String>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let rows =
            fetch_all!(reader, (String, String), "SELECT id, secrets FROM destination WHERE secrets IS NOT NULL")?;
        let older = rows.into_iter().filter(|(_, secrets)| !self.store.installation_keys.is_newest(secrets));
        Ok(older.map(|(id, _)| id).collect())
    }

    /// A secret that does not open stays as it is: its destination says so.
    async fn rotate_destination(self, id: &str) -> Result<u64, StoreError> {
        transact!(self.store.db, |tx| {
            let rows = fetch_all!(
                tx,
                (String,),
                "UPDATE destination SET active = active WHERE id = $1 AND secrets IS NOT NULL RETURNING secrets",
                id
            )?;
            let name = format!("destination {id}");
            let opened = rows.first().and_then(|(sealed,)| self.store.installation_keys.open(&name, sealed).ok());
            let Some(plain) = opened else { return Ok(0) };
            let sealed = self.store.installation_keys.seal(&name, &plain)?;
            Ok(execute!(tx, "UPDATE destination SET secrets = $2 WHERE id = $1", id, sealed)?)
        })
    }
}
