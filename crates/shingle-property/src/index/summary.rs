//! What an index holds, and what a build of it made.

use std::time::SystemTime;

use shingle_domain::evidence::{Place, Source};
use shingle_domain::{Address, State};

/// What an import run made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexSummary {
    pub dataset: String,
    pub version: u64,
    /// Rows pushed.
    pub rows: u64,
    /// Distinct places in the index.
    pub places: u64,
    /// Rows that joined another row's place.
    pub joined: u64,
    /// Facts on which joined rows differ, one a place and field: `merge` says which is believed.
    pub conflicts: u64,
    /// The same by field, the most frequent first.
    pub conflicts_by_field: Vec<(String, u64)>,
    /// Rows left out because another address has the same hash.
    pub collisions: u64,
    /// Rows left out because no street could be read from their address.
    pub without_street: u64,
    pub states: Vec<StateSummary>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateSummary {
    pub state: String,
    pub places: u64,
    pub streets: u64,
    pub bytes: u64,
}

impl IndexSummary {
    pub(super) fn count_conflicts(&mut self, place: &Place) {
        for (at, conflict) in place.conflicts.iter().enumerate() {
            if place.conflicts[..at].iter().any(|c| c.field == conflict.field) {
                continue;
            }
            self.conflicts += 1;
            match self.conflicts_by_field.iter_mut().find(|(field, _)| *field == conflict.field) {
                Some((_, count)) => *count += 1,
                None => self.conflicts_by_field.push((conflict.field.clone(), 1)),
            }
        }
    }
}

/// What an index holds, for `shingle doctor`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexStatus {
    /// Counts imports; 0 for an index that was never written.
    pub generation: u64,
    pub datasets: Vec<DatasetStatus>,
    /// Why the newest version is not the one being served, if it is not.
    pub problem: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatasetStatus {
    pub name: String,
    /// Counts this data set's imports.
    pub version: u64,
    pub states: Vec<StateSummary>,
}

impl DatasetStatus {
    pub fn places(&self) -> u64 {
        self.states.iter().map(|s| s.places).sum()
    }

    pub fn bytes(&self) -> u64 {
        self.states.iter().map(|s| s.bytes).sum()
    }
}

/// A data set, as it is in use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    pub name: String,
    pub sources: Vec<Source>,
    pub states: Vec<State>,
    pub homes: u64,
    /// When its files were written.
    pub at: Option<SystemTime>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Town {
    /// In reading case.
    pub name: String,
    /// Of the data set that has the most of them.
    pub homes: u64,
    /// Names of its sources, as people read them; of the homes that were looked at.
    pub sources: Vec<String>,
    /// Row, first column and length of the patches of the map that are its own, from the north-west.
    pub patches: Vec<(u16, u16, u16)>,
    /// A few of its homes whose buildings are known.
    pub examples: Vec<Address>,
}

/// The towns of a state, most homes first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TownsOfState {
    pub towns: Vec<Town>,
    /// Of the map, in patches; zero without one.
    pub columns: u16,
    pub rows: u16,
}
