//! Whether a building stands on the parcel, according to the records.
//!
//! # Decision
//!
//! Whether a building stands is decided once, here. Where records contradict each other, `scructurePresent`, the
//! solar index and the scores are all null. Turned down: a decision in each model.

use shingle_domain::evidence::{Assessor, Evidence, Fact, PropertyClass};

use super::facts::{area, built_year};

/// No current record is later. There is no clock here; the limit keeps 9999 out.
const MAX_YEAR: i16 = 2199;

/// What was found for and against a building.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Structure {
    Present {
        sign: StructureSign,
        source: u8,
    },
    Vacant {
        source: u8,
    },
    /// Area and value are recorded, both as zero.
    NothingBuilt {
        source: u8,
    },
    Contradictory {
        sign: StructureSign,
    },
    #[default]
    Unknown,
}

/// What shows that something is built, the most reliable first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StructureSign {
    Area,
    Year,
    Value,
    Outline,
}

pub(crate) fn structure(evidence: &Evidence) -> Structure {
    let assessor = &evidence.place.assessor;
    let sign = sign(evidence);
    match (vacant(assessor), sign) {
        (Some(source), None) => Structure::Vacant { source },
        (Some(_), Some((sign, _))) => Structure::Contradictory { sign },
        (None, Some((sign, source))) => Structure::Present { sign, source },
        (None, None) => {
            let zero = |f: &Option<Fact<f64>>| f.as_ref().is_some_and(|f| f.value == 0.0);
            let no_area = zero(&assessor.building_area_sqft) || zero(&assessor.living_area_sqft);
            match &assessor.building_value {
                Some(value) if value.value.cents() == 0 && no_area => Structure::NothingBuilt { source: value.source },
                _ => Structure::Unknown,
            }
        }
    }
}

fn sign(evidence: &Evidence) -> Option<(StructureSign, u8)> {
    let assessor = &evidence.place.assessor;
    let areas = [&assessor.building_area_sqft, &assessor.living_area_sqft, &assessor.ground_floor_sqft];
    let by_area = areas.into_iter().find_map(area).map(|(_, source)| (StructureSign::Area, source));
    let by_year = || built_year(assessor, MAX_YEAR).map(|(_, source)| (StructureSign::Year, source));
    let by_value =
        || assessor.building_value.as_ref().filter(|v| v.value.cents() > 0).map(|v| (StructureSign::Value, v.source));
    let drawn = |b: &&shingle_domain::evidence::Building| b.outline.parts.iter().any(|p| p.exterior.len() >= 3);
    let by_outline = || evidence.place.buildings.iter().find(drawn).map(|b| (StructureSign::Outline, b.source));
    by_area.or_else(by_year).or_else(by_value).or_else(by_outline)
}

/// The source that records that nothing is built there.
fn vacant(assessor: &Assessor) -> Option<u8> {
    let class = assessor.property_class.as_ref();
    if let Some(class) = class.filter(|c| c.value == PropertyClass::VacantLand) {
        return Some(class.source);
    }
    let kind = assessor.property_type.as_ref()?;
    let words = words_of_type(&kind.value);
    let has = |list: &[&str]| words.iter().any(|w| list.contains(&w.as_str()));
    let says_vacant = has(&["VACANT", "VACNT", "VAC", "UNDEVELOPED", "UNIMPROVED", "UDV", "UNDEV"]);
    // A garage for parking is a building; a lot is not.
    let says_parking = has(&["PARKING"]) && !has(&["GARAGE", "STRUCTURE", "DECK", "RAMP"]);
    (says_vacant || says_parking).then_some(kind.source)
}

/// The words of a property type in capitals: `COM-UDV-LAND` has three.
pub(crate) fn words_of_type(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).take(32).map(str::to_uppercase).collect()
}

impl Structure {
    pub(crate) fn present(self) -> Option<bool> {
        match self {
            Self::Present { .. } => Some(true),
            Self::Vacant { .. } | Self::NothingBuilt { .. } => Some(false),
            Self::Contradictory { .. } | Self::Unknown => None,
        }
    }

    pub(crate) fn source(self) -> Option<u8> {
        match self {
            Self::Present { source, .. } | Self::Vacant { source } | Self::NothingBuilt { source } => Some(source),
            Self::Contradictory { .. } | Self::Unknown => None,
        }
    }

    pub(crate) fn because(self) -> &'static str {
        match self {
            Self::Present { sign: StructureSign::Area, .. } => "the records have a building's area",
            Self::Present { sign: StructureSign::Year, .. } => "the records have the year it was built",
            Self::Present { sign: StructureSign::Value, .. } => "the records have a building's value",
            Self::Present { sign: StructureSign::Outline, .. } => "a building is drawn on the parcel",
            Self::Vacant { .. } => "the records class it as vacant or as a parking lot",
            Self::NothingBuilt { .. } => "the records have no area and no value of a building",
            Self::Contradictory { sign: StructureSign::Outline } => {
                "the records class it as vacant, but a building is drawn there"
            }
            Self::Contradictory { .. } => {
                "the records class it as vacant, and yet have a building's area, year or value"
            }
            Self::Unknown => "no record of a building, and none of its absence",
        }
    }
}
