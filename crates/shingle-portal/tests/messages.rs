//! Every message that other crates make and the portal shows is in `www/words/told-es.json`, under its format string,
//! and nothing is there that no source says.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod source;

use std::collections::{BTreeMap, BTreeSet};

use source::{Literal, crates, has_words, literals, sources};

/// The files whose words people read in the portal.
const TOLD: &[&str] = &["shingle-store/src/error.rs"];

/// The files of which people read what these calls are given.
const TOLD_BY_CALLS: &[&str] = &[];
const CALLS: &[&str] = &[
    "Err(",
    "Err(format!(",
    "ok_or(",
    "ok_or_else(||format!(",
    "Self::new(",
    "Ok(format!(",
    "Some(meant)=>format!(",
    "None=>format!(",
];

/// Names and joints, the same in every language or put in by the reader of the messages.
const NOT_TOLD: &[&str] = &[
    "HTTP {}",
    "HTTP {}: {short}",
    "HTTPS",
    "SQLite",
    "PostgreSQL",
    "{} {} places",
    "chmod 600 {}",
    // The doctor's in a terminal
    "The configuration cannot be read; nothing else was checked",
    "Some checks failed",
    "The settings cannot be written as JSON: {e}",
    "shingle {version} on {os} {arch}\n\nsettings\n{settings}\n\nchecks\n{}",
    "ok  ",
    "FAIL",
    // What is exchanged with other servers
    "Shingle/{} (+doctor)",
    "CARGO_PKG_VERSION",
    "shingle doctor",
    "RSET\r\n",
    "Mailer",
    "SmtpServer",
    "incomplete response",
    // What files say, and a mapping
    "Feature",
    "Point",
    "Polygon",
    "MultiPolygon",
    "GeometryCollection",
    "WKB",
    "FeatureCollection",
    "MultiPoint",
    "MultiLineString",
    "LineString",
    "EPSG",
    "OGC",
    "EPSG:{code}",
    "quote = \"\"",
    "without a name",
    "PKx03x04",
    "BZh",
    "SQLite format 30",
    "OSMHeader",
    "LFROMHN",
    "LFROMADD",
    "LINEARID",
    "TLID",
    "\nx1aend of filex1a\n",
    "TOWN",
    "STATE",
    "`[address] {name}`",
    "`[assessor] {field}`: {m}",
    "`[layers.outlines] building_use`",
    "`[layers.outlines] parcel`",
    "`[layers.parcels] id`: {m}",
    "`[permit] contractor`",
    "`[permit] issued`: {m}",
    "`[permit] kind`: {m}",
    "`[place] building_use`",
    "`[place] parcel`",
    "[address] zip areas",
    "below average",
    "above average",
    // Messages of the TOML parser, which are reworded
    "unknown field `",
    "unknown variant `",
    "missing field `",
    "invalid date",
    "key with no value, expected `=`",
    "missing assignment between key-value pairs, expected `=`",
    "missing comma between key-value pairs, expected `,`",
    "missing comma between array elements, expected `,`",
    "string values must be quoted, expected literal string",
    "invalid basic string, expected `\"`",
    "invalid literal string, expected `'`",
    "unclosed array, expected `]`",
    "unclosed inline table, expected `}`",
    "unclosed table, expected `]`",
    "duplicate key",
    "invalid type: ",
    "invalid value: ",
    ", expected ",
    "a string",
    "a sequence",
    "a map",
    "a boolean",
    "struct ",
    // Only in the file of rejected rows, and what the reader of CSV says
    "parcel {p}",
    // Of a reference table, whose mistakes are shown in a terminal
    ", line {n}",
    ", column `{name}`",
    "row {row}: {e}",
    "sender address rejected",
    "sender verify failed",
    "sender rejected",
    "authentication required",
    "authenticate first",
    "must issue a starttls",
    "not allowed to send",
    "not permitted to send",
];

fn spanish() -> BTreeMap<String, String> {
    serde_json::from_str(include_str!("../../../www/words/told-es.json")).unwrap()
}

/// Whether people read it: words of English, not of HTML.
fn is_read(literal: &Literal) -> bool {
    let text = literal.text.as_str();
    (text.contains(' ') || text.starts_with(char::is_uppercase))
        && has_words(text)
        && !text.starts_with('<')
        && !NOT_TOLD.contains(&text)
}

#[test]
fn every_message_is_in_spanish_too() {
    let mut spanish = spanish();
    // The pages say what the checks are called.
    let pages: BTreeMap<String, String> =
        serde_json::from_str(include_str!("../../../www/words/portal-es.json")).unwrap();
    spanish.extend(pages);
    let of = |path: &&str| literals(&crates().join(path));
    let called = |literal: &Literal| CALLS.iter().any(|call| literal.before.ends_with(call));
    let by_calls = TOLD_BY_CALLS.iter().flat_map(of).filter(called);
    let told: Vec<_> = TOLD.iter().flat_map(of).chain(by_calls).filter(is_read).collect();
    assert!(told.len() > 30, "only {} messages were found: the source is not read as it was", told.len());
    let missing: Vec<_> = told
        .iter()
        .filter(|literal| !spanish.contains_key(&literal.text))
        .map(|literal| format!("{}: {:?} after {:?}", literal.at, literal.text, literal.before))
        .collect();
    assert!(missing.is_empty(), "{} without Spanish:\n{}", missing.len(), missing.join("\n"));
}

#[test]
fn no_message_is_kept_that_no_source_says() {
    let said: BTreeSet<String> = sources().iter().flat_map(|path| literals(path)).map(|literal| literal.text).collect();
    let idle: Vec<_> = spanish().into_keys().filter(|key| !said.contains(key)).collect();
    assert!(idle.is_empty(), "{} that nobody says:\n{}", idle.len(), idle.join("\n"));
}

#[test]
fn every_place_has_a_name_and_fixed_words_on_each_side() {
    for (english, spanish) in spanish() {
        let names = |text: &str| {
            let mut names: Vec<_> =
                text.split('{').skip(1).map(|rest| rest.split('}').next().unwrap().to_owned()).collect();
            names.sort_unstable();
            names
        };
        assert_eq!(names(&english), names(&spanish), "{english}");
        assert!(!names(&english).iter().any(String::is_empty), "{english} has a place without a name");
        assert!(!english.contains("}{"), "{english}: nobody could say where one value ends");
        assert!(!spanish.trim().is_empty(), "{english}");
    }
}
