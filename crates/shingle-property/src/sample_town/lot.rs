//! A piece of the town's land.

use shingle_domain::Address;
use shingle_domain::evidence::Position;

/// A piece of land with an address.
pub(super) struct Lot {
    pub address: Address,
    pub parcel: String,
    /// The middle of the house.
    pub at: Position,
    /// How far the street is turned from east, counter-clockwise, in radians; houses face it.
    pub turn: f64,
    /// Which way the house looks: the even side faces north.
    pub even: bool,
    /// Oldest by the river, newest on the hill: the year the street was laid out.
    pub laid_out: u16,
}
