//! Squares that are a roof, and the ring about them.

/// Squares of the ground plan, some of them inside.
pub struct Mask {
    pub min: [f64; 2],
    pub side: f64,
    pub columns: usize,
    pub rows: usize,
    pub cells: Vec<bool>,
}

/// Squares of a mask that hang together.
pub struct Part<'a> {
    mask: &'a Mask,
    pub cells: Vec<usize>,
    inside: Vec<bool>,
}

impl Mask {
    pub fn new(min: [f64; 2], side: f64, columns: usize, rows: usize) -> Self {
        Self { min, side, columns, rows, cells: vec![false; columns * rows] }
    }

    pub fn cell(&self, x: f64, y: f64) -> Option<usize> {
        let (u, v) = ((x - self.min[0]) / self.side, (y - self.min[1]) / self.side);
        let (column, row) = (super::near::floor(u), super::near::floor(v));
        (u >= 0.0 && v >= 0.0 && column < self.columns && row < self.rows).then(|| row * self.columns + column)
    }

    #[allow(clippy::cast_precision_loss, reason = "a mask has few squares")]
    fn corner(&self, column: usize, row: usize) -> (f64, f64) {
        (self.min[0] + column as f64 * self.side, self.min[1] + row as f64 * self.side)
    }

    pub fn middle(&self, cell: usize) -> (f64, f64) {
        let (x, y) = self.corner(cell % self.columns, cell / self.columns);
        (x + self.side / 2.0, y + self.side / 2.0)
    }

    fn beside(&self, cell: usize) -> [Option<usize>; 4] {
        let (column, row) = (cell % self.columns, cell / self.columns);
        [
            (column > 0).then(|| cell - 1),
            (column + 1 < self.columns).then(|| cell + 1),
            (row > 0).then(|| cell - self.columns),
            (row + 1 < self.rows).then(|| cell + self.columns),
        ]
    }

    /// Groups of squares that are all inside or all outside.
    fn groups(&self, inside: bool) -> Vec<Vec<usize>> {
        let mut seen = vec![false; self.cells.len()];
        let mut groups = Vec::new();
        for start in 0..self.cells.len() {
            if self.cells[start] != inside || seen[start] {
                continue;
            }
            let mut group = vec![start];
            seen[start] = true;
            let mut next = 0;
            while next < group.len() {
                let cell = group[next];
                next += 1;
                for other in self.beside(cell).into_iter().flatten() {
                    if self.cells[other] == inside && !seen[other] {
                        seen[other] = true;
                        group.push(other);
                    }
                }
            }
            groups.push(group);
        }
        groups
    }

    /// Notches of less than twice so many meters are not.
    pub fn fill_notches(&mut self, half: f64) {
        #[allow(clippy::cast_possible_truncation, reason = "a few squares")]
        let half = (half / self.side) as f32;
        let far = distances(&self.cells, self.columns);
        let outside: Vec<bool> = far.iter().map(|far| *far > half).collect();
        let back = distances(&outside, self.columns);
        for (cell, back) in self.cells.iter_mut().zip(&back) {
            *cell |= *back > half;
        }
    }

    /// Openings of less than so many square meters are not.
    pub fn fill_openings(&mut self, smaller: f64) {
        for group in self.groups(false) {
            if area(group.len(), self.side) < smaller {
                for cell in group {
                    self.cells[cell] = true;
                }
            }
        }
    }

    /// What hangs together by more than twice `neck` meters. What is thinner belongs to nothing.
    pub fn parts(&self, neck: f64) -> Vec<Part<'_>> {
        let outside: Vec<bool> = self.cells.iter().map(|inside| !inside).collect();
        let far = distances(&outside, self.columns);
        #[allow(clippy::cast_possible_truncation, reason = "a few squares")]
        let neck = (neck / self.side) as f32;
        let mut core = Self::new(self.min, self.side, self.columns, self.rows);
        for (core, far) in core.cells.iter_mut().zip(&far) {
            *core = *far > neck;
        }
        let back = distances(&core.cells, self.columns);
        let mut groups = core.groups(true);
        let mut taken = core.cells;
        // Square by square from all cores at once, so that each gets what is nearest to it.
        let mut edges = groups.clone();
        while edges.iter().any(|edge| !edge.is_empty()) {
            for (group, edge) in groups.iter_mut().zip(&mut edges) {
                let mut next = Vec::new();
                for other in edge.iter().flat_map(|cell| self.beside(*cell)).flatten() {
                    if self.cells[other] && !taken[other] && back[other] <= neck + 0.5 {
                        taken[other] = true;
                        next.push(other);
                    }
                }
                group.extend(&next);
                *edge = next;
            }
        }
        let part = |cells: Vec<usize>| {
            let mut inside = vec![false; self.cells.len()];
            for cell in &cells {
                inside[*cell] = true;
            }
            Part { mask: self, cells, inside }
        };
        // Less than a few square meters is nothing; many of them would cost much.
        groups
            .into_iter()
            .filter(|group| area(group.len(), self.side) > 4.0 * neck_area(neck, self.side))
            .map(part)
            .collect()
    }
}

/// Of a square that is as wide as a neck.
fn neck_area(neck: f32, side: f64) -> f64 {
    (f64::from(neck) * side).powi(2)
}

#[allow(clippy::cast_precision_loss, reason = "a mask has few squares")]
fn area(squares: usize, side: f64) -> f64 {
    squares as f64 * side * side
}

impl Part<'_> {
    pub fn area(&self) -> f64 {
        area(self.cells.len(), self.mask.side)
    }

    pub fn middle(&self, cell: usize) -> (f64, f64) {
        self.mask.middle(cell)
    }

    /// Meters from the place that is farthest from the edge to the edge.
    pub fn half_width(&self) -> f64 {
        let outside: Vec<bool> = self.inside.iter().map(|inside| !inside).collect();
        let far = distances(&outside, self.mask.columns);
        f64::from(self.cells.iter().map(|cell| far[*cell]).fold(0.0, f32::max)) * self.mask.side
    }

    /// Squares at the edge.
    pub fn edge(&self) -> impl Iterator<Item = usize> {
        self.cells.iter().copied().filter(|cell| {
            let beside = self.mask.beside(*cell);
            beside.into_iter().any(|other| other.is_none_or(|other| !self.inside[other]))
        })
    }
}

/// The distance from each square to the nearest source, in squares; infinite without one. Exact but for a little that two
/// sweeps miss.
pub fn distances(is_source: &[bool], columns: usize) -> Vec<f32> {
    const FAR: i32 = 20_000;
    let rows = is_source.len() / columns.max(1);
    let mut off: Vec<(i32, i32)> = is_source.iter().map(|s| if *s { (0, 0) } else { (FAR, FAR) }).collect();
    let square = |(x, y): (i32, i32)| x * x + y * y;
    let mut take = |cell: usize, other: usize, x: i32, y: i32| {
        let theirs = off[other];
        if theirs.0 != FAR {
            let now = (theirs.0 + x, theirs.1 + y);
            if square(now) < square(off[cell]) {
                off[cell] = now;
            }
        }
    };
    let line = |take: &mut dyn FnMut(usize, usize, i32, i32), row: usize| {
        let start = row * columns;
        for column in 1..columns {
            take(start + column, start + column - 1, -1, 0);
        }
        for column in (1..columns).rev() {
            take(start + column - 1, start + column, 1, 0);
        }
    };
    for down in [true, false] {
        for step in 0..rows {
            let row = if down { step } else { rows - 1 - step };
            if step > 0 {
                let (other, y) = if down { (row - 1, -1) } else { (row + 1, 1) };
                for column in 0..columns {
                    let cell = row * columns + column;
                    take(cell, other * columns + column, 0, y);
                    if column > 0 {
                        take(cell, other * columns + column - 1, -1, y);
                    }
                    if column + 1 < columns {
                        take(cell, other * columns + column + 1, 1, y);
                    }
                }
            }
            line(&mut take, row);
        }
    }
    #[allow(clippy::cast_precision_loss, reason = "a mask has few squares")]
    off.into_iter().map(|o| if o.0 == FAR { f32::INFINITY } else { (square(o) as f32).sqrt() }).collect()
}

/// Corners of squares around a part, counterclockwise, from the lowest row on. Openings are not looked at.
pub fn outer_ring(part: &Part<'_>) -> Vec<(f64, f64)> {
    let mask = part.mask;
    let Some(&first) = part.cells.iter().min() else { return Vec::new() };
    let is_inside = |column: usize, row: usize| {
        column > 0
            && row > 0
            && column <= mask.columns
            && row <= mask.rows
            && part.inside[(row - 1) * mask.columns + column - 1]
    };
    // Corners of squares are counted from 0, and the square up and right of a corner has its numbers.
    let start = (first % mask.columns, first / mask.columns);
    let (mut at, mut way) = (start, 0);
    let mut ring = Vec::new();
    loop {
        ring.push(mask.corner(at.0, at.1));
        at = match way {
            0 => (at.0 + 1, at.1),
            1 => (at.0, at.1 + 1),
            2 => (at.0 - 1, at.1),
            _ => (at.0, at.1 - 1),
        };
        // The squares ahead on the left and on the right of the way.
        let (column, row) = at;
        let around = [
            is_inside(column + 1, row + 1),
            is_inside(column, row + 1),
            is_inside(column, row),
            is_inside(column + 1, row),
        ];
        let (left, right) = (around[way], around[(way + 3) % 4]);
        way = match (left, right) {
            // Squares that touch at a corner only are apart.
            (false, _) => (way + 1) % 4,
            (true, true) => (way + 3) % 4,
            (true, false) => way,
        };
        if (at, way) == (start, 0) || ring.len() > 4 * part.inside.len() {
            return ring;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mask(rows: &[&str]) -> Mask {
        let mut mask = Mask::new([10.0, 20.0], 0.5, rows[0].len(), rows.len());
        mask.cells = rows.iter().flat_map(|row| row.bytes().map(|b| b == b'#')).collect();
        mask
    }

    fn ring_area(ring: &[(f64, f64)]) -> f64 {
        let next = ring.iter().cycle().skip(1);
        ring.iter().zip(next).map(|(a, b)| a.0 * b.1 - a.1 * b.0).sum::<f64>() / 2.0
    }

    #[test]
    fn a_ring_has_the_area_of_its_squares() {
        let mask = mask(&["..###.", "#####.", "#.##.#", "..#.##", "..#..."]);
        let parts = mask.parts(0.0);
        assert_eq!(parts.len(), 2, "a square that touches by a corner is apart");
        let ring = outer_ring(&parts[0]);
        assert!((ring_area(&ring) - parts[0].area()).abs() < 1e-9, "{ring:?}");
        assert_eq!(ring[0], (11.0, 20.0));
    }

    #[test]
    fn openings_are_filled_when_they_are_small() {
        let mut mask = mask(&["#####", "#...#", "#####"]);
        mask.fill_openings(0.5);
        assert!(!mask.cells[6]);
        mask.fill_openings(1.0);
        assert!(mask.cells.iter().all(|inside| *inside));
    }

    #[test]
    fn what_hangs_together_by_a_neck_is_apart() {
        let mut mask =
            mask(&["#####......#####", "#####......#####", "################", "#####......#####", "#####......#####"]);
        assert_eq!(mask.parts(0.0).len(), 1);
        let areas: Vec<f64> = mask.parts(0.6).iter().map(Part::area).collect();
        assert!(areas.iter().all(|area| (6.25..6.8).contains(area)) && areas.len() == 2, "{areas:?}");
        mask.cells.fill(false);
        assert!(mask.parts(0.6).is_empty());
    }

    #[test]
    fn distances_are_those_to_the_nearest_source() {
        let (columns, rows) = (23, 17);
        let mut is_source = vec![false; columns * rows];
        for at in [(3, 2), (20, 4), (11, 15)] {
            is_source[at.1 * columns + at.0] = true;
        }
        let far = distances(&is_source, columns);
        for row in 0..rows {
            for column in 0..columns {
                let to = |(c, r): (usize, usize)| (c.abs_diff(column) as f32).hypot(r.abs_diff(row) as f32);
                let least = [(3, 2), (20, 4), (11, 15)].map(to).into_iter().fold(f32::INFINITY, f32::min);
                assert!((far[row * columns + column] - least).abs() < 0.2, "{column} {row}");
            }
        }
    }
}
