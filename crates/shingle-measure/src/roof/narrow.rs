//! Facets so narrow that the neighborhood of each of their points reaches over their borders, so that no plane was seen
//! about any of them: dormers and the lower slopes of mansards, where points are few. Planes through three points of those
//! that are on no plane yet are tried.

use super::detect::{Detected, Limits, NONE, is_roof};
use super::near::{Neighbors, index_of};
use super::plane::{Leveled, Moments, Plane, Xyz};

/// Points that planes are tried from, for each facet: a bound on the work.
const MOST_SEEDS: usize = 200;
const MOST_FACETS: usize = 12;
/// Points to begin with. The facet has to gather those about it before it counts as any other does.
const FEWEST: usize = 6;
/// Share of the open points about a facet that are on it: those of trees are on all sides of a plane.
const MOST_ON: f64 = 0.75;

/// Whether any were found.
pub fn narrow(points: &[Xyz], neighbors: &Neighbors, detected: &mut Detected, limits: Limits) -> bool {
    let first = detected.planes.len();
    let mut open = Open { points, neighbors, seen: vec![0; points.len()], round: 0, found: Vec::new() };
    // What was looked at and is no facet.
    let mut is_spent = vec![false; points.len()];
    while detected.planes.len() < first + MOST_FACETS {
        let Some(best) = open.best(&detected.labels, &is_spent, limits) else { break };
        let on = open.found.clone();
        let about = open.about(&detected.labels);
        #[allow(clippy::cast_precision_loss, reason = "a few points")]
        let share = on.len() as f64 / (on.len() + about) as f64;
        match best.filter(|(_, rms)| share >= MOST_ON && *rms <= 0.5 * limits.epsilon) {
            Some((plane, _)) => {
                let label = index_of(detected.planes.len());
                detected.planes.push(plane);
                for index in on {
                    detected.labels[index as usize] = label;
                }
            }
            // Leaves of a tree, or a wall: there may be others.
            None => {
                for index in on {
                    is_spent[index as usize] = true;
                }
            }
        }
    }
    detected.planes.len() > first
}

/// Points that are on no plane.
struct Open<'a> {
    points: &'a [Xyz],
    neighbors: &'a Neighbors,
    seen: Vec<u32>,
    round: u32,
    found: Vec<u32>,
}

impl Open<'_> {
    /// The plane that most open points hang together on, if they are enough for a facet; they are in `found` then. `None`
    /// where no points hang together, `Some(None)` where those that do are on no roof.
    fn best(&mut self, labels: &[u32], is_spent: &[bool], limits: Limits) -> Option<Option<(Plane, f64)>> {
        let is_open = |index: usize| labels[index] == NONE && !is_spent[index];
        let seeds: Vec<usize> = (0..labels.len()).filter(|index| is_open(*index)).collect();
        let mut best: Option<(usize, usize, Plane)> = None;
        for &seed in seeds.iter().step_by(seeds.len().div_ceil(MOST_SEEDS).max(1)) {
            let around = self.neighbors.of(seed).iter().map(|other| *other as usize);
            let around: Vec<usize> = around.filter(|other| is_open(*other)).take(6).collect();
            for (at, &one) in around.iter().enumerate() {
                for &other in &around[at + 1..] {
                    let three = [seed, one, other].map(|index| &self.points[index]);
                    let Some(plane) = Moments::of(three).fit().map(|(plane, _)| plane).filter(is_roof) else {
                        continue;
                    };
                    let leveled = Leveled::from(&plane);
                    let is_on = |index: &&usize| leveled.distance(&self.points[**index]).abs() <= limits.epsilon;
                    if around.iter().filter(is_on).count() < 4 {
                        continue;
                    }
                    let count = self.grow(seed, &plane, &is_open, limits.epsilon);
                    if best.as_ref().is_none_or(|(most, ..)| count > *most) {
                        best = Some((count, seed, plane));
                    }
                }
            }
        }
        let (most, seed, mut plane) = best?;
        if most < FEWEST {
            return None;
        }
        let mut rms = 0.0;
        for _ in 0..3 {
            if self.grow(seed, &plane, &is_open, limits.epsilon) < FEWEST {
                return Some(None);
            }
            let of_found = Moments::of(self.found.iter().map(|index| &self.points[*index as usize]));
            let Some(fitted) = of_found.fit().filter(|(plane, _)| is_roof(plane)) else { return Some(None) };
            (plane, rms) = fitted;
        }
        Some(Some((plane, rms)))
    }

    fn grow(&mut self, seed: usize, plane: &Plane, is_open: &dyn Fn(usize) -> bool, epsilon: f64) -> usize {
        let plane = Leveled::from(plane);
        self.round += 1;
        self.found.clear();
        self.found.push(index_of(seed));
        self.seen[seed] = self.round;
        let mut next = 0;
        while next < self.found.len() {
            let at = self.found[next] as usize;
            next += 1;
            for &other in self.neighbors.of(at) {
                let index = other as usize;
                if self.seen[index] != self.round {
                    self.seen[index] = self.round;
                    if is_open(index) && plane.distance(&self.points[index]).abs() <= epsilon {
                        self.found.push(other);
                    }
                }
            }
        }
        self.found.len()
    }

    /// How many open points next to those found are not among them.
    fn about(&mut self, labels: &[u32]) -> usize {
        self.round += 1;
        for index in &self.found {
            self.seen[*index as usize] = self.round;
        }
        let mut about = 0;
        for &index in &self.found {
            // The nearest ones.
            for &other in self.neighbors.of(index as usize).iter().take(6) {
                let other = other as usize;
                if labels[other] == NONE && self.seen[other] != self.round {
                    self.seen[other] = self.round;
                    about += 1;
                }
            }
        }
        about
    }
}
