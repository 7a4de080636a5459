//! The solar index: the contract's record.

use serde::{Deserialize, Serialize};

use crate::details::{AccuracyCode, LeadIntegrity, PropertyDetails};
use crate::number::serialize_number;
use crate::time::Timestamp;

/// `GET /api/v1/solar-index`
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SolarIndexRecord {
    pub timestamp: Timestamp,
    #[serde(flatten)]
    pub solar: SolarIndex,
    #[serde(flatten)]
    pub details: PropertyDetails,
    #[serde(flatten)]
    pub integrity: Option<LeadIntegrity>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SolarIndex {
    /// 0 to 10, two decimals.
    #[serde(serialize_with = "serialize_number")]
    pub solar_index: Option<f64>,
    pub prospect_fit_level: Option<FitLevel>,
    /// One of three texts.
    pub prospect_attitude: Option<&'static str>,
    pub accuracy_code: AccuracyCode,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum FitLevel {
    Ideal,
    Moderate,
    Weak,
}
