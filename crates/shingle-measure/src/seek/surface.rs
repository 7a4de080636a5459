//! A survey in squares of a meter: its lowest and highest points, and the places that may be roofs.

use super::ground::ground;

/// Meters over the ground from which on something may be a roof.
pub const LOWEST: f32 = 2.0;
/// Squares of the smallest place worth a look.
const FEWEST: usize = 6;
/// Squares between two parts of a roof.
const GAP: usize = 2;
/// Meters that the highest points of neighboring squares are off a plane.
const ROUGH: f32 = 0.3;
/// Meters that the lowest point of a square may be below those about it.
const PIT: f32 = 0.7;
/// Meters of the longest roof that may stand alone.
const ISLAND: usize = 100;
/// No label.
pub const NONE: u32 = u32::MAX;

pub struct Surface {
    pub columns: usize,
    pub rows: usize,
    low: Vec<f32>,
    high: Vec<f32>,
    /// Points that are said to be of a building, less the others.
    built: Vec<i32>,
}

/// Places that may be roofs.
pub struct Candidates {
    pub ground: Vec<f32>,
    /// Of each square: the place that it belongs to, or [`NONE`].
    pub labels: Vec<u32>,
    /// First and last column and row.
    pub boxes: Vec<[[usize; 2]; 2]>,
}

impl Surface {
    pub fn new(columns: usize, rows: usize) -> Self {
        let count = columns * rows;
        Self {
            columns,
            rows,
            low: vec![f32::INFINITY; count],
            high: vec![f32::NEG_INFINITY; count],
            built: vec![0; count],
        }
    }

    pub fn add(&mut self, column: usize, row: usize, z: f32, is_built: bool) {
        let cell = row * self.columns + column;
        self.built[cell] = self.built[cell].saturating_add(if is_built { 1 } else { -1 });
        self.low[cell] = self.low[cell].min(z);
        self.high[cell] = self.high[cell].max(z);
    }

    pub fn candidates(self) -> Candidates {
        let mut ground = ground(&self.without_pits(), self.columns);
        self.lower_islands(&mut ground);
        let smooth: Vec<bool> = (0..self.high.len()).map(|cell| self.is_smooth(cell, &ground)).collect();
        // Parts of a roof that a few squares are between are one place.
        let wide = self.widened(&smooth);
        let mut candidates = Candidates { ground, labels: vec![NONE; wide.len()], boxes: Vec::new() };
        for part in self.parts(&wide) {
            if part.iter().filter(|cell| smooth[**cell]).count() < FEWEST {
                continue;
            }
            let label = u32::try_from(candidates.boxes.len()).unwrap_or(NONE);
            for cell in &part {
                candidates.labels[*cell] = label;
            }
            candidates.boxes.push(self.sides(&part));
        }
        candidates
    }

    /// First and last column and row.
    fn sides(&self, part: &[usize]) -> [[usize; 2]; 2] {
        let of = |pick: &dyn Fn(usize) -> usize| {
            let (low, high) = part.iter().fold((usize::MAX, 0), |(l, h), c| (l.min(pick(*c)), h.max(pick(*c))));
            [low, high]
        };
        [of(&|cell| cell % self.columns), of(&|cell| cell / self.columns)]
    }

    /// Squares that hang together.
    fn parts(&self, wanted: &[bool]) -> Vec<Vec<usize>> {
        let mut seen = vec![false; wanted.len()];
        let mut parts = Vec::new();
        for start in 0..wanted.len() {
            if !wanted[start] || seen[start] {
                continue;
            }
            let mut part = vec![start];
            seen[start] = true;
            let mut next = 0;
            while next < part.len() {
                let cell = part[next];
                next += 1;
                let (column, row) = (cell % self.columns, cell / self.columns);
                let beside = [
                    (column > 0).then(|| cell - 1),
                    (column + 1 < self.columns).then(|| cell + 1),
                    (row > 0).then(|| cell - self.columns),
                    (row + 1 < self.rows).then(|| cell + self.columns),
                ];
                for other in beside.into_iter().flatten().filter(|other| wanted[*other]) {
                    if !seen[other] {
                        seen[other] = true;
                        part.push(other);
                    }
                }
            }
            parts.push(part);
        }
        parts
    }

    /// A roof that was cut out of a survey has no ground about it. Nothing but its class tells it from a field.
    fn lower_islands(&self, ground: &mut [f32]) {
        let is_seen: Vec<bool> = self.low.iter().map(|z| z.is_finite()).collect();
        for island in self.parts(&self.widened(&is_seen)) {
            let [columns, rows] = self.sides(&island);
            let is_small = columns[1] - columns[0] < ISLAND && rows[1] - rows[0] < ISLAND;
            let built: i64 = island.iter().map(|cell| i64::from(self.built[*cell])).sum();
            let seen: i64 = island.iter().map(|cell| i64::from(self.built[*cell].abs())).sum();
            if is_small && built * 10 > seen * 9 {
                let lowest = island.iter().map(|cell| self.low[*cell]).fold(f32::INFINITY, f32::min);
                for cell in island {
                    ground[cell] = lowest - 1.5 * LOWEST;
                }
            }
        }
    }

    /// The lowest points, but for errors: those far below what most squares about them have.
    fn without_pits(&self) -> Vec<f32> {
        let mut near: Vec<f32> = Vec::with_capacity(9);
        let low = |cell: usize| {
            let (column, row) = (cell % self.columns, cell / self.columns);
            near.clear();
            for r in row.saturating_sub(1)..=(row + 1).min(self.rows - 1) {
                let from = r * self.columns + column.saturating_sub(1);
                let to = r * self.columns + (column + 1).min(self.columns - 1);
                near.extend(self.low[from..=to].iter().filter(|z| z.is_finite()));
            }
            if near.len() < FEWEST {
                return self.low[cell];
            }
            self.low[cell].max(*near.select_nth_unstable_by(3, f32::total_cmp).1 - PIT)
        };
        (0..self.low.len()).map(low).collect()
    }

    /// Well above the ground, and on a plane with most squares about it.
    fn is_smooth(&self, cell: usize, ground: &[f32]) -> bool {
        let (column, row) = (cell % self.columns, cell / self.columns);
        if self.high[cell] - ground[cell] < LOWEST || column == 0 || row == 0 {
            return false;
        }
        if column + 1 == self.columns || row + 1 == self.rows {
            return false;
        }
        let mut places: Vec<[f32; 3]> = Vec::with_capacity(9);
        for (y, r) in [(-1.0, row - 1), (0.0, row), (1.0, row + 1)] {
            for (x, c) in [(-1.0, column - 1), (0.0, column), (1.0, column + 1)] {
                let at = r * self.columns + c;
                if self.high[at] - ground[at] > LOWEST {
                    places.push([x, y, self.high[at] - self.high[cell]]);
                }
            }
        }
        // An edge, a chimney or a bird is left out.
        while places.len() >= FEWEST {
            let Some([a, b, c]) = fitted(&places) else { return false };
            let off = |p: &[f32; 3]| (p[2] - a * p[0] - b * p[1] - c).abs();
            let worst = places.iter().enumerate().max_by(|p, q| off(p.1).total_cmp(&off(q.1)));
            let Some((index, _)) = worst.filter(|(_, p)| off(p) > ROUGH) else { return a.hypot(b) < 2.5 };
            places.swap_remove(index);
        }
        false
    }

    fn widened(&self, smooth: &[bool]) -> Vec<bool> {
        let mut wide = vec![false; smooth.len()];
        for cell in (0..smooth.len()).filter(|cell| smooth[*cell]) {
            let (column, row) = (cell % self.columns, cell / self.columns);
            for r in row.saturating_sub(GAP)..=(row + GAP).min(self.rows - 1) {
                let from = r * self.columns + column.saturating_sub(GAP);
                wide[from..=r * self.columns + (column + GAP).min(self.columns - 1)].fill(true);
            }
        }
        wide
    }
}

/// `z = a x + b y + c` of least squares.
fn fitted(places: &[[f32; 3]]) -> Option<[f32; 3]> {
    let mut n = 0.0;
    let mut s = [0.0_f32; 8];
    for [x, y, z] in places {
        n += 1.0;
        for (sum, v) in s.iter_mut().zip([*x, *y, *z, x * x, x * y, y * y, x * z, y * z]) {
            *sum += v;
        }
    }
    let [x, y, z, xx, xy, yy, xz, yz] = s.map(|v| v / n);
    let (xx, xy, yy, xz, yz) = (xx - x * x, xy - x * y, yy - y * y, xz - x * z, yz - y * z);
    let det = xx * yy - xy * xy;
    if det < 1e-3 {
        return None;
    }
    let (a, b) = ((xz * yy - yz * xy) / det, (yz * xx - xz * xy) / det);
    Some([a, b, z - a * x - b * y])
}
