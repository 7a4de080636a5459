//! Homes that no photograph may show.
//!
//! # Decision
//!
//! The list is the installation's: a home that one company hides is hidden for all, since all show the same photographs.
//! Turned down: a list for each account, by which the neighbor's estimate would still show the home.

use serde::{Deserialize, Serialize};

use crate::engine::db::{execute, fetch_all, fetch_optional, transact};
use crate::{Store, StoreError};

/// Bound to each row by its seal.
const RECORD: &str = "hidden_home";

/// A home, and the ground that is painted over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HiddenHome {
    /// In one line, as the index writes it.
    pub address: String,
    /// West, south, east and north, in ten millionths of a degree.
    pub bounds: [i32; 4],
}

row! {
    struct HiddenRow {
        id: String,
        record: String,
    }
}

#[derive(Clone, Copy)]
pub struct HiddenHomes<'a> {
    store: &'a Store,
}

impl Store {
    pub fn hidden_homes(&self) -> HiddenHomes<'_> {
        HiddenHomes { store: self }
    }
}

impl HiddenHomes<'_> {
    /// Whether it was not on the list yet.
    pub async fn add(self, home: &HiddenHome) -> Result<bool, StoreError> {
        if self.all().await?.iter().any(|(_, known)| known == home) {
            return Ok(false);
        }
        let id = self.store.new_id()?.to_string();
        let record = serde_json::to_string(home)?;
        let sealed = self.store.installation_keys.seal(&row_name(&id), &record)?;
        let now = self.store.now().micros();
        transact!(self.store.db, |tx| {
            let sql = "INSERT INTO hidden_home (id, record, created_at) VALUES ($1, $2, $3)";
            execute!(tx, sql, &id, &sealed, now)?;
            Ok(true)
        })
    }

    /// Takes all rows of an address off the list; whether there was one.
    pub async fn remove(self, address: &str) -> Result<bool, StoreError> {
        let ids: Vec<_> =
            self.all().await?.into_iter().filter(|(_, home)| home.address == address).map(|(id, _)| id).collect();
        transact!(self.store.db, |tx| {
            for id in &ids {
                execute!(tx, "DELETE FROM hidden_home WHERE id = $1", id)?;
            }
            Ok(!ids.is_empty())
        })
    }

    /// By their ids, the oldest first.
    pub async fn all(self) -> Result<Vec<(String, HiddenHome)>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(reader, HiddenRow, "SELECT id, record FROM hidden_home ORDER BY id")?;
        drop(reader);
        let opened = |row: HiddenRow| {
            let record = self.store.installation_keys.open(&row_name(&row.id), &row.record)?;
            Ok((row.id, serde_json::from_str(&record)?))
        };
        rows.into_iter().map(opened).collect()
    }

    /// Another text whenever the list has changed.
    pub async fn version(self) -> Result<String, StoreError> {
        let mut reader = self.store.db.read().await?;
        let sql = "SELECT COUNT(*), MAX(id) FROM hidden_home";
        let row = fetch_optional!(reader, (i64, Option<String>), sql)?;
        Ok(row.map(|(count, newest)| format!("{count} {}", newest.unwrap_or_default())).unwrap_or_default())
    }
}

fn row_name(id: &str) -> String {
    format!("{RECORD} {id}")
}
