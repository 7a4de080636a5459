//! A roof modelled over a right-angled outline: the hips of its straight skeleton, with the short ends turned into
//! gables.

use std::panic::catch_unwind;

use geo_straight_skeleton::Skeleton;
use shingle_domain::evidence::{Point, Polygon};

use super::geometry::{along, direction, distance, dot, point, polygon_area, ring_area};

/// Wider ends stay hips, meters.
const MAX_GABLE_WIDTH: f64 = 16.0;

/// A plane of the model: its ring, counter-clockwise, and the way water runs.
pub(crate) type ModelledPlane = (Vec<Point>, Point);

struct Face {
    ring: Vec<usize>,
    downhill: Point,
    /// Of the eave, along `downhill`.
    offset: f64,
    /// Has taken over a part of a gable.
    grown: bool,
}

/// The planes of an equal-pitch roof over the polygon; together they cover it exactly. `None` when there is no
/// skeleton (crossing walls, holes on the edge).
pub(crate) fn planes(polygon: &Polygon, gables: bool) -> Option<Vec<ModelledPlane>> {
    let rings: Vec<Vec<[f64; 2]>> = core::iter::once(&polygon.exterior)
        .chain(&polygon.holes)
        .map(|ring| ring.iter().map(|p| [p.x, p.y]).collect())
        .collect();
    // The library returns errors and should not panic; if it does, only the drawing is lost.
    let skeleton = catch_unwind(|| Skeleton::build(&rings)).ok()?.ok()?;
    // The library uses the platform's sines and arcs: rounding to a nanometre removes their last digits.
    let rounded = |v: f64| (v * 1e9).round() / 1e9;
    let mut points: Vec<Point> = skeleton.vertices.iter().map(|v| point(rounded(v[0]), rounded(v[1]))).collect();
    let mut faces: Vec<Face> = skeleton
        .faces
        .iter()
        .map(|face| {
            let (a, b) = (points[face.edge.0], points[face.edge.1]);
            let d = direction(a, b)?;
            let downhill = point(d.y, -d.x);
            Some(Face { ring: face.vertices.clone(), downhill, offset: dot(downhill, a), grown: false })
        })
        .collect::<Option<_>>()?;
    join_coplanar(&mut faces);
    if gables {
        turn_ends_into_gables(&mut faces, &mut points);
    }
    let pieces: Vec<ModelledPlane> = faces.iter().map(|face| (outline(face, &points), face.downhill)).collect();
    let covered: f64 = pieces.iter().map(|(ring, _)| ring_area(ring)).sum();
    let area = polygon_area(polygon);
    ((covered - area).abs() <= 1e-6 * area && pieces.iter().all(|(ring, _)| ring.len() >= 3)).then_some(pieces)
}

/// Two walls on one line carry one plane where their faces meet (the front of a T, say).
fn join_coplanar(faces: &mut Vec<Face>) {
    let mut i = 0;
    while i < faces.len() {
        let partner = (i + 1..faces.len()).find_map(|j| {
            let (a, b) = (&faces[i], &faces[j]);
            let same_plane = dot(a.downhill, b.downhill) > 0.9999 && (a.offset - b.offset).abs() < 0.02;
            same_plane.then(|| union(&a.ring, &b.ring)).flatten().map(|ring| (j, ring))
        });
        match partner {
            Some((j, ring)) => {
                faces[i].ring = ring;
                faces.remove(j);
            }
            None => i += 1,
        }
    }
}

/// The ring around two rings that share part of their boundary; `None` when they do not, or when they
/// touch in more than one place.
fn union(a: &[usize], b: &[usize]) -> Option<Vec<usize>> {
    let directed = |ring: &[usize]| -> Vec<(usize, usize)> {
        ring.iter().zip(ring.iter().cycle().skip(1)).map(|(x, y)| (*x, *y)).collect()
    };
    let (ea, eb) = (directed(a), directed(b));
    let outside: Vec<(usize, usize)> = ea
        .iter()
        .filter(|(x, y)| !eb.contains(&(*y, *x)))
        .chain(eb.iter().filter(|(x, y)| !ea.contains(&(*y, *x))))
        .copied()
        .collect();
    if outside.len() == ea.len() + eb.len() {
        return None;
    }
    let mut ring = vec![outside.first()?.0];
    let mut used = 0;
    loop {
        let here = *ring.last()?;
        let mut next = outside.iter().filter(|(x, _)| *x == here);
        let (_, to) = next.next()?;
        if next.next().is_some() {
            return None;
        }
        used += 1;
        if *to == ring[0] {
            return (used == outside.len()).then_some(ring);
        }
        if used > outside.len() {
            return None;
        }
        ring.push(*to);
    }
}

/// A triangular end between two opposite slopes goes: its apex runs out to the middle of its eave, and
/// the slopes beside it, which lie in those planes anyway, take a half each. Narrow ends first, so that a
/// square keeps two of its four.
fn turn_ends_into_gables(faces: &mut Vec<Face>, points: &mut Vec<Point>) {
    let mut ends: Vec<(f64, Vec<usize>)> = Vec::new();
    for face in faces.iter() {
        // A skeleton's face begins at its eave's end and ends at its start.
        if let [b, _, a] = face.ring[..] {
            ends.push((distance(points[a], points[b]), face.ring.clone()));
        }
    }
    ends.sort_by(|(x, _), (y, _)| x.total_cmp(y));
    for (width, end) in ends {
        let &[b, apex, a] = &end[..] else { continue };
        let Some(own) = faces.iter().position(|f| f.ring == end && !f.grown) else { continue };
        let beside = |from: usize, to: usize| {
            faces
                .iter()
                .position(|f| f.ring.iter().zip(f.ring.iter().cycle().skip(1)).any(|(x, y)| (*x, *y) == (from, to)))
        };
        let (Some(left), Some(right)) = (beside(a, apex), beside(apex, b)) else { continue };
        if width > MAX_GABLE_WIDTH || left == right || dot(faces[left].downhill, faces[right].downhill) > -0.99 {
            continue;
        }
        let middle = points.len();
        points.push(along(points[a], points[b], 0.5));
        for (face, from) in [(left, a), (right, apex)] {
            let face = &mut faces[face];
            if let Some(place) = face.ring.iter().position(|v| *v == from) {
                face.ring.insert(place + 1, middle);
                face.grown = true;
            }
        }
        faces.remove(own);
    }
}

/// The face's corners, without points along straight lines.
fn outline(face: &Face, points: &[Point]) -> Vec<Point> {
    let mut ring: Vec<Point> = face.ring.iter().map(|v| points[*v]).collect();
    let mut i = 0;
    while ring.len() > 3 && i < ring.len() {
        let n = ring.len();
        let (before, here, after) = (ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n]);
        let straight = match (direction(before, here), direction(here, after)) {
            (Some(a), Some(b)) => dot(a, b) > 0.999_99,
            _ => true,
        };
        if straight {
            ring.remove(i);
            i = i.saturating_sub(1);
        } else {
            i += 1;
        }
    }
    ring
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polygon(points: &[(f64, f64)]) -> Polygon {
        Polygon { exterior: points.iter().map(|(x, y)| point(*x, *y)).collect(), holes: vec![] }
    }

    fn count(points: &[(f64, f64)], gables: bool) -> usize {
        planes(&polygon(points), gables).expect("a skeleton").len()
    }

    const RECTANGLE: &[(f64, f64)] = &[(0.0, 0.0), (12.0, 0.0), (12.0, 8.0), (0.0, 8.0)];
    const SQUARE: &[(f64, f64)] = &[(0.0, 0.0), (8.0, 0.0), (8.0, 8.0), (0.0, 8.0)];
    const L: &[(f64, f64)] = &[(0.0, 0.0), (12.0, 0.0), (12.0, 14.0), (7.0, 14.0), (7.0, 8.0), (0.0, 8.0)];
    const T: &[(f64, f64)] =
        &[(0.0, 0.0), (16.0, 0.0), (16.0, 7.0), (11.0, 7.0), (11.0, 14.0), (5.0, 14.0), (5.0, 7.0), (0.0, 7.0)];
    const U: &[(f64, f64)] =
        &[(0.0, 0.0), (20.0, 0.0), (20.0, 14.0), (14.0, 14.0), (14.0, 7.0), (6.0, 7.0), (6.0, 14.0), (0.0, 14.0)];

    #[test]
    fn gabled_wings_have_two_planes_each_as_the_rectangle_rule_says() {
        assert_eq!(count(RECTANGLE, true), 2);
        assert_eq!(count(SQUARE, true), 2);
        assert_eq!(count(L, true), 4);
        assert_eq!(count(T, true), 4);
        assert_eq!(count(U, true), 6);
    }

    #[test]
    fn hipped_roofs_keep_every_eave() {
        assert_eq!(count(RECTANGLE, false), 4);
        assert_eq!(count(SQUARE, false), 4);
        assert_eq!(count(L, false), 6);
        assert_eq!(count(U, false), 8);
    }

    #[test]
    fn a_gable_runs_its_ridge_to_the_wall() {
        let pieces = planes(&polygon(RECTANGLE), true).expect("a skeleton");
        for (ring, downhill) in &pieces {
            assert_eq!(ring.len(), 4, "{ring:?}");
            assert!((ring_area(ring) - 48.0).abs() < 1e-9);
            assert!(downhill.x.abs() < 1e-9);
        }
    }

    #[test]
    fn walls_that_cross_have_no_roof() {
        assert!(planes(&polygon(&[(0.0, 0.0), (10.0, 10.0), (10.0, 0.0), (0.0, 8.0)]), true).is_none());
    }
}
