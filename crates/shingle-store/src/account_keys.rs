//! The data keys of accounts: made with the account, stored encrypted, and held in memory once they were read.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use shingle_domain::AccountId;

use crate::cipher::Cipher;
use crate::data_key::DataKeys;
use crate::db::{Tx, execute, fetch_all, transact};
use crate::{Store, StoreError};

row! {
    struct DataKeyRow {
        number: i64,
        wrapped: String,
    }
}

macro_rules! select_keys {
    ($on:expr, $account:expr) => {
        fetch_all!(
            $on,
            DataKeyRow,
            "SELECT number, wrapped FROM data_key WHERE account_id = $1 ORDER BY number",
            $account.to_string()
        )
    };
}

impl Store {
    /// Made when they are missing: an older version made the account.
    pub(crate) async fn data_keys(&self, account: AccountId) -> Result<Arc<DataKeys>, StoreError> {
        if let Some(keys) = self.data_keys.get(&account) {
            return Ok(keys);
        }
        let mut reader = self.db.read().await?;
        let mut rows = select_keys!(reader, account)?;
        drop(reader);
        if rows.is_empty() {
            transact!(self.db, |tx| { self.make_data_key(tx, account).await })?;
            let mut reader = self.db.read().await?;
            rows = select_keys!(reader, account)?;
        }
        let keys = self.unwrap(account, rows)?;
        self.data_keys.insert(account, keys.clone());
        Ok(keys)
    }

    /// The same within a transaction. They are not kept in memory: it may be rolled back.
    pub(crate) async fn data_keys_in(&self, tx: &mut Tx<'_>, account: AccountId) -> Result<Arc<DataKeys>, StoreError> {
        if let Some(keys) = self.data_keys.get(&account) {
            return Ok(keys);
        }
        let mut rows = select_keys!(tx, account)?;
        if rows.is_empty() {
            self.make_data_key(tx, account).await?;
            rows = select_keys!(tx, account)?;
        }
        self.unwrap(account, rows)
    }

    /// The first data key of an account, unless another process has made it.
    pub(crate) async fn make_data_key(&self, tx: &mut Tx<'_>, account: AccountId) -> Result<(), StoreError> {
        let mut key = [0; 32];
        getrandom::fill(&mut key).map_err(StoreError::Random)?;
        let wrapped = self.cipher.seal(&wrapped_name(account, 1), &STANDARD.encode(key))?;
        execute!(
            tx,
            "INSERT INTO data_key (account_id, number, wrapping, wrapped, created_at)
             SELECT id, 1, 1, $2, $3 FROM account WHERE id = $1
             ON CONFLICT (account_id, number) DO NOTHING",
            account.to_string(),
            wrapped,
            self.now().micros()
        )?;
        Ok(())
    }

    fn unwrap(&self, account: AccountId, rows: Vec<DataKeyRow>) -> Result<Arc<DataKeys>, StoreError> {
        if rows.is_empty() {
            return Err(StoreError::NotFound);
        }
        let mut ciphers = Vec::with_capacity(rows.len());
        for DataKeyRow { number, wrapped } in rows {
            let number = u16::try_from(number).map_err(|_| StoreError::Cipher)?;
            let key = self.cipher.open(&wrapped_name(account, number), &wrapped)?;
            let key = STANDARD.decode(key).map_err(|_| StoreError::Cipher)?;
            ciphers.push((number, Cipher::of_key(key.try_into().map_err(|_| StoreError::Cipher)?)));
        }
        Ok(Arc::new(DataKeys::new(account, ciphers)))
    }
}

fn wrapped_name(account: AccountId, number: u16) -> String {
    format!("data key {account} {number}")
}
