//! Where a picture lies against outlines of buildings: pictures are often off by a meter or two, and roofs lean.
//!
//! Roofs end at edges in the picture. Each outline is moved over the picture in small steps; at each step, the change of
//! brightness across each of its sides is added up along the side, so that texture cancels out and a straight edge does
//! not. What an outline finds at each step is compared with what it finds at all steps, so that each has one vote, however
//! bright its surroundings. The votes are added. A place is believed if it stands out from the rest, if it does not hang
//! on one outline, and if it is not at the rim of the search.

use crate::error::ImageryError;
use crate::place::system::meters_of_degree;
use crate::placed::Placed;
use crate::view::Window;

/// Meters to move a picture so that it fits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shift {
    pub east: f64,
    pub north: f64,
    /// How many outlines it was found with.
    pub outlines: usize,
    /// 0 to 1.
    pub certainty: f64,
}

/// More add nothing.
const MOST_OUTLINES: usize = 96;
const LEAST_OUTLINES: usize = 3;
/// Fewer outlines are enough if their sides are that long, in meters.
const LONG_SIDES: f64 = 160.0;
/// Sizes of outlines that are looked at, in meters.
const SIZES: std::ops::RangeInclusive<f64> = 4.0..=120.0;
/// Shorter sides are corners, in meters.
const SHORT_SIDE: f64 = 1.5;
/// Finer pictures are looked at in pixels of that size, in meters: finer edges are not those of roofs.
const FINEST: f64 = 0.3;
/// Coarser pictures show no sides of houses.
const COARSEST: f64 = 1.5;
/// Meters searched beyond the limit: a place there means that the picture is further off than allowed.
const BEYOND: f64 = 2.0;
/// Searches are not meant for more.
const MOST_METERS: f64 = 20.0;
/// Meters about the best place that belong to it.
const SAME_PLACE: f64 = 1.5;

/// Deviations that the best place must be above the average. By outlines of other places and by boxes of chance, none of
/// 247 searches reached a lead of 1.75.
const LEAST_HEIGHT: f64 = 4.5;
/// And above the second best.
const LEAST_LEAD: f64 = 2.0;

/// `None` if no place is certain. `outlines`: rings of longitude and latitude.
pub fn find_shift(
    picture: &Placed,
    outlines: &[Vec<[f64; 2]>],
    most_meters: f64,
) -> Result<Option<Shift>, ImageryError> {
    let step = picture.facts().meters_per_pixel.max(FINEST);
    if step > COARSEST || !(0.0..=MOST_METERS).contains(&most_meters) {
        return Ok(None);
    }
    let search = Search::new(step, most_meters + BEYOND);
    let (mut votes, mut length) = (Vec::new(), 0.0);
    for ring in spread(outlines) {
        let Some(outline) = Outline::of(ring) else { continue };
        if let Some(vote) = search.vote(picture, &outline)? {
            length += outline.length();
            votes.push(vote);
        }
    }
    if votes.is_empty() || (votes.len() < LEAST_OUTLINES && length < LONG_SIDES) {
        return Ok(None);
    }
    Ok(search.best(&votes, most_meters))
}

/// So many of them, from all over.
fn spread(outlines: &[Vec<[f64; 2]>]) -> impl Iterator<Item = &Vec<[f64; 2]>> {
    outlines.iter().step_by(outlines.len().div_ceil(MOST_OUTLINES).max(1))
}

/// An outline in meters about its middle.
struct Outline {
    longitude: f64,
    latitude: f64,
    half_wide: f64,
    half_high: f64,
    /// Two ends.
    sides: Vec<[(f64, f64); 2]>,
}

impl Outline {
    fn of(ring: &[[f64; 2]]) -> Option<Self> {
        let start = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
        let [west, south, east, north] =
            ring.iter().fold(start, |b, p| [b[0].min(p[0]), b[1].min(p[1]), b[2].max(p[0]), b[3].max(p[1])]);
        let (longitude, latitude) = (f64::midpoint(west, east), f64::midpoint(south, north));
        if !longitude.is_finite() || !latitude.is_finite() || latitude.abs() > 85.0 {
            return None;
        }
        let (by_lon, by_lat) = meters_of_degree(latitude);
        let (half_wide, half_high) = ((east - west) * by_lon / 2.0, (north - south) * by_lat / 2.0);
        let size = half_wide.max(half_high) * 2.0;
        let points: Vec<(f64, f64)> =
            ring.iter().map(|p| ((p[0] - longitude) * by_lon, (p[1] - latitude) * by_lat)).collect();
        let next = points.iter().cycle().skip(1);
        let sides: Vec<[(f64, f64); 2]> =
            points.iter().zip(next).map(|(a, b)| [*a, *b]).filter(|side| side_length(side) >= SHORT_SIDE).collect();
        (SIZES.contains(&size) && sides.len() >= 2).then_some(Self { longitude, latitude, half_wide, half_high, sides })
    }

    fn length(&self) -> f64 {
        self.sides.iter().map(side_length).sum()
    }
}

fn side_length([a, b]: &[(f64, f64); 2]) -> f64 {
    (b.0 - a.0).hypot(b.1 - a.1)
}

/// The places that are tried: a square grid about none.
struct Search {
    step: f64,
    /// Steps from the middle to the rim.
    reach: usize,
}

/// What an outline finds at each place, in deviations from its average.
type Votes = Vec<f64>;

impl Search {
    fn new(step: f64, meters: f64) -> Self {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 22 m in steps of 0.3 m")]
        Self { step, reach: (meters / step).ceil() as usize }
    }

    fn side(&self) -> usize {
        self.reach * 2 + 1
    }

    /// Meters east and north that an outline is moved.
    #[allow(clippy::cast_precision_loss, reason = "some dozens")]
    fn meters(&self, at: usize) -> (f64, f64) {
        let of = |n: usize| (n as f64 - self.reach as f64) * self.step;
        (of(at % self.side()), of(at / self.side()))
    }

    fn vote(&self, picture: &Placed, outline: &Outline) -> Result<Option<Votes>, ImageryError> {
        let Some(slopes) = Slopes::about(picture, outline, self)? else { return Ok(None) };
        let mut found = vec![0.0; self.side() * self.side()];
        let whole = outline.length();
        for side in &outline.sides {
            let [a, b] = *side;
            let length = side_length(side);
            let normal = ((b.1 - a.1) / length, (a.0 - b.0) / length);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some hundreds")]
            let count = (length / self.step).ceil() as usize;
            for (at, sum) in found.iter_mut().enumerate() {
                let (east, north) = self.meters(at);
                let across = (0..count).map(|i| {
                    #[allow(clippy::cast_precision_loss, reason = "some hundreds")]
                    let part = (i as f64 + 0.5) / count as f64;
                    slopes.across(a.0 + (b.0 - a.0) * part + east, a.1 + (b.1 - a.1) * part + north, normal)
                });
                #[allow(clippy::cast_precision_loss, reason = "some hundreds")]
                let mean = across.sum::<f64>() / count as f64;
                *sum += mean.abs() * length / whole;
            }
        }
        Ok(in_deviations(found))
    }

    /// The place with the most votes, if it is certain.
    fn best(&self, votes: &[Votes], most_meters: f64) -> Option<Shift> {
        #[allow(clippy::cast_precision_loss, reason = "some dozens")]
        let root = (votes.len() as f64).sqrt();
        let sum = |without: Option<usize>| {
            let mut sum = vec![0.0; self.side() * self.side()];
            for vote in votes.iter().enumerate().filter(|(i, _)| Some(*i) != without).map(|(_, vote)| vote) {
                sum.iter_mut().zip(vote).for_each(|(sum, vote)| *sum += vote / root);
            }
            sum
        };
        let all = sum(None);
        let top = highest(&all, |_| true)?;
        let (east, north) = self.between(&all, top)?;
        let far = |at: usize| {
            let (e, n) = self.meters(at);
            (e - east).hypot(n - north) > SAME_PLACE
        };
        let second = highest(&all, far).map_or(0.0, |at| all[at]);
        let (height, lead) = (all[top], all[top] - second);
        let beyond = east.abs() > most_meters || north.abs() > most_meters;
        let hangs_on_one = (0..votes.len()).any(|i| {
            let rest = sum(Some(i));
            highest(&rest, |_| true).is_none_or(far)
        });
        if beyond || hangs_on_one || height < LEAST_HEIGHT || lead < LEAST_LEAD {
            return None;
        }
        // Outlines that are moved one way are met by a picture that is moved the other way.
        let certainty = (1.0 - LEAST_LEAD / (2.0 * lead)).clamp(0.0, 1.0);
        Some(Shift { east: -east, north: -north, outlines: votes.len(), certainty })
    }

    /// The top of the parabola through a place and its neighbors. `None` at the rim.
    fn between(&self, votes: &[f64], top: usize) -> Option<(f64, f64)> {
        let side = self.side();
        let (x, y) = (top % side, top / side);
        if x == 0 || y == 0 || x + 1 == side || y + 1 == side {
            return None;
        }
        let apex = |before: f64, at: f64, after: f64| {
            let bend = before - 2.0 * at + after;
            if bend < 0.0 { ((before - after) / (2.0 * bend)).clamp(-0.5, 0.5) } else { 0.0 }
        };
        let (east, north) = self.meters(top);
        let right = apex(votes[top - 1], votes[top], votes[top + 1]);
        let up = apex(votes[top - side], votes[top], votes[top + side]);
        Some((east + right * self.step, north + up * self.step))
    }
}

fn highest(votes: &[f64], allowed: impl Fn(usize) -> bool) -> Option<usize> {
    (0..votes.len()).filter(|at| allowed(*at)).max_by(|a, b| votes[*a].total_cmp(&votes[*b]))
}

/// `None` where all are the same: the picture shows nothing there.
#[allow(clippy::cast_precision_loss, reason = "some thousands")]
fn in_deviations(mut found: Vec<f64>) -> Option<Votes> {
    let count = found.len() as f64;
    let mean = found.iter().sum::<f64>() / count;
    let deviation = (found.iter().map(|n| (n - mean).powi(2)).sum::<f64>() / count).sqrt();
    if deviation < 1e-6 {
        return None;
    }
    found.iter_mut().for_each(|n| *n = (*n - mean) / deviation);
    Some(found)
}

/// How brightness changes about an outline, east and north, as a share of what is usual there.
struct Slopes {
    wide: usize,
    high: usize,
    step: f64,
    slopes: Vec<(f32, f32)>,
    usual: f64,
}

impl Slopes {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some hundreds of pixels")]
    #[allow(clippy::cast_precision_loss, reason = "some hundreds of pixels")]
    fn about(picture: &Placed, outline: &Outline, search: &Search) -> Result<Option<Self>, ImageryError> {
        let step = search.step;
        let pixels = |half: f64| (half / step).ceil() as u32 * 2 + 2 * search.reach as u32 + 6;
        let (wide, high) = (pixels(outline.half_wide), pixels(outline.half_high));
        let window = Window {
            meters_high: f64::from(high) * step,
            ..Window::about(outline.longitude, outline.latitude, f64::from(wide) * step, wide, high)
        };
        let Some(cut) = picture.cut(&window)? else { return Ok(None) };
        if cut.covered < 0.8 {
            return Ok(None);
        }
        let (wide, high) = (wide as usize, high as usize);
        let light: Vec<f32> = cut
            .rgb
            .chunks_exact(3)
            .map(|p| f32::from(p[0]) * 0.3 + f32::from(p[1]) * 0.59 + f32::from(p[2]) * 0.11)
            .collect();
        let mut slopes = vec![(0.0, 0.0); wide * high];
        let mut sizes = Vec::new();
        for y in 1..high - 1 {
            for x in 1..wide - 1 {
                let at = y * wide + x;
                let rows = [at - wide, at, at + wide];
                if !rows.iter().all(|row| cut.seen[row - 1..=row + 1].iter().all(|seen| *seen)) {
                    continue;
                }
                let of = |row: usize, weight: f32| (light[row + 1] - light[row - 1]) * weight;
                let east = of(rows[0], 1.0) + of(rows[1], 2.0) + of(rows[2], 1.0);
                let up = |x: usize, weight: f32| (light[x - wide] - light[x + wide]) * weight;
                let north = up(at - 1, 1.0) + up(at, 2.0) + up(at + 1, 1.0);
                slopes[at] = (east, north);
                sizes.push(east.hypot(north));
            }
        }
        sizes.sort_unstable_by(f32::total_cmp);
        let usual = f64::from(sizes.get(sizes.len() / 2).copied().unwrap_or(0.0)).max(4.0);
        Ok(Some(Self { wide, high, step, slopes, usual }))
    }

    /// Across a direction, at a place in meters about the middle: between -1 and 1, steep slopes not much above others.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "looked at")]
    #[allow(clippy::cast_precision_loss, reason = "some hundreds of pixels")]
    fn across(&self, east: f64, north: f64, normal: (f64, f64)) -> f64 {
        let (x, y) =
            (east / self.step + self.wide as f64 / 2.0 - 0.5, self.high as f64 / 2.0 - north / self.step - 0.5);
        if x < 0.0 || y < 0.0 || x >= (self.wide - 1) as f64 || y >= (self.high - 1) as f64 {
            return 0.0;
        }
        let (i, j) = (x as usize, y as usize);
        let (s, t) = (x - i as f64, y - j as f64);
        let of = |i: usize, j: usize| {
            let (e, n) = self.slopes[j * self.wide + i];
            f64::from(e) * normal.0 + f64::from(n) * normal.1
        };
        let slope = (of(i, j) * (1.0 - s) + of(i + 1, j) * s) * (1.0 - t)
            + (of(i, j + 1) * (1.0 - s) + of(i + 1, j + 1) * s) * t;
        slope / (slope.abs() + 2.0 * self.usual)
    }
}
