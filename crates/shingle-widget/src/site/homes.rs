//! The homes near an address among which a visitor chooses, and the drawing of their outlines.

use shingle_domain::public::RoofFound;
use shingle_domain::surroundings::{Stands, StreetLine, Surroundings};

use super::geometry::{apart, inner_point, level_spots};
use super::streets::{edges, grounds, touches};
use super::{Badge, MIN_WIDTH, Outlined, Site, TAGS, Window};
use crate::path::{Path, Place};
use crate::plan::{Label, label};
use crate::words::Words;

/// How many letters high a pill is.
const TALL: f64 = 1.75;
/// Pixels that a finger needs, and the width of the smallest window of a pane.
const FINGER: f64 = 44.0;
const SMALLEST: f64 = 240.0;
/// No outline is harder to hit than this many pixels beside it.
const MIN_MARGIN: f64 = 7.0;
/// Around the homes, in parts of the window: at the sides, at the top with its tags, at the bottom with the scale.
const BESIDE: f64 = 0.07;
const ABOVE_AND_BELOW: [f64; 2] = [TAGS, 0.12];
/// The same over a photograph, in the smallest window: its switch is at the top, its date at the bottom.
const OVER_A_PHOTO: [f64; 2] = [0.25, 0.17];

/// A home that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home<'a> {
    pub key: &'a str,
    pub street: &'a str,
    pub city: &'a str,
    /// Square feet of its outline; 0 where none is known.
    pub ground: u32,
    /// `None` for the one that was found.
    pub stands: Option<&'a Stands>,
    number: &'a str,
    rings: Vec<Vec<Place>>,
}

/// The home that was found, then those near it, the nearest first; empty where no other can be chosen.
pub fn homes(roof: &RoofFound) -> Vec<Home<'_>> {
    let neighbors = roof.around.iter().flat_map(|around| &around.neighbors);
    let others = neighbors.filter_map(|neighbor| {
        let home = neighbor.home.as_ref()?;
        Some(Home {
            key: &home.key,
            street: &home.street,
            city: &home.city,
            ground: home.ground,
            stands: Some(&home.stands),
            number: neighbor.number.as_deref().unwrap_or_default(),
            rings: vec![neighbor.ring.clone()],
        })
    });
    let mut all = vec![own(roof)];
    all.extend(others);
    if all.len() > 1 { all } else { Vec::new() }
}

fn own(roof: &RoofFound) -> Home<'_> {
    let rings = roof.buildings.iter().flat_map(|building| {
        let [x, y] = building.at;
        let rings = building.drawing.iter().flat_map(|drawing| &drawing.rings);
        rings.map(move |ring| ring.iter().map(|[a, b]| [a + x, b + y]).collect())
    });
    let number = roof.street.split(' ').next().filter(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    Home {
        key: &roof.key,
        street: &roof.street,
        city: &roof.city,
        ground: roof.buildings.first().map_or(0, |building| building.ground),
        stands: None,
        number: number.unwrap_or_default(),
        rings: rings.collect(),
    }
}

/// What the drawing of all of them shows over a photograph: left, top, width and height.
pub fn homes_window(of: &RoofFound) -> Option<[i32; 4]> {
    Some(window(&homes(of), OVER_A_PHOTO)?.view_box())
}

/// The drawing of all of them; `None` where there is nothing to choose.
pub fn homes_site(words: Words, of: &RoofFound) -> Option<Site> {
    let all = homes(of);
    let around = of.around.as_ref()?;
    let window = window(&all, if of.photo_of_homes.is_some() { OVER_A_PHOTO } else { ABOVE_AND_BELOW })?;
    let mut site = Site { view_box: window.view_box(), font: window.font.round() as i32, ..Site::default() };
    let streets: Vec<&StreetLine> = around.street.iter().chain(&around.other_streets).collect();
    site.street = grounds(&streets);
    site.street_edges = edges(&streets);
    if around.lot.len() > 2 {
        site.lot.outline(&around.lot);
    }
    for neighbor in around.neighbors.iter().filter(|neighbor| neighbor.home.is_none()) {
        site.neighbors.outline(&neighbor.ring);
    }
    let mut taken = vec![window.compass()];
    for (index, home) in all.iter().enumerate().filter(|(_, home)| !home.rings.is_empty()) {
        site.homes.push(outlined(&window, index, home, &mut taken));
    }
    let roofs: Vec<_> = all.iter().flat_map(|home| &home.rings).map(|ring| about(ring)).collect();
    window.scale(&mut site, words, (&taken, &roofs), of.photo_of_homes.is_some());
    taken.push(site.chip.map(f64::from));
    name_streets(&mut site, &window, around, &taken);
    Some(site)
}

fn name_streets(site: &mut Site, window: &Window, around: &Surroundings, taken: &[[f64; 4]]) {
    let streets: Vec<&StreetLine> = around.street.iter().chain(&around.other_streets).collect();
    for (at, street) in streets.iter().enumerate() {
        let own = |label: &Label| {
            let others = streets.iter().enumerate().filter(|(other, _)| *other != at);
            others.map(|(_, other)| other).all(|other| !touches(other, label, window.text_width(&label.text) / 2.0))
        };
        site.street_names.extend(window.street_name(street, taken, own));
    }
}

/// What holds every outline, with room about them.
fn window(all: &[Home<'_>], [above, below]: [f64; 2]) -> Option<Window> {
    let places = || all.iter().flat_map(|home| &home.rings).flatten();
    let ends = |axis: usize| {
        let along = || places().map(|place| f64::from(place[axis]));
        (along().next().is_some())
            .then(|| [along().fold(f64::INFINITY, f64::min), along().fold(f64::NEG_INFINITY, f64::max)])
    };
    let ([west, east], [north, south]) = (ends(0)?, ends(1)?);
    let by_width = (east - west) / (1.0 - 2.0 * BESIDE);
    let by_height = (south - north) / (1.0 - above - below) * 4.0 / 3.0;
    let width = by_width.max(by_height).max(MIN_WIDTH).round();
    let height = width * 0.75;
    let top = (north + south) / 2.0 - height / 2.0 - (above - below) / 2.0 * height;
    Some(Window { left: (west + east) / 2.0 - width / 2.0, top, width, height, font: width * 14.0 / 574.0 })
}

fn outlined(window: &Window, index: usize, home: &Home<'_>, taken: &mut Vec<[f64; 4]>) -> Outlined {
    let mut outline = Path::default();
    for ring in &home.rings {
        outline.outline(ring);
    }
    let largest = home.rings.iter().max_by_key(|ring| extent(ring).into_iter().product::<i32>());
    let ring = largest.map_or(&[][..], Vec::as_slice);
    let [wide, high] = extent(ring);
    let pixels = f64::from(wide.min(high)) * SMALLEST / window.width;
    let margin = ((FINGER - pixels) / 2.0).max(MIN_MARGIN);
    let best = inner_point(ring).unwrap_or_default();
    let mut places = core::iter::once(best).chain(level_spots(ring).into_iter().map(|(_, at)| at));
    let free = places.find(|[x, y]| {
        let badge = chosen(window, [*x, *y], home.number);
        apart(badge.pill.map(f64::from), taken)
    });
    let at = free.unwrap_or(best);
    let chosen = chosen(window, at, home.number);
    taken.push(chosen.pill.map(f64::from));
    Outlined { index, outline, margin: (margin * 2.0).ceil() as i32, plain: plain(window, at, home.number), chosen }
}

/// The box about a ring: left, top, width and height.
fn about(ring: &[Place]) -> [f64; 4] {
    let low = [0, 1].map(|axis| ring.iter().map(|place| place[axis]).min().unwrap_or_default());
    let [wide, high] = extent(ring);
    [low[0], low[1], wide, high].map(f64::from)
}

fn extent(ring: &[Place]) -> [i32; 2] {
    [0, 1].map(|axis| {
        let along = || ring.iter().map(|place| place[axis]);
        along().max().unwrap_or_default() - along().min().unwrap_or_default()
    })
}

/// The pill about a place, so many letters high and with so much more room at its left.
fn pill(window: &Window, [x, y]: Place, number: &str, left: f64) -> [i32; 4] {
    let large = window.large();
    let (wide, high) = ((window.text_width(number) + large).max(large * TALL) + left, large * TALL);
    let [x, y] = [f64::from(x) - wide / 2.0, f64::from(y) - high / 2.0];
    [x, y, wide, high].map(|n| n.round() as i32)
}

fn plain(window: &Window, at: Place, number: &str) -> Badge {
    Badge {
        pill: pill(window, at, number, 0.0),
        number: label(at[0], at[1], number.to_owned()),
        check: Path::default(),
    }
}

/// With a check before its number.
fn chosen(window: &Window, at: Place, number: &str) -> Badge {
    let large = window.large();
    let room = large * 1.15;
    let pill = pill(window, at, number, room);
    let x = f64::from(pill[0]) + large * 0.95;
    let place =
        |right: f64, down: f64| [(x + large * right).round() as i32, (f64::from(at[1]) + large * down).round() as i32];
    let mut check = Path::default();
    check.line(&[place(-0.4, 0.05), place(-0.1, 0.35), place(0.45, -0.35)]);
    Badge { pill, number: label(at[0] + (room / 2.0).round() as i32, at[1], number.to_owned()), check }
}
