//! The reasons for every number of the roof record, so that it can be checked by hand.

use shingle_domain::Evidence;
use shingle_domain::details::Reason;
use shingle_domain::evidence::{OutlineKind, RoofType};
use shingle_domain::lead::RoofWork;
use shingle_domain::money::Usd;
use shingle_domain::public::MeasureMethod;
use shingle_domain::roof::{Complexity, PriceTable, RoofMaterial};

use super::geometry::{SQFT_PER_SQM, polygon_area};
use super::measure::{RoofMeasure, measure};
use super::plan::{OVERHANG_FEET, Plan, buildings};
use super::price::{PriceTerms, order_quantity};
use super::shape::RoofShape;
use super::width;
use super::{checks, pitch, records};
use crate::no_home::why_no_home;

/// The reasons for the record of [`super::roof_estimate`], from the same arguments. Empty when the record is.
///
/// `roofArea` is the sum of its points (square feet in plan) × their weight (the slope factor), to a square foot.
pub fn reasons(
    evidence: Option<&Evidence>,
    building: Option<usize>,
    material: Option<RoofMaterial>,
    installed_price: Option<Usd>,
    table: &PriceTable,
) -> Vec<Reason> {
    let Some((evidence, measure)) = evidence.and_then(|e| Some((e, measure(e, building)?))) else {
        return Vec::new();
    };
    let buildings = buildings(evidence);
    let plan = buildings.get(building.unwrap_or(0)).map(|(_, plan)| plan);
    let mut reasons = size(evidence, &measure, plan);
    if let Some(why) = why_no_home(evidence) {
        reasons.push(reason("roofArea", "use", 0.0, format!("The roof of no home: {why}.")));
    }
    reasons.push(slope(evidence, &measure, plan));
    reasons.extend(complexity(evidence, &measure, plan));
    reasons.push(range_of_area(&measure));
    reasons.extend(money(&measure, material, installed_price, table));
    reasons.push(reason(
        "structurePresentConfidenceScore",
        "match",
        f64::from(measure.confidence),
        checks::why(evidence, &buildings, building.is_some()).to_owned(),
    ));
    reasons
}

fn reason(field: &'static str, part: &'static str, points: f64, because: String) -> Reason {
    Reason { field, part, points, weight: None, because }
}

fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// The plan's parts, each with the slope factor as its weight.
fn size(evidence: &Evidence, measure: &RoofMeasure, plan: Option<&Plan>) -> Vec<Reason> {
    let assessor = &evidence.place.assessor;
    let factor = match plan {
        Some(plan) => plan.slope(pitch::usual(&evidence.place)).0,
        None => pitch::usual(&evidence.place).factor(),
    };
    let weight = Some((factor * 100_000.0).round() / 100_000.0);
    let part = |part, sqft: f64, because: String| Reason { weight, ..reason("roofArea", part, tenths(sqft), because) };
    let Some(plan) = plan else {
        let Some(parts) = records::parts(assessor) else { return Vec::new() };
        let mut reasons = vec![part("plan", parts.floor, parts.floor_because.to_owned())];
        if let Some((garage, because)) = parts.garage {
            reasons.push(part("garage", garage, because.to_owned()));
        }
        if parts.porch > 0.0 {
            reasons.push(part("porch", parts.porch, "a roofed porch, 2 % on average".to_owned()));
        }
        reasons.push(part("eaves", parts.eaves, format!("{OVERHANG_FEET} ft around it, of the usual perimeter")));
        return reasons;
    };
    let drawn: f64 = plan.parts.iter().map(polygon_area).sum::<f64>() * SQFT_PER_SQM;
    let holes: usize = plan.parts.iter().map(|p| p.holes.len()).sum();
    let mut because = match plan.kind {
        OutlineKind::Eave => "inside the outline of the roof's edge".to_owned(),
        OutlineKind::Wall => "inside the outline of the walls".to_owned(),
    };
    if plan.parts.len() > 1 {
        because.push_str(&format!(", {} parts", plan.parts.len()));
    }
    if holes > 0 {
        because.push_str(", courtyards taken off");
    }
    let mut reasons = vec![part("plan", drawn, because)];
    if plan.kind == OutlineKind::Wall {
        let because = format!("{OVERHANG_FEET} ft of eaves around the walls");
        reasons.push(part("eaves", measure.plan_sqft - drawn, because));
    }
    reasons
}

fn slope(evidence: &Evidence, measure: &RoofMeasure, plan: Option<&Plan>) -> Reason {
    let because = match (measure.method, plan) {
        (MeasureMethod::Survey, Some(plan)) => format!("mean of {} surveyed planes, by sloped area", plan.planes.len()),
        _ => format!("nobody measured it: {}; one sigma is 7 degrees", pitch::why(&evidence.place)),
    };
    reason("averageRoofPitch", "pitch", measure.pitch_degrees, because)
}

fn complexity(evidence: &Evidence, measure: &RoofMeasure, plan: Option<&Plan>) -> Option<Reason> {
    let level = match measure.complexity? {
        Complexity::Simple => "up to 4 facets are simple",
        Complexity::Average => "5 to 12 facets are average",
        Complexity::Complex => "13 facets and more are complex",
    };
    let known_type = pitch::known_type(&evidence.place.assessor);
    let Some(facets) = measure.facets else {
        let points = f64::from(measure.area_sqft);
        let because = "by the recorded roof type, one step up above 3,500 sq ft".to_owned();
        return Some(reason("roofComplexityLevel", "roofType", points, because));
    };
    let rule = match (measure.method, known_type) {
        (MeasureMethod::Survey, _) => "surveyed planes of 20 sq ft and more".to_owned(),
        (_, Some(RoofType::Flat)) => "one for each part of a flat roof".to_owned(),
        (_, Some(RoofType::Shed)) => "one for each main rectangle of the plan under a shed roof".to_owned(),
        (_, Some(RoofType::Hip)) => "four for each main rectangle of the plan under a hip roof".to_owned(),
        _ => "two for each main rectangle of the plan, as under gables".to_owned(),
    };
    let shape =
        plan.map(|plan| RoofShape::of(plan, pitch::usual(&evidence.place), known_type).words).unwrap_or_default();
    let shape = if shape.is_empty() { shape } else { format!(" ({})", shape.to_lowercase()) };
    Some(reason("roofComplexityLevel", "facets", f64::from(facets), format!("{rule}{shape}; {level}")))
}

/// How wide the range of the area is, and where that was fitted.
fn range_of_area(measure: &RoofMeasure) -> Reason {
    let size = width::of_area(measure);
    let because = format!("percent below, and {} above; {}", tenths(size.above * 100.0), width::why(measure));
    reason("range.area", "width", tenths(size.below * 100.0), because)
}

fn money(
    measure: &RoofMeasure,
    material: Option<RoofMaterial>,
    installed_price: Option<Usd>,
    table: &PriceTable,
) -> Vec<Reason> {
    let material = material.unwrap_or(RoofMaterial::AsphaltShingle);
    let row = table.row(material);
    let (terms, _) = PriceTerms::of_look_up(table, material, installed_price);
    let (price, because) = match installed_price {
        Some(own) => (own, "USD per square, as asked for".to_owned()),
        None => (
            row.per_square,
            format!(
                "USD per square of {}, {} to {} ({}, {})",
                material.as_str(),
                row.low,
                row.high,
                row.source,
                row.year
            ),
        ),
    };
    let order = order_quantity(measure);
    let mut reasons = vec![reason("installedPrice", "price", price.dollars(), because)];
    let parts = terms.sum(measure, price).parts;
    let squares = |area: u32| f64::from(area) / 100.0;
    if parts.is_empty() {
        let because = "squares, times the price per square, all in".to_owned();
        reasons.push(reason("roofCostEstimate", "squares", squares(measure.area_sqft), because));
    }
    reasons.extend(parts.into_iter().map(|part| {
        let (named, what) = match part.work {
            RoofWork::LowSlope => ("lowSlope", "squares under 2/12, too low for shingles: a membrane"),
            _ => ("squares", "squares of the material"),
        };
        let because = format!("{what}, times {} USD per square, all in", part.price_per_square);
        reason("roofCostEstimate", named, squares(part.roof_area), because)
    }));
    reasons.push(reason(
        "roofCostEstimate",
        "waste",
        0.0,
        format!("not added: {} % more to order, {} squares", order.waste_percent, order.squares),
    ));
    reasons
}
