//! Programs that are run, and the lines that say so. Announcements go to standard error; what a task was
//! asked for goes to standard output.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// A command that writes nothing for this long is reported as still running.
const MAX_SILENCE: Duration = Duration::from_secs(8);

/// One line of what is being done.
pub fn say(what: &str) {
    if io::stderr().is_terminal() {
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

/// What compiles our crates.
#[derive(Debug, Clone)]
pub enum Compiler {
    Rustc,
    /// It compiles as rustc does, and lints on the way. A whole run of the suite would otherwise read everything twice,
    /// our crates and those that they depend on.
    Clippy {
        driver: PathBuf,
    },
}

impl Compiler {
    /// Clippy, with each warning an error.
    pub fn clippy() -> Result<Self> {
        let sysroot = read(Command::new("rustc").args(["--print", "sysroot"]))?;
        let driver = Path::new(sysroot.trim()).join("bin/clippy-driver");
        anyhow::ensure!(driver.is_file(), "clippy is missing: rustup component add clippy");
        Ok(Self::Clippy { driver })
    }

    /// What `cargo clippy` sets for the command that it runs.
    pub fn configure(&self, command: &mut Command) {
        if let Self::Clippy { driver } = self {
            command.env("RUSTC_WORKSPACE_WRAPPER", driver);
            command.env("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__");
        }
    }
}

/// Runs to the end; a failure names the command.
pub fn run(command: &mut Command) -> Result<()> {
    let line = shown(command);
    let status = relay(command.stdin(Stdio::null())).with_context(|| format!("could not run `{line}`"))?;
    if status.success() { Ok(()) } else { bail!("`{line}` failed ({status})") }
}

/// The same, beside another program: their progress bars would fight for one line.
pub fn run_piped(command: &mut Command) -> Result<()> {
    let line = shown(command);
    let status = watch(command.stdin(Stdio::null()).stderr(Stdio::piped()), |_| {})
        .with_context(|| format!("could not run `{line}`"))?;
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

/// Runs to the end, shows what it writes and returns it, with whether it succeeded.
pub fn tee(command: &mut Command) -> Result<(bool, String)> {
    let line = shown(command);
    let mut text = Vec::new();
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    if !io::stderr().is_terminal() {
        command.stderr(Stdio::piped());
    }
    let status =
        watch(command, |bytes| text.extend_from_slice(bytes)).with_context(|| format!("could not run `{line}`"))?;
    Ok((status.success(), String::from_utf8_lossy(&text).into_owned()))
}

/// On a terminal, programs show their own progress. Elsewhere their output is passed on.
fn relay(command: &mut Command) -> Result<ExitStatus> {
    if io::stderr().is_terminal() {
        return Ok(command.status()?);
    }
    watch(command.stderr(Stdio::piped()), |_| {})
}

/// What a program's pipes tell.
enum Heard {
    Out(Vec<u8>),
    Err(Vec<u8>),
}

/// Passes on what a program writes to its pipes, and says now and then that it is still running while it writes
/// nothing. `hear` gets all that it writes.
#[allow(clippy::disallowed_methods, reason = "tells people how long they have been waiting")]
fn watch(command: &mut Command, mut hear: impl FnMut(&[u8])) -> Result<ExitStatus> {
    let name = shown(command);
    let mut child: Child = command.spawn()?;
    let (sender, heard) = mpsc::channel();
    if let Some(pipe) = child.stdout.take() {
        listen(pipe, sender.clone(), Heard::Out);
    }
    if let Some(pipe) = child.stderr.take() {
        listen(pipe, sender.clone(), Heard::Err);
    }
    drop(sender);
    let begun = Instant::now();
    loop {
        match heard.recv_timeout(MAX_SILENCE) {
            Ok(Heard::Out(bytes)) => {
                hear(&bytes);
                io::stdout().write_all(&bytes)?;
                io::stdout().flush()?;
            }
            Ok(Heard::Err(bytes)) => {
                hear(&bytes);
                io::stderr().write_all(&bytes)?;
            }
            Err(RecvTimeoutError::Timeout) => {
                // A program that it left behind may keep the pipes open.
                if let Some(status) = child.try_wait()? {
                    return Ok(status);
                }
                eprintln!("    still running after {} s: {}", begun.elapsed().as_secs(), first_words(&name));
            }
            // Both pipes are closed.
            Err(RecvTimeoutError::Disconnected) => return Ok(child.wait()?),
        }
    }
}

fn listen(pipe: impl Read + Send + 'static, to: mpsc::Sender<Heard>, kind: fn(Vec<u8>) -> Heard) {
    thread::spawn(move || {
        let mut pipe = BufReader::new(pipe);
        let mut line = Vec::new();
        while pipe.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            if to.send(kind(std::mem::take(&mut line))).is_err() {
                return;
            }
        }
    });
}

fn first_words(line: &str) -> String {
    let mut short: String = line.chars().take(100).collect();
    if short.len() < line.len() {
        short.push('…');
    }
    short
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
    let words: Vec<_> = words.map(|w| w.to_string_lossy().into_owned()).collect();
    let Some((program, rest)) = words.split_first() else { return String::new() };
    let program = Path::new(program).file_name().map_or(program.clone(), |name| name.to_string_lossy().into_owned());
    [&[program], rest].concat().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_teed_command_returns_what_it_wrote_and_its_verdict() {
        let (ok, text) = tee(Command::new("sh").args(["-c", "echo one; echo two >&2; printf three"])).unwrap();
        assert!(ok);
        // Two pipes have no common order.
        assert!(["one\n", "two\n", "three"].iter().all(|line| text.contains(line)), "{text}");
        let (ok, text) = tee(Command::new("sh").args(["-c", "echo one; exit 3"])).unwrap();
        assert!(!ok);
        assert_eq!(text, "one\n");
    }

    #[test]
    fn a_failed_command_is_named_without_its_folder() {
        let error = run(Command::new("/bin/sh").args(["-c", "exit 3"])).unwrap_err().to_string();
        assert!(error.starts_with("`sh -c exit 3` failed"), "{error}");
    }
}
