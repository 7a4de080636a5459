//! What stands around a home: the houses of its street whose numbers are near, and the line of the street between them.
//!
//! One query with fixed bounds, asked by the flow alone: a look-up does not pay for it. An index has no map, but it has
//! streets with their numbers, and whoever stands before a home knows it by those.

use shingle_address::{Normalized, number_span};
use shingle_domain::evidence::{Place, Point};
use shingle_domain::geometry::{plain_ring, ring_area};
use shingle_domain::surroundings::{Neighbor, StreetLine, Surroundings};

use super::readers::Reader;
use super::shard::Area;
use crate::error::PropertyError;
use crate::geometry::offset;

/// House numbers looked at on either side of the home's own.
const MAX_NUMBERS_APART: u32 = 60;
/// Places that are read, the nearest numbers first.
const MAX_PLACES: usize = 60;
/// Metres from the home's origin; a window of the drawing shows less.
const RADIUS: f64 = 75.0;
const MAX_OUTLINES: usize = 40;
/// Corners of all outlines together: some five kilobytes of JSON.
const MAX_CORNERS: usize = 420;
/// Smaller details of a neighbour's outline are left out, metres.
const DETAIL: f64 = 0.4;
/// Square metres: a neighbour's shed tells nobody anything.
const MIN_OUTLINE: f64 = 25.0;
/// How far the houses of one side may stand from one line, and how far apart the two sides may be, metres.
const MAX_SCATTER: f64 = 8.0;
const MAX_ACROSS: f64 = 90.0;
/// Half the width that a street is drawn with, metres: as wide as a street of two lanes, or as there is room.
const HALF_WIDTH: core::ops::RangeInclusive<f64> = 2.5..=4.1;
/// Between a building and the edge of the street, metres.
const VERGE: f64 = 1.0;

const TENTHS_PER_METRE: f64 = 10.0 / 0.3048;

/// A house of the street, in metres about the home.
struct House {
    number: u32,
    shown: String,
    at: Point,
    rings: Vec<Vec<Point>>,
}

pub(crate) fn around(readers: &[Reader], home: &Place) -> Result<Surroundings, PropertyError> {
    let wanted = Normalized::from_place(home);
    let (Some(origin), Some((number, _))) = (home.origin, number_span(&wanted.number)) else {
        return Ok(Surroundings::default());
    };
    let mut houses: Vec<House> = Vec::new();
    for place in near(readers, home, &wanted, number)? {
        let Some((at, from)) = place.origin.map(|there| (offset(origin, there), Normalized::from_place(&place))) else {
            continue;
        };
        let (at, Some((low, _))) = (Point { x: at.0, y: at.1 }, number_span(&from.number)) else { continue };
        if from.number == wanted.number || at.x.hypot(at.y) > RADIUS {
            continue;
        }
        let moved = |ring: &Vec<Point>| ring.iter().map(|p| Point { x: p.x + at.x, y: p.y + at.y }).collect::<Vec<_>>();
        let parts = place.buildings.iter().flat_map(|b| &b.outline.parts);
        let mut rings: Vec<Vec<Point>> = parts.map(|part| moved(&part.exterior)).collect();
        rings.retain(|ring| ring_area(ring) >= MIN_OUTLINE);
        rings.sort_by(|a, b| ring_area(b).total_cmp(&ring_area(a)));
        let at = rings.first().map_or(at, |ring| middle(ring));
        let house = House { number: low, shown: place.address.street_number.clone(), at, rings };
        match houses.iter_mut().find(|known| known.number == house.number) {
            // Another data set, or a flat of the same house.
            Some(known) if known.rings.is_empty() => *known = house,
            Some(_) => {}
            None => houses.push(house),
        }
    }
    houses.sort_by(|a, b| a.at.x.hypot(a.at.y).total_cmp(&b.at.x.hypot(b.at.y)));
    let own = own_rings(home);
    let at = own.first().map_or(Point { x: 0.0, y: 0.0 }, |ring| middle(ring));
    let street = street(&houses, number, at, &own).map(|(from, to, half)| StreetLine {
        name: home.address.street_address.clone(),
        from: tenths(from),
        to: tenths(to),
        half_width: (half * TENTHS_PER_METRE) as i32,
    });
    let beside = |lower: bool| {
        let on_this_side = houses.iter().filter(|h| h.number % 2 == number % 2 && (h.number < number) == lower);
        on_this_side.min_by_key(|h| h.number.abs_diff(number)).map(|h| h.shown.clone())
    };
    let lot = home.buildings.first().map(|b| b.lot.iter().copied().map(tenths).collect()).unwrap_or_default();
    Ok(Surroundings { between: [beside(true), beside(false)], neighbors: neighbors(&houses), street, lot })
}

/// The places of the street, of every data set, whose numbers are nearest.
fn near(readers: &[Reader], home: &Place, wanted: &Normalized, number: u32) -> Result<Vec<Place>, PropertyError> {
    let mut found = Vec::new();
    for reader in readers.iter().filter(|r| r.state == home.address.state) {
        let mut keys = Vec::new();
        let area = wanted.zip.as_ref().map_or(Area::City(&wanted.city), |zip| Area::Zip(zip.as_str()));
        let mut streets = reader.shard.streets(&wanted.name, area)?;
        if streets.is_empty() && !wanted.city.is_empty() {
            streets = reader.shard.streets(&wanted.name, Area::City(&wanted.city))?;
        }
        for street in streets {
            if (&street.predir, &street.suffix, &street.postdir) != (&wanted.predir, &wanted.suffix, &wanted.postdir) {
                continue;
            }
            let low = number.saturating_sub(MAX_NUMBERS_APART);
            keys.extend(reader.shard.numbers_on(street.id, low, number + MAX_NUMBERS_APART)?);
        }
        keys.sort_by_key(|(low, key)| (low.abs_diff(number), *key));
        for (_, key) in keys.into_iter().take(MAX_PLACES) {
            found.extend(reader.shard.place(key, None)?);
        }
    }
    Ok(found)
}

fn own_rings(home: &Place) -> Vec<Vec<Point>> {
    let mut rings: Vec<Vec<Point>> =
        home.buildings.iter().flat_map(|b| &b.outline.parts).map(|part| part.exterior.clone()).collect();
    rings.sort_by(|a, b| ring_area(b).total_cmp(&ring_area(a)));
    rings
}

fn neighbors(houses: &[House]) -> Vec<Neighbor> {
    let mut corners = 0;
    let mut found = Vec::new();
    for house in houses {
        for (at, ring) in house.rings.iter().enumerate() {
            let ring: Vec<[i32; 2]> = plain_ring(ring, DETAIL).into_iter().map(tenths).collect();
            corners += ring.len();
            if ring.len() < 3 || found.len() == MAX_OUTLINES || corners > MAX_CORNERS {
                continue;
            }
            found.push(Neighbor { number: (at == 0).then(|| house.shown.clone()), ring });
        }
    }
    found
}

/// The street's middle between the houses of its two sides, and half its width; `None` where they do not tell: a bend, a
/// side without houses, or one that stands in the way.
fn street(houses: &[House], number: u32, home: Point, own: &[Vec<Point>]) -> Option<(Point, Point, f64)> {
    let (same, other): (Vec<&House>, Vec<&House>) = houses.iter().partition(|h| h.number % 2 == number % 2);
    let mut side: Vec<Point> = same.iter().map(|h| h.at).collect();
    side.push(home);
    let along = direction(&side)?;
    let (with, off) = (|p: Point| p.x * along.x + p.y * along.y, |p: Point| p.y * along.x - p.x * along.y);
    let mean = |points: &[Point]| points.iter().map(|p| off(*p)).sum::<f64>() / points.len() as f64;
    let over: Vec<Point> = other.iter().map(|h| h.at).collect();
    if over.is_empty() {
        return None;
    }
    let (here, there) = (mean(&side), mean(&over));
    let scattered = |points: &[Point], about: f64| points.iter().any(|p| (off(*p) - about).abs() > MAX_SCATTER);
    if scattered(&side, here) || scattered(&over, there) || (here - there).abs() > MAX_ACROSS {
        return None;
    }
    // The middle of what is free between the fronts, not of the houses: one may be deeper than the other.
    let across = (there - here).signum();
    let here_rings = same.iter().flat_map(|h| &h.rings).chain(own).flatten();
    let there_rings = other.iter().flat_map(|h| &h.rings).flatten();
    let front_here = here_rings.map(|p| off(*p) * across).fold(here * across, f64::max);
    let front_there = there_rings.map(|p| off(*p) * across).fold(there * across, f64::min);
    let room = (front_there - front_here) / 2.0 - VERGE;
    if room < *HALF_WIDTH.start() {
        return None;
    }
    let middle = (front_here + front_there) / 2.0 * across;
    let at =
        |along_it: f64| Point { x: along.x * along_it - along.y * middle, y: along.y * along_it + along.x * middle };
    let here = with(home);
    Some((at(here - RADIUS), at(here + RADIUS), room.min(*HALF_WIDTH.end())))
}

/// The main direction of a row of houses, eastwards; `None` for one house, or a heap of them.
fn direction(points: &[Point]) -> Option<Point> {
    let n = points.len() as f64;
    let (cx, cy) = (points.iter().map(|p| p.x).sum::<f64>() / n, points.iter().map(|p| p.y).sum::<f64>() / n);
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for p in points {
        let (x, y) = (p.x - cx, p.y - cy);
        xx += x * x;
        yy += y * y;
        xy += x * y;
    }
    // Less than ten metres apart they are one house.
    if xx + yy < 50.0 {
        return None;
    }
    let angle = 0.5 * (2.0 * xy).atan2(xx - yy);
    Some(Point { x: angle.cos(), y: angle.sin() })
}

fn middle(ring: &[Point]) -> Point {
    let n = ring.len().max(1) as f64;
    Point { x: ring.iter().map(|p| p.x).sum::<f64>() / n, y: ring.iter().map(|p| p.y).sum::<f64>() / n }
}

fn tenths(p: Point) -> [i32; 2] {
    [(p.x * TENTHS_PER_METRE).round() as i32, (-p.y * TENTHS_PER_METRE).round() as i32]
}

#[cfg(test)]
#[path = "surroundings_tests.rs"]
mod tests;
