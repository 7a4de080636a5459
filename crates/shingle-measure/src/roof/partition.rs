//! From labels of small squares to facets with straight borders: along the lines in which planes meet, and where they do
//! not meet along the step between them.

use geo::{BooleanOps as _, LineString, MultiPolygon, Polygon};

use super::cells::{Border, Joined, Line, MOST_LINES, cut, join, merged, sides};
use super::detect::NONE;
use super::near::index_of;
use super::plane::Plane;
use super::raster::Raster;
use super::settle::{Evidence, Shared, settle};
use super::shape::Shape;

pub struct Partition {
    /// Of every plane, inside of the outline; empty where it has no place.
    pub polygons: Vec<MultiPolygon<f64>>,
    pub borders: Vec<Border>,
}

/// Labels beside a piece, and the meters of its border with each.
type Borders = Vec<(u32, f64)>;

/// Share of the squares with returns that the planes between lines may be off. Turned down: to compare areas, since squares
/// without returns only guess, and a facet a meter wide has as much border as area.
const MOST_AGAINST: f64 = 0.16;
/// A plane that is off a return's by more than so many times the noise is another one.
const OTHER: f64 = 3.0;

/// Meters from an inner corner within which a step is one of the wall there.
const NEAR_CORNER: f64 = 1.0;

/// A place on the border of two labels, between two squares.
#[derive(Clone, Copy)]
struct Mark {
    x: f64,
    y: f64,
    /// Returns show that the border is here; else it is only halfway between the nearest ones.
    is_seen: bool,
}

/// A line of a border; of two planes that meet in it, with the side that each is on.
struct Cut {
    line: Line,
    /// The label above the line (where distances are positive) and the one below.
    meets: Option<(u32, u32)>,
}

pub fn partition(shape: &Shape, raster: &Raster, evidence: &Evidence<'_>, planes: &[Plane]) -> Option<Partition> {
    let cuts = cuts(shape, raster, planes);
    let lines = by_lines(shape, raster, evidence, planes, &cuts);
    lines.or_else(|| by_squares(shape, raster, planes.len()))
}

fn share(part: u32, all: u32) -> f64 {
    f64::from(part) / f64::from(all)
}

/// `None` where lines do not tell what the returns do.
fn by_lines(
    shape: &Shape,
    raster: &Raster,
    evidence: &Evidence<'_>,
    planes: &[Plane],
    cuts: &[Cut],
) -> Option<Partition> {
    let (min, max) = ([shape.min[0] - 1.0, shape.min[1] - 1.0], [shape.max[0] + 1.0, shape.max[1] + 1.0]);
    let lines: Vec<Line> = cuts.iter().map(|c| c.line).collect();
    let pieces = cut(min, max, &lines);
    let mut piece_of: Vec<u64> = pieces.iter().map(|piece| piece.sides).collect();
    piece_of.sort_unstable();
    // How many squares of each piece have points of each label, and none in the last place.
    let places = planes.len() + 1;
    let mut squares = vec![0_u32; piece_of.len() * places];
    let mut last = None;
    for cell in (0..raster.inside.len()).filter(|cell| raster.inside[*cell]) {
        let (x, y) = raster.middle(cell);
        let sides = sides(&lines, x, y);
        if last.is_none_or(|(of, _)| of != sides) {
            let Ok(piece) = piece_of.binary_search(&sides) else { continue };
            last = Some((sides, piece));
        }
        if let Some((_, piece)) = last {
            squares[piece * places + (raster.seen[cell] as usize).min(planes.len())] += 1;
        }
    }
    let is_beyond = |(sides, label): (u64, u32)| {
        cuts.iter().enumerate().any(|(bit, cut)| match (cut.meets, sides >> bit & 1 == 1) {
            (Some((_, below)), true) => below == label,
            (Some((above, _)), false) => above == label,
            (None, _) => false,
        })
    };
    let mut votes: Vec<(u64, u32)> = Vec::new();
    for (sides, squares) in piece_of.iter().zip(squares.chunks_exact(places)) {
        let hit = (0..index_of(planes.len())).zip(squares).filter(|(_, squares)| **squares > 0);
        if let Some((label, most)) = hit.max_by_key(|(_, squares)| **squares)
            // A few returns of a tree that happen to be as high as a plane do not say that the plane is there, least
            // of all where it would lie beyond the line in which it meets another.
            && share(*most, squares.iter().sum())
                >= raster.hit_share * if is_beyond((*sides, label)) { 0.6 } else { 0.3 }
        {
            votes.push((*sides, label));
        }
    }
    let label_of = |sides: u64| votes.binary_search_by_key(&sides, |vote| vote.0).ok().map(|at| votes[at].1);
    let sides_of: Vec<u64> = pieces.iter().map(|piece| piece.sides).collect();
    let mut labeled: Vec<(u32, Vec<(f64, f64)>)> =
        pieces.into_iter().map(|piece| (label_of(piece.sides).unwrap_or(NONE), piece.corners)).collect();
    let pairs = shared(&labeled);
    settle(shape, evidence, planes, &mut labeled, &pairs, &sides_of, &lines);
    spread(&mut labeled, &pairs, &sides_of, cuts);
    absorb(&mut labeled, &pairs);
    let is_told = against(raster, evidence, planes, &labeled, &sides_of, &lines) < MOST_AGAINST;
    is_told.then(|| finish(shape, &labeled, planes.len()))?
}

/// Share of the squares with returns of a facet that lie in another one, whose plane is elsewhere.
fn against(
    raster: &Raster,
    evidence: &Evidence<'_>,
    planes: &[Plane],
    pieces: &[(u32, Vec<(f64, f64)>)],
    sides_of: &[u64],
    lines: &[Line],
) -> f64 {
    let mut label_of: Vec<(u64, u32)> = sides_of.iter().zip(pieces).map(|(sides, piece)| (*sides, piece.0)).collect();
    label_of.sort_unstable();
    let (mut all, mut off) = (0.0, 0.0);
    for cell in (0..raster.inside.len()).filter(|cell| raster.inside[*cell]) {
        let Some(seen) = planes.get(raster.seen[cell] as usize) else { continue };
        let (x, y) = raster.middle(cell);
        let sides = sides(lines, x, y);
        let Ok(at) = label_of.binary_search_by_key(&sides, |of| of.0) else { continue };
        all += 1.0;
        let is_off = planes
            .get(label_of[at].1 as usize)
            .is_none_or(|plane| (plane.z(x, y) - seen.z(x, y)).abs() * plane.cos() > OTHER * evidence.noise);
        off += f64::from(u8::from(is_off));
    }
    off / f64::max(all, 1.0)
}

/// Pieces that have a border in common.
fn shared(pieces: &[(u32, Vec<(f64, f64)>)]) -> Vec<Shared> {
    #[allow(clippy::cast_possible_truncation, reason = "meters about a roof")]
    let key = |p: &(f64, f64)| ((p.0 * 1e4).round() as i64, (p.1 * 1e4).round() as i64);
    let mut edges: Vec<_> = Vec::new();
    for (index, (_, corners)) in pieces.iter().enumerate() {
        for (at, p) in corners.iter().enumerate() {
            let q = &corners[(at + 1) % corners.len()];
            let (a, b) = (key(p), key(q));
            if a != b {
                edges.push(((a.min(b), a.max(b)), index, [*p, *q]));
            }
        }
    }
    edges.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.cmp(&b.1)));
    let same = edges.windows(2).filter(|w| w[0].0 == w[1].0);
    same.map(|w| {
        let ends = w[0].2;
        let length = (ends[0].0 - ends[1].0).hypot(ends[0].1 - ends[1].1);
        Shared { pieces: (w[0].1, w[1].1), ends, length }
    })
    .collect()
}

/// Splinters of a facet, apart from the rest of it, go to the facet about them.
fn absorb(pieces: &mut [(u32, Vec<(f64, f64)>)], pairs: &[Shared]) {
    const SPLINTER: f64 = 1.0;
    let areas: Vec<f64> = pieces.iter().map(|(_, corners)| area(corners)).collect();
    for _ in 0..pieces.len() {
        // Pieces of one label that hang together.
        let mut group: Vec<usize> = (0..pieces.len()).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for &Shared { pieces: (a, b), .. } in pairs {
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
        let most_of =
            |label: u32| (0..pieces.len()).filter(|g| pieces[*g].0 == label).map(|g| sizes[g]).fold(0.0_f64, f64::max);
        let splinter = (0..pieces.len())
            .filter(|g| group[*g] == *g && sizes[*g] < SPLINTER && sizes[*g] < most_of(pieces[*g].0))
            .min_by(|a, b| sizes[*a].total_cmp(&sizes[*b]));
        let Some(splinter) = splinter else { return };
        let mut borders: Borders = Vec::new();
        for &Shared { pieces: (a, b), length, .. } in pairs {
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
        let Some((label, _)) = borders.into_iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))) else {
            return;
        };
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

/// Pieces that no return was seen in, and those about the outline, go with a neighbor: with one that is on its own side
/// of the lines in which it meets the other neighbors, and of those with the one they share most with.
fn spread(pieces: &mut [(u32, Vec<(f64, f64)>)], pairs: &[Shared], sides_of: &[u64], cuts: &[Cut]) {
    let mut open: Vec<usize> = (0..pieces.len()).filter(|piece| pieces[*piece].0 == NONE).collect();
    while !open.is_empty() {
        // The piece that has most labeled about it.
        let mut best: Option<(f64, usize, Borders)> = None;
        for &piece in &open {
            let mut borders: Borders = Vec::new();
            for &Shared { pieces: (a, b), length, .. } in pairs {
                if a != piece && b != piece {
                    continue;
                }
                let label = pieces[if a == piece { b } else { a }].0;
                match borders.iter_mut().find(|(l, _)| *l == label) {
                    _ if label == NONE => {}
                    Some(border) => border.1 += length,
                    None => borders.push((label, length)),
                }
            }
            let total: f64 = borders.iter().map(|b| b.1).sum();
            if total > 0.0 && best.as_ref().is_none_or(|(most, ..)| total > *most) {
                best = Some((total, piece, borders));
            }
        }
        let Some((_, piece, borders)) = best else { return };
        let is_candidate = |label: u32| borders.iter().any(|(l, _)| *l == label);
        let wrong = |label: u32| {
            let crossed = |(bit, cut): &(usize, &Cut)| {
                let is_above = sides_of[piece] >> bit & 1 == 1;
                match cut.meets {
                    Some((above, below)) if above == label => !is_above && is_candidate(below),
                    Some((above, below)) if below == label => is_above && is_candidate(above),
                    _ => false,
                }
            };
            cuts.iter().enumerate().filter(crossed).count()
        };
        let better =
            |a: &(u32, f64), b: &(u32, f64)| wrong(b.0).cmp(&wrong(a.0)).then(a.1.total_cmp(&b.1)).then(b.0.cmp(&a.0));
        if let Some((label, _)) = borders.iter().copied().max_by(|a, b| better(a, b)) {
            pieces[piece].0 = label;
        }
        open.retain(|p| *p != piece);
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
fn cuts(shape: &Shape, raster: &Raster, planes: &[Plane]) -> Vec<Cut> {
    let count = planes.len();
    let mut marks = marks(raster, count);
    let middles = middles(raster, count);
    let directions = directions(shape);
    let enough = super::near::floor(0.7 / raster.side).max(2);
    let mut found: Vec<(usize, Cut)> = Vec::new();
    for a in 0..count {
        for b in a + 1..count {
            let mut rest = std::mem::take(&mut marks[a * count + b]);
            if rest.len() < enough {
                continue;
            }
            let (p, q) = (&planes[a], &planes[b]);
            let mut met = 0;
            if let Some(line) = Line::of(p.a - q.a, p.b - q.b, p.c - q.c) {
                let meets = |m: &Mark| {
                    let off = line.distance(m.x, m.y).abs();
                    let step = (p.z(m.x, m.y) - q.z(m.x, m.y)).abs();
                    off < 2.0 * raster.side + 0.1 || (step < 0.25 && off < 1.5) || (!m.is_seen && off < 2.5)
                };
                let on = rest.iter().filter(|m| meets(m)).count();
                if on >= enough {
                    met = on;
                    let is_above = |label: usize| line.distance(middles[label].0, middles[label].1) > 0.0;
                    let meeting = match (is_above(a), is_above(b)) {
                        (true, false) => Some((index_of(a), index_of(b))),
                        (false, true) => Some((index_of(b), index_of(a))),
                        _ => None,
                    };
                    found.push((on, Cut { line, meets: meeting }));
                    rest.retain(|m| !meets(m));
                }
            }
            // Where nothing was seen, there is no step to be found. Beside planes that meet, a step is one that is higher
            // than noise and long enough not to be a few strays.
            let is_step = |m: &Mark| (p.z(m.x, m.y) - q.z(m.x, m.y)).abs() > 0.35;
            rest.retain(|m| m.is_seen && (met == 0 || is_step(m)));
            let enough = if met == 0 { enough } else { enough + 1 };
            if rest.len() < enough + usize::from(met > 0) || rest.len() * 5 < met {
                continue;
            }
            while rest.len() >= enough && found.len() < 4 * MOST_LINES {
                let Some((on, line)) = step_line(&rest, &directions, raster.side) else { break };
                if on < enough {
                    break;
                }
                rest.retain(|m| line.distance(m.x, m.y).abs() > 1.2 * raster.side);
                found.push((on, Cut { line, meets: None }));
            }
        }
    }
    found.sort_by_key(|found| std::cmp::Reverse(found.0));
    // A part of another height begins at an inner corner, in line with the walls there.
    let steps: Vec<Line> = found.iter().filter(|(_, cut)| cut.meets.is_none()).map(|(_, cut)| cut.line).collect();
    let near = |corner: &(f64, f64)| steps.iter().any(|line| line.distance(corner.0, corner.1).abs() < NEAR_CORNER);
    let walls = shape.inner_corners().into_iter().filter(|(corner, _)| near(corner)).flat_map(|(_, walls)| walls);
    let walls = walls.map(|line| (0, Cut { line, meets: None })).collect::<Vec<_>>();
    let mut cuts: Vec<Cut> = Vec::new();
    for (_, cut) in found.into_iter().chain(walls) {
        let line = cut.line;
        let is_new = |other: &Cut| {
            let other = other.line;
            let parallel = line.cos * other.cos + line.sin * other.sin;
            let same = if parallel > 0.0 { other.off } else { -other.off };
            parallel.abs() < 0.99995 || (line.off - same).abs() > 0.02
        };
        if cuts.len() < MOST_LINES && cuts.iter().all(is_new) {
            cuts.push(cut);
        }
    }
    cuts
}

/// Where squares of two labels touch, for each pair of labels.
fn marks(raster: &Raster, count: usize) -> Vec<Vec<Mark>> {
    let mut marks: Vec<Vec<Mark>> = vec![Vec::new(); count * count];
    let mut note = |one: usize, other: usize, x: f64, y: f64| {
        let (a, b) = (raster.labels[one], raster.labels[other]);
        if a != b && a != NONE && b != NONE {
            let is_seen = raster.is_seen(one) && raster.is_seen(other);
            marks[a.min(b) as usize * count + a.max(b) as usize].push(Mark { x, y, is_seen });
        }
    };
    let half = raster.side / 2.0;
    for cell in 0..raster.labels.len() {
        let (x, y) = raster.middle(cell);
        if (cell + 1) % raster.columns != 0 {
            note(cell, cell + 1, x + half, y);
        }
        if cell + raster.columns < raster.labels.len() {
            note(cell, cell + raster.columns, x, y + half);
        }
    }
    marks
}

/// The middle of the squares of each label.
fn middles(raster: &Raster, count: usize) -> Vec<(f64, f64)> {
    let mut sums = vec![(0.0, 0.0, 0.0); count];
    for cell in (0..raster.labels.len()).filter(|cell| raster.is_seen(*cell)) {
        if let Some(sum) = sums.get_mut(raster.labels[cell] as usize) {
            let (x, y) = raster.middle(cell);
            *sum = (sum.0 + x, sum.1 + y, sum.2 + 1.0);
        }
    }
    sums.into_iter().map(|(x, y, n)| if n > 0.0 { (x / n, y / n) } else { (0.0, 0.0) }).collect()
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
