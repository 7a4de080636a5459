//! A picture of an area, from our own tables: the ZIPs around it by their centers, and the circles that are loaded.
//!
//! # Decision
//!
//! Each ZIP is drawn as the points nearest to its center (a Voronoi cell). Real boundaries differ, and the page says so,
//! but it shows which towns an area reaches. Turned down: tiles of a map service, which learns where a company works.

use shingle_domain::Zip;
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::evidence::Position;
use shingle_property::{Reference, post_town};
use shingle_source::{Area, Circle};

use super::places::FoundArea;
use super::store::Areas;

/// Miles of a degree of latitude.
const MILES_OF_DEGREE: f64 = 69.09;
/// A picture of more would show nothing.
const MOST_MILES: f64 = 400.0;
const WIDTH: f64 = 600.0;
/// Room around the circles, as a share of their extent.
const ROOM: f64 = 1.25;
/// Centers that are as near are one: post boxes have the place of their office.
const SAME_PLACE_MILES: f64 = 0.6;
const MOST_CELLS: usize = 400;
const MOST_NAMES: usize = 12;
const MOST_RINGS: usize = 6;
const NAME_HEIGHT: f64 = 22.0;
const LETTER_WIDTH: f64 = 8.5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cover {
    Whole,
    Part,
    None,
}

#[derive(Debug, Clone, PartialEq)]
pub struct MapCell {
    pub cover: Cover,
    /// Corners, in units of the picture.
    pub corners: Vec<(f64, f64)>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct MapName {
    pub name: String,
    pub at: (f64, f64),
}

/// In units of the picture, whose top left corner is 0, 0.
#[derive(Debug, Clone, PartialEq)]
pub struct AreaMap {
    pub size: (f64, f64),
    pub cells: Vec<MapCell>,
    /// Center and radius.
    pub rings: Vec<(f64, f64, f64)>,
    pub names: Vec<MapName>,
    /// Miles, and how long they are.
    pub scale: (u32, f64),
}

impl Areas {
    /// `None`: it is too wide for a picture.
    pub fn map<'a>(&self, found: impl IntoIterator<Item = &'a FoundArea>) -> Option<AreaMap> {
        let circles: Vec<Circle> = found.into_iter().flat_map(|found| found.area.circles()).copied().collect();
        AreaMap::draw(&Area::new(circles), self.reference())
    }
}

/// Miles to the right and down from the middle.
type Spot = (f64, f64);

struct Ground {
    middle: Position,
    circles: Vec<(Spot, f64)>,
    half: Spot,
}

fn apart(a: Spot, b: Spot) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

impl Ground {
    fn of(area: &Area) -> Option<Self> {
        let first = area.circles().first()?;
        let (mut low, mut high) = ((0.0_f64, 0.0_f64), (0.0_f64, 0.0_f64));
        let flat = Self {
            middle: Position { latitude: first.latitude, longitude: first.longitude },
            circles: Vec::new(),
            half: (0.0, 0.0),
        };
        for circle in area.circles() {
            let (x, y) = flat.spot(Position { latitude: circle.latitude, longitude: circle.longitude });
            low = (low.0.min(x - circle.miles), low.1.min(y - circle.miles));
            high = (high.0.max(x + circle.miles), high.1.max(y + circle.miles));
        }
        let (wide, tall) = ((high.0 - low.0) / 2.0 * ROOM, (high.1 - low.1) / 2.0 * ROOM);
        if wide.max(tall) * 2.0 > MOST_MILES {
            return None;
        }
        let latitude = first.latitude - (high.1 + low.1) / 2.0 / MILES_OF_DEGREE;
        let along = MILES_OF_DEGREE * first.latitude.to_radians().cos().max(0.05);
        let middle = Position { latitude, longitude: first.longitude + (high.0 + low.0) / 2.0 / along };
        let half = (wide.max(tall * 1.2), tall.max(wide * 0.66));
        let ground = Self { middle, circles: Vec::new(), half };
        let circles = area.circles().iter().map(|circle| {
            let at = ground.spot(Position { latitude: circle.latitude, longitude: circle.longitude });
            (at, circle.miles)
        });
        Some(Self { circles: circles.collect(), ..ground })
    }

    fn spot(&self, at: Position) -> Spot {
        // The short way around the globe.
        let east = (at.longitude - self.middle.longitude + 540.0).rem_euclid(360.0) - 180.0;
        let along = MILES_OF_DEGREE * self.middle.latitude.to_radians().cos().max(0.05);
        (east * along, (self.middle.latitude - at.latitude) * MILES_OF_DEGREE)
    }

    fn holds(&self, spot: Spot) -> bool {
        self.circles.iter().any(|(center, miles)| apart(*center, spot) <= *miles)
    }

    fn shows(&self, spot: Spot, share: f64) -> bool {
        spot.0.abs() <= self.half.0 * share && spot.1.abs() <= self.half.1 * share
    }

    fn frame(&self) -> Vec<Spot> {
        let (x, y) = self.half;
        vec![(-x, -y), (x, -y), (x, y), (-x, y)]
    }

    /// ZIPs in the picture and a little around it, the nearest to the middle first.
    fn sites(&self, reference: &Reference) -> Vec<(Zip, Spot)> {
        let spots = reference.zip_centres().map(|(zip, at)| (zip, self.spot(at)));
        let mut near: Vec<(Zip, Spot)> = spots.filter(|(_, spot)| self.shows(*spot, ROOM)).collect();
        near.cold_sort_by(|(_, a), (_, b)| apart(*a, (0.0, 0.0)).total_cmp(&apart(*b, (0.0, 0.0))));
        let mut sites: Vec<(Zip, Spot)> = Vec::new();
        for (zip, spot) in near {
            if sites.len() < MOST_CELLS && sites.iter().all(|(_, other)| apart(*other, spot) > SAME_PLACE_MILES) {
                sites.push((zip, spot));
            }
        }
        sites
    }

    /// What of the picture is nearer to a site than to any other.
    fn cell(&self, sites: &[(Zip, Spot)], of: Spot) -> Vec<Spot> {
        let mut others: Vec<Spot> = sites.iter().map(|(_, spot)| *spot).filter(|spot| *spot != of).collect();
        others.cold_sort_by(|a, b| apart(*a, of).total_cmp(&apart(*b, of)));
        let mut corners = self.frame();
        for other in others {
            let reach = corners.iter().map(|corner| apart(*corner, of)).fold(0.0, f64::max);
            if apart(other, of) > reach * 2.0 {
                break;
            }
            corners = nearer(&corners, of, other);
        }
        corners
    }

    fn cover(&self, site: Spot, corners: &[Spot]) -> Cover {
        let next = corners.iter().cycle().skip(1);
        let between = |a: &Spot, b: &Spot| ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
        let edges = corners.iter().zip(next).map(|(a, b)| between(a, b));
        let spots: Vec<Spot> =
            corners.iter().copied().chain(edges).flat_map(|spot| [spot, between(&spot, &site)]).chain([site]).collect();
        let within = spots.iter().filter(|spot| self.holds(**spot)).count();
        match within {
            0 => Cover::None,
            all if all == spots.len() => Cover::Whole,
            _ => Cover::Part,
        }
    }
}

/// The side of a polygon that is nearer to one spot than to another.
fn nearer(corners: &[Spot], to: Spot, than: Spot) -> Vec<Spot> {
    let middle = ((to.0 + than.0) / 2.0, (to.1 + than.1) / 2.0);
    let normal = (than.0 - to.0, than.1 - to.1);
    let beyond = |spot: Spot| (spot.0 - middle.0) * normal.0 + (spot.1 - middle.1) * normal.1;
    let mut kept = Vec::with_capacity(corners.len() + 1);
    for (at, &corner) in corners.iter().enumerate() {
        let next = corners[(at + 1) % corners.len()];
        let (here, there) = (beyond(corner), beyond(next));
        if here <= 0.0 {
            kept.push(corner);
        }
        if (here < 0.0 && there > 0.0) || (here > 0.0 && there < 0.0) {
            let part = here / (here - there);
            kept.push((corner.0 + (next.0 - corner.0) * part, corner.1 + (next.1 - corner.1) * part));
        }
    }
    kept
}

impl AreaMap {
    pub(super) fn draw(area: &Area, reference: &Reference) -> Option<Self> {
        let ground = Ground::of(area)?;
        let unit = WIDTH / (ground.half.0 * 2.0);
        let size = (WIDTH, ground.half.1 * 2.0 * unit);
        let placed = |spot: Spot| ((spot.0 + ground.half.0) * unit, (spot.1 + ground.half.1) * unit);
        let sites = ground.sites(reference);
        let mut cells: Vec<MapCell> = Vec::new();
        for (_, spot) in &sites {
            let corners = ground.cell(&sites, *spot);
            if corners.len() < 3 {
                continue;
            }
            let cover = ground.cover(*spot, &corners);
            cells.push(MapCell { cover, corners: corners.into_iter().map(placed).collect() });
        }
        let rings = ground.circles.iter().map(|(spot, miles)| {
            let (x, y) = placed(*spot);
            (x, y, miles * unit)
        });
        let rings: Vec<_> = rings.collect();
        let names = names(&sites, placed, size);
        let wanted = ground.half.0 / 3.0;
        let miles = [1_u32, 2, 5, 10, 20, 50, 100].into_iter().rfind(|miles| f64::from(*miles) <= wanted).unwrap_or(1);
        let rings = if rings.len() <= MOST_RINGS { rings } else { Vec::new() };
        Some(Self { size, cells, rings, names, scale: (miles, f64::from(miles) * unit) })
    }
}

/// Towns from the middle outwards, each once, none on another.
fn names(sites: &[(Zip, Spot)], placed: impl Fn(Spot) -> (f64, f64), size: (f64, f64)) -> Vec<MapName> {
    let mut names: Vec<MapName> = Vec::new();
    for (zip, spot) in sites {
        let Some(name) = post_town(zip) else { continue };
        let (at, half) = (placed(*spot), name.chars().count() as f64 * LETTER_WIDTH / 2.0);
        let is_inside =
            at.0 - half > 4.0 && at.0 + half < size.0 - 4.0 && at.1 > NAME_HEIGHT && at.1 < size.1 - NAME_HEIGHT * 1.5;
        let is_free = |other: &MapName| {
            let other_half = other.name.chars().count() as f64 * LETTER_WIDTH / 2.0;
            other.name != name
                && ((other.at.0 - at.0).abs() > half + other_half || (other.at.1 - at.1).abs() > NAME_HEIGHT)
        };
        if names.len() < MOST_NAMES && is_inside && names.iter().all(is_free) {
            names.push(MapName { name: name.to_owned(), at });
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::super::places::{AreaRequest, find_area};
    use super::*;

    fn map(place: &str, miles: f64) -> Option<AreaMap> {
        let request = AreaRequest { places: vec![place.to_owned()], miles: Some(miles) };
        let reference = Reference::built_in();
        AreaMap::draw(&find_area(&request, &reference, 500).unwrap().area, &reference)
    }

    fn ground_of(cell: &MapCell) -> f64 {
        let next = cell.corners.iter().cycle().skip(1);
        cell.corners.iter().zip(next).map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum::<f64>().abs() / 2.0
    }

    #[test]
    fn cells_fill_the_picture_once_and_say_what_is_covered() {
        let map = map("80302", 10.0).unwrap();
        let covered: f64 = map.cells.iter().map(ground_of).sum();
        assert!((covered / (map.size.0 * map.size.1) - 1.0).abs() < 0.001, "{covered} of {:?}", map.size);
        for cover in [Cover::Whole, Cover::Part, Cover::None] {
            assert!(map.cells.iter().any(|cell| cell.cover == cover), "{cover:?}");
        }
        assert!(map.names.iter().any(|name| name.name == "Boulder"), "{:?}", map.names);
        let (x, y, radius) = map.rings[0];
        assert!((x - 300.0).abs() < 1.0 && (y - map.size.1 / 2.0).abs() < 1.0, "{x} {y}");
        // Ten miles at the scale of the picture.
        assert!((map.scale.1 / f64::from(map.scale.0) - radius / 10.0).abs() < 0.01, "{:?} {radius}", map.scale);
    }

    #[test]
    fn names_do_not_lie_on_each_other_in_a_dense_town() {
        let map = map("10001", 12.0).unwrap();
        assert!(map.names.len() > 3 && map.names.len() <= MOST_NAMES, "{:?}", map.names);
        for (at, name) in map.names.iter().enumerate() {
            assert!(map.names[..at].iter().all(|other| other.name != name.name), "{name:?}");
        }
    }

    #[test]
    fn a_picture_of_half_the_country_is_not_drawn_and_islands_are() {
        assert_eq!(map("80302", 300.0), None);
        let island = map("99546", 20.0).unwrap();
        assert!(!island.cells.is_empty() && island.cells.iter().all(|cell| ground_of(cell) > 0.0), "{island:?}");
    }
}
