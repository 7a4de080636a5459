//! The audit log: who changed what, when.

pub(crate) mod actor;
pub(crate) mod change;
pub(crate) mod log;

use crate::Store;

/// The audit log: who changed what, when.
#[derive(Clone, Copy)]
pub struct Audit<'a> {
    pub(crate) store: &'a Store,
}

impl Store {
    pub fn audit(&self) -> Audit<'_> {
        Audit { store: self }
    }
}
