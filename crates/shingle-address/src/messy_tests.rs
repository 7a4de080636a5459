//! What people write beside an address, and in what forms: each line once as it comes and once as it is read.

use crate::{parse_line, tables};

/// Number, street, unit, town.
#[track_caller]
fn reads(line: &str, parts: [&str; 4]) {
    let n = parse_line(line).normalized;
    let street = [n.predir, n.name, n.suffix, n.postdir];
    let street = street.into_iter().filter(|p| !p.is_empty()).collect::<Vec<_>>().join(" ");
    assert_eq!([n.number, street, n.unit, n.city], parts, "{line}");
}

#[test]
fn units_in_the_plural_and_in_words() {
    reads("14 Alder Ct Suites 100-200, Harrow, NH", ["14", "ALDER CT", "100-200", "HARROW"]);
    reads("14 Alder Ct, Suite A and B, Harrow, NH", ["14", "ALDER CT", "A AND B", "HARROW"]);
    reads("14 Alder Ct Ste. E&F Harrow NH", ["14", "ALDER CT", "E AND F", "HARROW"]);
    reads("14 Alder Ct Suite One Harrow NH", ["14", "ALDER CT", "1", "HARROW"]);
    reads("14 Alder Ct Building Two Harrow NH", ["14", "ALDER CT", "BLDG 2", "HARROW"]);
    reads("14 Alder Ct 1st Flr Rear Harrow NH", ["14", "ALDER CT", "FL 1 REAR", "HARROW"]);
    reads("14 Alder Ct Lwr Harrow NH", ["14", "ALDER CT", "LOWR", "HARROW"]);
    reads("14 Alder Ct Unit Upper Harrow NH", ["14", "ALDER CT", "UPPR", "HARROW"]);
    // A town may begin so.
    reads("14 Alder Ct Upper Harrow NH", ["14", "ALDER CT", "", "UPPER HARROW"]);
    reads("14 Nine Oaks Rd, Harrow, NH", ["14", "NINE OAKS RD", "", "HARROW"]);
}

#[test]
fn units_that_nothing_or_something_unusual_announces() {
    reads("14 Alder Ct, Bay 3, Harrow, NH", ["14", "ALDER CT", "BAY 3", "HARROW"]);
    reads("14 Alder Ct, Hut 7, Harrow, NH", ["14", "ALDER CT", "HUT 7", "HARROW"]);
    reads("14 Alder Ct, Mail Stop 45, Harrow, NH", ["14", "ALDER CT", "MAIL STOP 45", "HARROW"]);
    reads("14 Alder Ct, C4-12, Harrow, NH", ["14", "ALDER CT", "C4 12", "HARROW"]);
    reads("14 W Northfield 3 E", ["14", "W NORTHFIELD", "3E", ""]);
    reads("14 Alder Ct, NE 3 SW", ["14", "ALDER CT NE", "3SW", ""]);
    reads("14 Alder Ct SW B Harrow NH", ["14", "ALDER CT SW", "B", "HARROW"]);
    reads("14 Alder Ct Unit K, L Harrow NH", ["14", "ALDER CT", "K L", "HARROW"]);
    // The number of the unit was forgotten.
    reads("14 Alder Ct Apt Harrow NH", ["14", "ALDER CT", "", "HARROW"]);
    // Towns and roads keep theirs.
    reads("14 Alder Ct O Fallon MO", ["14", "ALDER CT", "", "O FALLON"]);
    reads("14 Alder Ct E Harrow NH", ["14", "ALDER CT E", "", "HARROW"]);
    reads("14 W 1250 S, Harrow, UT", ["14", "W 1250 S", "", "HARROW"]);
    reads("14 County 12 E, Harrow, NH", ["14", "COUNTY 12 E", "", "HARROW"]);
}

#[test]
fn what_stands_between_the_street_and_its_town() {
    reads("14 Alder Rd Rm 6 Fenwick Bldg Harrow NH", ["14", "ALDER RD", "6", "HARROW"]);
    reads("14 Alder Rd Suite 6 Claims Division Harrow NH", ["14", "ALDER RD", "6", "HARROW"]);
    reads("14 Alder Rd NE Garner Place Ste 16, Harrow, NH", ["14", "ALDER RD NE", "16", "HARROW"]);
    reads("14 Alder Rd North Tower Suite 6 Harrow NH", ["14", "ALDER RD", "NORTH TOWER 6", "HARROW"]);
    reads("14 Alder Rd Suite 6 NW Harrow", ["14", "ALDER RD NW", "6", "HARROW"]);
    reads("14 Alder Rd Attn Jane Roe South Harrow NH 03601", ["14", "ALDER RD", "", "SOUTH HARROW"]);
    reads("14 Alder Rd, Harrow, Grafton County, NH", ["14", "ALDER RD", "", "HARROW"]);
    reads("14 Alder Rd NE Fenwick Tower Ste 16", ["14", "ALDER RD NE", "16", ""]);
    reads("14 Alder Rd NE Tower Garner Ste 16", ["14", "ALDER RD NE", "16", ""]);
    reads("14 Alder Rd, Fenwick Tower, Ste 16", ["14", "ALDER RD", "16", ""]);
    // A town may precede the unit.
    reads("14 Alder Rd, Harrow, Ste 16", ["14", "ALDER RD", "16", "HARROW"]);
    // Without a region nobody can say where the name ends.
    reads("14 Alder Rd Attn Jane Roe", ["14", "ALDER RD", "", ""]);
}

#[test]
fn a_building_with_a_number_of_its_own_is_not_the_address() {
    reads("2 Fenwick Center 14 Alder Rd, Harrow, NH", ["14", "ALDER RD", "", "HARROW"]);
    reads("2 Fenwick Plaza, Suite 6, 14 Alder Rd, Harrow, NH", ["14", "ALDER RD", "6", "HARROW"]);
    reads("3 Brothers Pizza, 14 Alder Rd, Harrow, NH", ["14", "ALDER RD", "", "HARROW"]);
    reads("Fenwick Tower 5th Floor 14 Alder Rd Harrow NH", ["14", "ALDER RD", "FL 5", "HARROW"]);
    reads("Attn Claims 3 Fl 14-16 Alder Square Harrow NH", ["14-16", "ALDER SQ", "FL 3", "HARROW"]);
    reads("Dept FN-12 14 South Alder Rd, Harrow, NH", ["14", "S ALDER RD", "DEPT FN12", "HARROW"]);
    reads("Fenwick Mills One Fenwick Place Harrow NH", ["1", "FENWICK PL", "", "HARROW"]);
    reads("2 Fenwick Station 14 Alder Rd, Harrow, NH", ["14", "ALDER RD", "", "HARROW"]);
    reads("14 Alder Rd NE 400 Fenwick Square, # 6", ["14", "ALDER RD NE", "6", ""]);
    // Without another street it is the address itself.
    reads("2 Fenwick Plaza, Suite 6, Harrow, NH", ["2", "FENWICK PLZ", "6", "HARROW"]);
}

#[test]
fn a_town_of_another_country_is_no_unit() {
    reads("14 Alder St W  Harrow ON K0V 0N0", ["14", "ALDER ST W", "", "HARROW ON K0V 0N0"]);
    reads("14 Alder St, Harrow K0V 0N0", ["14", "ALDER ST", "", "HARROW K0V 0N0"]);
    reads("14 Alder Rd Suite 6 Harrow ON K0V 0N0", ["14", "ALDER RD", "6", "HARROW ON K0V 0N0"]);
    reads("14 Alder Place  Harrow NSW 2099", ["14", "ALDER PL", "", "HARROW NSW 2099"]);
    reads("14 Alder Place, Harrow 2099", ["14", "ALDER PL", "", "HARROW 2099"]);
    // Units of a kind that no list knows stay units.
    reads("14 Alder Place, Hut 7", ["14", "ALDER PL", "HUT 7", ""]);
    reads("14 Alder Place Client Code 2099 Harrow NH", ["14", "ALDER PL", "CLIENT CODE 2099", "HARROW"]);
}

#[test]
fn a_department_is_no_house() {
    reads("Dept FN 14210 Harrow NH 03601", ["", "", "DEPT FN14210", "HARROW"]);
    reads("Department # 14210, Harrow, NH 03601", ["", "", "DEPT 14210", "HARROW"]);
    reads("Dept FN 142 PO Box 55 Harrow NH 03601", ["", "PO BOX 55", "DEPT FN142", "HARROW"]);
    reads("Dept FN 142 14 Alder Rd Harrow NH 03601", ["14", "ALDER RD", "DEPT FN142", "HARROW"]);
    reads("Fenwick Bank 1400 1400 Alder Dr Harrow NH 03601", ["1400", "ALDER DR", "", "HARROW"]);
}

#[test]
fn boxes_as_they_are_written() {
    reads("PO Box 55 14 Alder Rd Harrow NH 03601", ["14", "ALDER RD", "", "HARROW"]);
    reads("Lockbox 12 PO Box 55 Harrow NH", ["", "PO BOX 55", "", "HARROW"]);
    reads("Ref No 0055 PO Box 12 Harrow NH", ["", "PO BOX 12", "REF 55", "HARROW"]);
    reads("Department 55 Box 12 Harrow NH", ["", "PO BOX 12", "DEPT 55", "HARROW"]);
    reads("RR 1 PO Box 12 Harrow NH", ["", "RR 1 BOX 12", "", "HARROW"]);
    reads("RR 1 Box 12 B Harrow NH", ["", "RR 1 BOX 12B", "", "HARROW"]);
    reads("Route Box # 12, Harrow, NH", ["", "RR BOX 12", "", "HARROW"]);
    reads("Route 1, Box 12, Harrow, NH", ["", "RR 1 BOX 12", "", "HARROW"]);
    reads("POBox12 Harrow NH", ["", "PO BOX 12", "", "HARROW"]);
}

#[test]
fn numbers_as_they_are_written() {
    reads("14 J S Alder Rd, Harrow, NH", ["14J", "S ALDER RD", "", "HARROW"]);
    reads("14 & 16 Alder Rd, Harrow, NH", ["14-16", "ALDER RD", "", "HARROW"]);
    reads("14\u{bd} Alder Rd, Harrow, NH", ["14 1/2", "ALDER RD", "", "HARROW"]);
    reads("W20N W1628 Alder Rd, Harrow, WI", ["W20NW1628", "ALDER RD", "", "HARROW"]);
    reads("14 N 837 Rt 25 Harrow IL", ["14N837", "ROUTE 25", "", "HARROW"]);
    reads("14 B Highway 9 N Harrow NH", ["14B", "ROUTE 9 N", "", "HARROW"]);
    reads("14 South Ave O", ["14", "S AVENUE O", "", ""]);
    reads("14 S Ave O Harrow NH", ["14", "S AVENUE O", "", "HARROW"]);
    reads("14 S Avenue O, Harrow, NH", ["14", "S AVENUE O", "", "HARROW"]);
    reads("14 South Ave B, Harrow, NH", ["14", "SOUTH AVE", "B", "HARROW"]);
    reads("14 K St SE, Harrow, NH", ["14", "K ST SE", "", "HARROW"]);
}

#[test]
fn streets_of_several_roads() {
    reads("14 Alder Rd Mill Green Rd Harrow NH", ["14", "ALDER ROAD MILL GREEN RD", "", "HARROW"]);
    reads("14 21st St NW Ln Harrow NH", ["14", "21ST STREET LN NW", "", "HARROW"]);
    reads("14 The Circle at Mill Green St", ["14", "THE CIRCLE AT MILL GREEN ST", "", ""]);
    reads("14 Highway 6 & 50 Harrow NH", ["14", "ROUTE 6 AND 50", "", "HARROW"]);
    reads("14 FM 1960 Rd W Harrow TX", ["14", "FM 1960 W", "", "HARROW"]);
    reads("14 Highway 9, N Harrow, NH", ["14", "ROUTE 9 N", "", "HARROW"]);
    reads("14 Highway 9, N Myrtle Beach, SC", ["14", "ROUTE 9", "", "NORTH MYRTLE BEACH"]);
    reads("14 US 250 South Alt Hwy", ["14", "US HIGHWAY 250 ALTERNATE S", "", ""]);
    reads("14 US Hwy 250 Bus Rte W, Harrow, NH", ["14", "US HIGHWAY 250 BUSINESS W", "", "HARROW"]);
    reads("14 US 250 Bypass Harrow NH", ["14", "US HIGHWAY 250 BYPASS", "", "HARROW"]);
    reads("14 S and W Mill Rd, Harrow, NH", ["14", "SOUTH AND WEST MILL RD", "", "HARROW"]);
    reads("14 S Dr Martin Luther King", ["14", "S MARTIN LUTHER KING", "", ""]);
    reads("14 N Hwy A1A Harrow FL", ["14", "N ROUTE A1A", "", "HARROW"]);
    reads("14 South 1250 West Saint Mary UT 84770", ["14", "S 1250 W", "", "SAINT MARY"]);
    reads("14 Alder Street Northeast Harrow NH", ["14", "ALDER ST NE", "", "HARROW"]);
    reads("14 Fenwick Plaza Center Harrow NH", ["14", "FENWICK PLAZA CTR", "", "HARROW"]);
    // The first is the end where a town follows.
    reads("14 Alder Rd Mill Green NH", ["14", "ALDER RD", "", "MILL GREEN"]);
}

#[test]
fn states_where_nobody_expects_them() {
    let state = |line: &str| {
        let n = parse_line(line).normalized;
        (n.city, n.state.map(|s| s.to_string()).unwrap_or_default())
    };
    let is = |town: &str, state: &str| (town.to_owned(), state.to_owned());
    assert_eq!(state("14 Alder Rd Unit 3 NH West Harrow 03601"), is("WEST HARROW", "NH"));
    assert_eq!(state("14 Alder Rd, Harrow, New, York 14606"), is("HARROW", "NY"));
    assert_eq!(state("14 Alder Rd, Harrow, NH 03601, United States US"), is("HARROW", "NH"));
    assert_eq!(state("14 Alder Rd Harrow NH03601"), is("HARROW", "NH"));
    assert_eq!(state("14 alder rd harrow cal"), is("HARROW", "CA"));
    assert_eq!(state("14 W 10th Harrow Colorado"), is("HARROW", "CO"));
    assert_eq!(state("14 Alder Rd Apt 3 Harrow NH 0360-1234"), is("HARROW", "NH"));
    assert_eq!(state("14 Alder Rd, New York"), is("NEW YORK", ""));
    assert_eq!(state("14 Alder, Harrow, New York"), is("HARROW", "NY"));
    assert_eq!(tables::state_by_name("WIS"), Some("WI"));
}

#[test]
fn who_gets_the_mail() {
    for line in [
        "14 Alder Rd c/o Jane Roe, Harrow, NH",
        "14 Alder Rd C/O Jane Roe Harrow NH 03601",
        "14 Alder Rd, c/o Jane Roe, Harrow, NH",
        "14 Alder Rd c/o Fenwick Lockbox 4025 Harrow NH",
        "c/o Jane Roe, 14 Alder Rd, Harrow, NH",
        "c/o Jane Roe 14 Alder Rd Harrow NH",
        "14 Alder Rd Attn Jane Roe Harrow NH",
    ] {
        reads(line, ["14", "ALDER RD", "", "HARROW"]);
    }
    reads("14 Alder Rd, Apt 3 c/o Jane Roe, Harrow, NH", ["14", "ALDER RD", "3", "HARROW"]);
    reads("14 Alder Rd Apt C c/o Jane Roe Harrow NH", ["14", "ALDER RD", "C", "HARROW"]);
    reads("14 Alder Rd, Apt C/D, Harrow, NH", ["14", "ALDER RD", "C D", "HARROW"]);
}

#[test]
fn units_that_are_said_twice_or_behind_a_count() {
    reads("14 Alder Ct Apt B Apt B, Harrow, NH", ["14", "ALDER CT", "B", "HARROW"]);
    reads("14 Alder Ct # 3 Apt 3, Harrow, NH", ["14", "ALDER CT", "3", "HARROW"]);
    reads("14 Alder Ct Apt Apt4 Harrow NH", ["14", "ALDER CT", "4", "HARROW"]);
    reads("14 Alder Ct Bldg 2 Apt 2, Harrow, NH", ["14", "ALDER CT", "BLDG 2 2", "HARROW"]);
    reads("14 Alder Ct, Apt C/D, Harrow, NH", ["14", "ALDER CT", "C D", "HARROW"]);
    reads("14 Alder St 2 Floor", ["14", "ALDER ST", "FL 2", ""]);
    reads("14 Alder St, 2 Floor, Harrow, NH", ["14", "ALDER ST", "FL 2", "HARROW"]);
    reads("14 Alder St Apt 2 Floor 3, Harrow, NH", ["14", "ALDER ST", "2 FL 3", "HARROW"]);
    reads("14 Calle Luna Lot 12", ["14", "CALLE LUNA", "LOT 12", ""]);
    reads("14 Fenwick Concourse Floor 5 Harrow Island NH", ["14", "FENWICK CONCOURSE", "FL 5", "HARROW ISLAND"]);
    reads("14.5 Alder Rd, Harrow, NH", ["14 1/2", "ALDER RD", "", "HARROW"]);
    reads("14 Alder Rd Ste.5 Harrow NH.03601", ["14", "ALDER RD", "5", "HARROW"]);
}

#[test]
fn numbers_that_are_no_house() {
    reads("Fenwick Bank Lockbox 4025 14 Alder St Harrow NH", ["14", "ALDER ST", "", "HARROW"]);
    reads("Fenwick N 5 14 N Alder Dr, Harrow, NH", ["14", "N ALDER DR", "N5", "HARROW"]);
    reads("Roe 14 42 St, Harrow, NH", ["14", "42ND ST", "", "HARROW"]);
    reads("PO Box 12, One Fenwick Drive", ["1", "FENWICK DR", "", ""]);
    reads("14 Alder Ct, NW North Tower, Ste 7, Harrow, NH", ["14", "ALDER CT NW", "NORTH TOWER 7", "HARROW"]);
    reads("14 Alder Ct NW, North Tower, Harrow, NH", ["14", "ALDER CT NW", "NORTH TOWER", "HARROW"]);
    reads("14 Alder Ct, North Tower, MN", ["14", "ALDER CT", "", "NORTH TOWER"]);
    reads("14 Alder St 617-555-0100, Harrow, NH", ["14", "ALDER ST", "", "HARROW"]);
    reads("617-555-0100, 14 Alder St, Harrow, NH", ["14", "ALDER ST", "", "HARROW"]);
    reads("14 Alder St, West Hall, Room 3, Harrow, NH", ["14", "ALDER ST", "WEST HALL 3", "HARROW"]);
    reads("14 I 49 S Service Rd, Harrow, NH", ["14", "INTERSTATE 49 S SERVICE ROAD", "", "HARROW"]);
    reads("14 I 49 S Service Rd Harrow NH", ["14", "INTERSTATE 49 S SERVICE ROAD", "", "HARROW"]);
    reads("14 Alder St Harrow, Fenwick County, NH 03601", ["14", "ALDER ST", "", "HARROW"]);
    reads("14 Alder St, Harrow, Fenwick County, NH", ["14", "ALDER ST", "", "HARROW"]);
}

#[test]
fn units_of_towers_and_townhouses_are_no_words_of_the_street() {
    reads("14 Alder Ct TH21, Harrow, OH", ["14", "ALDER CT", "TH 21", "HARROW"]);
    reads("14 Alder Ct Townhouse 21 Harrow OH", ["14", "ALDER CT", "TH 21", "HARROW"]);
    reads("14 Alder Ct TH-21", ["14", "ALDER CT", "TH 21", ""]);
    reads("14 Alder Ct PHA, Harrow, OH", ["14", "ALDER CT", "PH A", "HARROW"]);
    reads("14 Alder Ct PH A, Harrow, OH", ["14", "ALDER CT", "PH A", "HARROW"]);
    reads("14 Alder Ct PH2 Harrow OH", ["14", "ALDER CT", "PH 2", "HARROW"]);
    reads("14 Alder Ct COMM, Harrow, OH", ["14", "ALDER CT", "COMM", "HARROW"]);
    reads("14 Alder Ct A3-418 Harrow OH", ["14", "ALDER CT", "A3 418", "HARROW"]);
    reads("A3-418, 14 Alder Ct, Harrow, OH", ["14", "ALDER CT", "A3 418", "HARROW"]);
    reads("14 Alder Ct A1001, Harrow, OH", ["14", "ALDER CT", "A1001", "HARROW"]);
    reads("14 Alder Ct NO G-13 Harrow OH", ["14", "ALDER CT", "G13", "HARROW"]);
    reads("14 Alder Ct No 13 Harrow OH", ["14", "ALDER CT", "13", "HARROW"]);
    reads("14 Alder St UNIT 8 E SAN FRANCISCO CA", ["14", "ALDER ST", "8E", "SAN FRANCISCO"]);
    reads("14 Alder St UNIT 8 S SAN FRANCISCO CA", ["14", "ALDER ST", "8", "SOUTH SAN FRANCISCO"]);
    reads("14 Alder St FL 15 New York NY", ["14", "ALDER ST", "FL 15", "NEW YORK"]);
    reads("14 Broadway FL 15 New York NY", ["14", "BROADWAY", "FL 15", "NEW YORK"]);
    reads("14 Alder St 8TH FL NEW YORK NY", ["14", "ALDER ST", "FL 8", "NEW YORK"]);
    reads("14 Broadway 8TH FL NEW YORK NY", ["14", "BROADWAY", "FL 8", "NEW YORK"]);
    reads("14 Alder Ct Terrace Park OH 45174", ["14", "ALDER CT", "", "TERRACE PARK"]);
    reads("14 Alder Ct Terrace, Harrow, OH", ["14", "ALDER COURT TER", "", "HARROW"]);
    // Streets that are called so.
    reads("14 Commercial St, Harrow, OH", ["14", "COMMERCIAL ST", "", "HARROW"]);
    reads("14 Townhouse Ln, Harrow, OH", ["14", "TOWNHOUSE LN", "", "HARROW"]);
}

#[test]
fn a_suite_behind_the_zip_and_a_broken_line_are_read() {
    let wanted = ["14", "ALDER CT", "5", "HARROW"];
    for line in [
        "14 Alder Ct, Harrow, OH 43099 Suite 5",
        "14 Alder Ct, Harrow, OH 43099, Suite 5",
        "14 Alder Ct, Harrow, OH 43099-1234, Apt 5",
        "14 Alder Ct Harrow OH 43099 Unit 5",
        "14 Alder Ct Harrow OH 43099 # 5",
        "14 Alder Ct, Harrow, OH 43099\nApt. 5",
        "14 Alder Ct\tApt 5\tHarrow\tOH\t43099",
        "14 Alder Ct\nApt 5\nHarrow\nOH 43099",
    ] {
        reads(line, wanted);
        assert_eq!(parse_line(line).normalized.state.map(|s| s.to_string()).as_deref(), Some("OH"), "{line}");
    }
    for line in ["16--18 Alder Ct, Harrow, OH", "16 -- 18 Alder Ct, Harrow, OH", "16\u{2013}18 Alder Ct, Harrow, OH"] {
        reads(line, ["16-18", "ALDER CT", "", "HARROW"]);
    }
}

/// Words that a line may repeat without end: the work grows as the line does.
#[test]
fn runs_of_one_word_are_read_once() {
    for word in [
        "#",
        "# ",
        "APT ",
        "UNIT # ",
        "LOT ",
        "APT UNIT ",
        "(",
        "()",
        "-",
        "/",
        ",",
        "FL ",
        "NO 1 ",
        "REAR ",
        "N ",
        "1 ",
        ".5 ",
    ] {
        let text = format!("14 Alder Ct {}, Harrow, OH", word.repeat(500 / word.len()));
        let words: usize = crate::token::segments(&text).iter().map(Vec::len).sum();
        let read = parse_line(&text).normalized;
        assert_eq!(read.number, "14", "{word}");
        assert!(!word.starts_with('#') || words < 10, "{words} words of {word:?}");
    }
}
