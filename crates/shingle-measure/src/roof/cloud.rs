//! The points that may belong to a roof: inside of its outline and above the ground.

use super::near::{Grid, cells, floor};
use super::plane::{Moments, Plane, Xyz};
use super::shape::{Inside, Shape};

/// A point in meters about the origin of its roof.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RoofPoint {
    pub x: f32,
    pub y: f32,
    pub z: f32,
    pub class: u8,
    /// The last return of its pulse.
    pub is_last: bool,
}

const GROUND: u8 = 2;
/// Noise and water. Vegetation is not among them: a wrong class must not cost a roof its points, and whether points are
/// on a plane says more.
const NEVER_ROOF: [u8; 3] = [7, 9, 18];
/// Lower than this over the ground nobody calls it a roof.
pub const LOWEST_ROOF: f64 = 1.8;

/// Nearer to the ground than this is on it.
const ON_GROUND: f64 = 1.0;

pub struct Cloud {
    /// Inside of the outline, above the ground, in an order that does not depend on that of the files.
    pub points: Vec<Xyz>,
    pub ground: Option<Plane>,
    /// Inside of the outline, at any height.
    pub inside: usize,
    /// Outside of it.
    pub outside: usize,
    /// Inside of the outline, on the ground.
    pub low: Vec<Xyz>,
    /// About the outline, above the ground.
    pub around: Vec<Xyz>,
}

impl Cloud {
    pub fn new(shape: &Shape, mut points: Vec<RoofPoint>) -> Self {
        in_order(&mut points);
        let inside_of = Inside::of(shape);
        let inside: Vec<bool> = points.iter().map(|p| inside_of.contains(f64::from(p.x), f64::from(p.y))).collect();
        let ground = ground(&points, &inside);
        let mut cloud = Self { points: Vec::new(), ground, inside: 0, outside: 0, low: Vec::new(), around: Vec::new() };
        for (p, is_inside) in points.iter().zip(&inside) {
            cloud.inside += usize::from(*is_inside);
            cloud.outside += usize::from(!*is_inside);
            let place = xyz(p);
            let over = ground.map(|g| place[2] - g.z(place[0], place[1]));
            let is_high = may_be_roof(p) && over.is_none_or(|over| over > LOWEST_ROOF);
            match is_inside {
                true if is_high => cloud.points.push(place),
                true if over.is_some_and(|over| over.abs() < ON_GROUND) => cloud.low.push(place),
                false if is_high => cloud.around.push(place),
                _ => {}
            }
        }
        cloud
    }
}

/// Each place once, in an order that does not depend on that of the files.
#[allow(clippy::cast_precision_loss, reason = "a roof has few points")]
pub fn in_order(points: &mut Vec<RoofPoint>) {
    // Strips from west to east first: there is little to sort in each.
    let (west, east) = points.iter().fold((f32::MAX, f32::MIN), |(w, e), p| (w.min(p.x), e.max(p.x)));
    let strips = points.len().div_ceil(4).max(1);
    let narrow = strips as f32 / (east - west);
    let strip = |p: &RoofPoint| floor(f64::from((p.x - west) * narrow)).min(strips - 1);
    let mut starts = vec![0_u32; strips + 1];
    for p in points.iter() {
        starts[strip(p) + 1] += 1;
    }
    for at in 0..strips {
        starts[at + 1] += starts[at];
    }
    let mut next = starts.clone();
    let mut sorted = points.clone();
    for p in points.iter() {
        let next = &mut next[strip(p)];
        sorted[*next as usize] = *p;
        *next += 1;
    }
    let key =
        |p: &RoofPoint| (u64::from(ordered(p.x)) << 32 | u64::from(ordered(p.y)), ordered(p.z), p.class, p.is_last);
    for ends in starts.windows(2) {
        sorted[ends[0] as usize..ends[1] as usize].sort_unstable_by_key(key);
    }
    *points = sorted;
    points.dedup_by(|a, b| a.x == b.x && a.y == b.y && a.z == b.z);
}

/// Noise, low and high.
pub fn is_noise(class: u8) -> bool {
    matches!(class, 7 | 18)
}

/// Numbers in the order of the floats.
fn ordered(v: f32) -> u32 {
    let bits = v.to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

pub fn xyz(p: &RoofPoint) -> Xyz {
    [f64::from(p.x), f64::from(p.y), f64::from(p.z)]
}

fn may_be_roof(p: &RoofPoint) -> bool {
    p.class != GROUND && !NEVER_ROOF.contains(&p.class)
}

/// From the points of the ground about the roof, else from the lowest ones. `None` where nothing lies lower than the roof.
fn ground(points: &[RoofPoint], inside: &[bool]) -> Option<Plane> {
    let stated: Vec<Xyz> = points.iter().filter(|p| p.class == GROUND).map(xyz).collect();
    let lowest = match stated.len() {
        8.. => stated,
        _ => lowest(points, inside)?,
    };
    fit_low(&lowest)
}

/// The lowest points of squares of two meters about the roof, where they lie well below the points of the roof.
fn lowest(points: &[RoofPoint], inside: &[bool]) -> Option<Vec<Xyz>> {
    let mut roof: Vec<f64> = points.iter().zip(inside).filter(|(_, i)| **i).map(|(p, _)| f64::from(p.z)).collect();
    if roof.len() < 8 {
        return None;
    }
    roof.sort_unstable_by(f64::total_cmp);
    let usual = roof[roof.len() / 2];
    let around: Vec<Xyz> = points.iter().zip(inside).filter(|(_, inside)| !**inside).map(|(p, _)| xyz(p)).collect();
    if around.len() < 8 {
        return None;
    }
    let grid = Grid::new(&around, 2.0);
    let mut low: Vec<Option<Xyz>> = vec![None; grid.columns * grid.rows];
    for p in &around {
        let cell = &mut low[grid.cell(p[0], p[1])];
        if cell.is_none_or(|lowest| p[2] < lowest[2]) {
            *cell = Some(*p);
        }
    }
    let mut low: Vec<Xyz> = low.into_iter().flatten().filter(|p| p[2] < usual - LOWEST_ROOF).collect();
    if low.len() < 3 {
        return None;
    }
    // Cells that only trees, cars or other roofs were hit in are not the ground.
    low.sort_unstable_by(|a, b| a[2].total_cmp(&b[2]));
    let base = low[low.len() / 4][2];
    low.retain(|p| p[2] < base + 1.0);
    Some(low)
}

/// Leaning where the points say so, level where they are too few.
fn fit_low(points: &[Xyz]) -> Option<Plane> {
    let mut heights: Vec<f64> = points.iter().map(|p| p[2]).collect();
    heights.sort_unstable_by(f64::total_cmp);
    let level = Plane { a: 0.0, b: 0.0, c: *heights.get(heights.len() / 2)? };
    if points.len() < 12 {
        return Some(level);
    }
    let mut plane = Moments::of(points).fit().map_or(level, |(plane, _)| plane);
    for _ in 0..3 {
        let near = points.iter().filter(|p| p[2] - plane.z(p[0], p[1]) < 0.4);
        let Some((next, _)) = Moments::of(near).fit() else { break };
        plane = next;
    }
    // Steeper than a hillside that somebody builds on: the points were not the ground.
    Some(if plane.pitch_degrees() < 30.0 { plane } else { level })
}

/// However little of its box an outline covers.
const MOST_SQUARES: f64 = 1_000_000.0;

/// At most one point a square: what is looked at to find planes. The one nearest to the middle of its square.
pub fn thinned(points: &[Xyz], shape: &Shape, side: f64) -> Vec<Xyz> {
    let (width, depth) = (shape.max[0] - shape.min[0], shape.max[1] - shape.min[1]);
    let side = side.max((width * depth / MOST_SQUARES).sqrt());
    let columns = cells(width, side);
    let rows = cells(depth, side);
    let mut best: Vec<(f64, u32)> = vec![(f64::INFINITY, u32::MAX); columns * rows];
    for (index, p) in points.iter().enumerate() {
        let (u, v) = ((p[0] - shape.min[0]) / side, (p[1] - shape.min[1]) / side);
        let (column, row) = (floor(u).min(columns - 1), floor(v).min(rows - 1));
        let off = (u.fract() - 0.5).powi(2) + (v.fract() - 0.5).powi(2);
        let cell = &mut best[row * columns + column];
        if off < cell.0 {
            *cell = (off, super::near::index_of(index));
        }
    }
    best.iter().filter(|(_, index)| *index != u32::MAX).map(|(_, index)| points[*index as usize]).collect()
}
