//! Two records of one place become one: buildings joined, the first fact kept.

use std::collections::HashSet;

use shingle_domain::evidence::{Assessor, Building, Fact, Place, Point, Polygon, Position, RoofPlane, Source};

use super::record::shape;

/// Gathers the rows of one place.
pub(crate) struct Joined {
    place: Place,
    shapes: HashSet<Vec<u8>>,
    /// Facts on which a later row differed from the one kept.
    pub conflicts: u64,
}

impl Joined {
    pub(crate) fn new(place: Place) -> Self {
        let shapes = place.buildings.iter().filter_map(|b| shape(b).ok()).collect();
        Self { place, shapes, conflicts: 0 }
    }

    /// Adds a further row of the same data set: its buildings that are not there yet, its facts that fill gaps.
    pub(crate) fn add(&mut self, mut other: Place) {
        if self.place.buildings.is_empty() {
            self.place.origin = other.origin.or(self.place.origin);
        }
        let shift = match (self.place.origin, other.origin) {
            (Some(from), Some(to)) => offset(from, to),
            _ => (0.0, 0.0),
        };
        let sources = renumber(&mut self.place.sources, &other.sources);
        for mut building in std::mem::take(&mut other.buildings) {
            move_by(&mut building, shift);
            if shape(&building).is_ok_and(|s| self.shapes.insert(s)) {
                building.source = sources.of(building.source);
                self.place.buildings.push(building);
            }
        }
        self.conflicts += fill(&mut self.place.assessor, other.assessor, &sources);
        self.place.parcel = self.place.parcel.take().or(other.parcel);
        self.place.unit = self.place.unit.take().or(other.unit);
    }

    /// The place, its buildings largest first.
    pub(crate) fn finish(mut self) -> Place {
        sort_by_size(&mut self.place.buildings);
        self.place
    }
}

/// Joins the same place of two data sets: the first one's buildings if it has any, else the second's.
pub(crate) fn combine(first: Place, second: Place) -> Place {
    let mut joined = first;
    let sources = renumber(&mut joined.sources, &second.sources);
    if joined.buildings.is_empty() && !second.buildings.is_empty() {
        joined.origin = second.origin;
        joined.buildings = second.buildings;
        for building in &mut joined.buildings {
            building.source = sources.of(building.source);
        }
    }
    joined.origin = joined.origin.or(second.origin);
    fill(&mut joined.assessor, second.assessor, &sources);
    joined.parcel = joined.parcel.or(second.parcel);
    joined.unit = joined.unit.or(second.unit);
    joined
}

pub(crate) fn sort_by_size(buildings: &mut [Building]) {
    let size = |b: &Building| b.outline.parts.iter().map(plan_area).sum::<f64>();
    buildings.sort_by(|a, b| size(b).total_cmp(&size(a)));
}

fn plan_area(polygon: &Polygon) -> f64 {
    ring_area(&polygon.exterior) - polygon.holes.iter().map(|h| ring_area(h)).sum::<f64>()
}

fn ring_area(ring: &[Point]) -> f64 {
    let next = ring.iter().cycle().skip(1);
    (ring.iter().zip(next).map(|(a, b)| a.x * b.y - b.x * a.y).sum::<f64>() / 2.0).abs()
}

/// Metres east and north from one origin to another, on the WGS 84 ellipsoid; good to millimetres within a parcel.
fn offset(from: Position, to: Position) -> (f64, f64) {
    const A: f64 = 6_378_137.0;
    const E2: f64 = 0.006_694_379_990_14;
    let middle = ((from.latitude + to.latitude) / 2.0).to_radians();
    let w = (1.0 - E2 * middle.sin().powi(2)).sqrt();
    let (prime_vertical, meridian) = (A / w, A * (1.0 - E2) / w.powi(3));
    (
        (to.longitude - from.longitude).to_radians() * prime_vertical * middle.cos(),
        (to.latitude - from.latitude).to_radians() * meridian,
    )
}

fn move_by(building: &mut Building, (dx, dy): (f64, f64)) {
    if (dx, dy) == (0.0, 0.0) {
        return;
    }
    let shift = |ring: &mut Vec<Point>| {
        for p in ring {
            p.x += dx;
            p.y += dy;
        }
    };
    for part in &mut building.outline.parts {
        shift(&mut part.exterior);
        part.holes.iter_mut().for_each(shift);
    }
    building.outline.planes.iter_mut().for_each(|RoofPlane { ring, .. }| shift(ring));
}

/// Where the sources of one list stand in another.
struct Renumbered(Vec<u8>);

impl Renumbered {
    fn of(&self, source: u8) -> u8 {
        self.0.get(usize::from(source)).copied().unwrap_or(source)
    }
}

fn renumber(into: &mut Vec<Source>, from: &[Source]) -> Renumbered {
    let numbers = from.iter().map(|source| {
        let at = into.iter().position(|s| s == source).unwrap_or_else(|| {
            // A place with 256 sources: facts beyond them name the last.
            if into.len() <= usize::from(u8::MAX) {
                into.push(source.clone());
            }
            into.len() - 1
        });
        u8::try_from(at).unwrap_or(u8::MAX)
    });
    Renumbered(numbers.collect())
}

/// Fills the gaps of one assessor record from another; answers how many facts of both differ.
fn fill(into: &mut Assessor, from: Assessor, sources: &Renumbered) -> u64 {
    fn one<T: PartialEq>(into: &mut Option<Fact<T>>, from: Option<Fact<T>>, sources: &Renumbered) -> u64 {
        match (into.as_ref(), from) {
            (_, None) => 0,
            (Some(kept), Some(other)) => u64::from(kept.value != other.value),
            (None, Some(fact)) => {
                *into = Some(Fact { source: sources.of(fact.source), ..fact });
                0
            }
        }
    }
    macro_rules! each {
        ($($field:ident),+ $(,)?) => {{
            // Naming every field makes a new one a compile error here.
            let Assessor { $($field),+ } = from;
            0 $(+ one(&mut into.$field, $field, sources))+
        }};
    }
    each!(
        primary_owner,
        secondary_owner,
        mailing_address,
        residential_exemption,
        year_built,
        storeys,
        living_area_sqft,
        building_area_sqft,
        ground_floor_sqft,
        garage,
        roof_type,
        roof_material,
        style,
        units,
        property_class,
        property_type,
        zoning,
        county,
        subdivision,
        school_district,
        heat_fuel,
        mailed_here,
        wall_type,
        grade,
        tax_delinquent,
        sale_date,
        sale_price,
        assessed_value,
        building_value,
    )
}
