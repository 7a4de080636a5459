//! The heating fuel of the home: on record, or the most likely one in its area.
//!
//! # Decision
//!
//! If the heating fuel is not recorded, electricity is the average of homes that heat with it and homes that do not,
//! weighted by their shares. Turned down: the likeliest fuel, which made every home of a state with 53 % electric
//! heat all-electric.

use shingle_domain::Evidence;
use shingle_domain::area::{EnergyPrices, Figure, FuelShares, HeatingHabit, HomeKind, Table, Vintage};
use shingle_domain::evidence::HeatFuel;

use super::coefficients::{Coefficients, GAS, OIL, PROPANE};
use super::home::{BuildingAge, Home};

/// A survey cell with fewer homes is too small to be used alone.
const MIN_ASKED: u32 = 20;

/// A fuel that is bought beside electricity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FossilFuelKind {
    Gas,
    Propane,
    Oil,
}

impl FossilFuelKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Gas => "natural gas",
            Self::Propane => "propane",
            Self::Oil => "fuel oil",
        }
    }

    /// In the plural.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Gas => "therms",
            Self::Propane | Self::Oil => "gallons",
        }
    }

    pub fn model(self) -> &'static Coefficients {
        match self {
            Self::Gas => &GAS,
            Self::Propane => &PROPANE,
            Self::Oil => &OIL,
        }
    }

    pub fn price(self, prices: &EnergyPrices) -> Option<Figure> {
        match self {
            Self::Gas => prices.gas_per_therm,
            Self::Propane => prices.propane_per_gallon,
            Self::Oil => prices.oil_per_gallon,
        }
    }

    /// Heat of a unit, Btu (US EIA).
    pub fn btu(self) -> f64 {
        match self {
            Self::Gas => 100_000.0,
            Self::Propane => 91_452.0,
            Self::Oil => 137_381.0,
        }
    }

    /// Pounds of CO2 from burning a unit (US EPA, emission factors hub).
    pub fn co2_lb(self) -> f64 {
        match self {
            Self::Gas => 11.7,
            Self::Propane => 12.7,
            Self::Oil => 22.5,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FuelChoice {
    pub fuel: HeatFuel,
    pub basis: FuelBasis,
    /// Of homes like this one, how many heat with electricity and nothing else: 0 or 1 where the fuel is on record. Electricity
    /// is the mean over both kinds, or every home of a state where half are electric would use as much as those.
    pub electric_share: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum FuelBasis {
    Recorded,
    /// The likeliest among all homes of the state, with its share.
    State(f64),
    /// The likeliest among such homes of the division, with its share and the homes asked.
    Habits {
        share: f64,
        asked: u32,
    },
    /// Nothing is known: counted without a heating fuel.
    Unknown,
}

impl FuelChoice {
    pub fn fossil(&self) -> Option<FossilFuelKind> {
        match self.fuel {
            HeatFuel::Gas => Some(FossilFuelKind::Gas),
            HeatFuel::Propane => Some(FossilFuelKind::Propane),
            HeatFuel::Oil => Some(FossilFuelKind::Oil),
            HeatFuel::Electric | HeatFuel::Other => None,
        }
    }

    pub fn table(&self) -> Option<Table> {
        match self.basis {
            FuelBasis::State(_) => Some(Table::HeatingFuels),
            FuelBasis::Habits { .. } => Some(Table::HeatingHabits),
            FuelBasis::Recorded | FuelBasis::Unknown => None,
        }
    }
}

pub(crate) fn choose_fuel(evidence: &Evidence, home: &Home) -> FuelChoice {
    if let Some(fact) = &evidence.place.assessor.heat_fuel {
        let electric_share = if fact.value == HeatFuel::Electric { 1.0 } else { 0.0 };
        return FuelChoice { fuel: fact.value, basis: FuelBasis::Recorded, electric_share };
    }
    let heating = &evidence.area.heating;
    if let Some(shares) = &heating.state
        && let Some((fuel, share)) = likeliest(shares)
    {
        return FuelChoice { fuel, basis: FuelBasis::State(share), electric_share: electric_share(shares) };
    }
    let unknown = FuelChoice { fuel: HeatFuel::Other, basis: FuelBasis::Unknown, electric_share: 0.0 };
    habit(&heating.habits, home).unwrap_or(unknown)
}

fn electric_share(shares: &FuelShares) -> f64 {
    if shares.electric.is_finite() { shares.electric.clamp(0.0, 1.0) } else { 0.0 }
}

/// `None` when there is no valid share. In a tie the first one wins. Wood, sun and no heating at all are not
/// candidates: where they lead (Hawaii), homes buy no fuel.
fn likeliest(shares: &FuelShares) -> Option<(HeatFuel, f64)> {
    let mut best: Option<(HeatFuel, f64)> = None;
    for (fuel, share) in [
        (HeatFuel::Gas, shares.gas),
        (HeatFuel::Electric, shares.electric),
        (HeatFuel::Oil, shares.oil),
        (HeatFuel::Propane, shares.propane),
    ] {
        let sound = share.is_finite() && share > 0.0 && share <= 1.01;
        if sound && best.is_none_or(|(_, most)| share > most) {
            best = Some((fuel, share));
        }
    }
    best
}

/// Such homes of the division: of this kind and age; of this kind; of this age; all.
fn habit(habits: &[HeatingHabit], home: &Home) -> Option<FuelChoice> {
    let era = match home.era {
        BuildingAge::Known(vintage) => Some(vintage),
        BuildingAge::Pooled(_) => None,
    };
    let widenings = [(Some(home.kind), era), (Some(home.kind), None), (None, era), (None, None)];
    let pools = widenings.map(|(kind, era)| pool(habits, kind, era));
    let enough = pools.iter().flatten().find(|(_, asked)| *asked >= MIN_ASKED);
    let (shares, asked) = enough.or(pools.last().and_then(Option::as_ref))?;
    let (fuel, share) = likeliest(shares)?;
    let basis = FuelBasis::Habits { share, asked: *asked };
    Some(FuelChoice { fuel, basis, electric_share: electric_share(shares) })
}

/// Cells put together, each counting as many as were asked.
fn pool(habits: &[HeatingHabit], kind: Option<HomeKind>, era: Option<Vintage>) -> Option<(FuelShares, u32)> {
    let mut sum = FuelShares { gas: 0.0, oil: 0.0, propane: 0.0, electric: 0.0, other: 0.0 };
    let mut asked = 0_u32;
    let cells = habits.iter().filter(|h| {
        let shares = [h.shares.gas, h.shares.oil, h.shares.propane, h.shares.electric];
        kind.is_none_or(|k| h.home == k)
            && era.is_none_or(|e| h.vintage == e)
            && shares.iter().all(|s| s.is_finite() && *s >= 0.0)
    });
    for cell in cells {
        let n = f64::from(cell.asked);
        sum.gas += n * cell.shares.gas;
        sum.oil += n * cell.shares.oil;
        sum.propane += n * cell.shares.propane;
        sum.electric += n * cell.shares.electric;
        asked = asked.saturating_add(cell.asked);
    }
    let n = f64::from(asked);
    (asked > 0).then(|| {
        let shares = FuelShares {
            gas: sum.gas / n,
            oil: sum.oil / n,
            propane: sum.propane / n,
            electric: sum.electric / n,
            other: 0.0,
        };
        (shares, asked)
    })
}
