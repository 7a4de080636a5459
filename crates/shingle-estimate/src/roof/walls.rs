//! A simpler outline for drawing and modelling: small wiggles dropped, walls squared. Never for the area.

use shingle_domain::evidence::{Point, Polygon};

use super::geometry::{distance_to_segment, edges, length, perimeter, point, polygon_area, ring_area, sub};

/// Points closer than this to the line between their neighbours are noise of the survey, metres.
pub(crate) const WIGGLE: f64 = 0.6;
/// A jog in a wall shorter than this does not change the roof above it: the eave runs straight, metres.
const JOG: f64 = 1.5;
/// Walls on one line within this are one wall with something in front of it, metres.
const ALIGNED: f64 = 0.5;
/// The share of an outline's length that may run askew before it counts as not right-angled.
const ASKEW: f64 = 0.1;

/// Douglas and Peucker's reduction of a closed ring, begun at its two most distant corners.
pub(crate) fn reduced(ring: &[Point], tolerance: f64) -> Vec<Point> {
    let farthest = |from: Point| {
        let apart = |i: &usize| length(sub(ring[*i], from));
        (0..ring.len()).max_by(|a, b| apart(a).total_cmp(&apart(b)).then(b.cmp(a)))
    };
    let (Some(one), true) = (ring.first().and_then(|p| farthest(*p)), ring.len() > 3) else { return ring.to_vec() };
    let Some(other) = farthest(ring[one]).filter(|o| *o != one) else { return ring.to_vec() };
    let (start, middle) = (one.min(other), one.max(other));
    let mut keep = vec![false; ring.len() + 1];
    // The ring opened at `start`; its last place is the start again.
    let at = |i: usize| ring[(start + i) % ring.len()];
    let mut open = vec![(0, middle - start), (middle - start, ring.len())];
    (keep[0], keep[middle - start]) = (true, true);
    while let Some((from, to)) = open.pop() {
        let off = |i: &usize| distance_to_segment(at(*i), at(from), at(to));
        let Some(worst) = (from + 1..to).max_by(|a, b| off(a).total_cmp(&off(b)).then(b.cmp(a))) else { continue };
        if off(&worst) > tolerance {
            keep[worst] = true;
            open.extend([(from, worst), (worst, to)]);
        }
    }
    let kept: Vec<Point> = (0..ring.len()).filter(|i| keep[*i]).map(at).collect();
    if kept.len() >= 3 && ring_area(&kept) > 0.0 { kept } else { ring.to_vec() }
}

/// The polygon with all its walls along the axes and small jogs taken out; `None` when it is not that kind
/// of building, or when squaring would change its size by more than 4 %.
pub(crate) fn squared(polygon: &Polygon) -> Option<Polygon> {
    let area = polygon_area(polygon);
    let scale = area.sqrt();
    let exterior = squared_ring(&polygon.exterior, scale)?;
    let holes: Option<Vec<Vec<Point>>> = polygon
        .holes
        .iter()
        .filter(|hole| ring_area(hole) > 10.0 || ring_area(hole) > area * 0.02)
        .map(|hole| squared_ring(hole, scale))
        .collect();
    let result = Polygon { exterior, holes: holes? };
    ((polygon_area(&result) - area).abs() <= 0.04 * area).then_some(result)
}

/// A wall along an axis: level ones stand at a y, upright ones at an x.
#[derive(Debug, Clone, Copy)]
struct Wall {
    level: bool,
    at: f64,
}

fn squared_ring(ring: &[Point], scale: f64) -> Option<Vec<Point>> {
    let ring = reduced(ring, WIGGLE.min(scale * 0.06));
    if askew(&ring) > ASKEW * perimeter(&ring) {
        return None;
    }
    let mut walls = alternating(&ring)?;
    remove_jogs(&mut walls, JOG.min(scale * 0.12));
    align(&mut walls);
    let n = walls.len();
    let corners: Vec<Point> = (0..n)
        .map(|i| {
            let (before, after) = (walls[(i + n - 1) % n], walls[i]);
            if after.level { point(before.at, after.at) } else { point(after.at, before.at) }
        })
        .collect();
    (n >= 4 && ring_area(&corners) > 0.0).then_some(corners)
}

/// Metres of wall that run more than 15 degrees off both axes.
fn askew(ring: &[Point]) -> f64 {
    edges(ring)
        .map(|(a, b)| {
            let d = sub(b, a);
            let l = length(d);
            if d.x.abs().min(d.y.abs()) > 0.2588 * l { l } else { 0.0 }
        })
        .sum()
}

/// Level and upright walls in turn: neighbours of one kind become one, at their mean.
fn alternating(ring: &[Point]) -> Option<Vec<Wall>> {
    let all: Vec<(Wall, f64)> = edges(ring)
        .map(|(a, b)| {
            let d = sub(b, a);
            let level = d.x.abs() >= d.y.abs();
            let at = if level { (a.y + b.y) / 2.0 } else { (a.x + b.x) / 2.0 };
            (Wall { level, at }, length(d))
        })
        .collect();
    let n = all.len();
    let start = (0..n).find(|i| all[*i].0.level != all[(i + n - 1) % n].0.level)?;
    let mut merged: Vec<(Wall, f64)> = Vec::new();
    for (wall, weight) in (0..n).map(|i| all[(start + i) % n]) {
        match merged.last_mut() {
            Some((last, sum)) if last.level == wall.level => {
                last.at = (last.at * *sum + wall.at * weight) / (*sum + weight);
                *sum += weight;
            }
            _ => merged.push((wall, weight)),
        }
    }
    (merged.len() >= 4 && merged.len().is_multiple_of(2)).then(|| merged.into_iter().map(|(w, _)| w).collect())
}

/// Takes the shortest wall out, again and again, while it is shorter than `limit`. A step becomes one
/// straight wall of the same area; a bump or notch closes at the longer of its sides.
fn remove_jogs(walls: &mut Vec<Wall>, limit: f64) {
    while walls.len() > 4 {
        let n = walls.len();
        let at = |i: usize| walls[i % n].at;
        let run = |i: usize| at(i + 1) - at(i + n - 1);
        let Some(short) = (0..n).min_by(|a, b| run(*a).abs().total_cmp(&run(*b).abs())) else { return };
        if run(short).abs() >= limit {
            return;
        }
        let (before, after) = (run(short + n - 1), run(short + 1));
        let (a, b) = (at(short + n - 1), at(short + 1));
        let joined = if before * after >= 0.0 {
            let total = before.abs() + after.abs();
            if total > 0.0 { (a * before.abs() + b * after.abs()) / total } else { a }
        } else if before.abs() >= after.abs() {
            a
        } else {
            b
        };
        walls.rotate_left((short + n - 1) % n);
        walls[0].at = joined;
        walls.drain(1..3);
    }
}

/// Walls that face the same way on almost the same line are put on one.
fn align(walls: &mut [Wall]) {
    let n = walls.len();
    for i in 0..n {
        for j in i + 1..n {
            let run = |k: usize| walls[(k + 1) % n].at - walls[(k + n - 1) % n].at;
            let near = (walls[i].at - walls[j].at).abs();
            if walls[i].level == walls[j].level && run(i) * run(j) > 0.0 && near > 0.0 && near < ALIGNED {
                let (a, b) = (run(i).abs(), run(j).abs());
                let mean = (walls[i].at * a + walls[j].at * b) / (a + b);
                (walls[i].at, walls[j].at) = (mean, mean);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polygon(points: &[(f64, f64)]) -> Polygon {
        Polygon { exterior: points.iter().map(|(x, y)| point(*x, *y)).collect(), holes: vec![] }
    }

    #[test]
    fn a_wobbly_rectangle_becomes_four_walls_of_the_same_size() {
        let wobbly = polygon(&[(0.0, 0.1), (5.0, -0.1), (12.0, 0.0), (12.1, 4.0), (11.9, 8.0), (6.0, 8.2), (0.0, 8.0)]);
        let square = squared(&wobbly).expect("right-angled");
        assert_eq!(square.exterior.len(), 4);
        assert!((polygon_area(&square) / polygon_area(&wobbly) - 1.0).abs() < 0.03);
    }

    #[test]
    fn a_chimney_and_a_small_jog_do_not_change_the_roof() {
        let house = polygon(&[
            (0.0, 0.0),
            (7.0, 0.0),
            (7.0, 0.9),
            (16.0, 0.9),
            (16.0, 9.0),
            (9.0, 9.0),
            (9.0, 9.7),
            (8.0, 9.7),
            (8.0, 9.0),
            (0.0, 9.0),
        ]);
        let square = squared(&house).expect("right-angled");
        assert_eq!(square.exterior.len(), 4, "{square:?}");
        assert!((polygon_area(&square) / polygon_area(&house) - 1.0).abs() < 0.01);
    }

    #[test]
    fn an_l_keeps_its_corner_and_a_round_house_is_left_alone() {
        let l = polygon(&[(0.0, 0.0), (12.0, 0.0), (12.0, 14.0), (7.0, 14.0), (7.0, 8.0), (0.0, 8.0)]);
        assert_eq!(squared(&l).expect("right-angled").exterior.len(), 6);
        // Corners of a regular octagon.
        let octagon = polygon(&[
            (3.0, 0.0),
            (7.0, 0.0),
            (10.0, 3.0),
            (10.0, 7.0),
            (7.0, 10.0),
            (3.0, 10.0),
            (0.0, 7.0),
            (0.0, 3.0),
        ]);
        assert!(squared(&octagon).is_none());
    }
}
