//! Where the streets and lots of the town lie, and what its addresses have in common.

use shingle_domain::evidence::Position;
use shingle_domain::{Address, State, Zip};

pub const CITY: &str = "Harrow Falls";
/// No real post office has this ZIP.
pub const ZIP: &str = "04995";
const STATE: &str = "ME";

/// The south-west corner of the town. In reality there are hills and woods.
pub(super) const CORNER: Position = Position { longitude: -69.05, latitude: 44.62 };
pub(super) const COLUMNS: usize = 8;
/// Metres between the beginnings of streets, eastwards and northwards, and from lot to lot.
pub(super) const BLOCK: (f64, f64) = (400.0, 106.0);
pub(super) const FRONTAGE: f64 = 26.0;
pub(super) const LOTS_A_SIDE: usize = 13;

pub(super) fn address(number: usize, street: &str) -> Option<Address> {
    Some(Address {
        street_number: number.to_string(),
        street_address: street.to_owned(),
        city: CITY.to_owned(),
        state: State::parse(STATE)?,
        zip: Zip::parse(ZIP)?,
    })
}
