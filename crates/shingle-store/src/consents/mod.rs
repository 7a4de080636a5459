//! Evidence of consent, as a chain for each account.

pub(crate) mod chain;
pub(crate) mod check;
pub(crate) mod consent;
pub(crate) mod texts;

use crate::Store;

/// Evidence of consent, as a chain for each account.
#[derive(Clone, Copy)]
pub struct Consents<'a> {
    pub(crate) store: &'a Store,
}

impl Store {
    pub fn consents(&self) -> Consents<'_> {
        Consents { store: self }
    }
}
