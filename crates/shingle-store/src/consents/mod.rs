//! Evidence of consent, as a chain for each account.

pub(crate) mod chain;
pub(crate) mod check;
pub(crate) mod consent;
pub(crate) mod texts;
