//! Who did what, and what homeowners were shown.

pub(crate) mod audit;
pub(crate) mod consent_texts;
