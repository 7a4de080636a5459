//! Mapping files: the shipped ones are whole, and a mistake is reported with its line.

use super::files::{OUTLINES, TABLE};
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
fn parts_that_do_not_fit_together_are_refused() {
    assert!(
        error(&TABLE.replace("line = \"address\"", "line = \"address\"\nstreet = \"s\"")).contains("either `line`")
    );
    assert!(error(&TABLE.replace("\"test-table\"", "\"../up\"")).contains("a-z"));
    assert!(error(&TABLE.replace("constant = \"OH\"", "constant = \"Ohio\"")).contains("`Ohio`"));
    assert!(error(&OUTLINES.replace("\"eave\"", "\"roof\"")).contains("eave"));
    assert!(error("").contains("dataset"));
}
