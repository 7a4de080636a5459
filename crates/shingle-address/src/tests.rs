use proptest::prelude::*;
use shingle_testing::shared;

use shingle_domain::{Address, State, Zip};

use crate::*;

fn line(text: &str) -> Normalized {
    parse_line(text).normalized
}

/// The key of a line without a ZIP.
fn key(text: &str) -> String {
    line(text).key_in("")
}

/// Whether two ways of writing a street are one.
#[track_caller]
fn same(a: &str, b: &str) {
    assert_eq!(key(&format!("12 {a}")), key(&format!("12 {b}")), "{a} / {b}");
}

#[track_caller]
fn other(a: &str, b: &str) {
    assert_ne!(key(&format!("12 {a}")), key(&format!("12 {b}")), "{a} / {b}");
}

#[test]
fn a_line_with_everything_is_read() {
    let n = line("14 Alder Ct, Portland, ME 04103");
    assert_eq!(n.key(), "14||ALDER|CT|||04103");
    assert_eq!((n.city.as_str(), n.state), ("PORTLAND", State::parse("ME")));
}

#[test]
fn town_state_and_zip_may_be_missing() {
    assert_eq!(key("14 Alder Ct"), "14||ALDER|CT|||");
    assert_eq!(line("14 Alder Ct, Portland").city, "PORTLAND");
    assert_eq!(line("14 Alder Ct 04103").key(), "14||ALDER|CT|||04103", "Ct is not Connecticut in Maine");
    assert_eq!(line("14 Alder Ct Portland ME").city, "PORTLAND");
    assert_eq!(line("14 Alder Ln Hartford CT 06103").key(), "14||ALDER|LN|||06103");
    assert_eq!(line("14 Alder, Portland, ME 04103-1234").zip, Zip::parse("04103"));
}

#[test]
fn a_line_keeps_what_was_typed_beside_the_normal_form() {
    let parsed = parse_line("14 Alder ct. #2, South Portland, Maine 04103");
    let address = parsed.address().unwrap();
    assert_eq!(address.street_number, "14");
    assert_eq!(address.street_address, "Alder ct # 2");
    assert_eq!(address.city, "South Portland");
    assert_eq!(address.state.as_str(), "ME");
    assert_eq!(parsed.normalized, Normalized::from_parts(&address));
}

#[test]
fn spelled_and_short_forms_are_one_street() {
    same("Alder Court", "ALDER CT.");
    same("North Elm Street", "n. elm st");
    same("Elm Street Northwest", "Elm St N.W.");
    same("Fifth Avenue", "5th Ave");
    same("Twenty-First Street", "21st St");
    same("Saint Clair Avenue", "St. Clair Ave");
    same("Mount Vernon Road", "Mt Vernon Rd");
    same("Fort Hamilton Parkway", "Ft Hamilton Pkwy");
    same("County Road 12", "CR 12");
    same("County Rd 12", "Co Rd 12");
    same("US Highway 1", "U.S. Hwy 1");
    same("State Route 66", "SR-66");
    same("Calle Avenue Road", "Calle Ave Rd");
    same("Goose Point Lane", "Goose Pt Ln");
    same("O'Neil Road", "ONeil Rd");
    same("Peña Street", "Pena St");
}

#[test]
fn a_direction_that_is_the_name_stays_the_name() {
    let n = line("12 North Ave");
    assert_eq!((n.predir.as_str(), n.name.as_str(), n.suffix.as_str()), ("", "NORTH", "AVE"));
    let n = line("12 W North Ave");
    assert_eq!((n.predir.as_str(), n.name.as_str()), ("W", "NORTH"));
    let n = line("12 E St NW");
    assert_eq!((n.name.as_str(), n.postdir.as_str()), ("E", "NW"));
    other("E St", "East St");
    other("North Elm St", "South Elm St");
    other("Alder Ct", "Alder St");
}

#[test]
fn units_that_only_say_unit_are_one() {
    let unit = |text: &str| line(text).unit;
    assert_eq!(unit("12 Elm St Apt 3"), "3");
    assert_eq!(unit("12 Elm St, Unit 3, Portland, ME"), "3");
    assert_eq!(unit("12 Elm St # 3"), "3");
    assert_eq!(unit("12 Elm St #3"), "3");
    assert_eq!(unit("12 Elm St 3rd Floor"), "FL 3");
    assert_eq!(unit("12 Elm St Fl 3"), "FL 3");
    assert_eq!(unit("12 Elm St Rear"), "REAR");
    assert_eq!((unit("12 Elm St Unit Back").as_str(), unit("12 Elm St, Back").as_str()), ("REAR", "REAR"));
    assert_eq!(unit("12 Back Bay Rd"), "");
    assert_eq!(unit("12 Back Rd"), "");
    assert_eq!(unit("12 Front St"), "", "a street may be called as a part of a house");
    assert_eq!(line("12 Front St").name, "FRONT");
}

#[test]
fn house_numbers_keep_their_letters_fractions_and_ranges() {
    let number = |text: &str| line(text).number;
    assert_eq!(number("24R Elm St"), "24R");
    assert_eq!(number("123-1/2 Elm St"), "123 1/2");
    assert_eq!(number("123 1/2 Elm St"), "123 1/2");
    assert_eq!(number("112-10 Elm St"), "112-10");
    assert_eq!(number("4 - 6 Elm St"), "4-6");
    assert_eq!(number("4–6 Elm St"), "4-6");
    assert_eq!(number("N6W23001 Elm St"), "N6W23001");
    assert_eq!(number("0014 Elm St"), "14");
    assert_eq!(number_span("4-6"), Some((4, 6)));
    assert_eq!(number_span("112-10"), Some((112, 112)));
    assert_eq!(number_span("4-7"), Some((4, 4)), "both sides of a street are no range");
    assert_eq!(number_span("99999999999999999999"), None);
}

#[test]
fn an_unknown_zip_gives_way_to_the_town() {
    let mut address = parse_line("14 Alder Ct, St Cloud, MN 00000").address().unwrap();
    assert_eq!(Normalized::from_parts(&address).key(), "14||ALDER|CT|||SAINT CLOUD");
    assert_eq!(parse_line("14 Alder Ct, St Cloud, MN 00000").normalized.zip, None, "in a question as in a table");
    address.zip = Zip::parse("56301").unwrap();
    assert_eq!(Normalized::from_parts(&address).key(), "14||ALDER|CT|||56301");
}

#[test]
fn a_line_without_a_street_is_a_town_and_a_recipient_is_none() {
    let read = |text: &str| {
        let n = parse_line(text).normalized;
        format!("{}|{}|{}|{}", n.number, n.name, n.unit, n.city)
    };
    for (text, wanted) in [
        ("Bethel, AK 99559", "|||BETHEL"),
        ("New Iberia, LA 70560", "|||NEW IBERIA"),
        ("Salt Lake City, UT", "|||SALT LAKE CITY"),
        // A suffix or a number begins a street, and so does a second comma.
        ("Alder Court, ME 04103", "|ALDER||"),
        ("Main, Ashland, NH 03217", "|MAIN||ASHLAND"),
        ("14 Alder, ME 04103", "14|ALDER||"),
        ("271 spring st nw attn: claims", "271|SPRING||"),
        ("14 Alder Ct Attn Jane Roe, Portland, ME", "14|ALDER||PORTLAND"),
        ("14 Alder Ct, c/o Jane Roe, Portland, ME", "14|ALDER||PORTLAND"),
        ("14 Attention Ln, Portland, ME", "14|ATTENTION||PORTLAND"),
        ("14 N Attention Ln, Portland, ME", "14|ATTENTION||PORTLAND"),
        ("14 Alder Ct, Attention Jane Roe, Portland, ME", "14|ALDER||PORTLAND"),
    ] {
        assert_eq!(read(text), wanted, "{text}");
    }
}

#[test]
fn the_hash_of_a_key_never_changes() {
    // Written down once: indexes on disk rely on it.
    assert_eq!(line("14 Alder Ct, Portland, ME 04103").hash(), HASH_OF_14_ALDER_CT);
}

const HASH_OF_14_ALDER_CT: u64 = 6_874_430_582_514_211_940;

proptest! {
    #[test]
    fn any_text_is_read_without_panic(text: String) {
        let parsed = parse_line(&text);
        let _ = parsed.normalized.key();
        if let Some(address) = parsed.address() {
            let _ = Normalized::from_parts(&address);
        }
    }

    #[test]
    fn anything_that_looks_like_an_address_is_read(
        words in proptest::collection::vec(
            "(N|SE|EAST|ST|AVE|APT|FL|#|HWY|CO|US|RD|14|14A|1/2|5TH|FIFTH|TWENTY|ME|CT|NEW|YORK|04103|,|-|Alder|PO|BOX|é)", 0..12,
        ),
    ) {
        let parsed = parse_line(&words.join(" "));
        let _ = parsed.normalized.hash();
    }

    #[test]
    fn the_five_parts_and_the_line_agree(
        number in 1u32..9_999,
        name in "(Alder|Drum Point|Saint Clair|Fifth|Barn Swallow|North|Old Mill)",
        suffix in "(Street|St|Ct|Court|Avenue|Lane|Blvd|Cres)",
        city in "(Portland|South Portland|St Cloud|New Haven|Fort Kent)",
    ) {
        let address = Address {
            street_number: number.to_string(),
            street_address: format!("{name} {suffix}"),
            city,
            state: State::parse("ME").unwrap(),
            zip: Zip::parse("04103").unwrap(),
        };
        prop_assert_eq!(parse_line(&address.to_string()).normalized, Normalized::from_parts(&address));
    }
}

#[test]
fn labelled_lines_are_read_as_labelled() {
    let Some(path) = shared("data/address/cases.csv") else { return };
    let found = labelled::agreement(&labelled::read(&path).unwrap());
    let (right, all) = found.total();
    println!("{} of {} lines right; {right} of {all} components", found.lines_right, found.lines);
    for (name, (right, all)) in labelled::COMPONENTS.iter().zip(found.components) {
        println!("{name}: {right} of {all}");
    }
    for miss in &found.misses {
        println!("{miss:?}");
    }
    assert!(all > 1_500 && right * 100 >= all * 95, "{right} of {all} components are read as labelled");
}

/// The distinct texts of one column of a dBASE table.
fn dbf_column(path: &std::path::Path, column: &str) -> Vec<String> {
    let data = std::fs::read(path).unwrap();
    let u16_at = |at: usize| usize::from(u16::from_le_bytes([data[at], data[at + 1]]));
    let (header, record) = (u16_at(8), u16_at(10));
    let mut offset = 1;
    let mut field = 32;
    while data[field] != 13 {
        let name: String = data[field..field + 11].iter().take_while(|b| **b != 0).map(|b| char::from(*b)).collect();
        let len = usize::from(data[field + 16]);
        if name == column {
            let texts = data[header..]
                .chunks_exact(record)
                .map(|r| r[offset..offset + len].iter().map(|b| char::from(*b)).collect::<String>().trim().to_owned());
            let mut texts: Vec<String> = texts.collect();
            texts.sort_unstable();
            texts.dedup();
            return texts;
        }
        offset += len;
        field += 32;
    }
    Vec::new()
}

#[test]
fn every_street_of_a_real_town_is_one_spelled_or_short() {
    let mut streets = Vec::new();
    for chunk in [1, 2, 4] {
        let Some(path) = shared(&format!("data/footprints/chesapeake_va_{chunk}.dbf")) else { return };
        streets.extend(dbf_column(&path, "street_nm"));
    }
    streets.retain(|s| !s.is_empty());
    streets.sort_unstable();
    streets.dedup();
    assert!(streets.len() > 200, "{} streets", streets.len());
    let mut keys = std::collections::HashSet::new();
    // Where the town begins cannot always be seen (`Goose Creek Flyway Chesapeake`).
    let mut without_commas = Vec::new();
    for street in &streets {
        let mut words: Vec<&str> = street.split(' ').collect();
        let count = words.len();
        for (at, word) in words.iter_mut().enumerate() {
            // As an envelope has it: the direction in front, suffix and direction at the end.
            if let Some((short, _)) = tables::direction(word).filter(|_| count > 2 && (at == 0 || at + 1 == count)) {
                *word = short;
            } else if let Some(found) = tables::suffix(word).filter(|_| at + 2 >= count && at > 0) {
                *word = found.short;
            }
        }
        let short = words.join(" ");
        same(street, &short);
        same(street, &short.to_lowercase());
        let full = format!("2421 {short} Chesapeake VA 23321");
        if line(&full) != line(&format!("2421 {street}, Chesapeake, VA 23321")) {
            without_commas.push(full);
        }
        keys.insert(key(&format!("12 {street}")));
    }
    println!("{} streets, {} keys; misread without commas: {without_commas:?}", streets.len(), keys.len());
    assert!(without_commas.len() * 50 <= streets.len(), "{without_commas:?}");
    assert!(streets.len() - keys.len() <= 1, "only the two spellings of one harbour are one");
}
