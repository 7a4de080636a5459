//! The nearest neighbors of every point of a roof, in the ground plan.

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

    fn in_cell(&self, cell: usize) -> &[u32] {
        &self.order[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }

    /// The `k` points nearest to a place, itself among them; nearest first, ties by index.
    pub fn nearest(&self, points: &[Xyz], x: f64, y: f64, k: usize, found: &mut Vec<(f64, u32)>) {
        found.clear();
        let (column, row) = self.column_row(x, y);
        let mut ring = 1;
        loop {
            found.clear();
            let columns = column.saturating_sub(ring)..=(column + ring).min(self.columns - 1);
            for r in row.saturating_sub(ring)..=(row + ring).min(self.rows - 1) {
                for c in columns.clone() {
                    for &index in self.in_cell(r * self.columns + c) {
                        let p = &points[index as usize];
                        found.push(((p[0] - x).powi(2) + (p[1] - y).powi(2), index));
                    }
                }
            }
            // Surely known are those within the ring of cells.
            let sure = ring_f(ring) * self.side;
            let enough = found.iter().filter(|(d, _)| *d <= sure * sure).count() >= k;
            if enough || ring > 4 || (ring >= self.columns && ring >= self.rows) {
                break;
            }
            ring += 1;
        }
        let by_distance = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        if found.len() > k {
            found.select_nth_unstable_by(k, by_distance);
            found.truncate(k);
        }
        found.sort_unstable_by(by_distance);
    }
}

#[allow(clippy::cast_precision_loss, reason = "a handful")]
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
        let mut found = Vec::new();
        for (index, p) in points.iter().enumerate() {
            grid.nearest(points, p[0], p[1], k + 1, &mut found);
            let others = found.iter().map(|(_, other)| *other).filter(|other| *other as usize != index).take(k);
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
