//! The ground plan cut by lines, and the pieces put together again by facet.

use std::collections::HashMap;

/// `x cos + y sin = off`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    pub cos: f64,
    pub sin: f64,
    pub off: f64,
}

impl Line {
    pub fn distance(&self, x: f64, y: f64) -> f64 {
        x * self.cos + y * self.sin - self.off
    }

    /// `a x + b y + c = 0`; `None` if that is not a line.
    pub fn of(a: f64, b: f64, c: f64) -> Option<Self> {
        let n = a.hypot(b);
        (n > 1e-6).then(|| Self { cos: a / n, sin: b / n, off: -c / n })
    }
}

/// Lines at most: a bit each of a number.
pub const MOST_LINES: usize = 32;

type At = (f64, f64);

/// A convex piece, and on which side of each line it is.
pub struct Piece {
    pub sides: u64,
    pub corners: Vec<At>,
}

pub fn sides(lines: &[Line], x: f64, y: f64) -> u64 {
    lines.iter().enumerate().fold(0, |bits, (bit, line)| bits | u64::from(line.distance(x, y) > 0.0) << bit)
}

/// Closer to a line than this is on it.
const ON: f64 = 1e-6;

/// A rectangle cut by every line from end to end.
pub fn cut(min: [f64; 2], max: [f64; 2], lines: &[Line]) -> Vec<Piece> {
    let corners = vec![(min[0], min[1]), (max[0], min[1]), (max[0], max[1]), (min[0], max[1])];
    let mut pieces = vec![Piece { sides: 0, corners }];
    for (bit, line) in lines.iter().enumerate() {
        let mut next = Vec::with_capacity(pieces.len() + 4);
        for piece in pieces {
            let at: Vec<f64> = piece.corners.iter().map(|p| line.distance(p.0, p.1)).collect();
            let (least, most) = at.iter().fold((0_f64, 0_f64), |(a, b), d| (a.min(*d), b.max(*d)));
            if least > -ON || most < ON {
                let above = most > -least;
                next.push(Piece { sides: piece.sides | u64::from(above) << bit, ..piece });
                continue;
            }
            let (mut below, mut above) = (Vec::new(), Vec::new());
            for (index, p) in piece.corners.iter().enumerate() {
                let d = at[index];
                if d < ON {
                    below.push(*p);
                }
                if d > -ON {
                    above.push(*p);
                }
                let to = (index + 1) % piece.corners.len();
                let (q, e) = (piece.corners[to], at[to]);
                if (d < -ON && e > ON) || (d > ON && e < -ON) {
                    let t = d / (d - e);
                    let cut = (p.0 + t * (q.0 - p.0), p.1 + t * (q.1 - p.1));
                    below.push(cut);
                    above.push(cut);
                }
            }
            next.push(Piece { sides: piece.sides, corners: below });
            next.push(Piece { sides: piece.sides | 1 << bit, corners: above });
        }
        pieces = next;
    }
    pieces
}

/// Rings about all pieces of each label, and the borders between labels.
pub struct Joined {
    /// Outer rings run counterclockwise, holes clockwise.
    pub rings: Vec<Vec<Vec<At>>>,
    pub borders: Vec<Border>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Border {
    /// The facet on the left, seen from `from`, and the one on the right.
    pub left: u32,
    pub right: u32,
    pub from: At,
    pub to: At,
}

type Key = (i64, i64);

#[allow(clippy::cast_possible_truncation, reason = "meters about a roof")]
fn key(p: At) -> Key {
    ((p.0 * 1e4).round() as i64, (p.1 * 1e4).round() as i64)
}

/// `None` where the pieces do not fit together.
pub fn join(pieces: &[(u32, Vec<At>)], labels: usize) -> Option<Joined> {
    let mut edges: HashMap<(Key, Key), (u32, At, At)> = HashMap::with_capacity(pieces.len() * 4);
    let mut order = Vec::with_capacity(pieces.len() * 4);
    for (label, corners) in pieces {
        for (index, p) in corners.iter().enumerate() {
            let q = corners[(index + 1) % corners.len()];
            let (a, b) = (key(*p), key(q));
            if a != b {
                edges.insert((a, b), (*label, *p, q));
                order.push((a, b));
            }
        }
    }
    let mut next: Vec<HashMap<Key, Vec<(Key, At)>>> = vec![HashMap::new(); labels];
    let mut starts: Vec<Vec<Key>> = vec![Vec::new(); labels];
    let mut borders = Vec::new();
    for (a, b) in order {
        let &(label, p, q) = edges.get(&(a, b))?;
        let other = edges.get(&(b, a));
        if other.is_some_and(|(theirs, ..)| *theirs == label) {
            continue;
        }
        if let Some((theirs, ..)) = other
            && label < *theirs
        {
            borders.push(Border { left: label, right: *theirs, from: p, to: q });
        }
        next.get_mut(label as usize)?.entry(a).or_default().push((b, p));
        starts[label as usize].push(a);
    }
    let rings = next.into_iter().zip(starts).map(|(next, starts)| trace(next, &starts)).collect::<Option<_>>()?;
    Some(Joined { rings, borders })
}

fn trace(mut next: HashMap<Key, Vec<(Key, At)>>, starts: &[Key]) -> Option<Vec<Vec<At>>> {
    let mut rings = Vec::new();
    for start in starts {
        let mut ring: Vec<At> = Vec::new();
        let mut at = *start;
        let mut before: Option<Key> = None;
        loop {
            let Some(ways) = next.get_mut(&at).filter(|ways| !ways.is_empty()) else {
                if ring.is_empty() {
                    break;
                }
                return None;
            };
            // Where two pieces touch at a corner only: the sharpest turn to the left keeps them apart.
            let way = match (before, ways.len()) {
                (Some(before), 2..) => {
                    let turn = |to: &Key| turn(before, at, *to);
                    let best = ways.iter().enumerate().max_by(|a, b| turn(&a.1.0).total_cmp(&turn(&b.1.0)));
                    best.map_or(0, |(index, _)| index)
                }
                _ => 0,
            };
            let (to, p) = ways.swap_remove(way);
            ring.push(p);
            before = Some(at);
            at = to;
            if at == *start {
                break;
            }
        }
        if ring.len() >= 3 {
            rings.push(straightened(ring));
        }
    }
    Some(rings)
}

/// Radians to the left.
#[allow(clippy::cast_precision_loss, reason = "tenths of millimeters about a roof")]
fn turn(a: Key, b: Key, c: Key) -> f64 {
    let (u, v) = (((b.0 - a.0) as f64, (b.1 - a.1) as f64), ((c.0 - b.0) as f64, (c.1 - b.1) as f64));
    (u.0 * v.1 - u.1 * v.0).atan2(u.0 * v.0 + u.1 * v.1)
}

/// Without corners on straight lines.
fn straightened(ring: Vec<At>) -> Vec<At> {
    let count = ring.len();
    let kept = (0..count).filter(|&index| {
        let (p, q, r) = (ring[(index + count - 1) % count], ring[index], ring[(index + 1) % count]);
        let (u, v) = ((q.0 - p.0, q.1 - p.1), (r.0 - q.0, r.1 - q.1));
        (u.0 * v.1 - u.1 * v.0).abs() > 1e-4 * u.0.hypot(u.1) * v.0.hypot(v.1)
    });
    let kept: Vec<At> = kept.map(|index| ring[index]).collect();
    if kept.len() >= 3 { kept } else { ring }
}

/// Borders on one line that follow each other are one.
pub fn merged(mut borders: Vec<Border>) -> Vec<Border> {
    let line = |b: &Border| Line::of(b.to.1 - b.from.1, b.from.0 - b.to.0, b.from.1 * b.to.0 - b.from.0 * b.to.1);
    let mut done: Vec<Border> = Vec::new();
    borders.sort_by_key(|b| (b.left, b.right));
    for pair in borders.chunk_by(|a, b| (a.left, a.right) == (b.left, b.right)) {
        let mut rest: Vec<Border> = pair.to_vec();
        while let Some(mut one) = rest.pop() {
            let Some(on) = line(&one) else { continue };
            loop {
                let touches = |b: &Border| key(b.from) == key(one.to) || key(b.to) == key(one.from);
                let is_straight = |b: &Border| {
                    on.distance(b.from.0, b.from.1).abs() < 1e-3 && on.distance(b.to.0, b.to.1).abs() < 1e-3
                };
                let Some(index) = rest.iter().position(|b| touches(b) && is_straight(b)) else { break };
                let other = rest.swap_remove(index);
                if key(other.from) == key(one.to) {
                    one.to = other.to;
                } else {
                    one.from = other.from;
                }
            }
            done.push(one);
        }
    }
    done
}
