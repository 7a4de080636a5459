//! The findings of a check.

use std::fmt::Display;

use serde::{Serialize, Serializer};
use shingle_domain::message::Message;

use crate::row::doubtful::DoubtfulAddresses;
use crate::row::finding::Finding;
use crate::row::stats::UnreadCells;
use crate::run::advice::Suggestion;
use crate::run::own_rows::OwnRows;
use crate::run::plausible::ValueRange;

/// ZIPs in the empty West reach farther; most homes do not lie that far from the center.
pub const NEAR_ZIP_KM: f64 = 40.0;

/// `rows_read` = `usable` + `rejected` + `duplicates` + `skipped`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckReport {
    pub dataset: String,
    pub rows_read: u64,
    /// Rows that an import would take.
    pub usable: u64,
    pub rejected: u64,
    pub duplicates: u64,
    pub skipped: u64,
    /// Rows whose address was read; the others are known by their parcel.
    pub addressed: u64,
    /// Rows that can have fields: all that `[rows]` takes, refused ones and duplicates included, except those of the
    /// outlines layer. Shares are of them.
    pub records: u64,
    /// Usable rows of that layer.
    pub outline_rows: u64,
    /// Why rows would be rejected, most frequent first.
    #[serde(serialize_with = "reasons_in_english")]
    pub reasons: Vec<(Message, u64)>,
    pub fields: Vec<CheckedField>,
    /// `None` when no row has a point or an outline.
    pub extent: Option<Extent>,
    /// Addresses that may be read in another way.
    pub doubtful: Vec<DoubtfulAddresses>,
    #[serde(serialize_with = "in_english")]
    pub notes: Vec<Message>,
    /// What looks wrong in the rows as a whole.
    pub findings: Vec<Finding>,
    /// What may be wrong in the mapping.
    #[serde(serialize_with = "in_english")]
    pub suggestions: Vec<Suggestion>,
    /// How many of some of its rows are found as people write them; `None` where that could not be tried.
    pub own_rows: Option<OwnRows>,
}

/// As programs read them.
fn in_english<S: Serializer>(said: &[impl Display], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(said.iter().map(ToString::to_string))
}

fn reasons_in_english<S: Serializer>(reasons: &[(Message, u64)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(reasons.iter().map(|(reason, rows)| (reason.to_string(), rows)))
}

/// A field's cells over all records that have an address or a parcel.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckedField {
    pub field: String,
    pub known: u64,
    /// Nothing there, or a word or number that means "nothing".
    pub blank: u64,
    /// Something there that gave no fact.
    pub unread: u64,
    /// Of a field of numbers that has any.
    pub range: Option<ValueRange>,
    /// Of a field that knows only a few words: which, and how often, the most frequent first.
    pub words: Vec<(String, u64)>,
    /// The different complaints, the most frequent first; examples are never of names or mailing addresses.
    pub problems: Vec<UnreadCells>,
}

/// Where the rows lie, in degrees (WGS 84).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Extent {
    pub outlines: u64,
    pub points: u64,
    pub west: f64,
    pub south: f64,
    pub east: f64,
    pub north: f64,
    /// Rows whose ZIP has a published center, and how many of them lie within [`NEAR_ZIP_KM`] of it.
    pub compared: u64,
    pub near_their_zip: u64,
}

impl CheckedField {
    /// `912 / 1640 / 8200`, or `gable 512, hip 40`; empty where there is nothing to show.
    pub fn shown_values(&self) -> String {
        if let Some(range) = &self.range {
            return range.to_string();
        }
        let words = self.words.iter().take(WORDS_SHOWN).map(|(word, cells)| format!("{word} {cells}"));
        let more = if self.words.len() > WORDS_SHOWN { ", …" } else { "" };
        words.collect::<Vec<_>>().join(", ") + more
    }
}

/// Words of a field that a table shows.
const WORDS_SHOWN: usize = 4;

impl CheckReport {
    /// Whether an import would put anything into the index.
    pub fn would_import(&self) -> bool {
        self.usable > 0
    }
}
