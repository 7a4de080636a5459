//! An import from beginning to end, and the check that writes nothing.

pub(crate) mod advice;
pub(crate) mod check;
pub(crate) mod check_report;
pub(crate) mod checkpoint;
pub(crate) mod coverage;
pub(crate) mod fingerprint;
pub(crate) mod import;
pub(crate) mod import_problem;
pub(crate) mod job;
pub(crate) mod own_rows;
pub(crate) mod plausible;
pub(crate) mod rejects;
pub(crate) mod report;
pub(crate) mod sink;
pub(crate) mod suggestion;
