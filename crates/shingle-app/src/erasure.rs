//! Erases accounts that were closed seven days ago: first the files of their logos, then what names them.

use shingle_store::{Blobs, Store, StoreError};

/// What cannot go yet goes with the next run. Returns how many are gone.
pub async fn erase_closed_accounts(store: &Store, blobs: &Blobs) -> Result<u64, StoreError> {
    let mut erased = 0;
    for account in store.accounts().to_erase().await? {
        for logo in store.accounts().logos_of(account).await? {
            blobs.delete(&logo).await?;
        }
        if store.accounts().erase(account).await? {
            tracing::info!(%account, "a closed account is erased");
            erased += 1;
        }
    }
    Ok(erased)
}
