//! Roofs that nobody gave an outline for.
//!
//! # Decision
//!
//! Two readings. The first keeps the lowest and the highest point of every square meter: from these follow the ground and
//! the places where something smooth stands on it. The second keeps the points about those places, and there the outline
//! is traced from single points. Turned down: tracing from squares alone, whose outlines are as coarse as the squares;
//! class 6, which surveys give to half of their roofs or to none, so
//! that it only decides what a piece without any ground about it is; one reading, since a county does not fit into memory.

mod ground;
mod surface;

use std::collections::BTreeSet;

use crate::batch::{Batch, Enough, HEIGHTS};
use crate::crs::{FileCrs, Frame, Projection};
use crate::las::Point;
use crate::place::Placed;
use crate::roof::{Shape, is_noise, trace};
use crate::tiles::Tile;
use surface::{Candidates, NONE, Surface};

/// Meters of the side of a region, and what is looked at about it: more than a building is long.
const REGION: f64 = 1_000.0;
const MARGIN: f64 = 120.0;
/// A header that says more is damaged.
const MOST_REGIONS: f64 = 10_000.0;
/// Meters about a place that are looked at for the ground.
const AROUND: f64 = crate::place::MARGIN;
const ENOUGH: Enough = Enough { dense: 25.0, most: 250_000.0 };

const BUILDING: u8 = 6;

type Ring = Vec<(f64, f64)>;

/// Outlines of the roofs that the points show, in the coordinates of the files, from north to south.
pub fn outlines_of(tiles: &[Tile], crs: &FileCrs, projection: &Projection) -> Vec<Ring> {
    let mut found: Vec<((f64, f64), Ring)> = Vec::new();
    for key in regions(tiles, crs) {
        let region = Region::new(key, tiles, crs, projection);
        found.extend(region.into_iter().flat_map(|region| region.rings(tiles, crs)));
    }
    found.sort_by(|a, b| b.0.1.total_cmp(&a.0.1).then(a.0.0.total_cmp(&b.0.0)));
    found.into_iter().map(|(_, ring)| ring).collect()
}

type Key = (i64, i64);

#[allow(clippy::cast_possible_truncation, reason = "a float converts within bounds")]
fn key_of(v: f64, side: f64) -> i64 {
    (v / side).floor() as i64
}

/// The squares of the ground that points are in: by the headers, or where these cannot be right by the points.
fn regions(tiles: &[Tile], crs: &FileCrs) -> BTreeSet<Key> {
    let side = REGION / crs.meters();
    let mut regions = BTreeSet::new();
    for tile in tiles {
        let stated = tile.bounds.filter(|[min, max]| {
            ((max[0] - min[0]) / side + 1.0) * ((max[1] - min[1]) / side + 1.0) < MOST_REGIONS && max[0] > min[0]
        });
        match stated {
            Some([min, max]) => {
                for x in key_of(min[0], side)..=key_of(max[0], side) {
                    regions.extend((key_of(min[1], side)..=key_of(max[1], side)).map(|y| (x, y)));
                }
            }
            None => {
                // Measuring reports what cannot be read.
                let _ = tile.for_each(&|_, _| true, |p| {
                    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number")]
                    if regions.len() < MOST_REGIONS as usize {
                        regions.insert((key_of(p.x, side), key_of(p.y, side)));
                    }
                });
            }
        }
    }
    regions
}

/// A square of the ground with what is about it, in squares of a meter.
struct Region {
    frame: Frame,
    /// In the coordinates of the file: what belongs to it, and what is looked at.
    own: [[f64; 2]; 2],
    seen: [[f64; 2]; 2],
    columns: usize,
    rows: usize,
    candidates: Candidates,
}

impl Region {
    /// `None` where nothing stands on the ground.
    #[allow(clippy::cast_precision_loss, reason = "a region is near others")]
    fn new(key: Key, tiles: &[Tile], crs: &FileCrs, projection: &Projection) -> Option<Self> {
        let side = REGION / crs.meters();
        let min = [key.0 as f64 * side, key.1 as f64 * side];
        let own = [min, min.map(|v| v + side)];
        let frame = projection.frame((f64::midpoint(own[0][0], own[1][0]), f64::midpoint(own[0][1], own[1][1])));
        let margin = frame.units(MARGIN);
        let seen = [own[0].map(|v| v - margin), own[1].map(|v| v + margin)];
        let filled = filled(tiles, seen)?;
        let corners = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(i, j)| frame.meters(filled[i][0], filled[j][1]));
        let of = |pick: fn(&(f64, f64)) -> f64| {
            let (low, high) = corners.iter().map(pick).fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)));
            // Squares lie where they would lie for other tiles.
            (low.floor(), cell((high - low.floor()).min(4.0 * REGION)) + 1)
        };
        let ((west, columns), (south, rows)) = (of(|c| c.0), of(|c| c.1));
        let frame = frame.moved(west, south);
        let vertical = crs.vertical;
        let mut surface = Surface::new(columns, rows);
        let mut times = 0_u64;
        for tile in tiles.iter().filter(|tile| is_about(tile, seen)) {
            // Measuring reports what cannot be read.
            let needs = |min: [f64; 2], max: [f64; 2]| {
                (0..2).all(|axis| min[axis] <= seen[1][axis] && max[axis] >= seen[0][axis])
            };
            let _ = tile.for_each(&needs, |point| {
                let is_within = (0..2).all(|axis| {
                    let v = if axis == 0 { point.x } else { point.y };
                    v >= seen[0][axis] && v < seen[1][axis]
                });
                if let Some((column, row, z)) = usable(point, vertical).filter(|_| is_within).map(|z| {
                    let (x, y) = frame.meters(point.x, point.y);
                    (cell(x), cell(y), z)
                }) && column < columns
                    && row < rows
                {
                    surface.add(column, row, z, point.class == BUILDING);
                    times += 1;
                }
            });
        }
        if times == 0 {
            return None;
        }
        let candidates = surface.candidates();
        (!candidates.boxes.is_empty()).then_some(Self { frame, own, seen, columns, rows, candidates })
    }

    /// Middles and rings of the roofs that belong to the region.
    fn rings(&self, tiles: &[Tile], crs: &FileCrs) -> Vec<((f64, f64), Ring)> {
        let mut waiting: Vec<(usize, Placed)> = Vec::new();
        for (index, sides) in self.candidates.boxes.iter().enumerate() {
            waiting.extend(self.placed(*sides).map(|placed| (index, placed)));
        }
        let mut found = Vec::new();
        while !waiting.is_empty() {
            let mut batch = Batch::new(std::mem::take(&mut waiting), crs, ENOUGH);
            for tile in tiles {
                if batch.may_need(tile) {
                    // Measuring reports what cannot be read.
                    let _ = batch.read(tile, &mut waiting);
                }
            }
            for (index, placed, points) in batch.filled() {
                let at = |x: f64, y: f64| self.at(&placed.frame, x, y);
                let ground =
                    |x: f64, y: f64| at(x, y).map_or(f64::INFINITY, |cell| f64::from(self.candidates.ground[cell]));
                let is_own =
                    |x: f64, y: f64| at(x, y).map_or(NONE, |cell| self.candidates.labels[cell]) as usize == index;
                for ring in trace(&placed.shape, points, ground, is_own) {
                    let ring: Ring = ring.into_iter().map(|(x, y)| placed.frame.file(x, y)).collect();
                    let middle = middle(&ring);
                    let [min, max] = self.own;
                    let is_here = middle.0 >= min[0] && middle.0 < max[0] && middle.1 >= min[1] && middle.1 < max[1];
                    if is_here {
                        found.push((middle, ring));
                    }
                }
            }
        }
        found
    }

    /// The square of a place that is given in another frame.
    fn at(&self, frame: &Frame, x: f64, y: f64) -> Option<usize> {
        let (x, y) = frame.file(x, y);
        let (x, y) = self.frame.meters(x, y);
        let (column, row) = (cell(x), cell(y));
        (column < self.columns && row < self.rows).then(|| row * self.columns + column)
    }

    #[allow(clippy::cast_precision_loss, reason = "a region has few squares")]
    fn placed(&self, [columns, rows]: [[usize; 2]; 2]) -> Option<Placed> {
        let (x0, x1) = (columns[0] as f64 - AROUND, columns[1] as f64 + 1.0 + AROUND);
        let (y0, y1) = (rows[0] as f64 - AROUND, rows[1] as f64 + 1.0 + AROUND);
        let middle = (f64::midpoint(x0, x1), f64::midpoint(y0, y1));
        let corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)];
        let ring = corners.map(|(x, y)| (x - middle.0, y - middle.1)).to_vec();
        let shape = Shape::new(&[vec![ring]])?;
        let (mut min, mut max) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for (x, y) in corners {
            let (x, y) = self.frame.file(x, y);
            for (axis, v) in [x, y].into_iter().enumerate() {
                min[axis] = min[axis].min(v);
                max[axis] = max[axis].max(v);
            }
        }
        // Wholly beyond the region: another one has it.
        let is_apart = (0..2).any(|axis| max[axis] < self.own[0][axis] || min[axis] > self.own[1][axis]);
        let is_seen = (0..2).all(|axis| max[axis] > self.seen[0][axis] && min[axis] < self.seen[1][axis]);
        (!is_apart && is_seen && !shape.is_too_large()).then(|| Placed {
            shape,
            frame: self.frame.moved(middle.0, middle.1),
            on_earth: None,
            min,
            max,
        })
    }
}

/// The part of a box that files have points in.
fn filled(tiles: &[Tile], seen: [[f64; 2]; 2]) -> Option<[[f64; 2]; 2]> {
    let boxes = tiles.iter().filter(|tile| is_about(tile, seen)).map(|tile| match tile.bounds {
        Some([min, max]) if max[0] > min[0] && max[1] > min[1] => {
            [[min[0].max(seen[0][0]), min[1].max(seen[0][1])], [max[0].min(seen[1][0]), max[1].min(seen[1][1])]]
        }
        _ => seen,
    });
    boxes.reduce(|a, b| [[a[0][0].min(b[0][0]), a[0][1].min(b[0][1])], [a[1][0].max(b[1][0]), a[1][1].max(b[1][1])]])
}

fn is_about(tile: &Tile, [min, max]: [[f64; 2]; 2]) -> bool {
    tile.bounds.is_none_or(|[from, to]| {
        let is_said = to[0] > from[0] && to[1] > from[1];
        !is_said || (0..2).all(|axis| from[axis] <= max[axis] && to[axis] >= min[axis])
    })
}

/// The height of a point that may be of something.
fn usable(point: &Point, vertical: f64) -> Option<f32> {
    let z = point.z * vertical;
    #[allow(clippy::cast_possible_truncation, reason = "meters over the sea: a millimeter is enough")]
    let height = z as f32;
    (!point.is_withheld && HEIGHTS.contains(&z) && !is_noise(point.class)).then_some(height)
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a float converts within bounds")]
fn cell(v: f64) -> usize {
    if v < 0.0 { usize::MAX } else { v as usize }
}

fn middle(ring: &[(f64, f64)]) -> (f64, f64) {
    let of = |pick: fn(&(f64, f64)) -> f64| {
        let (low, high) =
            ring.iter().map(pick).fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        f64::midpoint(low, high)
    };
    (of(|p| p.0), of(|p| p.1))
}
