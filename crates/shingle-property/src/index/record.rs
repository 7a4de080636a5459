//! How a place is written: outlines as whole centimeters from point to point, sources by number, the assessor's facts by
//! [`super::stored_facts`]. Where it stands is written beside it, because a block says it from home to home.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use shingle_domain::evidence::{
    Building, Conflict, Outline, OutlineKind, Permit, Place, Point, Polygon, Position, RoofPlane, Source, Survey,
};
use shingle_domain::{Address, State, Zip};

use super::packed::{Malformed, Unpacker};
use super::stored_facts;

/// The encoding of a [`Place`], before its assessor's facts. It begins with what names the place, so that this can be read
/// alone.
#[derive(Serialize, Deserialize)]
struct Record<'a> {
    #[serde(borrow)]
    name: PlaceName<'a>,
    parcel: Option<&'a str>,
    buildings: Vec<StoredBuilding>,
    permits: Cow<'a, [Permit]>,
    conflicts: Cow<'a, [Conflict]>,
    /// Numbers of sources in the file's table.
    sources: Cow<'a, [u32]>,
}

/// What names a place, as its source writes it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct PlaceName<'a> {
    pub number: &'a str,
    pub street: &'a str,
    pub city: &'a str,
    pub state: State,
    pub zip: Zip,
    pub unit: Option<&'a str>,
}

impl<'a> PlaceName<'a> {
    pub(crate) fn of(place: &'a Place) -> Self {
        let Address { street_number: number, street_address: street, city, state, zip } = &place.address;
        Self { number, street, city, state: *state, zip: *zip, unit: place.unit.as_deref() }
    }

    pub(crate) fn address(&self) -> Address {
        Address {
            street_number: self.number.to_owned(),
            street_address: self.street.to_owned(),
            city: self.city.to_owned(),
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
    /// Where planes are known.
    roof: Option<StoredRoof>,
    use_: Option<String>,
    lot: Ring,
    source: u8,
}

#[derive(Serialize, Deserialize)]
struct StoredRoof {
    planes: Vec<StoredPlane>,
    survey: Option<Survey>,
}

#[derive(Serialize, Deserialize)]
struct StoredPlane {
    /// Its border, then its holes.
    rings: Vec<Ring>,
    pitch_degrees: f32,
    azimuth_degrees: f32,
    height: Option<f32>,
}

/// Centimeters: x and y of each point, less those of the point before.
#[derive(Serialize, Deserialize)]
struct Ring(Vec<i32>);

/// Where a place stands, in whole ten-millionths of a degree: a centimeter, as fine as the corners of its outlines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Spot {
    pub longitude: i32,
    pub latitude: i32,
}

impl Spot {
    const IN_A_DEGREE: f64 = 1e7;

    /// `None` for what is nowhere on the Earth.
    pub(super) fn of(at: Position) -> Option<Self> {
        let on_earth = at.latitude.abs() <= 90.0 && at.longitude.abs() <= 180.0;
        let whole = |degrees: f64| (degrees * Self::IN_A_DEGREE).round() as i32;
        on_earth.then(|| Self { longitude: whole(at.longitude), latitude: whole(at.latitude) })
    }

    pub(super) fn position(self) -> Position {
        let degrees = |whole: i32| f64::from(whole) / Self::IN_A_DEGREE;
        Position { longitude: degrees(self.longitude), latitude: degrees(self.latitude) }
    }
}

/// Appends the record; `sources` numbers each source of the place in the file's table.
pub(crate) fn encode(place: &Place, sources: &[u32], to: &mut Vec<u8>) -> Result<(), Malformed> {
    let record = Record {
        name: PlaceName::of(place),
        parcel: place.parcel.as_deref(),
        buildings: place.buildings.iter().map(StoredBuilding::of).collect(),
        permits: Cow::Borrowed(&place.permits),
        conflicts: Cow::Borrowed(&place.conflicts),
        sources: Cow::Borrowed(sources),
    };
    *to = postcard::to_extend(&record, std::mem::take(to))?;
    stored_facts::put(&place.assessor, to);
    Ok(())
}

pub(super) fn decode(bytes: &[u8], spot: Option<Spot>, table: &[Source]) -> Result<Place, Malformed> {
    let (record, facts): (Record<'_>, _) = postcard::take_from_bytes(bytes)?;
    let mut facts = Unpacker(facts);
    let assessor = stored_facts::take(&mut facts)?;
    if !facts.is_empty() {
        return Err(Malformed);
    }
    let source = |n: &u32| table.get(*n as usize).cloned().ok_or(Malformed);
    Ok(Place {
        address: record.name.address(),
        unit: record.name.unit.map(str::to_owned),
        parcel: record.parcel.map(str::to_owned),
        origin: spot.map(Spot::position),
        buildings: record.buildings.into_iter().map(StoredBuilding::building).collect(),
        assessor,
        permits: record.permits.into_owned(),
        conflicts: record.conflicts.into_owned(),
        sources: record.sources.iter().map(source).collect::<Result<_, _>>()?,
    })
}

/// The beginning of a record alone.
pub(crate) fn decode_name(bytes: &[u8]) -> Result<PlaceName<'_>, Malformed> {
    Ok(postcard::take_from_bytes(bytes).map(|(name, _)| name)?)
}

/// A building's shape as it is stored: what tells whether two records speak of the same building.
pub(crate) fn shape(building: &Building) -> Result<Vec<u8>, postcard::Error> {
    postcard::to_stdvec(&stored_parts(&building.outline))
}

fn stored_parts(outline: &Outline) -> Vec<Vec<Ring>> {
    outline.parts.iter().map(|part| rings(&part.exterior, &part.holes)).collect()
}

fn rings(border: &[Point], holes: &[Vec<Point>]) -> Vec<Ring> {
    std::iter::once(border).chain(holes.iter().map(Vec::as_slice)).map(Ring::of).collect()
}

impl StoredBuilding {
    fn of(building: &Building) -> Self {
        let outline = &building.outline;
        let plane = |plane: &RoofPlane| StoredPlane {
            rings: rings(&plane.ring, &plane.holes),
            pitch_degrees: plane.pitch_degrees as f32,
            azimuth_degrees: plane.azimuth_degrees as f32,
            height: plane.height,
        };
        Self {
            wall: outline.kind == OutlineKind::Wall,
            spans_parcels: outline.spans_parcels,
            parts: stored_parts(outline),
            roof: (!outline.planes.is_empty())
                .then(|| StoredRoof { planes: outline.planes.iter().map(plane).collect(), survey: outline.survey }),
            use_: building.use_.clone(),
            lot: Ring::of(&building.lot),
            source: building.source,
        }
    }

    fn building(self) -> Building {
        let part = |rings: &Vec<Ring>| Polygon {
            exterior: rings.first().map(Ring::points).unwrap_or_default(),
            holes: rings.iter().skip(1).map(Ring::points).collect(),
        };
        let plane = |plane: &StoredPlane| RoofPlane {
            ring: plane.rings.first().map(Ring::points).unwrap_or_default(),
            holes: plane.rings.iter().skip(1).map(Ring::points).collect(),
            pitch_degrees: f64::from(plane.pitch_degrees),
            azimuth_degrees: f64::from(plane.azimuth_degrees),
            height: plane.height,
        };
        Building {
            outline: Outline {
                kind: if self.wall { OutlineKind::Wall } else { OutlineKind::Eave },
                parts: self.parts.iter().map(part).collect(),
                planes: self.roof.iter().flat_map(|roof| &roof.planes).map(plane).collect(),
                survey: self.roof.as_ref().and_then(|roof| roof.survey),
                spans_parcels: self.spans_parcels,
            },
            use_: self.use_,
            lot: self.lot.points(),
            source: self.source,
        }
    }
}

impl Ring {
    fn of(points: &[Point]) -> Self {
        let (mut x, mut y) = (0, 0);
        let steps = points.iter().flat_map(|point| {
            let (to_x, to_y) = (centimeters(point.x), centimeters(point.y));
            let step = [to_x - x, to_y - y];
            (x, y) = (to_x, to_y);
            step
        });
        Self(steps.collect())
    }

    fn points(&self) -> Vec<Point> {
        let (mut x, mut y) = (0i32, 0i32);
        let (pairs, _) = self.0.as_chunks::<2>();
        let point = |[dx, dy]: &[i32; 2]| {
            x = x.wrapping_add(*dx);
            y = y.wrapping_add(*dy);
            Point { x: f64::from(x) / 100.0, y: f64::from(y) / 100.0 }
        };
        pairs.iter().map(point).collect()
    }
}

/// Bounded to some 5,000 km, so that differences fit.
fn centimeters(meters: f64) -> i32 {
    const MAX_CENTIMETERS: f64 = 500_000_000.0;
    (meters * 100.0).round().clamp(-MAX_CENTIMETERS, MAX_CENTIMETERS) as i32
}
