//! One version of the program, made of one commit.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::command::read;
use crate::server;
use crate::workspace::Workspace;

/// What all files of a release have in common.
pub struct Edition<'w> {
    pub workspace: &'w Workspace,
    pub version: String,
    /// Of the commit, in seconds since 1970: the only time that is written into a file.
    pub time: u64,
    /// The same: `2026-11-29T02:12:32Z`.
    pub time_text: String,
    pub commit: String,
}

impl<'w> Edition<'w> {
    pub fn of(workspace: &'w Workspace) -> Result<Self> {
        let git = |words: &[&str]| read(Command::new("git").current_dir(&workspace.root).args(words).env("TZ", "UTC"));
        let time = git(&["log", "-1", "--format=%ct"]).context("a release is made of a commit")?;
        Ok(Self {
            workspace,
            version: workspace.version()?.to_owned(),
            time: time.trim().parse().context("the time of the commit")?,
            time_text: git(&["log", "-1", "--date=format-local:%Y-%m-%dT%H:%M:%SZ", "--format=%cd"])?.trim().to_owned(),
            commit: git(&["rev-parse", "HEAD"])?.trim().to_owned(),
        })
    }

    /// Where packaging files are.
    pub fn source(&self, name: &str) -> PathBuf {
        self.workspace.root.join("assets/package").join(name)
    }

    /// Copies a packaging file that names the version.
    pub fn put(&self, name: &str, output: &Path) -> Result<()> {
        let text = fs::read_to_string(self.source(name)).with_context(|| name.to_owned())?;
        fs::write(output.join(name), text.replace("@VERSION@", &self.version)).with_context(|| name.to_owned())
    }

    pub fn output(&self) -> PathBuf {
        self.workspace.target.join("release-files")
    }

    /// For files that are made on the way.
    pub fn scratch(&self, name: &str) -> Result<PathBuf> {
        let folder = self.workspace.target.join("release-work").join(name);
        server::forget(&folder)?;
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        Ok(folder)
    }
}
