//! How many planes a roof has, and where: seeded RANSAC over few points, each plane counted by the points that hang
//! together on it.

use super::near::Neighbors;
use super::plane::{Leveled, Moments, Plane, Xyz};

/// No label.
pub const NONE: u32 = u32::MAX;

/// What decides whether a point is on a plane, by the density and the noise of the points.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Meters off a plane.
    pub epsilon: f64,
    /// Cosine between the normals of a point and of its plane.
    pub cos: f64,
    /// Points of the smallest plane.
    pub smallest: usize,
}

/// Hypotheses tried for each plane.
const TRIES: usize = 40;
/// How likely it may be that a plane larger than the best one was not tried.
const MISSED: f64 = 0.001;
/// Hypotheses from points of the best plane so far.
const MOST_AGAIN: usize = 3;
const MAX_PLANES: usize = 60;
/// Steeper is a wall.
const STEEPEST_DEGREES: f64 = 72.0;

/// The plane about each point, from the neighborhood it fits best: at a ridge that of its own side.
pub struct Local {
    pub planes: Vec<Option<Leveled>>,
    /// Root mean square distance of that neighborhood.
    pub roughness: Vec<f64>,
}

impl Local {
    pub fn fit(points: &[Xyz], neighbors: &Neighbors) -> Self {
        let own: Vec<Option<(Leveled, f64)>> = (0..points.len())
            .map(|index| {
                let mut moments = Moments::default();
                let about = points[index];
                moments.add(&[0.0; 3]);
                for &other in neighbors.of(index) {
                    let p = &points[other as usize];
                    moments.add(&[p[0] - about[0], p[1] - about[1], p[2] - about[2]]);
                }
                let (plane, rough) = moments.fit()?;
                let c = plane.c + about[2] - plane.a * about[0] - plane.b * about[1];
                Some((Leveled::from(&Plane { c, ..plane }), rough))
            })
            .collect();
        let best = |index: usize| {
            let around = neighbors.of(index).iter().map(|other| *other as usize);
            let fitting = std::iter::once(index).chain(around).filter_map(|at| own[at]);
            // A neighborhood that the point itself is off is not its own.
            let cost = |(plane, rough): &(Leveled, f64)| rough + 0.5 * plane.distance(&points[index]).abs();
            let costs = fitting.map(|fit| (cost(&fit), fit));
            costs.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, fit)| fit)
        };
        let found: Vec<_> = (0..points.len()).map(best).collect();
        Self {
            planes: found.iter().map(|f| f.map(|(plane, _)| plane)).collect(),
            roughness: found.iter().map(|f| f.map_or(f64::INFINITY, |(_, rough)| rough)).collect(),
        }
    }
}

#[allow(clippy::cast_precision_loss, reason = "points of a roof are few")]
fn share(part: usize, all: usize) -> f64 {
    part as f64 / all.max(1) as f64
}

/// Small, fast and the same everywhere. Not for secrets.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        #[allow(clippy::cast_possible_truncation, reason = "the remainder is below a count")]
        let below = (self.0 % count as u64) as usize;
        below
    }
}

/// A label for each point, and the planes they stand for.
pub struct Detected {
    pub planes: Vec<Plane>,
    pub labels: Vec<u32>,
}

/// Less steep than a wall.
pub fn is_roof(plane: &Plane) -> bool {
    plane.a.hypot(plane.b) < STEEPEST_DEGREES.to_radians().tan()
}

pub fn detect(points: &[Xyz], neighbors: &Neighbors, local: &Local, limits: Limits) -> Detected {
    let mut labels = vec![NONE; points.len()];
    let mut planes = Vec::new();
    let mut free: Vec<u32> = (0..super::near::index_of(points.len()))
        .filter(|i| local.planes[*i as usize].as_ref().is_some_and(|local| is_roof(&local.plane)))
        .collect();
    let mut dice = Dice(0x5eed_1234_abcd_9876);
    let mut support = Support::new(points, local);
    let mut best: Vec<u32> = Vec::new();
    // Points of the best plane so far have the number of its round.
    let mut in_best = vec![0_u32; points.len()];
    let mut round = 0;
    let mut failures = 0;
    while planes.len() < MAX_PLANES && free.len() >= limits.smallest && failures < 2 {
        best.clear();
        round += 1;
        let mut best_plane = None;
        let mut missed = 1.0;
        let mut again = 0;
        for _ in 0..TRIES {
            if missed < MISSED {
                break;
            }
            // Of three candidates the one in the smoothest place.
            let picks = [dice.below(free.len()), dice.below(free.len()), dice.below(free.len())];
            let smooth = |pick: &usize| local.roughness[free[*pick] as usize];
            let Some(pick) = picks.into_iter().min_by(|a, b| smooth(a).total_cmp(&smooth(b))) else { continue };
            let seed = free[pick] as usize;
            // On the best plane so far: it would be found again, seldom a little better.
            if in_best[seed] == round {
                again += 1;
            }
            if in_best[seed] == round && again > MOST_AGAIN {
                missed *= 1.0 - share(best.len(), free.len());
                continue;
            }
            let Some(Leveled { mut plane, .. }) = local.planes[seed] else { continue };
            let mut found: &[u32] = &[];
            for step in 0..3 {
                let wide = if step == 0 { 1.5 } else { 1.0 };
                found = support.grow(neighbors, seed, &plane, limits, wide);
                // A seed whose first plane holds little will not win.
                if found.len() < 3 || (step == 0 && 2 * found.len() < best.len()) {
                    break;
                }
                match Moments::of(found.iter().map(|i| &points[*i as usize])).fit() {
                    Some((fitted, _)) if is_roof(&fitted) => plane = fitted,
                    _ => break,
                }
            }
            if found.len() > best.len() {
                best.clear();
                best.extend_from_slice(found);
                best_plane = Some(plane);
                round += 1;
                for index in &best {
                    in_best[*index as usize] = round;
                }
            }
            missed *= 1.0 - share(best.len(), free.len());
        }
        match best_plane {
            Some(plane) if best.len() >= limits.smallest => {
                let label = super::near::index_of(planes.len());
                for index in &best {
                    labels[*index as usize] = label;
                    support.seen[*index as usize] = TAKEN;
                }
                planes.push(plane);
                free.retain(|index| labels[*index as usize] == NONE);
                failures = 0;
            }
            _ => failures += 1,
        }
    }
    Detected { planes, labels }
}

/// Of a point that is on another plane.
const TAKEN: u32 = u32::MAX;

/// A point and the plane around it. Without a plane the cosine is NaN, so no comparison holds.
struct Sample {
    place: Xyz,
    a: f64,
    b: f64,
    cos: f64,
}

/// Points that hang together on a plane, from a seed on.
struct Support {
    samples: Vec<Sample>,
    /// The last round in which a point was looked at.
    seen: Vec<u32>,
    round: u32,
    found: Vec<u32>,
}

impl Support {
    fn new(points: &[Xyz], local: &Local) -> Self {
        let sample = |(place, local): (&Xyz, &Option<Leveled>)| match local {
            Some(Leveled { plane, cos }) => Sample { place: *place, a: plane.a, b: plane.b, cos: *cos },
            None => Sample { place: *place, a: 0.0, b: 0.0, cos: f64::NAN },
        };
        let samples = points.iter().zip(&local.planes).map(sample).collect();
        Self { samples, seen: vec![0; points.len()], round: 0, found: Vec::new() }
    }

    fn grow(&mut self, neighbors: &Neighbors, seed: usize, plane: &Plane, limits: Limits, wide: f64) -> &[u32] {
        self.round += 1;
        self.found.clear();
        let plane = Leveled::from(plane);
        let epsilon = limits.epsilon * wide;
        let Plane { a, b, .. } = plane.plane;
        let samples = &self.samples;
        let is_on = |index: usize| {
            let sample = &samples[index];
            plane.distance(&sample.place).abs() <= epsilon
                && (sample.a * a + sample.b * b + 1.0) * sample.cos * plane.cos >= limits.cos
        };
        if self.seen[seed] == TAKEN || !is_on(seed) {
            return &self.found;
        }
        self.seen[seed] = self.round;
        self.found.push(super::near::index_of(seed));
        let mut next = 0;
        while next < self.found.len() {
            let at = self.found[next] as usize;
            next += 1;
            for &other in neighbors.of(at) {
                let index = other as usize;
                if self.seen[index] < self.round {
                    self.seen[index] = self.round;
                    if is_on(index) {
                        self.found.push(other);
                    }
                }
            }
        }
        &self.found
    }
}
