//! The texts that homeowners were asked to agree to, with how many were asked and how many agreed.

use shingle_domain::{Tenant, Timestamp};

use crate::db::fetch_all;
use crate::store::columns;
use crate::{Store, StoreError};

/// More than a company can have by changes of its name and of our sentence.
const MAX_TEXTS: i64 = 100;

row! {
    struct TextRow {
        text_hash: String,
        text: String,
        asked: i64,
        agreed: i64,
        first_at: i64,
        last_at: i64,
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsentText {
    pub hash: String,
    pub text: String,
    pub asked: u64,
    pub agreed: u64,
    pub first_at: Timestamp,
    pub last_at: Timestamp,
}

impl Store {
    /// The one that was sent last first. Consents of erased leads have lost their text, and are not counted.
    pub async fn consent_texts(&self, tenant: &Tenant) -> Result<Vec<ConsentText>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.db.read().await?;
        let rows = fetch_all!(
            reader,
            TextRow,
            "SELECT text_hash, MIN(text) AS text, COUNT(*) AS asked, SUM(CASE WHEN given THEN 1 ELSE 0 END) AS agreed,
                    MIN(at) AS first_at, MAX(at) AS last_at
               FROM consent
              WHERE account_id = $1 AND environment = $2 AND erased_at IS NULL
              GROUP BY text_hash ORDER BY last_at DESC, text_hash LIMIT $3",
            &account,
            environment,
            MAX_TEXTS
        )?;
        let read = |row: TextRow| ConsentText {
            hash: row.text_hash,
            text: row.text,
            asked: row.asked.unsigned_abs(),
            agreed: row.agreed.unsigned_abs(),
            first_at: Timestamp::from_micros(row.first_at),
            last_at: Timestamp::from_micros(row.last_at),
        };
        Ok(rows.into_iter().map(read).collect())
    }
}
