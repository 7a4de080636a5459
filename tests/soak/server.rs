//! An installation of the real program, and the process that serves it.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use shingle_app::config::LimitSettings;

use crate::client::plain_client;
use crate::faults::Faults;

/// A server that does not come to this in a minute never does.
const PATIENCE: Duration = Duration::from_secs(60);
/// Ten times the half minute that the server gives itself.
const MOST_TO_END: Duration = Duration::from_secs(300);
const PAUSE: Duration = Duration::from_millis(100);
/// Cents of one look-up: a price that no sum of other prices gives.
pub const PRICE: i64 = 7;

#[derive(Clone)]
pub struct Installation(Arc<Parts>);

pub struct Parts {
    binary: PathBuf,
    settings: PathBuf,
    log: PathBuf,
    pub at: SocketAddr,
    client: reqwest::Client,
}

impl std::ops::Deref for Installation {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl Installation {
    /// With limits that its visitors, who all come from one address, do not reach.
    pub fn new(binary: PathBuf, faults: &Faults) -> Self {
        let (folder, data) = (faults.folder(), faults.data());
        let at = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let mut text = format!("data = {data:?}\nproperty = {:?}\nlookup_cents = {PRICE}\n", data.join("sample-town"));
        if let Some(database) = faults.database() {
            text += &format!("database = {database:?}\n");
        }
        text += "[limits]\nconnections_per_address = 64\n";
        let limits = serde_json::to_value(LimitSettings::default()).unwrap();
        for name in limits.as_object().unwrap().keys().filter(|name| *name != "connections_per_address") {
            text += &format!("{name} = 100000000\n");
        }
        let settings = folder.join("shingle.toml");
        fs::write(&settings, text).unwrap();
        let client = plain_client().build().unwrap();
        Self(Arc::new(Parts { binary, settings, log: folder.join("log"), at, client }))
    }

    /// One command line, answered in JSON.
    pub fn ask(&self, words: &[&str]) -> Value {
        let output = self.command(words).stderr(Stdio::inherit()).output().unwrap();
        assert!(output.status.success(), "shingle {words:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn command(&self, words: &[&str]) -> Command {
        // It dies with this run, however this run ends.
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "KILL"]).arg(&self.binary);
        command.args(words).arg("--json").arg("--config").arg(&self.settings);
        command
    }

    /// Starts it, and returns when it is ready.
    pub async fn serve(&self) -> Server {
        let mut command = self.command(&["serve", "--listen", &self.at.to_string()]);
        let log = File::options().create(true).append(true).open(&self.log).unwrap();
        let mut process = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        let mut first = String::new();
        output.read_line(&mut first).unwrap();
        assert!(!first.is_empty(), "it ended before it was ready: {}", self.log_of("error"));
        // Whatever follows is read, so that it never waits for a reader.
        std::thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
        self.until_readiness(200).await;
        Server { process, log: self.log.clone() }
    }

    /// The status of `/readyz`; 0 when there is no answer.
    pub async fn readiness(&self) -> u16 {
        let asked = self.client.get(format!("http://{}/readyz", self.at)).timeout(PATIENCE).send().await;
        asked.map_or(0, |answer| answer.status().as_u16())
    }

    pub async fn until_readiness(&self, status: u16) {
        let wait = async {
            while self.readiness().await != status {
                tokio::time::sleep(PAUSE).await;
            }
        };
        let came = tokio::time::timeout(PATIENCE * 2, wait).await.is_ok();
        assert!(came, "/readyz did not come to say {status}: {}", self.log_of("ERROR"));
    }

    /// The last lines of the log with this word.
    pub fn log_of(&self, word: &str) -> String {
        let log = fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<_> = log.lines().rev().filter(|line| line.contains(word)).take(20).collect();
        lines.join("\n")
    }
}

/// What a process holds.
#[derive(Debug, Clone, Copy)]
pub struct Footprint {
    /// Bytes of memory.
    pub resident: u64,
    pub handles: u64,
}

pub struct Server {
    process: Child,
    log: PathBuf,
}

impl Server {
    pub fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Ends it as an operator does; the log of the whole run.
    pub async fn end(self) -> String {
        let log = self.log.clone();
        assert!(self.stop().await.success(), "it did not end well");
        fs::read_to_string(log).unwrap()
    }

    /// The same while the database hangs: it gives up by itself, and may say that something was not written.
    pub async fn end_without_database(self) {
        let status = self.stop().await;
        assert!(status.code().is_some(), "it did not end by itself: {status}");
    }

    async fn stop(mut self) -> ExitStatus {
        let id = self.process.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        let ended = async {
            loop {
                if let Some(status) = self.process.try_wait().unwrap() {
                    return status;
                }
                tokio::time::sleep(PAUSE).await;
            }
        };
        tokio::time::timeout(MOST_TO_END, ended).await.expect("an end within its bound")
    }

    /// Taken once the connections of those who went are closed.
    pub async fn quiet_footprint(&self) -> Footprint {
        let proc = PathBuf::from(format!("/proc/{}", self.process.id()));
        let handles = || fs::read_dir(proc.join("fd")).unwrap().count() as u64;
        let (mut before, mut equal) = (handles(), 0);
        while equal < 10 {
            tokio::time::sleep(PAUSE).await;
            let after = handles();
            equal = if after == before { equal + 1 } else { 0 };
            before = after;
        }
        Footprint { resident: resident(&proc), handles: before }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn resident(proc: &Path) -> u64 {
    let status = fs::read_to_string(proc.join("status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}
