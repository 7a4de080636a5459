//! How a place is written: postcard, outlines as whole centimetres from point to point, sources by number.

use postcard::ser_flavors::Flavor;
use serde::ser::{SerializeSeq, Serializer};
use serde::{Deserialize, Serialize};
use shingle_domain::evidence::{
    Assessor, Building, Conflict, Outline, OutlineKind, Permit, Place, Point, Polygon, Position, RoofPlane, Source,
};
use shingle_domain::{Address, State, Zip};

/// Everything but the buildings' shapes in the types of the domain; the address first, so that it can be
/// read without the rest.
#[derive(Deserialize)]
struct StoredPlace {
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
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Head {
    number: String,
    street: String,
    city: String,
    state: State,
    zip: Zip,
    pub unit: Option<String>,
}

impl Head {
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

#[derive(Deserialize)]
struct StoredBuilding {
    wall: bool,
    spans_parcels: bool,
    /// Exterior, then holes, of each part.
    parts: Vec<Vec<Ring>>,
    planes: Vec<StoredPlane>,
    use_: Option<String>,
    lot: Ring,
    source: u8,
}

#[derive(Deserialize)]
struct StoredPlane {
    ring: Ring,
    pitch_degrees: f32,
    azimuth_degrees: f32,
}

/// Centimetres: x and y of each point, less those of the point before.
#[derive(Deserialize)]
struct Ring(Vec<i32>);

impl Ring {
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
    const MAX_CENTIMETRES: f64 = 500_000_000.0;
    (metres * 100.0).round().clamp(-MAX_CENTIMETRES, MAX_CENTIMETRES) as i32
}

/// A place as it is written, except for its sources: [`Stored`] without a copy of anything.
#[derive(Serialize)]
struct PlaceRef<'a> {
    head: HeadRef<'a>,
    parcel: &'a Option<String>,
    origin: Option<Position>,
    buildings: Each<'a, Building>,
    assessor: &'a Assessor,
    permits: &'a [Permit],
    conflicts: &'a [Conflict],
}

#[derive(Serialize)]
struct HeadRef<'a> {
    number: &'a str,
    street: &'a str,
    city: &'a str,
    state: State,
    zip: Zip,
    unit: &'a Option<String>,
}

impl<'a> HeadRef<'a> {
    fn of(address: &'a Address, unit: &'a Option<String>) -> Self {
        let Address { street_number: number, street_address: street, city, state, zip } = address;
        Self { number, street, city, state: *state, zip: *zip, unit }
    }
}

/// A list of shapes, each in its stored form.
struct Each<'a, T>(&'a [T]);

impl Serialize for Each<'_, Building> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter().map(|b| {
            let o = &b.outline;
            (
                o.kind == OutlineKind::Wall,
                o.spans_parcels,
                Each(&o.parts),
                Each(&o.planes),
                &b.use_,
                Points(&b.lot),
                b.source,
            )
        }))
    }
}

impl Serialize for Each<'_, Polygon> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter().map(Rings))
    }
}

impl Serialize for Each<'_, RoofPlane> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter().map(|p| (Points(&p.ring), p.pitch_degrees as f32, p.azimuth_degrees as f32)))
    }
}

/// Exterior, then holes.
struct Rings<'a>(&'a Polygon);

impl Serialize for Rings<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(std::iter::once(&self.0.exterior).chain(&self.0.holes).map(|r| Points(r)))
    }
}

/// As [`Ring`].
struct Points<'a>(&'a [Point]);

impl Serialize for Points<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut flat = to.serialize_seq(Some(self.0.len() * 2))?;
        let (mut x, mut y) = (0, 0);
        for p in self.0 {
            let (to_x, to_y) = (centimetres(p.x), centimetres(p.y));
            flat.serialize_element(&(to_x - x))?;
            flat.serialize_element(&(to_y - y))?;
            (x, y) = (to_x, to_y);
        }
        flat.end()
    }
}

/// Appends to a buffer that is used again.
struct Append<'a>(&'a mut Vec<u8>);

impl Flavor for Append<'_> {
    type Output = ();

    fn try_push(&mut self, data: u8) -> postcard::Result<()> {
        self.0.push(data);
        Ok(())
    }

    fn try_extend(&mut self, data: &[u8]) -> postcard::Result<()> {
        self.0.extend_from_slice(data);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<()> {
        Ok(())
    }
}

/// Appends the record; `sources` numbers each source of the place in the file's table.
pub(crate) fn encode(place: &Place, sources: &[u32], to: &mut Vec<u8>) -> Result<(), postcard::Error> {
    let written = PlaceRef {
        head: HeadRef::of(&place.address, &place.unit),
        parcel: &place.parcel,
        origin: place.origin,
        buildings: Each(&place.buildings),
        assessor: &place.assessor,
        permits: &place.permits,
        conflicts: &place.conflicts,
    };
    postcard::serialize_with_flavor(&written, Append(to))?;
    append_sources(sources, to)
}

/// Bytes of the collision check before each record.
pub(super) const CHECK: usize = 4;
/// Appends the end of a record.
fn append_sources(sources: &[u32], to: &mut Vec<u8>) -> Result<(), postcard::Error> {
    postcard::serialize_with_flavor(sources, Append(to))
}

pub(crate) fn decode(bytes: &[u8], table: &[Source]) -> Result<Place, postcard::Error> {
    let stored: StoredPlace = postcard::from_bytes(bytes)?;
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
    postcard::to_stdvec(&Each(&building.outline.parts))
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
        lot: stored.lot.points(),
        source: stored.source,
    }
}
