//! An import from beginning to end, and the check that writes nothing.

pub(crate) mod check;
pub(crate) mod checkpoint;
pub(crate) mod coverage;
pub(crate) mod import;
pub(crate) mod rejects;
pub(crate) mod sink;
pub(crate) mod suggestion;
