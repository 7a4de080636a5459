//! The grid and the sun: emissions by subregion, yield by ZIP and state, panels already there, incentives.

use std::collections::BTreeMap;

use shingle_domain::State;
use shingle_domain::area::{Figure, Grid, Scope, Table};

use super::sheet::{Cell, Content, Fault, Rows, Sheet, complete, shipped};
use super::zips::zip_number;

pub(super) struct GridEmissions {
    subregions: BTreeMap<String, Rates>,
    states: BTreeMap<State, Rates>,
}

#[derive(Clone, Copy)]
struct Rates {
    co2e: Cell,
    loss: Option<Cell>,
}

impl Content for GridEmissions {
    const TABLE: Table = Table::GridEmissions;
    const COLUMNS: &'static [&'static str] = &["area", "co2e_lb_per_mwh", "loss"];
    shipped!(GridEmissions, "grid-emissions");

    fn read(rows: &mut Rows<'_>) -> Result<Self, Fault> {
        let (mut subregions, mut states) = (BTreeMap::new(), BTreeMap::new());
        while let Some(row) = rows.next()? {
            let rates =
                Rates { co2e: row.number("co2e_lb_per_mwh", 0.0..=5_000.0)?, loss: row.optional("loss", 0.0..=0.5)? };
            let area = row.text("area");
            match State::parse(area) {
                Some(state) => row.keep(&mut states, "area", state, rates)?,
                None if area.len() == 4 && area.bytes().all(|b| b.is_ascii_uppercase()) => {
                    row.keep(&mut subregions, "area", area.to_owned(), rates)?;
                }
                None => {
                    let detail = format!("`{area}` is neither a subregion of four letters nor a state nor US");
                    return Err(row.fault("area", detail));
                }
            }
        }
        complete(&states)?;
        if State::parse("US").is_none_or(|us| !states.contains_key(&us)) {
            return Err(Fault::whole("there is no row for US, to compare the areas with"));
        }
        Ok(Self { subregions, states })
    }
}

impl GridEmissions {
    pub fn of(&self, state: State, subregion: Option<&str>) -> Grid {
        let figure = |cell: Cell, scope| cell.figure(scope, Table::GridEmissions);
        let local = subregion.and_then(|s| self.subregions.get(s)).map(|r| (*r, Scope::Zip));
        let state = self.states.get(&state).map(|r| (*r, Scope::State));
        let us = State::parse("US").and_then(|us| self.states.get(&us));
        let loss = |(rates, scope): (Rates, Scope)| rates.loss.map(|cell| figure(cell, scope));
        Grid {
            co2e_lb_per_mwh: local.or(state).map(|(rates, scope)| figure(rates.co2e, scope)),
            us_co2e_lb_per_mwh: us.map(|rates| figure(rates.co2e, Scope::Nation)),
            loss: local.and_then(loss).or_else(|| state.and_then(loss)),
        }
    }
}

/// By ZIP, in its order.
pub(super) struct SolarYield(Vec<Yield>);

#[derive(Clone, Copy)]
struct Yield {
    zip: u32,
    /// kWh per kW and year, times ten.
    tenths: u16,
    placeholder: bool,
}

impl Content for SolarYield {
    const TABLE: Table = Table::SolarYield;
    const COLUMNS: &'static [&'static str] = &["zip", "kwh_per_kw_year"];
    shipped!(SolarYield, "solar-yield");

    fn read(rows: &mut Rows<'_>) -> Result<Self, Fault> {
        let mut yields = Vec::new();
        while let Some(row) = rows.next()? {
            let Cell { value, placeholder } = row.number("kwh_per_kw_year", 300.0..=3_000.0)?;
            let zip = zip_number(row)?;
            if yields.last().is_some_and(|y: &Yield| y.zip >= zip) {
                return Err(row.fault("zip", "ZIPs must stand in rising order, each once"));
            }
            yields.push(Yield { zip, tenths: (value * 10.0).round() as u16, placeholder });
        }
        if yields.is_empty() {
            return Err(Fault::whole("there is no row"));
        }
        Ok(Self(yields))
    }
}

impl SolarYield {
    pub fn of(&self, zip: u32, scope: Scope) -> Option<Figure> {
        let found = self.0.binary_search_by_key(&zip, |y| y.zip).ok().and_then(|at| self.0.get(at))?;
        let cell = Cell { value: f64::from(found.tenths) / 10.0, placeholder: found.placeholder };
        Some(cell.figure(scope, Table::SolarYield))
    }

    pub fn zips(&self) -> impl Iterator<Item = u32> {
        self.0.iter().map(|y| y.zip)
    }
}

pub(super) struct StateSolar(BTreeMap<State, StateSun>);

#[derive(Clone, Copy)]
struct StateSun {
    optimum: Option<Cell>,
    /// Residential panels in watts per owner household.
    watts: Option<Cell>,
    /// Share of the other states that have less, ties counting half: 0 for the last, 1 for the first.
    percentile: Option<Cell>,
}

impl Content for StateSolar {
    const TABLE: Table = Table::StateSolar;
    const COLUMNS: &'static [&'static str] = &["state", "kwh_per_kw_year", "residential_mw", "owner_households"];
    shipped!(StateSolar, "state-solar");

    fn read(rows: &mut Rows<'_>) -> Result<Self, Fault> {
        let mut states = BTreeMap::new();
        while let Some(row) = rows.next()? {
            let owners = row.plain("owner_households", 1_000.0..=100_000_000.0)?;
            let megawatts = row.optional("residential_mw", 0.0..=500_000.0)?;
            let sun = StateSun {
                optimum: row.optional("kwh_per_kw_year", 300.0..=3_000.0)?,
                watts: megawatts.map(|mw| mw.times(1e6 / owners)),
                percentile: None,
            };
            row.keep(&mut states, "state", row.state("state")?, sun)?;
        }
        complete(&states)?;
        let known: Vec<(State, f64)> = states.iter().filter_map(|(s, sun)| Some((*s, sun.watts?.value))).collect();
        for (state, sun) in &mut states {
            sun.percentile = sun.watts.and_then(|own| percentile(*state, own, &known));
        }
        Ok(Self(states))
    }
}

impl StateSolar {
    pub fn optimum(&self, state: State) -> Option<Figure> {
        let cell = self.0.get(&state)?.optimum?;
        Some(cell.figure(Scope::State, Table::StateSolar))
    }

    pub fn adoption_percentile(&self, state: State) -> Option<Figure> {
        let cell = self.0.get(&state)?.percentile?;
        Some(cell.figure(Scope::State, Table::StateSolar))
    }
}

fn percentile(state: State, own: Cell, known: &[(State, f64)]) -> Option<Cell> {
    let others = || known.iter().filter(|(s, _)| *s != state).map(|(_, watts)| watts);
    let count = others().count();
    let below: f64 = others()
        .map(|watts| match watts.total_cmp(&own.value) {
            std::cmp::Ordering::Less => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 0.0,
        })
        .sum();
    (count > 0).then(|| Cell { value: below / count as f64, ..own })
}

/// Filled by the operator; ships empty.
pub(super) struct SolarIncentives(BTreeMap<State, Cell>);

impl Content for SolarIncentives {
    const TABLE: Table = Table::SolarIncentives;
    const COLUMNS: &'static [&'static str] = &["state", "points", "because"];
    shipped!(SolarIncentives, "solar-incentives");

    fn read(rows: &mut Rows<'_>) -> Result<Self, Fault> {
        let mut states = BTreeMap::new();
        while let Some(row) = rows.next()? {
            let points = row.number("points", 0.0..=0.5)?;
            if row.text("because").is_empty() {
                return Err(row.fault("because", "say which rule or payment the points are for"));
            }
            row.keep(&mut states, "state", row.state("state")?, points)?;
        }
        Ok(Self(states))
    }
}

impl SolarIncentives {
    pub fn of(&self, state: State) -> Option<Figure> {
        self.0.get(&state).map(|cell| cell.figure(Scope::State, Table::SolarIncentives))
    }
}
