//! From labels of small squares to facets with straight borders: along the lines in which planes meet, and where they do
//! not meet along the step between them.

use geo::{Area as _, BooleanOps as _, LineString, MultiPolygon, Polygon};

use super::cells::{Border, Joined, Line, MOST_LINES, cut, join, merged, sides};
use super::detect::NONE;
use super::plane::Plane;
use super::raster::Raster;
use super::shape::Shape;

pub struct Partition {
    /// Of every plane, inside of the outline; empty where it has no place.
    pub polygons: Vec<MultiPolygon<f64>>,
    pub borders: Vec<Border>,
}

/// A place on the border of two labels, between two squares.
#[derive(Clone, Copy)]
struct Mark {
    x: f64,
    y: f64,
}

pub fn partition(shape: &Shape, raster: &Raster, planes: &[Plane]) -> Option<Partition> {
    let lines = lines(shape, raster, planes);
    let fine = by_lines(shape, raster, planes.len(), &lines);
    let areas = raster.areas(planes.len(), 0.0);
    let agrees = |partition: &Partition| {
        // Where lines and squares do not tell the same story, the squares are right.
        let off: f64 = partition.polygons.iter().zip(&areas).map(|(p, (a, _))| (p.unsigned_area() - a).abs()).sum();
        off < 0.16 * shape.area
    };
    fine.filter(agrees).or_else(|| by_squares(shape, raster, planes.len()))
}

fn by_lines(shape: &Shape, raster: &Raster, labels: usize, lines: &[Line]) -> Option<Partition> {
    let (min, max) = ([shape.min[0] - 1.0, shape.min[1] - 1.0], [shape.max[0] + 1.0, shape.max[1] + 1.0]);
    let pieces = cut(min, max, lines);
    let mut by_sides: Vec<(u64, u32)> = (0..raster.inside.len())
        .filter(|cell| raster.labels[*cell] != NONE)
        .map(|cell| {
            let (x, y) = raster.middle(cell);
            (sides(lines, x, y), raster.labels[cell])
        })
        .collect();
    by_sides.sort_unstable();
    let mut votes: Vec<(u64, u32)> = Vec::new();
    for cell in by_sides.chunk_by(|a, b| a.0 == b.0) {
        if let Some(most) = cell.chunk_by(|a, b| a.1 == b.1).max_by_key(|same| same.len()) {
            votes.push(most[0]);
        }
    }
    let label_of = |sides: u64| votes.binary_search_by_key(&sides, |vote| vote.0).ok().map(|at| votes[at].1);
    let mut labeled: Vec<(u32, Vec<(f64, f64)>)> =
        pieces.into_iter().map(|piece| (label_of(piece.sides).unwrap_or(NONE), piece.corners)).collect();
    let pairs = shared(&labeled);
    spread(&mut labeled, &pairs);
    absorb(&mut labeled, &pairs);
    finish(shape, &labeled, labels)
}

/// Pieces that have a border in common, and its length.
fn shared(pieces: &[(u32, Vec<(f64, f64)>)]) -> Vec<(usize, usize, f64)> {
    #[allow(clippy::cast_possible_truncation, reason = "meters about a roof")]
    let key = |p: &(f64, f64)| ((p.0 * 1e4).round() as i64, (p.1 * 1e4).round() as i64);
    let mut edges: Vec<_> = Vec::new();
    for (index, (_, corners)) in pieces.iter().enumerate() {
        for (at, p) in corners.iter().enumerate() {
            let q = &corners[(at + 1) % corners.len()];
            let (a, b) = (key(p), key(q));
            if a != b {
                edges.push(((a.min(b), a.max(b)), index, (p.0 - q.0).hypot(p.1 - q.1)));
            }
        }
    }
    edges.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.cmp(&b.1)));
    edges.windows(2).filter(|w| w[0].0 == w[1].0).map(|w| (w[0].1, w[1].1, w[0].2)).collect()
}

/// Splinters of a facet, apart from the rest of it, go to the facet about them.
fn absorb(pieces: &mut [(u32, Vec<(f64, f64)>)], pairs: &[(usize, usize, f64)]) {
    const SPLINTER: f64 = 1.0;
    let areas: Vec<f64> = pieces.iter().map(|(_, corners)| area(corners)).collect();
    for _ in 0..pieces.len() {
        // Pieces of one label that hang together.
        let mut group: Vec<usize> = (0..pieces.len()).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for &(a, b, _) in pairs {
                if pieces[a].0 == pieces[b].0 && group[a] != group[b] {
                    let least = group[a].min(group[b]);
                    (group[a], group[b]) = (least, least);
                    changed = true;
                }
            }
        }
        let mut sizes = vec![0.0; pieces.len()];
        for (index, of) in group.iter().enumerate() {
            sizes[*of] += areas[index];
        }
        let most_of = |label: u32| {
            (0..pieces.len()).filter(|g| pieces[*g].0 == label).map(|g| sizes[g]).fold(0.0_f64, f64::max)
        };
        let splinter = (0..pieces.len())
            .filter(|g| group[*g] == *g && sizes[*g] < SPLINTER && sizes[*g] < most_of(pieces[*g].0))
            .min_by(|a, b| sizes[*a].total_cmp(&sizes[*b]));
        let Some(splinter) = splinter else { return };
        let mut borders: Vec<(u32, f64)> = Vec::new();
        for &(a, b, length) in pairs {
            let other = match (group[a] == splinter, group[b] == splinter) {
                (true, false) => b,
                (false, true) => a,
                _ => continue,
            };
            let label = pieces[other].0;
            match borders.iter_mut().find(|(l, _)| *l == label) {
                Some(border) => border.1 += length,
                None => borders.push((label, length)),
            }
        }
        let Some((label, _)) = borders.into_iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))) else { return };
        for index in 0..pieces.len() {
            if group[index] == splinter {
                pieces[index].0 = label;
            }
        }
    }
}

fn area(corners: &[(f64, f64)]) -> f64 {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(a, b)| a.0 * b.1 - a.1 * b.0).sum::<f64>().abs() / 2.0
}

/// Pieces in which no square has its middle, and those about the outline, go with the neighbor they share most with.
fn spread(pieces: &mut [(u32, Vec<(f64, f64)>)], pairs: &[(usize, usize, f64)]) {
    loop {
        // The longest border that has a label on one side only.
        let open = pairs.iter().filter(|(a, b, _)| (pieces[*a].0 == NONE) != (pieces[*b].0 == NONE));
        let Some(&(a, b, _)) = open.max_by(|x, y| x.2.total_cmp(&y.2).then((y.0, y.1).cmp(&(x.0, x.1)))) else { return };
        let label = pieces[a].0.min(pieces[b].0);
        pieces[a].0 = label;
        pieces[b].0 = label;
    }
}

fn by_squares(shape: &Shape, raster: &Raster, labels: usize) -> Option<Partition> {
    let half = raster.side / 2.0;
    // Squares about the outline take part, so that the facets reach it.
    let labeled: Vec<_> = raster
        .spread_labels()
        .into_iter()
        .enumerate()
        .filter(|(_, label)| *label != NONE)
        .map(|(cell, label)| {
            let (x, y) = raster.middle(cell);
            let corners = vec![(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)];
            (label, corners)
        })
        .collect();
    finish(shape, &labeled, labels)
}

fn finish(shape: &Shape, labeled: &[(u32, Vec<(f64, f64)>)], labels: usize) -> Option<Partition> {
    if labeled.iter().any(|(label, _)| *label == NONE) {
        return None;
    }
    let Joined { rings, borders } = join(labeled, labels)?;
    let polygons = rings.into_iter().map(|rings| within(shape, rings)).collect();
    Some(Partition { polygons, borders: merged(borders) })
}

/// The part of rings that is inside of the outline.
fn within(shape: &Shape, rings: Vec<Vec<(f64, f64)>>) -> MultiPolygon<f64> {
    if rings.is_empty() {
        return MultiPolygon::new(Vec::new());
    }
    // Outer rings and holes do not cross: by even and odd they need not be told apart.
    let mut rings = rings.into_iter().map(LineString::from);
    let Some(first) = rings.next() else { return MultiPolygon::new(Vec::new()) };
    Polygon::new(first, rings.collect()).intersection(&shape.polygons)
}

/// Lines that borders of labels lie on, those with most of them first.
fn lines(shape: &Shape, raster: &Raster, planes: &[Plane]) -> Vec<Line> {
    let count = planes.len();
    let mut marks: Vec<Vec<Mark>> = vec![Vec::new(); count * count];
    let mut note = |a: u32, b: u32, x: f64, y: f64| {
        if a != b && a != NONE && b != NONE {
            let (a, b) = (a.min(b) as usize, a.max(b) as usize);
            marks[a * count + b].push(Mark { x, y });
        }
    };
    let half = raster.side / 2.0;
    for cell in 0..raster.labels.len() {
        let (x, y) = raster.middle(cell);
        if (cell + 1) % raster.columns != 0 {
            note(raster.labels[cell], raster.labels[cell + 1], x + half, y);
        }
        if let Some(below) = raster.labels.get(cell + raster.columns) {
            note(raster.labels[cell], *below, x, y + half);
        }
    }
    let directions = directions(shape);
    let enough = super::near::floor(0.7 / raster.side).max(2);
    let mut found: Vec<(usize, Line)> = Vec::new();
    for a in 0..count {
        for b in a + 1..count {
            let mut rest = std::mem::take(&mut marks[a * count + b]);
            if rest.len() < enough {
                continue;
            }
            let (p, q) = (&planes[a], &planes[b]);
            if let Some(line) = Line::of(p.a - q.a, p.b - q.b, p.c - q.c) {
                let meets = |m: &Mark| {
                    let off = line.distance(m.x, m.y).abs();
                    let step = (p.z(m.x, m.y) - q.z(m.x, m.y)).abs();
                    off < 2.0 * raster.side + 0.1 || (step < 0.25 && off < 1.5)
                };
                let on = rest.iter().filter(|m| meets(m)).count();
                if on >= enough {
                    found.push((on, line));
                    rest.retain(|m| !meets(m));
                }
            }
            while rest.len() >= enough && found.len() < 4 * MOST_LINES {
                let Some((on, line)) = step_line(&rest, &directions, raster.side) else { break };
                if on < enough {
                    break;
                }
                rest.retain(|m| line.distance(m.x, m.y).abs() > 1.2 * raster.side);
                found.push((on, line));
            }
        }
    }
    found.sort_by(|a, b| b.0.cmp(&a.0));
    let mut lines: Vec<Line> = Vec::new();
    for (_, line) in found {
        let is_new = |other: &Line| {
            let parallel = (line.cos * other.cos + line.sin * other.sin).abs();
            let same = if line.cos * other.cos + line.sin * other.sin > 0.0 { other.off } else { -other.off };
            parallel < 0.99995 || (line.off - same).abs() > 0.02
        };
        if lines.len() < MOST_LINES && lines.iter().all(is_new) {
            lines.push(line);
        }
    }
    lines
}

/// Directions that the sides of the outline have, weighed by their length: few, the longest first.
fn directions(shape: &Shape) -> Vec<f64> {
    let bins = 36;
    let mut weights = vec![(0.0, 0.0, 0.0); bins];
    for (a, b) in shape.edges() {
        let length = (b.0 - a.0).hypot(b.1 - a.1);
        // Both directions of a side and those across it are one.
        let angle = (b.1 - a.1).atan2(b.0 - a.0).rem_euclid(std::f64::consts::FRAC_PI_2);
        #[allow(clippy::cast_precision_loss, reason = "a few bins")]
        let bin = super::near::floor(angle / std::f64::consts::FRAC_PI_2 * bins as f64).min(bins - 1);
        weights[bin].0 += length;
        weights[bin].1 += length * (4.0 * angle).cos();
        weights[bin].2 += length * (4.0 * angle).sin();
    }
    weights.sort_by(|a, b| b.0.total_cmp(&a.0));
    weights.iter().take(2).filter(|w| w.0 > 0.0).map(|w| w.2.atan2(w.1) / 4.0).collect()
}

/// The line that most marks are on, along the sides of the house where that is as good.
fn step_line(marks: &[Mark], directions: &[f64], side: f64) -> Option<(usize, Line)> {
    let count = |line: &Line| marks.iter().filter(|m| line.distance(m.x, m.y).abs() <= 0.8 * side).count();
    let mut best: Option<(usize, Line)> = None;
    let mut offer = |line: Line, weight: usize| {
        let on = count(&line) * weight / 4;
        if best.as_ref().is_none_or(|(most, _)| on > *most) {
            best = Some((on, line));
        }
    };
    let stride = marks.len().div_ceil(24);
    for m in marks.iter().step_by(stride) {
        for direction in directions {
            for turn in [0.0, std::f64::consts::FRAC_PI_2] {
                let (sin, cos) = (direction + turn).sin_cos();
                offer(Line { cos, sin, off: m.x * cos + m.y * sin }, 5);
            }
        }
        for n in marks.iter().step_by(stride) {
            if (m.x - n.x).hypot(m.y - n.y) > 4.0 * side
                && let Some(line) = Line::of(n.y - m.y, m.x - n.x, m.y * n.x - m.x * n.y)
            {
                offer(line, 4);
            }
        }
    }
    let (_, mut line) = best?;
    // In the middle of its marks.
    let on: Vec<f64> = marks.iter().map(|m| line.distance(m.x, m.y)).filter(|d| d.abs() <= 1.2 * side).collect();
    #[allow(clippy::cast_precision_loss, reason = "few marks")]
    let middle = on.iter().sum::<f64>() / (on.len().max(1)) as f64;
    line.off += middle;
    Some((on.len(), line))
}
