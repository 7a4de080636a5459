//! The public results: for the look-up, the estimate step, the lead and the roof step.
//!
//! # Decision
//!
//! The flow draws no planes that nobody surveyed: an outline without planes, counts or slopes. `include=segments`
//! still gives the model, named as a model. Turned down: showing the model with a label, which visitors took for
//! their roof.

use shingle_domain::Evidence;
use shingle_domain::evidence::{RoofType, Source};
use shingle_domain::home_roof::{AssumedPitch, BuildingSet, NoPrice, OtherPitch};
use shingle_domain::lead::{MaterialPrice, ShownEstimate};
use shingle_domain::money::Usd;
use shingle_domain::public::{BuildingChoice, EstimateSummary, MeasureMethod, Provenance, RoofFound};
use shingle_domain::roof::{PriceTable, RoofEstimate, RoofMaterial};

use super::drawing::{longest_sides, of_shape};
use super::gate::{self, no_price};
use super::labels::label;
use super::measure::{RoofMeasure, measure, measure_chosen, of_building, of_records};
use super::pitch::Slope;
use super::plan::{Plan, buildings};
use super::price::{PriceTerms, material_price};
use super::shape::RoofShape;
use super::{pitch, records};

/// The materials a visitor can choose, the usual one first.
const OFFERED_MATERIALS: [RoofMaterial; 4] =
    [RoofMaterial::AsphaltShingle, RoofMaterial::Metal, RoofMaterial::Tile, RoofMaterial::Slate];

/// The contract's record. All `None` when there is no evidence, or none of a roof.
///
/// `roofArea` is in whole square feet and `squaresWithPitch` is that over 100. `installedPrice` is the price
/// per square that was used: the caller's, or the table's for the material. The cost is squares × that
/// price, to the cent, so the record can be checked on paper whatever the material. What is too low for shingles is
/// priced as such; the reasons and the range name both parts.
pub fn roof_estimate(
    evidence: Option<&Evidence>,
    building: Option<usize>,
    material: Option<RoofMaterial>,
    installed_price: Option<Usd>,
    table: &PriceTable,
) -> RoofEstimate {
    let Some(measure) = evidence.and_then(|e| measure(e, building)) else { return RoofEstimate::default() };
    let material = material.unwrap_or(RoofMaterial::AsphaltShingle);
    let (terms, price) = PriceTerms::of_look_up(table, material, installed_price);
    RoofEstimate {
        roof_area: Some(f64::from(measure.area_sqft)),
        squares_with_pitch: Some(f64::from(measure.area_sqft) / 100.0),
        average_roof_pitch: Some(measure.pitch_degrees),
        roof_complexity_level: measure.complexity,
        roof_material: Some(material),
        installed_price: Some(price),
        roof_cost_estimate: Some(terms.sum(&measure, price).cost),
        structure_present_confidence_score: Some(measure.confidence),
        data_accurcy_alerts: measure.alerts,
    }
}

/// Everything the estimate step shows, or why it shows no price. Its cost is that of the look-up at the same price.
pub fn estimate_summary(
    evidence: &Evidence,
    chosen: BuildingSet,
    terms: &PriceTerms<'_>,
) -> Result<EstimateSummary, NoPrice> {
    if let Some(reason) = no_price(evidence, chosen) {
        return Err(reason);
    }
    let each = chosen.indices().filter_map(|index| Some(measure(evidence, Some(index))?.area_sqft)).collect();
    let measure = measure_chosen(evidence, chosen).ok_or(NoPrice::Unknown)?;
    let rise = libm::tan(measure.pitch_degrees.to_radians());
    let surveyed = measure.method == MeasureMethod::Survey;
    Ok(EstimateSummary {
        street: evidence.street_line(),
        roof_area: measure.area_sqft,
        areas: each,
        pitch_tenths: (measure.pitch_degrees * 10.0).round() as u32,
        rise_halves: (rise * 24.0).round() as u32,
        assumed_pitch: measure.assumed_pitch.map(|reason| AssumedPitch {
            reason,
            others: pitch::others(reason)
                .into_iter()
                .flatten()
                .map(|rise| {
                    let sloped = measure.plan_sqft * Slope::twelfths(f64::from(rise)).factor();
                    OtherPitch { rise, roof_area: sloped.round() as u32 }
                })
                .collect(),
        }),
        // What nobody measured is not counted.
        complexity: measure.complexity.filter(|_| surveyed),
        facets: measure.facets.filter(|_| surveyed),
        alerts: measure.alerts,
        prices: offered(&measure, terms),
    })
}

/// A roof that is too low for all of them has one price, that of a membrane.
fn offered(measure: &RoofMeasure, terms: &PriceTerms<'_>) -> Vec<MaterialPrice> {
    let mut prices = OFFERED_MATERIALS.map(|material| material_price(measure, material, terms)).to_vec();
    if prices.first().is_some_and(MaterialPrice::is_all_low_slope) {
        prices.truncate(1);
    }
    prices
}

/// The part of the estimate summary that a lead keeps.
pub fn shown_estimate(sheet: &EstimateSummary, confidence: u8) -> ShownEstimate {
    ShownEstimate {
        roof_area: f64::from(sheet.roof_area),
        squares: f64::from(sheet.roof_area) / 100.0,
        average_roof_pitch: f64::from(sheet.pitch_tenths) / 10.0,
        roof_complexity_level: sheet.complexity,
        structure_present_confidence_score: confidence,
        alerts: sheet.alerts,
        prices: sheet.prices.clone(),
    }
}

/// What the roof step shows.
#[derive(Debug, Clone, PartialEq)]
pub enum HomeRoof {
    /// A home's roof; the first building, at least, is one.
    Priced(RoofFound),
    /// No price from afar, why, and what is known of the buildings.
    OnSite(NoPrice, Option<RoofFound>),
}

/// The roof step: every building with what is known of it, the house first. `key` identifies the property for the browser.
/// Nothing is drawn that nobody measured: an outline without a survey has no facets.
pub fn home_roof(key: &str, evidence: &Evidence) -> HomeRoof {
    let found = found(key, evidence, RoofShape::known);
    match (no_price(evidence, BuildingSet::FIRST), found) {
        (None, Some(found)) => HomeRoof::Priced(found),
        (reason, found) => HomeRoof::OnSite(reason.unwrap_or(NoPrice::Unknown), found),
    }
}

/// Every building with its roof as it may look: what no survey knows is modelled, and the drawing says so. `None` when the
/// property has no known roof of its own.
pub fn roof_found(key: &str, evidence: &Evidence) -> Option<RoofFound> {
    if records::shares_its_roof(&evidence.place.assessor) {
        return None;
    }
    found(key, evidence, RoofShape::of)
}

fn found(
    key: &str,
    evidence: &Evidence,
    shape_of: impl Fn(&Plan, Slope, Option<RoofType>) -> RoofShape,
) -> Option<RoofFound> {
    let buildings = buildings(evidence);
    let slope = pitch::usual(&evidence.place);
    let known_type = pitch::known_type(&evidence.place.assessor);
    let mut choices = Vec::new();
    let mut first: Option<RoofMeasure> = None;
    for (index, (_, plan)) in buildings.iter().enumerate() {
        let shape = shape_of(plan, slope, known_type);
        let measure = of_building(evidence, &buildings, index, false, &shape);
        let (drawing, at) = of_shape(&shape, measure.area_sqft);
        choices.push(BuildingChoice {
            label: label(&buildings, index),
            area: measure.area_sqft,
            drawing: Some(drawing),
            at,
            ground: plan.area_sqft.round() as u32,
            longest_sides: longest_sides(&shape),
            shape: shape.words,
            no_price: gate::of_building(evidence, index),
        });
        first.get_or_insert(measure);
    }
    let source = match buildings.first() {
        Some((building, plan)) => Some(plan.surveyed_by.unwrap_or(building.source)),
        None => records_source(evidence),
    };
    let measure = match first {
        Some(measure) => measure,
        None => {
            let measure = of_records(evidence)?;
            choices.push(BuildingChoice {
                label: "House".to_owned(),
                area: measure.area_sqft,
                drawing: None,
                at: [0, 0],
                ground: measure.plan_sqft.round() as u32,
                longest_sides: None,
                shape: String::new(),
                no_price: None,
            });
            measure
        }
    };
    Some(RoofFound {
        key: key.to_owned(),
        street: evidence.street_line(),
        city: evidence.place.address.city_line(),
        buildings: choices,
        confidence: measure.confidence,
        alerts: measure.alerts,
        provenance: provenance(source.and_then(|s| evidence.place.sources.get(usize::from(s))), measure.method),
        around: None,
        photo: None,
        photo_of_homes: None,
    })
}

fn provenance(source: Option<&Source>, method: MeasureMethod) -> Provenance {
    Provenance {
        method,
        year: source.and_then(|s| year(s.as_of.as_deref()?)),
        source: source.map(|s| s.shown().to_owned()).unwrap_or_default(),
        invented: source.is_some_and(|s| s.invented),
    }
}

/// The first four digits in a row: the year of `2021`, `2025-01-01` or `July 2021`.
fn year(as_of: &str) -> Option<String> {
    as_of.split(|c: char| !c.is_ascii_digit()).find(|run| run.len() == 4).map(str::to_owned)
}

fn records_source(evidence: &Evidence) -> Option<u8> {
    let a = &evidence.place.assessor;
    [&a.ground_floor_sqft, &a.living_area_sqft, &a.building_area_sqft].into_iter().flatten().map(|f| f.source).next()
}
