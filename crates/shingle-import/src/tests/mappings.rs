//! Mapping files: the shipped ones are whole, and a mistake is reported with its line.

use shingle_domain::evidence::RoofType;

use super::files::{OUTLINES, TABLE, Town};
use crate::Mapping;

fn error(toml: &str) -> String {
    Mapping::from_toml(toml, "maps/test.toml").unwrap_err().to_string()
}

#[test]
fn an_unknown_key_is_told_with_its_line() {
    for (from, to) in [
        ("as_of", "as_off"),
        ("outline_kind = \"eave\"", "outline_knd = \"eave\""),
        ("building_use", "use"),
        ("number = ", "housenumber = "),
        ("{ constant = \"OH\" }", "{ constnt = \"OH\" }"),
    ] {
        let toml = OUTLINES.replacen(from, to, 1);
        let line = 1 + OUTLINES[..OUTLINES.find(from).unwrap()].lines().count().max(1);
        let message = error(&toml);
        let key = to.trim_start_matches("{ ").split(' ').next().unwrap();
        assert!(message.starts_with("maps/test.toml:") && message.contains(key), "{message}");
        assert!(
            message.contains(&format!("line {}", line)) || message.contains(&format!("line {}", line - 1)),
            "{line}: {message}"
        );
    }
    let message = error(&TABLE.replace("year_built", "year_buildt"));
    assert!(
        message.contains("year_buildt") && message.contains("year_built") && message.contains("line 16"),
        "{message}"
    );
}

#[test]
fn a_code_must_mean_a_word_of_its_field() {
    assert!(error(&TABLE.replace("GB = \"gable\"", "GB = \"gabel\"")).contains("`gabel`"));
    assert!(error(&TABLE.replace("H = true", "H = \"yes\"")).contains("true or false"));
    assert!(
        error(&TABLE.replace("year_built = \"year\"", "year_built = { column = \"year\", codes = { a = \"b\" } }"))
            .contains("a code means a number; `b` does not")
    );
}

#[test]
fn codes_add_to_what_a_field_understands() {
    let town = Town::new();
    let file = town.write(
        "t.csv",
        "id,address,zip,owner,year,area,price,sold,home,roof\n1,1 Elm Ln,43099,,,,,,Y,Gable\n2,2 Elm Ln,43099,,,,,,H,GB\n\
         3,3 Elm Ln,43099,,,,,,?,odd\n",
    );
    let report = town.import(TABLE, &[&file]).unwrap();
    let of = |field: &str| report.coverage.iter().find(|c| c.0 == field).map_or(0, |c| c.1);
    assert_eq!((of("roof_type"), of("residential_exemption"), report.unread.len()), (2, 2, 2), "{report:#?}");
    // `otherwise` is for what neither the codes nor the field understand.
    let map = TABLE.replace("HP = \"hip\" }", "HP = \"hip\" }, otherwise = \"flat\"");
    town.import(&map, &[&file]).unwrap();
    let roof = |n: u32| town.find(&format!("{n} Elm Ln, Harrow, OH 43099")).unwrap().assessor.roof_type.unwrap().value;
    assert_eq!([1, 2, 3].map(roof), [RoofType::Gable, RoofType::Gable, RoofType::Flat]);
}

#[test]
fn parts_that_do_not_fit_together_are_refused() {
    assert!(
        error(&TABLE.replace("line = \"address\"", "line = \"address\"\nstreet = \"s\"")).contains("either `line`")
    );
    assert!(error(&TABLE.replace("\"test-table\"", "\"../up\"")).contains("a-z"));
    assert!(error(&TABLE.replace("constant = \"OH\"", "constant = \"Oiho\"")).contains("`Oiho`"));
    assert!(error(&OUTLINES.replace("\"eave\"", "\"roof\"")).contains("eave"));
    assert!(error("").contains("dataset"));
}
