//! The valid version of the link to a lead's estimate. Signing happens elsewhere.
//!
//! # Decision
//!
//! A link to an estimate is revoked by incrementing `link_version`, which its signature covers. Turned down: stored
//! tokens.

use shingle_domain::{LeadId, Tenant};

use crate::StoreError;
use crate::engine::db::{execute, fetch_optional, transact};
use crate::leads::Leads;
use crate::store::{columns, require_row};

/// Of the link to a lead that was just made.
pub const FIRST_LINK_VERSION: i64 = 1;

impl Leads<'_> {
    /// `None` also for a lead that was erased.
    pub async fn link_version(self, tenant: &Tenant, id: LeadId) -> Result<Option<i64>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (i64,),
            "SELECT link_version FROM lead
              WHERE id = $1 AND account_id = $2 AND environment = $3 AND record IS NOT NULL",
            id.to_string(),
            &account,
            environment
        )?;
        Ok(row.map(|(version,)| version))
    }

    /// The links that were given out stop working. It does not change the lead, so there is no event.
    pub async fn revoke_link(self, tenant: &Tenant, id: LeadId) -> Result<(), StoreError> {
        let (account, environment) = columns(tenant);
        transact!(self.store.db, |tx| {
            require_row(execute!(
                tx,
                "UPDATE lead SET link_version = link_version + 1
                  WHERE id = $1 AND account_id = $2 AND environment = $3 AND record IS NOT NULL",
                id.to_string(),
                &account,
                environment
            )?)?;
            // So do those of the leads that were merged into it.
            execute!(
                tx,
                "UPDATE lead SET link_version = link_version + 1 WHERE merged_into = $1 AND account_id = $2",
                id.to_string(),
                &account
            )?;
            Ok(())
        })
    }
}
