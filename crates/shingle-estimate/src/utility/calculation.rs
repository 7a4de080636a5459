//! The calculation: everything the bill is made of, or what is missing for it.

use std::ops::RangeInclusive;

use shingle_domain::Evidence;
use shingle_domain::area::{Climate, Division, Figure};
use shingle_domain::time::Timestamp;

use super::coefficients::{Coefficients, ELECTRICITY};
use super::fuel::{FossilFuelKind, FuelChoice, choose_fuel};
use super::home::{Home, NotAHome, home};
use super::model::{Drivers, Term, TermPart, is_plausible, terms, total};
use super::months::{self, ElectricMonth};

/// Of errors that are normally distributed eight in ten lie within this many standard errors.
const EIGHT_IN_TEN: f64 = 1.2816;

/// Why there is no figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MissingInput {
    Match,
    Home(NotAHome),
    /// Outside the fifty states and DC.
    Survey,
    Climate,
    Level,
    Price,
}

/// Everything that the figures are computed from, once nothing is missing.
pub(crate) struct Calculation<'a> {
    pub evidence: &'a Evidence,
    pub home: Home,
    pub climate: Climate,
    pub division: Division,
    pub choice: FuelChoice,
    pub level: Figure,
    /// USD per kWh.
    pub price: Figure,
    pub terms: Vec<Term>,
    pub months: [ElectricMonth; 12],
    /// January is 0.
    pub peak: usize,
    /// Pounds of CO2 equivalent per MWh.
    pub grid: Option<Figure>,
    pub loss: Option<Figure>,
    pub fossil: Option<FossilCalculation>,
}

pub(crate) struct FossilCalculation {
    pub fuel: FossilFuelKind,
    pub terms: Vec<Term>,
    pub annual: f64,
    pub months: [f64; 12],
    /// USD per therm or gallon.
    pub price: Option<Figure>,
}

pub(crate) fn calculate(evidence: Option<&Evidence>, now: Timestamp) -> Result<Calculation<'_>, MissingInput> {
    let evidence = evidence.ok_or(MissingInput::Match)?;
    let home = home(evidence, now).map_err(MissingInput::Home)?;
    let area = &evidence.area;
    let division = area.division.ok_or(MissingInput::Survey)?;
    let climate = area.climate.filter(is_plausible).ok_or(MissingInput::Climate)?;
    let level = within(area.electricity_level, 0.01..=100.0).ok_or(MissingInput::Level)?;
    let price = within(area.prices.electricity_per_kwh, 0.001..=100.0).ok_or(MissingInput::Price)?;
    let choice = choose_fuel(evidence, &home);
    let electric_share = choice.electric_share;
    let (heating_year, cooling_year) = (climate.heating_year, climate.cooling_year);
    let drivers = Drivers { home: &home, heating_year, cooling_year, division, electric_share };
    let mut electric_terms = terms(&ELECTRICITY, &drivers);
    electric_terms.push(Term { part: TermPart::Level, points: libm::log(level.value) });
    let months = months::electricity(total(&electric_terms), &home, &climate, electric_share);
    let mut peak = 0;
    for (m, month) in months.iter().enumerate() {
        if month.total() > months[peak].total() {
            peak = m;
        }
    }
    let fossil = choice.fossil().map(|fuel| {
        let terms = terms(fuel.model(), &drivers);
        let annual = total(&terms);
        let shares = months::fossil_shares(fuel, area.gas_months.as_ref(), &climate);
        let price = within(fuel.price(&area.prices), 0.001..=1_000.0);
        FossilCalculation { fuel, terms, annual, months: shares.map(|share| share * annual), price }
    });
    let grid = within(area.grid.co2e_lb_per_mwh, 0.0..=100_000.0);
    let loss = area.grid.loss.filter(|l| (0.0..0.9).contains(&l.value));
    let terms = electric_terms;
    Ok(Calculation { evidence, home, climate, division, choice, level, price, terms, months, peak, grid, loss, fossil })
}

/// The figure, if it is plausible.
fn within(figure: Option<Figure>, range: RangeInclusive<f64>) -> Option<Figure> {
    figure.filter(|f| range.contains(&f.value))
}

/// The ends of the range as multiples of the mean. A log model's spread is around its median, which lies
/// below the mean by the smear; a size that is only assumed widens it.
pub(crate) fn range_factors(model: &Coefficients, home: &Home) -> (f64, f64) {
    let size = model.ln_sqft * home.size.sigma();
    let sigma = (model.sigma * model.sigma + size * size).sqrt();
    (libm::exp(-EIGHT_IN_TEN * sigma) / model.smear, libm::exp(EIGHT_IN_TEN * sigma) / model.smear)
}

/// Rounding steps for one unit.
pub(crate) const HUNDREDTHS: f64 = 100.0;
pub(crate) const THOUSANDTHS: f64 = 1_000.0;
/// For rates: a thousandth of a cent.
pub(crate) const RATE: f64 = 100_000.0;

/// Half away from zero.
pub(crate) fn rounded(value: f64, steps: f64) -> f64 {
    (value * steps).round() / steps
}
