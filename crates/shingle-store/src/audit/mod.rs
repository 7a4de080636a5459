//! The audit log: who changed what, when.

pub(crate) mod actor;
pub(crate) mod change;
pub(crate) mod log;
