//! Property details and lead integrity: the contract's records, misspellings included.

use serde::{Deserialize, Serialize};

use crate::time::Timestamp;

/// `GET /api/v1/address-info` (without integrity) and `GET /api/v1/address-info-v2`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AddressInfoRecord {
    pub timestamp: Timestamp,
    #[serde(flatten)]
    pub details: PropertyDetails,
    /// Only on request.
    #[serde(flatten)]
    pub integrity: Option<LeadIntegrity>,
}

/// Every field `None` when nothing is known.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PropertyDetails {
    pub primary_owner: Option<String>,
    pub secondary_owner: Option<String>,
    pub owner_occupied: Option<bool>,
    pub home_built_year: Option<String>,
    pub years_in_home: Option<String>,
    pub county: Option<String>,
    pub subdivision: Option<String>,
    pub school: Option<String>,
    pub property_type: Option<String>,
    pub area_building_size: Option<String>,
    /// Spelled as the contract spells it.
    pub scructure_present: Option<bool>,
}

/// `None` when no place was matched.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LeadIntegrity {
    /// 0 to 10.
    pub lead_integrity_score: Option<u8>,
    pub lead_integrity_defects: Option<Vec<Defect>>,
}

/// A criterion that could not be confirmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Defect {
    Zoning,
    Occupancy,
    Structure,
    Surname,
}

/// Whom a score is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum AccuracyCode {
    /// The owner at the address.
    P,
    /// A household at the address.
    A,
    /// Owners in the area.
    G,
    /// Nothing matched.
    N,
}

/// One addend of a score, for `include=reasons`, so that every number can be checked by hand.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reason {
    /// The field of the record: `solarIndex`.
    pub field: &'static str,
    /// `economics`
    pub part: &'static str,
    /// What it adds, in the points of the model, before rounding and clamping.
    pub points: f64,
    /// Its weight, where the model weighs.
    pub weight: Option<f64>,
    /// The explanation, with the figures used.
    pub because: String,
}
