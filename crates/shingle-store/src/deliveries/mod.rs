//! Events on their way: the outbox, what is sent where, and what came back.

pub(crate) mod circuit;
pub(crate) mod delivery;
pub(crate) mod event;
pub(crate) mod fan_out;
pub(crate) mod log;
pub(crate) mod result;

use crate::Store;

/// Events on their way: the outbox, what is sent where, and what came back.
#[derive(Clone, Copy)]
pub struct Deliveries<'a> {
    pub(crate) store: &'a Store,
}

impl Store {
    pub fn deliveries(&self) -> Deliveries<'_> {
        Deliveries { store: self }
    }
}
