//! `cargo xtask soak`: a real server among visitors and clients that mean harm, while it is killed, its disk is full and its
//! database dies. The run itself is `tests/soak`.

use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::Result;

use crate::command::{self, Compiler, cargo};
use crate::server;
use crate::workspace::Workspace;

/// The length of a run.
pub const SECONDS: &str = "SHINGLE_SOAK_SECONDS";

/// On SQLite and PostgreSQL at once, for this long each.
pub fn run(workspace: &Workspace, minutes: u64, seed: Option<u64>) -> Result<ExitCode> {
    let mut command = command(&Compiler::Rustc, workspace, Duration::from_secs(minutes * 60))?;
    if let Some(seed) = seed {
        command.env("SHINGLE_SOAK_SEED", seed.to_string());
    }
    command::run(&mut command)?;
    Ok(ExitCode::SUCCESS)
}

pub fn command(compiler: &Compiler, workspace: &Workspace, length: Duration) -> Result<Command> {
    let binary = server::build_by(compiler, workspace, false)?;
    let mut command = cargo();
    compiler.configure(&mut command);
    command.current_dir(&workspace.root);
    command.args(["test", "--workspace", "--test", "soak", "--", "--nocapture"]);
    command.env("SHINGLE_BINARY", binary).env(SECONDS, length.as_secs().to_string());
    Ok(command)
}
