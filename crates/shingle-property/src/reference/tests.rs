use super::*;

fn state(letters: &str) -> State {
    State::parse(letters).unwrap()
}

fn area(letters: &str, zip: &str) -> Area {
    Reference::built_in().area(state(letters), &Zip::parse(zip).unwrap())
}

fn states() -> Vec<State> {
    Division::ALL.iter().flat_map(|d| d.states()).map(|s| state(s)).collect()
}

#[test]
fn every_built_in_table_can_be_read_and_says_where_it_is_from() {
    for table in Reference::built_in().tables() {
        let about = &table.about;
        println!("{:20} {} rows, {} placeholders", table.table.as_str(), table.rows, table.placeholders);
        assert!(about.source.len() > 15 && !about.notes.is_empty(), "{table:?}");
        assert!(about.refreshed > jiff::civil::date(2026, 1, 1) && (2013..=2026).contains(&about.year));
        assert_eq!((table.file, table.problem), (None, None));
        assert_eq!(table.rows == 0, table.table == Table::SolarIncentives);
    }
}

#[test]
fn every_state_has_its_figures() {
    assert_eq!(states().len(), 51);
    assert_eq!(Reference::built_in().bills().len(), 51);
    for state in states() {
        // Nowhere: what remains is the state's own.
        let area = Reference::built_in().area(state, &Zip::parse("00000").unwrap());
        assert_eq!(area.division, Division::of(state));
        let prices = area.prices;
        for figure in [
            prices.electricity_per_kwh,
            prices.gas_per_therm,
            prices.propane_per_gallon,
            prices.oil_per_gallon,
            area.electricity_level,
            area.grid.co2e_lb_per_mwh,
            area.grid.us_co2e_lb_per_mwh,
            area.grid.loss,
            area.sun.kwh_per_kw_year,
            area.homes.owner_occupied,
            area.homes.single_family,
            area.homes.median_value,
        ] {
            assert!(figure.is_some_and(|f| f.value > 0.0 && f.scope >= Scope::State), "{state}: {figure:?}");
        }
        assert_eq!(area.sun.adoption_percentile.is_none(), state.as_str() == "AL");
        assert!(area.climate.is_some_and(|c| c.heating_year + c.cooling_year > 2_000.0));
        assert!((area.gas_months.unwrap().iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(area.heating.habits.len() >= 17, "{state}");
        assert_eq!(area.homes.county, None);
    }
}

#[test]
fn what_a_zip_does_not_say_is_taken_from_around_it() {
    // Portland, Maine: its own homes, county, grid and sun.
    let portland = area("ME", "04103");
    assert_eq!(portland.homes.county.as_deref(), Some("Cumberland County"));
    assert_eq!(portland.homes.owner_occupied.map(|f| f.scope), Some(Scope::Zip));
    assert_eq!(portland.grid.co2e_lb_per_mwh.map(|f| (f.value, f.scope)), Some((541.1, Scope::Zip)));
    // Nobody lives in a ZIP of post boxes: the state's homes, the sun next door.
    let boxes = area("ME", "04104");
    assert_eq!(boxes.homes.county.as_deref(), Some("Cumberland County"));
    assert_eq!(boxes.homes.owner_occupied.map(|f| f.scope), Some(Scope::State));
    assert_eq!(boxes.sun.kwh_per_kw_year.map(|f| f.scope), Some(Scope::Nearby));
    // A ZIP listed under another state is still that ZIP, but its county is the other state's.
    let border = area("NH", "04103");
    assert_eq!((border.homes.county, border.homes.owner_occupied), (None, portland.homes.owner_occupied));
    // Puerto Rico has ZIPs and sun, but no state's figures; what is no place has nothing.
    let ponce = area("PR", "00730");
    assert_eq!(ponce.sun.kwh_per_kw_year.map(|f| f.scope), Some(Scope::Zip));
    assert_eq!((ponce.division, ponce.climate, ponce.prices.electricity_per_kwh), (None, None, None));
    assert_eq!(area("ZZ", "00000"), Area::default());
}
