//! The data keys of accounts: made with the account, stored encrypted, and held in memory once they were read.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use shingle_domain::AccountId;

use crate::StoreError;
use crate::encryption::Encryption;
use crate::encryption::cipher::Cipher;
use crate::encryption::data_key::DataKeys;
use crate::engine::db::{Tx, execute, fetch_all};
use crate::engine::record_cache::Age;

/// A new key encrypts from then on: by that time every node has read it and can open what it encrypts.
pub(crate) const ACTIVE_AFTER: Duration = Duration::from_secs(60);

row! {
    pub(crate) struct DataKeyRow {
        number: i64,
        wrapping: i64,
        wrapped: String,
        created_at: i64,
    }
}

macro_rules! select_keys {
    ($on:expr, $account:expr) => {
        fetch_all!(
            $on,
            DataKeyRow,
            "SELECT number, wrapping, wrapped, created_at FROM data_key WHERE account_id = $1 ORDER BY number",
            $account.to_string()
        )
    };
}

impl DataKeyRow {
    pub fn number(&self) -> Result<u16, StoreError> {
        u16::try_from(self.number).map_err(|_| StoreError::Cipher)
    }

    pub fn wrapping(&self) -> Result<u16, StoreError> {
        u16::try_from(self.wrapping).map_err(|_| StoreError::Cipher)
    }

    pub fn wrapped(&self) -> &str {
        &self.wrapped
    }
}

impl Encryption<'_> {
    /// # Errors
    /// [`StoreError::NotFound`] for an account that does not exist or was erased.
    pub(crate) async fn data_keys(self, account: AccountId) -> Result<Arc<DataKeys>, StoreError> {
        let generation = self.store.generation().await?;
        if let Some(keys) = self.store.caches.data_keys.get(&account, generation) {
            return Ok(keys);
        }
        let mut reader = self.store.db.read().await?;
        let rows = select_keys!(reader, account)?;
        drop(reader);
        let keys = self.unwrap_keys(account, rows)?;
        self.store.caches.data_keys.insert(account, generation, keys.clone());
        Ok(keys)
    }

    /// The same within a transaction. What is read there is not kept in memory: it may be rolled back.
    pub(crate) async fn data_keys_in(self, tx: &mut Tx<'_>, account: AccountId) -> Result<Arc<DataKeys>, StoreError> {
        let generations = &self.store.caches.generations;
        // A transaction does not wait for a second connection, so it reads no revision.
        let now = self.store.elapsed();
        if generations.age(now) != Age::Expired
            && let Some(keys) = self.store.caches.data_keys.get(&account, generations.current(now))
        {
            return Ok(keys);
        }
        let rows = select_keys!(tx, account)?;
        self.unwrap_keys(account, rows)
    }

    /// The first data key of an account.
    pub(crate) async fn make_data_key(self, tx: &mut Tx<'_>, account: AccountId) -> Result<(), StoreError> {
        self.insert_data_key(tx, account, 1).await
    }

    pub(crate) async fn insert_data_key(
        self,
        tx: &mut Tx<'_>,
        account: AccountId,
        number: u16,
    ) -> Result<(), StoreError> {
        let mut key = [0; 32];
        getrandom::fill(&mut key).map_err(StoreError::Random)?;
        let (wrapping, wrapped) =
            self.store.installation_keys.wrap(&wrapped_name(account, number), &STANDARD.encode(key))?;
        execute!(
            tx,
            "INSERT INTO data_key (account_id, number, wrapping, wrapped, created_at)
             SELECT id, $2, $3, $4, $5 FROM account WHERE id = $1
             ON CONFLICT (account_id, number) DO NOTHING",
            account.to_string(),
            i64::from(number),
            i64::from(wrapping),
            wrapped,
            self.store.now().micros()
        )?;
        Ok(())
    }

    fn unwrap_keys(self, account: AccountId, rows: Vec<DataKeyRow>) -> Result<Arc<DataKeys>, StoreError> {
        let ripe = (self.store.now() - ACTIVE_AFTER).micros();
        let mut active = None;
        let mut ciphers = Vec::with_capacity(rows.len());
        for row in rows {
            let number = row.number()?;
            let key =
                self.store.installation_keys.unwrap(row.wrapping()?, &wrapped_name(account, number), &row.wrapped)?;
            let key = STANDARD.decode(key).map_err(|_| StoreError::Cipher)?;
            ciphers.push((number, Cipher::of_key(key.try_into().map_err(|_| StoreError::Cipher)?)));
            // The first is used at once: nothing else could.
            if active.is_none() || row.created_at <= ripe {
                active = Some(number);
            }
        }
        Ok(Arc::new(DataKeys::new(account, ciphers, active.ok_or(StoreError::NotFound)?)))
    }
}

pub(crate) fn wrapped_name(account: AccountId, number: u16) -> String {
    format!("data key {account} {number}")
}
