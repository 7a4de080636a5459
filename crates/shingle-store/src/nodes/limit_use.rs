//! What visitors and keys have used of their limits at the other nodes.

use std::time::Duration;

use shingle_domain::Timestamp;

use super::Nodes;
use crate::StoreError;
use crate::engine::db::{execute, fetch_all, transact};

/// How long it is kept for nodes that start.
const KEPT: Duration = Duration::from_secs(5 * 60);
/// How long a row may need from its time to its commit: so far back each reading goes.
const LATE: Duration = Duration::from_secs(20);
/// Bound to each row by its seal.
const RECORD: &str = "limit_use";

/// What one node let pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitUse {
    pub id: String,
    /// As the node wrote it.
    pub uses: String,
}

row! {
    struct UseRow {
        id: String,
        uses: String,
    }
}

impl Nodes<'_> {
    /// Writes down what this node let pass, if it did, and returns what the others wrote lately, or since five minutes ago.
    /// Rows come again until they are old.
    pub async fn share_limits(
        self,
        node: &str,
        uses: Option<&str>,
        since_start: bool,
    ) -> Result<Vec<LimitUse>, StoreError> {
        let now = Timestamp::from_micros(self.shared_now().await?);
        let since = now - if since_start { KEPT } else { LATE };
        let sealed = uses.map(|uses| self.store.installation_keys.seal(RECORD, uses)).transpose()?;
        let id = self.store.new_id()?.to_string();
        let rows = transact!(self.store.db, |tx| {
            if let Some(sealed) = &sealed {
                execute!(
                    tx,
                    "INSERT INTO limit_use (id, node_id, uses, noted_at) VALUES ($1, $2, $3, $4)",
                    &id,
                    node,
                    sealed,
                    now.micros()
                )?;
                execute!(tx, "DELETE FROM limit_use WHERE noted_at < $1", (now - KEPT).micros())?;
            }
            let sql = "SELECT id, uses FROM limit_use WHERE noted_at >= $1 AND node_id <> $2 ORDER BY noted_at, id";
            Ok(fetch_all!(tx, UseRow, sql, since.micros(), node)?)
        })?;
        let open =
            |row: UseRow| Ok(LimitUse { uses: self.store.installation_keys.open(RECORD, &row.uses)?, id: row.id });
        rows.into_iter().map(open).collect()
    }

    /// Whether the solution of this challenge counts: at one node, once.
    pub async fn spend_challenge(self, challenge: &str, expires_at: Timestamp) -> Result<bool, StoreError> {
        transact!(self.store.db, |tx| {
            let spent = execute!(
                tx,
                "INSERT INTO spent_challenge (challenge, expires_at) VALUES ($1, $2) ON CONFLICT (challenge) DO NOTHING",
                challenge,
                expires_at.micros()
            )?;
            Ok(spent > 0)
        })
    }

    pub async fn forget_spent_challenges(self) -> Result<(), StoreError> {
        let now = self.store.now().micros();
        transact!(self.store.db, |tx| {
            execute!(tx, "DELETE FROM spent_challenge WHERE expires_at < $1", now)?;
            Ok(())
        })
    }
}
