//! The text that a street is searched by.

use shingle_address::Street;
use shingle_address::tables::{direction_long, suffix};

/// Name, suffix and last direction spelled out: `DRUM POINT CRESCENT`, `BUGLE DRIVE WEST`. The direction
/// before the name is left out: people leave it out.
pub(crate) fn title_of(street: &Street) -> String {
    let long = suffix(&street.suffix).map_or(street.suffix.as_str(), |s| s.long);
    let words = [street.name.as_str(), long, direction_long(&street.postdir)];
    words.iter().filter(|w| !w.is_empty()).copied().collect::<Vec<_>>().join(" ")
}
