//! Facts of the assessor's record that pass for values, each with its source.

use shingle_domain::Timestamp;
use shingle_domain::evidence::{Assessor, Evidence, Fact, MatchLevel, PropertyClass};

use crate::owner;

/// The earliest plausible year: the age of the first houses that still stand.
const MIN_BUILT_YEAR: u16 = 1500;
/// Buildings are assessed while they are still under construction.
pub(super) const MAX_YEARS_AHEAD: i16 = 2;
/// Earlier dates stand for unknown ones: 1 January of 1800, 1900, 1901.
const MIN_SALE_DATE: &str = "1902-01-01";

/// The record of the property itself; `None` where the match gives only a neighbor's.
pub(crate) fn own_record(evidence: &Evidence) -> Option<&Assessor> {
    (evidence.matched.level != MatchLevel::Interpolated).then_some(&evidence.place.assessor)
}

/// The text with its source, unless the line is blank.
pub(super) fn text(fact: &Option<Fact<String>>) -> Option<(String, u8)> {
    let fact = fact.as_ref()?;
    let words: Vec<&str> = fact.value.split_whitespace().collect();
    let text = words.join(" ");
    text.contains(|c: char| c.is_alphanumeric()).then_some((text, fact.source))
}

/// As recorded, without the `&` or comma that joins it to the next line.
pub(super) fn owner_line(fact: &Option<Fact<String>>) -> Option<(String, u8)> {
    let (line, source) = text(fact)?;
    if owner::names_nobody(&line) || owner::is_care_of(&line) || owner::is_address_line(&line) {
        return None;
    }
    let mut line = line.as_str();
    loop {
        let outer = line.trim_matches([',', ';', '&', '/', '+', ' ']);
        let tied = [" AND", " and", " And"].iter().find_map(|end| outer.strip_suffix(end));
        let shorter =
            tied.or_else(|| ["AND ", "and "].iter().find_map(|start| outer.strip_prefix(start))).unwrap_or(outer);
        if shorter == line {
            return (!line.is_empty()).then(|| (line.to_owned(), source));
        }
        line = shorter;
    }
}

/// The year with its source, if it is no later than `last`.
pub(crate) fn built_year(assessor: &Assessor, last: i16) -> Option<(u16, u8)> {
    let fact = assessor.year_built.as_ref()?;
    let plausible = fact.value >= MIN_BUILT_YEAR && i32::from(fact.value) <= i32::from(last);
    plausible.then_some((fact.value, fact.source))
}

pub(super) fn years_owned(assessor: &Assessor, now: Timestamp) -> Option<(u16, u8)> {
    let fact = assessor.sale_date.as_ref()?;
    let years = now.full_years_since(&fact.value)?;
    (fact.value.as_str() >= MIN_SALE_DATE).then_some((years, fact.source))
}

/// The assessor's county with its source, or the county of the ZIP without one.
pub(super) fn county(evidence: &Evidence) -> Option<(String, Option<u8>)> {
    let own = text(&evidence.place.assessor.county).map(|(county, source)| (county, Some(source)));
    let of_area =
        || evidence.area.homes.county.as_ref().filter(|c| !c.trim().is_empty()).map(|c| (c.trim().to_owned(), None));
    own.or_else(of_area)
}

pub(super) fn property_type(assessor: &Assessor) -> Option<(String, u8)> {
    let of_class = || assessor.property_class.as_ref().map(|c| (class_name(c.value).to_owned(), c.source));
    type_in_words(assessor).or_else(of_class).or_else(|| text(&assessor.property_type))
}

/// A bare number is a code of the county, not a description.
pub(super) fn type_in_words(assessor: &Assessor) -> Option<(String, u8)> {
    text(&assessor.property_type).filter(|(words, _)| words.chars().any(char::is_alphabetic))
}

fn class_name(class: PropertyClass) -> &'static str {
    match class {
        PropertyClass::SingleFamily => "Single family",
        PropertyClass::TwoToFourUnits => "Two to four units",
        PropertyClass::Condominium => "Condominium",
        PropertyClass::Apartments => "Apartments",
        PropertyClass::MobileHome => "Mobile home",
        PropertyClass::MixedResidential => "Residential, mixed use",
        PropertyClass::VacantLand => "Vacant land",
        PropertyClass::Commercial => "Commercial",
        PropertyClass::Other => "Other",
    }
}

/// A plausible area of a building, above zero.
pub(crate) fn area(fact: &Option<Fact<f64>>) -> Option<(f64, u8)> {
    fact.as_ref().filter(|f| f.value >= 1.0 && f.value < 1e8).map(|f| (f.value, f.source))
}

/// Square feet, source, and the name of the fact.
pub(super) fn building_size(assessor: &Assessor) -> Option<(u64, u8, &'static str)> {
    let all = area(&assessor.building_area_sqft).map(|(a, s)| (a, s, "buildingArea"));
    let living = area(&assessor.living_area_sqft).map(|(a, s)| (a, s, "livingArea"));
    let larger = match (all, living) {
        (Some(all), Some(living)) if living.0 > all.0 => Some(living),
        (all, living) => all.or(living),
    };
    larger.map(|(area, source, name)| (libm::round(area) as u64, source, name))
}
