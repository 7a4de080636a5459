use shingle_domain::evidence::{Fact, MatchLevel, Position};
use shingle_domain::lookup::AddressInput;

use crate::index::tests::{index_of, place, place_in, with_unit};
use crate::{Lookup, PropertyIndex};

fn line(index: &PropertyIndex, text: &str) -> Lookup {
    index.lookup(&AddressInput::Line(text.into())).unwrap()
}

/// Level and street, `several` with the streets to choose from, or nothing.
fn told(index: &PropertyIndex, text: &str) -> String {
    match line(index, text) {
        Lookup::Found { evidence, .. } => {
            format!("{:?} {}", evidence.matched.level, evidence.place.address.street_line())
        }
        Lookup::Ambiguous(found) => {
            let streets: Vec<String> = found.into_iter().map(|s| s.street).collect();
            format!("several: {}", streets.join("; "))
        }
        Lookup::NotFound { .. } => "none".to_owned(),
    }
}

#[test]
fn a_wrong_zip_is_a_question() {
    let (_root, index) = index_of([
        place_in("14", "Alder Court", "Portland", "ME", "04103"),
        place_in("5", "Elm Street", "Portland", "ME", "04101"),
        place_in("5", "Elm Street", "Portland", "ME", "04103"),
        place_in("14", "Alder Court", "Bath", "ME", "04530"),
    ]);
    assert_eq!(told(&index, "14 Alder Ct, Portland, ME 04999"), "several: 14 Alder Court");
    assert_eq!(told(&index, "5 Elm St, Portland, ME 04999"), "several: 5 Elm Street; 5 Elm Street");
    assert_eq!(told(&index, "14 Alder St, Portland, ME 04999"), "none", "another suffix and another ZIP is too much");
    assert_eq!(told(&index, "14 Alder Ct, South Harbor, ME 04103"), "several: 14 Alder Court", "is it that town?");
    assert_eq!(told(&index, "14 Alder Ct, ME 04999"), "none");
}

#[test]
fn directions_that_contradict_are_other_streets() {
    let (_root, index) = index_of([place("5", "South Elm Street"), place("9", "Oak Street West")]);
    assert_eq!(told(&index, "5 N Elm St, Portland, ME 04103"), "none");
    assert_eq!(told(&index, "5 Elm St, Portland, ME 04103"), "WithoutSuffix 5 South Elm Street");
    assert_eq!(told(&index, "9 W Oak St, Portland, ME 04103"), "WithoutSuffix 9 Oak Street West");
    assert_eq!(told(&index, "9 Oak St E, Portland, ME 04103"), "none");
}

#[test]
fn a_street_is_never_taken_for_one_with_another_direction_or_suffix() {
    let (_root, index) = index_of([
        place("5", "Elm Street"),
        place("7", "North Elm Street"),
        place("9", "Oak Street"),
        place("16", "Donnington Drive"),
        place("18", "Donnington Court"),
        place("21", "Broadway"),
        place("30", "Peachtree Street NE"),
        place("31", "Peachtree Street NW"),
        place("40", "Meadowbrook Lane"),
        place("42", "Meadowbrooks Lane"),
    ]);
    let told = |text: &str| told(&index, &format!("{text}, Portland, ME 04103"));
    // Both streets are there: the house stands on the other.
    assert_eq!(told("5 N Elm St"), "several: 5 Elm Street");
    assert_eq!(told("7 Elm St"), "several: 7 North Elm Street");
    assert_eq!(told("16 Donnington Ct"), "several: 16 Donnington Drive");
    assert_eq!(told("18 Donnington"), "several: 18 Donnington Court");
    assert_eq!(told("30 Peachtree St"), "several: 30 Peachtree Street NE");
    assert_eq!(told("30 Peachtree St NW"), "none");
    // Nobody knows the street that was asked for.
    assert_eq!(told("9 E Oak St"), "several: 9 Oak Street");
    assert_eq!(told("9 Oak Ct"), "several: 9 Oak Street");
    assert_eq!(told("21 Broadway Ave"), "several: 21 Broadway");
    assert_eq!(told("21 Broadway W"), "several: 21 Broadway");
    // Left out where one street fits.
    assert_eq!(told("9 Oak"), "WithoutSuffix 9 Oak Street");
    // Alike, but a street of the name is there.
    assert_eq!(told("42 Meadowbrook Ln"), "none");
    assert_eq!(told("42 Medowbrooks Ln"), "SimilarName 42 Meadowbrooks Lane");
    assert_eq!(told("42 Medowbrooks Ct"), "several: 42 Meadowbrooks Lane");
}

#[test]
fn a_unit_is_never_answered_with_the_house_where_units_are_recorded() {
    let (_root, index) = index_of([
        place("9", "Birch Lane"),
        with_unit(place("9", "Birch Lane"), "1"),
        with_unit(place("9", "Birch Lane"), "3"),
        place("11", "Birch Lane"),
        place("13", "Birch Lane"),
        place("13B", "Birch Lane"),
        with_unit(place("15", "Birch Lane"), "4"),
        with_unit(place("20-24", "Birch Lane"), "4"),
    ]);
    let told = |text: &str| told(&index, &format!("{text}, Portland, ME 04103"));
    assert_eq!(told("9 Birch Ln Unit 3"), "Exact 9 Birch Lane");
    let both = "several: 9 Birch Lane Unit 1; 9 Birch Lane Unit 3";
    for text in ["9 Birch Ln Unit 2", "9 Birch Unit 2", "9A Birch Ln"] {
        assert_eq!(told(text), both, "{text}");
    }
    assert_eq!(told("13A Birch Ln"), "several: 13B Birch Lane");
    assert_eq!(told("15 Birch Ln"), "several: 15 Birch Lane Unit 4");
    assert_eq!(told("22 Birch Ln Unit 4"), "NumberRange 20-24 Birch Lane");
    assert_eq!(told("22 Birch Ln Unit 5"), "several: 20-24 Birch Lane Unit 4");
    assert_eq!(told("13 Birch Ln Apt B"), "Exact 13B Birch Lane");
    assert_eq!(told("11 Birch Ln Unit 2"), "WithoutUnit 11 Birch Lane");
}

#[test]
fn a_town_without_zips_is_shown_with_the_zip_that_was_asked_for_or_none() {
    let (_root, index) = index_of([place_in("3", "Main Street", "Lebanon", "NH", "00000")]);
    let shown = |text: &str| match line(&index, text) {
        Lookup::Found { evidence, .. } => evidence.address_line(),
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(shown("3 Main St, Lebanon, NH 03766"), "3 Main Street, Lebanon, NH 03766");
    assert_eq!(shown("3 Main St, Lebanon, NH"), "3 Main Street, Lebanon, NH");
}

#[test]
fn signs_of_a_state_and_of_the_country_may_stand_at_one_road() {
    let (_root, index) = index_of([
        place("5", "NH Route 120"),
        place("7", "US Highway 1"),
        place("9", "Route 2"),
        place("9", "US Route 2"),
    ]);
    let told = |text: &str| told(&index, &format!("{text}, Portland, ME 04103"));
    for text in ["5 NH-120", "5 State Hwy 120", "5 SR 120"] {
        assert_eq!(told(text), "Exact 5 NH Route 120", "{text}");
    }
    // Whose road it is was left out.
    for text in ["5 Rt 120", "5 Hwy 120", "5 Route 120"] {
        assert_eq!(told(text), "WithoutSuffix 5 NH Route 120", "{text}");
    }
    assert_eq!(told("7 Route 1"), "WithoutSuffix 7 US Highway 1");
    assert_eq!(told("9 Route 2"), "Exact 9 Route 2");
    assert_eq!(told("9 State Route 2"), "several: 9 US Route 2; 9 Route 2");
    assert_eq!(told("5 US 120"), "several: 5 NH Route 120", "another road than the one on record");
    assert_eq!(told("7 State Hwy 1"), "several: 7 US Highway 1");
    assert_eq!(told("9 US 2"), "Exact 9 US Route 2");
    assert_eq!(told("5 Route 121"), "none");
}

#[test]
fn a_number_in_a_name_is_never_a_misspelling() {
    let (_root, index) = index_of([
        place("5", "County Road 12"),
        place("5", "116th Street"),
        place("7", "Meadowbrook Drive"),
        place("7", "Meadowbrooks Drive"),
        place("8", "Cedarbrook Drive"),
    ]);
    assert_eq!(told(&index, "5 County Road 13, Portland, ME 04103"), "none");
    assert_eq!(told(&index, "5 115th St, Portland, ME 04103"), "none");
    assert_eq!(told(&index, "8 Cedarbrok Dr, Portland, ME 04103"), "SimilarName 8 Cedarbrook Drive");
    let asked = told(&index, "7 Meadowbroook Dr, Portland, ME 04103");
    assert!(asked.starts_with("several") || asked == "SimilarName 7 Meadowbrook Drive", "{asked}");
}

#[test]
fn a_suffix_left_out_may_leave_a_name_that_ends_like_one() {
    let (_root, index) = index_of([place("6330", "S Stony Island Avenue"), place("20", "North Shore")]);
    assert_eq!(told(&index, "6330 S Stony Island, Portland, ME 04103"), "WithoutSuffix 6330 S Stony Island Avenue");
    assert_eq!(told(&index, "6330 S Stony Island Ave, Portland, ME 04103"), "Exact 6330 S Stony Island Avenue");
    assert_eq!(told(&index, "20 North Shore, Portland, ME 04103"), "Exact 20 North Shore");
}

#[test]
fn the_hyphen_of_queens_may_be_left_out() {
    let (_root, index) = index_of([place("112-10", "Queens Boulevard"), place("5917", "Junction Boulevard")]);
    assert_eq!(told(&index, "11210 Queens Blvd, Portland, ME 04103"), "Exact 112-10 Queens Boulevard");
    assert_eq!(told(&index, "59-17 Junction Blvd, Portland, ME 04103"), "Exact 5917 Junction Boulevard");
    assert_eq!(told(&index, "112 Queens Blvd, Portland, ME 04103"), "none");
}

#[test]
fn a_building_of_several_units_is_a_question_of_five_at_most() {
    let units = (1..=9).map(|n| with_unit(place("9", "Birch Lane"), &n.to_string()));
    let (_root, index) = index_of(units.chain([
        place("10", "Birch Lane"),
        with_unit(place("10", "Birch Lane"), "A"),
        with_unit(place("12", "Birch Lane"), "C-4"),
    ]));
    let Lookup::Ambiguous(found) = line(&index, "9 Birch Ln, Portland, ME 04103") else { panic!("no question") };
    let streets: Vec<&str> = found.iter().map(|s| s.street.as_str()).collect();
    let first = [1, 2, 3, 4, 5].map(|n| format!("9 Birch Lane Unit {n}"));
    assert_eq!(streets, first);
    assert_eq!(told(&index, "10 Birch Ln, Portland, ME 04103"), "Exact 10 Birch Lane", "it has a record of its own");
    assert!(told(&index, "9 Birch Ln #12, Portland, ME 04103").starts_with("several: 9 Birch Lane Unit 1;"));
    for unit in ["Apt C4", "# C-4", "Unit C 4", "C-4", "APT. c4"] {
        let text = format!("12 Birch Ln, {unit}, Portland, ME 04103");
        assert_eq!(told(&index, &text), "Exact 12 Birch Lane", "{text}");
    }
}

#[test]
fn a_number_between_two_neighbours_has_a_point_and_no_owner() {
    let owned = |number: &str, longitude: f64, year: u16, district: &str| {
        let mut place = place(number, "Alder Court");
        place.origin = Some(Position { longitude, latitude: 43.5 });
        place.assessor.primary_owner = Some(Fact { value: "Somebody".into(), source: 0 });
        place.assessor.year_built = Some(Fact { value: year, source: 0 });
        place.assessor.county = Some(Fact { value: "Cumberland".into(), source: 0 });
        place.assessor.school_district = Some(Fact { value: district.into(), source: 0 });
        place
    };
    let (_root, index) =
        index_of([owned("10", -70.0, 1950, "East"), owned("18", -70.4, 1950, "West"), place("15", "Alder Court")]);
    let Lookup::Found { key, evidence } = line(&index, "12 Alder Ct, Portland, ME 04103") else { panic!("not found") };
    assert_eq!(evidence.matched.level, MatchLevel::Interpolated);
    let place = evidence.place;
    assert_eq!(place.address.to_string(), "12 Alder Court, Portland, ME 04103");
    assert!(place.origin.is_some_and(|p| (p.longitude + 70.1).abs() < 1e-9 && (p.latitude - 43.5).abs() < 1e-9));
    assert_eq!(place.assessor.county.map(|f| f.value).as_deref(), Some("Cumberland"));
    assert_eq!(place.assessor.school_district, None, "the neighbours differ");
    assert!(place.assessor.primary_owner.is_none() && place.assessor.year_built.is_none());
    assert!(place.buildings.is_empty() && place.parcel.is_none());
    assert_eq!(index.get(&key).unwrap(), None, "it is no place of the index");
    for text in ["13 Alder Ct", "8 Alder Ct", "20 Alder Ct", "12 Alder Ct Apt 3", "12A Alder Ct", "12 Oak Ct"] {
        assert_eq!(told(&index, &format!("{text}, Portland, ME 04103")), "none", "{text}");
    }
}

#[test]
fn a_direction_before_the_town_may_be_the_streets() {
    let (_root, index) = index_of([
        place("5", "Elm Circle"),
        place("5", "Elm Circle East"),
        place("7", "Elm Circle"),
        place_in("9", "Oak Street", "Lebanon", "NH", "03766"),
        place_in("11", "Oak Street", "West Lebanon", "NH", "03766"),
    ]);
    assert_eq!(told(&index, "5 Elm Circle East Portland ME 04103"), "Exact 5 Elm Circle East");
    assert_eq!(told(&index, "5 Elm Circle East Portland ME"), "Exact 5 Elm Circle East");
    assert_eq!(told(&index, "7 Elm Circle East Portland ME 04103"), "several: 7 Elm Circle");
    // A comma says whose it is, and so does a town that is recorded.
    assert_eq!(told(&index, "7 Elm Circle, East Portland, ME 04103"), "Exact 7 Elm Circle");
    assert_eq!(told(&index, "9 Oak Street West Lebanon NH 03766"), "Exact 9 Oak Street");
    assert_eq!(told(&index, "11 Oak Street West Lebanon NH 03766"), "Exact 11 Oak Street");
}

#[test]
fn a_street_that_may_be_meant_by_another_way_of_writing_is_asked_back() {
    const NAMES: [&str; 5] = ["Esplanade", "Alameda", "Strand", "Ramble", "Bowery"];
    let places = NAMES.iter().enumerate().flat_map(|(n, name)| {
        let n = n + 3;
        let (number, nth) = (format!("{}", 10 * n), ["3rd", "4th", "5th", "6th", "7th"][n - 3]);
        [
            place_in(&number, &format!("The {name}"), "Harrow", "IL", "62701"),
            // Some have an avenue of the name beside it.
            place_in(&(10 * n + n % 2).to_string(), &format!("{name} Avenue"), "Harrow", "IL", "62701"),
            place_in(&number, &format!("State Route {}", 11 * n), "Harrow", "IL", "62701"),
            place_in(&number, &format!("{nth} Street"), "Harrow", "IL", "62701"),
            place_in(&format!("N{n}1W{n}2"), &format!("{name} Road"), "Harrow", "WI", "53022"),
            place_in(&number, &format!("Avenida {name}"), "San Juan", "PR", "00907"),
            place_in(&number, &format!("Calle {name}"), "San Juan", "PR", "00907"),
        ]
    });
    let (_root, index) = index_of(places);
    let told = |text: String| told(&index, &text);
    for (n, name) in NAMES.iter().enumerate() {
        let n = n + 3;
        let number = 10 * n;
        let avenue = if n % 2 == 0 { format!("; {number} {name} Avenue") } else { String::new() };
        assert_eq!(told(format!("{number} {name}, Harrow, IL 62701")), format!("several: {number} The {name}{avenue}"));
        assert_eq!(told(format!("{number} The {name}, Harrow, IL 62701")), format!("Exact {number} The {name}"));
        let road = 11 * n;
        assert_eq!(
            told(format!("{number} Illinois {road}, Harrow, IL 62701")),
            format!("several: {number} State Route {road}")
        );
        assert_eq!(told(format!("{number} Ohio {road}, Harrow, IL 62701")), "none", "another state's");
        let nth = ["3 rd", "4 th", "5 th", "6 th", "7 th"][n - 3];
        assert_eq!(
            told(format!("{number} {nth} St, Harrow, IL 62701")),
            format!("several: {number} {} Street", nth.replace(' ', ""))
        );
        let grid = format!("several: N{n}1W{n}2 {name} Road");
        assert_eq!(told(format!("N {n}1 W {n}2 {name} Rd, Harrow, WI 53022")), grid);
        assert_eq!(told(format!("N {n}1 W {n}3 {name} Rd, Harrow, WI 53022")), "none");
        for (english, spanish) in [("Ave", "Avenida"), ("St", "Calle")] {
            let asked = format!("several: {number} {spanish} {name}");
            assert_eq!(told(format!("{number} {name} {english}, San Juan, PR 00907")), asked);
        }
    }
}
