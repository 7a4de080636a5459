//! Plausibility checks: whether this is the right building, and whether its figures are unusual.

use shingle_domain::Evidence;
use shingle_domain::evidence::{Building, PropertyClass};
use shingle_domain::roof::{Alerts, AreaAlert, PitchAlert};

use super::plan::{Plan, use_among};
use super::records::ground_floor;
use crate::building_use::BuildingUse;

/// Below 2/12, where asphalt shingles may not be laid (IRC R905.2.2).
const LOW_PITCH_DEGREES: f64 = 9.46;
/// Above 12/12: rare, or a tree or tower measured by mistake.
const HIGH_PITCH_DEGREES: f64 = 45.0;
/// One house in a hundred is below 1,260 sq ft, one in a hundred above 6,240 (6,439 US outlines).
const LOW_AREA_SQFT: f64 = 700.0;
const HIGH_AREA_SQFT: f64 = 6_500.0;
/// Against the assessor's ground floor.
const LOW_AREA_SHARE: f64 = 0.6;
const HIGH_AREA_SHARE: f64 = 2.2;
/// The largest outline must be this much larger than the next to count as the home without doubt.
const MIN_CLEARLY_LARGER: f64 = 1.3;

/// `main`: the home itself. A small shed is not suspicious.
pub(crate) fn alerts(
    evidence: &Evidence,
    plan: Option<&Plan>,
    main: bool,
    area_sqft: f64,
    pitch_degrees: f64,
) -> Alerts {
    let pitch = match pitch_degrees {
        p if p < LOW_PITCH_DEGREES => PitchAlert::LowPitch,
        p if p > HIGH_PITCH_DEGREES => PitchAlert::HighPitch,
        _ => PitchAlert::NoAlerts,
    };
    let floor = ground_floor(&evidence.place.assessor).filter(|_| main);
    let spans_parcels = plan.is_some_and(|p| p.spans_parcels);
    let high = area_sqft > HIGH_AREA_SQFT || spans_parcels || floor.is_some_and(|f| area_sqft > HIGH_AREA_SHARE * f);
    let low = main && (area_sqft < LOW_AREA_SQFT || floor.is_some_and(|f| area_sqft < LOW_AREA_SHARE * f));
    let area = match (high, low) {
        (true, _) => AreaAlert::HighArea,
        (false, true) => AreaAlert::LowArea,
        (false, false) => AreaAlert::NoAlerts,
    };
    Alerts { roof_pitch_alert: Some(pitch), roof_area_alert: Some(area) }
}

/// The alerts of two buildings that are priced together: the first that was raised.
pub(crate) fn either(a: Alerts, b: Alerts) -> Alerts {
    Alerts {
        roof_pitch_alert: a.roof_pitch_alert.filter(|p| *p != PitchAlert::NoAlerts).or(b.roof_pitch_alert),
        roof_area_alert: a.roof_area_alert.filter(|p| *p != AreaAlert::NoAlerts).or(b.roof_area_alert),
    }
}

pub(crate) fn any_raised(alerts: Alerts) -> bool {
    !matches!(alerts.roof_pitch_alert, None | Some(PitchAlert::NoAlerts))
        || !matches!(alerts.roof_area_alert, None | Some(AreaAlert::NoAlerts))
}

/// The reason for the confidence: the first doubt.
pub(crate) fn why(evidence: &Evidence, buildings: &[(&Building, Plan)], chosen: bool) -> &'static str {
    let doubts = Doubts::of(evidence, buildings, chosen);
    match doubts {
        Doubts { inexact: true, .. } => "the address was matched only approximately",
        Doubts { nothing: true, .. } => "no structure is known at the address",
        Doubts { vacant: true, .. } => "the land is recorded as vacant",
        Doubts { worthless: true, .. } => "no year and a building value of 0 are on record",
        Doubts { ambiguous: true, .. } => "several buildings alike stand there",
        _ => "the address was matched exactly and its structure is known",
    }
}

/// 100: the address was matched exactly and its structure is known. 50: it may be a neighbor's.
/// `chosen`: a person picked the building, so similar buildings raise no doubt.
pub(crate) fn confidence(evidence: &Evidence, buildings: &[(&Building, Plan)], chosen: bool) -> u8 {
    if Doubts::of(evidence, buildings, chosen) == Doubts::default() { 100 } else { 50 }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Doubts {
    inexact: bool,
    nothing: bool,
    vacant: bool,
    worthless: bool,
    ambiguous: bool,
}

impl Doubts {
    fn of(evidence: &Evidence, buildings: &[(&Building, Plan)], chosen: bool) -> Self {
        let assessor = &evidence.place.assessor;
        let recorded = [&assessor.building_area_sqft, &assessor.living_area_sqft, &assessor.ground_floor_sqft]
            .into_iter()
            .flatten()
            .any(|fact| fact.value > 0.0);
        let is_outbuilding = |index| use_among(buildings, index) == BuildingUse::Outbuilding;
        Self {
            inexact: !evidence.matched.level.is_exact(),
            nothing: !recorded && buildings.is_empty(),
            vacant: assessor.property_class.as_ref().is_some_and(|c| c.value == PropertyClass::VacantLand),
            worthless: assessor.year_built.is_none()
                && assessor.building_value.as_ref().is_some_and(|v| v.value.cents() == 0),
            ambiguous: !chosen
                && matches!(buildings, [(_, a), (_, b), ..]
                    if is_outbuilding(0) == is_outbuilding(1) && a.area_sqft < MIN_CLEARLY_LARGER * b.area_sqft),
        }
    }
}
