//! The result of an import.

use std::path::PathBuf;

use shingle_domain::message::Message;

use crate::join::surveyed::RoofFigures;
use crate::row::finding::Finding;
use crate::row::stats::UnreadCells;
use crate::run::own_rows::OwnRows;

/// What an import did. `rows_read` = `imported` + `rejected` + `duplicates` + `skipped`.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportReport {
    pub dataset: String,
    pub rows_read: u64,
    pub imported: u64,
    pub rejected: u64,
    /// Rows that repeat an earlier row.
    pub duplicates: u64,
    /// Rows that the mapping's `[rows]` leaves out.
    pub skipped: u64,
    /// CSV with file, row (the first after the header is 1), reason and address; `None` when no row was
    /// rejected.
    pub rejects_file: Option<PathBuf>,
    /// The reasons, most frequent first.
    pub reasons: Vec<(Message, u64)>,
    /// Counts the imports of the data set.
    pub version: u64,
    pub places: u64,
    /// Facts on which rows of one address differ; the fact of the first row stays.
    pub conflicts: u64,
    /// How many imported rows have an outline, a point, and each mapped field.
    pub coverage: Vec<(String, u64)>,
    /// Of the imported rows, those of the layer of outlines, which have no fields.
    pub outline_rows: u64,
    /// Address points that lie in an outline or took a near one.
    pub points_with_outline: u64,
    /// Cells that are not blank and gave no fact.
    pub unread: Vec<UnreadCells>,
    /// What the operator should know: an assumed projection, a column that no feature has.
    pub notes: Vec<Message>,
    /// What looks wrong in the rows as a whole.
    pub findings: Vec<Finding>,
    /// How many of some of its rows are found as people write them; `None` where the index could not be asked.
    pub own_rows: Option<OwnRows>,
    /// What laser points measured, where there were some.
    pub roofs: Option<RoofFigures>,
    /// Rows that an interrupted import of the same files had already read.
    pub resumed_from: Option<u64>,
}
