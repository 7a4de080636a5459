//! Look-ups: metered, billed, counted and reported.

pub(crate) mod buffer;
pub(crate) mod metering;
pub(crate) mod report;
pub(crate) mod sum;
