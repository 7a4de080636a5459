//! What is to be imported, and how progress is reported.

use std::path::PathBuf;

use crate::mapping::file::Mapping;

/// Files of one data set, all read with one mapping.
#[derive(Debug)]
pub struct ImportJob<'a> {
    pub files: Vec<PathBuf>,
    pub mapping: &'a Mapping,
    /// The property index to import into.
    pub into: PathBuf,
}

/// Is told how many rows were read.
pub trait Progress {
    /// The rows of all files together, where every file states its number.
    fn total(&mut self, rows: Option<u64>);
    fn advance(&mut self, rows: u64);
    /// Asked repeatedly while rows are read: whether the import is to end and leave nothing.
    fn stops(&self) -> bool {
        false
    }
}

/// No progress is shown.
impl Progress for () {
    fn total(&mut self, _: Option<u64>) {}
    fn advance(&mut self, _: u64) {}
}
