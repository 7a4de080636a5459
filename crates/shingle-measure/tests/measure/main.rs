//! The crate from files to figures: houses of known truth, real ones from the research data, awkward and damaged files.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod damaged;
mod found;
mod houses;
mod methods_page;
mod octrees;
mod placed;
mod same;
mod shared_data;
mod support;
mod traps;
mod zurich;

use std::path::{Path, PathBuf};

use shingle_measure::{Measured, Outline, Outlines, Unmeasured, measure_files};
use support::las::{Kind, TestPoint, file};

/// One outline without a coordinate system.
pub fn outline(id: &str, ring: Vec<(f64, f64)>) -> Outline {
    Outline { id: id.to_owned(), parts: vec![vec![ring]] }
}

pub fn outlines(outlines: Vec<Outline>) -> Outlines {
    Outlines { outlines, code: None, says_degrees: false }
}

pub fn write(folder: &Path, name: &str, kind: &Kind, points: &[TestPoint]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, file(kind, points)).unwrap();
    path
}

/// Of one roof in one file.
pub fn measured(kind: &Kind, points: &[TestPoint], ring: Vec<(f64, f64)>) -> Result<Measured, Unmeasured> {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "points.las", kind, points);
    let report = measure_files(&[path], &outlines(vec![outline("house", ring)])).unwrap();
    report.roofs.into_iter().next().unwrap().result
}
