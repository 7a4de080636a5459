//! Six states of the reference tables, written out: sums that are checked by hand start here.

use shingle_domain::address::State;
use shingle_domain::area::{Area, Climate, Division, EnergyPrices, Figure, Grid, Scope, Table};

#[derive(Debug)]
pub struct Row {
    pub state: &'static str,
    heating: [f64; 12],
    cooling: [f64; 12],
    year: (f64, f64),
    level: f64,
    /// Cents per kWh; USD per therm, gallon of propane, gallon of oil.
    prices: (f64, f64, f64, f64),
    co2e: f64,
    gas: [f64; 12],
}

pub static MA: Row = Row {
    state: "MA",
    heating: [1218.0, 1049.9, 925.7, 560.9, 268.8, 65.7, 9.6, 17.1, 128.3, 440.4, 726.8, 1040.9],
    cooling: [0.0, 0.0, 0.1, 1.4, 17.2, 83.3, 198.4, 157.5, 47.2, 4.5, 0.3, 0.0],
    year: (6452.0, 510.0),
    level: 0.983,
    prices: (30.14, 2.419, 3.649, 5.742),
    co2e: 541.1,
    gas: [0.1878, 0.1605, 0.1388, 0.0857, 0.0445, 0.0247, 0.0217, 0.019, 0.0225, 0.0411, 0.0987, 0.155],
};

pub static AZ: Row = Row {
    state: "AZ",
    heating: [469.0, 341.2, 209.1, 71.2, 4.0, 0.0, 0.0, 0.0, 0.0, 25.1, 230.9, 491.6],
    cooling: [1.7, 3.9, 22.2, 73.0, 264.3, 546.3, 705.1, 654.7, 458.9, 150.9, 11.5, 1.0],
    year: (1842.0, 2893.0),
    level: 1.314,
    prices: (15.44, 1.793, 3.174, 5.535),
    co2e: 742.3,
    gas: [0.1948, 0.1659, 0.1312, 0.0701, 0.0492, 0.0371, 0.0299, 0.0284, 0.0299, 0.0426, 0.0773, 0.1436],
};

pub static OH: Row = Row {
    state: "OH",
    heating: [1177.0, 986.9, 812.4, 443.5, 181.2, 29.3, 5.7, 9.9, 91.5, 381.9, 711.2, 1017.0],
    cooling: [0.0, 0.0, 0.4, 4.7, 39.7, 148.6, 233.5, 195.9, 72.1, 8.0, 0.4, 0.1],
    year: (5848.0, 703.0),
    level: 1.174,
    prices: (18.7, 1.337, 2.695, 4.726),
    co2e: 916.0,
    gas: [0.1912, 0.1658, 0.1301, 0.0817, 0.0388, 0.0193, 0.0164, 0.016, 0.0182, 0.0456, 0.1165, 0.1603],
};

pub static ME: Row = Row {
    state: "ME",
    heating: [1486.0, 1285.1, 1119.4, 706.3, 359.6, 111.2, 25.6, 38.9, 201.4, 546.5, 868.2, 1255.1],
    cooling: [0.0, 0.0, 0.0, 0.2, 7.0, 46.2, 128.2, 98.4, 21.1, 1.5, 0.0, 0.0],
    year: (8003.0, 303.0),
    level: 0.926,
    prices: (29.99, 1.829, 3.523, 5.371),
    co2e: 541.1,
    gas: [0.1896, 0.1585, 0.1325, 0.0858, 0.0462, 0.0236, 0.0172, 0.0178, 0.0205, 0.0473, 0.1085, 0.1525],
};

pub static TX: Row = Row {
    state: "TX",
    heating: [563.2, 398.4, 252.2, 95.4, 15.4, 0.4, 0.0, 0.0, 4.0, 75.8, 296.2, 525.2],
    cooling: [5.8, 12.0, 44.7, 110.8, 280.1, 465.2, 554.0, 542.9, 345.2, 132.0, 21.8, 6.7],
    year: (2226.0, 2521.0),
    level: 0.995,
    prices: (16.06, 1.875, 2.989, 5.535),
    co2e: 746.9,
    gas: [0.206, 0.1851, 0.1216, 0.0608, 0.0368, 0.0293, 0.0281, 0.0255, 0.0257, 0.0379, 0.0956, 0.1477],
};

pub static FL: Row = Row {
    state: "FL",
    heating: [193.0, 116.0, 60.6, 11.8, 0.5, 0.0, 0.0, 0.0, 0.0, 3.0, 47.0, 132.7],
    cooling: [35.0, 56.3, 120.5, 223.4, 404.1, 522.4, 587.6, 585.1, 500.7, 322.6, 118.5, 58.5],
    year: (565.0, 3535.0),
    level: 0.944,
    prices: (15.3, 2.459, 4.706, 5.535),
    co2e: 806.4,
    gas: [0.151, 0.1297, 0.1048, 0.0898, 0.0716, 0.0599, 0.0496, 0.0483, 0.0504, 0.0572, 0.0744, 0.1133],
};

pub fn figure(value: f64, table: Table) -> Figure {
    Figure { value, scope: Scope::State, table, placeholder: false }
}

impl Row {
    pub fn area(&self) -> Area {
        let price = |value| Some(figure(value, Table::EnergyPrices));
        Area {
            division: Division::of(State::parse(self.state).expect("two letters")),
            prices: EnergyPrices {
                electricity_per_kwh: price(self.prices.0 / 100.0),
                us_electricity_per_kwh: None,
                gas_per_therm: price(self.prices.1),
                propane_per_gallon: price(self.prices.2),
                oil_per_gallon: price(self.prices.3),
            },
            climate: Some(Climate {
                heating: self.heating,
                cooling: self.cooling,
                heating_year: self.year.0,
                cooling_year: self.year.1,
                placeholder: false,
            }),
            gas_months: Some(self.gas),
            electricity_level: Some(figure(self.level, Table::ElectricityLevels)),
            grid: Grid { co2e_lb_per_mwh: Some(figure(self.co2e, Table::GridEmissions)), ..Grid::default() },
            ..Area::default()
        }
    }
}
