//! How much of the window the home takes, and how far that may grow.

use crate::plan::Detail;

/// How far the window grows for the street to be in it, and for a neighbor.
const ZOOMS: [f64; 5] = [1.0, 1.1, 1.2, 1.3, 1.4];

#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// What of its width and of its height the buildings take.
    pub share: [f64; 2],
    pub zooms: &'static [f64],
    /// How many times as wide as the window a wide pane is at least: the area beside the window has a number there.
    pub pane: f64,
    /// The pane is always a wide one.
    pub paper: bool,
    /// What of its height is free below the home: the switch to the photograph is there.
    pub foot: f64,
}

impl Frame {
    pub const MAX_ZOOM_FOR_A_NEIGHBOR: f64 = 1.2;

    /// `numbered`: small planes have to hold their numbers, before the street is shown.
    pub fn of(detail: Detail, buildings: usize, numbered: bool, photo: bool) -> Self {
        let paper = detail == Detail::Paper;
        let share = match (buildings, paper) {
            _ if numbered => [0.8, 0.8],
            (0 | 1, false) => [0.42, 0.56],
            (0 | 1, true) => [0.56, 0.62],
            _ => [0.72, 0.68],
        };
        // A sheet that lists facets has a lower drawing.
        let pane = match (paper, numbered) {
            (false, _) => 1.6,
            (true, false) => 1.35,
            (true, true) => 1.85,
        };
        let foot = if photo { 0.26 } else { 0.0 };
        Self { share, zooms: if numbered { &ZOOMS[..1] } else { &ZOOMS }, pane, paper, foot }
    }
}
