//! `Idempotency-Key` on API requests: a repeated request creates nothing new.

use std::time::Duration;

use shingle_domain::Tenant;

use crate::StoreError;
use crate::accounts::Accounts;
use crate::engine::db::{Tx, execute, fetch_optional, transact};
use crate::store::columns;

/// A key and what identifies its request; only keyed hashes of both are stored.
#[derive(Clone)]
pub struct RequestKey {
    pub key: String,
    /// Equal for equal requests: path and body.
    pub request: Vec<u8>,
}

row! {
    struct RequestRow {
        request_hash: String,
        resource_id: String,
    }
}

impl Accounts<'_> {
    /// Notes that this request makes `resource`. `Some`: an earlier request with the key has made that instead.
    pub(crate) async fn keep_request(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        request: Option<&RequestKey>,
        resource: &str,
    ) -> Result<Option<String>, StoreError> {
        let Some(request) = request else { return Ok(None) };
        let (account, environment) = columns(tenant);
        let (key_hash, request_hash) =
            (self.store.hashes.request(request.key.as_bytes()), self.store.hashes.request(&request.request));
        // Of two requests at once, the second waits here for the first.
        let kept = execute!(
            tx,
            "INSERT INTO api_request (account_id, environment, key_hash, request_hash, resource_id, created_at)
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
            &account,
            environment,
            &key_hash,
            &request_hash,
            resource,
            self.store.now().micros()
        )?;
        if kept == 1 {
            return Ok(None);
        }
        let row = fetch_optional!(
            tx,
            RequestRow,
            "SELECT request_hash, resource_id FROM api_request
              WHERE account_id = $1 AND environment = $2 AND key_hash = $3",
            &account,
            environment,
            &key_hash
        )?;
        match row {
            Some(row) if row.request_hash == request_hash => Ok(Some(row.resource_id)),
            _ => Err(StoreError::KeyReused),
        }
    }

    /// Forgets keys older than `age`.
    pub async fn delete_api_requests(self, age: Duration) -> Result<u64, StoreError> {
        let before = (self.store.now() - age).micros();
        transact!(self.store.db, |tx| { Ok(execute!(tx, "DELETE FROM api_request WHERE created_at < $1", before)?) })
    }
}
