//! How a year's use is spread over its months, and which twelve months these are.

use shingle_domain::area::{Climate, HomeKind};
use shingle_domain::time::Timestamp;

use super::coefficients::MONTHS;
use super::fuel::FossilFuelKind;
use super::home::Home;

/// February is a mean one: degree days are those of many years, so the year is a mean year too.
const DAYS: [f64; 12] = [31.0, 28.25, 31.0, 30.0, 31.0, 30.0, 31.0, 31.0, 30.0, 31.0, 30.0, 31.0];
const DAYS_A_YEAR: f64 = 365.25;

/// What of a year's gas, propane or oil is for hot water and cooking, where no month is published.
const WATER_SHARE: f64 = 0.2;

pub(crate) const NAMES: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The addends of each month of electricity, kWh, January first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ElectricMonth {
    pub base: f64,
    pub cooling: f64,
    pub heating: f64,
}

impl ElectricMonth {
    pub fn total(&self) -> f64 {
        self.base + self.cooling + self.heating
    }
}

/// The additive model's months, scaled to the year's use.
pub(crate) fn electricity(annual: f64, home: &Home, climate: &Climate, electric_share: f64) -> [ElectricMonth; 12] {
    let sqft = home.sqft();
    let root = sqft.sqrt() / 10_000.0;
    let kind = match home.kind {
        HomeKind::Detached | HomeKind::Mobile => MONTHS.base[0],
        HomeKind::Attached | HomeKind::TwoToFourUnits => MONTHS.base[1],
        HomeKind::FiveOrMoreUnits => MONTHS.base[2],
    };
    let always = electric_share * MONTHS.base_all_electric;
    let base = kind + MONTHS.base_per_1000_sqft * sqft / 1000.0 + always;
    let heating = electric_share * MONTHS.heating_all_electric;
    let mut months = [ElectricMonth { base: 0.0, cooling: 0.0, heating: 0.0 }; 12];
    for (m, month) in months.iter_mut().enumerate() {
        *month = ElectricMonth {
            base: base * DAYS[m] / DAYS_A_YEAR,
            cooling: MONTHS.cooling * climate.cooling[m] * root,
            heating: heating * climate.heating[m] * root,
        };
    }
    let scale = annual / months.iter().map(ElectricMonth::total).sum::<f64>();
    months.map(|m| ElectricMonth { base: m.base * scale, cooling: m.cooling * scale, heating: m.heating * scale })
}

/// Shares of a year's fuel. Gas: as published for the state. Else by heating degree days and an even rest.
pub(crate) fn fossil_shares(fuel: FossilFuelKind, published: Option<&[f64; 12]>, climate: &Climate) -> [f64; 12] {
    if fuel == FossilFuelKind::Gas
        && let Some(shares) = published.and_then(shares)
    {
        return shares;
    }
    let cold = shares(&climate.heating).unwrap_or(DAYS.map(|d| d / DAYS_A_YEAR));
    let mut months = [0.0; 12];
    for (m, month) in months.iter_mut().enumerate() {
        *month = (1.0 - WATER_SHARE) * cold[m] + WATER_SHARE * DAYS[m] / DAYS_A_YEAR;
    }
    months
}

/// Scaled to a sum of 1; `None` when that is impossible.
pub(crate) fn shares(months: &[f64; 12]) -> Option<[f64; 12]> {
    let sound = months.iter().all(|m| (0.0..=1e6).contains(m));
    let sum: f64 = months.iter().sum();
    (sound && sum > 0.0).then(|| months.map(|m| m / sum))
}

/// The last twelve whole calendar months, oldest first: year and month, 1 to 12.
pub(crate) fn window(now: Timestamp) -> [(i16, u8); 12] {
    let today = now.date();
    let first = i32::from(today.year()) * 12 + i32::from(today.month()) - 1 - 12;
    let mut months = [(0, 1); 12];
    for (slot, index) in months.iter_mut().zip(first..) {
        *slot = (index.div_euclid(12) as i16, index.rem_euclid(12) as u8 + 1);
    }
    months
}
