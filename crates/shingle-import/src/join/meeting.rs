//! Points with addresses and outlines without: they meet where no parcel brings them together. A point takes the outline
//! it lies in; one that lies in none takes the nearest, within bounds and only where no other is meant. With a layer of
//! parcels the lots decide, and nothing meets across their lines.
//!
//! # Decision
//!
//! Without parcels, an address point meets the outline it lies in, else one clearly nearest within 20 m that no other
//! point claims; the import reports how many. With parcels, lots decide alone. Turned down: always the nearest
//! outline, which gives a home its neighbor's roof.

use std::collections::HashMap;

use shingle_domain::evidence::{Polygon, Position};
use shingle_property::geometry::LocalPlane;

use crate::geo::areas::{Areas, AreasBuilder};
use crate::join::layer_note::LayerNote;
use crate::row::imported::ImportedRow;
use crate::row::row_problem::RowProblem;
use crate::row::stats::JoinStats;

/// Points of sources lie on the roof, at the door or at the drive: farther away it may be the neighbor's house.
const NEAR_METRES: f64 = 20.0;
/// The next outline must be so much farther away than the nearest.
const CLEAR_RATIO: f64 = 1.5;
/// Square meters. A smaller outline is a shed or a garage, and taken only by a point in it.
const MIN_HOME_AREA: f32 = 40.0;

#[derive(Default)]
pub(crate) struct MeetingBuilder {
    outlines: AreasBuilder,
    /// By file and row.
    numbers: HashMap<(u16, u64), u32>,
    /// Outlines that have an address of their own.
    addressed: Vec<u32>,
    points: Vec<Position>,
}

pub(crate) struct Meeting {
    outlines: Areas,
    numbers: HashMap<(u16, u64), u32>,
    /// Of each outline, what is known of its address.
    state: Vec<OutlineState>,
    /// Where points lie that take an outline near them.
    near: HashMap<(u64, u64), u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OutlineState {
    Free,
    /// Points lie in it, or one took it.
    Met,
    Addressed,
}

impl MeetingBuilder {
    /// Notes what a row brings.
    pub fn note(&mut self, row: &ImportedRow) {
        let Some(origin) = row.origin.filter(|_| row.parcel.is_none()) else { return };
        if row.plan.is_empty() {
            if row.address.is_some() {
                self.points.push(origin);
            }
            return;
        }
        // What cannot be looked up by place meets nobody.
        let Ok(number) = self.outlines.push(&rings(&row.plan, origin)) else { return };
        if row.address.is_some() {
            self.addressed.push(number);
        } else {
            self.numbers.insert((row.file, row.row), number);
        }
    }

    pub fn finish(self) -> Meeting {
        let outlines = self.outlines.finish();
        let mut state = vec![OutlineState::Free; outlines.len()];
        let mut set = |number: u32, to: OutlineState| {
            if let Some(state) = state.get_mut(number as usize) {
                *state = to;
            }
        };
        let mut outside = Vec::new();
        for point in self.points {
            match outlines.at(point) {
                Some(number) => set(number, OutlineState::Met),
                None => outside.push(point),
            }
        }
        self.addressed.iter().for_each(|number| set(*number, OutlineState::Addressed));
        // Of several points that would take one outline, the nearest does.
        let mut takers: HashMap<u32, (f64, Position)> = HashMap::new();
        for point in outside {
            let Some((number, metres)) = clearly_nearest(&outlines, point) else { continue };
            if state.get(number as usize) == Some(&OutlineState::Free) {
                let taker = takers.entry(number).or_insert((metres, point));
                if metres < taker.0 {
                    *taker = (metres, point);
                }
            }
        }
        let mut near = HashMap::with_capacity(takers.len());
        for (number, (_, point)) in takers {
            near.insert(bits(point), number);
            if let Some(state) = state.get_mut(number as usize) {
                *state = OutlineState::Met;
            }
        }
        Meeting { outlines, numbers: self.numbers, state, near }
    }
}

impl Meeting {
    /// Brings a row to its outline, or an outline to its rows. The error is the reason why an outline is of no use.
    pub fn join(&self, row: &mut ImportedRow, joins: &mut JoinStats) -> Result<(), RowProblem> {
        let Some(origin) = row.origin else { return Ok(()) };
        let number = match (row.plan.is_empty(), row.address.is_some()) {
            (false, true) | (true, false) => return Ok(()),
            (false, false) => {
                let number = self.numbers.get(&(row.file, row.row)).copied();
                let met = number.filter(|n| self.state_of(*n) == Some(OutlineState::Met));
                Some(met.ok_or(RowProblem::NoPoint)?)
            }
            (true, true) => {
                let within = self.outlines.at(origin);
                joins.in_outline += u64::from(within.is_some());
                let found = match within {
                    // Its outline comes with its own address.
                    Some(number) => Some(number).filter(|n| self.state_of(*n) != Some(OutlineState::Addressed)),
                    None => self.near.get(&bits(origin)).copied().inspect(|_| joins.near_outline += 1),
                };
                joins.no_outline += u64::from(found.is_none() && within.is_none());
                found
            }
        };
        if let Some(number) = number {
            row.group = format!("o{number}");
        }
        Ok(())
    }

    pub fn notes(&self, joins: &JoinStats) -> LayerNote {
        let &JoinStats { in_outline, near_outline, no_outline, .. } = joins;
        LayerNote::Met { in_outline, near_outline, near: NEAR_METRES as u32, no_outline }
    }

    pub fn memory(&self) -> LayerNote {
        let megabytes = (self.outlines.bytes() + self.numbers.capacity() * 24) as f64 / 1e6;
        LayerNote::Outlines { outlines: self.outlines.len(), megabytes: format!("{megabytes:.1}") }
    }

    fn state_of(&self, number: u32) -> Option<OutlineState> {
        self.state.get(number as usize).copied()
    }
}

/// The outline that a point outside of all means, if one is clearly nearer than the next.
fn clearly_nearest(outlines: &Areas, point: Position) -> Option<(u32, f64)> {
    let mut found = outlines.within(point, NEAR_METRES * CLEAR_RATIO);
    found.retain(|(number, _)| outlines.size(*number) >= MIN_HOME_AREA);
    found.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    let (number, metres) = *found.first()?;
    let is_clear = found.get(1).is_none_or(|next| next.1 >= metres * CLEAR_RATIO);
    (metres <= NEAR_METRES && is_clear).then_some((number, metres))
}

/// In longitude and latitude.
pub(super) fn rings(plan: &[Polygon], origin: Position) -> Vec<Vec<(f64, f64)>> {
    let plane = LocalPlane::at(origin);
    let all = plan.iter().flat_map(|p| std::iter::once(&p.exterior).chain(&p.holes));
    let degrees = |p| {
        let at = plane.position(p);
        (at.longitude, at.latitude)
    };
    all.map(|ring| ring.iter().map(|p| degrees(*p)).collect()).collect()
}

fn bits(at: Position) -> (u64, u64) {
    (at.longitude.to_bits(), at.latitude.to_bits())
}
