//! Look-ups: metered, billed, counted and reported.

pub(crate) mod buffer;
pub(crate) mod metering;
pub(crate) mod report;
pub(crate) mod sum;

use crate::Store;

/// Look-ups: metered, billed, counted and reported.
#[derive(Clone, Copy)]
pub struct Usage<'a> {
    pub(crate) store: &'a Store,
}

impl Store {
    pub fn usage(&self) -> Usage<'_> {
        Usage { store: self }
    }
}
