//! Several servers on one database: who they are, and what they share.
//!
//! # Decisions
//!
//! - Times are by the clock of the database: the clocks of nodes may differ.
//! - Each node writes down once a second what it let visitors and keys do, and counts what the others wrote. So a limit
//!   may be passed by what comes to the other nodes within that second, and is paid back after it. Turned down: a row for
//!   each limit, with which every request would wait for the database, and all of a busy widget's for one row.
//! - Files of imports and areas stay on the node that got them. The others send it what people ask of its pages, as rows
//!   that are there for seconds. Turned down: an address of each node in the settings and requests from node to node,
//!   which a firewall stops on the first try; gigabytes of files in the bucket for a page that shows ten rows of them.
//! - Pages and caches ask the database once a second what is new. Turned down: LISTEN and NOTIFY, which need a connection
//!   of their own that breaks with every failover, and are silent then.

pub(crate) mod homes_place;
pub(crate) mod lease;
pub(crate) mod limit_use;
pub(crate) mod node;

use crate::engine::db::Db;
use crate::{Store, StoreError};

/// The servers of this database.
#[derive(Clone, Copy)]
pub struct Nodes<'a> {
    pub(crate) store: &'a Store,
}

impl Store {
    pub fn nodes(&self) -> Nodes<'_> {
        Nodes { store: self }
    }
}

impl Nodes<'_> {
    /// Whether other servers may run on this database. A file of SQLite has one.
    pub fn may_be_several(self) -> bool {
        matches!(self.store.db, Db::Postgres(_))
    }

    /// Microseconds since 1970, as all nodes see them.
    pub(crate) async fn shared_now(self) -> Result<i64, StoreError> {
        Ok(self.store.database_clock().await?.unwrap_or_else(|| self.store.now()).micros())
    }
}
