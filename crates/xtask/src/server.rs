//! The `shingle` binary: built, asked, started and stopped.

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::command::{Compiler, cargo, read, run, run_piped, say};
use crate::runtime;
use crate::workspace::Workspace;

/// Builds the binary and the runtime that it sends to browsers.
pub fn build(workspace: &Workspace, release: bool) -> Result<PathBuf> {
    build_by(&Compiler::Rustc, workspace, release)
}

pub fn build_by(compiler: &Compiler, workspace: &Workspace, release: bool) -> Result<PathBuf> {
    let mut command = cargo();
    command.current_dir(&workspace.root).args(["build", "--bin", "shingle"]);
    compiler.configure(&mut command);
    if release {
        // It carries the runtime.
        runtime::build(workspace)?;
        say("building the server (release)");
        run(command.args(["--package", "shingle", "--release"]))?;
    } else {
        // Tests have the features of the whole workspace: the same here, or everything would be compiled once more.
        command.arg("--workspace");
        runtime::build_beside(compiler, workspace, || {
            say("building the server (debug)");
            run_piped(&mut command)
        })?;
    }
    Ok(workspace.program("shingle", release))
}

/// The source of homes that browser journeys load from.
pub fn build_bucket(compiler: &Compiler, workspace: &Workspace) -> Result<PathBuf> {
    let mut command = cargo();
    command.current_dir(&workspace.root).args(["build", "--workspace", "--bin", "area-bucket"]);
    compiler.configure(&mut command);
    run(&mut command)?;
    Ok(workspace.program("area-bucket", false))
}

/// The binary with the data folder it works on.
pub struct Shingle {
    pub binary: PathBuf,
    pub data: PathBuf,
}

impl Shingle {
    /// One command line, answered in JSON.
    pub fn ask(&self, words: &[&str]) -> Result<Value> {
        let mut command = Command::new(&self.binary);
        let text = read(command.args(words).arg("--json").arg("--data").arg(&self.data))?;
        serde_json::from_str(&text)
            .with_context(|| format!("`shingle {} --json` did not answer JSON: {text}", words.join(" ")))
    }

    /// Starts serving and returns when requests are answered.
    pub fn serve(&self, listen: SocketAddr, stop: &Stop) -> Result<()> {
        self.start(listen, stop, Command::new(&self.binary))
    }

    /// The same, without a line for every request.
    pub fn serve_quietly(&self, listen: SocketAddr, stop: &Stop) -> Result<()> {
        let mut command = Command::new(&self.binary);
        command.env("SHINGLE_LOG", "warn");
        self.start(listen, stop, command)
    }

    fn start(&self, listen: SocketAddr, stop: &Stop, mut command: Command) -> Result<()> {
        command.arg("serve").arg("--listen").arg(listen.to_string()).arg("--data").arg(&self.data);
        command.arg("--base-url").arg(format!("http://{listen}")).stdin(Stdio::null());
        // Standard output is for what the task was asked for.
        command.stdout(std::io::stderr());
        let child = command.spawn().with_context(|| format!("could not start {}", self.binary.display()))?;
        stop.hold(child);
        for _ in 0..600 {
            if let Some(status) = stop.ended()? {
                bail!("the server stopped before it was ready ({status})");
            }
            if ready(listen) {
                return Ok(());
            }
            sleep(Duration::from_millis(50));
        }
        bail!("the server did not get ready on {listen}")
    }
}

fn ready(listen: SocketAddr) -> bool {
    ureq::get(format!("http://{listen}/readyz")).call().is_ok()
}

/// The started server, to be stopped from wherever the end comes: Ctrl-C, an error, the end of a task.
#[derive(Clone, Default)]
pub struct Stop(Arc<Mutex<Option<Child>>>);

impl Stop {
    fn hold(&self, child: Child) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(child);
    }

    fn ended(&self) -> Result<Option<std::process::ExitStatus>> {
        match self.0.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            Some(child) => Ok(child.try_wait()?),
            None => Ok(None),
        }
    }

    /// Waits until the server ends on its own.
    pub fn wait(&self) -> Result<std::process::ExitStatus> {
        loop {
            match self.ended()? {
                Some(status) => return Ok(status),
                None => sleep(Duration::from_millis(200)),
            }
        }
    }

    pub fn now(&self) {
        if let Some(mut child) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Stop {
    fn drop(&mut self) {
        if Arc::strong_count(&self.0) == 1 {
            self.now();
        }
    }
}

/// This port of the loopback address, or the next one that nobody uses.
pub fn free_port(from: u16) -> Result<SocketAddr> {
    for port in from..=from.saturating_add(50) {
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        match TcpListener::bind(address) {
            Ok(_) => return Ok(address),
            Err(error) if error.kind() == ErrorKind::AddrInUse => {}
            Err(error) => return Err(error).with_context(|| format!("cannot listen on {address}")),
        }
    }
    bail!("no free port from {from} on")
}

/// Removes a folder that this program made.
pub fn forget(folder: &Path) -> Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error).context(folder.display().to_string()),
        _ => Ok(()),
    }
}
