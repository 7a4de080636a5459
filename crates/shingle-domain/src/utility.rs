//! The utility bill: the contract's record. kWh, therms or gallons, USD, pounds of CO2 equivalent.

use serde::{Deserialize, Serialize};

use crate::money::Usd;
use crate::time::Timestamp;

/// The utility bill of the last twelve months, worked out from homes like this one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UtilityBillRecord {
    /// When the answer was made, in UTC. Example: `2026-11-22T23:04:04.000Z`
    pub timestamp: Timestamp,
    /// Whether a bill could be worked out. Example: `success`
    pub status: UtilityStatus,
    /// The result in words. Example: `Utility data retrieved successfully.`
    pub message: String,
    /// The full address that was used. Example: `14 Alder Court, Harrow Falls, ME 04995`
    pub address: String,
    /// The bill of the last twelve months.
    pub data: UtilityData,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "lowercase")]
pub enum UtilityStatus {
    Success,
    Error,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UtilityData {
    /// The units of the numbers.
    pub units: UtilityUnits,
    /// Electricity. Null where it cannot be determined.
    pub electricity: Option<Electricity>,
    /// Gas, oil or propane. Null where the home uses none or it cannot be determined.
    pub fossil_fuel: Option<FossilFuel>,
    /// How the two compare. Null where they cannot be determined.
    pub ratios: Option<Ratios>,
}

/// The units of the numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct UtilityUnits {
    /// Of consumption. Example: `kWh`
    pub consumption: &'static str,
    /// Of costs. Example: `USD`
    pub cost: &'static str,
    /// Of emissions. Example: `lbs CO2e`
    pub emissions: &'static str,
    /// Of emission rates. Example: `lbs CO2e/kWh`
    pub emission_rate: &'static str,
    /// Of utility rates. Example: `USD/kWh`
    pub utility_rate: &'static str,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Electricity {
    /// Mean consumption of a month, in kWh. Example: `712.5`
    pub monthly_average_consumption: f64,
    /// Mean cost of a month, in US dollars. Example: `166.2`
    pub monthly_average_cost: Usd,
    /// Consumption of the last twelve months, in kWh. Example: `8550`
    pub annual_consumption: f64,
    /// Cost of the last twelve months, in US dollars. Example: `1994.4`
    pub annual_cost: Usd,
    /// Price of a kWh, in US dollars. Example: `0.2333`
    pub monthly_average_utility_rate: f64,
    /// Mean consumption of a month in each quarter, in kWh.
    pub quarter_average_consumption: Quarters<f64>,
    /// Mean cost of a month in each quarter, in US dollars.
    pub quarter_average_cost: Quarters<Usd>,
    /// The month with the highest consumption.
    pub peak_month: PeakMonth,
    /// What making it emits. Null where it cannot be determined.
    pub emissions: Option<Emissions>,
}

/// Means of three months: `q1` is January to March.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Quarters<T> {
    /// January to March. Example: `780.1`
    pub q1: T,
    /// April to June. Example: `640.3`
    pub q2: T,
    /// July to September. Example: `730.6`
    pub q3: T,
    /// October to December. Example: `699`
    pub q4: T,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct PeakMonth {
    /// Its name. Example: `January`
    pub name: &'static str,
    /// Its consumption, in kWh. Example: `861.4`
    pub consumption: f64,
    /// Its cost, in US dollars. Example: `200.96`
    pub cost: Usd,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Emissions {
    /// Of the last twelve months, in pounds of CO2 equivalent. Example: `4574.3`
    pub annual_emissions: f64,
    /// Mean of a month, in pounds of CO2 equivalent. Example: `381.2`
    pub monthly_average_emissions: f64,
    /// Pounds of CO2 equivalent for each kWh. Example: `0.535`
    pub monthly_average_emission_rate: f64,
    /// The month with the highest emissions.
    pub peak_month: PeakEmissions,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct PeakEmissions {
    /// Pounds of CO2 equivalent. Example: `460.8`
    pub emissions: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FossilFuel {
    /// Which fuel. Example: `natural gas`
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Consumption of the last twelve months, in the unit of the fuel: therms or gallons. Example: `690`
    pub annual_consumption: f64,
    /// Cost of the last twelve months, in US dollars. Example: `1290.3`
    pub annual_cost: Usd,
    /// Price of a therm or a gallon, in US dollars. Example: `1.87`
    pub monthly_average_utility_rate: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct Ratios {
    /// Energy from electricity for each unit from fuel: below 1 the home uses more fuel. Null where it uses only
    /// electricity. Example: `0.42`
    pub electric_to_fossil_ratio: Option<f64>,
}

/// `include=range`: how far a year's use and cost may lie from the estimate: 1.28 standard errors of the model, by the
/// spread of homes in the 2015 survey it was fitted on. It held 82 % (electricity) and 83 % (gas) of homes of that survey
/// which the fit had not seen. No bills of known homes tested it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UtilityRange {
    /// Of electricity.
    pub electricity: ConsumptionRange,
    /// Of the fuel. Null where the home uses none.
    pub fossil_fuel: Option<ConsumptionRange>,
}

/// kWh, therms or gallons, and USD, as in the record.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ConsumptionRange {
    /// Of a year's consumption, in kWh, therms or gallons.
    pub annual_consumption: Interval<f64>,
    /// Of a year's cost, in US dollars.
    pub annual_cost: Interval<Usd>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Interval<T> {
    /// The lower end. Example: `6800`
    pub low: T,
    /// The upper end. Example: `10400`
    pub high: T,
}

/// `include=segments`: one calendar month of the year of the record.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UtilityMonth {
    /// The calendar month. Example: `2026-07`
    pub month: String,
    /// Consumption of electricity, in kWh. Example: `741.3`
    pub electricity: f64,
    /// Consumption of fuel, in therms or gallons. Null where the home uses none. Example: `12.5`
    pub fossil_fuel: Option<f64>,
}
