//! A home's roof: which of its buildings are priced, what is assumed about it, and why it may have no price.
//!
//! # Decision
//!
//! Several buildings are priced as a set (`BuildingSet`, `0,2`), one of which must be a home's roof. A requested unit
//! travels in the opaque key (`me0g...3`) and stays in the address. Turned down: a field in every request.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::evidence::{PropertyClass, RoofType};

/// Which buildings of a home are meant, by their places in the roof answer. At least one.
///
/// As text and in JSON it is `0,2`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct BuildingSet(u16);

impl BuildingSet {
    /// More buildings than this are not offered.
    pub const MAX_BUILDINGS: usize = 9;
    /// The house alone.
    pub const FIRST: Self = Self(1);
    /// In place of a set: the roof that was found belongs to somebody else.
    pub const NOT_MINE: &str = "none";

    /// `None` beyond the last building that can be offered.
    pub fn only(index: usize) -> Option<Self> {
        (index < Self::MAX_BUILDINGS).then(|| Self(1 << index))
    }

    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub fn contains(self, index: usize) -> bool {
        index < Self::MAX_BUILDINGS && self.0 & 1 << index != 0
    }

    pub fn indices(self) -> impl Iterator<Item = usize> {
        (0..Self::MAX_BUILDINGS).filter(move |index| self.contains(*index))
    }

    pub fn count(self) -> usize {
        self.0.count_ones() as usize
    }
}

impl fmt::Display for BuildingSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, index) in self.indices().enumerate() {
            if at > 0 {
                f.write_str(",")?;
            }
            write!(f, "{index}")?;
        }
        Ok(())
    }
}

/// No building, or one that cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoBuildingSet;

impl fmt::Display for NoBuildingSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a list of buildings, such as 0,2")
    }
}

impl FromStr for BuildingSet {
    type Err = NoBuildingSet;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let one = |part: &str| part.trim().parse().ok().and_then(Self::only).ok_or(NoBuildingSet);
        let mut parts = text.split(',');
        let first = one(parts.next().unwrap_or_default())?;
        parts.try_fold(first, |set, part| Ok(set.with(one(part)?)))
    }
}

impl TryFrom<String> for BuildingSet {
    type Error = NoBuildingSet;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<BuildingSet> for String {
    fn from(set: BuildingSet) -> Self {
        set.to_string()
    }
}

/// Why a roof gets no price from afar: somebody measures it on site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "why")]
pub enum NoPrice {
    /// Neither an outline nor a recorded size is known.
    Unknown,
    /// No home of the town is known: its data was never loaded, or is being loaded now.
    Uncovered {
        /// `Biddeford, ME`
        town: String,
    },
    /// The home is a unit, and the roof that of a whole building.
    Unit {
        /// As it was asked for or recorded: `3`, `Apt 3`.
        unit: Option<String>,
        /// Homes in the building, where recorded.
        homes: Option<u16>,
    },
    /// A building of five homes or more.
    Apartments { homes: Option<u16> },
    /// The records say that no home stands here.
    NoHome { class: PropertyClass },
    /// None of the chosen buildings is a house: a garage, a shed, a barn.
    Outbuilding {
        label: String,
        /// Square feet of ground under it.
        ground: u32,
    },
    /// Too small for a home's roof.
    Small { label: String, ground: u32 },
    /// The outline and the records contradict each other: square feet of ground by each.
    SizesDiffer { outline: u32, records: u32 },
}

/// A pitch that nobody measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AssumedPitch {
    pub reason: PitchReason,
    /// What the roof would be at other pitches that are common, the lower first. Empty where the type of the roof leaves
    /// none to compare.
    pub others: Vec<OtherPitch>,
}

/// Why a pitch is taken to be the usual one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "by")]
pub enum PitchReason {
    /// The records name the type of the roof.
    RoofType { roof_type: RoofType },
    /// Low roofs are usual in this part of the country.
    LowRegion,
    /// Single-storey houses of 1950 to 1979.
    Ranch,
    /// Houses before 1940 in New England and the Middle Atlantic.
    OldNortheast,
    /// The most usual pitch.
    Usual,
}

/// The size of a roof at another pitch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OtherPitch {
    /// Rise over a run of 12.
    pub rise: u32,
    /// Square feet along the slope.
    pub roof_area: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_buildings_survives_its_text() {
        for bits in 1..1_u16 << BuildingSet::MAX_BUILDINGS {
            let set = BuildingSet(bits);
            assert_eq!(set.to_string().parse(), Ok(set));
            assert_eq!(set.indices().count(), set.count());
        }
        assert_eq!("2, 0".parse::<BuildingSet>().map(|s| s.to_string()), Ok("0,2".to_owned()));
        assert_eq!("1,1".parse(), Ok(BuildingSet(2)));
        for wrong in ["", ",", "9", "-1", "0,", "0,x", "70000"] {
            assert_eq!(wrong.parse::<BuildingSet>(), Err(NoBuildingSet), "{wrong}");
        }
    }

    #[test]
    fn reasons_are_told_apart_in_json() {
        let reason = NoPrice::Unit { unit: Some("3".into()), homes: None };
        let json = serde_json::to_value(&reason).expect("JSON");
        assert_eq!(json, serde_json::json!({ "why": "unit", "unit": "3", "homes": null }));
        assert_eq!(serde_json::from_value::<NoPrice>(json).ok(), Some(reason));
        let pitch = PitchReason::RoofType { roof_type: RoofType::Hip };
        assert_eq!(serde_json::to_value(pitch).ok(), Some(serde_json::json!({ "by": "roofType", "roofType": "hip" })));
    }
}
