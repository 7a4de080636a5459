//! How a place is written: postcard, outlines as whole centimetres from point to point, sources by number.

use serde::{Deserialize, Serialize};
use shingle_domain::evidence::{
    Assessor, Building, Conflict, Outline, OutlineKind, Permit, Place, Point, Polygon, Position, RoofPlane, Source,
};
use shingle_domain::{Address, State, Zip};

/// Everything but the buildings' shapes in the types of the domain; the address first, so that it can be
/// read without the rest.
#[derive(Serialize, Deserialize)]
struct Stored {
    head: Head,
    parcel: Option<String>,
    origin: Option<Position>,
    buildings: Vec<StoredBuilding>,
    assessor: Assessor,
    permits: Vec<Permit>,
    conflicts: Vec<Conflict>,
    /// Numbers of sources in the file's table.
    sources: Vec<u32>,
}

/// The part of a record that names the place.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Head {
    number: String,
    street: String,
    city: String,
    state: State,
    zip: Zip,
    pub unit: Option<String>,
}

impl Head {
    fn of(place: &Place) -> Self {
        let Address { street_number, street_address, city, state, zip } = place.address.clone();
        Self { number: street_number, street: street_address, city, state, zip, unit: place.unit.clone() }
    }

    pub(crate) fn address(&self) -> Address {
        Address {
            street_number: self.number.clone(),
            street_address: self.street.clone(),
            city: self.city.clone(),
            state: self.state,
            zip: self.zip,
        }
    }
}

#[derive(Serialize, Deserialize)]
struct StoredBuilding {
    wall: bool,
    spans_parcels: bool,
    /// Exterior, then holes, of each part.
    parts: Vec<Vec<Ring>>,
    planes: Vec<StoredPlane>,
    use_: Option<String>,
    source: u8,
}

#[derive(Serialize, Deserialize)]
struct StoredPlane {
    ring: Ring,
    pitch_degrees: f32,
    azimuth_degrees: f32,
}

/// Centimetres: x and y of each point, less those of the point before.
#[derive(Serialize, Deserialize)]
struct Ring(Vec<i32>);

impl Ring {
    fn of(points: &[Point]) -> Self {
        let mut flat = Vec::with_capacity(points.len() * 2);
        let (mut x, mut y) = (0, 0);
        for p in points {
            let (to_x, to_y) = (centimetres(p.x), centimetres(p.y));
            flat.push(to_x - x);
            flat.push(to_y - y);
            (x, y) = (to_x, to_y);
        }
        Self(flat)
    }

    fn points(&self) -> Vec<Point> {
        let (mut x, mut y) = (0i32, 0i32);
        let (pairs, _) = self.0.as_chunks::<2>();
        pairs
            .iter()
            .map(|[dx, dy]| {
                x = x.wrapping_add(*dx);
                y = y.wrapping_add(*dy);
                Point { x: f64::from(x) / 100.0, y: f64::from(y) / 100.0 }
            })
            .collect()
    }
}

/// Bounded to some 5,000 km, so that differences fit.
fn centimetres(metres: f64) -> i32 {
    const FAR: f64 = 500_000_000.0;
    (metres * 100.0).round().clamp(-FAR, FAR) as i32
}

/// `sources` numbers each source of the place in the file's table.
pub(crate) fn encode(place: &Place, sources: Vec<u32>) -> Result<Vec<u8>, postcard::Error> {
    let stored = Stored {
        head: Head::of(place),
        parcel: place.parcel.clone(),
        origin: place.origin,
        buildings: place.buildings.iter().map(stored_building).collect(),
        assessor: place.assessor.clone(),
        permits: place.permits.clone(),
        conflicts: place.conflicts.clone(),
        sources,
    };
    postcard::to_stdvec(&stored)
}

pub(crate) fn decode(bytes: &[u8], table: &[Source]) -> Result<Place, postcard::Error> {
    let stored: Stored = postcard::from_bytes(bytes)?;
    let sources = stored
        .sources
        .iter()
        .map(|n| table.get(*n as usize).cloned().ok_or(postcard::Error::DeserializeBadEncoding))
        .collect::<Result<_, _>>()?;
    Ok(Place {
        address: stored.head.address(),
        unit: stored.head.unit,
        parcel: stored.parcel,
        origin: stored.origin,
        buildings: stored.buildings.into_iter().map(building).collect(),
        assessor: stored.assessor,
        permits: stored.permits,
        conflicts: stored.conflicts,
        sources,
    })
}

/// Only the address, without reading the rest of the record.
pub(crate) fn decode_head(bytes: &[u8]) -> Result<Head, postcard::Error> {
    postcard::take_from_bytes(bytes).map(|(head, _)| head)
}

/// A building's shape as it is stored: what tells whether two records speak of the same building.
pub(crate) fn shape(building: &Building) -> Result<Vec<u8>, postcard::Error> {
    postcard::to_stdvec(&stored_building(building).parts)
}

fn stored_building(building: &Building) -> StoredBuilding {
    let outline = &building.outline;
    StoredBuilding {
        wall: outline.kind == OutlineKind::Wall,
        spans_parcels: outline.spans_parcels,
        parts: outline
            .parts
            .iter()
            .map(|p| std::iter::once(&p.exterior).chain(&p.holes).map(|r| Ring::of(r)).collect())
            .collect(),
        planes: outline
            .planes
            .iter()
            .map(|p| StoredPlane {
                ring: Ring::of(&p.ring),
                pitch_degrees: p.pitch_degrees as f32,
                azimuth_degrees: p.azimuth_degrees as f32,
            })
            .collect(),
        use_: building.use_.clone(),
        source: building.source,
    }
}

fn building(stored: StoredBuilding) -> Building {
    let parts = stored
        .parts
        .iter()
        .map(|rings| Polygon {
            exterior: rings.first().map(Ring::points).unwrap_or_default(),
            holes: rings.iter().skip(1).map(Ring::points).collect(),
        })
        .collect();
    let planes = stored
        .planes
        .iter()
        .map(|p| RoofPlane {
            ring: p.ring.points(),
            pitch_degrees: f64::from(p.pitch_degrees),
            azimuth_degrees: f64::from(p.azimuth_degrees),
        })
        .collect();
    Building {
        outline: Outline {
            kind: if stored.wall { OutlineKind::Wall } else { OutlineKind::Eave },
            parts,
            planes,
            spans_parcels: stored.spans_parcels,
        },
        use_: stored.use_,
        source: stored.source,
    }
}
