//! Every data set is asked for some of its own rows as people write them.

use super::files::*;
use super::towns::shared;
use crate::{CheckReport, ImportJob, Mapping, check};

const MAP: &str = r#"
dataset = "t"
[place]
parcel = "PIN"
[address]
number = "NUM"
street = "STREET"
unit = "UNIT"
city = "CITY"
state = { constant = "OH" }
zip = "ZIP"
[assessor]
year_built = "YR"
"#;
const STREETS: [&str; 6] = ["ALDER CT", "W BIRCH AVE", "CEDAR ST", "OLD MILL RD", "N ELM BLVD", "FIR LN"];

fn checked(town: &Town, rows: &str) -> CheckReport {
    let file = town.write("t.csv", format!("PIN,NUM,STREET,UNIT,CITY,ZIP,YR\n{rows}"));
    let mapping = Mapping::from_toml(MAP, "m.toml").unwrap();
    let job = ImportJob { files: vec![file], mapping: &mapping, into: town.index() };
    let found = check(&job, &mut ()).unwrap();
    assert!(!town.index().exists(), "a check writes nothing");
    found
}

fn table(street: impl Fn(usize) -> String) -> String {
    (0..300).map(|n| format!("P{n},{},{},,HARROW,43099,1950\n", 10 + 2 * n, street(n))).collect()
}

#[test]
fn a_sound_table_is_found_whole_by_check_and_import() {
    let sound = table(|n| STREETS[n % 6].to_owned());
    let units: String = (0..60).map(|n| format!("T{n},14,TOWER RD,{},HARROW,43099,1950\n", 101 + n)).collect();
    let rows = format!("{sound}{units}");
    let town = Town::new();
    let found = checked(&town, &rows).own_rows.unwrap();
    assert_eq!((found.asked, found.found, found.percent()), (200, 200, 100.0), "{found:?}");
    let report = town.import(MAP, &[&town.path("t.csv")]).unwrap();
    assert_eq!(report.own_rows.map(|own| (own.asked, own.found)), Some((200, 200)));
    let few = checked(&Town::new(), "P1,12,ALDER CT,,HARROW,43099,1950\n").own_rows.unwrap();
    assert_eq!((few.asked, few.found), (1, 1));
}

#[test]
fn what_people_do_not_find_is_counted_and_named() {
    for (street, what) in [
        (&(|n: usize| format!("{} WILLOW OH", STREETS[n % 6])) as &dyn Fn(usize) -> String, "another town"),
        (&|n| format!("{} WILLOW OHIO", STREETS[n % 6]), "another town, the state in full"),
        (&|n| format!("{} OLD WILLOW TN", STREETS[n % 6]), "another state"),
        (&|n| format!("\"{}, WILLOW, OH\"", STREETS[n % 6]), "another town behind a comma"),
    ] {
        let town = Town::new();
        let found = checked(&town, &table(street));
        let own = found.own_rows.clone().unwrap();
        assert!(!own.is_enough(crate::LEAST_FOUND_PERCENT), "{what}: {own:?}");
        assert_eq!(own.missed.len(), 3, "{what}");
        let told = found.findings.iter().find(|t| t.to_string().contains("not found: ")).unwrap();
        assert!(told.to_string().contains(&own.missed[2]), "{told}");
        let report = town.import(MAP, &[&town.path("t.csv")]).unwrap();
        assert!(!report.own_rows.unwrap().is_enough(crate::LEAST_FOUND_PERCENT), "{what}");
    }
}

#[test]
fn a_street_that_goes_on_with_town_and_zip_is_found() {
    for tail in [
        " HARROW OH 43099",
        " HARROW OHIO",
        " HARROW",
        " 43099-1234",
        " Harrow Oh 43098",
        "\tHARROW\tOH\t43099",
        "  HARROW  OH  43099  ",
        " HARROW, OH.",
    ] {
        let town = Town::new();
        let rows = table(|n| format!("\"{}{tail}\"", STREETS[n % 6]));
        let own = checked(&town, &rows).own_rows.unwrap();
        assert_eq!((own.asked, own.found), (200, 200), "{tail}: {own:?}");
        town.import(MAP, &[&town.path("t.csv")]).unwrap();
        assert_eq!(town.find("10 Alder Ct, Harrow, OH 43099").unwrap().address.street_address, "Alder Ct", "{tail}");
        // Number and street in one column, which a mapping may call the street.
        let rows: String =
            (0..60).map(|n| format!("P{n},\"{} {}{tail}\",,HARROW,43099,1950\n", 10 + 2 * n, STREETS[n % 6])).collect();
        let file = town.write("one.csv", format!("PIN,STREET,UNIT,CITY,ZIP,YR\n{rows}"));
        let report = town.import(&MAP.replace("number = \"NUM\"\n", ""), &[&file]).unwrap();
        assert_eq!(report.own_rows.map(|own| (own.asked, own.found)), Some((60, 60)), "{tail}");
        assert!(town.find("12 W Birch Ave, Harrow, OH 43099").is_some(), "{tail}");
    }
}

#[test]
fn two_parcels_with_one_address_and_other_figures_are_counted() {
    for (rows, merged) in [
        ("P1,12,ALDER CT,,HARROW,43099,1950\nP2,12,ALDER CT,,HARROW,43099,1960\n", 1),
        ("P1,12,ALDER CT,,HARROW,43099,1950\nP2,12,Alder Ct,,Harrow,43099,1960\n", 1),
        (
            "P1,12,ALDER CT,1,HARROW,43099,1950\nP2,12,ALDER CT,1,HARROW,43099,1960\nP3,12,ALDER CT,1,HARROW,43099,1970\n",
            2,
        ),
        ("P1,12,ALDER CT,,HARROW,43099,1950\nP2,12,ALDER CT,,HARROW,43099,1950\n", 0),
        ("P1,12,ALDER CT,,HARROW,43099,1950\nP1,12,ALDER CT,,HARROW,43099,1960\n", 0),
        ("P1,12,ALDER CT,1,HARROW,43099,1950\nP2,12,ALDER CT,2,HARROW,43099,1960\n", 0),
        ("P1,12,ALDER CT,,HARROW,43099,1950\nP2,14,ALDER CT,,HARROW,43099,1960\n", 0),
        ("P1,12,ALDER CT,,HARROW,43099,1950\nP2,12,ALDER CT,,HARROW,43098,1960\n", 0),
        (",12,ALDER CT,,HARROW,43099,1950\n,12,ALDER CT,,HARROW,43099,1960\n", 0),
        ("P1,12,N ALDER CT,,HARROW,43099,1950\nP2,12,ALDER CT,,HARROW,43099,1960\n", 0),
    ] {
        let found = checked(&Town::new(), rows);
        let told: Vec<_> = found.findings.iter().filter(|t| t.to_string().contains("another parcel's row")).collect();
        let told: Vec<String> = told.iter().map(ToString::to_string).collect();
        assert_eq!(told.is_empty(), merged == 0, "{rows}");
        assert!(told.iter().all(|t| t.starts_with(&format!("{merged} row")) && t.contains("12 Alder Ct")), "{told:?}");
    }
}

#[test]
fn towns_at_hand_are_found_whole() {
    let maps = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/maps");
    for (map, file) in [
        ("cambridge-ma.toml", "assessor/cambridge_ma_fy2025_property.csv"),
        ("openaddresses.toml", "national/openaddresses_santa_clara_ca.csv"),
        ("openstreetmap.toml", "national/osm_james_city_county_va.osm"),
    ] {
        let Some(file) = shared(file) else { return };
        let mapping = Mapping::read(&maps.join(map)).unwrap();
        let job = ImportJob { files: vec![file], mapping: &mapping, into: Town::new().index() };
        let own = check(&job, &mut ()).unwrap().own_rows.unwrap();
        assert!(own.asked >= 200 && own.percent() >= 99.0, "{map}: {own:?}");
    }
}
