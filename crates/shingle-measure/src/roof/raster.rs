//! Which facet covers which place: points vote in small squares, and squares without points ask the nearest that has some.

use super::detect::NONE;
use super::near::{Grid, cells, index_of};
use super::plane::{Leveled, Moments, Plane, Xyz};
use super::shape::{Inside, Shape};

const MAX_CELLS: f64 = 60_000.0;

/// All points of a roof with the plane each is on.
pub struct Assigned {
    pub planes: Vec<Plane>,
    pub labels: Vec<u32>,
}

impl Assigned {
    /// Each point to the plane it is nearest to, among those that were found about it.
    pub fn new(points: &[Xyz], thin: &[Xyz], labels: &[u32], planes: &[Plane], epsilon: f64, spacing: f64) -> Self {
        let grid = Grid::new(thin, spacing * 1.5);
        // At most 60 planes: a bit each.
        let mut here = vec![0_u64; grid.columns * grid.rows];
        for (p, label) in thin.iter().zip(labels) {
            if *label != NONE {
                here[grid.cell(p[0], p[1])] |= 1 << label;
            }
        }
        let mut around = vec![0_u64; here.len()];
        for row in 0..grid.rows {
            for column in 0..grid.columns {
                for r in row.saturating_sub(1)..=(row + 1).min(grid.rows - 1) {
                    for c in column.saturating_sub(1)..=(column + 1).min(grid.columns - 1) {
                        around[row * grid.columns + column] |= here[r * grid.columns + c];
                    }
                }
            }
        }
        let label_of = |p: &Xyz, planes: &[Leveled]| {
            let mut bits = around[grid.cell(p[0], p[1])];
            let mut best = (epsilon, NONE);
            while bits != 0 {
                let label = bits.trailing_zeros();
                bits &= bits - 1;
                let off = planes[label as usize].distance(p).abs();
                if off < best.0 {
                    best = (off, label);
                }
            }
            best
        };
        let mut planes = planes.to_vec();
        let mut leveled: Vec<Leveled> = planes.iter().map(Leveled::from).collect();
        let mut of: Vec<(f64, u32)> = points.iter().map(|p| label_of(p, &leveled)).collect();
        for _ in 0..2 {
            let mut squares = vec![(0.0, 0.0); planes.len()];
            for (off, label) in of.iter().filter(|(_, label)| *label != NONE) {
                let sum = &mut squares[*label as usize];
                sum.0 += off * off;
                sum.1 += 1.0;
            }
            // Near a ridge the noise decides which plane a point is nearer to, and leans the planes: points where two
            // planes are as near to each other as noise are left out, if enough remain.
            let mut moments = vec![(Moments::default(), Moments::default()); planes.len()];
            for (p, (off, label)) in points.iter().zip(&of) {
                if *label == NONE {
                    continue;
                }
                let (sum, n) = squares[*label as usize];
                let rms = (sum / n).sqrt();
                let plane = &leveled[*label as usize];
                if *off > (2.5 * rms).clamp(0.02, epsilon) {
                    continue;
                }
                let z = plane.plane.z(p[0], p[1]);
                let near = 4.0 * rms / plane.cos;
                let mut bits = around[grid.cell(p[0], p[1])] & !(1 << label);
                let mut is_alone = true;
                while bits != 0 && is_alone {
                    is_alone = (planes[bits.trailing_zeros() as usize].z(p[0], p[1]) - z).abs() > near;
                    bits &= bits - 1;
                }
                moments[*label as usize].0.add(p);
                if is_alone {
                    moments[*label as usize].1.add(p);
                }
            }
            for (plane, (all, alone)) in planes.iter_mut().zip(&moments) {
                let moments = if alone.n >= (0.4 * all.n).max(8.0) { alone } else { all };
                if let Some((fitted, _)) = moments.fit() {
                    *plane = fitted;
                }
            }
            leveled = planes.iter().map(Leveled::from).collect();
            of = points.iter().map(|p| label_of(p, &leveled)).collect();
        }
        Self { planes, labels: of.into_iter().map(|(_, label)| label).collect() }
    }
}

#[allow(clippy::cast_possible_truncation, reason = "the halves of a number that was put together of them")]
fn low_half(number: u64) -> u32 {
    number as u32
}

#[allow(clippy::cast_possible_truncation, reason = "a raster has few squares")]
fn index_in(cell: u64) -> usize {
    cell as usize
}

/// Squares of the ground plan.
pub struct Raster {
    pub min: [f64; 2],
    pub side: f64,
    pub columns: usize,
    pub rows: usize,
    /// The middle of the square is inside of the outline.
    pub inside: Vec<bool>,
    /// The facet that most points of the square are on.
    pub seen: Vec<u32>,
    /// Share of the squares that are hit where the roof was seen well.
    pub hit_share: f64,
    /// Of the nearest square that has one; `NONE` outside.
    pub labels: Vec<u32>,
    /// The nearest square that has a facet, and how many squares it is away.
    source: Vec<u32>,
    far: Vec<f32>,
}

impl Raster {
    pub fn new(shape: &Shape, points: &[Xyz], labels: &[u32], spacing: f64) -> Self {
        let (width, depth) = (shape.max[0] - shape.min[0], shape.max[1] - shape.min[1]);
        let side = (0.6 * spacing).clamp(0.2, 0.5).max((width * depth / MAX_CELLS).sqrt());
        let (columns, rows) = (cells(width, side), cells(depth, side));
        let mut raster = Self {
            min: shape.min,
            side,
            columns,
            rows,
            inside: Vec::with_capacity(columns * rows),
            seen: vec![NONE; columns * rows],
            hit_share: 0.0,
            labels: Vec::new(),
            source: Vec::new(),
            far: Vec::new(),
        };
        raster.mark_inside(shape);
        raster.vote(points, labels);
        #[allow(clippy::cast_precision_loss, reason = "a raster has few squares")]
        let of_inside = |is_counted: &dyn Fn(usize) -> bool| {
            (0..columns * rows).filter(|cell| raster.inside[*cell] && is_counted(*cell)).count() as f64
        };
        raster.hit_share = of_inside(&|cell| raster.seen[cell] != NONE) / of_inside(&|_| true).max(1.0);
        raster.fill();
        raster
    }

    /// Row by row: between every second and the next crossing of the outline.
    fn mark_inside(&mut self, shape: &Shape) {
        let inside_of = Inside::of(shape);
        let mut crossings = Vec::new();
        self.inside.resize(self.columns * self.rows, false);
        for row in 0..self.rows {
            let (x, y) = self.middle(row * self.columns);
            inside_of.crossings(y, &mut crossings);
            for pair in crossings.chunks_exact(2) {
                // The first square whose middle is not left of the crossing.
                let at = |cross: f64| super::near::floor(((cross - x) / self.side).ceil()).min(self.columns);
                self.inside[row * self.columns..][at(pair[0])..at(pair[1]).max(at(pair[0]))].fill(true);
            }
        }
    }

    #[allow(clippy::cast_precision_loss, reason = "a raster has few squares")]
    pub fn middle(&self, cell: usize) -> (f64, f64) {
        let (column, row) = (cell % self.columns, cell / self.columns);
        (self.min[0] + (column as f64 + 0.5) * self.side, self.min[1] + (row as f64 + 0.5) * self.side)
    }

    /// Whether a square has returns of its facet in it or near.
    pub fn is_seen(&self, cell: usize) -> bool {
        self.far[cell] <= 3.0
    }

    fn vote(&mut self, points: &[Xyz], labels: &[u32]) {
        // Square above, label below: one number each sorts fastest.
        let mut votes: Vec<u64> = Vec::with_capacity(points.len());
        for (p, label) in points.iter().zip(labels) {
            if *label != NONE {
                let at = |axis: usize, count: usize| {
                    super::near::floor((p[axis] - self.min[axis]) / self.side).min(count - 1)
                };
                let cell = at(1, self.rows) * self.columns + at(0, self.columns);
                votes.push((cell as u64) << 32 | u64::from(*label));
            }
        }
        votes.sort_unstable();
        for square in votes.chunk_by(|a, b| a >> 32 == b >> 32) {
            if let Some(most) = square.chunk_by(|a, b| a == b).max_by_key(|same| same.len()) {
                self.seen[index_in(most[0] >> 32)] = low_half(most[0]);
            }
        }
    }

    /// Two sweeps that hand the nearest known square on.
    fn fill(&mut self) {
        let (columns, rows) = (self.columns, self.rows);
        let count = columns * rows;
        self.source.clear();
        self.source.extend((0..count).map(|c| if self.seen[c] == NONE { NONE } else { index_of(c) }));
        // Column and row of the source, and the square of its distance.
        let mut from: Vec<(i32, i32, i32)> = Vec::with_capacity(count);
        for row in 0..rows {
            for column in 0..columns {
                let is_seen = self.seen[row * columns + column] != NONE;
                let at = |v: usize| i32::try_from(v).unwrap_or(i32::MAX);
                from.push((at(column), at(row), if is_seen { 0 } else { i32::MAX }));
            }
        }
        let mut take = |cell: usize, (c, r): (i32, i32), other: usize| {
            let (sc, sr, far) = from[other];
            if far != i32::MAX && from[cell].2 != 0 {
                let now = (sc - c) * (sc - c) + (sr - r) * (sr - r);
                if now < from[cell].2 {
                    from[cell] = (sc, sr, now);
                    self.source[cell] = self.source[other];
                }
            }
        };
        let at = |v: usize| i32::try_from(v).unwrap_or(i32::MAX);
        for row in 0..rows {
            for column in 0..columns {
                let (cell, place) = (row * columns + column, (at(column), at(row)));
                if column > 0 {
                    take(cell, place, cell - 1);
                }
                if row > 0 {
                    take(cell, place, cell - columns);
                    if column > 0 {
                        take(cell, place, cell - columns - 1);
                    }
                    if column + 1 < columns {
                        take(cell, place, cell - columns + 1);
                    }
                }
            }
        }
        for row in (0..rows).rev() {
            for column in (0..columns).rev() {
                let (cell, place) = (row * columns + column, (at(column), at(row)));
                if column + 1 < columns {
                    take(cell, place, cell + 1);
                }
                if row + 1 < rows {
                    take(cell, place, cell + columns);
                    if column > 0 {
                        take(cell, place, cell + columns - 1);
                    }
                    if column + 1 < columns {
                        take(cell, place, cell + columns + 1);
                    }
                }
            }
        }
        self.far.clear();
        #[allow(clippy::cast_precision_loss, reason = "a raster has few squares")]
        self.far.extend(from.iter().map(|f| if f.2 == i32::MAX { f32::INFINITY } else { (f.2 as f32).sqrt() }));
        self.labels.clear();
        let labels = self.source.iter().zip(&self.inside).map(|(from, inside)| match *from {
            NONE => NONE,
            _ if !inside => NONE,
            from => self.seen[from as usize],
        });
        self.labels.extend(labels);
    }

    /// As `labels`, in squares outside of the outline as well.
    pub fn spread_labels(&self) -> Vec<u32> {
        self.source.iter().map(|from| if *from == NONE { NONE } else { self.seen[*from as usize] }).collect()
    }

    /// Leaves facets out, and gives their places to the nearest others.
    pub fn without(&mut self, dropped: &[bool]) {
        for label in &mut self.seen {
            if dropped.get(*label as usize).copied().unwrap_or(false) {
                *label = NONE;
            }
        }
        self.fill();
    }

    /// Square meters on the ground of each facet, and how much of it has points within `reach` meters.
    pub fn areas(&self, facets: usize, reach: f64) -> Vec<(f64, f64)> {
        let mut areas = vec![(0.0, 0.0); facets];
        for (label, far) in self.labels.iter().zip(&self.far) {
            if let Some(area) = areas.get_mut(*label as usize) {
                area.0 += self.side * self.side;
                if f64::from(*far) * self.side <= reach {
                    area.1 += self.side * self.side;
                }
            }
        }
        areas
    }
}
