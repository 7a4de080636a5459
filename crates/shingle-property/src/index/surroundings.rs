//! What stands around a home: the houses near it, whatever their street, and the streets between them.
//!
//! One query with fixed bounds, asked by the flow alone: a look-up does not pay for it.
//!
//! # Decisions
//!
//! - Each file has one row per map cell of 1/1500 degree, so the cells within 75 m are three to five ranges of rows,
//!   at six bytes per place. Turned down: searching by house number, which finds no house behind the home; a row per
//!   place, which doubles the bytes; an R-tree, which SQLite fills row by row.
//! - A search reads at most 160 records, nearest first, and draws at most 40 outlines and 420 corners.
//! - The five nearest homes with an outline and an address come with their keys, so that a visitor may choose one of them.
//!   No further record is read for that. Of a house whose units alone are recorded none is offered: which of them would be
//!   a guess.
//! - A street is drawn midway between the fronts of its two sides, and left out where they do not determine it.

use shingle_address::{Normalized, number_span};
use shingle_domain::evidence::{Place, Point, Position};
use shingle_domain::geometry::{plain_ring, ring_area, ring_contains};
use shingle_domain::public::Suggestion;
use shingle_domain::surroundings::{Neighbor, NeighborHome, StreetLine, Surroundings};

use super::reader::Reader;
use super::relations::{KnownStreet, Scene};
use super::street_lines::{Course, House, middle};
use crate::error::PropertyError;
use crate::geometry::offset;
use crate::suggest::suggestion_of;

/// Metres from the home's origin; a window of the drawing shows less.
const RADIUS: f64 = 75.0;
/// Records that are read, the nearest first. Several data sets may each have one of a house.
const MAX_PLACES: usize = 160;
const MAX_OUTLINES: usize = 40;
/// Corners of all outlines together: some five kilobytes of JSON.
const MAX_CORNERS: usize = 420;
const MAX_OTHER_STREETS: usize = 3;
/// Smaller details of a neighbor's outline are left out, meters.
const DETAIL: f64 = 0.4;
/// Square meters: a neighbor's shed helps nobody.
const MIN_OUTLINE: f64 = 25.0;
/// Homes that can be chosen instead, and how far away, meters.
const MAX_HOMES: usize = 5;
const MAX_AWAY: f64 = 70.0;
const SQUARE_FEET: f64 = 10.763_91;

const TENTHS_PER_METRE: f64 = 10.0 / 0.3048;

pub(crate) fn around(readers: &[Reader], home: &Place) -> Result<Surroundings, PropertyError> {
    let Some(origin) = home.origin else { return Ok(Surroundings::default()) };
    let own_rings = rings(home, Point { x: 0.0, y: 0.0 });
    let own = house(home, Point { x: 0.0, y: 0.0 }, own_rings);
    let mut houses = near(readers, home, origin, &own)?;
    houses.sort_by(|a, b| a.at.x.hypot(a.at.y).total_cmp(&b.at.x.hypot(b.at.y)));
    let lot = home.buildings.first().map(|b| b.lot.iter().copied().map(tenths).collect()).unwrap_or_default();
    let all: Vec<&House> = houses.iter().chain([&own]).collect();
    let on = |street: &str| -> Vec<&House> { all.iter().copied().filter(|h| h.street == street).collect() };
    let own_course = Course::of_home(&on(&own.street), own.at, RADIUS, &all);
    let mut names: Vec<(&str, &str)> = Vec::new();
    for House { street, street_shown, .. } in &houses {
        if *street != own.street && !names.iter().any(|(known, _)| known == street) {
            names.push((street, street_shown));
        }
    }
    let course = |street: &str| Course::beside(&on(street), own.at, own_course.as_ref(), &all);
    let mut others: Vec<(KnownStreet<'_>, Course)> = Vec::new();
    others.extend(names.into_iter().filter_map(|(street, shown)| {
        let course = course(street)?;
        Some((KnownStreet::of(street, shown, &course), course))
    }));
    others.sort_by(|(_, a), (_, b)| a.distance(own.at).total_cmp(&b.distance(own.at)));
    let own_street = own_course.as_ref().map(|course| KnownStreet::of(&own.street, &own.street_shown, course));
    let streets: Vec<&KnownStreet<'_>> = own_street.iter().chain(others.iter().map(|(street, _)| street)).collect();
    let scene = Scene { own: &own, houses: &houses, streets: &streets };
    Ok(Surroundings {
        between: [true, false].map(|lower| beside(&houses, &own, lower)),
        neighbors: neighbors(&houses, &own, &scene),
        street: own_course.map(|course| line(&own.street_shown, &course)),
        other_streets: others.iter().take(MAX_OTHER_STREETS).map(|(of, course)| line(of.shown, course)).collect(),
        lot,
    })
}

/// The houses of every data set that stand nearest, each once.
fn near(readers: &[Reader], home: &Place, origin: Position, own: &House) -> Result<Vec<House>, PropertyError> {
    let readers: Vec<&Reader> = readers.iter().filter(|reader| reader.state == home.address.state).collect();
    let mut found = Vec::new();
    for (at, reader) in readers.iter().enumerate() {
        found.extend(reader.shard.within(origin, RADIUS)?.into_iter().map(|(away, home)| (away, at, home)));
    }
    // Of homes at one spot, as of one that several data sets have, in the order of the data sets.
    found.sort_by(|(a, at, home), (b, other, second)| a.total_cmp(b).then((at, home).cmp(&(other, second))));
    let mut houses: Vec<House> = Vec::new();
    for (_, at, home) in found.into_iter().take(MAX_PLACES) {
        let place = readers[at].shard.place_of(home)?;
        let Some(there) = place.origin else { continue };
        let (x, y) = offset(origin, there);
        let at = Point { x, y };
        let mut rings = rings(&place, at);
        rings.retain(|ring| ring_area(ring) >= MIN_OUTLINE);
        let house = house(&place, at, rings);
        if house.street.is_empty() || (&house.street, house.number) == (&own.street, own.number) {
            continue;
        }
        match houses.iter_mut().find(|known| (&known.street, known.number) == (&house.street, house.number)) {
            // Another data set, or a flat of the same house.
            Some(known) => {
                let address = known.address.take().or_else(|| house.address.clone());
                let shown = if known.rings.is_empty() { house } else { known.clone() };
                *known = House { address, ..shown };
            }
            None => houses.push(house),
        }
    }
    Ok(houses)
}

fn house(place: &Place, at: Point, rings: Vec<Vec<Point>>) -> House {
    let from = Normalized::from_place(place);
    let number = number_span(&from.number).map_or(0, |(low, _)| low);
    let named = number > 0 && !from.name.is_empty();
    House {
        street: if named { [from.predir, from.name, from.suffix, from.postdir].join(" ") } else { String::new() },
        street_shown: place.address.street_address.clone(),
        number,
        shown: place.address.street_number.clone(),
        address: Some(&place.address).filter(|_| place.unit.is_none()).cloned(),
        at: rings.first().map_or(at, |ring| middle(ring)),
        rings,
    }
}

/// The outlines of a place, the largest first.
fn rings(place: &Place, at: Point) -> Vec<Vec<Point>> {
    let parts = place.buildings.iter().flat_map(|b| &b.outline.parts);
    let moved = |ring: &[Point]| ring.iter().map(|p| Point { x: p.x + at.x, y: p.y + at.y }).collect();
    let mut rings: Vec<Vec<Point>> = parts.map(|part| moved(&part.exterior)).collect();
    rings.sort_by(|a, b| ring_area(b).total_cmp(&ring_area(a)));
    rings
}

/// The next house number on the home's side of its street.
fn beside(houses: &[House], own: &House, lower: bool) -> Option<String> {
    let same_side = |h: &&House| h.street == own.street && h.number % 2 == own.number % 2;
    let there = houses.iter().filter(same_side).filter(|h| (h.number < own.number) == lower);
    there.min_by_key(|h| h.number.abs_diff(own.number)).map(|h| h.shown.clone())
}

fn neighbors(houses: &[House], own: &House, scene: &Scene<'_>) -> Vec<Neighbor> {
    let (mut corners, mut homes) = (0, 0);
    let mut found = Vec::new();
    let mut drawn: Vec<&[Point]> = own.rings.iter().map(Vec::as_slice).collect();
    for house in houses {
        for (at, ring) in house.rings.iter().enumerate() {
            // What has two addresses is one building.
            if drawn.iter().any(|known| is_same(known, ring)) {
                continue;
            }
            let plain: Vec<[i32; 2]> = plain_ring(ring, DETAIL).into_iter().map(tenths).collect();
            if plain.len() < 3 || found.len() == MAX_OUTLINES || corners + plain.len() > MAX_CORNERS {
                continue;
            }
            corners += plain.len();
            drawn.push(ring);
            let home = house.address.as_ref().filter(|_| {
                let away = (house.at.x - own.at.x).hypot(house.at.y - own.at.y);
                at == 0 && homes < MAX_HOMES && away <= MAX_AWAY
            });
            homes += usize::from(home.is_some());
            let home = home.map(|address| {
                let Suggestion { key, street, city, .. } = suggestion_of(address);
                let ground = (ring_area(ring) * SQUARE_FEET).round() as u32;
                NeighborHome { key, street, city, ground, stands: scene.stands(house) }
            });
            found.push(Neighbor { number: (at == 0).then(|| house.shown.clone()), ring: plain, home });
        }
    }
    found
}

fn is_same(a: &[Point], b: &[Point]) -> bool {
    ring_contains(a, middle(b)) || ring_contains(b, middle(a))
}

fn line(name: &str, course: &Course) -> StreetLine {
    StreetLine {
        name: name.to_owned(),
        from: tenths(course.start()),
        to: tenths(course.end()),
        half_width: (course.half_width * TENTHS_PER_METRE) as i32,
    }
}

fn tenths(p: Point) -> [i32; 2] {
    [(p.x * TENTHS_PER_METRE).round() as i32, (-p.y * TENTHS_PER_METRE).round() as i32]
}

#[cfg(test)]
#[path = "surroundings_tests.rs"]
mod tests;
