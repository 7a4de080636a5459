//! The public results: for the look-up, the estimate step, the lead and the roof step.

use shingle_domain::Evidence;
use shingle_domain::evidence::{Building, Source};
use shingle_domain::lead::ShownEstimate;
use shingle_domain::money::Usd;
use shingle_domain::public::{BuildingChoice, EstimateSummary, MeasureMethod, Provenance, RoofFound};
use shingle_domain::roof::{PriceTable, RoofEstimate, RoofMaterial};

use super::drawing::{longest_sides, of_shape};
use super::measure::{RoofMeasure, measure, of_building, of_records};
use super::plan::{Plan, buildings};
use super::price::{PriceTerms, cost, material_price};
use super::shape::RoofShape;
use super::{pitch, records};

/// The materials a visitor can choose, the usual one first.
const OFFERED_MATERIALS: [RoofMaterial; 4] =
    [RoofMaterial::AsphaltShingle, RoofMaterial::Metal, RoofMaterial::Tile, RoofMaterial::Slate];

/// The contract's record. All `None` when there is no evidence, or none of a roof.
///
/// `roofArea` is in whole square feet and `squaresWithPitch` is that over 100. `installedPrice` is the price
/// per square that was used: the caller's, or the table's for the material. The cost is squares × that
/// price, to the cent, so the record can be checked on paper whatever the material.
pub fn roof_estimate(
    evidence: Option<&Evidence>,
    building: Option<usize>,
    material: Option<RoofMaterial>,
    installed_price: Option<Usd>,
    table: &PriceTable,
) -> RoofEstimate {
    let Some(measure) = evidence.and_then(|e| measure(e, building)) else { return RoofEstimate::default() };
    let material = material.unwrap_or(RoofMaterial::AsphaltShingle);
    let price = installed_price.unwrap_or_else(|| table.price(material));
    RoofEstimate {
        roof_area: Some(f64::from(measure.area_sqft)),
        squares_with_pitch: Some(f64::from(measure.area_sqft) / 100.0),
        average_roof_pitch: Some(measure.pitch_degrees),
        roof_complexity_level: measure.complexity,
        roof_material: Some(material),
        installed_price: Some(price),
        roof_cost_estimate: Some(cost(measure.area_sqft, price)),
        structure_present_confidence_score: Some(measure.confidence),
        data_accurcy_alerts: measure.alerts,
    }
}

/// Everything the estimate step shows. The visitor can check its cost: it is the squares shown (one decimal) × the
/// price shown, so it may differ from the look-up's by up to a twentieth of a square.
pub fn estimate_summary(evidence: &Evidence, building: usize, terms: &PriceTerms<'_>) -> Option<EstimateSummary> {
    let measure = measure(evidence, Some(building))?;
    let squares_tenths = (measure.area_sqft + 5) / 10;
    let rise = libm::tan(measure.pitch_degrees.to_radians());
    Some(EstimateSummary {
        street: evidence.place.address.street_line(),
        roof_area: measure.area_sqft,
        squares_tenths,
        pitch_tenths: (measure.pitch_degrees * 10.0).round() as u32,
        rise_halves: (rise * 24.0).round() as u32,
        complexity: measure.complexity,
        // The number next to a modelled drawing must match the planes that the drawing shows.
        facets: measure
            .facets
            .filter(|facets| measure.method == MeasureMethod::Survey || [0, *facets].contains(&measure.drawn)),
        alerts: measure.alerts,
        prices: OFFERED_MATERIALS
            .map(|material| material_price(&measure, squares_tenths, material, terms.price(material)))
            .to_vec(),
    })
}

/// The part of the estimate summary that a lead keeps.
pub fn shown_estimate(sheet: &EstimateSummary, confidence: u8) -> ShownEstimate {
    ShownEstimate {
        roof_area: f64::from(sheet.roof_area),
        squares: f64::from(sheet.squares_tenths) / 10.0,
        average_roof_pitch: f64::from(sheet.pitch_tenths) / 10.0,
        roof_complexity_level: sheet.complexity,
        structure_present_confidence_score: confidence,
        alerts: sheet.alerts,
        prices: sheet.prices.clone(),
    }
}

/// The roof step: every building with its drawing, homes first. `key` identifies the property for the browser.
/// `None` when the property has no known roof of its own.
pub fn roof_found(key: &str, evidence: &Evidence) -> Option<RoofFound> {
    if records::shares_its_roof(&evidence.place.assessor) {
        return None;
    }
    let buildings = buildings(evidence);
    let slope = pitch::usual(&evidence.place);
    let known_type = pitch::known_type(&evidence.place.assessor);
    let mut choices = Vec::new();
    let mut first: Option<RoofMeasure> = None;
    for (index, (building, plan)) in buildings.iter().enumerate() {
        let shape = RoofShape::of(plan, slope, known_type);
        let measure = of_building(evidence, &buildings, index, false, &shape);
        choices.push(BuildingChoice {
            label: label(&buildings, index, building),
            area: measure.area_sqft,
            drawing: Some(of_shape(&shape, measure.area_sqft)),
            longest_sides: longest_sides(&shape),
            shape: shape.words,
        });
        first.get_or_insert(measure);
    }
    let source = match buildings.first() {
        Some((building, _)) => Some(building.source),
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
                longest_sides: None,
                shape: String::new(),
            });
            measure
        }
    };
    Some(RoofFound {
        key: key.to_owned(),
        street: evidence.place.address.street_line(),
        city: evidence.place.address.city_line(),
        buildings: choices,
        confidence: measure.confidence,
        alerts: measure.alerts,
        provenance: provenance(source.and_then(|s| evidence.place.sources.get(usize::from(s))), measure.method),
    })
}

fn provenance(source: Option<&Source>, method: MeasureMethod) -> Provenance {
    Provenance {
        method,
        year: source.and_then(|s| year(s.as_of.as_deref()?)),
        source: source.map(|s| s.name.clone()).unwrap_or_default(),
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

/// The source's name for it, numbered where buildings would have the same name.
fn label(buildings: &[(&Building, Plan)], index: usize, building: &Building) -> String {
    let named = name(building);
    let Some(name) = named else {
        return if index == 0 { "Main building".to_owned() } else { format!("Building {}", index + 1) };
    };
    let same = |(other, _): &&(&Building, Plan)| self::name(other).as_ref() == Some(&name);
    match buildings[..index].iter().filter(same).count() {
        0 => name,
        before => format!("{name} {}", before + 1),
    }
}

fn name(building: &Building) -> Option<String> {
    const MEANINGLESS: [&str; 5] = ["", "yes", "building", "unknown", "other"];
    let words = building.use_.as_deref()?.trim().to_lowercase().replace('_', " ");
    if MEANINGLESS.contains(&words.as_str()) {
        return None;
    }
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect())
}
