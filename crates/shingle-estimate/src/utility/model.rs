//! A year's use of one fuel, term by term.

use shingle_domain::area::{Climate, Division};

use super::coefficients::Coefficients;
use super::home::{BuildingAge, Home};

/// The middle of ln ft² in the survey, where the cooling slope is anchored.
const LN_SQFT_MIDDLE: f64 = 7.3;

/// An addend of ln use; adding all up and raising e to it gives the year's use.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Term {
    pub part: TermPart,
    pub points: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TermPart {
    Constant,
    Size,
    Climate,
    AllElectric,
    Kind,
    Vintage,
    Division,
    /// From the middle home to the mean of homes.
    Smear,
    /// From the survey's level to the state's published bills.
    Level,
}

/// What a year's use depends on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Drivers<'a> {
    pub home: &'a Home,
    pub heating_year: f64,
    pub cooling_year: f64,
    pub division: Division,
    /// How likely there is neither gas nor oil nor propane. Only electricity's model asks.
    pub electric_share: f64,
}

pub(crate) fn terms(model: &Coefficients, drivers: &Drivers<'_>) -> Vec<Term> {
    let Drivers { home, division, electric_share, .. } = *drivers;
    let (heating, cooling) = (drivers.heating_year / 1000.0, drivers.cooling_year / 1000.0);
    let ln_sqft = libm::log(home.sqft());
    let term = |part, points| Term { part, points };
    let mut terms = vec![
        term(TermPart::Constant, model.constant),
        term(TermPart::Size, model.ln_sqft * ln_sqft),
        term(
            TermPart::Climate,
            model.cdd_k * cooling + model.hdd_k * heating + model.cdd_k_ln_sqft * cooling * (ln_sqft - LN_SQFT_MIDDLE),
        ),
        term(TermPart::Kind, model.kind(home.kind)),
        term(TermPart::Vintage, vintage(model, &home.era)),
        term(TermPart::Division, model.division(division)),
        term(TermPart::Smear, libm::log(model.smear)),
    ];
    if electric_share > 0.0 {
        // The mean home of both kinds.
        let more = libm::exp(model.all_electric[0] + model.all_electric[1] * heating);
        terms.push(term(TermPart::AllElectric, libm::log(1.0 + electric_share * (more - 1.0))));
    }
    terms
}

/// An unknown age is the mean home of all ages.
fn vintage(model: &Coefficients, era: &BuildingAge) -> f64 {
    match era {
        BuildingAge::Known(vintage) => model.vintage(*vintage),
        BuildingAge::Pooled(shares) => {
            libm::log(shares.iter().map(|(vintage, share)| share * libm::exp(model.vintage(*vintage))).sum::<f64>())
        }
    }
}

pub(crate) fn total(terms: &[Term]) -> f64 {
    libm::exp(terms.iter().map(|t| t.points).sum())
}

/// Whether the degree days are within what occurs anywhere.
pub(crate) fn is_plausible(climate: &Climate) -> bool {
    let months = climate.heating.iter().chain(&climate.cooling).all(|days| (0.0..=5_000.0).contains(days));
    months && [climate.heating_year, climate.cooling_year].iter().all(|days| (0.0..=30_000.0).contains(days))
}
