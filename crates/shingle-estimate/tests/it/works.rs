//! A roof of several prices.

use proptest::prelude::*;
use shingle_domain::evidence::{Assessor, Evidence, RoofPlane, RoofType};
use shingle_domain::home_roof::BuildingSet;
use shingle_domain::lead::{MaterialPrice, RoofWork};
use shingle_domain::money::Usd;
use shingle_domain::roof::RoofMaterial;
use shingle_domain::settings::OwnPrices;
use shingle_estimate::roof::{PriceTerms, estimate_summary, measure, range, reasons, roof_estimate};

use crate::fixture::{building, evidence, fact, outline, prices, rectangle, with_roof};

/// A house of strips side by side, each 40 ft deep: width in feet, rise over 12.
fn strips(strips: &[(f64, f64)], assessor: Assessor) -> Evidence {
    let width: f64 = strips.iter().map(|(width, _)| width).sum();
    let mut whole = outline(vec![rectangle(width, 40.0)]);
    let mut from = 0.0;
    for (width, rise) in strips {
        let mut ring = rectangle(*width, 40.0).exterior;
        for point in &mut ring {
            point.x += from * 0.3048;
        }
        from += width;
        let pitch_degrees = (rise / 12.0).atan().to_degrees();
        whole.planes.push(RoofPlane { ring, holes: vec![], height: None, pitch_degrees, azimuth_degrees: 180.0 });
    }
    evidence(vec![building(whole, "house")], assessor)
}

fn dear() -> OwnPrices {
    let dollars = |n| Some(Usd::from_dollars(n));
    OwnPrices {
        low_slope: dollars(1_050),
        steep: dollars(40),
        very_steep: dollars(80),
        two_stories: dollars(30),
        three_stories: dollars(60),
        ..OwnPrices::default()
    }
}

fn asphalt(home: &Evidence, own: OwnPrices) -> MaterialPrice {
    let table = prices();
    let terms = PriceTerms { table: &table, asphalt_override: None, own };
    estimate_summary(home, BuildingSet::FIRST, &terms).expect("a home").prices.swap_remove(0)
}

fn parts(price: &MaterialPrice) -> Vec<(RoofWork, u32, i64)> {
    price.parts.iter().map(|part| (part.work, part.roof_area, part.price_per_square.cents() / 100)).collect()
}

fn stories(n: f64) -> Assessor {
    Assessor { storeys: fact(n), ..Assessor::default() }
}

#[test]
fn a_flat_part_is_a_membrane_and_the_rest_shingles() {
    // 1,120 sq ft nearly level, 160 at 4/12.
    let home = strips(&[(28.0, 0.5), (4.0, 4.0)], stories(3.0));
    let price = asphalt(&home, dear());
    let expected =
        vec![(RoofWork::LowSlope, 1_121, 1_050), (RoofWork::Covering, 169, 650), (RoofWork::ThreeStories, 1_290, 60)];
    assert_eq!(parts(&price), expected);
    // 11.21 x 1,050 + 1.69 x 650 + 12.9 x 60.
    assert_eq!(price.cost, Usd::from_cents(1_177_050 + 109_850 + 77_400));
    // Nobody says what a story costs: it costs nothing more. A membrane always has a price.
    let listed = parts(&asphalt(&home, OwnPrices::default()));
    assert_eq!(listed, [(RoofWork::LowSlope, 1_121, 800), (RoofWork::Covering, 169, 650)]);
}

#[test]
fn only_the_steep_planes_carry_the_surcharge() {
    let home = strips(&[(10.0, 7.0), (20.0, 9.0), (30.0, 10.0), (5.0, 14.0)], stories(1.5));
    let price = asphalt(&home, dear());
    let works: Vec<_> = parts(&price).into_iter().map(|(work, ..)| work).collect();
    assert_eq!(works, [RoofWork::Covering, RoofWork::Steep, RoofWork::VerySteep]);
    let area = |work| price.parts.iter().find(|part| part.work == work).map_or(0, |part| part.roof_area);
    // 20 x 40 x 1.25; 30 x 40 x 1.3017 and 5 x 40 x 1.5366.
    assert_eq!((area(RoofWork::Steep), area(RoofWork::VerySteep)), (1_000, 1_869));
    // With one steep price, it holds for all that is steep.
    let one = OwnPrices { very_steep: None, ..dear() };
    assert!(parts(&asphalt(&home, one)).contains(&(RoofWork::VerySteep, 1_869, 40)));
    assert_eq!(asphalt(&home, OwnPrices::default()).parts, []);
}

#[test]
fn what_nobody_measured_is_neither_steep_nor_low_unless_the_records_say_flat() {
    let bare = |assessor| evidence(vec![building(outline(vec![rectangle(50.0, 30.0)]), "house")], assessor);
    for roof in [RoofType::Mansard, RoofType::Gambrel, RoofType::Gable, RoofType::Shed] {
        assert_eq!(asphalt(&bare(with_roof(roof)), dear()).parts, [], "{roof:?}");
    }
    let flat = asphalt(&bare(with_roof(RoofType::Flat)), dear());
    assert_eq!(parts(&flat), [(RoofWork::LowSlope, 1_501, 1_050)]);
    assert_eq!(flat.cost, Usd::from_cents(1_501 * 1_050));
    // No choice among materials that none of it gets.
    let table = prices();
    let terms = PriceTerms { table: &table, asphalt_override: None, own: dear() };
    let offered = |home: &Evidence| estimate_summary(home, BuildingSet::FIRST, &terms).expect("a home").prices.len();
    assert_eq!((offered(&bare(with_roof(RoofType::Flat))), offered(&bare(with_roof(RoofType::Gable)))), (1, 4));
    // From records alone.
    let known = Assessor { living_area_sqft: fact(1_200.0), storeys: fact(1.0), ..with_roof(RoofType::Flat) };
    let records = asphalt(&evidence(vec![], known), dear());
    assert!(records.parts.iter().all(|part| part.work == RoofWork::LowSlope) && records.parts.len() == 1);
}

#[test]
fn the_stories_of_the_house_are_not_those_of_its_garage() {
    let table = prices();
    let terms = PriceTerms { table: &table, asphalt_override: None, own: dear() };
    let (house, garage) = (outline(vec![rectangle(50.0, 30.0)]), outline(vec![rectangle(24.0, 24.0)]));
    let home = evidence(vec![building(house, "house"), building(garage, "garage")], stories(2.0));
    let both = estimate_summary(&home, "0,1".parse().expect("both"), &terms).expect("a home");
    let two = both.prices[0].parts.iter().find(|part| part.work == RoofWork::TwoStories).expect("two stories");
    assert_eq!((two.roof_area, both.roof_area), (both.areas[0], both.areas[0] + both.areas[1]));
}

#[test]
fn the_look_up_says_what_its_sum_is_made_of() {
    let (home, table) = (strips(&[(20.0, 1.0), (30.0, 6.0)], Assessor::default()), prices());
    let price = Some(Usd::from_dollars(700));
    let record = roof_estimate(Some(&home), None, None, price, &table);
    let measured = measure(&home, None).expect("measurable");
    let range = range(&measured, RoofMaterial::AsphaltShingle, Usd::from_dollars(700), &table);
    // 700/650 of 800 are 861.54, in whole dollars.
    let made: Vec<_> = range.parts.iter().map(|p| (p.work, p.roof_area, p.price_per_square.cents() / 100)).collect();
    assert_eq!(made, [(RoofWork::LowSlope, 803, 862), (RoofWork::Covering, 1_341, 700)]);
    let sum = Usd::from_cents(803 * 862 + 1_341 * 700);
    assert_eq!((record.roof_cost_estimate, record.installed_price), (Some(sum), price));
    assert!(range.cost.low < sum && sum < range.cost.high);
    let why: Vec<_> = reasons(Some(&home), None, None, price, &table)
        .into_iter()
        .filter(|reason| reason.field == "roofCostEstimate" && reason.part != "waste")
        .map(|reason| (reason.part, reason.points))
        .collect();
    assert_eq!(why, [("lowSlope", 8.03), ("squares", 13.41)]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_square_foot_is_covered_once_and_the_parts_are_the_sum(
        strips_ in prop::collection::vec((11.0..40.0_f64, 0.0..20.0_f64), 1..6),
        n in prop::option::of(0.5..5.0_f64),
    ) {
        let home = strips(&strips_, n.map(stories).unwrap_or_default());
        let price = asphalt(&home, dear());
        if !price.parts.is_empty() {
            let covered = |p: &&shingle_domain::lead::PricePart| matches!(p.work, RoofWork::LowSlope | RoofWork::Covering);
            let area: u32 = price.parts.iter().filter(covered).map(|part| part.roof_area).sum();
            prop_assert_eq!(Some(area), measure(&home, None).map(|m| m.area_sqft));
            let sum: i64 = price.parts.iter().map(|part| part.cost.cents()).sum();
            prop_assert_eq!(sum, price.cost.cents());
            prop_assert!(price.parts.is_sorted_by_key(|part| part.work));
        }
    }
}
