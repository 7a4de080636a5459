//! What things cost: roofs by material, energy by state.

use std::collections::BTreeMap;

use shingle_domain::State;
use shingle_domain::area::{EnergyPrices, Scope, Table};
use shingle_domain::money::Usd;
use shingle_domain::roof::{ListedPrice, PriceTable, RoofMaterial};

use super::sheet::{Cell, Content, Fault, Row, Rows, Sheet, complete, shipped};

pub(super) struct RoofPrices(pub PriceTable);

impl Content for RoofPrices {
    const TABLE: Table = Table::RoofPrices;
    const COLUMNS: &'static [&'static str] = &["material", "usd_per_square", "low", "high", "source", "year"];
    shipped!(RoofPrices, "roof-prices");

    fn read(rows: &mut Rows<'_>) -> Result<Self, Fault> {
        let (mut materials, mut low_slope) = (Vec::new(), None);
        while let Some(row) = rows.next()? {
            match Covering::of(row)? {
                Covering::Material(material) => materials.push((material, roof_price(row)?)),
                Covering::LowSlope if low_slope.is_some() => {
                    return Err(row.fault("material", format!("`{LOW_SLOPE}` is there twice")));
                }
                Covering::LowSlope => low_slope = Some(roof_price(row)?),
            }
        }
        let low_slope = low_slope.ok_or_else(|| Fault::whole(format!("there is no row for `{LOW_SLOPE}`")))?;
        PriceTable::new(materials, low_slope)
            .map(Self)
            .ok_or_else(|| Fault::whole("every material must stand there once, with 0 < low <= usd_per_square <= high"))
    }
}

/// The row for what is too low for shingles.
const LOW_SLOPE: &str = "low slope";

enum Covering {
    Material(RoofMaterial),
    LowSlope,
}

impl Covering {
    fn of(row: Row<'_>) -> Result<Self, Fault> {
        let text = row.text("material");
        if text == LOW_SLOPE {
            return Ok(Self::LowSlope);
        }
        let unknown = |()| row.fault("material", format!("`{text}` is not a roof material of this program"));
        text.parse().map(Self::Material).map_err(unknown)
    }
}

fn roof_price(row: Row<'_>) -> Result<ListedPrice, Fault> {
    let price = |column: &str| {
        let cell = row.number(column, 1.0..=1e6)?;
        let cents = Usd::from_f64(cell.value);
        if (cents.dollars() - cell.value).abs() > 1e-9 {
            return Err(row.fault(column, "a price has at most two decimals"));
        }
        Ok(cents)
    };
    let source = row.text("source");
    if source.is_empty() {
        return Err(row.fault("source", "a source is missing"));
    }
    Ok(ListedPrice {
        per_square: price("usd_per_square")?,
        low: price("low")?,
        high: price("high")?,
        source: source.to_owned(),
        year: row.plain("year", 1990.0..=2100.0)? as u16,
    })
}

/// By state, and for `US`.
pub(super) struct Energy(BTreeMap<State, StatePrices>);

struct StatePrices {
    electricity: Cell,
    gas: Option<Cell>,
    propane: Option<(Cell, Scope)>,
    oil: Option<(Cell, Scope)>,
}

impl Content for Energy {
    const TABLE: Table = Table::EnergyPrices;
    const COLUMNS: &'static [&'static str] =
        &["state", "electricity_cents_per_kwh", "gas_usd_per_therm", "propane_usd_per_gallon", "oil_usd_per_gallon"];
    const OPTIONAL: &'static [&'static str] = &["propane_of", "oil_of"];
    shipped!(Energy, "energy-prices");

    fn read(rows: &mut Rows<'_>) -> Result<Self, Fault> {
        let mut states = BTreeMap::new();
        while let Some(row) = rows.next()? {
            let gallon = |price: &str, of: &str| -> Result<_, Fault> {
                Ok(row.optional(price, 0.2..=30.0)?.map(|cell| (cell, published_for(row.text(of)))))
            };
            let prices = StatePrices {
                electricity: row.number("electricity_cents_per_kwh", 1.0..=200.0)?,
                gas: row.optional("gas_usd_per_therm", 0.05..=30.0)?,
                propane: gallon("propane_usd_per_gallon", "propane_of")?,
                oil: gallon("oil_usd_per_gallon", "oil_of")?,
            };
            row.keep(&mut states, "state", row.state("state")?, prices)?;
        }
        complete(&states)?;
        if nation().is_none_or(|us| !states.contains_key(&us)) {
            return Err(Fault::whole("there is no row for US, to compare the states with"));
        }
        Ok(Self(states))
    }
}

fn nation() -> Option<State> {
    State::parse("US")
}

fn published_for(area: &str) -> Scope {
    match area {
        "" | "state" => Scope::State,
        "US" => Scope::Nation,
        _ => Scope::Region,
    }
}

impl Energy {
    pub fn of(&self, state: State) -> EnergyPrices {
        let us = nation().and_then(|us| self.0.get(&us));
        let own = self.0.get(&state);
        let dollars = |cell: Cell, scope| Cell { value: cell.value / 100.0, ..cell }.figure(scope, Table::EnergyPrices);
        let gallon = |(cell, scope): (Cell, Scope)| cell.figure(scope, Table::EnergyPrices);
        EnergyPrices {
            electricity_per_kwh: own.map(|p| dollars(p.electricity, Scope::State)),
            us_electricity_per_kwh: us.map(|p| dollars(p.electricity, Scope::Nation)),
            gas_per_therm: own.and_then(|p| p.gas).map(|c| c.figure(Scope::State, Table::EnergyPrices)),
            propane_per_gallon: own.and_then(|p| p.propane).map(gallon),
            oil_per_gallon: own.and_then(|p| p.oil).map(gallon),
        }
    }
}
