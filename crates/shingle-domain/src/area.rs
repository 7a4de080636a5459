//! Figures of the whole ZIP or state of a place: prices, climate, the grid, sun, the usual home. They come from the
//! reference tables, never from a person. There is no field for who lives there (race, ethnicity, age, family,
//! income, schooling, belief, crime), so no score can read one.

use serde::{Deserialize, Serialize};

use crate::address::State;

/// Unknown figures are `None`; outside the fifty states and DC all are.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Area {
    /// `None` outside the fifty states and DC.
    pub division: Option<Division>,
    pub prices: EnergyPrices,
    pub climate: Option<Climate>,
    /// Twelve shares of a year's gas, January first, adding up to 1.
    pub gas_months: Option<[f64; 12]>,
    /// What the electricity model must be multiplied by to meet the state's published bills.
    pub electricity_level: Option<Figure>,
    pub heating: Heating,
    pub grid: Grid,
    pub sun: SolarResource,
    pub homes: HousingStats,
}

/// A number with the table it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Figure {
    pub value: f64,
    pub scope: Scope,
    pub table: Table,
    /// Nobody publishes this number for the place; the table documents how it was filled in. Results that use it say
    /// so.
    pub placeholder: bool,
}

/// The area that a number is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Scope {
    Zip,
    /// Of a ZIP or point close by.
    Nearby,
    State,
    /// Of several states: a petroleum district, a census division.
    Region,
    Nation,
}

/// The reference tables, by their names in `shingle reference`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Table {
    RoofPrices,
    EnergyPrices,
    DegreeDays,
    ElectricityLevels,
    GasMonths,
    HeatingFuels,
    HeatingHabits,
    GridEmissions,
    ZipAreas,
    SolarYield,
    StateSolar,
    SolarIncentives,
}

impl Table {
    pub const ALL: [Self; 12] = [
        Self::RoofPrices,
        Self::EnergyPrices,
        Self::DegreeDays,
        Self::ElectricityLevels,
        Self::GasMonths,
        Self::HeatingFuels,
        Self::HeatingHabits,
        Self::GridEmissions,
        Self::ZipAreas,
        Self::SolarYield,
        Self::StateSolar,
        Self::SolarIncentives,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::RoofPrices => "roof-prices",
            Self::EnergyPrices => "energy-prices",
            Self::DegreeDays => "degree-days",
            Self::ElectricityLevels => "electricity-levels",
            Self::GasMonths => "gas-months",
            Self::HeatingFuels => "heating-fuels",
            Self::HeatingHabits => "heating-habits",
            Self::GridEmissions => "grid-emissions",
            Self::ZipAreas => "zip-areas",
            Self::SolarYield => "solar-yield",
            Self::StateSolar => "state-solar",
            Self::SolarIncentives => "solar-incentives",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.as_str() == name)
    }
}

/// What a household pays, USD.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EnergyPrices {
    pub electricity_per_kwh: Option<Figure>,
    /// The national figure, for comparison.
    pub us_electricity_per_kwh: Option<Figure>,
    pub gas_per_therm: Option<Figure>,
    pub propane_per_gallon: Option<Figure>,
    pub oil_per_gallon: Option<Figure>,
}

/// Degree days to base 65 F, January first.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Climate {
    pub heating: [f64; 12],
    pub cooling: [f64; 12],
    /// A year's, as published (months are rounded on their own).
    pub heating_year: f64,
    pub cooling_year: f64,
    /// The state's temperature was borrowed or assumed; the table says how.
    pub placeholder: bool,
}

/// The ten regions of the Residential Energy Consumption Survey: the census divisions, Mountain cut in two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Division {
    NewEngland,
    MiddleAtlantic,
    EastNorthCentral,
    WestNorthCentral,
    SouthAtlantic,
    EastSouthCentral,
    WestSouthCentral,
    MountainNorth,
    MountainSouth,
    Pacific,
}

impl Division {
    pub const ALL: [Self; 10] = [
        Self::NewEngland,
        Self::MiddleAtlantic,
        Self::EastNorthCentral,
        Self::WestNorthCentral,
        Self::SouthAtlantic,
        Self::EastSouthCentral,
        Self::WestSouthCentral,
        Self::MountainNorth,
        Self::MountainSouth,
        Self::Pacific,
    ];

    /// `New England`
    pub fn name(self) -> &'static str {
        match self {
            Self::NewEngland => "New England",
            Self::MiddleAtlantic => "Middle Atlantic",
            Self::EastNorthCentral => "East North Central",
            Self::WestNorthCentral => "West North Central",
            Self::SouthAtlantic => "South Atlantic",
            Self::EastSouthCentral => "East South Central",
            Self::WestSouthCentral => "West South Central",
            Self::MountainNorth => "Mountain North",
            Self::MountainSouth => "Mountain South",
            Self::Pacific => "Pacific",
        }
    }

    /// The states in alphabetical order of their letters.
    pub fn states(self) -> &'static [&'static str] {
        match self {
            Self::NewEngland => &["CT", "MA", "ME", "NH", "RI", "VT"],
            Self::MiddleAtlantic => &["NJ", "NY", "PA"],
            Self::EastNorthCentral => &["IL", "IN", "MI", "OH", "WI"],
            Self::WestNorthCentral => &["IA", "KS", "MN", "MO", "ND", "NE", "SD"],
            Self::SouthAtlantic => &["DC", "DE", "FL", "GA", "MD", "NC", "SC", "VA", "WV"],
            Self::EastSouthCentral => &["AL", "KY", "MS", "TN"],
            Self::WestSouthCentral => &["AR", "LA", "OK", "TX"],
            Self::MountainNorth => &["CO", "ID", "MT", "UT", "WY"],
            Self::MountainSouth => &["AZ", "NM", "NV"],
            Self::Pacific => &["AK", "CA", "HI", "OR", "WA"],
        }
    }

    /// `None` outside the fifty states and DC.
    pub fn of(state: State) -> Option<Self> {
        Self::ALL.into_iter().find(|d| d.states().contains(&state.as_str()))
    }
}

/// How homes are heated around here.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Heating {
    /// Of all homes of the state, where that is published.
    pub state: Option<FuelShares>,
    /// Of the census division, by kind and age of the home.
    pub habits: Vec<HeatingHabit>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HeatingHabit {
    pub home: HomeKind,
    pub vintage: Vintage,
    pub shares: FuelShares,
    /// Homes asked; few make a poor guess.
    pub asked: u32,
}

/// Adding up to about 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FuelShares {
    pub gas: f64,
    pub oil: f64,
    pub propane: f64,
    /// Electricity, and in surveys that do not tell them apart, everything else.
    pub electric: f64,
    /// Wood, coal, sun, none at all; 0 in surveys that count it with electricity.
    pub other: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum HomeKind {
    Detached,
    Attached,
    TwoToFourUnits,
    FiveOrMoreUnits,
    Mobile,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Vintage {
    Before1950,
    From1950To1979,
    From1980To1999,
    From2000,
}

impl Vintage {
    pub fn of_year(year: u16) -> Self {
        match year {
            0..=1949 => Self::Before1950,
            1950..=1979 => Self::From1950To1979,
            1980..=1999 => Self::From1980To1999,
            _ => Self::From2000,
        }
    }
}

/// Pounds of CO2 equivalent per MWh.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Grid {
    pub co2e_lb_per_mwh: Option<Figure>,
    /// The national figure, for comparison.
    pub us_co2e_lb_per_mwh: Option<Figure>,
    /// Share lost on the way to the meter, 0 to 1.
    pub loss: Option<Figure>,
}

#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SolarResource {
    /// kWh a year from 1 kW of panels facing the best way.
    pub kwh_per_kw_year: Option<Figure>,
    /// Percentile of the state in residential panels per owner household, 0 to 1.
    pub adoption_percentile: Option<Figure>,
    /// Points that an operator adds for net metering and state incentives, 0 to 0.5.
    pub incentive: Option<Figure>,
}

/// The usual home of the ZIP.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HousingStats {
    pub county: Option<String>,
    /// Shares, 0 to 1.
    pub owner_occupied: Option<Figure>,
    pub single_family: Option<Figure>,
    /// USD.
    pub median_value: Option<Figure>,
}
