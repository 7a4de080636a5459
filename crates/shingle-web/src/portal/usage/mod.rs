//! What was used and what came of it: look-ups, results, towns.

pub(crate) mod look_ups;
pub(crate) mod missing_towns;
pub(crate) mod results;
pub(crate) mod towns;
