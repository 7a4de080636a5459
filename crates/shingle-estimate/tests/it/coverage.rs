//! Do ranges hold what they promise? Roofs of known area, of which one half fits the width and the other tests it.

use std::collections::BTreeMap;

use serde_json::Value;
use shingle_domain::evidence::{Assessor, RoofType};
use shingle_domain::money::Usd;
use shingle_domain::roof::RoofMaterial;
use shingle_estimate::roof::{RoofRange, measure, range, reasons};

use crate::fixture::{building, evidence, house, outline, prices, rectangle, with_roof};
use crate::shared::shared;

const SQFT_PER_SQM: f64 = 10.763_910_4;
/// Smaller ones are dormers and sheds.
const MIN_PLAN_SQM: f64 = 30.0;

/// A roof whose planes are known, square feet.
#[derive(Debug, Default, Clone, Copy)]
struct Surveyed {
    plan: f64,
    sloped: f64,
}

/// The buildings of a CityJSON model, parts added up, by id.
fn surveyed() -> Option<Vec<Surveyed>> {
    let text = std::fs::read_to_string(shared("lidar/zurich_subset_lod2.city.json")?).expect("readable");
    let city: Value = serde_json::from_str(&text).expect("JSON");
    let scale = city["transform"]["scale"].as_array().expect("a scale");
    let corner = |at: &Value| -> [f64; 3] {
        let point = &city["vertices"][at.as_u64().expect("an index") as usize];
        [0, 1, 2].map(|axis| point[axis].as_f64().expect("a number") * scale[axis].as_f64().expect("a number"))
    };
    let mut found: BTreeMap<&str, Surveyed> = BTreeMap::new();
    for (id, object) in city["CityObjects"].as_object().expect("objects") {
        let whole = object["parents"][0].as_str().unwrap_or(id);
        for geometry in object["geometry"].as_array().into_iter().flatten() {
            let semantics = &geometry["semantics"];
            let faces = geometry["boundaries"].as_array().expect("faces");
            for (face, kind) in faces.iter().zip(semantics["values"].as_array().expect("kinds")) {
                let kind = kind.as_u64().map(|at| &semantics["surfaces"][at as usize]["type"]);
                if kind.and_then(Value::as_str) != Some("RoofSurface") {
                    continue;
                }
                let area = face_vector(face, &corner);
                let roof = found.entry(whole).or_default();
                roof.plan += area[2].abs() * SQFT_PER_SQM;
                roof.sloped += area.iter().map(|a| a * a).sum::<f64>().sqrt() * SQFT_PER_SQM;
            }
        }
    }
    Some(found.into_values().filter(|roof| roof.plan > MIN_PLAN_SQM * SQFT_PER_SQM).collect())
}

/// The area of a face as a vector along its normal (Newell); holes run the other way round.
fn face_vector(face: &Value, corner: &dyn Fn(&Value) -> [f64; 3]) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for ring in face.as_array().expect("rings") {
        let points: Vec<[f64; 3]> = ring.as_array().expect("a ring").iter().map(corner).collect();
        for (a, b) in points.iter().zip(points.iter().cycle().skip(1)) {
            for (axis, part) in sum.iter_mut().enumerate() {
                let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
                *part += (a[next] - b[next]) * (a[last] + b[last]) / 2.0;
            }
        }
    }
    sum
}

/// What is said about an outline of that size if nothing else is known.
fn told(roof: &Surveyed) -> (RoofRange, u32) {
    let side = roof.plan.sqrt();
    let found = measure(&house(vec![rectangle(side, side)]), None).expect("measurable");
    (range(&found, RoofMaterial::AsphaltShingle, Usd::from_dollars(10_000), &prices()), found.area_sqft)
}

/// To a whole square foot.
fn size_holds(roof: &Surveyed) -> bool {
    let (range, _) = told(roof);
    f64::from(range.area.low) <= roof.sloped + 1.0 && roof.sloped <= f64::from(range.area.high) + 1.0
}

/// As if the price of a square were certain.
fn price_holds(roof: &Surveyed) -> bool {
    let (range, _) = told(roof);
    let cost = roof.sloped * 100.0;
    (range.cost.low.dollars()..=range.cost.high.dollars()).contains(&cost)
}

fn held(roofs: &[Surveyed], holds: fn(&Surveyed) -> bool) -> usize {
    roofs.iter().filter(|roof| holds(roof)).count()
}

/// The smallest of them that eight in ten of others like them do not exceed.
fn eight_in_ten(roofs: &[Surveyed]) -> f64 {
    let mut factors: Vec<f64> = roofs.iter().map(|roof| roof.sloped / roof.plan).collect();
    factors.sort_by(f64::total_cmp);
    let rank = (0.8 * (factors.len() + 1) as f64).ceil() as usize;
    factors[rank - 1]
}

#[test]
fn an_assumed_pitch_holds_eight_in_ten_roofs_that_it_was_not_fitted_on() {
    let Some(roofs) = surveyed() else { return };
    let half = |odd: usize| -> Vec<Surveyed> { roofs.iter().skip(odd).step_by(2).copied().collect() };
    let (fitted, unseen) = (half(0), half(1));
    let (range, area) = told(&fitted[0]);
    let shipped = f64::from(range.area.high) / f64::from(area) * (1.25_f64).sqrt();
    let (fit, turned) = (eight_in_ten(&fitted), eight_in_ten(&unseen));
    println!(
        "{} roofs: factor fitted {fit:.4}, shipped {shipped:.4}; fitted on the other half {turned:.4}",
        roofs.len()
    );
    let within = roofs.iter().filter(|r| (r.sloped / r.plan / (1.25_f64).sqrt() - 1.0).abs() <= 0.077).count();
    println!(
        "size held: {} of {} fitted, {} of {} unseen; 7.7 % either way held {within} of {}",
        held(&fitted, size_holds),
        fitted.len(),
        held(&unseen, size_holds),
        unseen.len(),
        roofs.len()
    );
    println!("price held: {} of {}", held(&roofs, price_holds), roofs.len());
    assert_eq!(roofs.len(), 46);
    assert!((shipped - fit).abs() < 0.003, "the table ships {shipped}, the data say {fit}");
    for (roofs, holds) in [(&unseen, size_holds as fn(&Surveyed) -> bool), (&unseen, price_holds)] {
        assert!(held(roofs, holds) * 10 >= roofs.len() * 8, "{} of {}", held(roofs, holds), roofs.len());
    }
}

#[test]
fn the_range_ends_at_a_flat_roof_and_one_recorded_as_flat_is_not_steep() {
    let plan = 1_500.0;
    let shares = |roof: Assessor| {
        let home = evidence(vec![building(outline(vec![rectangle(50.0, 30.0)]), "house")], roof);
        let found = measure(&home, None).expect("measurable");
        let area = range(&found, RoofMaterial::AsphaltShingle, Usd::from_dollars(650), &prices()).area;
        (f64::from(area.low) / plan, f64::from(area.high) / plan)
    };
    let (low, high) = shares(Assessor::default());
    assert!((low - 1.0).abs() < 0.001 && (high - 1.496).abs() < 0.001, "{low} to {high}");
    let (low, high) = shares(with_roof(RoofType::Flat));
    assert!((low - 0.923).abs() < 0.002 && (high - 1.078).abs() < 0.002, "{low} to {high}");
    let (low, high) = shares(with_roof(RoofType::Mansard));
    assert!((low - 1.0).abs() < 0.001 && (high - 1.523).abs() < 0.002, "{low} to {high}");
}

#[test]
fn the_reasons_say_where_the_width_was_fitted() {
    let all = reasons(Some(&house(vec![rectangle(50.0, 30.0)])), None, None, None, &prices());
    let width = all.iter().find(|r| r.field == "range.area").expect("a width");
    assert_eq!(width.points, 10.6);
    assert!(width.because.contains("33.8 above") && width.because.contains("tested on 23 other"), "{}", width.because);
}
