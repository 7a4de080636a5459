//! Lines of the kinds that people and mailing lists write.

use proptest::prelude::*;
use shingle_domain::lookup::AddressInput;
use shingle_domain::{Address, State, Zip};

use crate::{MailOnly, Normalized, parse_line};

fn parts(text: &str) -> [String; 4] {
    let n = parse_line(text).normalized;
    let street = [n.predir, n.name, n.suffix, n.postdir];
    let street = street.into_iter().filter(|p| !p.is_empty()).collect::<Vec<_>>().join(" ");
    [n.number, street, n.unit, n.city]
}

#[test]
fn a_box_beside_a_street_is_not_the_address() {
    assert_eq!(
        parts("901 Janesville Ave PO Box 7 Ft Atkinson WI 53538"),
        ["901", "JANESVILLE AVE", "", "FORT ATKINSON"]
    );
    assert_eq!(parts("56 Main St, 2nd floor POB 130 Orleans MA 02653"), ["56", "MAIN ST", "FL 2", "ORLEANS"]);
    assert_eq!(parts("1950 N Stemmons Fwy Ste 50 LB # 84 Dallas TX 75207"), ["1950", "N STEMMONS FWY", "50", "DALLAS"]);
    assert_eq!(parts("4 Box Hill Ln, Portland, ME 04103"), ["4", "BOX HILL LN", "", "PORTLAND"]);
    assert_eq!(parse_line("PO Box 7, Portland, ME 04103").normalized.name, "PO BOX 7");
}

#[test]
fn a_town_has_no_number() {
    assert_eq!(
        parts("75 Remittance Dr Suite 15 Acct # 439 Chicago IL 60675"),
        ["75", "REMITTANCE DR", "15 ACCT 439", "CHICAGO"]
    );
    assert_eq!(parts("1120 15th Street, AF 1025 Augusta GA 30912"), ["1120", "15TH ST", "AF1025", "AUGUSTA"]);
    assert_eq!(parts("14 Alder Rd, 29 Palms, CA 92277"), ["14", "ALDER RD", "", "29 PALMS"]);
}

#[test]
fn a_direction_goes_with_the_town_that_is_called_after_it() {
    assert_eq!(parts("364 Golfview Rd N Palm Beach FL 33408"), ["364", "GOLFVIEW RD", "", "NORTH PALM BEACH"]);
    assert_eq!(parts("2945 Rodeo Park Dr East Santa Fe NM 87505"), ["2945", "RODEO PARK DR E", "", "SANTA FE"]);
    assert_eq!(parts("20 Elm St W Portland ME 04103"), ["20", "ELM ST W", "", "PORTLAND"]);
}

#[test]
fn numbers_of_a_grid_and_of_a_road_keep_their_words() {
    assert_eq!(parts("2928 N 2900 E Road"), ["2928", "N 2900 EAST RD", "", ""]);
    assert_eq!(parts("2928 N 2900 East Rd"), parts("2928 N 2900 E Road"));
    assert_eq!(parts("4969 US 401 Hwy S Youngsville 27596"), ["4969", "US HIGHWAY 401 S", "", "YOUNGSVILLE"]);
    assert_eq!(parts("3389 Anderson County Rd 452"), ["3389", "ANDERSON COUNTY ROAD 452", "", ""]);
    assert_eq!(parts("100 Park Circle East Rd Elizabeth City 27909")[1], "PARK CIRCLE RD E");
}

#[test]
fn units_are_read_where_nothing_announces_them() {
    assert_eq!(parts("1 Summit Court B"), ["1", "SUMMIT CT", "B", ""]);
    assert_eq!(parts("2900 Tucker Rd, Bldg 10, St 310"), ["2900", "TUCKER RD", "BLDG 10 310", ""]);
    assert_eq!(parts("1755 W Roscoe St Apt 3rd Floor"), ["1755", "W ROSCOE ST", "FL 3", ""]);
    assert_eq!(parts("0 Lighthouse Vw # Lot 9 Aydlett 27916"), ["0", "LIGHTHOUSE VW", "LOT 9", "AYDLETT"]);
}

#[test]
fn names_of_buildings_and_people_are_left_out() {
    assert_eq!(
        parts("1666 SE Lambert St Steeple Townhomes, Portland, OR 97202"),
        ["1666", "SE LAMBERT ST", "", "PORTLAND"]
    );
    assert_eq!(
        parts("Attn Claims, 4th Floor 300 East Randolph St Chicago IL 60601"),
        ["300", "E RANDOLPH ST", "FL 4", "CHICAGO"]
    );
    assert_eq!(parts("3645 N Route Z Columbia MO 65202 Ballenger Utilities"), ["3645", "N ROUTE Z", "", "COLUMBIA"]);
    assert_eq!(parts("12 Calle Avenue Of The Pines, Portland, ME"), ["12", "CALLE AVENUE OF THE PNES", "", "PORTLAND"]);
}

#[test]
fn one_slip_in_a_long_suffix_is_the_suffix() {
    assert_eq!(parts("12 Elm Steet, Portland, ME")[1], "ELM ST");
    assert_eq!(parts("2161 Palm Beach Lakes Boulevar Suite 4 West Palm Beach FL")[1], "PALM BEACH LAKES BLVD");
    assert_eq!(parts("12 Streeter Rd, Portland, ME")[1], "STREETER RD");
}

#[test]
fn what_only_mail_goes_to_is_told() {
    let of = |text: &str| MailOnly::of(&AddressInput::Line(text.into()));
    for text in ["PO Box 7, Portland, ME 04103", "P.O. Box 12 Portland ME", "Dept 3256 PO Box 2153 Birmingham AL 35282"]
    {
        assert_eq!(of(text), Some(MailOnly::PostBox), "{text}");
    }
    for text in ["RR 2 Box 9, Canton, OH", "Rural Route 4, Canton, OH 44730", "HC 71 Box 3 Rio IL"] {
        assert_eq!(of(text), Some(MailOnly::RuralRoute), "{text}");
    }
    assert_eq!(of("PSC 802 Box 74, APO AE 09499"), Some(MailOnly::Military));
    for text in ["901 Janesville Ave PO Box 7, Fort Atkinson, WI", "14 Alder Ct, Portland, ME", "9 Box Elder Rd", ""] {
        assert_eq!(of(text), None, "{text}");
    }
    assert_eq!(MailOnly::PostBox.to_string(), "a post box has no roof: give the street address");
}

fn address(number: String, street: String, city: String) -> Address {
    Address {
        street_number: number,
        street_address: street,
        city,
        state: State::parse("ME").unwrap(),
        zip: Zip::parse("04103").unwrap(),
    }
}

/// An address in its normal form, written out again.
fn written(n: &Normalized) -> Address {
    let street = [&n.predir, &n.name, &n.suffix, &n.postdir].map(String::as_str);
    let mut street = street.into_iter().filter(|p| !p.is_empty()).collect::<Vec<_>>().join(" ");
    if !n.unit.is_empty() {
        street.push_str(" # ");
        street.push_str(&n.unit);
    }
    address(n.number.clone(), street, n.city.clone())
}

proptest! {
    #[test]
    fn the_normal_form_of_a_normal_form_is_itself(
        number in "[1-9][0-9]{0,4}[A-D]?",
        predir in "(|N |SE |West |North East )",
        name in "(Alder|Drum Point|St Clair|Fifth|Twenty First|Old Mill|Mt Vernon|Dr MLK Jr|O'Neil|Peña|Goose Crk|Park|C|10)",
        suffix in "(| Street| Blvd| Ct| Hwy| Steet| Overlook| Avenue)",
        postdir in "(| S| Northwest| E)",
        unit in "(| Apt 3| # 12| Unit C-4| 2nd Floor| Bldg 2 Apt 3)",
        city in "(Portland|S Portland|St Cloud|Ft Kent|Mt Vernon)",
    ) {
        let once = Normalized::from_parts(&address(number, format!("{predir}{name}{suffix}{postdir}{unit}"), city));
        let again = Normalized::from_parts(&written(&once));
        prop_assert_eq!(once, again);
    }

    #[test]
    fn words_in_any_order_come_to_rest(
        words in proptest::collection::vec(
            "(N|SE|East|North|St|Ave|Park|Hwy|County|Road|US|State|Route|Saint|Mt|Fifth|Twenty|5th|12|C|Old|Alder|King|Box|PO|RR|2nd|Ext|Dr|Jr|MLK)",
            1..6,
        ),
    ) {
        let once = Normalized::from_parts(&address("14".into(), words.join(" "), "Portland".into()));
        let again = Normalized::from_parts(&written(&once));
        let more = Normalized::from_parts(&written(&again));
        prop_assert_eq!(again, more);
    }

    #[test]
    fn what_is_written_on_one_line_is_read_as_the_same_parts(
        number in "([1-9][0-9]{0,4}|[1-9][0-9]{0,3}[A-D]|2615 1/2|112-10|N6W23001)",
        predir in "(|N |SE |West )",
        name in "(Alder|Drum Point|Saint Clair|Fifth|Old Mill|Broad|Goose Creek|Barn Swallow)",
        suffix in "(Street|Blvd|Ct|Pkwy|Ter|Lane|Trl)",
        postdir in "(| S| NW)",
        unit in "(| Apt 3| # 12| Unit C4| Fl 2| Bsmt)",
        city in "(Portland|South Portland|St Cloud|New Haven|Fort Kent|Falls Church|Oak Park)",
    ) {
        let address = address(number, format!("{predir}{name} {suffix}{postdir}{unit}"), city);
        let read = parse_line(&address.to_string());
        prop_assert_eq!(&read.normalized, &Normalized::from_parts(&address));
        // And once more from what was kept as typed.
        prop_assert_eq!(read.address().map(|a| Normalized::from_parts(&a)), Some(read.normalized));
    }

    #[test]
    fn however_long_a_line_is_the_work_is_bounded(text in "[A-Z0-9 ,#./é-]{10000}") {
        let tokens: usize = crate::token::segments(&text).iter().map(Vec::len).sum();
        prop_assert!(tokens <= 512, "{} words", tokens);
        prop_assert!(crate::other_readings(&text).len() <= 10);
        let _ = MailOnly::of(&AddressInput::Line(text));
    }
}
