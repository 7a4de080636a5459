//! `cargo xtask chaos`: three nodes of one installation, while nodes, database, storage and clocks fail in turn. The run itself is
//! `tests/chaos`.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::Result;

use crate::command::{self, Compiler, cargo};
use crate::workspace::Workspace;
use crate::{runtime, tools};

/// The length of a run.
pub const SECONDS: &str = "SHINGLE_CHAOS_SECONDS";
/// Sets the clock of one process.
const FAKETIME: &str = "libfaketimeMT.so.1";

pub fn run(workspace: &Workspace, minutes: u64, seed: Option<u64>) -> Result<ExitCode> {
    let faketime = faketime().inspect_err(|error| eprintln!("{error:#}. Clocks are left as they are.")).ok();
    let mut command = command(&Compiler::Rustc, workspace, Duration::from_secs(minutes * 60), faketime.as_deref())?;
    if let Some(seed) = seed {
        command.env("SHINGLE_CHAOS_SEED", seed.to_string());
    }
    command::run(&mut command)?;
    Ok(ExitCode::SUCCESS)
}

pub fn command(
    compiler: &Compiler,
    workspace: &Workspace,
    length: Duration,
    faketime: Option<&Path>,
) -> Result<Command> {
    // What the nodes embed: the program is the same as that of other tests.
    runtime::build(workspace)?;
    let mut command = cargo();
    compiler.configure(&mut command);
    command.current_dir(&workspace.root);
    command.args(["test", "--workspace", "--test", "chaos", "--", "--nocapture"]);
    command.env(SECONDS, length.as_secs().to_string());
    if let Some(library) = faketime {
        command.env("SHINGLE_FAKETIME", library);
    }
    Ok(command)
}

/// Debian's library for a step of one node's clock.
pub fn faketime() -> Result<PathBuf> {
    tools::debian_unless(|| find().is_some(), &["libfaketime"], "steps of a node's clock")?;
    find().ok_or_else(|| anyhow::anyhow!("{FAKETIME} is not where Debian keeps it"))
}

fn find() -> Option<PathBuf> {
    let folders = std::fs::read_dir("/usr/lib").ok()?.flatten();
    folders.map(|folder| folder.path().join("faketime").join(FAKETIME)).find(|file| file.is_file())
}
