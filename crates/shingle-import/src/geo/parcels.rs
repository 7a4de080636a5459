//! The parcels of a county: which parcel a position is on, and where a parcel is.
//!
//! A parcel may be drawn in several features, and one polygon may be many parcels (every unit of a condominium has the
//! polygon of the whole). Both are joined under the id that was read first.

use std::collections::HashMap;

use shingle_domain::evidence::{Point, Polygon, Position};
use shingle_domain::geometry::plain_ring;

use crate::geo::areas::{AreaProblem, Areas, AreasBuilder};

#[derive(Default)]
pub(crate) struct ParcelsBuilder {
    areas: AreasBuilder,
    /// The group of every polygon.
    groups: Vec<u32>,
    names: NameTable,
    ids: HashMap<u64, Entry>,
}

pub(crate) struct Parcels {
    areas: Areas,
    groups: Vec<u32>,
    names: NameTable,
    ids: HashMap<u64, Entry>,
}

#[derive(Clone, Copy)]
struct Entry {
    group: u32,
    /// Its polygon; the largest of several.
    polygon: u32,
}

/// Texts in one allocation.
#[derive(Default)]
pub(crate) struct NameTable {
    text: String,
    ends: Vec<u32>,
}

impl NameTable {
    pub fn push(&mut self, name: &str) -> u32 {
        self.text.push_str(name);
        self.ends.push(self.text.len() as u32);
        self.ends.len() as u32 - 1
    }

    pub fn get(&self, number: u32) -> &str {
        let at = number as usize;
        let from = at.checked_sub(1).and_then(|i| self.ends.get(i)).copied().unwrap_or(0);
        let to = self.ends.get(at).copied().unwrap_or(0);
        self.text.get(from as usize..to as usize).unwrap_or_default()
    }

    fn bytes(&self) -> usize {
        self.text.len() + self.ends.len() * 4
    }
}

/// Ids are compared without case and blanks.
fn key(id: &str) -> u64 {
    let plain: String = id.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_uppercase).collect();
    u64::from_le_bytes(blake3::hash(plain.as_bytes()).as_bytes()[..8].try_into().unwrap_or_default())
}

/// The parcel of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Parcel {
    group: u32,
    polygon: u32,
}

impl ParcelsBuilder {
    pub fn push(&mut self, id: &str, rings: &Vec<Vec<(f64, f64)>>) -> Result<(), AreaProblem> {
        let polygon = self.areas.push(rings)?;
        let key = key(id);
        let drawn = self.groups.get(polygon as usize).copied();
        let group = match (self.ids.get(&key), drawn) {
            (Some(known), _) => known.group,
            (None, Some(group)) => group,
            (None, None) => self.names.push(id),
        };
        if drawn.is_none() {
            self.groups.push(group);
        }
        let known = self.ids.entry(key).or_insert(Entry { group, polygon });
        if self.areas.size(polygon) > self.areas.size(known.polygon) {
            known.polygon = polygon;
        }
        Ok(())
    }

    pub fn finish(mut self) -> Parcels {
        self.groups.shrink_to_fit();
        self.ids.shrink_to_fit();
        Parcels { areas: self.areas.finish(), groups: self.groups, names: self.names, ids: self.ids }
    }
}

/// Smaller details of a border are left out, meters.
const BORDER_DETAIL: f64 = 0.5;
/// A border with more corners is that of a farm, a river or a road.
const MAX_BORDER_CORNERS: usize = 40;

impl Parcels {
    pub fn of_id(&self, id: &str) -> Option<Parcel> {
        self.ids.get(&key(id)).map(|k| Parcel { group: k.group, polygon: k.polygon })
    }

    pub fn at(&self, place: Position) -> Option<Parcel> {
        let polygon = self.areas.at(place)?;
        Some(Parcel { group: *self.groups.get(polygon as usize)?, polygon })
    }

    /// The first id that was read for it.
    pub fn name(&self, parcel: Parcel) -> &str {
        self.names.get(parcel.group)
    }

    /// A position on it.
    pub fn inside(&self, parcel: Parcel) -> Option<Position> {
        self.areas.inside(parcel.polygon)
    }

    /// The share of a plan that lies on it, all its polygons together.
    pub fn share(&self, parcel: Parcel, plan: &[Polygon], origin: Position) -> f64 {
        let near = self.areas.near(plan, origin).into_iter();
        let own = near.filter(|n| self.groups.get(*n as usize) == Some(&parcel.group));
        own.map(|n| self.areas.share(n, plan, origin)).sum::<f64>().min(1.0)
    }

    /// The border of one of its polygons, in meters about `origin`; empty where it has too many corners to be looked
    /// at.
    pub fn border(&self, parcel: Parcel, origin: Position) -> Vec<Point> {
        let ring = plain_ring(&self.areas.exterior(parcel.polygon, origin), BORDER_DETAIL);
        if ring.len() <= MAX_BORDER_CORNERS { ring } else { Vec::new() }
    }

    /// An id as the layer writes it.
    pub fn example(&self) -> Option<&str> {
        Some(self.names.get(0)).filter(|n| !n.is_empty())
    }

    /// Ids, and polygons.
    pub fn count(&self) -> (usize, usize) {
        (self.ids.len(), self.areas.len())
    }

    /// Bytes held in memory, about.
    pub fn bytes(&self) -> usize {
        self.areas.bytes() + self.groups.len() * 4 + self.names.bytes() + self.ids.capacity() * 17
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lot(i: u32) -> Vec<Vec<(f64, f64)>> {
        let (x, y, s) = (-82.5 + f64::from(i) * 1e-3, 40.25, 9e-4);
        vec![vec![(x, y), (x + s, y), (x + s, y + s), (x, y + s), (x, y)]]
    }

    fn middle(i: u32) -> Position {
        Position { longitude: -82.5 + f64::from(i) * 1e-3 + 4e-4, latitude: 40.2504 }
    }

    #[test]
    fn units_that_share_a_polygon_are_one_ground() {
        let mut builder = ParcelsBuilder::default();
        for unit in 0..10_000 {
            builder.push(&format!("12-{unit}"), &lot(0)).unwrap();
        }
        let parcels = builder.finish();
        assert_eq!(parcels.count(), (10_000, 1));
        let here = parcels.at(middle(0)).unwrap();
        assert_eq!(parcels.name(here), "12-0");
        assert_eq!(parcels.of_id("12-9999"), Some(here));
        assert_eq!(parcels.of_id("12-10000"), None);
    }

    #[test]
    fn a_parcel_drawn_in_pieces_is_one_ground_and_placed_on_its_largest() {
        let mut builder = ParcelsBuilder::default();
        let small = vec![lot(5)[0].iter().map(|p| (p.0, 40.25 + (p.1 - 40.25) / 4.0)).collect::<Vec<_>>()];
        builder.push("A 1", &small).unwrap();
        builder.push("a1", &lot(0)).unwrap();
        builder.push("B", &lot(1)).unwrap();
        let parcels = builder.finish();
        let (one, other) =
            (parcels.at(middle(0)).unwrap(), parcels.at(Position { latitude: 40.2501, ..middle(5) }).unwrap());
        assert_eq!((parcels.name(one), parcels.name(other)), ("A 1", "A 1"));
        assert_eq!(parcels.at(parcels.inside(parcels.of_id("A1").unwrap()).unwrap()), Some(one));
        assert_eq!(parcels.name(parcels.at(middle(1)).unwrap()), "B");
    }

    #[test]
    fn a_border_is_told_about_a_place_unless_it_has_too_many_corners_to_look_at() {
        let mut builder = ParcelsBuilder::default();
        let round = |corners: u32| {
            let turn = |n: u32| f64::from(n) * std::f64::consts::TAU / f64::from(corners);
            vec![(0..=corners).map(|n| (-82.0 + 1e-2 * turn(n).cos(), 40.0 + 1e-2 * turn(n).sin())).collect::<Vec<_>>()]
        };
        builder.push("lot", &lot(0)).unwrap();
        builder.push("lake", &round(400)).unwrap();
        let parcels = builder.finish();
        let border = |id: &str| parcels.border(parcels.of_id(id).unwrap(), middle(0));
        let square = border("lot");
        // 4e-4 of a degree, to the south-west; the ring is open.
        let first = square.iter().min_by(|a, b| (a.x + a.y).total_cmp(&(b.x + b.y))).unwrap();
        assert_eq!((square.len(), first.x.round(), first.y.round()), (4, -34.0, -44.0), "{square:?}");
        assert!(border("lake").is_empty());
    }

    #[test]
    fn the_ten_thousandth_copy_of_a_parcel_takes_no_room() {
        let mut builder = ParcelsBuilder::default();
        for _ in 0..10_000 {
            builder.push("7", &lot(0)).unwrap();
        }
        let parcels = builder.finish();
        assert_eq!(parcels.count(), (1, 1));
        assert!(parcels.bytes() < 1_000, "{}", parcels.bytes());
    }
}
