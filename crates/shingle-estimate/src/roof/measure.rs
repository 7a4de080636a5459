//! The best measure that the evidence allows.

use shingle_domain::Evidence;
use shingle_domain::evidence::{Building, OutlineKind};
use shingle_domain::home_roof::{BuildingSet, PitchReason};
use shingle_domain::public::MeasureMethod;
use shingle_domain::roof::{Alerts, Complexity};

use super::plan::{Plan, buildings};
use super::shape::RoofShape;
use super::works::Works;
use super::{checks, pitch, records};

/// Planes measured by a survey: mean error 0.9 %, nine in ten within 2.1 % (51 roofs).
const SIGMA_SURVEY: f64 = 0.013;
/// A pitch that is only usual (7 degrees either way), in area.
const SIGMA_PITCH: f64 = 0.06;
/// An overhang that is only usual, in area.
const SIGMA_OVERHANG: f64 = 0.05;

/// A roof's size and slope, and how far to trust them.
#[derive(Debug, Clone, PartialEq)]
pub struct RoofMeasure {
    pub method: MeasureMethod,
    /// Square feet along the slope.
    pub area_sqft: u32,
    /// Square feet under the eaves, seen from above.
    pub plan_sqft: f64,
    /// Mean over the roof, weighted by area; degrees, two decimals.
    pub pitch_degrees: f64,
    /// Flat pieces of 20 sq ft or more, surveyed, or counted by the rectangle rule. `None` when only records are
    /// known.
    pub facets: Option<u32>,
    pub complexity: Option<Complexity>,
    /// One standard error of the area, relative: 0.06 is 6 %.
    pub sigma: f64,
    /// The part of `sigma` that does not come from the pitch.
    pub size_sigma: f64,
    /// Why the pitch is taken to be what it is; `None` where it was measured.
    pub assumed_pitch: Option<PitchReason>,
    /// What of it has a price of its own.
    pub works: Works,
    /// 100 or 50.
    pub confidence: u8,
    pub alerts: Alerts,
}

/// The measure of one building: `building` counts as in [`super::roof_found`]'s answer (homes first, then
/// garages and sheds, larger before smaller); `None` is the first. `None` when nothing is known of the roof, or when
/// the records show that the home has no roof of its own.
pub fn measure(evidence: &Evidence, building: Option<usize>) -> Option<RoofMeasure> {
    if records::shares_its_roof(&evidence.place.assessor) {
        return None;
    }
    let buildings = buildings(evidence);
    let index = building.unwrap_or(0);
    match buildings.get(index) {
        Some(found) => {
            let shape =
                RoofShape::of(&found.1, pitch::usual(&evidence.place), pitch::known_type(&evidence.place.assessor));
            Some(of_building(evidence, &buildings, index, building.is_some(), &shape))
        }
        None if buildings.is_empty() && index == 0 => of_records(evidence),
        None => None,
    }
}

/// As [`measure`], for a building whose shape is already known.
pub(crate) fn of_building(
    evidence: &Evidence,
    buildings: &[(&Building, Plan)],
    index: usize,
    chosen: bool,
    shape: &RoofShape,
) -> RoofMeasure {
    let plan = &buildings[index].1;
    let known_type = pitch::known_type(&evidence.place.assessor);
    let (factor, pitch_degrees) = plan.slope(pitch::usual(&evidence.place));
    let area_sqft = whole(plan.area_sqft * factor);
    let pitch_degrees = two_decimals(pitch_degrees);
    let surveyed = !plan.planes.is_empty();
    let overhang = if plan.kind == OutlineKind::Wall { SIGMA_OVERHANG } else { 0.0 };
    let slope = if surveyed { SIGMA_SURVEY } else { SIGMA_PITCH };
    let by_facets = shape.facets.map(|n| match n {
        0..=4 => Complexity::Simple,
        5..=12 => Complexity::Average,
        _ => Complexity::Complex,
    });
    RoofMeasure {
        method: if surveyed { MeasureMethod::Survey } else { MeasureMethod::Outline },
        area_sqft,
        plan_sqft: plan.area_sqft,
        pitch_degrees,
        facets: shape.facets,
        complexity: by_facets.or_else(|| records::complexity(known_type, f64::from(area_sqft))),
        sigma: (slope * slope + overhang * overhang).sqrt(),
        size_sigma: if surveyed { SIGMA_SURVEY.max(overhang) } else { overhang },
        assumed_pitch: (!surveyed).then(|| pitch::reason(&evidence.place)),
        // The records' stories are those of the house, which comes first.
        works: Works::of(area_sqft, plan, known_type, stories(evidence).filter(|_| index == 0)),
        confidence: checks::confidence(evidence, buildings, chosen),
        alerts: checks::alerts(evidence, Some(plan), index == 0, f64::from(area_sqft), pitch_degrees),
    }
}

pub(crate) fn of_records(evidence: &Evidence) -> Option<RoofMeasure> {
    let assessor = &evidence.place.assessor;
    let plan = records::plan(assessor)?;
    let slope = pitch::usual(&evidence.place);
    let area_sqft = whole(plan.area_sqft * slope.factor());
    let pitch_degrees = two_decimals(slope.in_degrees());
    let size_sigma = (plan.sigma * plan.sigma + SIGMA_OVERHANG * SIGMA_OVERHANG).sqrt();
    Some(RoofMeasure {
        method: MeasureMethod::Records,
        area_sqft,
        plan_sqft: plan.area_sqft,
        pitch_degrees,
        facets: None,
        complexity: records::complexity(pitch::known_type(assessor), f64::from(area_sqft)),
        sigma: (size_sigma * size_sigma + SIGMA_PITCH * SIGMA_PITCH).sqrt(),
        size_sigma,
        assumed_pitch: Some(pitch::reason(&evidence.place)),
        works: Works::of_records(area_sqft, pitch::known_type(assessor), stories(evidence)),
        confidence: checks::confidence(evidence, &[], false),
        alerts: checks::alerts(evidence, None, true, f64::from(area_sqft), pitch_degrees),
    })
}

/// The measure of several buildings together, as far as a visitor chose them; `None` when one of them is not there.
pub fn measure_chosen(evidence: &Evidence, chosen: BuildingSet) -> Option<RoofMeasure> {
    let mut each = Vec::with_capacity(chosen.count());
    for index in chosen.indices() {
        each.push(measure(evidence, Some(index))?);
    }
    let mut each = each.into_iter();
    let first = each.next()?;
    Some(each.fold(first, together))
}

/// One roof of two: areas add up, the rest is what holds for the sum.
fn together(a: RoofMeasure, b: RoofMeasure) -> RoofMeasure {
    let area_sqft = a.area_sqft + b.area_sqft;
    let mean = |of_a: f64, of_b: f64| {
        (of_a * f64::from(a.area_sqft) + of_b * f64::from(b.area_sqft)) / f64::from(area_sqft.max(1))
    };
    RoofMeasure {
        method: if a.method == b.method { a.method } else { MeasureMethod::Outline },
        area_sqft,
        plan_sqft: a.plan_sqft + b.plan_sqft,
        pitch_degrees: two_decimals(mean(a.pitch_degrees, b.pitch_degrees)),
        facets: a.facets.zip(b.facets).map(|(a, b)| a + b),
        // The dearer work decides, and a shed makes no house simpler.
        complexity: a.complexity.zip(b.complexity).map(|(a, b)| a.max(b)),
        // One cause for both: the same pitch is assumed, the same eaves.
        sigma: mean(a.sigma, b.sigma),
        size_sigma: mean(a.size_sigma, b.size_sigma),
        assumed_pitch: a.assumed_pitch.or(b.assumed_pitch),
        works: a.works.and(b.works),
        confidence: a.confidence.min(b.confidence),
        alerts: checks::either(a.alerts, b.alerts),
    }
}

fn stories(evidence: &Evidence) -> Option<f64> {
    evidence.place.assessor.storeys.as_ref().map(|known| known.value)
}

fn whole(area: f64) -> u32 {
    area.round() as u32
}

fn two_decimals(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
