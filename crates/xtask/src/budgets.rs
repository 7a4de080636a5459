//! What things cost, in `budgets.json`. More than a twentieth above a figure is a failure: a change that needs more raises
//! the figure in its commit, and says why.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::workspace::Workspace;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Budgets {
    /// In `Cargo.lock`.
    pub packages: u64,
    /// Lines of Rust in the largest crate's `src`.
    pub lines_of_largest_crate: u64,
    /// Of the debug build, by request, in the task of its connection: `cargo xtask bench cost`.
    pub instructions: BTreeMap<String, u64>,
}

/// A twentieth above the figure.
pub fn most(figure: u64) -> u64 {
    figure + figure / 20
}

impl Budgets {
    pub fn read(workspace: &Workspace) -> Result<Self> {
        let path = workspace.root.join("crates/xtask/budgets.json");
        let text = fs::read(&path).with_context(|| path.display().to_string())?;
        serde_json::from_slice(&text).with_context(|| path.display().to_string())
    }

    pub fn write(&self, workspace: &Workspace) -> Result<()> {
        let path = workspace.root.join("crates/xtask/budgets.json");
        fs::write(&path, serde_json::to_string_pretty(self)? + "\n").with_context(|| path.display().to_string())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn lines(folder: &Path) -> u64 {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries
            .map(|path| match path.extension() {
                _ if path.is_dir() => lines(&path),
                Some(end) if end == "rs" => fs::read_to_string(&path).unwrap().lines().count() as u64,
                _ => 0,
            })
            .sum()
    }

    #[test]
    fn no_crate_grows_unnoticed() {
        let workspace = Workspace::find().unwrap();
        let budget = Budgets::read(&workspace).unwrap().lines_of_largest_crate;
        let crates =
            fs::read_dir(workspace.root.join("crates")).unwrap().map(|entry| entry.unwrap().path().join("src"));
        let (largest, of) = crates.filter(|src| src.is_dir()).map(|src| (lines(&src), src)).max().unwrap();
        assert!(largest <= most(budget), "{} has {largest} lines, of {budget}", of.display());
        assert!(largest >= budget - budget / 5, "lower the figure to {largest}: the gain is to be kept");
    }

    #[test]
    fn no_package_comes_unnoticed() {
        let workspace = Workspace::find().unwrap();
        let budget = Budgets::read(&workspace).unwrap().packages;
        let lock = fs::read_to_string(workspace.root.join("Cargo.lock")).unwrap();
        let packages = lock.lines().filter(|line| *line == "[[package]]").count() as u64;
        assert!(packages <= most(budget), "{packages} packages in the lock, of {budget}");
        assert!(packages >= budget - budget / 5, "lower the figure to {packages}: the gain is to be kept");
    }
}
