//! Property details and lead integrity: the contract's records, misspellings included.

use serde::{Deserialize, Serialize};

use crate::time::Timestamp;

/// What is known of the property at an address; level 1 is without the two integrity fields.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AddressInfoRecord {
    /// When the answer was made, in UTC. Example: `2026-11-22T23:04:04.000Z`
    pub timestamp: Timestamp,
    #[serde(flatten)]
    pub details: PropertyDetails,
    /// Only on request.
    #[serde(flatten)]
    pub integrity: Option<LeadIntegrity>,
}

/// The details of a property.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PropertyDetails {
    /// Full name of the primary owner. Null where it is not known, and always where the address was matched only
    /// approximately. Example: `Ann Sample`
    pub primary_owner: Option<String>,
    /// Full name of the second owner. Null if there is no second owner or the name is not known. Example: `Bo Sample`
    pub secondary_owner: Option<String>,
    /// Whether an owner lives at the address. Null where it is not known. Example: `true`
    pub owner_occupied: Option<bool>,
    /// Year in which the primary structure was built. Null where it is not known. Example: `1974`
    pub home_built_year: Option<String>,
    /// Full years for which the primary owner has owned the property. Null where it is not known. Example: `11`
    pub years_in_home: Option<String>,
    /// Name of the county. Null where it is not known. Example: `Cumberland`
    pub county: Option<String>,
    /// Name of the subdivision. Null where it has none or it is not known. Example: `Deering Highlands`
    pub subdivision: Option<String>,
    /// Name of the school district. Null where it is not known. Example: `Portland Public Schools`
    pub school: Option<String>,
    /// General kind of the property. Null where it is not known. Example: `Single Family Residential`
    pub property_type: Option<String>,
    /// Area of all structures on the property together, in square feet. Null where it is not known. Example: `2140`
    pub area_building_size: Option<String>,
    /// Whether a structure stands at the address. The name is spelled as the API spells it. Null where it is not known.
    /// Example: `true`
    pub scructure_present: Option<bool>,
}

/// How far a lead can be relied on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LeadIntegrity {
    /// Quality of the lead: 10 to 9 outstanding, 8 to 7 strong, 6 to 5 moderate, 4 to 3 weak, 2 to 1 very weak, 0
    /// unreliable. Sent only with `leadIntegrityScoreOn=true`. Null where it cannot be determined. Example: `8`
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 10)))]
    pub lead_integrity_score: Option<u8>,
    /// What lowered the score. Sent only with `leadIntegrityScoreOn=true`. Null where it cannot be determined. Example:
    /// `["surname"]`
    pub lead_integrity_defects: Option<Vec<Defect>>,
}

/// A criterion that could not be confirmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "lowercase")]
pub enum Defect {
    Zoning,
    Occupancy,
    Structure,
    Surname,
}

/// Whom a score is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Reason {
    /// The field of the record that it explains. Example: `solarIndex`
    pub field: &'static str,
    /// The part of the model. Example: `economics`
    pub part: &'static str,
    /// What it adds, in the points of the model, before rounding and clamping. Example: `1.5`
    pub points: f64,
    /// Its weight between 0 and 1. Null where the model does not weigh. Example: `0.3`
    pub weight: Option<f64>,
    /// The explanation, with the figures that were used. Example: `Electricity costs 23.3 cents a kWh here.`
    pub because: String,
}
