//! What heats the home: on record, or the likeliest fuel around it.

use shingle_domain::Evidence;
use shingle_domain::area::{EnergyPrices, Figure, FuelShares, HeatingHabit, HomeKind, Table, Vintage};
use shingle_domain::evidence::HeatFuel;

use super::coefficients::{Coefficients, GAS, OIL, PROPANE};
use super::home::{Era, Home};

/// A cell of the survey with fewer homes says too little by itself.
const LEAST_ASKED: u32 = 20;

/// A fuel that is bought beside electricity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fossil {
    Gas,
    Propane,
    Oil,
}

impl Fossil {
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
pub(crate) struct Choice {
    pub fuel: HeatFuel,
    pub basis: Basis,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Basis {
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

impl Choice {
    pub fn fossil(&self) -> Option<Fossil> {
        match self.fuel {
            HeatFuel::Gas => Some(Fossil::Gas),
            HeatFuel::Propane => Some(Fossil::Propane),
            HeatFuel::Oil => Some(Fossil::Oil),
            HeatFuel::Electric | HeatFuel::Other => None,
        }
    }

    pub fn table(&self) -> Option<Table> {
        match self.basis {
            Basis::State(_) => Some(Table::HeatingFuels),
            Basis::Habits { .. } => Some(Table::HeatingHabits),
            Basis::Recorded | Basis::Unknown => None,
        }
    }
}

pub(crate) fn choice(evidence: &Evidence, home: &Home) -> Choice {
    if let Some(fact) = &evidence.place.assessor.heat_fuel {
        return Choice { fuel: fact.value, basis: Basis::Recorded };
    }
    let heating = &evidence.area.heating;
    if let Some((fuel, share)) = heating.state.as_ref().and_then(likeliest) {
        return Choice { fuel, basis: Basis::State(share) };
    }
    habit(&heating.habits, home).unwrap_or(Choice { fuel: HeatFuel::Other, basis: Basis::Unknown })
}

/// `None` when every share is missing or none is a share. Ties go to the first named. Wood, sun and no heating
/// at all are not candidates: where they lead (Hawaii), homes burn nothing that is bought.
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
fn habit(habits: &[HeatingHabit], home: &Home) -> Option<Choice> {
    let era = match home.era {
        Era::Known(vintage) => Some(vintage),
        Era::Pooled(_) => None,
    };
    let widenings = [(Some(home.kind), era), (Some(home.kind), None), (None, era), (None, None)];
    let pools = widenings.map(|(kind, era)| pool(habits, kind, era));
    let enough = pools.iter().flatten().find(|(_, asked)| *asked >= LEAST_ASKED);
    let (shares, asked) = enough.or(pools.last().and_then(Option::as_ref))?;
    let (fuel, share) = likeliest(shares)?;
    Some(Choice { fuel, basis: Basis::Habits { share, asked: *asked } })
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
