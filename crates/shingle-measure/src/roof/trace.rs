//! Outlines from points: which points are of a roof, and where the roof ends between them and the ground.

use super::cloud::{LOWEST_ROOF, in_order, is_noise, thinned, xyz};
use super::contour::{Mask, Part, distances, outer_ring};
use super::detect::Local;
use super::near::{Grid, Neighbors, cells, floor};
use super::plane::{Leveled, Xyz};
use super::shape::Shape;
use super::straighten::straightened;
use super::{DENSE_ENOUGH, RoofPoint, count};

/// Lower than this over the ground a point shows that there is no roof.
const GROUND: f64 = 1.0;
/// Points nearer to a plane than this are on it.
const ON: f64 = 0.2;
/// Of the smallest patch of a roof, and of the smallest roof.
const PATCH: f64 = 3.0;
const ROOF: f64 = 14.0;
/// Meters from the middle of the smallest roof to its edge: a car, a wall and a hedge have less.
const HALF_WIDTH: f64 = 1.25;
/// Half of what holds two parts of a roof together: branches and fences hold houses together by less.
const NECK: f64 = 0.7;
/// Half of a notch that is an error of a point rather than a corner of the house.
const NOTCH: f64 = 0.5;
/// A roof ends in the air: its edge is so much higher than the ground beside it, along this share of it.
const DROP: f64 = 1.3;
const LEAST_DROP: f64 = 0.6;
/// Share of the points at a patch that may be below it: the ground is seen through a tree, not through a roof.
const SEEN_THROUGH: f64 = 0.3;
/// Openings in a roof that are smaller are chimneys, windows and gaps between points.
const OPENING: f64 = 9.0;
/// Steeper is a wall.
const STEEPEST_DEGREES: f64 = 70.0;
/// In spacings of the points: how far a roof reaches from one of them, and by how much it is larger than what hangs
/// together. This is half of what two points of a row are apart, and a little less, since rows are uneven.
const REACH: f64 = 1.6;
const BEYOND: f64 = 0.25;
const MOST_CELLS: f64 = 2_000_000.0;

pub type Ring = Vec<(f64, f64)>;

/// The roofs in a box. `ground` gives the height of the ground at a place, `is_own` whether the place is one of those that
/// are asked about.
pub fn trace(
    shape: &Shape,
    mut points: Vec<RoofPoint>,
    ground: impl Fn(f64, f64) -> f64,
    is_own: impl Fn(f64, f64) -> bool,
) -> Vec<Ring> {
    in_order(&mut points);
    let (mut high, mut low): (Vec<Xyz>, Vec<Xyz>) = (Vec::new(), Vec::new());
    for p in points.iter().filter(|p| !is_noise(p.class)).map(xyz) {
        let over = p[2] - ground(p[0], p[1]);
        let is_within = (0..2).all(|axis| p[axis] >= shape.min[axis] && p[axis] <= shape.max[axis]);
        if over > LOWEST_ROOF && is_within {
            high.push(p);
        } else if over.abs() < GROUND {
            low.push(p);
        }
    }
    if high.len() < super::FEWEST {
        return Vec::new();
    }
    let density = density(&high);
    let spacing = (1.0 / density).sqrt();
    let of_roof = of_roof(shape, &high, &low, density);
    if of_roof.len() < super::FEWEST {
        return Vec::new();
    }
    let mask = mask(shape, &of_roof, &low, spacing);
    let mut rings = Vec::new();
    for part in mask.parts(NECK) {
        let own = part.cells.iter().filter(|cell| {
            let (x, y) = part.middle(**cell);
            is_own(x, y)
        });
        if part.area() >= ROOF
            && 2 * own.count() > part.cells.len()
            && part.half_width() >= HALF_WIDTH
            && ends_in_the_air(&part, &of_roof, &low)
        {
            let ring = outer_ring(&part);
            rings.push(straightened(&ring, spacing.max(2.0 * mask.side)));
        }
    }
    rings
}

/// Points a square meter where there are some: the middle of squares of two meters.
fn density(points: &[Xyz]) -> f64 {
    let grid = Grid::new(points, 2.0);
    let mut counts = vec![0_usize; grid.columns * grid.rows];
    for p in points {
        counts[grid.cell(p[0], p[1])] += 1;
    }
    counts.retain(|count| *count > 0);
    let middle = counts.len() / 2;
    let area = grid.side * grid.side;
    (count(*counts.select_nth_unstable(middle).1) / area).clamp(0.3, 60.0)
}

/// Points that lie on something smooth with others, and that the ground is not seen through.
fn of_roof(shape: &Shape, high: &[Xyz], low: &[Xyz], density: f64) -> Vec<Xyz> {
    let thin = match density > DENSE_ENOUGH * 1.2 {
        true => thinned(high, shape, (1.0 / DENSE_ENOUGH).sqrt()),
        false => high.to_vec(),
    };
    let spacing = (1.0 / density.min(DENSE_ENOUGH)).sqrt();
    let neighbors = Neighbors::find(&thin, spacing, 10);
    let local = Local::fit(&thin, &neighbors);
    let steepest = STEEPEST_DEGREES.to_radians().cos();
    let smooth: Vec<Option<Leveled>> = (0..thin.len())
        .map(|index| {
            let plane = local.planes[index]?;
            let is_smooth = local.roughness[index] < 0.6 * ON && plane.distance(&thin[index]).abs() < ON;
            (is_smooth && plane.cos > steepest).then_some(plane)
        })
        .collect();
    let is_near = |a: usize, b: usize| {
        let far = (thin[a][0] - thin[b][0]).hypot(thin[a][1] - thin[b][1]);
        far < 3.0 * spacing
    };
    let hangs = |a: usize, b: usize| match (&smooth[a], &smooth[b]) {
        (Some(p), Some(q)) => {
            p.cos_angle(q) > 0.9 && p.distance(&thin[b]).abs() < ON && q.distance(&thin[a]).abs() < ON && is_near(a, b)
        }
        _ => false,
    };
    let seen_through = SeenThrough::new(&thin, low, spacing);
    let smallest = floor(PATCH / (spacing * spacing)).max(6);
    let mut kept = vec![false; thin.len()];
    let mut seen = vec![false; thin.len()];
    let mut patch: Vec<usize> = Vec::new();
    for start in 0..thin.len() {
        if seen[start] || smooth[start].is_none() {
            continue;
        }
        patch.clear();
        patch.push(start);
        seen[start] = true;
        let mut next = 0;
        while next < patch.len() {
            let at = patch[next];
            next += 1;
            for other in neighbors.of(at).iter().map(|other| *other as usize) {
                if !seen[other] && hangs(at, other) {
                    seen[other] = true;
                    patch.push(other);
                }
            }
        }
        if patch.len() >= smallest && seen_through.share(&patch) < SEEN_THROUGH {
            for index in &patch {
                kept[*index] = true;
            }
        }
    }
    // And the points at edges and ridges, where neighbors lie on other planes or on none.
    let firm: Vec<(Xyz, Leveled)> =
        (0..thin.len()).filter(|index| kept[*index]).filter_map(|index| Some((thin[index], smooth[index]?))).collect();
    let places: Vec<Xyz> = firm.iter().map(|(p, _)| *p).collect();
    if places.is_empty() {
        return places;
    }
    let grid = Grid::new(&places, 1.5 * spacing);
    let reach = 2.2 * spacing;
    let is_on = |p: &&Xyz| {
        grid.around(p[0], p[1]).any(|index| {
            let (q, plane) = &firm[index as usize];
            (q[0] - p[0]).hypot(q[1] - p[1]) < reach && plane.distance(p).abs() < ON
        })
    };
    high.iter().filter(is_on).copied().collect()
}

/// Where the ground was seen.
struct SeenThrough {
    /// Of every point: the place among squares.
    cell_of: Vec<usize>,
    has_ground: Vec<bool>,
}

impl SeenThrough {
    fn new(points: &[Xyz], low: &[Xyz], spacing: f64) -> Self {
        let grid = Grid::new(points, 0.7 * spacing);
        let mut has_ground = vec![false; grid.columns * grid.rows];
        for p in low.iter().filter(|p| grid.is_within(p[0], p[1])) {
            has_ground[grid.cell(p[0], p[1])] = true;
        }
        Self { cell_of: points.iter().map(|p| grid.cell(p[0], p[1])).collect(), has_ground }
    }

    fn share(&self, patch: &[usize]) -> f64 {
        let through = patch.iter().filter(|index| self.has_ground[self.cell_of[**index]]).count();
        count(through) / count(patch.len())
    }
}

/// The squares that are nearer to a point of a roof than to one of the ground.
fn mask(shape: &Shape, of_roof: &[Xyz], low: &[Xyz], spacing: f64) -> Mask {
    let pad = 3.0 * spacing + 0.5;
    let min = shape.min.map(|v| v - pad);
    let (width, depth) = (shape.max[0] - min[0] + pad, shape.max[1] - min[1] + pad);
    let side = (0.25 * spacing).clamp(0.08, 0.25).max((width * depth / MOST_CELLS).sqrt());
    let mut mask = Mask::new(min, side, cells(width, side), cells(depth, side));
    let of = |points: &[Xyz]| {
        let mut is_source = vec![false; mask.cells.len()];
        for p in points {
            if let Some(cell) = mask.cell(p[0], p[1]) {
                is_source[cell] = true;
            }
        }
        distances(&is_source, mask.columns)
    };
    let (roof, ground) = (of(of_roof), of(low));
    #[allow(clippy::cast_possible_truncation, reason = "a few squares")]
    let squares = |spacings: f64| (spacings * spacing / side) as f32;
    // Where no ground was seen near the edge, the roof ends a little beyond its last points.
    let (reach, back) = (squares(REACH), squares(REACH - BEYOND));
    let is_open: Vec<bool> =
        roof.iter().zip(&ground).map(|(roof, ground)| *roof > reach && *ground > squares(2.0)).collect();
    let open = distances(&is_open, mask.columns);
    for (cell, inside) in mask.cells.iter_mut().enumerate() {
        *inside = roof[cell] <= reach && roof[cell] <= ground[cell] && open[cell] > back;
    }
    mask.fill_openings(OPENING);
    mask.fill_notches(NOTCH);
    mask
}

/// The ground beside a roof is well below its edge; beside a hill it is not.
fn ends_in_the_air(part: &Part<'_>, of_roof: &[Xyz], low: &[Xyz]) -> bool {
    let (roof, ground) = (Grid::new(of_roof, 1.0), (!low.is_empty()).then(|| Grid::new(low, 1.0)));
    let Some(ground) = ground else { return true };
    let (mut drops, mut all) = (0_usize, 0_usize);
    for cell in part.edge() {
        let (x, y) = part.middle(cell);
        let nearest = |grid: &Grid, points: &[Xyz]| {
            let far = |index: &u32| {
                let p = points[*index as usize];
                (p[0] - x).hypot(p[1] - y)
            };
            let around = grid.is_within(x, y).then(|| grid.around(x, y)).into_iter().flatten();
            around.min_by(|a, b| far(a).total_cmp(&far(b))).map(|index| points[index as usize][2])
        };
        if let (Some(up), Some(down)) = (nearest(&roof, of_roof), nearest(&ground, low)) {
            all += 1;
            drops += usize::from(up - down > DROP);
        }
    }
    all == 0 || count(drops) >= LEAST_DROP * count(all)
}
