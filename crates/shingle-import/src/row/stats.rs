//! Counts made while rows are read and joined.

use serde::{Deserialize, Serialize};
use shingle_domain::Address;

use crate::mapping::field::Field;
use crate::mapping::formula::Unread;
use crate::row::far_towns::FarTowns;
use crate::row::finding::Finding;
use crate::row::misread::MisreadRows;
use crate::row::parcel_id::MissingIds;
use crate::row::values::FieldValues;

/// What the reader counts besides rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ImportStats {
    pub shapes: u64,
    pub misplaced: u64,
    /// Rows without a town, whose ZIP determines it.
    pub towns_of_zips: u64,
    /// Rows whose ZIP is another state's, and the state and ZIP of the first.
    #[serde(default)]
    pub zips_of_other_states: u64,
    #[serde(default)]
    pub zip_of_another_state: Option<(String, String)>,
    #[serde(default)]
    pub far_towns: FarTowns,
    #[serde(default)]
    pub missing_ids: MissingIds,
    #[serde(default)]
    pub misread: MisreadRows,
    /// Outlines that crossed themselves slightly.
    pub repaired: u64,
    /// Outlines with a hole that lies outside them.
    pub stray_holes: u64,
    pub joins: JoinStats,
    /// Cells that are not blank and gave no fact: field, what was wrong, an example, how many.
    pub unread: Vec<UnreadCells>,
    /// Of each field, by its place in the list of all.
    pub fields: Vec<FieldCells>,
    /// For a check alone.
    #[serde(skip)]
    pub values: Option<FieldValues>,
}

/// What became of a field's cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FieldCells {
    pub known: u64,
    pub unread: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UnreadCells {
    pub field: String,
    pub problem: Unread,
    /// A cell of the file, shortened. Never of a column of names.
    pub example: String,
    pub cells: u64,
}

/// Different problems that are listed; the rest is counted with the last one.
const MAX_COMPLAINTS: usize = 100;
/// How many rows matched the layers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct JoinStats {
    /// Rows with a parcel id, and how many of the ids are in the layer.
    pub ids: u64,
    pub known: u64,
    pub unknown_id: Option<String>,
    /// Rows that took their parcel from their place, their place from their parcel, their ZIP from its area.
    pub by_place: u64,
    pub placed: u64,
    pub zips: u64,
    pub spanning: u64,
    /// Points with an address that lie in an outline, took one near them, or have none.
    pub in_outline: u64,
    pub near_outline: u64,
    pub no_outline: u64,
}

impl ImportStats {
    /// A ZIP of another state, or far from its town: one of the two is wrong, and the home stands in the wrong town or is not
    /// found.
    pub fn compare_zip_with_place(&mut self, address: &Address) {
        if address.zip.is_known() && !self.far_towns.look(address) {
            let (zip, state) = (address.zip.as_str(), address.state.as_str());
            self.zips_of_other_states += 1;
            self.zip_of_another_state.get_or_insert_with(|| (zip.to_owned(), state.to_owned()));
        }
    }

    /// What looks wrong in the rows as a whole.
    pub fn told(&self) -> Vec<Finding> {
        self.zips_told()
            .into_iter()
            .chain(self.far_towns.told())
            .chain(self.missing_ids.told())
            .chain(self.misread.told())
            .collect()
    }

    fn zips_told(&self) -> Option<Finding> {
        let (zip, state) = self.zip_of_another_state.clone()?;
        Some(Finding::ForeignZips { rows: self.zips_of_other_states, zip, state })
    }

    pub fn of(&self, field: Field) -> FieldCells {
        self.fields.get(field as usize).copied().unwrap_or_default()
    }

    pub fn at(&mut self, field: Field) -> &mut FieldCells {
        let at = field as usize;
        if self.fields.len() <= at {
            self.fields.resize(at + 1, FieldCells::default());
        }
        &mut self.fields[at]
    }

    pub fn complain(&mut self, field: Field, problem: Unread, cell: &str) {
        let by_value = problem == Unread::UnknownCode;
        let personal = field.is_personal();
        let example: String = if personal { String::new() } else { cell.chars().take(40).collect() };
        let same = |u: &&mut UnreadCells| {
            u.field == field.name() && u.problem == problem && (!by_value || u.example == example)
        };
        if let Some(known) = self.unread.iter_mut().find(same) {
            known.cells += 1;
        } else if self.unread.len() < MAX_COMPLAINTS {
            self.unread.push(UnreadCells { field: field.name().to_owned(), problem, example, cells: 1 });
        } else if let Some(last) = self.unread.last_mut() {
            last.cells += 1;
        }
    }
}
