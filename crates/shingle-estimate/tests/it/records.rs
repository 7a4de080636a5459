use shingle_domain::evidence::{Assessor, Garage, PropertyClass, RoofType};
use shingle_domain::public::MeasureMethod;
use shingle_domain::roof::Complexity;
use shingle_estimate::roof::{RoofMeasure, measure, roof_estimate, roof_found};

use crate::fixture::{building, evidence, fact, outline, prices, rectangle};

fn recorded(assessor: Assessor) -> Option<RoofMeasure> {
    measure(&evidence(vec![], assessor), None)
}

fn attached(area_sqft: Option<f64>, cars: Option<f64>) -> Option<shingle_domain::evidence::Fact<Garage>> {
    fact(Garage { attached: true, area_sqft, cars })
}

#[track_caller]
fn assert_model(assessor: Assessor, plan_sqft: f64, area_sqft: u32, sigma: f64) {
    let found = recorded(assessor).expect("measurable");
    assert_eq!(found.method, MeasureMethod::Records);
    assert!((found.plan_sqft - plan_sqft).abs() < 0.05, "plan {}", found.plan_sqft);
    assert_eq!(found.area_sqft, area_sqft);
    assert!((found.sigma - sigma).abs() < 0.0005, "sigma {}", found.sigma);
}

fn living(sqft: f64, storeys: f64) -> Assessor {
    Assessor { living_area_sqft: fact(sqft), storeys: fact(storeys), ..Assessor::default() }
}

#[test]
fn one_storey_with_a_measured_garage() {
    // (1600 + 500) * 1.02 = 2142; around it 4.54 * sqrt(2142) = 210.12, and 4; * 1.118 = 2634.
    let house = Assessor { garage: attached(Some(500.0), None), ..living(1_600.0, 1.0) };
    assert_model(house, 2_356.12, 2_634, 0.1349);
}

#[test]
fn two_storeys_with_a_garage_for_two_cars() {
    // (2400 / 1.88 + 37 + 500) * 1.02 = 1849.87; 4.54 * sqrt = 195.27, and 4; * 1.118 = 2291.
    let house = Assessor { garage: attached(None, Some(2.0)), ..living(2_400.0, 2.0) };
    assert_model(house, 2_049.14, 2_291, 0.1432);
}

#[test]
fn three_storeys_with_a_detached_garage() {
    // 3000 / 2.82 * 1.02 = 1085.11; 4.54 * sqrt = 149.55, and 4; * 1.118 = 1385.
    let garage = fact(Garage { attached: false, area_sqft: Some(600.0), cars: None });
    assert_model(Assessor { garage, ..living(3_000.0, 3.0) }, 1_238.66, 1_385, 0.1349);
}

#[test]
fn half_storeys_split_levels_and_no_word_of_a_garage() {
    // (1550 / 1.55 + 250) * 1.02 = 1275; 4.54 * sqrt = 162.11, and 4; * 1.118 = 1611.
    assert_model(living(1_550.0, 1.5), 1_441.11, 1_611, 0.2147);
    // (2350 / 2.35 + 250) * 1.02 is the same plan.
    assert_model(living(2_350.0, 2.5), 1_441.11, 1_611, 0.2147);
    let split = Assessor { style: fact("Split Level".to_owned()), ..living(1_000.0, 2.0) };
    assert_model(split, 1_441.11, 1_611, 0.2147);
}

#[test]
fn a_recorded_ground_floor_beats_the_storeys() {
    let house =
        Assessor { ground_floor_sqft: fact(1_600.0), garage: attached(Some(500.0), None), ..living(9_000.0, 2.0) };
    assert_model(house, 2_356.12, 2_634, 0.1349);
}

#[test]
fn living_area_alone_still_says_something() {
    // 529 + 0.66 * 2000 = 1849; 4.54 * sqrt = 195.22, and 4; * 1.118 = 2290.
    let house = Assessor { living_area_sqft: fact(2_000.0), ..Assessor::default() };
    assert_model(house, 2_048.22, 2_290, 0.3586);
    let total = Assessor { building_area_sqft: fact(2_000.0), ..Assessor::default() };
    assert_model(total, 2_048.22, 2_290, 0.3586);
}

#[test]
fn a_low_sloped_type_lowers_the_area() {
    let flat = recorded(Assessor { roof_type: fact(RoofType::Flat), ..living(1_550.0, 1.5) }).expect("measurable");
    assert_eq!((flat.area_sqft, flat.pitch_degrees), (1_442, 2.0));
}

#[test]
fn what_has_no_roof_of_its_own_gets_no_figure() {
    for class in [
        PropertyClass::Condominium,
        PropertyClass::Apartments,
        PropertyClass::MixedResidential,
        PropertyClass::VacantLand,
        PropertyClass::Commercial,
        PropertyClass::Other,
    ] {
        let house = Assessor { property_class: fact(class), ..living(2_000.0, 2.0) };
        assert_eq!(recorded(house), None, "{class:?}");
    }
    assert_eq!(recorded(Assessor { units: fact(6), ..living(9_000.0, 3.0) }), None);
    assert_eq!(recorded(Assessor::default()), None);
    assert_eq!(recorded(Assessor { living_area_sqft: fact(f64::NAN), ..Assessor::default() }), None);
    assert_eq!(recorded(Assessor { living_area_sqft: fact(0.0), ..Assessor::default() }), None);
    let home = Assessor { property_class: fact(PropertyClass::SingleFamily), ..living(2_000.0, 2.0) };
    assert!(recorded(home).is_some());
}

#[test]
fn an_outline_beats_the_records_and_a_broken_one_does_not() {
    let home = || living(2_400.0, 2.0);
    let mapped = evidence(vec![building(outline(vec![rectangle(50.0, 30.0)]), "house")], home());
    assert_eq!(measure(&mapped, None).map(|m| m.method), Some(MeasureMethod::Outline));
    let line = crate::fixture::polygon(&[(0.0, 0.0), (50.0, 0.0), (90.0, 0.0)]);
    let broken = evidence(vec![building(outline(vec![line]), "house")], home());
    assert_eq!(measure(&broken, Some(0)).map(|m| m.method), Some(MeasureMethod::Records));
    assert_eq!(measure(&broken, Some(1)), None);
}

#[test]
fn the_roof_type_decides_how_complex_it_is() {
    let complexity = |roof: Option<RoofType>, sqft: f64| {
        let house = Assessor { roof_type: roof.and_then(fact), ..living(sqft, 1.0) };
        recorded(house).expect("measurable").complexity
    };
    assert_eq!(complexity(None, 1_500.0), None);
    assert_eq!(complexity(Some(RoofType::Gable), 1_500.0), Some(Complexity::Simple));
    assert_eq!(complexity(Some(RoofType::Hip), 1_500.0), Some(Complexity::Average));
    assert_eq!(complexity(Some(RoofType::Mansard), 1_500.0), Some(Complexity::Average));
    assert_eq!(complexity(Some(RoofType::Gable), 3_500.0), Some(Complexity::Average));
    assert_eq!(complexity(Some(RoofType::Hip), 3_500.0), Some(Complexity::Complex));
}

#[test]
fn nothing_known_is_null_throughout_and_never_a_guess() {
    let nothing = shingle_domain::roof::RoofEstimate::default();
    assert_eq!(roof_estimate(None, None, None, None, &prices()), nothing);
    let bare = evidence(vec![], Assessor::default());
    assert_eq!(roof_estimate(Some(&bare), None, None, None, &prices()), nothing);
    assert_eq!(roof_found("k", &bare), None);
}
