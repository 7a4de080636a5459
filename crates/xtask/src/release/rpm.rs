//! The package for Fedora and its relatives, written by `rpmbuild` from the spec in `assets/package`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::edition::Edition;
use super::target::Target;
use super::tree::Tree;
use crate::command::run;
use crate::tools;

pub fn write(edition: &Edition<'_>, target: Target, tree: &Tree, output: &Path) -> Result<PathBuf> {
    tools::debian(&["rpmbuild"], &["rpm"], "the RPM package")?;
    let work = edition.scratch(&format!("rpm-{}", target.rpm()))?;
    let mut command = Command::new("rpmbuild");
    command.args(["-bb", "--quiet", "--target", &format!("{}-linux", target.rpm())]);
    let folder = |path: &Path| path.to_str().map(str::to_owned).context("a folder whose name is not UTF-8");
    for (name, value) in [
        ("_topdir", folder(&work)?),
        ("_rpmdir", folder(&work)?),
        ("_rpmfilename", "shingle.rpm".to_owned()),
        ("shingle_root", folder(&tree.folder)?),
        ("shingle_version", edition.version.clone()),
        // The same bytes on every machine and at every time.
        ("_buildhost", "localhost".to_owned()),
        ("use_source_date_epoch_as_buildtime", "1".to_owned()),
        ("clamp_mtime_to_source_date_epoch", "1".to_owned()),
        ("_binary_payload", "w19.zstdio".to_owned()),
    ] {
        command.arg("--define").arg(format!("{name} {value}"));
    }
    command.arg(edition.source("shingle.spec")).stdout(std::io::stderr());
    run(command.env("SOURCE_DATE_EPOCH", edition.time.to_string()))?;
    let place = output.join(format!("shingle-{}-1.{}.rpm", edition.version, target.rpm()));
    fs::copy(work.join("shingle.rpm"), &place).with_context(|| place.display().to_string())?;
    Ok(place)
}
