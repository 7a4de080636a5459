//! The record of the property look-ups, field by field.

use shingle_domain::Timestamp;
use shingle_domain::area::Table;
use shingle_domain::details::PropertyDetails;
use shingle_domain::evidence::{Assessor, Fact, MatchLevel, PropertyClass};
use shingle_domain::money::Usd;
use shingle_estimate::details::{Origin, property_details, reasons, sources};

use crate::fixture::{evidence, fact};

fn now() -> Timestamp {
    Timestamp::parse_iso("2026-11-21T12:00:00Z").expect("a date")
}

fn text(value: &str) -> Option<Fact<String>> {
    fact(value.to_owned())
}

fn known() -> Assessor {
    Assessor {
        primary_owner: text("TALLOWBY,  ADA M. &"),
        secondary_owner: text("BO WICKSTEAD"),
        residential_exemption: fact(true),
        year_built: fact(1931),
        sale_date: text("2016-11-22"),
        sale_price: fact(Usd::from_dollars(1)),
        county: text("Middlesex"),
        subdivision: text("Elder Hill"),
        school_district: text("Brindlemoor USD"),
        property_type: text("TWO-FAM-RES"),
        property_class: fact(PropertyClass::TwoToFourUnits),
        building_area_sqft: fact(3_121.6),
        living_area_sqft: fact(2_410.0),
        ..Assessor::default()
    }
}

fn of(assessor: Assessor) -> PropertyDetails {
    property_details(Some(&evidence(vec![], assessor)), now())
}

#[test]
fn every_field_is_what_the_records_say() {
    let found = of(known());
    let expected = PropertyDetails {
        primary_owner: Some("TALLOWBY, ADA M.".into()),
        secondary_owner: Some("BO WICKSTEAD".into()),
        owner_occupied: Some(true),
        home_built_year: Some("1931".into()),
        years_in_home: Some("9".into()),
        county: Some("Middlesex".into()),
        subdivision: Some("Elder Hill".into()),
        school: Some("Brindlemoor USD".into()),
        property_type: Some("TWO-FAM-RES".into()),
        area_building_size: Some("3122".into()),
        scructure_present: Some(true),
    };
    assert_eq!(found, expected);
}

#[test]
fn nothing_known_is_nothing_told() {
    assert_eq!(property_details(None, now()), PropertyDetails::default());
    assert_eq!(of(Assessor::default()), PropertyDetails::default());
    assert!(sources(None, now()).is_empty() && reasons(None).is_empty());
    assert!(sources(Some(&evidence(vec![], Assessor::default())), now()).is_empty());
}

#[test]
fn of_a_neighbour_nothing_but_the_county_is_told() {
    let mut near = evidence(vec![], known());
    near.matched.level = MatchLevel::Interpolated;
    let expected = PropertyDetails { county: Some("Middlesex".into()), ..PropertyDetails::default() };
    assert_eq!(property_details(Some(&near), now()), expected);
    assert_eq!(sources(Some(&near), now()), [("county", Origin::Recorded(0))]);
    assert!(reasons(Some(&near)).is_empty());
}

#[test]
fn the_county_of_the_zip_serves_where_none_is_recorded() {
    let mut found = evidence(vec![], Assessor { county: text("  "), ..known() });
    found.area.homes.county = Some("Chesapeake".into());
    assert_eq!(property_details(Some(&found), now()).county.as_deref(), Some("Chesapeake"));
    assert!(sources(Some(&found), now()).contains(&("county", Origin::Table(Table::ZipAreas))));
}

#[test]
fn what_stands_for_unknown_is_unknown() {
    for owner in
        ["UNKNOWN", "N/A", "CURRENT OWNER", "OWNER UNKNOWN", "", " - ", "C/O BO WICKSTEAD", "12 ELDER ST", "PO BOX 12"]
    {
        let found = of(Assessor { primary_owner: text(owner), secondary_owner: text(owner), ..known() });
        assert_eq!((found.primary_owner, found.secondary_owner), (None, None), "{owner}");
    }
    for (line, shown) in [
        ("& BO WICKSTEAD", "BO WICKSTEAD"),
        ("Tallowby, Ada AND", "Tallowby, Ada"),
        ("HOLLOW LLC,", "HOLLOW LLC"),
        ("12 ELDER ST REALTY TRUST", "12 ELDER ST REALTY TRUST"),
        ("12 ELDER STREET LLC", "12 ELDER STREET LLC"),
    ] {
        assert_eq!(of(Assessor { primary_owner: text(line), ..known() }).primary_owner.as_deref(), Some(shown));
    }
    for year in [0, 1, 999, 2029, 9999, u16::MAX] {
        assert_eq!(of(Assessor { year_built: fact(year), ..known() }).home_built_year, None, "{year}");
    }
    for date in ["1900-01-01", "1800-01-01", "2026-11-22", "0000-00-00", "", "2016"] {
        assert_eq!(of(Assessor { sale_date: text(date), ..known() }).years_in_home, None, "{date}");
    }
    for (date, years) in [("2016-11-21", "10"), ("2026-11-21", "0"), ("1902-01-01", "124")] {
        assert_eq!(of(Assessor { sale_date: text(date), ..known() }).years_in_home.as_deref(), Some(years));
    }
    for area in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e300, 0.2] {
        let none = Assessor { building_area_sqft: fact(area), living_area_sqft: None, ..known() };
        assert_eq!(of(none).area_building_size, None, "{area}");
        let living = Assessor { building_area_sqft: fact(area), ..known() };
        assert_eq!(of(living).area_building_size.as_deref(), Some("2410"), "{area}");
    }
}

#[test]
fn the_larger_of_two_areas_is_that_of_all_structures() {
    let footprint = Assessor { building_area_sqft: fact(1_200.0), ..known() };
    assert_eq!(of(footprint).area_building_size.as_deref(), Some("2410"));
}

#[test]
fn a_class_has_a_plain_word_where_the_source_has_none() {
    let found = of(Assessor { property_type: None, ..known() });
    assert_eq!(found.property_type.as_deref(), Some("Two to four units"));
    let coded = Assessor { property_type: text("002"), ..known() };
    assert_eq!(of(coded.clone()).property_type.as_deref(), Some("Two to four units"), "a code describes nothing");
    let bare = of(Assessor { property_class: None, ..coded });
    assert_eq!(bare.property_type.as_deref(), Some("002"), "better than nothing");
}

#[test]
fn every_field_names_its_source_or_its_rule() {
    let found = evidence(vec![], known());
    let record = property_details(Some(&found), now());
    let named = sources(Some(&found), now());
    assert_eq!(named.len(), 11);
    assert_eq!(record.years_in_home.as_deref(), Some("9"));
    let origin = |field| named.iter().find(|(f, _)| *f == field).map(|(_, o)| o.clone());
    assert_eq!(origin("primaryOwner"), Some(Origin::Recorded(0)));
    assert!(matches!(origin("yearsInHome"), Some(Origin::Derived { rule, .. }) if rule.contains("at least")));
    let sold = evidence(vec![], Assessor { sale_price: fact(Usd::from_dollars(400_000)), ..known() });
    assert!(
        sources(Some(&sold), now()).iter().any(
            |(f, o)| *f == "yearsInHome" && matches!(o, Origin::Derived { rule, .. } if !rule.contains("at least"))
        )
    );
    let why = reasons(Some(&found));
    assert_eq!(
        why.iter().map(|r| (r.field, r.part)).collect::<Vec<_>>(),
        [("ownerOccupied", "exemption"), ("scructurePresent", "structure")]
    );
}

#[test]
fn an_owner_that_is_no_person_occupies_nothing_unless_exempt() {
    let owned = |owner: &str, exempt, here: Option<bool>| {
        of(Assessor {
            primary_owner: text(owner),
            secondary_owner: None,
            residential_exemption: fact(exempt),
            mailed_here: here.and_then(fact),
            ..known()
        })
        .owner_occupied
    };
    assert_eq!(owned("HOLLOW HOLDINGS LLC", false, Some(true)), Some(false));
    assert_eq!(owned("HOLLOW HOLDINGS LLC", true, None), Some(true));
    assert_eq!(owned("TALLOWBY FAMILY TRUST", false, Some(true)), Some(true));
    assert_eq!(owned("TALLOWBY, ADA", false, Some(false)), Some(false));
    assert_eq!(owned("TALLOWBY, ADA", false, None), None);
}
