use shingle_domain::evidence::{Assessor, Outline, OutlineKind, Polygon, RoofType};
use shingle_domain::public::MeasureMethod;
use shingle_domain::roof::{AreaAlert, Complexity};
use shingle_estimate::roof::measure;

use crate::fixture::{
    DESIGN, building, courtyard, design_outline, donut, evidence, fact, house, in_state, outline, polygon, rectangle,
    ring, t_shape, u_shape, with_roof,
};

/// The slope factor of 6/12.
const SIX_TWELVE: f64 = 1.118_034;

fn assert_plan(parts: Vec<Polygon>, plan_sqft: f64, what: &str) {
    let measure = measure(&house(parts), None).expect("measurable");
    assert!((measure.plan_sqft / plan_sqft - 1.0).abs() < 0.005, "{what}: {} for {plan_sqft}", measure.plan_sqft);
    let area = plan_sqft * SIX_TWELVE;
    assert!((f64::from(measure.area_sqft) / area - 1.0).abs() < 0.005, "{what}: {} for {area}", measure.area_sqft);
    assert_eq!(measure.method, MeasureMethod::Outline);
    assert_eq!(measure.pitch_degrees, 26.57);
}

#[test]
fn worked_plans_have_their_areas() {
    assert_plan(vec![rectangle(50.0, 30.0)], 1_500.0, "rectangle");
    assert_plan(vec![polygon(&DESIGN)], 2_218.2, "L");
    assert_plan(vec![u_shape()], 60.0 * 20.0 + 2.0 * 20.0 * 30.0, "U");
    assert_plan(vec![t_shape()], 60.0 * 24.0 + 20.0 * 26.0, "T");
    assert_plan(vec![courtyard()], 80.0 * 70.0 - 30.0 * 20.0, "courtyard");
    assert_plan(
        vec![rectangle(50.0, 30.0), polygon(&[(70.0, 0.0), (90.0, 0.0), (90.0, 20.0), (70.0, 20.0)])],
        1_900.0,
        "two parts",
    );
}

#[test]
fn a_donut_loses_its_hole() {
    assert_plan(vec![donut()], core::f64::consts::PI * (40.0 * 40.0 - 15.0 * 15.0), "donut");
}

#[test]
fn direction_of_the_ring_and_its_place_make_no_difference() {
    let mut backwards = rectangle(50.0, 30.0);
    backwards.exterior.reverse();
    assert_plan(vec![backwards], 1_500.0, "clockwise");
    let mut far = rectangle(50.0, 30.0);
    for p in &mut far.exterior {
        p.x += 9_000.0;
        p.y -= 9_000.0;
    }
    assert_plan(vec![far], 1_500.0, "far from its origin");
}

#[test]
fn a_wall_line_gets_its_eaves() {
    let walls = Outline { kind: OutlineKind::Wall, ..outline(vec![rectangle(50.0, 30.0)]) };
    let measure = measure(&evidence(vec![building(walls, "house")], Assessor::default()), None).expect("measurable");
    // Eaves of 1 ft around 50 x 30 are 52 x 32.
    assert!((measure.plan_sqft - 52.0 * 32.0).abs() < 0.01, "{}", measure.plan_sqft);
    assert!((measure.sigma - 0.0781).abs() < 0.0001);
}

#[test]
fn the_designs_example_comes_out_to_the_foot() {
    let surveyed = evidence(vec![building(design_outline(), "house")], Assessor::default());
    let measure = measure(&surveyed, None).expect("measurable");
    assert_eq!(measure.method, MeasureMethod::Survey);
    assert_eq!(measure.plan_sqft.round(), 2_218.0);
    assert_eq!(measure.area_sqft, 2_480);
    assert_eq!(measure.facets, Some(6));
    assert_eq!(measure.complexity, Some(Complexity::Average));
    assert_eq!(measure.pitch_degrees, 26.57);
    assert_eq!(measure.sigma, 0.013);
}

#[test]
fn planes_of_different_pitch_weigh_by_what_they_cover() {
    let mut outline = outline(vec![rectangle(40.0, 20.0)]);
    // Half the plan at 3-4-5 (36.87 degrees, factor 1.25), half flat.
    outline.planes = vec![
        shingle_domain::evidence::RoofPlane {
            ring: ring(&[(0.0, 0.0), (20.0, 0.0), (20.0, 20.0), (0.0, 20.0)]),
            pitch_degrees: (0.75_f64).atan().to_degrees(),
            azimuth_degrees: 180.0,
            holes: vec![],
            height: None,
        },
        shingle_domain::evidence::RoofPlane {
            ring: ring(&[(20.0, 0.0), (40.0, 0.0), (40.0, 20.0), (20.0, 20.0)]),
            pitch_degrees: 0.0,
            azimuth_degrees: 0.0,
            holes: vec![],
            height: None,
        },
    ];
    let measure = measure(&evidence(vec![building(outline, "house")], Assessor::default()), None).expect("measurable");
    assert_eq!(measure.area_sqft, 900);
    // 500 of 900 sq ft at 36.87 degrees.
    assert_eq!(measure.pitch_degrees, 20.48);
    assert_eq!(measure.facets, Some(2));
}

#[test]
fn the_usual_pitch_follows_type_age_and_place() {
    let pitch = |assessor: Assessor, state: &str, zip: &str| {
        let evidence = evidence(vec![building(outline(vec![rectangle(50.0, 30.0)]), "house")], assessor);
        measure(&in_state(evidence, state, zip), None).expect("measurable").pitch_degrees
    };
    let built = |year: u16| Assessor { year_built: fact(year), ..Assessor::default() };
    let (four, six, eight) = (18.43, 26.57, 33.69);
    assert_eq!(pitch(Assessor::default(), "VA", "23320"), six);
    assert_eq!(pitch(Assessor::default(), "FL", "33101"), four);
    assert_eq!(pitch(Assessor::default(), "CA", "90210"), four);
    assert_eq!(pitch(Assessor::default(), "TX", "78501"), four);
    assert_eq!(pitch(Assessor::default(), "TX", "75001"), six);
    assert_eq!(pitch(built(1925), "MA", "02139"), eight);
    assert_eq!(pitch(built(1925), "PA", "15201"), eight);
    assert_eq!(pitch(built(1925), "VA", "23320"), six);
    assert_eq!(pitch(built(1960), "MA", "02139"), six);
    let ranch = Assessor { style: fact("Ranch".to_owned()), ..built(1960) };
    assert_eq!(pitch(ranch.clone(), "OH", "43004"), four);
    assert_eq!(pitch(Assessor { year_built: fact(1995), ..ranch }, "OH", "43004"), six);
    let one_storey = Assessor { storeys: fact(1.0), ..built(1955) };
    assert_eq!(pitch(one_storey, "OH", "43004"), four);
    assert_eq!(pitch(with_roof(RoofType::Flat), "VA", "23320"), 2.0);
    assert_eq!(pitch(with_roof(RoofType::Shed), "VA", "23320"), 14.0);
    assert_eq!(pitch(with_roof(RoofType::Gambrel), "VA", "23320"), 38.0);
    assert_eq!(pitch(with_roof(RoofType::Mansard), "FL", "33101"), 45.0);
    assert_eq!(pitch(with_roof(RoofType::Hip), "FL", "33101"), four);
    let tarred = Assessor { roof_material: fact("Tar & Gravel".to_owned()), ..Assessor::default() };
    assert_eq!(pitch(tarred, "VA", "23320"), 2.0);
}

#[test]
fn facets_are_counted_by_the_rectangle_rule_whatever_is_drawn() {
    let facets = |parts: Vec<Polygon>, assessor: Assessor| {
        let evidence = evidence(vec![building(outline(parts), "house")], assessor);
        let found = measure(&evidence, None).expect("measurable");
        (found.facets, found.complexity)
    };
    let plain = Assessor::default;
    assert_eq!(facets(vec![rectangle(50.0, 30.0)], plain()), (Some(2), Some(Complexity::Simple)));
    assert_eq!(facets(vec![polygon(&DESIGN)], plain()), (Some(4), Some(Complexity::Simple)));
    // Two rectangles of four planes; drawn are the six of the skeleton.
    assert_eq!(facets(vec![polygon(&DESIGN)], with_roof(RoofType::Hip)), (Some(8), Some(Complexity::Average)));
    assert_eq!(facets(vec![rectangle(50.0, 30.0)], with_roof(RoofType::Flat)), (Some(1), Some(Complexity::Simple)));
    assert_eq!(facets(vec![polygon(&DESIGN)], with_roof(RoofType::Shed)), (Some(2), Some(Complexity::Simple)));
    // No model of these, so the type alone speaks.
    assert_eq!(facets(vec![rectangle(50.0, 30.0)], with_roof(RoofType::Gambrel)), (None, Some(Complexity::Average)));
}

#[test]
fn a_comb_of_wings_is_complex() {
    // A hall of 160 x 20 ft with seven wings of 10 x 30 ft.
    let mut points = vec![(0.0, 0.0), (160.0, 0.0), (160.0, 20.0)];
    for wing in (0..7).rev() {
        let x = 10.0 + 20.0 * f64::from(wing);
        points.extend([(x + 10.0, 20.0), (x + 10.0, 50.0), (x, 50.0), (x, 20.0)]);
    }
    points.push((0.0, 20.0));
    let found = measure(&house(vec![polygon(&points)]), None).expect("measurable");
    assert_eq!((found.facets, found.complexity), (Some(16), Some(Complexity::Complex)));
}

#[test]
fn homes_come_before_larger_barns_and_the_choice_is_kept() {
    let barn = building(outline(vec![rectangle(80.0, 60.0)]), "barn");
    let home = building(outline(vec![rectangle(50.0, 30.0)]), "house");
    let evidence = evidence(vec![barn, home], Assessor::default());
    let plan = |choice| measure(&evidence, choice).map(|m| m.plan_sqft.round());
    assert_eq!(plan(None), Some(1_500.0));
    assert_eq!(plan(Some(0)), Some(1_500.0));
    assert_eq!(plan(Some(1)), Some(4_800.0));
    assert_eq!(plan(Some(2)), None);
    let barn = measure(&evidence, Some(1)).expect("measurable");
    assert_eq!(barn.alerts.roof_area_alert, Some(AreaAlert::NoAlerts));
}
