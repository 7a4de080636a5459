//! How much energy homes take, when, and what they are heated with: by state and census division.

use std::collections::BTreeMap;

use shingle_domain::State;
use shingle_domain::area::{Climate, Division, Figure, FuelShares, HeatingHabit, HomeKind, Scope, Table, Vintage};

use super::sheet::{Cell, Content, Fault, Row, Rows, Sheet, complete, shipped};

pub(super) struct DegreeDays(pub BTreeMap<State, Climate>);

impl Content for DegreeDays {
    const TABLE: Table = Table::DegreeDays;
    const COLUMNS: &'static [&'static str] = &[
        "state",
        "heating_01",
        "heating_02",
        "heating_03",
        "heating_04",
        "heating_05",
        "heating_06",
        "heating_07",
        "heating_08",
        "heating_09",
        "heating_10",
        "heating_11",
        "heating_12",
        "cooling_01",
        "cooling_02",
        "cooling_03",
        "cooling_04",
        "cooling_05",
        "cooling_06",
        "cooling_07",
        "cooling_08",
        "cooling_09",
        "cooling_10",
        "cooling_11",
        "cooling_12",
        "heating_year",
        "cooling_year",
    ];
    const OPTIONAL: &'static [&'static str] = &["offset_f", "basis"];
    shipped!(DegreeDays, "degree-days");

    fn read(rows: &mut Rows<'_>) -> Result<Self, Fault> {
        let mut states = BTreeMap::new();
        while let Some(row) = rows.next()? {
            let heating = row.twelve("heating", 0.0..=4_000.0)?;
            let cooling = row.twelve("cooling", 0.0..=2_000.0)?;
            let year = |column: &str, months: &[f64; 12]| {
                let cell = row.number(column, 0.0..=30_000.0)?;
                let sum: f64 = months.iter().sum();
                if (sum - cell.value).abs() > 12.0 + 0.01 * cell.value {
                    return Err(row.fault(column, format!("the months add up to {sum:.0}, not to this")));
                }
                Ok(cell)
            };
            let (heating_year, cooling_year) = (year("heating_year", &heating)?, year("cooling_year", &cooling)?);
            let climate = Climate {
                heating,
                cooling,
                heating_year: heating_year.value,
                cooling_year: cooling_year.value,
                placeholder: heating_year.placeholder || cooling_year.placeholder,
            };
            row.keep(&mut states, "state", row.state("state")?, climate)?;
        }
        complete(&states)?;
        Ok(Self(states))
    }
}

/// The average residential bill of a state, as published.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bill {
    pub state: State,
    pub kwh_month: f64,
    pub usd_per_kwh: f64,
    pub usd_month: f64,
    /// The year it speaks of.
    pub year: u16,
}

/// Published bills, and what the electricity model must be multiplied by to meet them.
pub(super) struct ElectricityLevels(pub BTreeMap<State, Level>);

pub(super) struct Level {
    pub kwh_month: f64,
    pub usd_per_kwh: f64,
    pub usd_month: f64,
    level: Cell,
}

impl Content for ElectricityLevels {
    const TABLE: Table = Table::ElectricityLevels;
    const COLUMNS: &'static [&'static str] =
        &["state", "kwh_month", "price_cents_per_kwh", "bill_usd_month", "modelled_kwh_year"];
    const OPTIONAL: &'static [&'static str] = &["level"];
    shipped!(ElectricityLevels, "electricity-levels");

    fn read(rows: &mut Rows<'_>) -> Result<Self, Fault> {
        let mut states = BTreeMap::new();
        while let Some(row) = rows.next()? {
            row.keep(&mut states, "state", row.state("state")?, level(row)?)?;
        }
        complete(&states)?;
        Ok(Self(states))
    }
}

fn level(row: Row<'_>) -> Result<Level, Fault> {
    let kwh = row.number("kwh_month", 50.0..=5_000.0)?;
    let cents = row.plain("price_cents_per_kwh", 1.0..=200.0)?;
    let bill = row.plain("bill_usd_month", 5.0..=5_000.0)?;
    if (kwh.value * cents / 100.0 - bill).abs() > 0.01 * bill {
        return Err(row.fault("bill_usd_month", format!("{} kWh at {cents} cents is not {bill} USD", kwh.value)));
    }
    let modelled = row.number("modelled_kwh_year", 500.0..=60_000.0)?;
    let derived = 12.0 * kwh.value / modelled.value;
    let level = match row.optional("level", 0.1..=10.0)? {
        Some(given) if (given.value / derived - 1.0).abs() > 0.005 => {
            let detail = format!("12 x kwh_month / modelled_kwh_year is {derived:.3}; correct this or leave it empty");
            return Err(row.fault("level", detail));
        }
        Some(given) => given,
        None => Cell { value: derived, placeholder: false },
    };
    let level = Cell { placeholder: level.placeholder || kwh.placeholder || modelled.placeholder, ..level };
    Ok(Level { kwh_month: kwh.value, usd_per_kwh: cents / 100.0, usd_month: bill, level })
}

impl Level {
    pub fn figure(&self) -> Figure {
        self.level.figure(Scope::State, Table::ElectricityLevels)
    }
}

pub(super) struct GasMonths(pub BTreeMap<State, [f64; 12]>);

impl Content for GasMonths {
    const TABLE: Table = Table::GasMonths;
    const COLUMNS: &'static [&'static str] = &[
        "state", "month_01", "month_02", "month_03", "month_04", "month_05", "month_06", "month_07", "month_08",
        "month_09", "month_10", "month_11", "month_12",
    ];
    shipped!(GasMonths, "gas-months");

    fn read(rows: &mut Rows<'_>) -> Result<Self, Fault> {
        let mut states = BTreeMap::new();
        while let Some(row) = rows.next()? {
            let months = row.twelve("month", 0.0..=1.0)?;
            let sum: f64 = months.iter().sum();
            if (sum - 1.0).abs() > 0.01 {
                return Err(row.fault("month_12", format!("the twelve shares add up to {sum:.4}, not to 1")));
            }
            row.keep(&mut states, "state", row.state("state")?, months.map(|m| m / sum))?;
        }
        complete(&states)?;
        Ok(Self(states))
    }
}

/// Of the states that publish it; may lack some.
pub(super) struct HeatingFuels(pub BTreeMap<State, FuelShares>);

impl Content for HeatingFuels {
    const TABLE: Table = Table::HeatingFuels;
    const COLUMNS: &'static [&'static str] =
        &["state", "gas_percent", "oil_percent", "propane_percent", "electricity_percent", "other_percent"];
    shipped!(HeatingFuels, "heating-fuels");

    fn read(rows: &mut Rows<'_>) -> Result<Self, Fault> {
        let mut states = BTreeMap::new();
        while let Some(row) = rows.next()? {
            let share = |column| Ok(row.plain(column, 0.0..=100.0)? / 100.0);
            let shares = FuelShares {
                gas: share("gas_percent")?,
                oil: share("oil_percent")?,
                propane: share("propane_percent")?,
                electric: share("electricity_percent")?,
                other: share("other_percent")?,
            };
            whole(row, "other_percent", &shares)?;
            row.keep(&mut states, "state", row.state("state")?, shares)?;
        }
        Ok(Self(states))
    }
}

fn whole(row: Row<'_>, column: &str, shares: &FuelShares) -> Result<(), Fault> {
    let sum = shares.gas + shares.oil + shares.propane + shares.electric + shares.other;
    if (sum - 1.0).abs() > 0.02 {
        return Err(row.fault(column, format!("the shares of this row add up to {:.1} %, not to 100 %", sum * 100.0)));
    }
    Ok(())
}

pub(super) struct HeatingHabits(pub BTreeMap<Division, Vec<HeatingHabit>>);

impl Content for HeatingHabits {
    const TABLE: Table = Table::HeatingHabits;
    const COLUMNS: &'static [&'static str] =
        &["division", "home", "built", "gas", "oil", "propane", "electric", "asked"];
    const OPTIONAL: &'static [&'static str] = &["other"];
    shipped!(HeatingHabits, "heating-habits");

    fn read(rows: &mut Rows<'_>) -> Result<Self, Fault> {
        let mut divisions: BTreeMap<Division, Vec<HeatingHabit>> = BTreeMap::new();
        while let Some(row) = rows.next()? {
            let (division, habit) = habit(row)?;
            let habits = divisions.entry(division).or_default();
            if habits.iter().any(|h| h.home == habit.home && h.vintage == habit.vintage) {
                return Err(row.fault("built", "this division, home and age stand here twice"));
            }
            habits.push(habit);
        }
        match Division::ALL.into_iter().find(|d| !divisions.contains_key(d)) {
            Some(missing) => Err(Fault::whole(format!("there is no row for {}", missing.name()))),
            None => Ok(Self(divisions)),
        }
    }
}

fn habit(row: Row<'_>) -> Result<(Division, HeatingHabit), Fault> {
    let text = row.text("division");
    let division = Division::ALL.into_iter().find(|d| d.name() == text);
    let home = match row.text("home") {
        "detached" => HomeKind::Detached,
        "attached" => HomeKind::Attached,
        "2-4 units" => HomeKind::TwoToFourUnits,
        "5+ units" => HomeKind::FiveOrMoreUnits,
        "mobile" => HomeKind::Mobile,
        other => {
            let kinds = "detached, attached, 2-4 units, 5+ units, mobile";
            return Err(row.fault("home", format!("`{other}` is not one of {kinds}")));
        }
    };
    let vintage = match row.text("built") {
        "before 1950" => Vintage::Before1950,
        "1950-1979" => Vintage::From1950To1979,
        "1980-1999" => Vintage::From1980To1999,
        "from 2000" => Vintage::From2000,
        other => {
            let ages = "before 1950, 1950-1979, 1980-1999, from 2000";
            return Err(row.fault("built", format!("`{other}` is not one of {ages}")));
        }
    };
    let share = |column| row.plain(column, 0.0..=1.0);
    let shares = FuelShares {
        gas: share("gas")?,
        oil: share("oil")?,
        propane: share("propane")?,
        electric: share("electric")?,
        other: row.optional("other", 0.0..=1.0)?.map_or(Ok(0.0), |c| row.unmarked("other", c))?,
    };
    whole(row, "electric", &shares)?;
    let asked = row.plain("asked", 1.0..=10_000_000.0)? as u32;
    let division = division.ok_or_else(|| row.fault("division", format!("`{text}` is not a division")))?;
    Ok((division, HeatingHabit { home, vintage, shares, asked }))
}
