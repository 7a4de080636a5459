//! The geometries of GeoJSON, as rings or a point.

use std::fmt;

use serde::Deserialize;
use serde::de::{self, Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;
use shingle_domain::geometry::ring_contains;

use crate::format::cell;
use crate::format::source::Shape;
use crate::format::unread_row::UnreadRow;

/// `coordinates` stay text until `type`, which may follow, says how to read them.
#[derive(Deserialize)]
pub(crate) struct Geometry<'a> {
    #[serde(rename = "type")]
    kind: String,
    #[serde(borrow)]
    coordinates: Option<&'a RawValue>,
    #[serde(borrow)]
    geometries: Option<Vec<Geometry<'a>>>,
}

/// The first two numbers of a position; heights and measures are ignored.
#[derive(Clone, Copy)]
pub(crate) struct XY(pub f64, pub f64);

impl<'de> Deserialize<'de> for XY {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Numbers;
        impl<'de> Visitor<'de> for Numbers {
            type Value = XY;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a position of two numbers")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<XY, A::Error> {
                let mut next =
                    || list.next_element::<f64>()?.ok_or_else(|| de::Error::custom("a position needs two numbers"));
                let at = XY(next()?, next()?);
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(at)
            }
        }
        from.deserialize_seq(Numbers)
    }
}

type Ring = Vec<XY>;

impl Geometry<'_> {
    /// What is drawn, and whether a hole of it lies outside its polygon.
    pub fn shape(&self) -> Result<(Shape, bool), UnreadRow> {
        match self.kind.as_str() {
            "Point" => {
                let XY(x, y) = self.read()?;
                Ok((Shape::Point(x, y), false))
            }
            "Polygon" | "MultiPolygon" | "GeometryCollection" => {
                let mut polygons = Vec::new();
                self.collect(&mut polygons)?;
                Ok(flat(polygons))
            }
            other => Err(UnreadRow::NeitherOutlineNorPoint { kind: cell::tidy(other) }),
        }
    }

    fn collect(&self, into: &mut Vec<Vec<Vec<(f64, f64)>>>) -> Result<(), UnreadRow> {
        let plain = |ring: Ring| ring.into_iter().map(|XY(x, y)| (x, y)).collect();
        let polygon = |rings: Vec<Ring>| rings.into_iter().map(plain).collect();
        match self.kind.as_str() {
            "Polygon" => into.push(polygon(self.read()?)),
            "MultiPolygon" => into.extend(self.read::<Vec<Vec<Ring>>>()?.into_iter().map(polygon)),
            "GeometryCollection" => {
                for part in self.geometries.iter().flatten() {
                    part.collect(into)?;
                }
            }
            // A label's point or a dimension line beside the polygon.
            _ => {}
        }
        Ok(())
    }

    fn read<T: de::DeserializeOwned>(&self) -> Result<T, UnreadRow> {
        let text = self.coordinates.ok_or(UnreadRow::NoCoordinates)?.get();
        serde_json::from_str(text).map_err(|e| UnreadRow::Coordinates { e: e.to_string() })
    }
}

/// The rings of polygons, and whether one that should be a hole lies outside the ring before it. Some writers
/// write separate parts as holes, so such a ring is kept and reported.
pub(crate) fn flat(polygons: Vec<Vec<Vec<(f64, f64)>>>) -> (Shape, bool) {
    let is_stray = |polygon: &Vec<Vec<(f64, f64)>>| {
        let Some((outer, holes)) = polygon.split_first() else { return false };
        holes.iter().any(|hole| {
            // Corners may touch the border; a middle of a side is inside then.
            let middles = hole.windows(2).map(|w| ((w[0].0 + w[1].0) / 2.0, (w[0].1 + w[1].1) / 2.0));
            !hole.iter().copied().chain(middles).any(|p| ring_contains(outer, p.into()))
        })
    };
    let stray = polygons.iter().any(is_stray);
    let rings: Vec<Vec<(f64, f64)>> = polygons.into_iter().flatten().collect();
    (if rings.is_empty() { Shape::None } else { Shape::Rings(rings) }, stray)
}
