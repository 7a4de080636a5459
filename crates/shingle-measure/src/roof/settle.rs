//! Which facet each piece of the ground plan belongs to, where returns and straight borders have to be weighed: a border
//! costs its length, little where the two planes meet in it and much where they do not, and a return costs what it is off
//! the plane of its piece.

use super::cells::{Line, sides};
use super::plane::{Leveled, Plane, Xyz};
use super::shape::{Inside, Shape};

/// What returns say.
pub struct Evidence<'a> {
    pub points: &'a [Xyz],
    /// Meters that they are usually off their plane.
    pub noise: f64,
}

/// A return that is off by more says no more: it is of a tree or a chimney.
const MOST: f64 = 3.0;
/// What a border that is as long as returns are apart costs where the planes do not meet in it.
const STEP: f64 = 0.8;
/// Meters between planes at which a border is a step.
const APART: f64 = 0.4;
/// Share of that which a border in which planes meet costs.
const CREASE: f64 = 0.1;
const ROUNDS: usize = 12;

struct Neighbor {
    other: usize,
    /// Of the common border inside of the outline.
    length: f64,
    ends: [(f64, f64); 2],
}

pub fn settle(
    shape: &Shape,
    evidence: &Evidence<'_>,
    planes: &[Plane],
    pieces: &mut [(u32, Vec<(f64, f64)>)],
    pairs: &[Shared],
    sides_of: &[u64],
    lines: &[Line],
) {
    let count = planes.len();
    let leveled: Vec<Leveled> = planes.iter().map(Leveled::from).collect();
    let mut piece_of: Vec<(u64, usize)> = sides_of.iter().copied().zip(0..).collect();
    piece_of.sort_unstable();
    // What the returns of each piece cost by label.
    let mut costs = vec![0.0; pieces.len() * count];
    let mut returns = vec![0_u32; pieces.len()];
    for p in evidence.points {
        let sides = sides(lines, p[0], p[1]);
        let Ok(at) = piece_of.binary_search_by_key(&sides, |of| of.0) else { continue };
        let piece = piece_of[at].1;
        returns[piece] += 1;
        for (cost, plane) in costs[piece * count..].iter_mut().zip(&leveled) {
            let off = plane.distance(p) / evidence.noise;
            *cost += (0.5 * off * off).min(MOST);
        }
    }
    let neighbors = neighbors(shape, pieces, pairs);
    let spacing = (shape.area / (evidence.points.len().max(1)) as f64).sqrt();
    let mut candidates: Vec<u32> = Vec::new();
    for _ in 0..ROUNDS {
        let mut changed = false;
        for index in 0..pieces.len() {
            let around = &neighbors[index];
            if around.is_empty() {
                continue;
            }
            let own = pieces[index].0;
            candidates.clear();
            candidates.extend((own != super::detect::NONE).then_some(own));
            for label in around.iter().map(|n| pieces[n.other].0) {
                if label != super::detect::NONE && !candidates.contains(&label) {
                    candidates.push(label);
                }
            }
            let cost = |label: u32| {
                let borders = around.iter().filter(|n| pieces[n.other].0 != super::detect::NONE);
                let borders = borders.filter(|n| pieces[n.other].0 != label).map(|n| {
                    let (p, q) = (&planes[label as usize], &planes[pieces[n.other].0 as usize]);
                    let apart = n.ends.map(|(x, y)| (p.z(x, y) - q.z(x, y)).abs());
                    n.length / spacing * STEP * (apart[0].max(apart[1]) / APART).clamp(CREASE, 1.0)
                });
                costs[index * count + label as usize] + borders.sum::<f64>()
            };
            let best = candidates.iter().map(|label| (cost(*label), *label));
            let best =
                best.min_by(|a, b| a.0.total_cmp(&b.0).then((a.1 != own).cmp(&(b.1 != own))).then(a.1.cmp(&b.1)));
            if let Some((_, label)) = best
                && label != own
            {
                pieces[index].0 = label;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
}

/// Two pieces and their common border.
pub struct Shared {
    pub pieces: (usize, usize),
    pub ends: [(f64, f64); 2],
    pub length: f64,
}

fn neighbors(shape: &Shape, pieces: &[(u32, Vec<(f64, f64)>)], pairs: &[Shared]) -> Vec<Vec<Neighbor>> {
    const SAMPLES: [f64; 4] = [0.125, 0.375, 0.625, 0.875];
    let inside = Inside::of(shape);
    let mut neighbors: Vec<Vec<Neighbor>> = pieces.iter().map(|_| Vec::new()).collect();
    for pair in pairs {
        let [a, b] = pair.ends;
        let at = |t: f64| (a.0 + t * (b.0 - a.0), a.1 + t * (b.1 - a.1));
        let within = SAMPLES.iter().filter(|t| {
            let (x, y) = at(**t);
            inside.contains(x, y)
        });
        let length = pair.length * 0.25 * within.map(|_| 1.0).sum::<f64>();
        if length > 0.0 {
            let (one, other) = pair.pieces;
            neighbors[one].push(Neighbor { other, length, ends: pair.ends });
            neighbors[other].push(Neighbor { other: one, length, ends: pair.ends });
        }
    }
    neighbors
}
