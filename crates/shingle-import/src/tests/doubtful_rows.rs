//! What `--check` lists for somebody to look at.

use super::files::{Town, counted};
use crate::{ImportJob, Mapping, check};

#[test]
fn a_check_tells_what_an_import_would_and_lists_what_is_doubtful() {
    let town = Town::new();
    let table = town.write(
        "t.csv",
        "A,CITY,S,Z,Y\n6 Oak Ridge Rd 2,Harrow,Ohio ,43099,1950\n8 The Oaks,Harrow,OH,43099,\n10 Elm St,Harrow,Ohoi,43099,1950\n\
         12 Elm St,Harrow,Oiho,43099,1950\n",
    );
    let map = "dataset = \"harrow\"\n[address]\nline = \"A\"\ncity = \"CITY\"\nstate = \"S\"\nzip = \"Z\"\n[assessor]\nyear_built = \"Y\"";
    let mapping = Mapping::from_toml(map, "m.toml").unwrap();
    let report = check(&ImportJob { files: vec![table], mapping: &mapping, into: town.index() }, &mut ()).unwrap();
    assert_eq!(counted(&report.reasons), [("`Ohoi` is not a state, for example".to_owned(), 2)]);
    // Shares are out of all four rows, not of the two that are usable.
    assert_eq!((report.records, report.usable, report.addressed), (4, 2, 2));
    assert_eq!((report.fields[0].known, report.fields[0].blank), (1, 1));
    assert!(
        report.doubtful.iter().any(|d| d.what.contains("unusual") && d.examples == ["The Oaks"]),
        "{:?}",
        report.doubtful
    );
}

#[test]
fn units_that_nothing_announces_are_listed_and_roads_with_a_number_are_not() {
    let town = Town::new();
    let streets = [
        "OAK ST 1",
        "OAK ST",
        "County Road 12",
        "OAK ST Apt 1",
        "OAK ST #1",
        "OAK ST Unit 1",
        "OAK ST B",
        "Oak St No. 4",
    ];
    let numbered = || (10..).step_by(2).zip(streets);
    let in_columns: String = numbered().map(|(n, street)| format!("{n},{street},Harrow,OH,43099\n")).collect();
    let in_lines: String = numbered().map(|(n, street)| format!("\"{n} {street}, Harrow, OH 43099\"\n")).collect();
    let columns =
        ("N,A,C,S,Z\n", "number = \"N\"\nstreet = \"A\"\ncity = \"C\"\nstate = \"S\"\nzip = \"Z\"", in_columns);
    for (heading, map, rows) in [columns, ("A\n", "line = \"A\"", in_lines)] {
        let table = town.write("t.csv", format!("{heading}{rows}"));
        let mapping = Mapping::from_toml(&format!("dataset = \"harrow\"\n[address]\n{map}"), "m.toml").unwrap();
        let report = check(&ImportJob { files: vec![table], mapping: &mapping, into: town.index() }, &mut ()).unwrap();
        let bare = report.doubtful.iter().find(|d| d.what.contains("units without a word"));
        let bare = bare.unwrap_or_else(|| panic!("{map}: {:?}", report.doubtful));
        assert_eq!(bare.examples, ["10 OAK ST 1", "22 OAK ST B"], "{map}");
    }
}
