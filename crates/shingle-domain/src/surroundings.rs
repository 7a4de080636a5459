//! What stands around a home, so that its owner recognizes it: outlines, house numbers and the street. No names of
//! people.
//!
//! Lengths are feet × 10 in whole numbers, to the east and to the SOUTH of the home's origin, as in drawings.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Surroundings {
    /// The nearest first.
    pub neighbors: Vec<Neighbor>,
    pub street: Option<StreetLine>,
    /// Streets beside it before which neighbors stand: the other one of a corner, the nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_streets: Vec<StreetLine>,
    /// The border of the home's own lot; empty where it is not known.
    #[serde(default)]
    pub lot: Vec<[i32; 2]>,
    /// The next lower and the next higher house number on the same side of the street, as far as they stand near.
    pub between: [Option<String>; 2],
}

/// A building of a neighbor, or another one of theirs: a garage has the number of its house.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Neighbor {
    /// `None` for all but the largest building of an address.
    pub number: Option<String>,
    pub ring: Vec<[i32; 2]>,
}

/// The middle of a street, as the houses on both its sides suggest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StreetLine {
    /// `Alder Court`
    pub name: String,
    pub from: [i32; 2],
    pub to: [i32; 2],
    /// Half of the width it is drawn with: it touches no building.
    pub half_width: i32,
}
