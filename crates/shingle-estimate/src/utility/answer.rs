//! From evidence to the record, and everything that explains it.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use shingle_domain::Evidence;
use shingle_domain::area::{Climate, Division, Figure, Table};
use shingle_domain::details::Reason;
use shingle_domain::evidence::HeatFuel;
use shingle_domain::money::Usd;
use shingle_domain::time::Timestamp;
use shingle_domain::utility::{
    Electricity, Emissions, FossilFuel, PeakEmissions, PeakMonth, Quarters, Ratios, Span, UseRange, UtilityData,
    UtilityMonth, UtilityRange, UtilityStatus,
};

use super::coefficients::{Coefficients, ELECTRICITY};
use super::fuel::{Choice, Fossil, choice};
use super::home::{Home, NoHome, home};
use super::model::{Drivers, Term, TermPart, sound, terms, total};
use super::months::{self, ElectricMonth, NAMES};
use super::{reasons, words};

/// Eight in ten lie within this many standard errors.
const EIGHT_IN_TEN: f64 = 1.2816;

/// Heat of a kWh, Btu.
const BTU_PER_KWH: f64 = 3_412.0;

/// The record's parts and all that explains them.
#[derive(Debug, Clone, PartialEq)]
pub struct UtilityAnswer {
    /// `Error` whenever there is no electricity figure: then `data` holds units and nulls.
    pub status: UtilityStatus,
    pub message: String,
    pub data: UtilityData,
    /// Eight in ten such homes; for `include=range`.
    pub range: Option<UtilityRange>,
    /// The last twelve calendar months, oldest first; empty without an answer. For `include=segments`.
    pub months: Vec<UtilityMonth>,
    pub reasons: Vec<Reason>,
    /// The reference tables whose figures were used, each once.
    pub tables: Vec<Table>,
}

/// Why there is no figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lacking {
    Match,
    Home(NoHome),
    /// Outside the fifty states and DC.
    Survey,
    Climate,
    Level,
    Price,
}

/// Everything a figure is made of, once nothing is lacking.
pub(crate) struct Worked<'a> {
    pub evidence: &'a Evidence,
    pub home: Home,
    pub climate: Climate,
    pub division: Division,
    pub choice: Choice,
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
    pub fossil: Option<WorkedFossil>,
}

pub(crate) struct WorkedFossil {
    pub fuel: Fossil,
    pub terms: Vec<Term>,
    pub annual: f64,
    pub months: [f64; 12],
    /// USD per therm or gallon.
    pub price: Option<Figure>,
}

pub(crate) fn answer(evidence: Option<&Evidence>, now: Timestamp) -> UtilityAnswer {
    match worked(evidence, now) {
        Ok(worked) => found(&worked, now),
        Err(lacking) => UtilityAnswer {
            status: UtilityStatus::Error,
            message: words::lacking(lacking).to_owned(),
            data: UtilityData { units: words::units(None), electricity: None, fossil_fuel: None, ratios: None },
            range: None,
            months: Vec::new(),
            reasons: Vec::new(),
            tables: Vec::new(),
        },
    }
}

fn worked(evidence: Option<&Evidence>, now: Timestamp) -> Result<Worked<'_>, Lacking> {
    let evidence = evidence.ok_or(Lacking::Match)?;
    let home = home(evidence, now).map_err(Lacking::Home)?;
    let area = &evidence.area;
    let division = area.division.ok_or(Lacking::Survey)?;
    let climate = area.climate.filter(sound).ok_or(Lacking::Climate)?;
    let level = usable(area.electricity_level, 0.01..=100.0).ok_or(Lacking::Level)?;
    let price = usable(area.prices.electricity_per_kwh, 0.001..=100.0).ok_or(Lacking::Price)?;
    let choice = choice(evidence, &home);
    let all_electric = choice.fuel == HeatFuel::Electric;
    let (heating_year, cooling_year) = (climate.heating_year, climate.cooling_year);
    let drivers = Drivers { home: &home, heating_year, cooling_year, division, all_electric };
    let mut electric_terms = terms(&ELECTRICITY, &drivers);
    electric_terms.push(Term { part: TermPart::Level, points: libm::log(level.value) });
    let months = months::electricity(total(&electric_terms), &home, &climate, all_electric);
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
        let price = usable(fuel.price(&area.prices), 0.001..=1_000.0);
        WorkedFossil { fuel, terms, annual, months: shares.map(|share| share * annual), price }
    });
    let grid = usable(area.grid.co2e_lb_per_mwh, 0.0..=100_000.0);
    let loss = area.grid.loss.filter(|l| (0.0..0.9).contains(&l.value));
    let terms = electric_terms;
    Ok(Worked { evidence, home, climate, division, choice, level, price, terms, months, peak, grid, loss, fossil })
}

/// Within what a table can mean.
fn usable(figure: Option<Figure>, within: RangeInclusive<f64>) -> Option<Figure> {
    figure.filter(|f| within.contains(&f.value))
}

fn found(worked: &Worked<'_>, now: Timestamp) -> UtilityAnswer {
    let electricity = electricity(worked);
    let fossil_fuel = worked.fossil.as_ref().and_then(fossil_fuel);
    let all_electric = worked.choice.fuel == HeatFuel::Electric;
    let ratio = fossil_fuel.as_ref().zip(worked.fossil.as_ref()).and_then(|(record, fossil)| {
        let heat = record.annual_consumption * fossil.fuel.btu();
        (heat > 0.0).then(|| rounded(electricity.annual_consumption * BTU_PER_KWH / heat, THOUSANDTHS))
    });
    let ratios = (ratio.is_some() || all_electric).then_some(Ratios { electric_to_fossil_ratio: ratio });
    let range = range(worked, &electricity, fossil_fuel.as_ref());
    UtilityAnswer {
        status: UtilityStatus::Success,
        message: words::message(worked, now),
        range: Some(range),
        months: calendar(worked, now),
        reasons: reasons::reasons(worked, &electricity, fossil_fuel.as_ref()),
        tables: tables(worked),
        data: UtilityData {
            units: words::units(worked.fossil.as_ref().map(|f| f.fuel)),
            electricity: Some(electricity),
            fossil_fuel,
            ratios,
        },
    }
}

/// Every figure follows from rounded ones above it: consumption to hundredths of a kWh, the rate to a
/// thousandth of a cent, money to the cent; a year is twelve mean months.
fn electricity(worked: &Worked<'_>) -> Electricity {
    let rate = rounded(worked.price.value, RATE);
    let cost = |kwh: f64| Usd::from_f64(kwh * rate);
    let month = |m: usize| worked.months[m].total();
    let quarter = |q: usize| rounded((month(3 * q) + month(3 * q + 1) + month(3 * q + 2)) / 3.0, HUNDREDTHS);
    let mean = rounded(total(&worked.terms) / 12.0, HUNDREDTHS);
    let mean_cost = cost(mean);
    let quarters = [quarter(0), quarter(1), quarter(2), quarter(3)];
    let peak = rounded(month(worked.peak), HUNDREDTHS);
    Electricity {
        monthly_average_consumption: mean,
        monthly_average_cost: mean_cost,
        annual_consumption: rounded(mean * 12.0, HUNDREDTHS),
        annual_cost: Usd::from_cents(mean_cost.cents() * 12),
        monthly_average_utility_rate: rate,
        quarter_average_consumption: of_four(quarters),
        quarter_average_cost: of_four(quarters.map(cost)),
        peak_month: PeakMonth { name: NAMES[worked.peak], consumption: peak, cost: cost(peak) },
        emissions: worked.grid.map(|grid| {
            let rate = rounded(grid.value / 1_000.0, RATE);
            let mean = rounded(mean * rate, HUNDREDTHS);
            Emissions {
                annual_emissions: rounded(mean * 12.0, HUNDREDTHS),
                monthly_average_emissions: mean,
                monthly_average_emission_rate: rate,
                peak_month: PeakEmissions { emissions: rounded(peak * rate, HUNDREDTHS) },
            }
        }),
    }
}

fn of_four<T>([q1, q2, q3, q4]: [T; 4]) -> Quarters<T> {
    Quarters { q1, q2, q3, q4 }
}

/// `None` without a price: half a figure would look like a whole one.
fn fossil_fuel(fossil: &WorkedFossil) -> Option<FossilFuel> {
    let rate = rounded(fossil.price?.value, RATE);
    let annual = rounded(fossil.annual, HUNDREDTHS);
    Some(FossilFuel {
        kind: fossil.fuel.name(),
        annual_consumption: annual,
        annual_cost: Usd::from_f64(annual * rate),
        monthly_average_utility_rate: rate,
    })
}

fn range(worked: &Worked<'_>, electricity: &Electricity, fossil_fuel: Option<&FossilFuel>) -> UtilityRange {
    let of = |model, annual, rate| {
        let (low, high) = factors(model, &worked.home);
        let (low, high) = (rounded(annual * low, HUNDREDTHS), rounded(annual * high, HUNDREDTHS));
        UseRange {
            annual_consumption: Span { low, high },
            annual_cost: Span { low: Usd::from_f64(low * rate), high: Usd::from_f64(high * rate) },
        }
    };
    UtilityRange {
        electricity: of(&ELECTRICITY, electricity.annual_consumption, electricity.monthly_average_utility_rate),
        fossil_fuel: fossil_fuel.zip(worked.fossil.as_ref()).map(|(record, fossil)| {
            of(fossil.fuel.model(), record.annual_consumption, record.monthly_average_utility_rate)
        }),
    }
}

/// The ends of the range as multiples of the mean. A log model's spread is around its median, which lies
/// below the mean by the smear; a size that is only assumed widens it.
pub(crate) fn factors(model: &Coefficients, home: &Home) -> (f64, f64) {
    let size = model.ln_sqft * home.size.sigma();
    let sigma = (model.sigma * model.sigma + size * size).sqrt();
    (libm::exp(-EIGHT_IN_TEN * sigma) / model.smear, libm::exp(EIGHT_IN_TEN * sigma) / model.smear)
}

fn calendar(worked: &Worked<'_>, now: Timestamp) -> Vec<UtilityMonth> {
    let one = |(year, month): (i16, u8)| {
        let m = usize::from(month - 1);
        UtilityMonth {
            month: format!("{year:04}-{month:02}"),
            electricity: rounded(worked.months[m].total(), HUNDREDTHS),
            fossil_fuel: worked.fossil.as_ref().map(|f| rounded(f.months[m], HUNDREDTHS)),
        }
    };
    months::window(now).map(one).to_vec()
}

fn tables(worked: &Worked<'_>) -> Vec<Table> {
    let mut tables = BTreeSet::from([Table::DegreeDays, worked.level.table, worked.price.table]);
    tables.extend(worked.choice.table());
    tables.extend([worked.grid, worked.loss].into_iter().flatten().map(|f| f.table));
    if let Some(fossil) = &worked.fossil {
        tables.extend(fossil.price.map(|p| p.table));
        if fossil.fuel == Fossil::Gas && worked.evidence.area.gas_months.is_some() {
            tables.insert(Table::GasMonths);
        }
    }
    tables.into_iter().collect()
}

/// Steps of rounding, as parts of one.
pub(crate) const HUNDREDTHS: f64 = 100.0;
pub(crate) const THOUSANDTHS: f64 = 1_000.0;
/// For rates: a thousandth of a cent.
pub(crate) const RATE: f64 = 100_000.0;

/// Half away from zero.
pub(crate) fn rounded(value: f64, steps: f64) -> f64 {
    (value * steps).round() / steps
}
