mod loading;
mod published;

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
    // Puerto Rico has ZIPs and sun, but no state's figures; anything else has nothing.
    let ponce = area("PR", "00730");
    assert_eq!(ponce.sun.kwh_per_kw_year.map(|f| f.scope), Some(Scope::Zip));
    assert_eq!((ponce.division, ponce.climate, ponce.prices.electricity_per_kwh), (None, None, None));
    assert_eq!(area("ZZ", "00000"), Area::default());
}

#[test]
fn no_table_has_a_column_about_people() {
    let people = [
        "race",
        "ethnic",
        "white",
        "black",
        "asian",
        "hispanic",
        "latino",
        "native",
        "age",
        "sex",
        "gender",
        "income",
        "poverty",
        "wage",
        "family_size",
        "child",
        "married",
        "marital",
        "school",
        "education",
        "college",
        "degree",
        "language",
        "citizen",
        "birth",
        "veteran",
        "disab",
        "relig",
        "church",
        "crime",
        "party",
        "vote",
        "population",
        "name",
        "owner_name",
    ];
    let homes = ["single_family", "owner_occupied", "owner_households"];
    for table in Table::ALL {
        let excerpt = Reference::built_in().excerpt(table, None).unwrap();
        assert!(excerpt.columns.len() >= 2, "{table:?}");
        for column in &excerpt.columns {
            let words: Vec<_> = column.split('_').collect();
            let speaks = |p: &str| words.iter().any(|w| w.starts_with(p)) || column.starts_with(p);
            assert!(!people.iter().any(|p| speaks(p)) || homes.contains(&column.as_str()), "{table:?}: {column}");
        }
    }
    // And what is not a column of the table is refused: nobody can load one either.
    let text = Reference::built_in().text(Table::ZipAreas).unwrap();
    let more = text.lines().map(|l| if l.starts_with('#') { format!("{l}\n") } else { format!("{l},1\n") });
    let more = more.collect::<String>().replacen("subregion,1", "subregion,median_income", 1);
    let refused = Reference::check(Table::ZipAreas, &more, Path::new("x.csv")).unwrap_err().to_string();
    assert!(refused.contains("column `median_income`: this table has no such column"), "{refused}");
}

#[test]
fn a_table_past_its_date_is_due() {
    let info = Reference::built_in().info(Table::EnergyPrices);
    let at = |text: &str| Timestamp::parse_iso(text).unwrap();
    assert!(!info.is_due(at("2027-04-30T12:00:00Z")));
    assert!(info.is_due(at("2027-05-01T00:00:00Z")));
}

#[test]
fn the_rows_of_a_place_are_shown_as_they_are_written() {
    let reference = Reference::built_in();
    let rows = |table, wanted| reference.excerpt(table, Some(wanted)).unwrap().rows;
    let zip = Wanted::Zip(Zip::parse("04103").unwrap());
    let maine = Wanted::State(state("ME"));
    assert_eq!(rows(Table::ZipAreas, zip).len(), 1);
    assert_eq!(rows(Table::GridEmissions, zip)[0][0], "NEWE");
    assert_eq!(rows(Table::GridEmissions, maine)[0][0], "ME");
    assert_eq!(rows(Table::EnergyPrices, zip), rows(Table::EnergyPrices, maine));
    assert_eq!(rows(Table::HeatingHabits, maine).len(), 18);
    assert!(rows(Table::ZipAreas, maine).len() > 400);
    assert_eq!(rows(Table::RoofPrices, zip).len(), 6);
    assert!(rows(Table::SolarYield, Wanted::Zip(Zip::parse("00000").unwrap())).is_empty());
}

#[test]
fn warming_reads_what_a_look_up_would_have_to() {
    let folder = tempfile::tempdir().unwrap();
    let reference = Reference::open(folder.path()).unwrap();
    assert!(reference.sites.get().is_none());
    reference.warm();
    assert!(reference.sites.get().is_some(), "the sites are the last thing to be read");
}
