//! Positions that cannot be in an index of the United States.

use shingle_domain::messages;

messages! {
    /// Why a position cannot be in an index of the United States.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Misplaced {
        Swapped => "coordinates look swapped: latitude is where longitude belongs",
        Outside => "outside the United States; is the projection right?",
        OtherState => "outside the state of its address; is the projection right?",
        NoNumber => "a coordinate is not a number",
    }
}

pub(crate) fn check_position(lon: f64, lat: f64) -> Result<(), Misplaced> {
    if in_united_states(lon, lat) {
        Ok(())
    } else if in_united_states(lat, lon) {
        Err(Misplaced::Swapped)
    } else {
        Err(Misplaced::Outside)
    }
}

/// The fifty states with the Aleutians, Puerto Rico, the Virgin Islands, Guam and the Marianas, Samoa.
fn in_united_states(lon: f64, lat: f64) -> bool {
    const BOXES: [[f64; 4]; 7] = [
        [-125.5, -66.5, 24.3, 49.6],
        [-180.0, -129.5, 51.0, 71.8],
        [172.0, 180.0, 51.0, 54.0],
        [-161.0, -154.0, 18.5, 22.7],
        [-68.0, -64.0, 17.3, 18.8],
        [144.0, 146.5, 13.0, 21.0],
        [-171.5, -168.0, -15.0, -10.5],
    ];
    BOXES.iter().any(|[west, east, south, north]| (*west..=*east).contains(&lon) && (*south..=*north).contains(&lat))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swapped_axes_are_told_from_a_wrong_projection() {
        assert_eq!(check_position(-76.4, 36.8), Ok(()));
        assert_eq!(check_position(36.8, -76.4), Err(Misplaced::Swapped));
        assert_eq!(check_position(12_092_000.0, 3_464_000.0), Err(Misplaced::Outside));
        assert_eq!(check_position(2.3, 48.8), Err(Misplaced::Outside));
    }
}
