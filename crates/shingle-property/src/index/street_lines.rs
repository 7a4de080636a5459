//! Where the streets around a home run, as far as the houses on both their sides tell.

use shingle_domain::Address;
use shingle_domain::evidence::Point;

/// How far the houses of one side may stand from one line, and how far apart the two sides may be, meters.
const MAX_SCATTER: f64 = 8.0;
const MAX_ACROSS: f64 = 90.0;
/// Half the width that a street is drawn with, meters: as wide as a street of two lanes, or as there is room.
const HALF_WIDTH: core::ops::RangeInclusive<f64> = 2.5..=4.1;
/// Between a building and the edge of the street, meters.
const VERGE: f64 = 1.0;
/// A street goes on this far beyond its last house, or as far again to the street that it ends at, meters.
const BEYOND: f64 = 12.0;
const TO_A_CROSSING: f64 = 45.0;
/// What is shorter is not drawn, meters.
const MIN_LENGTH: f64 = 20.0;
/// The sine of the angle under which two streets are one that has two names.
const PARALLEL: f64 = 0.35;

/// A house with its address, in meters about the home.
#[derive(Debug, Clone)]
pub(super) struct House {
    /// Its street in the normal form; empty where it has no number on one.
    pub street: String,
    /// The street as it is written.
    pub street_shown: String,
    pub number: u32,
    pub shown: String,
    /// As it can be asked for; `None` where only units of it are recorded.
    pub address: Option<Address>,
    pub at: Point,
    /// The largest building first.
    pub rings: Vec<Vec<Point>>,
}

impl House {
    fn is_odd(&self) -> bool {
        self.number % 2 == 1
    }
}

/// A straight street.
#[derive(Debug, Clone, Copy)]
pub(super) struct Course {
    along: Point,
    /// Its middle, to the left of the home as one looks along it.
    middle: f64,
    pub half_width: f64,
    ends: [f64; 2],
}

impl Course {
    /// Of the home's own street: as far as is drawn on either side, or to the first building in its way. `None` where the
    /// houses do not tell: a bend, a side without houses, or one that stands in the way.
    pub(super) fn of_home(street: &[&House], home: Point, radius: f64, others: &[&House]) -> Option<Self> {
        let course = Self::between(street)?;
        let here = course.along(home);
        course.clear_of(others, here, [here - radius, here + radius])
    }

    /// Of another street: along its houses, and on to the street before the home where it ends there.
    pub(super) fn beside(street: &[&House], home: Point, own: Option<&Self>, others: &[&House]) -> Option<Self> {
        let course = Self::between(street)?;
        if own.is_some_and(|own| own.is_same(&course)) {
            return None;
        }
        let houses = || street.iter().map(|house| course.along(house.at));
        let (first, last) = (houses().fold(f64::INFINITY, f64::min), houses().fold(f64::NEG_INFINITY, f64::max));
        let mut ends = [first - BEYOND, last + BEYOND];
        if let Some(crossing) = own.and_then(|own| course.crossing(own)) {
            if (ends[0] - TO_A_CROSSING..ends[0]).contains(&crossing) {
                ends[0] = crossing;
            } else if (ends[1]..ends[1] + TO_A_CROSSING).contains(&crossing) {
                ends[1] = crossing;
            }
        }
        let here = course.along(home).clamp(first, last);
        course.clear_of(others, here, ends)
    }

    pub(super) fn start(&self) -> Point {
        self.at(self.ends[0])
    }

    pub(super) fn end(&self) -> Point {
        self.at(self.ends[1])
    }

    pub(super) fn distance(&self, from: Point) -> f64 {
        let nearest = self.at(self.along(from).clamp(self.ends[0], self.ends[1]));
        (nearest.x - from.x).hypot(nearest.y - from.y)
    }

    /// The middle of what is free between the fronts of both sides; not of the houses, because one may be deeper than the
    /// other.
    fn between(street: &[&House]) -> Option<Self> {
        let (odd, even): (Vec<&House>, Vec<&House>) = street.iter().partition(|house| house.is_odd());
        if odd.is_empty() || even.is_empty() {
            return None;
        }
        let mut course = Self { along: direction([&odd, &even])?, middle: 0.0, half_width: 0.0, ends: [0.0; 2] };
        let mean = |side: &[&House]| side.iter().map(|h| course.off(h.at)).sum::<f64>() / side.len() as f64;
        let (here, there) = (mean(&odd), mean(&even));
        let scattered =
            |side: &[&House], about: f64| side.iter().any(|h| (course.off(h.at) - about).abs() > MAX_SCATTER);
        if scattered(&odd, here) || scattered(&even, there) || (here - there).abs() > MAX_ACROSS {
            return None;
        }
        let across = (there - here).signum();
        let corners = |side: &[&House]| {
            side.iter().flat_map(|h| &h.rings).flatten().map(|p| course.off(*p) * across).collect::<Vec<_>>()
        };
        let front_here = corners(&odd).into_iter().fold(here * across, f64::max);
        let front_there = corners(&even).into_iter().fold(there * across, f64::min);
        let room = (front_there - front_here) / 2.0 - VERGE;
        if room < *HALF_WIDTH.start() {
            return None;
        }
        course.middle = (front_here + front_there) / 2.0 * across;
        course.half_width = room.min(*HALF_WIDTH.end());
        Some(course)
    }

    fn along(&self, p: Point) -> f64 {
        p.x * self.along.x + p.y * self.along.y
    }

    fn off(&self, p: Point) -> f64 {
        p.y * self.along.x - p.x * self.along.y
    }

    fn at(&self, along: f64) -> Point {
        let Point { x, y } = self.along;
        Point { x: x * along - y * self.middle, y: y * along + x * self.middle }
    }

    /// The piece about `here` with no building on it.
    fn clear_of(self, houses: &[&House], here: f64, [mut low, mut high]: [f64; 2]) -> Option<Self> {
        for ring in houses.iter().flat_map(|house| &house.rings) {
            let Some([from, to]) = self.covered_by(ring) else { continue };
            if to < here {
                low = low.max(to + VERGE);
            } else if from > here {
                high = high.min(from - VERGE);
            } else {
                return None;
            }
        }
        (high - low >= MIN_LENGTH).then_some(Self { ends: [low, high], ..self })
    }

    /// What of the street's length a ring stands on.
    fn covered_by(&self, ring: &[Point]) -> Option<[f64; 2]> {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for (a, b) in ring.iter().zip(ring.iter().cycle().skip(1)) {
            let (a, b) = ([self.along(*a), self.off(*a) - self.middle], [self.along(*b), self.off(*b) - self.middle]);
            let run = b[1] - a[1];
            // The shares of the edge at which it enters the street's two sides.
            let at = |side: f64| if run == 0.0 { 0.0 } else { ((side - a[1]) / run).clamp(0.0, 1.0) };
            for share in [at(-self.half_width), at(self.half_width)] {
                if (a[1] + run * share).abs() <= self.half_width + 1e-9 {
                    let along = a[0] + (b[0] - a[0]) * share;
                    (low, high) = (low.min(along), high.max(along));
                }
            }
        }
        (low <= high).then_some([low, high])
    }

    /// Where the middle of another street is met, along this one; `None` beyond its ends, and of a parallel one.
    fn crossing(&self, other: &Self) -> Option<f64> {
        let sine = self.along.x * other.along.y - self.along.y * other.along.x;
        if sine.abs() < PARALLEL {
            return None;
        }
        let origin = self.at(0.0);
        let along = (other.off(origin) - other.middle) / sine;
        let there = other.along(self.at(along));
        (other.ends[0]..=other.ends[1]).contains(&there).then_some(along)
    }

    /// Whether both are one street that has two names.
    fn is_same(&self, other: &Self) -> bool {
        let sine = self.along.x * other.along.y - self.along.y * other.along.x;
        let apart = (self.off(other.at(0.0)) - self.middle).abs();
        sine.abs() < PARALLEL && apart < self.half_width + other.half_width + VERGE
    }
}

/// The main direction of two rows of houses, eastwards; `None` for a heap of them.
fn direction(sides: [&[&House]; 2]) -> Option<Point> {
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for side in sides {
        let n = side.len() as f64;
        let middle = side.iter().fold((0.0, 0.0), |(x, y), house| (x + house.at.x / n, y + house.at.y / n));
        for house in side {
            let (x, y) = (house.at.x - middle.0, house.at.y - middle.1);
            xx += x * x;
            yy += y * y;
            xy += x * y;
        }
    }
    // Less than ten meters apart they are one house.
    if xx + yy < 50.0 {
        return None;
    }
    let angle = 0.5 * (2.0 * xy).atan2(xx - yy);
    Some(Point { x: angle.cos(), y: angle.sin() })
}

pub(super) fn middle(ring: &[Point]) -> Point {
    let n = ring.len().max(1) as f64;
    Point { x: ring.iter().map(|p| p.x).sum::<f64>() / n, y: ring.iter().map(|p| p.y).sum::<f64>() / n }
}
