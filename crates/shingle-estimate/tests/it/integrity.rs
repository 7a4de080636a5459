//! The integrity score, case by case.

use shingle_domain::details::Defect::{self, Occupancy, Structure, Surname, Zoning};
use shingle_domain::evidence::{Assessor, Evidence, MatchLevel, PropertyClass};
use shingle_domain::money::Usd;
use shingle_estimate::integrity::{IntegrityScore, lead_integrity};

use crate::fixture::{evidence, fact, house, rectangle};

/// Lived in by its owner, a home, built: everything on record.
fn home() -> Assessor {
    Assessor {
        primary_owner: fact("TALLOWBY, ADA M.".to_owned()),
        residential_exemption: fact(true),
        mailed_here: fact(true),
        property_class: fact(PropertyClass::SingleFamily),
        zoning: fact("C-1".to_owned()),
        year_built: fact(1931),
        building_area_sqft: fact(1_800.0),
        ..Assessor::default()
    }
}

fn absentee(assessor: Assessor) -> Assessor {
    Assessor { residential_exemption: fact(false), mailed_here: fact(false), ..assessor }
}

fn vacant(assessor: Assessor) -> Assessor {
    Assessor { property_class: fact(PropertyClass::VacantLand), year_built: None, building_area_sqft: None, ..assessor }
}

fn of(assessor: Assessor, last_name: Option<&str>) -> IntegrityScore {
    let answer = lead_integrity(Some(&evidence(vec![], assessor)), last_name);
    let exact: f64 = answer.reasons.iter().map(|r| r.points).sum();
    let score = answer.integrity.lead_integrity_score.map(f64::from);
    assert_eq!(score, Some((exact + 0.5 + 1e-9).floor()), "the reasons add up");
    answer
}

fn sorted(mut defects: Vec<Defect>) -> Vec<Defect> {
    defects.sort_by_key(|d| *d as u8);
    defects
}

#[test]
fn the_table_of_cases_comes_out() {
    let residential = |a: Assessor| Assessor { zoning: fact("R-1 Single Family".to_owned()), ..a };
    let shop = |a: Assessor| Assessor { property_class: fact(PropertyClass::Commercial), ..a };
    let vacant_shop = |a: Assessor| Assessor { property_type: fact("VACANT COMMERCIAL LAND".to_owned()), ..vacant(a) };
    for (case, assessor, typed, score, defects) in [
        ("all confirmed", home(), Some("Tallowby"), 10, vec![]),
        ("surname mismatch only", home(), Some("Wickstead"), 7, vec![Surname]),
        ("absentee owner only", absentee(home()), Some("Tallowby"), 8, vec![Occupancy]),
        ("non-residential zoning only", shop(home()), Some("Tallowby"), 8, vec![Zoning]),
        ("absentee and surname mismatch", absentee(home()), Some("Wickstead"), 5, vec![Occupancy, Surname]),
        (
            "no structure, vacant land, absentee, mismatch, residential zoning",
            residential(vacant(absentee(home()))),
            Some("Wickstead"),
            2,
            vec![Occupancy, Structure, Surname],
        ),
        (
            "nothing confirmed, all contradicted",
            vacant_shop(absentee(home())),
            Some("Wickstead"),
            0,
            vec![Zoning, Occupancy, Structure, Surname],
        ),
        ("no last name: its weight leaves", home(), None, 10, vec![]),
        ("no last name, absentee", absentee(home()), None, 7, vec![Occupancy]),
        ("nothing recorded", Assessor::default(), Some("Tallowby"), 5, vec![Zoning, Occupancy, Structure, Surname]),
        ("nothing recorded, no last name", Assessor::default(), None, 5, vec![Zoning, Occupancy, Structure]),
        (
            "everything but the owner's name recorded",
            Assessor { primary_owner: fact("UNKNOWN".to_owned()), ..home() },
            Some("Tallowby"),
            // 8.5, half up.
            9,
            vec![Surname],
        ),
    ] {
        let answer = of(assessor, typed).integrity;
        println!("{case}: {:?} {:?}", answer.lead_integrity_score, answer.lead_integrity_defects);
        assert_eq!(answer.lead_integrity_score, Some(score), "{case}");
        assert_eq!(answer.lead_integrity_defects.map(sorted), Some(sorted(defects)), "{case}");
    }
}

#[test]
fn no_place_gives_no_score_and_no_defects() {
    assert_eq!(lead_integrity(None, Some("Tallowby")), IntegrityScore::default());
    let mut neighbour = evidence(vec![], home());
    neighbour.matched.level = MatchLevel::Interpolated;
    assert_eq!(lead_integrity(Some(&neighbour), Some("Tallowby")), IntegrityScore::default());
}

#[test]
fn a_similar_street_confirms_the_house_only_with_the_surname() {
    let mut similar = evidence(vec![], home());
    similar.matched.level = MatchLevel::SimilarName;
    let defects = |name| lead_integrity(Some(&similar), name).integrity.lead_integrity_defects;
    assert_eq!(defects(None), Some(vec![Structure]));
    assert_eq!(defects(Some("Tallowby")), Some(vec![]));
}

#[test]
fn the_deed_of_the_whole_house_contradicts_no_flat() {
    let score = |level, class| {
        let mut found = evidence(vec![], Assessor { property_class: fact(class), ..home() });
        found.matched.level = level;
        lead_integrity(Some(&found), Some("Wickstead")).integrity.lead_integrity_score
    };
    assert_eq!(score(MatchLevel::Exact, PropertyClass::TwoToFourUnits), Some(7));
    assert_eq!(score(MatchLevel::WithoutUnit, PropertyClass::TwoToFourUnits), Some(9));
    assert_eq!(score(MatchLevel::WithoutUnit, PropertyClass::SingleFamily), Some(7));
}

fn has(assessor: Assessor, defect: Defect) -> bool {
    of(assessor, None).integrity.lead_integrity_defects.is_some_and(|d| d.contains(&defect))
}

#[test]
fn the_use_class_goes_before_the_district() {
    use PropertyClass::{Apartments, Commercial, Condominium, MixedResidential, MobileHome, Other, SingleFamily};
    let of_class = |class, zoning: &str| Assessor {
        property_class: class,
        zoning: fact(zoning.to_owned()),
        ..Assessor::default()
    };
    for district in ["C-1", "BA", "I", "B", "", "R-1"] {
        for class in [SingleFamily, Condominium, Apartments, MobileHome, MixedResidential] {
            assert!(!has(of_class(fact(class), district), Zoning), "{class:?} in {district}");
        }
        for class in [Commercial, Other] {
            assert!(has(of_class(fact(class), district), Zoning), "{class:?} in {district}");
        }
    }
    let points = |district: &str| of(of_class(None, district), None).reasons[0].points;
    let (unknown, confirmed) = (points(""), points("Single Family Residential"));
    assert!(confirmed > unknown);
    // No letter alone decides, and none contradicts.
    for district in ["C", "C-1", "BA", "B-3", "I-2", "A-1", "R", "PUD", "MXD", "Non-Residential", "RC"] {
        assert_eq!(points(district), unknown, "{district}");
    }
    for district in ["R-1", "R1", "RS-7", "RM-2", "SF-3", "MF-2", "RES", "Multi-Family"] {
        assert_eq!(points(district), confirmed, "{district}");
    }
}

#[test]
fn the_words_of_the_type_serve_where_the_class_is_silent() {
    let points = |class, kind: &str| {
        let assessor = Assessor { property_class: class, property_type: fact(kind.to_owned()), ..Assessor::default() };
        of(assessor, None).reasons[0].points
    };
    let none = points(None, "");
    for kind in ["Two-Family Res", "SNGL-FAM-RES", "Residential Condo", "RES-UDV-LAND", "Apartment"] {
        assert!(points(None, kind) > none, "{kind}");
        assert!(points(fact(PropertyClass::Other), kind) > none, "{kind}");
    }
    for kind in ["WAREHOUSE", "COM-UDV-LAND", "Vacant City", "Church", "GAS-STATION"] {
        assert!(points(None, kind) < none, "{kind}");
    }
    assert!(points(None, "Mixed use: retail and residential").total_cmp(&none).is_eq());
}

#[test]
fn occupancy_goes_by_exemption_then_mail_then_stays_open() {
    let owned = |owner: &str, exempt: Option<bool>, here: Option<bool>| Assessor {
        primary_owner: fact(owner.to_owned()),
        residential_exemption: exempt.and_then(fact),
        mailed_here: here.and_then(fact),
        ..Assessor::default()
    };
    let points = |a: Assessor| of(a, None).reasons.iter().find(|r| r.part == "occupancy").map(|r| r.points);
    let none = points(Assessor::default());
    for (owner, exempt, here, expected) in [
        ("TALLOWBY, ADA", Some(true), Some(false), 2.0),
        ("TALLOWBY, ADA", Some(false), Some(true), 2.0),
        ("TALLOWBY, ADA", Some(false), None, 1.0),
        ("TALLOWBY, ADA", None, Some(false), 0.0),
        ("TALLOWBY FAMILY TRUST", None, Some(true), 2.0),
        ("TALLOWBY HOLDINGS LLC", None, Some(true), 0.0),
        ("TALLOWBY HOLDINGS LLC", None, None, 0.0),
        ("TALLOWBY HOLDINGS LLC", Some(true), None, 2.0),
    ] {
        let found = points(owned(owner, exempt, here));
        assert_eq!(found.zip(none).map(|(f, n)| f / n), Some(expected), "{owner} {exempt:?} {here:?}");
    }
}

#[test]
fn a_house_is_confirmed_by_any_sign_and_doubted_against_its_class() {
    let part = |e: &Evidence| {
        let found = lead_integrity(Some(e), None).reasons.into_iter().find(|r| r.part == "structure");
        found.map(|r| (r.points / r.weight.unwrap_or(1.0) * 7.0 / 10.0, r.because))
    };
    let share = |a: Assessor| part(&evidence(vec![], a)).map(|(s, _)| (s * 2.0).round() as u8);
    let with = |f: fn(&mut Assessor)| {
        let mut a = Assessor::default();
        f(&mut a);
        share(a)
    };
    assert_eq!(with(|a| a.building_area_sqft = fact(900.0)), Some(2));
    assert_eq!(with(|a| a.year_built = fact(1900)), Some(2));
    assert_eq!(with(|a| a.building_value = fact(Usd::from_dollars(1))), Some(2));
    assert_eq!(with(|_| ()), Some(1));
    assert_eq!(with(|a| a.year_built = fact(0)), Some(1));
    assert_eq!(with(|a| a.building_area_sqft = fact(-5.0)), Some(1));
    assert_eq!(with(|a| a.property_class = fact(PropertyClass::VacantLand)), Some(0));
    assert_eq!(with(|a| a.property_type = fact("PARKING-LOT".into())), Some(0));
    let zero = |a: &mut Assessor| {
        a.building_value = fact(Usd::from_dollars(0));
        a.building_area_sqft = fact(0.0);
    };
    assert_eq!(with(zero), Some(0));
    let outlined = house(vec![rectangle(40.0, 30.0)]);
    assert_eq!(part(&outlined).map(|p| (p.0 * 2.0).round() as u8), Some(2));
    let mut both = outlined;
    both.place.assessor.property_class = fact(PropertyClass::VacantLand);
    let (share, because) = part(&both).unwrap_or_default();
    assert!((share - 0.5).abs() < 1e-9 && because.contains("vacant"), "{because}");
}
