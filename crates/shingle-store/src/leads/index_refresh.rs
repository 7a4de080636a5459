//! Refreshes the index of leads from the database.

use std::time::Duration;

use shingle_domain::{Tenant, UserId};
use tokio::sync::OwnedMutexGuard;

use crate::StoreError;
use crate::engine::db::fetch_all;
use crate::leads::Leads;
use crate::leads::index::{FacetColumns, LeadIndex};
use crate::store::{columns, parse_id};

/// A transaction is seen when it commits, later than the time that it writes; and the clocks of two nodes differ.
const OVERLAP: Duration = Duration::from_secs(5 * 60);
impl Leads<'_> {
    /// As the database has it now. `user`: with what this user has opened.
    pub(crate) async fn index(
        self,
        tenant: &Tenant,
        user: Option<UserId>,
    ) -> Result<OwnedMutexGuard<LeadIndex>, StoreError> {
        self.index_leads_of(tenant.account).await?;
        let mut index = self.store.lead_indexes.of(tenant, self.store.elapsed()).lock_owned().await;
        let now = self.store.now().micros();
        let overlap = i64::try_from(OVERLAP.as_micros()).unwrap_or(i64::MAX);
        let since = |read: Option<i64>| read.map_or(i64::MIN, |at| at.min(now) - overlap);
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            FacetColumns,
            "SELECT lead_id, created_at, status, widget_id, price_cents, town, origin, visit, wants, assignee_id, due_day,
                    due_time, loss, tags, first_touch_at, page, source, won_value_cents, erased
               FROM lead_facet WHERE account_id = $1 AND environment = $2 AND touched_at >= $3
              ORDER BY created_at, lead_id",
            &account,
            environment,
            since(index.read_until)
        )?;
        let before = index.rows.len();
        for row in rows {
            index.take(row)?;
        }
        if index.rows.len() > before {
            index.sort();
        }
        index.read_until = Some(now);
        if let Some(user) = user {
            let opened = index.opened.entry(user).or_default();
            let rows = fetch_all!(
                reader,
                (String,),
                "SELECT lead_id FROM portal_lead_view WHERE user_id = $1 AND seen_at >= $2",
                user.to_string(),
                since(opened.read_until)
            )?;
            for (id,) in rows {
                opened.leads.insert(parse_id("lead", &id)?);
            }
            opened.read_until = Some(now);
        }
        self.store.lead_indexes.note(tenant, index.rows.len());
        Ok(index)
    }
}
