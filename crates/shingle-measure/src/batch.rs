//! The points about many places, in little memory.

use crate::boxes::Boxes;
use crate::crs::FileCrs;
use crate::error::MeasureError;
use crate::las::Point;
use crate::place::Placed;
use crate::roof::RoofPoint;
use crate::tiles::{FileFacts, Tile};

/// Points held at a time: 16 bytes each, twice that while a list grows.
const MOST_POINTS: usize = 4_000_000;
const FEWEST_OF_PLACE: f64 = 4_000.0;

/// How many points are kept of a place.
#[derive(Debug, Clone, Copy)]
pub struct Enough {
    /// Points a square meter.
    pub dense: f64,
    pub most: f64,
}
/// Outlines at a time.
pub const MOST_OUTLINES: usize = 20_000;
/// Squares of the index of outlines.
const MOST_SQUARES: f64 = 1_000_000.0;
/// Higher over the sea or lower is an error of the instrument.
pub const HEIGHTS: std::ops::Range<f64> = -600.0..9_000.0;

/// The points of one roof, thinned by chance that hangs on their coordinates alone, so that it does not matter in
/// which order or file they come.
struct Bucket {
    index: usize,
    placed: Placed,
    points: Vec<RoofPoint>,
    most: usize,
    below: u64,
}

impl Bucket {
    fn new(index: usize, placed: Placed, enough: Enough) -> Self {
        let (min, max) = (placed.shape.min, placed.shape.max);
        let margin = 2.0 * crate::place::MARGIN;
        let area = (max[0] - min[0] + margin) * (max[1] - min[1] + margin);
        let most = (area * enough.dense).clamp(FEWEST_OF_PLACE, enough.most);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the bounds above")]
        let most = most as usize;
        Self { index, placed, points: Vec::new(), most, below: u64::MAX }
    }

    /// Points more than before.
    fn add(&mut self, point: RoofPoint) -> isize {
        if self.below < u64::MAX && chance(&point) > self.below {
            return 0;
        }
        let before = self.points.len();
        self.points.push(point);
        while self.points.len() > self.most {
            self.below /= 2;
            let below = self.below;
            self.points.retain(|p| chance(p) <= below);
            // So many points at one spot are no survey's.
            if below == 0 {
                self.points.clear();
            }
        }
        self.points.len().cast_signed() - before.cast_signed()
    }
}

/// The same for the same point, and as good as random.
fn chance(p: &RoofPoint) -> u64 {
    let mut h = u64::from(p.x.to_bits()) << 32 | u64::from(p.y.to_bits());
    h ^= u64::from(p.z.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    h = (h ^ (h >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    h = (h ^ (h >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    h ^ (h >> 31)
}

pub struct Batch {
    buckets: Vec<Bucket>,
    min: [f64; 2],
    max: [f64; 2],
    side: f64,
    columns: usize,
    rows: usize,
    /// The buckets about each square.
    squares: Vec<Vec<u32>>,
    held: usize,
    vertical: f64,
    /// Of the unit of the file in meters, for tolerances.
    unit: f64,
}

impl Batch {
    pub fn new(outlines: Vec<(usize, Placed)>, crs: &FileCrs, enough: Enough) -> Self {
        let (mut min, mut max) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for (_, placed) in &outlines {
            for axis in 0..2 {
                min[axis] = min[axis].min(placed.min[axis]);
                max[axis] = max[axis].max(placed.max[axis]);
            }
        }
        let (width, depth) = (max[0] - min[0], max[1] - min[1]);
        let unit = crs.meters();
        let side = (20.0 / unit).max((width * depth / MOST_SQUARES).sqrt());
        let count = |length: f64| cells(length / side) + 1;
        let (columns, rows) = (count(width), count(depth));
        let mut batch = Self {
            buckets: Vec::with_capacity(outlines.len()),
            min,
            max,
            side,
            columns,
            rows,
            squares: vec![Vec::new(); columns * rows],
            held: 0,
            vertical: crs.vertical,
            unit,
        };
        for (index, placed) in outlines {
            let at = u32::try_from(batch.buckets.len()).unwrap_or(u32::MAX);
            for row in batch.row(placed.min[1])..=batch.row(placed.max[1]) {
                for column in batch.column(placed.min[0])..=batch.column(placed.max[0]) {
                    batch.squares[row * columns + column].push(at);
                }
            }
            batch.buckets.push(Bucket::new(index, placed, enough));
        }
        batch
    }

    fn column(&self, x: f64) -> usize {
        cells((x - self.min[0]) / self.side).min(self.columns - 1)
    }

    fn row(&self, y: f64) -> usize {
        cells((y - self.min[1]) / self.side).min(self.rows - 1)
    }

    /// Headers are often a little off, and some are empty: only a file that is surely elsewhere is left out.
    pub fn may_need(&self, tile: &Tile) -> bool {
        let tolerance = 100.0 / self.unit;
        tile.bounds.is_none_or(|[min, max]| {
            let is_said = max[0] > min[0] && max[1] > min[1];
            let apart = |axis: usize| min[axis] - tolerance > self.max[axis] || max[axis] + tolerance < self.min[axis];
            !is_said || !(apart(0) || apart(1))
        })
    }

    /// Outlines whose points do not fit into memory go back to `waiting`.
    pub fn read(&mut self, tile: &Tile, waiting: &mut Vec<(usize, Placed)>) -> Result<FileFacts, MeasureError> {
        let has_time = tile.has_standard_time;
        let mut measured: Option<(i64, i64)> = None;
        let mut points = 0;
        // What is wanted does not change while a file is read, though outlines may go back.
        let wanted = self.boxes();
        let ended = tile.for_each(&|min, max| wanted.touch(min, max), |point| {
            points += 1;
            if self.add(point)
                && has_time
                && let Some(day) = day(point.gps_time)
            {
                let (first, last) = measured.unwrap_or((day, day));
                measured = Some((first.min(day), last.max(day)));
            }
            if self.held > MOST_POINTS {
                self.put_back(waiting);
            }
        })?;
        Ok(FileFacts { points, format: tile.format, ended, measured })
    }

    fn boxes(&self) -> Boxes {
        let sides = |bucket: &Bucket| (bucket.placed.min, bucket.placed.max);
        Boxes::new(self.buckets.iter().map(sides).collect())
    }

    /// Whether the point is near an outline.
    fn add(&mut self, point: &Point) -> bool {
        let (x, y) = (point.x, point.y);
        let is_within = x >= self.min[0] && x <= self.max[0] && y >= self.min[1] && y <= self.max[1];
        if !is_within || point.is_withheld {
            return false;
        }
        let z = point.z * self.vertical;
        if !HEIGHTS.contains(&z) {
            return false;
        }
        let square = self.row(y) * self.columns + self.column(x);
        let mut is_near = false;
        for at in &self.squares[square] {
            let Some(bucket) = self.buckets.get_mut(*at as usize) else { continue };
            let placed = &bucket.placed;
            if x < placed.min[0] || x > placed.max[0] || y < placed.min[1] || y > placed.max[1] {
                continue;
            }
            let (x, y) = placed.frame.meters(x, y);
            #[allow(
                clippy::cast_possible_truncation,
                reason = "meters about a roof: a tenth of a millimeter is enough"
            )]
            let (x, y, z) = (x as f32, y as f32, z as f32);
            let more = bucket.add(RoofPoint { x, y, z, class: point.class, is_last: point.is_last });
            self.held = self.held.saturating_add_signed(more);
            is_near = true;
        }
        is_near
    }

    fn put_back(&mut self, waiting: &mut Vec<(usize, Placed)>) {
        // One roof alone always fits.
        let keep = self.buckets.len().div_ceil(2);
        for bucket in self.buckets.drain(keep..) {
            self.held -= bucket.points.len();
            waiting.push((bucket.index, bucket.placed));
        }
    }

    /// The points about each outline.
    pub fn filled(self) -> impl Iterator<Item = (usize, Placed, Vec<RoofPoint>)> {
        self.buckets.into_iter().map(|bucket| (bucket.index, bucket.placed, bucket.points))
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a float converts within bounds")]
fn cells(value: f64) -> usize {
    value.max(0.0) as usize
}

/// Days since 1970 of a standard GPS time. `None` for times before the first survey and after the last, and for zero, which
/// writers put where they know none.
#[allow(clippy::cast_possible_truncation, reason = "within the bounds checked")]
fn day(gps_time: f64) -> Option<i64> {
    // 1980-01-06, and the billion seconds that the format leaves out.
    let day = ((gps_time + 1e9) / 86_400.0).floor() + 3_657.0;
    (gps_time != 0.0 && (10_000.0..50_000.0).contains(&day)).then_some(day as i64)
}
