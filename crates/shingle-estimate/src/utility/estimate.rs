//! The record, and everything that explains it.
//!
//! # Decision
//!
//! A bill's range is the spread of the survey's homes, and the answer says that nobody tested it, because no bills of
//! known homes are available. For a typical size, a width of 0.5 in the logarithm held 95 to 97 % of Cambridge's 719
//! homes of known size (`tests/it/usual_sizes.rs`). Turned down: the narrower fitted width, which fits one city and
//! is too narrow even there.

use std::collections::BTreeSet;

use shingle_domain::Evidence;
use shingle_domain::area::Table;
use shingle_domain::details::Reason;
use shingle_domain::evidence::HeatFuel;
use shingle_domain::money::Usd;
use shingle_domain::time::Timestamp;
use shingle_domain::utility::{
    ConsumptionRange, Electricity, Emissions, FossilFuel, Interval, PeakEmissions, PeakMonth, Quarters, Ratios,
    UtilityData, UtilityMonth, UtilityRange, UtilityStatus,
};

use super::calculation::{
    Calculation, FossilCalculation, HUNDREDTHS, RATE, THOUSANDTHS, calculate, range_factors, rounded,
};
use super::coefficients::ELECTRICITY;
use super::fuel::FossilFuelKind;
use super::model::total;
use super::months::{self, NAMES};
use super::{reasons, text};

/// Heat of a kWh, Btu.
const BTU_PER_KWH: f64 = 3_412.0;

/// The record and everything that explains it.
#[derive(Debug, Clone, PartialEq)]
pub struct UtilityEstimate {
    /// `Error` when there is no electricity figure: then `data` holds units and nulls.
    pub status: UtilityStatus,
    pub message: String,
    pub data: UtilityData,
    /// By the spread of the survey's homes; for `include=range`.
    pub range: Option<UtilityRange>,
    /// The last twelve calendar months, oldest first; empty without an answer. For `include=segments`.
    pub months: Vec<UtilityMonth>,
    pub reasons: Vec<Reason>,
    /// The reference tables whose figures were used, each once.
    pub tables: Vec<Table>,
}

pub(crate) fn estimate(evidence: Option<&Evidence>, now: Timestamp) -> UtilityEstimate {
    match calculate(evidence, now) {
        Ok(calculation) => success(&calculation, now),
        Err(missing) => UtilityEstimate {
            status: UtilityStatus::Error,
            message: text::missing_input(missing).to_owned(),
            data: UtilityData { units: text::units(None), electricity: None, fossil_fuel: None, ratios: None },
            range: None,
            months: Vec::new(),
            reasons: Vec::new(),
            tables: Vec::new(),
        },
    }
}

fn success(calculation: &Calculation<'_>, now: Timestamp) -> UtilityEstimate {
    let electricity = electricity(calculation);
    let fossil_fuel = calculation.fossil.as_ref().and_then(fossil_fuel);
    let all_electric = calculation.choice.fuel == HeatFuel::Electric;
    let ratio = fossil_fuel.as_ref().zip(calculation.fossil.as_ref()).and_then(|(record, fossil)| {
        let heat = record.annual_consumption * fossil.fuel.btu();
        (heat > 0.0).then(|| rounded(electricity.annual_consumption * BTU_PER_KWH / heat, THOUSANDTHS))
    });
    let ratios = (ratio.is_some() || all_electric).then_some(Ratios { electric_to_fossil_ratio: ratio });
    let range = range(calculation, &electricity, fossil_fuel.as_ref());
    UtilityEstimate {
        status: UtilityStatus::Success,
        message: text::message(calculation, now),
        range: Some(range),
        months: calendar(calculation, now),
        reasons: reasons::reasons(calculation, &electricity, fossil_fuel.as_ref()),
        tables: tables(calculation),
        data: UtilityData {
            units: text::units(calculation.fossil.as_ref().map(|f| f.fuel)),
            electricity: Some(electricity),
            fossil_fuel,
            ratios,
        },
    }
}

/// Every figure is computed from the rounded ones above it: consumption to hundredths of a kWh, the rate to a
/// thousandth of a cent, money to the cent; a year is twelve mean months.
fn electricity(calculation: &Calculation<'_>) -> Electricity {
    let rate = rounded(calculation.price.value, RATE);
    let cost = |kwh: f64| Usd::from_f64(kwh * rate);
    let month = |m: usize| calculation.months[m].total();
    let quarter = |q: usize| rounded((month(3 * q) + month(3 * q + 1) + month(3 * q + 2)) / 3.0, HUNDREDTHS);
    let mean = rounded(total(&calculation.terms) / 12.0, HUNDREDTHS);
    let mean_cost = cost(mean);
    let quarters = [quarter(0), quarter(1), quarter(2), quarter(3)];
    let peak = rounded(month(calculation.peak), HUNDREDTHS);
    Electricity {
        monthly_average_consumption: mean,
        monthly_average_cost: mean_cost,
        annual_consumption: rounded(mean * 12.0, HUNDREDTHS),
        annual_cost: Usd::from_cents(mean_cost.cents() * 12),
        monthly_average_utility_rate: rate,
        quarter_average_consumption: of_four(quarters),
        quarter_average_cost: of_four(quarters.map(cost)),
        peak_month: PeakMonth { name: NAMES[calculation.peak], consumption: peak, cost: cost(peak) },
        emissions: calculation.grid.map(|grid| {
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
fn fossil_fuel(fossil: &FossilCalculation) -> Option<FossilFuel> {
    let rate = rounded(fossil.price?.value, RATE);
    let annual = rounded(fossil.annual, HUNDREDTHS);
    Some(FossilFuel {
        kind: fossil.fuel.name(),
        annual_consumption: annual,
        annual_cost: Usd::from_f64(annual * rate),
        monthly_average_utility_rate: rate,
    })
}

fn range(calculation: &Calculation<'_>, electricity: &Electricity, fossil_fuel: Option<&FossilFuel>) -> UtilityRange {
    let of = |model, annual, rate| {
        let (low, high) = range_factors(model, &calculation.home);
        let (low, high) = (rounded(annual * low, HUNDREDTHS), rounded(annual * high, HUNDREDTHS));
        ConsumptionRange {
            annual_consumption: Interval { low, high },
            annual_cost: Interval { low: Usd::from_f64(low * rate), high: Usd::from_f64(high * rate) },
        }
    };
    UtilityRange {
        electricity: of(&ELECTRICITY, electricity.annual_consumption, electricity.monthly_average_utility_rate),
        fossil_fuel: fossil_fuel.zip(calculation.fossil.as_ref()).map(|(record, fossil)| {
            of(fossil.fuel.model(), record.annual_consumption, record.monthly_average_utility_rate)
        }),
    }
}

fn calendar(calculation: &Calculation<'_>, now: Timestamp) -> Vec<UtilityMonth> {
    let one = |(year, month): (i16, u8)| {
        let m = usize::from(month - 1);
        UtilityMonth {
            month: format!("{year:04}-{month:02}"),
            electricity: rounded(calculation.months[m].total(), HUNDREDTHS),
            fossil_fuel: calculation.fossil.as_ref().map(|f| rounded(f.months[m], HUNDREDTHS)),
        }
    };
    months::window(now).map(one).to_vec()
}

fn tables(calculation: &Calculation<'_>) -> Vec<Table> {
    let mut tables = BTreeSet::from([Table::DegreeDays, calculation.level.table, calculation.price.table]);
    tables.extend(calculation.choice.table());
    tables.extend([calculation.grid, calculation.loss].into_iter().flatten().map(|f| f.table));
    if let Some(fossil) = &calculation.fossil {
        tables.extend(fossil.price.map(|p| p.table));
        if fossil.fuel == FossilFuelKind::Gas && calculation.evidence.area.gas_months.is_some() {
            tables.insert(Table::GasMonths);
        }
    }
    tables.into_iter().collect()
}
