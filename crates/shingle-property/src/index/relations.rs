//! Where a neighbor stands, in the words that people have for it: next door, behind, across the street. Said only where the
//! map leaves no doubt; everything else is nearby, in a direction.

use shingle_domain::evidence::Point;
use shingle_domain::surroundings::{Stands, Wind};

use super::street_lines::{Course, House};

/// What stands farther away is nobody's next house, meters between the middles.
const MAX_NEXT_DOOR: f64 = 42.0;
const MAX_AWAY: f64 = 65.0;
/// How many times as far in one direction as in the other, for a house to be beside rather than behind.
const CLEARLY: f64 = 1.5;
/// A house is straight across if it stands at most so far along the street, in parts of the way across.
const STRAIGHT: f64 = 0.45;

/// A street whose course is known.
pub(super) struct KnownStreet<'a> {
    /// In the normal form.
    pub street: &'a str,
    pub shown: &'a str,
    pub from: Point,
    pub to: Point,
}

impl<'a> KnownStreet<'a> {
    pub fn of(street: &'a str, shown: &'a str, course: &Course) -> Self {
        Self { street, shown, from: course.start(), to: course.end() }
    }
}

/// What is known around a home.
pub(super) struct Scene<'a> {
    pub own: &'a House,
    /// Every house near it.
    pub houses: &'a [House],
    pub streets: &'a [&'a KnownStreet<'a>],
}

impl Scene<'_> {
    pub fn stands(&self, neighbor: &House) -> Stands {
        let (here, there) = (self.own.at, neighbor.at);
        let [east, north] = [there.x - here.x, there.y - here.y];
        let (away, wind) = (east.hypot(north), Wind::of(east, north));
        if away > MAX_AWAY || self.is_hidden(neighbor) {
            return Stands::Nearby(wind);
        }
        let own = self.streets.iter().find(|street| street.street == self.own.street);
        let between: Vec<_> = self.streets.iter().filter(|street| street.parts(here, there)).collect();
        match (&between[..], own) {
            ([street], _) => {
                let [along, across] = street.seen([east, north]);
                let toward = (along.abs() > across.abs() * STRAIGHT).then_some(wind);
                let is_own = street.street == self.own.street;
                Stands::Across { street: (!is_own).then(|| street.shown.to_owned()), toward }
            }
            ([], Some(own)) => {
                let [along, across] = own.seen([east, north]);
                // Away from the street.
                let back = across * own.side(here);
                let is_seen_from_here = own.side(here) == own.side(there);
                let is_elsewhere = neighbor.street != self.own.street;
                // A street between them whose course nobody knows would be seen as nothing.
                let is_known = !is_elsewhere || self.streets.iter().any(|street| street.street == neighbor.street);
                if !is_seen_from_here {
                    Stands::Nearby(wind)
                } else if along.abs() >= back.abs() * CLEARLY && away <= MAX_NEXT_DOOR && is_known {
                    Stands::NextDoor(wind)
                } else if back >= along.abs() * CLEARLY {
                    Stands::Behind { on: is_elsewhere.then(|| neighbor.street_shown.clone()) }
                } else {
                    Stands::Nearby(wind)
                }
            }
            // In a bend the numbers tell.
            ([], None) if away <= MAX_NEXT_DOOR && self.is_next_number(neighbor) => Stands::NextDoor(wind),
            _ => Stands::Nearby(wind),
        }
    }

    /// Whether another house stands between the two.
    fn is_hidden(&self, neighbor: &House) -> bool {
        let others = self.houses.iter().filter(|other| !core::ptr::eq(*other, neighbor));
        others.filter_map(|other| other.rings.first()).any(|ring| {
            let edges = ring.iter().zip(ring.iter().cycle().skip(1));
            edges.into_iter().any(|(a, b)| cross([self.own.at, neighbor.at], [*a, *b]))
        })
    }

    /// Whether no number on their side of their street lies between the two.
    fn is_next_number(&self, neighbor: &House) -> bool {
        let own = self.own;
        let on_this_side = |other: &House| other.street == own.street && other.number % 2 == own.number % 2;
        let [low, high] = [own.number.min(neighbor.number), own.number.max(neighbor.number)];
        let is_between = |other: &House| on_this_side(other) && low < other.number && other.number < high;
        on_this_side(neighbor) && !self.houses.iter().any(is_between)
    }
}

impl KnownStreet<'_> {
    /// A way, along the street and to its left.
    fn seen(&self, [east, north]: [f64; 2]) -> [f64; 2] {
        let [x, y] = [self.to.x - self.from.x, self.to.y - self.from.y];
        let run = x.hypot(y).max(1e-9);
        [(east * x + north * y) / run, (north * x - east * y) / run]
    }

    /// 1 to its left, -1 to its right.
    fn side(&self, of: Point) -> f64 {
        self.seen([of.x - self.from.x, of.y - self.from.y])[1].signum()
    }

    /// Whether it lies between two houses.
    fn parts(&self, here: Point, there: Point) -> bool {
        cross([here, there], [self.from, self.to])
    }
}

/// Whether two lines cross.
fn cross([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
    let turn = |p: Point, q: Point, r: Point| (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x) > 0.0;
    turn(a, b, c) != turn(a, b, d) && turn(c, d, a) != turn(c, d, b)
}

#[cfg(test)]
#[path = "relations_tests.rs"]
mod tests;
