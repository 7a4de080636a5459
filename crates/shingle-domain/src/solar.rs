//! The solar index: the contract's record.

use serde::{Deserialize, Serialize};

use crate::details::{AccuracyCode, LeadIntegrity, PropertyDetails};
use crate::number::serialize_number;
use crate::time::Timestamp;

/// How likely the household at an address takes up solar power, with the details of the property.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SolarIndexRecord {
    /// When the answer was made, in UTC. Example: `2026-11-22T23:04:04.000Z`
    pub timestamp: Timestamp,
    #[serde(flatten)]
    pub solar: SolarIndex,
    #[serde(flatten)]
    pub details: PropertyDetails,
    #[serde(flatten)]
    pub integrity: Option<LeadIntegrity>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct SolarIndex {
    /// How likely the household takes up solar power, 0 to 10 with two decimals. Null where it cannot be determined.
    /// Example: `7.42`
    #[serde(serialize_with = "serialize_number")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>", range(min = 0, max = 10)))]
    pub solar_index: Option<f64>,
    /// The index in words: `Ideal` from 8.33, `Moderate` from 5.0, `Weak` below. Null where it cannot be determined.
    /// Example: `Moderate`
    pub prospect_fit_level: Option<FitLevel>,
    /// What to lead with, one of three texts. Null where it cannot be determined. Example: `Lead with economic
    /// benefits.`
    pub prospect_attitude: Option<&'static str>,
    /// Whom index, level and message are about. A client should accept `H` as well. Example: `P`
    pub accuracy_code: AccuracyCode,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub enum FitLevel {
    Ideal,
    Moderate,
    Weak,
}
