//! Roofs of known truth, and laser points of them.

use std::collections::BTreeMap;

use shingle_measure::EdgeKind;

use super::las::TestPoint;

/// Small, fast and the same everywhere.
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// From 0 to 1.
    #[allow(clippy::cast_precision_loss, reason = "the upper bits are enough")]
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    pub fn normal(&mut self) -> f64 {
        let (u, v) = (self.unit().max(1e-12), self.unit());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }
}

/// `z = a x + b y + c`.
pub type Plane = [f64; 3];

/// The roof over a rectangle: the lowest of its planes. A house has one or several; where they overlap the highest counts.
#[derive(Debug, Clone)]
pub struct Wing {
    pub x: [f64; 2],
    pub y: [f64; 2],
    pub planes: Vec<Plane>,
}

#[derive(Debug, Clone)]
pub struct MadeRoof {
    pub wings: Vec<Wing>,
    /// The outline, before the house is turned.
    pub ring: Vec<(f64, f64)>,
    pub turn: f64,
}

/// What is true of a roof.
#[derive(Debug, Clone)]
pub struct Truth {
    pub area: f64,
    pub pitch: f64,
    /// Facets of at least two square meters.
    pub facets: usize,
    /// Meters along the roof between facets that meet.
    pub inner_edges: f64,
    /// Meters along the roof of each kind, outer edges with them; steps are not among them.
    pub edges: BTreeMap<EdgeKind, f64>,
    pub corners: Vec<(f64, f64)>,
}

impl MadeRoof {
    /// Number of the facet, and height.
    pub fn at(&self, x: f64, y: f64) -> Option<(usize, f64)> {
        let mut first = 0;
        let mut best: Option<(usize, f64)> = None;
        for wing in &self.wings {
            if x >= wing.x[0] && x <= wing.x[1] && y >= wing.y[0] && y <= wing.y[1] {
                let heights = wing.planes.iter().map(|p| p[0] * x + p[1] * y + p[2]).enumerate();
                let lowest = heights.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
                if best.is_none_or(|(_, z)| lowest.1 > z) {
                    best = Some((first + lowest.0, lowest.1));
                }
            }
            first += wing.planes.len();
        }
        best.map(|(facet, z)| (self.same(facet), z))
    }

    fn ring_area(&self) -> f64 {
        let next = self.ring.iter().cycle().skip(1);
        self.ring.iter().zip(next).map(|(a, b)| a.0 * b.1 - a.1 * b.0).sum::<f64>().abs() / 2.0
    }

    /// Planes of two wings that lie in one are one facet.
    fn same(&self, facet: usize) -> usize {
        let plane = self.plane(facet);
        (0..facet).find(|f| self.plane(*f).iter().zip(plane).all(|(a, b)| (a - b).abs() < 1e-9)).unwrap_or(facet)
    }

    pub fn plane(&self, facet: usize) -> Plane {
        *self.wings.iter().flat_map(|w| &w.planes).nth(facet).unwrap()
    }

    fn bounds(&self) -> [[f64; 2]; 2] {
        let of =
            |f: fn(f64, f64) -> f64, start, pick: fn(&(f64, f64)) -> f64| self.ring.iter().map(pick).fold(start, f);
        [
            [of(f64::min, f64::INFINITY, |p| p.0), of(f64::max, f64::NEG_INFINITY, |p| p.0)],
            [of(f64::min, f64::INFINITY, |p| p.1), of(f64::max, f64::NEG_INFINITY, |p| p.1)],
        ]
    }

    pub fn turned(&self, x: f64, y: f64) -> (f64, f64) {
        let (sin, cos) = self.turn.sin_cos();
        (cos * x - sin * y, sin * x + cos * y)
    }

    pub fn outline(&self) -> Vec<(f64, f64)> {
        self.ring.iter().map(|p| self.turned(p.0, p.1)).collect()
    }

    #[allow(clippy::cast_precision_loss, reason = "small counts")]
    pub fn truth(&self) -> Truth {
        let [[x0, x1], [y0, y1]] = self.bounds();
        let step = 0.05;
        let (columns, rows) = (((x1 - x0) / step).round() as usize, ((y1 - y0) / step).round() as usize);
        let mut of = vec![usize::MAX; columns * rows];
        for row in 0..rows {
            for column in 0..columns {
                let (x, y) = (x0 + (column as f64 + 0.5) * step, y0 + (row as f64 + 0.5) * step);
                if let Some((facet, _)) = self.at(x, y) {
                    of[row * columns + column] = facet;
                }
            }
        }
        // Parts of a facet that do not hang together count apart; a strip of half a meter holds them together.
        let mut seen = vec![false; of.len()];
        let (mut area, mut plan, mut pitch, mut facets) = (0.0, 0.0, 0.0, 0);
        for start in 0..of.len() {
            if of[start] == usize::MAX || seen[start] {
                continue;
            }
            let mut part = vec![start];
            seen[start] = true;
            let mut next = 0;
            while next < part.len() {
                let cell = part[next];
                next += 1;
                let (c, r) = (cell % columns, cell / columns);
                let around = [
                    (c > 0).then(|| cell - 1),
                    (c + 1 < columns).then(|| cell + 1),
                    (r > 0).then(|| cell - columns),
                    (r + 1 < rows).then(|| cell + columns),
                ];
                for other in around.into_iter().flatten() {
                    if of[other] == of[start] && !seen[other] {
                        seen[other] = true;
                        part.push(other);
                    }
                }
            }
            let plane = self.plane(of[start]);
            let steep = plane[0].hypot(plane[1]);
            let ground = part.len() as f64 * step * step;
            let sloped = ground * (1.0 + steep * steep).sqrt();
            plan += ground;
            area += sloped;
            pitch += sloped * steep.atan().to_degrees();
            facets += usize::from(sloped >= 2.0);
        }
        let mut edges = BTreeMap::new();
        let (inner_edges, corners) = self.inner_edges(&mut edges);
        self.outer_edges(&mut edges);
        // The steps do not fill the house to the centimeter.
        let exact = self.ring_area();
        Truth { area: area * exact / plan, pitch: pitch / area, facets, inner_edges, edges, corners }
    }

    /// Along the line in which two planes meet, where one is on its left and the other on its right.
    fn inner_edges(&self, edges: &mut BTreeMap<EdgeKind, f64>) -> (f64, Vec<(f64, f64)>) {
        let count: usize = self.wings.iter().map(|w| w.planes.len()).sum();
        let [[x0, x1], [y0, y1]] = self.bounds();
        let (mut total, mut ends) = (0.0, Vec::new());
        for a in 0..count {
            for b in a + 1..count {
                let (p, q) = (self.plane(a), self.plane(b));
                let (u, v, w) = (p[0] - q[0], p[1] - q[1], p[2] - q[2]);
                let n = u.hypot(v);
                if n < 1e-6 {
                    continue;
                }
                let base = (-w * u / (n * n), -w * v / (n * n));
                let (dx, dy) = (-v / n, u / n);
                let reach = x0.abs().max(x1.abs()) + y0.abs().max(y1.abs()) + base.0.hypot(base.1);
                let step = 0.01;
                let (mut run, mut start) = (0.0, None);
                let mut left_is_first = true;
                let mut t = -reach;
                while t <= reach {
                    let (x, y) = (base.0 + dx * t, base.1 + dy * t);
                    let off = 0.02;
                    let left = self.at(x + u / n * off, y + v / n * off);
                    let right = self.at(x - u / n * off, y - v / n * off);
                    let is_edge = match (left, right) {
                        (Some((l, zl)), Some((r, zr))) => {
                            ((l, r) == (a, b) || (l, r) == (b, a)) && (zl - zr).abs() < 0.15
                        }
                        _ => false,
                    };
                    if is_edge {
                        left_is_first = left.is_some_and(|(l, _)| l == a);
                        run += step;
                        start.get_or_insert((x, y));
                    } else if let Some(from) = start.take() {
                        if run > 0.3 {
                            let slope = p[0] * dx + p[1] * dy;
                            let length = run * (1.0 + slope * slope).sqrt();
                            total += length;
                            let fall = |plane: Plane| (plane[0] * u + plane[1] * v) / n;
                            let (l, r) = if left_is_first { (p, q) } else { (q, p) };
                            *edges.entry(inner_kind(-fall(l), fall(r), slope)).or_default() += length;
                            ends.push(from);
                            ends.push((x, y));
                        }
                        run = 0.0;
                    }
                    t += step;
                }
            }
        }
        let mut corners: Vec<(f64, f64)> = Vec::new();
        for end in ends {
            if !corners.iter().any(|c| (c.0 - end.0).hypot(c.1 - end.1) < 0.3) {
                corners.push(end);
            }
        }
        (total, corners.into_iter().map(|c| self.turned(c.0, c.1)).collect())
    }
}

/// By how steeply both facets fall away from the line, and how steep that is itself.
fn inner_kind(left: f64, right: f64, slope: f64) -> EdgeKind {
    let nearly = 0.035;
    match (left, right) {
        (l, r) if l > -nearly && r > -nearly && slope.abs() < 0.087 => EdgeKind::Ridge,
        (l, r) if l > nearly && r > nearly => EdgeKind::Hip,
        (l, r) if l < nearly && r < nearly => EdgeKind::Valley,
        _ => EdgeKind::Break,
    }
}

impl MadeRoof {
    /// Along the sides of the outline, by the facet just behind them.
    #[allow(clippy::cast_precision_loss, reason = "small counts")]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small counts")]
    fn outer_edges(&self, edges: &mut BTreeMap<EdgeKind, f64>) {
        for (a, b) in self.ring.iter().zip(self.ring.iter().cycle().skip(1)) {
            let (dx, dy) = (b.0 - a.0, b.1 - a.1);
            let length = dx.hypot(dy);
            let (dx, dy) = (dx / length, dy / length);
            let steps = (length / 0.01).round() as usize;
            for step in 0..steps {
                let t = (step as f64 + 0.5) / steps as f64 * length;
                let (x, y) = (a.0 + dx * t - dy * 0.02, a.1 + dy * t + dx * 0.02);
                let Some((facet, _)) = self.at(x, y) else { continue };
                let plane = self.plane(facet);
                let (along, inward) = (plane[0] * dx + plane[1] * dy, plane[1] * dx - plane[0] * dy);
                let steep = plane[0].hypot(plane[1]);
                let kind = match () {
                    () if steep < 0.035 => EdgeKind::Eave,
                    () if inward.abs() < 0.7 * steep => EdgeKind::Rake,
                    () if inward > 0.0 => EdgeKind::Eave,
                    () => EdgeKind::High,
                };
                *edges.entry(kind).or_default() += length / steps as f64 * (1.0 + along * along).sqrt();
            }
        }
    }
}

/// How a roof is flown.
#[derive(Debug, Clone, Copy)]
pub struct Flight {
    pub density: f64,
    pub noise: f64,
    pub outliers: bool,
    pub trees: bool,
    pub chimney: bool,
}

/// Points of the roof, its walls, the ground around it, and what else stands there. The ground is at 0; everything is
/// rotated.
pub fn fly(roof: &MadeRoof, flight: Flight, seed: u64) -> Vec<TestPoint> {
    let mut dice = Dice::new(seed);
    let [[x0, x1], [y0, y1]] = roof.bounds();
    let margin = 5.0;
    let (width, depth) = (x1 - x0 + 2.0 * margin, y1 - y0 + 2.0 * margin);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small counts")]
    let count = (width * depth * flight.density) as usize;
    let mut points = Vec::with_capacity(count);
    let chimney = (f64::midpoint(x0, x1) + 1.7, f64::midpoint(y0, y1) + 1.1);
    let trees = [(x0 - 1.5, y0 + 2.0), (x1 + 0.5, y1 - 1.0)];
    for _ in 0..count {
        let (x, y) = (x0 - margin + width * dice.unit(), y0 - margin + depth * dice.unit());
        let (mut z, mut class) = roof.at(x, y).map_or((0.0, 2), |(_, z)| (z, 6));
        if flight.chimney && class == 6 && (x - chimney.0).abs() < 0.35 && (y - chimney.1).abs() < 0.35 {
            z = roof.at(chimney.0, chimney.1).map_or(z, |(_, z)| z) + 1.2;
        }
        if flight.trees {
            for tree in trees {
                let off = (x - tree.0).hypot(y - tree.1);
                if off < 2.5 && dice.unit() < 0.7 {
                    z = 5.5 + (dice.unit() - 0.4) * 2.0 * (2.5_f64.powi(2) - off * off).sqrt();
                    class = 5;
                }
            }
        }
        if flight.outliers && dice.unit() < 0.01 {
            z += dice.between(-3.0, 3.0);
            class = 1;
        }
        let z = z + flight.noise * dice.normal();
        let (u, v) = roof.turned(x, y);
        points.push(([u, v, z], class));
    }
    points
}

fn gable(x: [f64; 2], y: [f64; 2], along_x: bool, eave: f64, degrees: f64) -> Wing {
    let t = degrees.to_radians().tan();
    let planes = match along_x {
        true => vec![[0.0, t, eave - t * y[0]], [0.0, -t, eave + t * y[1]]],
        false => vec![[t, 0.0, eave - t * x[0]], [-t, 0.0, eave + t * x[1]]],
    };
    Wing { x, y, planes }
}

fn hip(x: [f64; 2], y: [f64; 2], eave: f64, degrees: f64) -> Wing {
    let mut planes = gable(x, y, true, eave, degrees).planes;
    planes.extend(gable(x, y, false, eave, degrees).planes);
    Wing { x, y, planes }
}

fn rectangle(x: [f64; 2], y: [f64; 2]) -> Vec<(f64, f64)> {
    vec![(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1])]
}

pub const KINDS: [&str; 12] =
    ["flat", "shed", "gable", "hip", "l", "t", "cross", "mansard", "gambrel", "dormers", "hip-l", "steps"];

/// A house of a kind, its sizes and pitch by chance.
pub fn house(kind: &'static str, seed: u64) -> MadeRoof {
    let mut dice = Dice::new(seed ^ 0xabcd);
    for _ in 0..5 {
        dice.next();
    }
    let (length, width) = (dice.between(11.0, 18.0), dice.between(7.0, 10.0));
    let degrees = dice.between(18.0, 42.0);
    let eave = dice.between(2.8, 5.5);
    let turn = dice.between(0.0, 3.0);
    let (x, y) = ([-length / 2.0, length / 2.0], [-width / 2.0, width / 2.0]);
    let plain = rectangle(x, y);
    let tan = degrees.to_radians().tan();
    let wing_half = width * dice.between(0.28, 0.42);
    let out = y[0] - dice.between(4.0, 6.0);
    let end =
        |side: f64| (side * (length / 2.0 - wing_half) - wing_half, side * (length / 2.0 - wing_half) + wing_half);
    let (wings, ring) = match kind {
        "flat" => (vec![Wing { x, y, planes: vec![[0.0, 0.0, eave]] }], plain),
        "shed" => (vec![Wing { x, y, planes: vec![[0.0, 0.4 * tan, eave]] }], plain),
        "gable" => (vec![gable(x, y, true, eave, degrees)], plain),
        "hip" => (vec![hip(x, y, eave, degrees)], plain),
        "l" | "hip-l" => {
            let (w0, w1) = end(1.0);
            // The wing reaches under the main roof up to the ridge.
            let wing = gable([w0, w1], [out, 0.0], false, eave, degrees);
            let main = if kind == "l" { gable(x, y, true, eave, degrees) } else { hip(x, y, eave, degrees) };
            let ring = vec![(x[0], y[0]), (w0, y[0]), (w0, out), (w1, out), (w1, y[1]), (x[0], y[1])];
            (vec![main, wing], ring)
        }
        "t" => {
            let at = dice.between(-1.5, 1.5);
            let (w0, w1) = (at - wing_half, at + wing_half);
            let wing = gable([w0, w1], [out, 0.0], false, eave, degrees);
            let ring = vec![
                (x[0], y[0]),
                (w0, y[0]),
                (w0, out),
                (w1, out),
                (w1, y[0]),
                (x[1], y[0]),
                (x[1], y[1]),
                (x[0], y[1]),
            ];
            (vec![gable(x, y, true, eave, degrees), wing], ring)
        }
        "cross" => {
            let (w0, w1) = (-wing_half, wing_half);
            let wing = gable([w0, w1], [out, -out], false, eave, degrees);
            let ring = vec![
                (x[0], y[0]),
                (w0, y[0]),
                (w0, out),
                (w1, out),
                (w1, y[0]),
                (x[1], y[0]),
                (x[1], y[1]),
                (w1, y[1]),
                (w1, -out),
                (w0, -out),
                (w0, y[1]),
                (x[0], y[1]),
            ];
            (vec![gable(x, y, true, eave, degrees), wing], ring)
        }
        "mansard" => {
            let steep = hip(x, y, eave, 62.0);
            let rise = 2.0;
            let inset = rise / 62.0_f64.to_radians().tan();
            let upper = hip([x[0] + inset, x[1] - inset], [y[0] + inset, y[1] - inset], eave + rise, 20.0);
            (vec![Wing { x, y, planes: [steep.planes, upper.planes].concat() }], plain)
        }
        "gambrel" => {
            let inset = width * 0.2;
            let rise = inset * 55.0_f64.to_radians().tan();
            let lower = gable(x, y, true, eave, 55.0);
            let upper = gable(x, [y[0] + inset, y[1] - inset], true, eave + rise, 24.0);
            (vec![Wing { x, y, planes: [lower.planes, upper.planes].concat() }], plain)
        }
        "dormers" => {
            let main = gable(x, y, true, eave, degrees.max(30.0));
            let t = degrees.max(30.0).to_radians().tan();
            let front = y[0] + 1.0;
            let dormer = |middle: f64| {
                let half = 1.6;
                let base = eave + t + 0.9;
                Wing {
                    x: [middle - half, middle + half],
                    y: [front, 0.0],
                    planes: gable([middle - half, middle + half], [front, 0.0], false, base, 28.0).planes,
                }
            };
            (vec![main, dormer(-length / 4.0), dormer(length / 4.0)], plain)
        }
        _ => {
            // Two flat roofs of different height, side by side, and a gable beside them.
            let (a, b) = (x[0] + length / 3.0, x[0] + 2.0 * length / 3.0);
            let flat = |x: [f64; 2], z: f64| Wing { x, y, planes: vec![[0.0, 0.0, z]] };
            (
                vec![flat([x[0], a], eave), flat([a, b], eave + 1.4), gable([b, x[1]], y, true, eave + 0.4, degrees)],
                plain,
            )
        }
    };
    MadeRoof { wings, ring, turn }
}
