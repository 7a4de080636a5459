//! The utility bill: the contract's record. kWh, therms or gallons, USD, pounds of CO2 equivalent.

use serde::{Deserialize, Serialize};

use crate::money::Usd;
use crate::time::Timestamp;

/// `GET /api/v1/utility-bill`
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UtilityBillRecord {
    pub timestamp: Timestamp,
    pub status: UtilityStatus,
    pub message: String,
    /// The full address used.
    pub address: String,
    pub data: UtilityData,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UtilityStatus {
    Success,
    Error,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UtilityData {
    pub units: UtilityUnits,
    pub electricity: Option<Electricity>,
    pub fossil_fuel: Option<FossilFuel>,
    pub ratios: Option<Ratios>,
}

/// The units of the numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UtilityUnits {
    pub consumption: &'static str,
    pub cost: &'static str,
    pub emissions: &'static str,
    pub emission_rate: &'static str,
    pub utility_rate: &'static str,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Electricity {
    pub monthly_average_consumption: f64,
    pub monthly_average_cost: Usd,
    pub annual_consumption: f64,
    pub annual_cost: Usd,
    /// USD per kWh.
    pub monthly_average_utility_rate: f64,
    pub quarter_average_consumption: Quarters<f64>,
    pub quarter_average_cost: Quarters<Usd>,
    pub peak_month: PeakMonth,
    pub emissions: Option<Emissions>,
}

/// Means of three months: `q1` is January to March.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Quarters<T> {
    pub q1: T,
    pub q2: T,
    pub q3: T,
    pub q4: T,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PeakMonth {
    pub name: &'static str,
    pub consumption: f64,
    pub cost: Usd,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Emissions {
    pub annual_emissions: f64,
    pub monthly_average_emissions: f64,
    pub monthly_average_emission_rate: f64,
    pub peak_month: PeakEmissions,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PeakEmissions {
    pub emissions: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FossilFuel {
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub annual_consumption: f64,
    pub annual_cost: Usd,
    /// USD per therm or gallon.
    pub monthly_average_utility_rate: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ratios {
    /// `None` when the home uses only electricity.
    pub electric_to_fossil_ratio: Option<f64>,
}

/// `include=range`: the ranges of a year's use and cost that hold eight in ten homes like this one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UtilityRange {
    pub electricity: ConsumptionRange,
    pub fossil_fuel: Option<ConsumptionRange>,
}

/// kWh, therms or gallons, and USD, as in the record.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConsumptionRange {
    pub annual_consumption: Interval<f64>,
    pub annual_cost: Interval<Usd>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval<T> {
    pub low: T,
    pub high: T,
}

/// `include=segments`: one calendar month of the year of the record.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UtilityMonth {
    /// `2026-07`
    pub month: String,
    /// kWh.
    pub electricity: f64,
    /// Therms or gallons.
    pub fossil_fuel: Option<f64>,
}
