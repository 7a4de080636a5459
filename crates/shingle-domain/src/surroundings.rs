//! What stands around a home, so that its owner recognizes it: outlines, house numbers and the street. No names of
//! people.
//!
//! Lengths are feet × 10 in whole numbers, to the east and to the SOUTH of the home's origin, as in drawings.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Surroundings {
    /// The nearest first.
    pub neighbors: Vec<Neighbor>,
    pub street: Option<StreetLine>,
    /// Streets beside it before which neighbors stand: the other one of a corner, the nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_streets: Vec<StreetLine>,
    /// The border of the home's own lot; empty where it is not known.
    #[serde(default)]
    pub lot: Vec<[i32; 2]>,
    /// The next lower and the next higher house number on the same side of the street, as far as they stand near.
    pub between: [Option<String>; 2],
}

/// A building of a neighbor, or another one of theirs: a garage has the number of its house.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Neighbor {
    /// `None` for all but the largest building of an address.
    pub number: Option<String>,
    pub ring: Vec<[i32; 2]>,
    /// Whose home it is, where a visitor may choose it instead. It is not stored: a lead holds no keys of neighbors.
    #[serde(skip)]
    pub home: Option<NeighborHome>,
}

/// A home near the one that was found, as a visitor chooses it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NeighborHome {
    /// As a suggestion has it.
    pub key: String,
    /// `12 Alder Court`
    pub street: String,
    /// `Harrow Falls, ME 04995`
    pub city: String,
    /// Square feet of its outline, seen from above.
    pub ground: u32,
    pub stands: Stands,
}

/// Where a neighbor stands, seen from the home that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stands {
    /// Beside it, on the same side of the street.
    NextDoor(Wind),
    Behind {
        /// The neighbor's street, where it is another one.
        on: Option<String>,
    },
    Across {
        /// Which street lies between, where it is not the home's own.
        street: Option<String>,
        /// Where it does not stand straight across.
        toward: Option<Wind>,
    },
    /// Whatever is not certain.
    Nearby(Wind),
}

/// One of eight directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wind {
    North,
    Northeast,
    East,
    Southeast,
    South,
    Southwest,
    West,
    Northwest,
}

impl Wind {
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::Northeast,
        Self::East,
        Self::Southeast,
        Self::South,
        Self::Southwest,
        Self::West,
        Self::Northwest,
    ];

    /// The direction of so far to the east and to the north.
    pub fn of(east: f64, north: f64) -> Self {
        let eighth = (east.atan2(north).to_degrees() / 45.0).round() as i32;
        Self::ALL[eighth.rem_euclid(8) as usize]
    }
}

/// The middle of a street, as the houses on both its sides suggest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StreetLine {
    /// `Alder Court`
    pub name: String,
    pub from: [i32; 2],
    pub to: [i32; 2],
    /// Half of the width it is drawn with: it touches no building.
    pub half_width: i32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_directions_meet_halfway() {
        for (at, wind) in Wind::ALL.into_iter().enumerate() {
            for off in [-22.0, 0.0, 22.0] {
                let (sin, cos) = (45.0 * at as f64 + off).to_radians().sin_cos();
                assert_eq!(Wind::of(sin, cos), wind, "{off} degrees beside it");
            }
        }
        assert_eq!(Wind::of(-1.0, -0.001), Wind::West);
    }

    #[test]
    fn a_lead_keeps_the_outline_and_not_whose_it_is_and_older_leads_can_be_read() {
        let stands = Stands::NextDoor(Wind::West);
        let home = NeighborHome {
            key: "me0g".into(),
            street: "12 Alder Court".into(),
            city: "Harrow Falls, ME 04995".into(),
            ground: 1_508,
            stands,
        };
        let neighbor = Neighbor { number: Some("12".into()), ring: vec![[0, 0], [9, 0], [9, 9]], home: Some(home) };
        let stored = serde_json::to_string(&neighbor).expect("JSON");
        assert_eq!(stored, r#"{"number":"12","ring":[[0,0],[9,0],[9,9]]}"#);
        let read: Neighbor = serde_json::from_str(&stored).expect("a neighbor");
        assert_eq!(read, Neighbor { home: None, ..neighbor });
    }
}
