//! Programs that are run, and the lines that say so. Announcements go to standard error; what a task was
//! asked for goes to standard output.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// One line of what is being done.
pub fn say(what: &str) {
    if std::io::stderr().is_terminal() {
        eprintln!("\x1b[1;36m==>\x1b[0m {what}");
    } else {
        eprintln!("==> {what}");
    }
}

/// The cargo that runs this program.
pub fn cargo() -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    // What cargo told this program about its own package is not for the next one.
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command
}

/// Runs to the end; a failure names the command.
pub fn run(command: &mut Command) -> Result<()> {
    let line = shown(command);
    let status = command.stdin(Stdio::null()).status().with_context(|| format!("could not start `{line}`"))?;
    if status.success() { Ok(()) } else { bail!("`{line}` failed ({status})") }
}

/// Runs to the end and returns what it wrote to standard output.
pub fn read(command: &mut Command) -> Result<String> {
    let line = shown(command);
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("could not start `{line}`"))?;
    if !output.status.success() {
        bail!("`{line}` failed ({})", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{line}` wrote something that is not text"))
}

/// Runs to the end, shows what it writes to standard output and returns it, with whether it succeeded.
pub fn tee(command: &mut Command) -> Result<(bool, String)> {
    let line = shown(command);
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("could not start `{line}`"))?;
    let mut text = String::new();
    if let Some(pipe) = child.stdout.take() {
        let mut pipe = BufReader::new(pipe);
        let mut raw = Vec::new();
        let mut out = std::io::stdout();
        while pipe.read_until(b'\n', &mut raw)? > 0 {
            out.write_all(&raw)?;
            text.push_str(&String::from_utf8_lossy(&raw));
            raw.clear();
        }
        out.flush()?;
    }
    Ok((child.wait()?.success(), text))
}

/// The first file of this name on the search path.
pub fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(program)).find(|file| file.is_file())
}

/// The search path with these folders before it.
pub fn path_with(folders: &[&Path]) -> Result<OsString> {
    let rest = std::env::var_os("PATH").unwrap_or_default();
    let all = folders.iter().map(|f| f.to_path_buf()).chain(std::env::split_paths(&rest));
    std::env::join_paths(all).context("a folder name that cannot stand in PATH")
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|w| w.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
