//! The end of each account's chain of consents. A writer holds its row until the transaction ends.

use shingle_consent::{Digest, Head};
use shingle_domain::AccountId;

use crate::StoreError;
use crate::consents::Consents;
use crate::engine::db::{Tx, execute, fetch_optional};

impl Consents<'_> {
    pub(crate) async fn lock_chain(self, tx: &mut Tx<'_>, account: AccountId) -> Result<Head, StoreError> {
        // Setting a column to itself is a lock that both engines support.
        let row = fetch_optional!(
            tx,
            (i64, String),
            "INSERT INTO consent_chain (account_id, sequence, link) VALUES ($1, 0, $2)
             ON CONFLICT (account_id) DO UPDATE SET sequence = consent_chain.sequence
             RETURNING sequence, link",
            account.to_string(),
            Digest::ZERO.to_string()
        )?;
        head(account, row.ok_or(StoreError::NotFound)?)
    }

    pub(crate) async fn chain_head(self, account: AccountId) -> Result<Head, StoreError> {
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (i64, String),
            "SELECT sequence, link FROM consent_chain WHERE account_id = $1",
            account.to_string()
        )?;
        row.map_or(Ok(Head { sequence: 0, link: Digest::ZERO }), |row| head(account, row))
    }

    pub(crate) async fn move_chain(self, tx: &mut Tx<'_>, account: AccountId, to: Head) -> Result<(), StoreError> {
        execute!(
            tx,
            "UPDATE consent_chain SET sequence = $2, link = $3 WHERE account_id = $1",
            account.to_string(),
            i64::try_from(to.sequence).unwrap_or(i64::MAX),
            to.link.to_string()
        )?;
        Ok(())
    }
}

fn head(account: AccountId, (sequence, link): (i64, String)) -> Result<Head, StoreError> {
    let unreadable = || StoreError::Unreadable {
        what: "chain of consents of account",
        id: account.to_string(),
        reason: "no end of a chain".to_owned(),
    };
    let sequence = u64::try_from(sequence).map_err(|_| unreadable())?;
    Ok(Head { sequence, link: link.parse().map_err(|()| unreadable())? })
}
