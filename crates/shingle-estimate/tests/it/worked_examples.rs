//! Roofs worked out by hand, from outlines and from records, and what holds for every roof.

use proptest::prelude::*;
use shingle_domain::Evidence;
use shingle_domain::evidence::{
    Assessor, Garage, MatchLevel, Outline, OutlineKind, Polygon, PropertyClass, RoofPlane, RoofType,
};
use shingle_domain::money::Usd;
use shingle_domain::roof::{Complexity, RoofMaterial};
use shingle_estimate::roof::{drawing, measure, order_quantity, range, reasons, roof_estimate, roof_found};

use crate::fixture::{
    DESIGN, building, courtyard, design_outline, donut, evidence, fact, house, in_state, outline, polygon, prices,
    rectangle, ring, t_shape, u_shape, with_roof,
};

/// 6/12: √(1 + ¼).
const SIX_TWELVE: f64 = 1.118_034;

struct WorkedExample {
    name: &'static str,
    parts: Vec<Polygon>,
    /// Square feet inside the outline.
    plan: f64,
    /// Square feet more with eaves of 1 ft around every wall: the perimeter and 4 for each outer ring, the
    /// perimeter less 4 for each courtyard.
    eaves: f64,
}

fn worked_examples() -> Vec<WorkedExample> {
    let apart = polygon(&[(70.0, 0.0), (90.0, 0.0), (90.0, 20.0), (70.0, 20.0)]);
    vec![
        // 56 x 30 and 23 x 23.4; around it 56 + 53.4 + 23 + 23.4 + 33 + 30 = 218.8.
        WorkedExample { name: "L", parts: vec![polygon(&DESIGN)], plan: 1_680.0 + 538.2, eaves: 218.8 + 4.0 },
        // 60 x 20 and two of 20 x 30; around it 60 + 50 + 20 + 30 + 20 + 30 + 20 + 50 = 280.
        WorkedExample { name: "U", parts: vec![u_shape()], plan: 1_200.0 + 1_200.0, eaves: 280.0 + 4.0 },
        // 60 x 24 and 20 x 26; around it 60 + 24 + 20 + 26 + 20 + 26 + 20 + 24 = 220.
        WorkedExample { name: "T", parts: vec![t_shape()], plan: 1_440.0 + 520.0, eaves: 220.0 + 4.0 },
        // 80 x 70 less 30 x 20; around it 300, around the court 100.
        WorkedExample {
            name: "courtyard",
            parts: vec![courtyard()],
            plan: 5_600.0 - 600.0,
            eaves: 300.0 + 4.0 + 100.0 - 4.0,
        },
        // π (40² − 15²) = 4319.69; π (41² − 40² + 15² − 14²) = 345.58.
        WorkedExample { name: "donut", parts: vec![donut()], plan: 4_319.69, eaves: 345.58 },
        // 50 x 30 and 20 x 20; around them 160 and 80.
        WorkedExample {
            name: "in parts",
            parts: vec![rectangle(50.0, 30.0), apart],
            plan: 1_900.0,
            eaves: 240.0 + 8.0,
        },
    ]
}

#[track_caller]
fn near(ours: f64, by_hand: f64, what: &str) {
    let miss = (ours / by_hand - 1.0).abs() * 100.0;
    println!("{what}: {ours:.1}, by hand {by_hand:.1}, off by {miss:.3} %");
    assert!(miss < 0.5, "{what}");
}

#[test]
fn outlines_give_the_area_worked_out_by_hand() {
    for WorkedExample { name, parts, plan, eaves } in worked_examples() {
        let seen = measure(&house(parts.clone()), None).expect("measurable");
        near(seen.plan_sqft, plan, &format!("{name}, plan"));
        near(f64::from(seen.area_sqft), plan * SIX_TWELVE, &format!("{name}, from the air"));
        let walls = Outline { kind: OutlineKind::Wall, ..outline(parts) };
        let walls = evidence(vec![building(walls, "house")], Assessor::default());
        let walls = measure(&walls, None).expect("measurable");
        near(f64::from(walls.area_sqft), (plan + eaves) * SIX_TWELVE, &format!("{name}, from the walls"));
    }
}

#[test]
fn records_of_the_same_houses_give_the_area_worked_out_by_hand() {
    // Ground floor as above, no garage under the roof: w = 1.02 · floor, then w + 4.54 √w + 4, then 6/12. A donut is
    // no house that an assessor would call one floor of, but its figure is the same sum.
    let by_hand = [
        // 2262.56 + 215.96 + 4 = 2482.52
        ("L", 2_218.2, 2_775.5),
        // 2448 + 224.63 + 4 = 2676.63
        ("U", 2_400.0, 2_992.6),
        // 1999.2 + 202.99 + 4 = 2206.19
        ("T", 1_960.0, 2_466.6),
        // 5100 + 324.22 + 4 = 5428.22
        ("courtyard", 5_000.0, 6_068.9),
        // 4406.08 + 301.36 + 4 = 4711.44
        ("donut", 4_319.69, 5_267.6),
        // 1938 + 199.86 + 4 = 2141.86
        ("in parts", 1_900.0, 2_394.7),
    ];
    for (name, floor, area) in by_hand {
        let detached = Garage { attached: false, area_sqft: Some(400.0), cars: None };
        let records = Assessor { ground_floor_sqft: fact(floor), garage: fact(detached), ..Assessor::default() };
        let found = measure(&evidence(vec![], records), None).expect("measurable");
        near(f64::from(found.area_sqft), area, &format!("{name}, from records"));
    }
}

#[test]
fn homes_without_a_roof_of_their_own_have_no_figure_even_under_an_outline() {
    let class = |class| Assessor { property_class: fact(class), ..Assessor::default() };
    let of = |assessor: Assessor| evidence(vec![building(outline(vec![rectangle(90.0, 60.0)]), "house")], assessor);
    for assessor in [
        class(PropertyClass::Condominium),
        class(PropertyClass::Apartments),
        Assessor { units: fact(5), ..Assessor::default() },
    ] {
        let home = of(assessor);
        assert_eq!(measure(&home, None), None);
        assert_eq!(roof_found("k", &home), None);
        assert_eq!(roof_estimate(Some(&home), None, None, None, &prices()).roof_area, None);
        assert!(reasons(Some(&home), None, None, None, &prices()).is_empty());
    }
    assert!(measure(&of(class(PropertyClass::TwoToFourUnits)), None).is_some());
    assert_eq!(roof_estimate(None, None, None, None, &prices()), Default::default());
    assert_eq!(measure(&evidence(vec![], Assessor::default()), None), None);
}

#[test]
fn what_to_order_stands_beside_the_estimate_and_not_in_it() {
    // 2,480 sq ft, average: 24.8 squares and 13 % are 28.024, rounded up.
    let average = evidence(vec![building(design_outline(), "house")], Assessor::default());
    let found = measure(&average, None).expect("measurable");
    let order = order_quantity(&found);
    assert_eq!((order.waste_percent, order.squares), (13, 28.03));
    let record = roof_estimate(Some(&average), None, None, None, &prices());
    assert_eq!(record.roof_cost_estimate, Some(Usd::from_cents(24_80 * 650)));
    // 1,500 · 1.118 = 1,677 sq ft, simple: 16.77 and 10 % are 18.447.
    let simple = measure(&house(vec![rectangle(50.0, 30.0)]), None).expect("measurable");
    assert_eq!((order_quantity(&simple).waste_percent, order_quantity(&simple).squares), (10, 18.45));
    let mut complex = simple.clone();
    complex.complexity = Some(Complexity::Complex);
    assert_eq!(order_quantity(&complex).waste_percent, 18);

    let spread = range(&found, RoofMaterial::AsphaltShingle, Usd::from_dollars(650), &prices());
    // Surveyed: 1.28 · 1.3 % of 2,480 is 41; the cost keeps at least 10 % of 16,120.
    assert_eq!((spread.area.low, spread.area.high), (2_439, 2_521));
    assert_eq!((spread.cost.low, spread.cost.high), (Usd::from_dollars(14_500), Usd::from_dollars(17_700)));
}

/// The reasons of a roof's area are addends in plan, each times the slope.
fn area_of_reasons(evidence: &Evidence) -> f64 {
    let all = reasons(Some(evidence), None, None, None, &prices());
    let area = all.iter().filter(|r| r.field == "roofArea");
    area.map(|r| r.points * r.weight.expect("the slope factor")).sum()
}

#[test]
fn the_reasons_add_up_to_the_area_and_name_the_rule_and_the_price() {
    let garage = fact(Garage { attached: true, area_sqft: None, cars: Some(2.0) });
    let records = Assessor { living_area_sqft: fact(2_400.0), storeys: fact(2.0), garage, ..Assessor::default() };
    let walls = Outline { kind: OutlineKind::Wall, ..outline(vec![polygon(&DESIGN)]) };
    let cases = [
        house(vec![rectangle(50.0, 30.0)]),
        evidence(vec![building(walls, "house")], with_roof(RoofType::Hip)),
        evidence(vec![building(design_outline(), "house")], Assessor::default()),
        evidence(vec![], records),
        evidence(vec![], Assessor { living_area_sqft: fact(1_500.0), ..Assessor::default() }),
        in_state(house(vec![rectangle(44.0, 27.0)]), "FL", "33101"),
    ];
    for case in &cases {
        let found = measure(case, None).expect("measurable");
        let sum = area_of_reasons(case);
        assert!((sum - f64::from(found.area_sqft)).abs() <= 1.0, "{sum} for {}", found.area_sqft);
    }
    let of = |evidence: &Evidence, part: &str| {
        let all = reasons(Some(evidence), None, None, None, &prices());
        all.into_iter().find(|r| r.part == part).map(|r| r.because).unwrap_or_default()
    };
    assert_eq!(
        of(&cases[1], "facets"),
        "four for each main rectangle of the plan under a hip roof (hip, l-shaped); 5 to 12 facets are average"
    );
    assert_eq!(of(&cases[1], "eaves"), "1 ft of eaves around the walls");
    assert!(of(&cases[5], "pitch").contains("4/12 is usual"), "{}", of(&cases[5], "pitch"));
    assert_eq!(of(&cases[2], "pitch"), "mean of 6 surveyed planes, by sloped area");
    assert_eq!(of(&cases[3], "garage"), "attached garage, 37 and 250 for each car");
    assert!(of(&cases[0], "price").starts_with("USD per square of asphalt shingle"));
    let own = reasons(Some(&cases[0]), None, None, Some(Usd::from_dollars(700)), &prices());
    let price = own.iter().find(|r| r.part == "price").expect("a price");
    assert_eq!((price.points, price.because.as_str()), (700.0, "USD per square, as asked for"));
}

#[test]
fn the_doubt_that_halves_the_confidence_is_named() {
    let of = |evidence: &Evidence| {
        let all = reasons(Some(evidence), None, None, None, &prices());
        let why = all.into_iter().find(|r| r.part == "match").expect("always");
        (why.points, why.because)
    };
    let mut home = house(vec![rectangle(50.0, 30.0)]);
    assert_eq!(of(&home), (100.0, "the address was matched exactly and its structure is known".to_owned()));
    home.matched.level = MatchLevel::Interpolated;
    assert_eq!(of(&home), (50.0, "the address was matched only approximately".to_owned()));
    home.matched.level = MatchLevel::Exact;
    home.place.buildings.push(building(outline(vec![rectangle(48.0, 30.0)]), "house"));
    assert_eq!(of(&home), (50.0, "several buildings alike stand there".to_owned()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    /// A hall cut into strips, each with a pitch of its own.
    #[test]
    fn area_times_cosine_is_plan_plane_by_plane(
        strips in prop::collection::vec((4.0..30.0_f64, 0.0..60.0_f64, 0.0..360.0_f64), 1..9),
        depth in 15.0..60.0_f64,
    ) {
        let mut x = 0.0;
        let mut planes = Vec::new();
        for (width, pitch_degrees, azimuth_degrees) in &strips {
            let ring = ring(&[(x, 0.0), (x + width, 0.0), (x + width, depth), (x, depth)]);
            planes.push(RoofPlane { ring, holes: vec![], height: None, pitch_degrees: *pitch_degrees, azimuth_degrees: *azimuth_degrees });
            x += width;
        }
        let outline = Outline { planes, ..outline(vec![rectangle(x, depth)]) };
        let found = measure(&evidence(vec![building(outline.clone(), "house")], Assessor::default()), None)
            .expect("measurable");
        let by_hand: f64 = strips.iter().map(|(width, pitch, _)| width * depth / pitch.to_radians().cos()).sum();
        prop_assert!((f64::from(found.area_sqft) - by_hand).abs() <= 0.501, "{} for {}", found.area_sqft, by_hand);
        let drawn = drawing(&outline, 26.6, None, found.area_sqft).expect("a drawing");
        let mut plan = 0.0;
        for (facet, (width, pitch, _)) in drawn.facets.iter().zip(&strips) {
            let level = f64::from(facet.area) * pitch.to_radians().cos();
            // A facet is counted in whole square feet.
            prop_assert!((level - width * depth).abs() < 2.0, "{} for {}", level, width * depth);
            plan += level;
        }
        prop_assert!((plan - x * depth).abs() < 1.0 + strips.len() as f64, "{} for {}", plan, x * depth);
    }

    #[test]
    fn a_steeper_usual_pitch_and_a_dearer_square_cost_more(
        (width, depth) in (20.0..90.0_f64, 20.0..60.0_f64),
        (cents, more) in (1_000_i64..500_000, 1_i64..100_000),
    ) {
        let record = |roof_type, cents| {
            let home = evidence(vec![building(outline(vec![rectangle(width, depth)]), "")], with_roof(roof_type));
            roof_estimate(Some(&home), None, Some(RoofMaterial::Metal), Some(Usd::from_cents(cents)), &prices())
        };
        let rising = [RoofType::Flat, RoofType::Shed, RoofType::Gable, RoofType::Gambrel, RoofType::Mansard];
        for pair in rising.windows(2) {
            let (low, high) = (record(pair[0], cents), record(pair[1], cents));
            prop_assert!(low.average_roof_pitch < high.average_roof_pitch);
            prop_assert!(low.roof_area < high.roof_area && low.roof_cost_estimate < high.roof_cost_estimate);
        }
        prop_assert!(record(RoofType::Hip, cents).roof_cost_estimate < record(RoofType::Hip, cents + more).roof_cost_estimate);
    }
}
