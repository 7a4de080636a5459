//! A building that is not a home gets no figures of a home, whatever the records call it.

use shingle_domain::Evidence;
use shingle_domain::evidence::PropertyClass;
use shingle_domain::utility::UtilityStatus;
use shingle_estimate::buyer::buyer_scores;
use shingle_estimate::roof::{self, measure};
use shingle_estimate::solar::solar_index;
use shingle_estimate::utility::utility_bill;

use super::fixture::{building, fact, outline, prices, rectangle};
use super::home::{home, now};

/// Whether the bill, the solar index and the scores of pay and purchase are given.
fn figures(evidence: &Evidence) -> [bool; 4] {
    let scores = buyer_scores(Some(evidence), now(), None).scores;
    [
        utility_bill(Some(evidence), now()).status == UtilityStatus::Success,
        solar_index(Some(evidence), now()).index.solar_index.is_some(),
        scores.pay_score.is_some(),
        scores.elevate_score.is_some(),
    ]
}

#[test]
fn a_shop_and_a_school_get_a_roof_and_no_homes_figures() {
    assert_eq!(figures(&home()), [true; 4]);
    let unclassed = || {
        let mut evidence = home();
        let assessor = &mut evidence.place.assessor;
        (assessor.property_class, assessor.property_type, assessor.living_area_sqft) = (None, None, None);
        assessor.building_area_sqft = fact(2_400.0);
        evidence
    };
    assert_eq!(figures(&unclassed()), [true; 4], "nothing says that it is not a home");
    for kind in ["RETAIL STORE", "Church", "IND-WAREHOUSE", "Public School"] {
        let mut evidence = unclassed();
        evidence.place.assessor.property_type = fact(kind.into());
        assert_eq!(figures(&evidence), [false; 4], "{kind}");
    }
    for (drawn, given) in
        [(&["school"][..], false), (&["church", "shed"], false), (&["house", "church"], true), (&["shed"], true)]
    {
        let mut evidence = unclassed();
        evidence.place.buildings =
            drawn.iter().map(|use_| building(outline(vec![rectangle(60.0, 40.0)]), use_)).collect();
        assert_eq!(figures(&evidence), [given; 4], "{drawn:?}");
        assert!(given || measure(&evidence, None).is_some_and(|roof| roof.area_sqft > 2_000), "{drawn:?}");
    }
    // The larger part says what it is: a church with a small house, a house with a small office.
    for (no_home, drawn_home, given) in [(40.0, 8.0, false), (8.0, 40.0, true)] {
        let mut evidence = unclassed();
        evidence.place.buildings = vec![
            building(outline(vec![rectangle(60.0, no_home)]), "church"),
            building(outline(vec![rectangle(60.0, drawn_home)]), "residential"),
        ];
        assert_eq!(figures(&evidence), [given; 4], "{no_home}");
    }
    let mut shop = home();
    shop.place.assessor.property_class = fact(PropertyClass::Commercial);
    assert_eq!(figures(&shop), [false; 4]);
    // Somebody lives beside the shop.
    let mut beside = unclassed();
    beside.place.assessor.property_type = fact("STORE WITH DWELLING".into());
    assert_eq!(figures(&beside), [true; 4]);
}

#[test]
fn a_house_of_apartments_without_a_class_is_no_detached_house() {
    let drawn_as = |use_: &str| {
        let mut evidence = home();
        let assessor = &mut evidence.place.assessor;
        (assessor.property_class, assessor.property_type, assessor.units) = (None, None, None);
        (assessor.living_area_sqft, assessor.building_area_sqft) = (None, None);
        evidence.place.buildings = vec![building(outline(vec![rectangle(90.0, 45.0)]), use_)];
        evidence
    };
    let bill = |evidence: &Evidence| {
        let bill = utility_bill(Some(evidence), now());
        assert_eq!(bill.status, UtilityStatus::Success);
        bill.data.electricity.expect("a bill").annual_consumption
    };
    let (house, apartments) = (bill(&drawn_as("house")), bill(&drawn_as("apartments")));
    assert!(apartments < house * 0.7, "one flat's bill, not the building's: {apartments} of {house}");
    let mut typed = drawn_as("yes");
    typed.place.assessor.property_type = fact("GARDEN APTS".into());
    assert!((bill(&typed) - apartments).abs() < 0.01);
    // A garage behind it changes nothing, a house beside it that is larger does.
    let mut mixed = drawn_as("apartments");
    mixed.place.buildings.push(building(outline(vec![rectangle(95.0, 45.0)]), "garage"));
    assert!((bill(&mixed) - apartments).abs() < 0.01);
    mixed.place.buildings.push(building(outline(vec![rectangle(95.0, 45.0)]), "house"));
    assert!(bill(&mixed) > apartments);
    assert!(figures(&drawn_as("apartments"))[1], "its solar index says that no household owns the roof");
}

#[test]
fn the_roof_of_no_home_is_marked_as_such() {
    let marks = |evidence: &Evidence| -> Vec<String> {
        let reasons = roof::reasons(Some(evidence), None, None, None, &prices());
        assert!(reasons.iter().any(|reason| reason.field == "roofArea"), "it has a roof");
        reasons.into_iter().filter(|reason| reason.part == "use").map(|reason| reason.because).collect()
    };
    assert_eq!(marks(&home()), [""; 0]);
    let mut shop = home();
    shop.place.assessor.property_class = fact(PropertyClass::Commercial);
    assert_eq!(marks(&shop), ["The roof of no home: the records class the property as commercial."]);
    let mut church = home();
    let assessor = &mut church.place.assessor;
    (assessor.property_class, assessor.living_area_sqft) = (None, None);
    (assessor.property_type, assessor.building_area_sqft) = (fact("Church".into()), fact(2_400.0));
    assert_eq!(marks(&church), ["The roof of no home: the records call the property Church."]);
    let mut school = church;
    // A type that says nothing is not the reason.
    school.place.assessor.property_type = fact("Brick".into());
    school.place.buildings = vec![building(outline(vec![rectangle(60.0, 40.0)]), "school")];
    assert_eq!(marks(&school), ["The roof of no home: the building map calls the building no home."]);
}

#[test]
fn a_recorded_floor_makes_no_home_of_a_store_an_office_or_a_hangar() {
    let with = |kind: &str, class: Option<PropertyClass>, sqft: f64| {
        let mut evidence = home();
        let assessor = &mut evidence.place.assessor;
        assessor.property_class = class.and_then(fact);
        assessor.property_type = fact(kind.into());
        assessor.living_area_sqft = fact(sqft);
        utility_bill(Some(&evidence), now()).status == UtilityStatus::Success
    };
    for class in [None, Some(PropertyClass::Other)] {
        for kind in [
            "SHOP CTR",
            "OFFICE",
            "WAREHOUSE",
            "AIRCRAFT HANGAR",
            "Retail Store",
            "BANK",
            "MFG PLANT",
            "Parking garage",
            "HOTEL",
            "Bowling alley",
            "RESTAURANTS",
            "Auto dealership",
        ] {
            for sqft in [900.0, 2_400.0, 6_521.0, 42_964.0] {
                assert!(!with(kind, class, sqft), "{kind} {class:?} {sqft}");
            }
        }
        for kind in ["STORE/APT", "Shop with living", "RES OVER OFFICE", "MOBILE HOME", "COTTAGE", "CONDO", "Ranch"] {
            assert!(with(kind, class, 1_400.0), "{kind} {class:?}");
        }
        // Whatever it is called, nobody lives on such a floor alone.
        assert!(!with("MISC IMPS", class, 42_964.0), "{class:?}");
    }
    assert!(with("OFFICE", Some(PropertyClass::SingleFamily), 2_400.0), "its class says more than its type");
    assert!(with("Ranch", Some(PropertyClass::SingleFamily), 14_000.0), "a mansion");
}
