//! The solar index, case by case on paper, and for any home.

use proptest::prelude::*;
use shingle_domain::area::Table;
use shingle_domain::details::AccuracyCode;
use shingle_domain::evidence::{Assessor, MatchLevel, PermitKind, PropertyClass};
use shingle_domain::solar::FitLevel;
use shingle_domain::{Evidence, Usd};
use shingle_estimate::solar::{CLIMATE, ECONOMIC, NEUTRAL, SolarEstimate, solar_index};

use super::fixture::{building, design_outline, fact};
use super::home::{any_home, figure, home, now, permit};

fn index_of(evidence: &Evidence) -> SolarEstimate {
    solar_index(Some(evidence), now())
}

fn part(answer: &SolarEstimate, name: &str) -> Option<f64> {
    answer.reasons.iter().find(|r| r.part == name).map(|r| r.points)
}

#[test]
fn a_home_with_everything_on_record_gets_the_index_worked_on_paper() {
    // v = 1,500 x 0.16 = 240 USD: half way from 120 to 480 by ratio, E 0.5. O 1. Roof 50 x 30 ft at 6/12:
    // 1,677 sq ft, size 1, facing unknown 0.94, pitch 1. A 0.6. V: value at the median 0.5, 15.0 years
    // (5,479 days / 365.25 = 15.0007) 0.7: mean 0.6.
    // 10 x (0.2 + 0.2 + 0.141 + 0.09 + 0.06) / 1 + 0.25 = 7.16
    let answer = index_of(&home());
    println!("{answer:#?}");
    assert_eq!(answer.index.solar_index, Some(7.16));
    assert_eq!(answer.index.prospect_fit_level, Some(FitLevel::Moderate));
    assert_eq!(answer.index.accuracy_code, AccuracyCode::P);
    let expected = [
        ("economics", 2.0),
        ("occupancy", 2.0),
        ("roof", 1.41),
        ("adoption", 0.9),
        ("valueAndTenure", 0.6),
        ("incentive", 0.25),
    ];
    for (name, points) in expected {
        assert!(part(&answer, name).is_some_and(|p| (p - points).abs() < 1e-9), "{name}: {:?}", part(&answer, name));
    }
    let tables = [
        Table::EnergyPrices,
        Table::GridEmissions,
        Table::ZipAreas,
        Table::SolarYield,
        Table::StateSolar,
        Table::SolarIncentives,
    ];
    assert_eq!(answer.tables, tables);
}

#[test]
fn what_is_unknown_leaves_the_sum_and_its_weight() {
    // Without a record: E 0.5, the ZIP's owners 0.7, A 0.6; weights 0.40, 0.20, 0.15.
    // 10 x (0.2 + 0.14 + 0.09) / 0.75 + 0.25 = 5.98
    let mut area_only = home();
    area_only.place.assessor = Assessor::default();
    area_only.place.buildings.clear();
    let answer = index_of(&area_only);
    assert_eq!(answer.index.solar_index, Some(5.98));
    assert_eq!(answer.index.accuracy_code, AccuracyCode::G);

    // An address matched approximately says the same, whatever its record says.
    let mut near = home();
    near.matched.level = MatchLevel::SimilarName;
    assert_eq!(index_of(&near), answer);
    near.place.assessor.property_class = fact(PropertyClass::Commercial);
    assert_eq!(index_of(&near), answer);

    // Prices alone are 0.4 of the weight: too little.
    area_only.area.homes.owner_occupied = None;
    area_only.area.sun.adoption_percentile = None;
    let answer = index_of(&area_only);
    assert_eq!((answer.index.solar_index, answer.index.accuracy_code), (None, AccuracyCode::N));
    assert_eq!(answer.index.prospect_attitude, None);
    assert!(!answer.notes.is_empty());
}

#[test]
fn nothing_in_gives_nothing_out() {
    let answer = solar_index(None, now());
    assert_eq!((answer.index.solar_index, answer.index.prospect_fit_level), (None, None));
    assert_eq!((answer.index.prospect_attitude, answer.index.accuracy_code), (None, AccuracyCode::N));
    assert!(answer.reasons.is_empty() && answer.notes.is_empty() && answer.tables.is_empty());
}

#[test]
fn land_shops_and_offices_have_no_index() {
    for class in [PropertyClass::VacantLand, PropertyClass::Commercial, PropertyClass::Other] {
        let mut lot = home();
        lot.place.buildings.clear();
        lot.place.assessor = Assessor { property_class: fact(class), ..Assessor::default() };
        let answer = index_of(&lot);
        assert_eq!(answer.index.solar_index, None, "{class:?}");
        assert_eq!(answer.notes.len(), 1, "{class:?}");
    }
}

#[test]
fn panels_on_the_roof_are_a_note_and_no_points() {
    let mut equipped = home();
    equipped.place.permits.push(permit(PermitKind::Solar, "2022-03-01", None));
    let (without, with) = (index_of(&home()), index_of(&equipped));
    assert_eq!(with.index, without.index);
    assert!(with.notes.iter().any(|n| n.starts_with("Already has PV")));
    assert!(!without.notes.iter().any(|n| n.starts_with("Already has PV")));
}

#[test]
fn incentives_add_half_a_point_at_most_and_never_beyond_ten() {
    let with = |value: f64| {
        let mut found = home();
        found.area.sun.incentive = figure(value, Table::SolarIncentives);
        index_of(&found).index.solar_index
    };
    assert_eq!((with(0.0), with(0.5), with(9.0)), (Some(6.91), Some(7.41), Some(7.41)));
    let mut best = home();
    best.place.buildings = vec![building(design_outline(), "house")];
    best.place.assessor.sale_date = fact("2016-11-21".into());
    best.place.assessor.assessed_value = fact(Usd::from_dollars(900_000));
    best.area.prices.electricity_per_kwh = figure(0.5, Table::EnergyPrices);
    best.area.sun.adoption_percentile = figure(1.0, Table::StateSolar);
    assert_eq!(index_of(&best).index.solar_index, Some(10.0));
    assert_eq!(index_of(&best).index.prospect_fit_level, Some(FitLevel::Ideal));
}

#[test]
fn who_lives_there_and_what_stands_there_weigh_a_fifth() {
    let with = |class, exempt: Option<bool>, mailed: Option<bool>| {
        let mut found = home();
        found.place.assessor.property_class = class;
        found.place.assessor.units = None;
        found.place.assessor.residential_exemption = exempt.and_then(fact);
        found.place.assessor.mailed_here = mailed.and_then(fact);
        part(&index_of(&found), "occupancy").map(|p| (p * 50.0).round() / 100.0)
    };
    use PropertyClass::{Apartments, Condominium, MobileHome, SingleFamily, TwoToFourUnits};
    assert_eq!(with(fact(SingleFamily), Some(true), None), Some(1.0));
    assert_eq!(with(fact(SingleFamily), None, Some(true)), Some(1.0));
    assert_eq!(with(fact(TwoToFourUnits), Some(true), None), Some(0.6));
    assert_eq!(with(fact(MobileHome), Some(true), None), Some(0.6));
    assert_eq!(with(None, Some(true), None), Some(0.8));
    assert_eq!(with(fact(SingleFamily), None, Some(false)), Some(0.1));
    assert_eq!(with(fact(SingleFamily), None, None), Some(0.7), "the ZIP's owners");
    assert_eq!(with(fact(TwoToFourUnits), None, None), Some(0.6));
    // A flat has no roof of its own: the sum is over 0.85.
    let over = |class| with(fact(class), Some(true), None);
    println!("{:?} {:?}", over(Condominium), over(Apartments));
    assert!(over(Condominium).is_some_and(|s| s < 0.13) && over(Apartments).is_some_and(|s| s < 0.13));
}

#[test]
fn the_best_large_plane_decides_the_facing() {
    let mut surveyed = home();
    surveyed.place.buildings = vec![building(design_outline(), "house")];
    // Its southern planes count 1; east and west are left to be the best when they are turned away.
    assert!(part(&index_of(&surveyed), "roof").is_some_and(|p| (p - 1.5).abs() < 1e-9));
    for plane in &mut surveyed.place.buildings[0].outline.planes {
        plane.azimuth_degrees = if plane.azimuth_degrees == 180.0 { 0.0 } else { plane.azimuth_degrees };
    }
    assert!(part(&index_of(&surveyed), "roof").is_some_and(|p| (p - 1.5 * 0.85).abs() < 1e-9));
    for plane in &mut surveyed.place.buildings[0].outline.planes {
        plane.azimuth_degrees = 0.0;
        plane.pitch_degrees = 50.0;
    }
    assert!(part(&index_of(&surveyed), "roof").is_some_and(|p| (p - 1.5 * 0.65 * 0.7).abs() < 1e-9));
}

#[test]
fn the_attitude_follows_the_offer() {
    let with = |kwh: f64, price: f64, grid: f64| {
        let mut found = home();
        found.area.sun.kwh_per_kw_year = figure(kwh, Table::SolarYield);
        found.area.prices.electricity_per_kwh = figure(price, Table::EnergyPrices);
        found.area.grid.co2e_lb_per_mwh = figure(grid, Table::GridEmissions);
        index_of(&found).index.prospect_attitude
    };
    assert_eq!(with(1_700.0, 0.20, 1_500.0), Some(ECONOMIC), "economics of 0.75");
    assert_eq!(with(1_000.0, 0.225, 1_500.0), Some(ECONOMIC), "1.25 times the nation's price");
    assert_eq!(with(1_300.0, 0.14, 900.0), Some(CLIMATE));
    assert_eq!(with(1_300.0, 0.14, 880.0), Some(NEUTRAL));
    // Only the area, and a part of it missing: nothing to lead with.
    let mut area_only = home();
    area_only.place.assessor = Assessor::default();
    area_only.area.prices.electricity_per_kwh = figure(0.4, Table::EnergyPrices);
    assert_eq!(index_of(&area_only).index.prospect_attitude, Some(ECONOMIC));
    area_only.area.sun.adoption_percentile = None;
    assert_eq!(index_of(&area_only).index.prospect_attitude, Some(NEUTRAL));
}

#[test]
fn the_code_says_whom_the_index_speaks_of() {
    let code = |change: &dyn Fn(&mut Evidence)| {
        let mut found = home();
        found.place.assessor.secondary_owner = None;
        change(&mut found);
        index_of(&found).index.accuracy_code
    };
    assert_eq!(code(&|_| {}), AccuracyCode::P);
    assert_eq!(code(&|e| e.place.assessor.primary_owner = None), AccuracyCode::A);
    assert_eq!(code(&|e| e.place.assessor.primary_owner = fact("ELM HOLDINGS LLC".into())), AccuracyCode::A);
    assert_eq!(
        code(&|e| {
            e.place.assessor.residential_exemption = None;
            e.place.assessor.mailed_here = fact(false);
        }),
        AccuracyCode::A
    );
    assert_eq!(code(&|e| e.place.assessor = Assessor::default()), AccuracyCode::G, "an outline is no record");
    assert_eq!(code(&|e| e.matched.level = MatchLevel::Interpolated), AccuracyCode::G);
}

#[test]
fn a_placeholder_is_named_in_the_notes() {
    let mut found = home();
    if let Some(price) = &mut found.area.prices.electricity_per_kwh {
        price.placeholder = true;
    }
    assert!(index_of(&found).notes.iter().any(|n| n.contains("energy-prices") && n.contains("placeholder")));
    assert!(!index_of(&home()).notes.iter().any(|n| n.contains("placeholder")));
}

proptest! {
    #[test]
    fn the_index_of_any_home_stays_in_its_range_and_adds_up(found in any_home()) {
        let answer = index_of(&found);
        prop_assert_eq!(&answer, &index_of(&found));
        let index = &answer.index;
        prop_assert_eq!(index.solar_index.is_some(), index.prospect_fit_level.is_some());
        prop_assert_eq!(index.solar_index.is_some(), index.prospect_attitude.is_some());
        if let Some(value) = index.solar_index {
            prop_assert!((0.0..=10.0).contains(&value), "{value}");
            prop_assert_eq!((value * 100.0).round() / 100.0, value);
            let sum: f64 = answer.reasons.iter().map(|r| r.points).sum();
            prop_assert!((sum.clamp(0.0, 10.0) - value).abs() <= 0.005 + 1e-6, "{sum} {value}");
        }
        if index.accuracy_code == AccuracyCode::N {
            prop_assert_eq!(index.solar_index, None);
        }
    }
}
