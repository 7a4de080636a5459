//! The nearest neighbors of every point of a roof, in the ground plan.

use std::ops::Range;

use super::plane::Xyz;

/// However far apart the points are.
const MOST_CELLS: f64 = 1_000_000.0;

/// Points by cells of a grid.
pub struct Grid {
    pub min: [f64; 2],
    pub side: f64,
    pub columns: usize,
    pub rows: usize,
    /// Where the points of each cell begin in `order`.
    starts: Vec<u32>,
    order: Vec<u32>,
}

impl Grid {
    pub fn new(points: &[Xyz], side: f64) -> Self {
        let mut min = [f64::INFINITY; 2];
        let mut max = [f64::NEG_INFINITY; 2];
        for p in points {
            for axis in 0..2 {
                min[axis] = min[axis].min(p[axis]);
                max[axis] = max[axis].max(p[axis]);
            }
        }
        let side = side.max(((max[0] - min[0]) * (max[1] - min[1]) / MOST_CELLS).sqrt());
        let count = |axis: usize| cells(max[axis] - min[axis], side);
        let (columns, rows) = (count(0), count(1));
        let mut grid = Self { min, side, columns, rows, starts: vec![0; columns * rows + 1], order: Vec::new() };
        let of: Vec<usize> = points.iter().map(|p| grid.cell(p[0], p[1])).collect();
        for cell in &of {
            grid.starts[cell + 1] += 1;
        }
        for cell in 0..columns * rows {
            grid.starts[cell + 1] += grid.starts[cell];
        }
        let mut next = grid.starts.clone();
        grid.order = vec![0; points.len()];
        for (index, cell) in of.iter().enumerate() {
            grid.order[next[*cell] as usize] = index_of(index);
            next[*cell] += 1;
        }
        grid
    }

    fn column_row(&self, x: f64, y: f64) -> (usize, usize) {
        let at = |v: f64, min: f64, count: usize| floor((v - min) / self.side).min(count - 1);
        (at(x, self.min[0], self.columns), at(y, self.min[1], self.rows))
    }

    pub fn cell(&self, x: f64, y: f64) -> usize {
        let (column, row) = self.column_row(x, y);
        row * self.columns + column
    }

    pub fn is_within(&self, x: f64, y: f64) -> bool {
        let at = |v: f64, min: f64, count: usize| v >= min && floor((v - min) / self.side) < count;
        at(x, self.min[0], self.columns) && at(y, self.min[1], self.rows)
    }

    /// The points in the cell of a place and in those about it.
    pub fn around(&self, x: f64, y: f64) -> impl Iterator<Item = u32> {
        let (column, row) = self.column_row(x, y);
        let columns = column.saturating_sub(1)..=(column + 1).min(self.columns - 1);
        (row.saturating_sub(1)..=(row + 1).min(self.rows - 1)).flat_map(move |r| {
            let first = self.starts[r * self.columns + columns.start()] as usize;
            let end = self.starts[r * self.columns + columns.end() + 1] as usize;
            self.order[first..end].iter().copied()
        })
    }

    /// The points nearest to a place, as many as `nearest` has room for; nearest first, ties by index. `places` are in the
    /// order of the grid.
    fn nearest(&self, places: &[[f32; 2]], at: [f32; 2], nearest: &mut Nearest) {
        let (column, row) = self.column_row(f64::from(at[0]), f64::from(at[1]));
        let mut ring = 1;
        nearest.clear();
        // The cells of a row follow each other.
        let offer = |nearest: &mut Nearest, r: usize, columns: Range<usize>| {
            let first = self.starts[r * self.columns + columns.start] as usize;
            let end = self.starts[r * self.columns + columns.end] as usize;
            for (&index, p) in self.order[first..end].iter().zip(&places[first..end]) {
                nearest.offer((p[0] - at[0]).powi(2) + (p[1] - at[1]).powi(2), index);
            }
        };
        loop {
            let (west, east) = (column.saturating_sub(ring), (column + ring).min(self.columns - 1));
            for r in row.saturating_sub(ring)..=(row + ring).min(self.rows - 1) {
                if ring == 1 || r.abs_diff(row) == ring {
                    offer(nearest, r, west..east + 1);
                    continue;
                }
                // What lies within was looked at before.
                if column >= ring {
                    offer(nearest, r, west..west + 1);
                }
                if column + ring < self.columns {
                    offer(nearest, r, east..east + 1);
                }
            }
            // All points this near have been seen: no cell beyond the ring is nearer, and the grid has no others.
            let before = |v: f32, axis: usize, at: usize| match at.checked_sub(ring) {
                Some(first) if at > ring => f64::from(v) - self.min[axis] - ring_f(first) * self.side,
                _ => f64::INFINITY,
            };
            let behind = |v: f32, axis: usize, at: usize, count: usize| match at + ring + 1 {
                end if end < count => self.min[axis] + ring_f(end) * self.side - f64::from(v),
                _ => f64::INFINITY,
            };
            let across = before(at[0], 0, column).min(behind(at[0], 0, column, self.columns));
            let along = before(at[1], 1, row).min(behind(at[1], 1, row, self.rows));
            // The places are rounded.
            let sure = across.min(along) - 1e-3;
            let enough = nearest.farthest().is_some_and(|d| f64::from(d) <= sure * sure);
            if enough || ring > 4 || (ring >= self.columns && ring >= self.rows) {
                break;
            }
            ring += 1;
        }
    }
}

/// The few nearest so far, in order: the square of the distance above, the index below, so that one comparison of
/// numbers orders them.
struct Nearest {
    keys: [u64; MOST_NEIGHBORS],
    wanted: usize,
    count: usize,
}

const MOST_NEIGHBORS: usize = 16;

impl Nearest {
    fn clear(&mut self) {
        self.count = 0;
    }

    fn offer(&mut self, square: f32, index: u32) {
        // Squares are not negative: their bits are in the order of the numbers.
        let key = u64::from(square.to_bits()) << 32 | u64::from(index);
        let mut at = self.count;
        if at == self.wanted {
            if key >= self.keys[at - 1] {
                return;
            }
            at -= 1;
        } else {
            self.count += 1;
        }
        while at > 0 && self.keys[at - 1] > key {
            self.keys[at] = self.keys[at - 1];
            at -= 1;
        }
        self.keys[at] = key;
    }

    /// The square of the distance of the last of them, if there are enough.
    #[allow(clippy::cast_possible_truncation, reason = "the upper half")]
    fn farthest(&self) -> Option<f32> {
        (self.count == self.wanted).then(|| f32::from_bits((self.keys[self.count - 1] >> 32) as u32))
    }

    #[allow(clippy::cast_possible_truncation, reason = "the lower half")]
    fn indexes(&self) -> impl Iterator<Item = u32> {
        self.keys[..self.count].iter().map(|key| *key as u32)
    }
}

#[allow(clippy::cast_precision_loss, reason = "a grid has few cells")]
fn ring_f(ring: usize) -> f64 {
    ring as f64
}

/// How many cells a length has.
pub fn cells(length: f64, side: f64) -> usize {
    floor(length / side) + 1
}

/// Never negative; what is no number is 0.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a float converts within bounds")]
#[allow(clippy::manual_clamp, reason = "`clamp` would keep what is no number")]
pub fn floor(value: f64) -> usize {
    value.max(0.0).min(1e9) as usize
}

/// A roof has fewer points than an index can count.
#[allow(clippy::cast_possible_truncation, reason = "a roof has fewer points")]
pub fn index_of(index: usize) -> u32 {
    index as u32
}

/// The neighbors of every point, `k` or fewer each.
pub struct Neighbors {
    k: usize,
    of: Vec<u32>,
    counts: Vec<u8>,
}

impl Neighbors {
    pub fn find(points: &[Xyz], spacing: f64, k: usize) -> Self {
        let grid = Grid::new(points, (spacing * 2.0).max(0.05));
        let mut neighbors = Self { k, of: vec![0; points.len() * k], counts: Vec::with_capacity(points.len()) };
        #[allow(clippy::cast_possible_truncation, reason = "meters about a roof")]
        let places: Vec<[f32; 2]> = points.iter().map(|p| [p[0] as f32, p[1] as f32]).collect();
        let in_order: Vec<[f32; 2]> = grid.order.iter().map(|index| places[*index as usize]).collect();
        let mut nearest = Nearest { keys: [0; MOST_NEIGHBORS], wanted: (k + 1).min(MOST_NEIGHBORS), count: 0 };
        for (index, place) in places.iter().enumerate() {
            grid.nearest(&in_order, *place, &mut nearest);
            let others = nearest.indexes().filter(|other| *other as usize != index).take(k);
            let mut count = 0;
            for (slot, other) in neighbors.of[index * k..].iter_mut().zip(others) {
                *slot = other;
                count += 1;
            }
            neighbors.counts.push(count);
        }
        neighbors
    }

    pub fn of(&self, index: usize) -> &[u32] {
        &self.of[index * self.k..index * self.k + usize::from(self.counts[index])]
    }
}
