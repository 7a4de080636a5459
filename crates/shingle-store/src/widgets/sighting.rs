//! Where a widget was seen: hosts whose pages loaded its script, and what a site check found.

use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::{LinkId, Tenant, Timestamp, WidgetId};

use crate::StoreError;
use crate::engine::db::{execute, fetch_all, transact};
use crate::store::columns;
use crate::widgets::Widgets;

/// How many hosts are kept of one widget, and how many checks.
const MAX_KEPT: i64 = 20;

row! {
    struct SightingRow {
        host: String,
        seen_at: i64,
    }
}

row! {
    struct CheckRow {
        page: String,
        verdict: String,
        created_at: i64,
    }
}

/// A page that somebody has had checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedPage {
    pub at: Timestamp,
    pub page: String,
    pub verdict: String,
}

impl Widgets<'_> {
    /// By the id of its links. A widget that is gone was seen by nobody.
    pub async fn note_sightings(self, seen: &[(LinkId, String, Timestamp)]) -> Result<(), StoreError> {
        if seen.is_empty() {
            return Ok(());
        }
        // In one order on all nodes.
        let mut seen: Vec<_> = seen.iter().map(|(link, host, at)| (link.to_string(), host, at.micros())).collect();
        seen.cold_sort();
        transact!(self.store.db, |tx| {
            for (row, host, at) in &seen {
                execute!(
                    tx,
                    "INSERT INTO widget_sighting (widget_id, host, seen_at) SELECT id, $2, $3 FROM widget WHERE id = $1
                         ON CONFLICT (widget_id, host) DO UPDATE SET seen_at = excluded.seen_at
                           WHERE widget_sighting.seen_at < excluded.seen_at",
                    row,
                    host,
                    at
                )?;
                execute!(
                    tx,
                    "DELETE FROM widget_sighting WHERE widget_id = $1 AND host NOT IN (
                         SELECT host FROM widget_sighting WHERE widget_id = $1 ORDER BY seen_at DESC, host LIMIT $2)",
                    row,
                    MAX_KEPT
                )?;
            }
            Ok(())
        })
    }

    /// Hosts and times, the newest first.
    pub async fn sightings(self, tenant: &Tenant, id: WidgetId) -> Result<Vec<(String, Timestamp)>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            SightingRow,
            "SELECT s.host, s.seen_at FROM widget_sighting AS s JOIN widget AS w ON w.id = s.widget_id
              WHERE w.reference_id = $1 AND w.account_id = $2 AND w.environment = $3
              ORDER BY s.seen_at DESC, s.host",
            id.to_string(),
            &account,
            environment
        )?;
        Ok(rows.into_iter().map(|row| (row.host, Timestamp::from_micros(row.seen_at))).collect())
    }

    pub async fn note_site_check(
        self,
        tenant: &Tenant,
        id: WidgetId,
        page: &str,
        verdict: &str,
    ) -> Result<(), StoreError> {
        let (account, environment) = columns(tenant);
        let (check, now) = (self.store.new_id()?.to_string(), self.store.now());
        transact!(self.store.db, |tx| {
            execute!(
                tx,
                "INSERT INTO widget_check (id, widget_id, page, verdict, created_at)
                 SELECT $1, id, $2, $3, $4 FROM widget WHERE reference_id = $5 AND account_id = $6 AND environment = $7",
                &check,
                page,
                verdict,
                now.micros(),
                id.to_string(),
                &account,
                environment
            )?;
            execute!(
                tx,
                "DELETE FROM widget_check WHERE widget_id = (SELECT widget_id FROM widget_check WHERE id = $1)
                    AND id NOT IN (SELECT id FROM widget_check
                                    WHERE widget_id = (SELECT widget_id FROM widget_check WHERE id = $1)
                                    ORDER BY id DESC LIMIT $2)",
                &check,
                MAX_KEPT
            )?;
            Ok(())
        })
    }

    /// The newest first.
    pub async fn site_checks(self, tenant: &Tenant, id: WidgetId) -> Result<Vec<CheckedPage>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            CheckRow,
            "SELECT c.page, c.verdict, c.created_at FROM widget_check AS c JOIN widget AS w ON w.id = c.widget_id
              WHERE w.reference_id = $1 AND w.account_id = $2 AND w.environment = $3 ORDER BY c.id DESC",
            id.to_string(),
            &account,
            environment
        )?;
        let read = |CheckRow { page, verdict, created_at }| CheckedPage {
            at: Timestamp::from_micros(created_at),
            page,
            verdict,
        };
        Ok(rows.into_iter().map(read).collect())
    }
}
