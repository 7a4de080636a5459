//! The ground that a geometry of GeoJSON covers.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, SeqAccess, Visitor};
use shingle_domain::evidence::Position;

/// All rings of a polygon or of several: what lies in an odd number of them is covered.
#[derive(Debug, Default, PartialEq)]
pub struct GroundPlan {
    rings: Vec<Ring>,
}

#[derive(Debug, Default, PartialEq)]
struct Ring {
    corners: Vec<[f64; 2]>,
}

impl Ring {
    /// Whether a line from there to the east crosses the ring an odd number of times.
    fn is_about(&self, at: Position) -> bool {
        let before = self.corners.iter().cycle().skip(self.corners.len().saturating_sub(1));
        let edges = before.zip(&self.corners);
        let crossed = edges.filter(|(a, b)| {
            let spans = (a[1] > at.latitude) != (b[1] > at.latitude);
            spans && at.longitude < (b[0] - a[0]) * (at.latitude - a[1]) / (b[1] - a[1]) + a[0]
        });
        crossed.count() % 2 == 1
    }
}

impl GroundPlan {
    pub fn holds(&self, at: Position) -> bool {
        self.rings.iter().filter(|ring| ring.is_about(at)).count() % 2 == 1
    }

    /// West, south, east and north; `None` where it covers nothing.
    pub fn bounds(&self) -> Option<[f64; 4]> {
        let corners = self.rings.iter().flat_map(|ring| &ring.corners).map(|[x, y]| [*x, *y, *x, *y]);
        corners.reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])])
    }

    /// How many of the spots it covers, of one.
    pub fn share_of(&self, spots: &[Position]) -> f64 {
        let covered = spots.iter().filter(|spot| self.holds(**spot)).count();
        covered as f64 / spots.len().max(1) as f64
    }
}

/// Coordinates of any depth.
enum Part {
    Number(f64),
    Position([f64; 2]),
    Ring(Ring),
    Rings(Vec<Ring>),
    Nothing,
}

impl<'de> Deserialize<'de> for GroundPlan {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let rings = match Part::deserialize(deserializer)? {
            Part::Ring(ring) => vec![ring],
            Part::Rings(rings) => rings,
            // A point covers nothing.
            Part::Number(_) | Part::Position(_) | Part::Nothing => Vec::new(),
        };
        Ok(Self { rings })
    }
}

impl<'de> Deserialize<'de> for Part {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PartVisitor)
    }
}

struct PartVisitor;

impl<'de> Visitor<'de> for PartVisitor {
    type Value = Part;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("coordinates")
    }

    fn visit_f64<E>(self, value: f64) -> Result<Part, E> {
        Ok(Part::Number(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Part, E> {
        Ok(Part::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Part, E> {
        Ok(Part::Number(value as f64))
    }

    fn visit_unit<E>(self) -> Result<Part, E> {
        Ok(Part::Nothing)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Part, A::Error> {
        Ok(match list.next_element::<Part>()? {
            Some(Part::Number(x)) => {
                let y = list.next_element::<f64>()?;
                // Heights are left out.
                while list.next_element::<IgnoredAny>()?.is_some() {}
                y.map_or(Part::Nothing, |y| Part::Position([x, y]))
            }
            Some(Part::Position(first)) => {
                let mut corners = vec![first];
                while let Some(part) = list.next_element::<Part>()? {
                    if let Part::Position(corner) = part {
                        corners.push(corner);
                    }
                }
                Part::Ring(Ring { corners })
            }
            first => {
                let mut rings = Vec::new();
                let mut next = first;
                while let Some(part) = next {
                    match part {
                        Part::Ring(ring) => rings.push(ring),
                        Part::Rings(more) => rings.extend(more),
                        Part::Number(_) | Part::Position(_) | Part::Nothing => {}
                    }
                    next = list.next_element()?;
                }
                Part::Rings(rings)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(json: &str) -> f64 {
        let spots: Vec<_> = (0..10)
            .flat_map(|x| {
                (0..10).map(move |y| Position { longitude: f64::from(x) + 0.5, latitude: f64::from(y) + 0.5 })
            })
            .collect();
        serde_json::from_str::<GroundPlan>(json).unwrap().share_of(&spots)
    }

    #[test]
    fn polygons_of_any_depth_cover_their_share() {
        let square = "[[0,0],[5,0],[5,10],[0,10],[0,0]]";
        assert_eq!(share(&format!("[{square}]")), 0.5);
        assert_eq!(share(&format!("[[{square}],[[[5,0],[10,0],[10,5],[5,5]]]]")), 0.75);
        // A hole, and heights.
        assert_eq!(share(&format!("[{square},[[0,0,9],[5,0,9],[5,5,9],[0,5,9]]]")), 0.25);
        for nothing in ["[]", "[[]]", "[1,2]", "[1]", "[[],[[]]]", "null", "[null]", "[[[7,7]]]"] {
            assert_eq!(share(nothing), 0.0, "{nothing}");
        }
        for wrong in ["\"x\"", "[\"x\"]", "[1,\"x\"]", "{}"] {
            assert!(serde_json::from_str::<GroundPlan>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn lists_in_lists_without_end_are_an_error() {
        assert!(serde_json::from_str::<GroundPlan>(&"[".repeat(100_000)).is_err());
    }
}
