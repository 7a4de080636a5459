//! Where a picture lies against outlines of buildings.

use crate::error::ImageryError;
use crate::placed::Placed;

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

pub fn find_shift(
    _picture: &Placed,
    _outlines: &[Vec<[f64; 2]>],
    _most_meters: f64,
) -> Result<Option<Shift>, ImageryError> {
    Ok(None)
}
