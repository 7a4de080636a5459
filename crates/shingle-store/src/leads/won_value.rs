//! A won lead's value, and why a lead was marked as spam: columns beside the record.
//!
//! # Decision
//!
//! A won lead's value stays after erasure: it is a number that is counted and identifies nobody.

use shingle_domain::{LeadId, Tenant, Usd};

use crate::StoreError;
use crate::engine::db::{execute, fetch_optional, transact};
use crate::leads::Leads;
use crate::leads::draft::SpamReason;
use crate::leads::work::EntryKind;
use crate::people::user::User;
use crate::store::{columns, require_row};

impl Leads<'_> {
    /// `None`: nobody has told.
    pub async fn won_value(self, tenant: &Tenant, lead: LeadId) -> Result<Option<Usd>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (Option<i64>,),
            "SELECT won_value_cents FROM lead WHERE id = $1 AND account_id = $2 AND environment = $3",
            lead.to_string(),
            &account,
            environment
        )?;
        Ok(row.and_then(|(cents,)| cents).map(Usd::from_cents))
    }

    pub async fn set_won_value(
        self,
        tenant: &Tenant,
        lead: LeadId,
        by: &User,
        value: Option<Usd>,
    ) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            self.lock_open(tx, tenant, lead).await?;
            let changed = execute!(
                tx,
                "UPDATE lead SET won_value_cents = $2, tokens_at = NULL WHERE id = $1 AND won_value_cents IS DISTINCT FROM $2",
                lead.to_string(),
                value.map(Usd::cents)
            )?;
            if changed == 0 {
                return Ok(());
            }
            let told = value.map(|value| value.cents().to_string()).unwrap_or_default();
            self.add_entry(tx, tenant, lead, by, EntryKind::Worth, &told).await
        })
    }

    pub async fn spam_reason(self, tenant: &Tenant, lead: LeadId) -> Result<Option<SpamReason>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (Option<String>,),
            "SELECT spam_reason FROM lead WHERE id = $1 AND account_id = $2 AND environment = $3",
            lead.to_string(),
            &account,
            environment
        )?;
        require_row(u64::from(row.is_some()))?;
        Ok(row.and_then(|(reason,)| reason).as_deref().and_then(SpamReason::parse))
    }
}
