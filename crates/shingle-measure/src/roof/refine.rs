//! From detected planes to good ones: every point goes to the plane it fits best, planes are fitted again, those that are
//! one are joined, and what is too small for a facet is left out.

use super::detect::{Detected, Limits, NONE};
use super::narrow::narrow;
use super::near::{Neighbors, index_of};
use super::plane::{Leveled, Moments, Plane, Xyz};

const ROUNDS: usize = 4;
/// Neighbors in each other, for each point of the smaller of two planes, from which on they lie in one another.
const INTERLEAVED: f64 = 3.0;

pub fn refine(points: &[Xyz], neighbors: &Neighbors, detected: &mut Detected, limits: Limits, gap: f64) {
    for _ in 0..ROUNDS {
        assign(points, neighbors, detected, limits);
        refit(points, detected, limits);
    }
    if narrow(points, neighbors, detected, limits) {
        for _ in 0..2 {
            assign(points, neighbors, detected, limits);
            refit(points, detected, limits);
        }
    }
    split(neighbors, detected, limits);
    join(points, neighbors, detected, limits, gap);
    assign(points, neighbors, detected, limits);
    refit(points, detected, limits);
    drop_small(detected, limits);
}

/// Each point to the best plane among its own and its neighbors'.
fn assign(points: &[Xyz], neighbors: &Neighbors, detected: &mut Detected, limits: Limits) {
    let before = detected.labels.clone();
    let planes: Vec<Leveled> = detected.planes.iter().map(Leveled::from).collect();
    let mut votes: Vec<(u32, f64)> = Vec::new();
    for (index, p) in points.iter().enumerate() {
        let around = neighbors.of(index);
        // Far from borders there is nothing to choose from.
        let own = before[index];
        if around.iter().all(|other| before[*other as usize] == own) {
            let is_off = own == NONE || planes[own as usize].distance(p).abs() / limits.epsilon > 1.0;
            detected.labels[index] = if is_off { NONE } else { own };
            continue;
        }
        votes.clear();
        for label in around.iter().map(|other| before[*other as usize]).chain([before[index]]) {
            if label == NONE {
                continue;
            }
            match votes.iter_mut().find(|(l, _)| *l == label) {
                Some(vote) => vote.1 += 1.0,
                None => votes.push((label, 1.0)),
            }
        }
        #[allow(clippy::cast_precision_loss, reason = "a handful of neighbors")]
        let all = around.len() as f64 + 1.0;
        let cost = |(label, count): &(u32, f64)| {
            let off = planes[*label as usize].distance(p).abs() / limits.epsilon;
            (off, off + 0.7 * (1.0 - count / all))
        };
        let best = votes.iter().map(|vote| (cost(vote), vote.0)).filter(|((off, _), _)| *off <= 1.0);
        let best = best.min_by(|a, b| a.0.1.total_cmp(&b.0.1).then(a.1.cmp(&b.1)));
        detected.labels[index] = best.map_or(NONE, |(_, label)| label);
    }
}

fn refit(points: &[Xyz], detected: &mut Detected, limits: Limits) {
    let mut moments = vec![Moments::default(); detected.planes.len()];
    for (p, label) in points.iter().zip(&detected.labels) {
        if *label != NONE {
            moments[*label as usize].add(p);
        }
    }
    let first: Vec<Option<(Leveled, f64)>> =
        moments.iter().map(|m| m.fit().map(|(plane, rms)| (Leveled::from(&plane), rms))).collect();
    // Chimneys, gutters and the like lean on a plane without being of it.
    let mut moments = vec![Moments::default(); detected.planes.len()];
    for (p, label) in points.iter().zip(&detected.labels) {
        if let Some((plane, rms)) = first.get(*label as usize).copied().flatten()
            && plane.distance(p).abs() <= (2.5 * rms).clamp(0.03, limits.epsilon)
        {
            moments[*label as usize].add(p);
        }
    }
    for ((plane, again), first) in detected.planes.iter_mut().zip(&moments).zip(&first) {
        let first = first.map(|(first, rms)| (first.plane, rms));
        if let Some((fitted, _)) = again.fit().or(first) {
            *plane = fitted;
        }
    }
}

/// Points of one plane that do not hang together are planes of their own.
fn split(neighbors: &Neighbors, detected: &mut Detected, limits: Limits) {
    let old = std::mem::take(&mut detected.labels);
    let mut labels = vec![NONE; old.len()];
    let mut planes = Vec::new();
    let mut part = Vec::new();
    for start in 0..old.len() {
        if old[start] == NONE || labels[start] != NONE {
            continue;
        }
        let label = index_of(planes.len());
        part.clear();
        part.push(index_of(start));
        labels[start] = label;
        let mut next = 0;
        while next < part.len() {
            let at = part[next] as usize;
            next += 1;
            for &other in neighbors.of(at) {
                if old[other as usize] == old[start] && labels[other as usize] == NONE {
                    labels[other as usize] = label;
                    part.push(other);
                }
            }
        }
        planes.push((detected.planes[old[start] as usize], part.len()));
    }
    detected.labels = labels;
    let kept: Vec<bool> = planes.iter().map(|(_, count)| *count >= limits.smallest.div_ceil(2)).collect();
    detected.planes = planes.into_iter().map(|(plane, _)| plane).collect();
    keep(detected, &kept);
}

/// Only the planes that are marked.
fn keep(detected: &mut Detected, kept: &[bool]) {
    let mut to = vec![NONE; kept.len()];
    let mut planes = Vec::new();
    for (label, plane) in detected.planes.iter().enumerate() {
        if kept[label] {
            to[label] = index_of(planes.len());
            planes.push(*plane);
        }
    }
    for label in &mut detected.labels {
        *label = to.get(*label as usize).copied().unwrap_or(NONE);
    }
    detected.planes = planes;
}

fn drop_small(detected: &mut Detected, limits: Limits) {
    let mut counts = vec![0; detected.planes.len()];
    for label in &detected.labels {
        if let Some(count) = counts.get_mut(*label as usize) {
            *count += 1;
        }
    }
    let kept: Vec<bool> = counts.iter().map(|count| *count >= limits.smallest).collect();
    keep(detected, &kept);
}

/// Planes that are one within the noise, and either touch or hang together above a wing between them.
fn join(points: &[Xyz], neighbors: &Neighbors, detected: &mut Detected, limits: Limits, gap: f64) {
    let mut bridges: Vec<Bridge> = Vec::new();
    loop {
        let touching = touching(neighbors, detected);
        let count = detected.planes.len();
        let mut best: Option<(f64, usize, usize)> = None;
        let mut widest: Option<(usize, usize, usize, Bridge)> = None;
        for a in 0..count {
            for b in a + 1..count {
                let shared = touching[a * count + b];
                let Some((cost, size)) = cost_of_joining(points, detected, limits, (index_of(a), index_of(b)), shared)
                else {
                    continue;
                };
                if touching[a * count + b] >= 3 {
                    if best.is_none_or(|(least, ..)| cost < least) {
                        best = Some((cost, a, b));
                    }
                } else if widest.as_ref().is_none_or(|(most, ..)| size > *most)
                    && let Some(bridge) = bridge(points, detected, &touching, (a, b), gap)
                    && bridges.iter().all(|other| other.allows(&bridge, gap))
                {
                    widest = Some((size, a, b, bridge));
                }
            }
        }
        let (a, b) = match (best, widest) {
            (Some((_, a, b)), _) => (a, b),
            (None, Some((_, a, b, bridge))) => {
                bridges.push(bridge);
                (a, b)
            }
            (None, None) => break,
        };
        for label in &mut detected.labels {
            if *label == index_of(b) {
                *label = index_of(a);
            }
        }
        let mut kept = vec![true; count];
        kept[b] = false;
        keep(detected, &kept);
        refit(points, detected, limits);
    }
}

/// How many neighbors each pair of planes has in each other.
fn touching(neighbors: &Neighbors, detected: &Detected) -> Vec<u32> {
    let count = detected.planes.len();
    let mut touching = vec![0_u32; count * count];
    for (index, label) in detected.labels.iter().enumerate() {
        if *label == NONE {
            continue;
        }
        for other in neighbors.of(index) {
            let theirs = detected.labels[*other as usize];
            if theirs != NONE && theirs != *label {
                touching[(*label.min(&theirs) as usize) * count + *label.max(&theirs) as usize] += 1;
            }
        }
    }
    touching
}

/// Where two parts of a slope hang together above a wing.
struct Bridge {
    at: [f64; 2],
    slope: Plane,
}

impl Bridge {
    /// Where two ridges cross, one of them goes through, and that one's slopes are whole.
    fn allows(&self, other: &Self, gap: f64) -> bool {
        let apart = (self.at[0] - other.at[0]).hypot(self.at[1] - other.at[1]);
        apart > 1.5 * gap || falls_along(&self.slope, &other.slope).abs() > 0.8
    }
}

/// Cosine between the directions in which two slopes fall.
fn falls_along(one: &Plane, other: &Plane) -> f64 {
    let steep = (one.a.hypot(one.b) * other.a.hypot(other.b)).max(1e-9);
    (one.a * other.a + one.b * other.b) / steep
}

/// Two parts of a slope, cut in two by a wing, are one where both meet the same slope of the other side along the ridge.
fn bridge(points: &[Xyz], detected: &Detected, touching: &[u32], (a, b): (usize, usize), gap: f64) -> Option<Bridge> {
    let of =
        |label: usize| points.iter().zip(&detected.labels).filter(move |(_, l)| **l == index_of(label)).map(|(p, _)| p);
    let count = detected.planes.len();
    let touches = |x: usize, y: usize| touching[x.min(y) * count + x.max(y)] >= 2;
    let slope = detected.planes[a];
    let is_whole = |c: usize| {
        c != a && c != b && falls_along(&slope, &detected.planes[c]) < -0.8 && touches(a, c) && touches(b, c)
    };
    // Or, where both slopes are cut, each part of this one meets a part of that one.
    let is_cut = || {
        let opposite = |c: &usize| falls_along(&slope, &detected.planes[*c]) < -0.8;
        let beside = |part: usize| (0..count).filter(opposite).filter(move |c| touches(part, *c));
        beside(a).any(|c| beside(b).any(|d| detected.planes[c].cos_angle(&detected.planes[d]) > 0.998))
    };
    if !(0..count).any(is_whole) && !is_cut() {
        return None;
    }
    let theirs: Vec<&Xyz> = of(b).collect();
    let square = |p: &Xyz, q: &Xyz| (p[0] - q[0]).powi(2) + (p[1] - q[1]).powi(2);
    let pairs = of(a).flat_map(|p| theirs.iter().map(move |q| (square(p, q), p, *q)));
    let (nearest, p, q) = pairs.min_by(|x, y| x.0.total_cmp(&y.0))?;
    let at = [f64::midpoint(p[0], q[0]), f64::midpoint(p[1], q[1])];
    (nearest <= gap * gap).then_some(Bridge { at, slope })
}

/// And how many points they have. `None` where they are two.
fn cost_of_joining(
    points: &[Xyz],
    detected: &Detected,
    limits: Limits,
    (a, b): (u32, u32),
    shared: u32,
) -> Option<(f64, usize)> {
    let (one, other) = (detected.planes[a as usize], detected.planes[b as usize]);
    if one.cos_angle(&other) < 10_f64.to_radians().cos() {
        return None;
    }
    let mut moments = [Moments::default(); 2];
    let mut both = Moments::default();
    for (p, label) in points.iter().zip(&detected.labels) {
        if *label == a || *label == b {
            moments[usize::from(*label == b)].add(p);
            both.add(p);
        }
    }
    let (joint, rms) = both.fit()?;
    let each = moments.map(|m| m.fit().map_or(0.0, |(_, rms)| rms * rms * m.n));
    let apart = ((each[0] + each[1]) / both.n).sqrt();
    let leveled = Leveled::from(&joint);
    let (mut on, mut all) = (0.0, 0.0);
    for (p, label) in points.iter().zip(&detected.labels) {
        if *label == a || *label == b {
            all += 1.0;
            on += f64::from(u8::from(leveled.distance(p).abs() <= limits.epsilon));
        }
    }
    // Two facets share a border. Two halves of the noise of one facet share their ground: nearly every point of the smaller
    // one has points of the other about it, and each half has less noise than the whole.
    let smaller = moments[0].n.min(moments[1].n);
    let most = if f64::from(shared) > INTERLEAVED * smaller { 2.2 * apart } else { 1.35 * apart };
    (on >= 0.95 * all && rms <= most.max(apart + 0.02)).then_some((rms - apart, super::near::floor(all)))
}
