use shingle_domain::evidence::{Assessor, Evidence, MatchLevel, PropertyClass, RoofPlane, RoofType};
use shingle_domain::money::Usd;
use shingle_domain::roof::{AreaAlert, PitchAlert};
use shingle_estimate::roof::measure;

use crate::fixture::{building, evidence, fact, house, outline, rectangle, with_roof};

fn area_alert(evidence: &Evidence) -> AreaAlert {
    measure(evidence, None).expect("measurable").alerts.roof_area_alert.expect("looked at")
}

fn pitched(degrees: f64) -> PitchAlert {
    let mut outline = outline(vec![rectangle(50.0, 30.0)]);
    let ring = outline.parts[0].exterior.clone();
    outline.planes =
        vec![RoofPlane { ring, holes: vec![], height: None, pitch_degrees: degrees, azimuth_degrees: 180.0 }];
    let evidence = evidence(vec![building(outline, "house")], Assessor::default());
    measure(&evidence, None).expect("measurable").alerts.roof_pitch_alert.expect("looked at")
}

#[test]
fn pitch_is_flagged_below_2_12_and_above_12_12() {
    assert_eq!(pitched(9.4), PitchAlert::LowPitch);
    assert_eq!(pitched((2.0_f64 / 12.0).atan().to_degrees()), PitchAlert::NoAlerts);
    assert_eq!(pitched(26.6), PitchAlert::NoAlerts);
    assert_eq!(pitched(45.0), PitchAlert::NoAlerts);
    assert_eq!(pitched(45.1), PitchAlert::HighPitch);
    let flat = evidence(vec![building(outline(vec![rectangle(50.0, 30.0)]), "house")], with_roof(RoofType::Flat));
    assert_eq!(measure(&flat, None).and_then(|m| m.alerts.roof_pitch_alert), Some(PitchAlert::LowPitch));
}

#[test]
fn area_is_flagged_when_out_of_the_ordinary() {
    // At 6/12: 626 sq ft of plan are 700 of roof, 5,814 are 6,500.
    assert_eq!(area_alert(&house(vec![rectangle(62.5, 10.0)])), AreaAlert::LowArea);
    assert_eq!(area_alert(&house(vec![rectangle(62.7, 10.0)])), AreaAlert::NoAlerts);
    assert_eq!(area_alert(&house(vec![rectangle(58.1, 100.0)])), AreaAlert::NoAlerts);
    assert_eq!(area_alert(&house(vec![rectangle(58.2, 100.0)])), AreaAlert::HighArea);
}

#[test]
fn area_is_flagged_when_the_assessor_disagrees() {
    let against = |floor: f64| {
        let records = Assessor { ground_floor_sqft: fact(floor), ..Assessor::default() };
        area_alert(&evidence(vec![building(outline(vec![rectangle(50.0, 30.0)]), "house")], records))
    };
    // 1,677 sq ft of roof.
    assert_eq!(against(761.0), AreaAlert::HighArea);
    assert_eq!(against(763.0), AreaAlert::NoAlerts);
    assert_eq!(against(2_794.0), AreaAlert::NoAlerts);
    assert_eq!(against(2_797.0), AreaAlert::LowArea);
    let storeys = Assessor { living_area_sqft: fact(1_400.0), storeys: fact(2.0), ..Assessor::default() };
    let narrow = evidence(vec![building(outline(vec![rectangle(50.0, 30.0)]), "house")], storeys);
    assert_eq!(area_alert(&narrow), AreaAlert::HighArea);
}

#[test]
fn an_outline_over_the_border_is_flagged() {
    let mut house = house(vec![rectangle(50.0, 30.0)]);
    house.place.buildings[0].outline.spans_parcels = true;
    assert_eq!(area_alert(&house), AreaAlert::HighArea);
}

#[test]
fn confidence_is_100_only_for_this_very_building() {
    let confidence = |e: &Evidence| measure(e, None).expect("measurable").confidence;
    let mut home = house(vec![rectangle(50.0, 30.0)]);
    for (level, expected) in [
        (MatchLevel::Exact, 100),
        (MatchLevel::WithoutUnit, 100),
        (MatchLevel::WithoutSuffix, 100),
        (MatchLevel::NumberRange, 100),
        (MatchLevel::SimilarName, 50),
        (MatchLevel::Interpolated, 50),
    ] {
        home.matched.level = level;
        assert_eq!(confidence(&home), expected, "{level:?}");
    }
    home.matched.level = MatchLevel::Exact;
    home.place.assessor.building_value = fact(Usd::from_dollars(0));
    assert_eq!(confidence(&home), 50, "nothing of value stands there");
    home.place.assessor.year_built = fact(1990);
    assert_eq!(confidence(&home), 100);
    home.place.assessor.property_class = fact(PropertyClass::VacantLand);
    assert_eq!(confidence(&home), 50, "vacant land");
}

#[test]
fn records_alone_are_sure_when_they_name_a_building() {
    let records = Assessor { living_area_sqft: fact(1_800.0), ..Assessor::default() };
    assert_eq!(measure(&evidence(vec![], records), None).map(|m| m.confidence), Some(100));
}

#[test]
fn several_alike_are_doubtful_until_somebody_chooses() {
    let two = |second: (f64, f64), use_: &str| {
        let first = building(outline(vec![rectangle(50.0, 30.0)]), "house");
        evidence(vec![first, building(outline(vec![rectangle(second.0, second.1)]), use_)], Assessor::default())
    };
    let confidence = |e: &Evidence, choice| measure(e, choice).expect("measurable").confidence;
    assert_eq!(confidence(&two((45.0, 30.0), "house"), None), 50);
    assert_eq!(confidence(&two((45.0, 30.0), "house"), Some(0)), 100);
    assert_eq!(confidence(&two((45.0, 30.0), "garage"), None), 100, "a garage is no second house");
    assert_eq!(confidence(&two((30.0, 30.0), "house"), None), 100, "clearly smaller");
}
