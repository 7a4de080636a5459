//! Work that only one node may do at a time.

use std::time::Duration;

use shingle_domain::Timestamp;

use super::Nodes;
use crate::StoreError;
use crate::engine::db::{execute, transact};

impl Nodes<'_> {
    /// Whether this node may do the work for so long. Asking again in time lengthens it. Where there is one server, it may.
    pub async fn may_do(self, work: &str, node: &str, length: Duration) -> Result<bool, StoreError> {
        if !self.may_be_several() {
            return Ok(true);
        }
        let now = self.shared_now().await?;
        let ends_at = (Timestamp::from_micros(now) + length).micros();
        transact!(self.store.db, |tx| {
            let taken = execute!(
                tx,
                "INSERT INTO work_lease (work, node_id, ends_at) VALUES ($1, $2, $3)
                     ON CONFLICT (work) DO UPDATE SET node_id = excluded.node_id, ends_at = excluded.ends_at
                       WHERE work_lease.node_id = excluded.node_id OR work_lease.ends_at < $4",
                work,
                node,
                ends_at,
                now
            )?;
            Ok(taken > 0)
        })
    }

    /// The work is done: another node may begin.
    pub async fn is_done(self, work: &str, node: &str) -> Result<(), StoreError> {
        if !self.may_be_several() {
            return Ok(());
        }
        transact!(self.store.db, |tx| {
            execute!(tx, "DELETE FROM work_lease WHERE work = $1 AND node_id = $2", work, node)?;
            Ok(())
        })
    }
}
