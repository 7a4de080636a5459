//! Node.js, for the browser's tests and benches, with the packages they use.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::command::{on_path, run, say};
use crate::workspace::Workspace;

pub struct Node {
    pub node: PathBuf,
    pub npm: PathBuf,
}

/// Node.js as installed, with the packages of `tests/browser` in workspace.
pub fn ready(workspace: &Workspace, what_for: &str) -> Result<Node> {
    let found = Node::find(what_for)?;
    let folder = workspace.root.join("tests/browser");
    if !installed(&folder) {
        say("npm ci in tests/browser (playwright-core; the browser is Chromium as installed)");
        found.npm(&folder, &["ci"])?;
    }
    Ok(found)
}

impl Node {
    pub fn find(what_for: &str) -> Result<Self> {
        let (Some(node), Some(npm)) = (on_path("node"), on_path("npm")) else {
            bail!("Node.js 20 or newer with npm is missing, which {what_for} need: install it");
        };
        Ok(Self { node, npm })
    }

    /// npm in this folder, which runs no scripts of packages.
    pub fn npm(&self, folder: &Path, words: &[&str]) -> Result<()> {
        let quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"];
        run(Command::new(&self.npm).args(words).args(quiet).current_dir(folder).stdout(std::io::stderr()))
    }
}

/// Whether node_modules is of this lock file: npm leaves its own copy there when it is done.
pub fn installed(folder: &Path) -> bool {
    let changed = |name: &str| folder.join(name).metadata().and_then(|m| m.modified()).ok();
    match (changed("node_modules/.package-lock.json"), changed("package-lock.json")) {
        (Some(done), Some(wanted)) => done >= wanted,
        _ => false,
    }
}
