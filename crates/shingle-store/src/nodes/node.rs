//! Which servers run on the database, and whether they are of one kind.

use std::time::Duration;

use shingle_domain::Timestamp;

use super::Nodes;
use crate::StoreError;
use crate::engine::db::{execute, fetch_all, fetch_optional, transact};

/// A node that has not been seen for so long has stopped.
pub(super) const GONE: Duration = Duration::from_secs(30);

/// What a node says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeFacts {
    /// Of this process.
    pub id: String,
    /// The name of its machine.
    pub host: String,
    pub version: String,
    /// A hash of the list of its homes' files.
    pub homes: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherNode {
    pub host: String,
    pub version: String,
    pub homes: String,
}

row! {
    struct NodeRow {
        host: String,
        version: String,
        homes: String,
    }
}

impl Nodes<'_> {
    /// This node runs. Says which others do, in the order of their names.
    pub async fn beat(self, facts: &NodeFacts) -> Result<Vec<OtherNode>, StoreError> {
        let NodeFacts { id, host, version, homes } = facts;
        let shared = self.shared_now().await?;
        let gone = (Timestamp::from_micros(shared) - GONE).micros();
        let rows = transact!(self.store.db, |tx| {
            execute!(
                tx,
                "INSERT INTO node (id, host, version, homes, seen_at) VALUES ($1, $2, $3, $4, $5)
                     ON CONFLICT (id) DO UPDATE SET homes = excluded.homes, seen_at = excluded.seen_at",
                id,
                host,
                version,
                homes,
                shared
            )?;
            execute!(tx, "DELETE FROM node WHERE seen_at < $1", gone)?;
            let sql = "SELECT host, version, homes FROM node WHERE id <> $1 ORDER BY host, id";
            Ok(fetch_all!(tx, NodeRow, sql, id)?)
        })?;
        let other = |row: NodeRow| OtherNode { host: row.host, version: row.version, homes: row.homes };
        Ok(rows.into_iter().map(other).collect())
    }

    /// This node stops.
    pub async fn leave(self, id: &str) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            execute!(tx, "DELETE FROM node WHERE id = $1", id)?;
            execute!(tx, "DELETE FROM work_lease WHERE node_id = $1", id)?;
            Ok(())
        })
    }

    /// By what the storage of this installation is told from others; `None`: no server has looked at it yet.
    pub async fn storage_mark(self) -> Result<Option<String>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(reader, (Option<String>,), "SELECT storage_mark FROM installation WHERE id = 1")?;
        Ok(row.and_then(|(mark,)| mark))
    }

    /// The mark that holds from now on: this one, unless there is one already.
    pub async fn set_storage_mark(self, mark: &str) -> Result<String, StoreError> {
        transact!(self.store.db, |tx| {
            execute!(tx, "UPDATE installation SET storage_mark = $1 WHERE id = 1 AND storage_mark IS NULL", mark)?;
            let row = fetch_optional!(tx, (String,), "SELECT storage_mark FROM installation WHERE id = 1")?;
            row.map(|(mark,)| mark).ok_or(StoreError::NotFound)
        })
    }
}
