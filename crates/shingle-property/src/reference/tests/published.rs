//! The shipped figures against the files they were taken from, where those are at hand: every row.

use std::collections::HashMap;

use super::super::*;
use super::{area, state, states};

type Record = HashMap<String, String>;

fn shared(file: &str) -> Option<Vec<Record>> {
    let path = shingle_testing::shared(&format!("data/reference/{file}"))?;
    Some(csv::Reader::from_path(path).unwrap().deserialize().map(Result::unwrap).collect())
}

fn number(record: &Record, column: &str) -> Option<f64> {
    record[column].trim_end_matches('%').parse().ok()
}

/// Whether both are unknown, or known and as close as the table's decimals.
fn same(figure: Option<f64>, published: Option<f64>, within: f64) -> bool {
    match (figure, published) {
        (Some(a), Some(b)) => (a - b).abs() <= within,
        (None, None) => true,
        _ => false,
    }
}

/// The area of a state's ZIP that does not exist: the state's own figures.
fn of(letters: &str) -> Area {
    area(letters, "00000")
}

#[test]
fn energy_prices_are_the_published_ones_and_stand_ins_say_so() {
    let Some(rows) = shared("residential_energy_prices_state.csv") else { return };
    assert_eq!(rows.len(), 51);
    for row in rows {
        let prices = of(&row["state"]).prices;
        let value = |f: Option<shingle_domain::area::Figure>| f.map(|f| f.value);
        let cents = number(&row, "elec_cents_kwh_2026_ytd_jul").map(|c| c / 100.0);
        assert!(same(value(prices.electricity_per_kwh), cents, 1e-12));
        assert!(same(value(prices.gas_per_therm), number(&row, "gas_usd_per_therm_latest_annual_2024_25"), 1e-12));
        let fuels = [
            (prices.propane_per_gallon, "propane_usd_gal_spring_2026", "propane_basis"),
            (prices.oil_per_gallon, "heating_oil_usd_gal_spring_2026", "heating_oil_basis"),
        ];
        for (figure, price, basis) in fuels {
            let (figure, basis) = (figure.unwrap(), row[basis].as_str());
            assert!(same(Some(figure.value), number(&row, price), 1e-12));
            assert_eq!(figure.placeholder, basis.starts_with("NOT PUBLISHED") || basis == "US average", "{row:?}");
            let scope = match basis {
                "EIA state weekly" => Scope::State,
                _ if basis.starts_with("EIA PADD") => Scope::Region,
                _ => Scope::Nation,
            };
            assert_eq!(figure.scope, scope, "{row:?}");
        }
    }
    let propane: Vec<_> = states()
        .into_iter()
        .filter(|s| of(s.as_str()).prices.propane_per_gallon.is_some_and(|f| f.placeholder))
        .map(|s| s.to_string())
        .collect();
    assert_eq!(propane.len(), 7);
    for letters in ["AK", "AZ", "CA", "HI", "NV", "OR", "WA"] {
        assert!(propane.iter().any(|s| s == letters), "{letters}");
    }
}

#[test]
fn the_nations_electricity_price_is_the_states_weighted_by_what_they_sold() {
    let Some(bills) = shared("eia_residential_bill_2022.csv") else { return };
    let Some(prices) = shared("residential_energy_prices_state.csv") else { return };
    let mean = |column: &str| {
        let (mut paid, mut sold) = (0.0, 0.0);
        for bill in &bills {
            let row = prices.iter().find(|p| p["state"] == bill["state"]).unwrap();
            let Some(price) = number(row, column) else { continue };
            let kwh = number(bill, "customers").unwrap() * number(bill, "kwh_month").unwrap();
            paid += kwh * price;
            sold += kwh;
        }
        paid / sold
    };
    // Published by EIA: 15.04 cents in 2022, 16.00 in 2023.
    println!("US cents per kWh: 2022 {:.2}, 2023 {:.2}", mean("elec_cents_kwh_2022"), mean("elec_cents_kwh_2023"));
    assert!((mean("elec_cents_kwh_2022") - 15.04).abs() < 0.01);
    assert!((mean("elec_cents_kwh_2023") - 16.00).abs() < 0.1);
    let us = of("ME").prices.us_electricity_per_kwh.unwrap();
    assert_eq!(us.scope, Scope::Nation);
    assert!((us.value * 100.0 - mean("elec_cents_kwh_2026_ytd_jul")).abs() < 0.006);
}

#[test]
fn bills_and_levels_are_the_published_ones() {
    let Some(published) = shared("eia_residential_bill_2022.csv") else { return };
    let Some(levels) = shared("state_electricity_calibration.csv") else { return };
    let bills = Reference::built_in().bills();
    assert_eq!((bills.len(), published.len()), (51, 51));
    for row in published {
        let bill = bills.iter().find(|b| b.state == state(&row["state"])).unwrap();
        assert_eq!(bill.year, 2022);
        assert!(same(Some(bill.kwh_month), number(&row, "kwh_month"), 0.0));
        assert!(same(Some(bill.usd_per_kwh), number(&row, "price_cents_kwh").map(|c| c / 100.0), 1e-12));
        assert!(same(Some(bill.usd_month), number(&row, "bill_month_usd"), 0.0));
    }
    for row in levels {
        let area = of(&row["state"]);
        assert!(same(area.electricity_level.map(|f| f.value), number(&row, "k_elec"), 0.0));
        assert_eq!(area.division.unwrap().name(), row["division"]);
    }
}

#[test]
fn climate_and_gas_months_are_the_published_ones() {
    let Some(months) = shared("state_monthly_degree_days.csv") else { return };
    let Some(years) = shared("state_annual_degree_days.csv") else { return };
    let Some(gas) = shared("gas_residential_monthly_shares.csv") else { return };
    assert_eq!((months.len(), years.len(), gas.len()), (612, 51, 51));
    for row in months {
        let climate = of(&row["state"]).climate.unwrap();
        let month = row["month"].parse::<usize>().unwrap() - 1;
        assert!(same(Some(climate.heating[month]), number(&row, "hdd65"), 1e-9));
        assert!(same(Some(climate.cooling[month]), number(&row, "cdd65"), 1e-9));
    }
    for row in years {
        let climate = of(&row["state"]).climate.unwrap();
        assert!(same(Some(climate.heating_year), number(&row, "hdd65_annual"), 0.0));
        assert!(same(Some(climate.cooling_year), number(&row, "cdd65_annual"), 0.0));
        assert_eq!(climate.placeholder, ["WA", "DC", "HI"].contains(&row["state"].as_str()), "{row:?}");
    }
    for row in gas {
        for (month, share) in (1..).zip(of(&row["state"]).gas_months.unwrap()) {
            assert!(same(Some(share), number(&row, &format!("m{month:02}")), 1e-4), "{row:?}");
        }
    }
}

#[test]
fn heating_is_the_published_one_and_a_row_cut_off_is_left_out() {
    let Some(fuels) = shared("state_heating_fuel_2013_partial.csv") else { return };
    let Some(habits) = shared("recs2015_main_fuel_by_division_type_vintage.csv") else { return };
    for row in &fuels {
        let shares = of(&row["state"]).heating.state;
        assert_eq!(shares.is_none(), row["state"] == "MA");
        let Some(shares) = shares else { continue };
        let percent = |column: &str| number(row, column).map_or(0.0, |p| p / 100.0);
        assert_eq!(
            [shares.gas, shares.oil, shares.electric, shares.propane, shares.other],
            ["natural_gas_pct", "fuel_oil_pct", "electricity_pct", "lpg_pct", "other_none_pct"].map(percent)
        );
    }
    let mut found = 0;
    for division in Division::ALL {
        let area = of(division.states()[0]);
        found += area.heating.habits.len();
        for row in habits.iter().filter(|r| r["Division"] == division.name()) {
            let cell = area.heating.habits.iter().find(|h| {
                f64::from(h.asked) == number(row, "n").unwrap()
                    && Some(h.shares.gas) == number(row, "natural gas")
                    && Some(h.shares.oil) == number(row, "fuel oil")
                    && Some(h.shares.propane) == number(row, "propane")
                    && Some(h.shares.electric) == number(row, "electric/other")
            });
            assert!(cell.is_some(), "{row:?}");
        }
    }
    assert_eq!((found, habits.len()), (190, 190));
}

#[test]
fn grid_and_sun_are_the_published_ones() {
    let Some(regions) = shared("egrid2023_subregion_rates.csv") else { return };
    let Some(zips) = shared("zip_egrid_subregion.csv") else { return };
    let Some(yields) = shared("sunroof_zip_yield.csv") else { return };
    let Some(solar) = shared("state_solar.csv") else { return };
    let Some(rates) = shared("state_grid_emission_rates.csv") else { return };
    let rate = |name: &str| number(regions.iter().find(|r| r["egrid_subregion"] == name).unwrap(), "co2e_lb_mwh");
    let (mut checked, reference) = (0, Reference::built_in());
    for row in zips.iter().filter(|r| !r["sub1"].is_empty()) {
        let zip = row["zip"].parse().unwrap();
        let grid = reference.grid.content().of(state(&row["state"]), reference.zips.content().subregion(zip));
        // Military mail codes are no places and have no row.
        let military = ["AA", "AE", "AP"].contains(&row["state"].as_str());
        assert!(military || same(grid.co2e_lb_per_mwh.map(|f| f.value), rate(&row["sub1"]), 1e-9), "{row:?}");
        checked += usize::from(!military);
    }
    println!("{checked} ZIPs have their subregion's rate");
    assert!(checked > 40_000);
    assert!(same(of("ME").grid.us_co2e_lb_per_mwh.map(|f| f.value), rate("U.S."), 1e-9));
    for row in rates {
        let grid = of(&row["state"]).grid;
        assert!(same(grid.co2e_lb_per_mwh.map(|f| f.value), number(&row, "co2e_lb_mwh_households_weighted"), 1e-9));
        assert_eq!(grid.co2e_lb_per_mwh.map(|f| f.scope), Some(Scope::State));
    }
    for row in &yields {
        let sun = area(&row["state"], &row["zip"]).sun.kwh_per_kw_year.unwrap();
        assert_eq!(sun.scope, Scope::Zip);
        assert!(same(Some(sun.value * 0.75), number(row, "threshold75_kwh_per_kw_year"), 0.06), "{row:?}");
    }
    let watts = |row: &Record| Some(number(row, "residential_pv_mw_latest")? * 1e6 / number(row, "owner")?);
    for row in &solar {
        let sun = of(&row["state"]).sun;
        assert!(same(
            sun.kwh_per_kw_year.map(|f| f.value * 0.75),
            number(row, "sunroof_threshold75_kwh_per_kw_year"),
            0.06
        ));
        let own = watts(row);
        let below = solar.iter().filter(|other| watts(other) < own && watts(other).is_some()).count();
        assert!(same(sun.adoption_percentile.map(|f| f.value), own.map(|_| below as f64 / 49.0), 1e-9), "{row:?}");
    }
    assert_eq!(of("HI").sun.adoption_percentile.map(|f| f.value), Some(1.0));
}

#[test]
fn the_homes_of_every_zip_are_the_published_ones() {
    let Some(rows) = shared("zip_area.csv") else { return };
    let mut own = 0;
    for row in &rows {
        let Some(letters) = State::parse(&row["state"]) else { continue };
        if ["AA", "AE", "AP"].contains(&letters.as_str()) {
            continue;
        }
        let homes = Reference::built_in().zips.content().homes(letters, row["zip"].parse().unwrap());
        let figures = [
            (homes.owner_occupied, "pct_owner_occupied", 1e-9),
            (homes.single_family, "pct_single_family", 1e-9),
            (homes.median_value, "median_home_value", 0.5),
        ];
        for (figure, column, within) in figures {
            let of_zip = figure.filter(|f| f.scope == Scope::Zip).map(|f| f.value);
            assert!(same(of_zip, number(row, column), within), "{row:?}");
            own += usize::from(of_zip.is_some());
        }
        if !row["county_fips"].is_empty() && !row["county"].contains("city)") && !row["county"].starts_with("City of") {
            assert_eq!(homes.county.as_deref().unwrap_or_default(), row["county"]);
        }
    }
    println!("{} ZIPs, {own} figures of their own", rows.len());
    assert!(own > 90_000);
}
