//! One of several processes of one installation.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::machine::{Machine, Server, StartingServer};

const SLOW_MICROS: u64 = 5_000_000;

/// What makes a program believe another time, and the file that says which.
struct Clock {
    library: PathBuf,
    file: PathBuf,
}

pub struct Node {
    pub machine: Machine,
    clock: Option<Clock>,
    log: PathBuf,
    server: Option<Server>,
}

impl Node {
    /// With the secret and the settings of all. `faketime`: a library that lets a clock be set.
    pub fn new(database: &str, secret: &Path, settings: &str, faketime: Option<&Path>) -> Self {
        let machine = Machine::new(Some(database.to_owned()));
        // Look-ups in a sample that nobody has asked for cost nothing.
        machine.set(&format!("property = {:?}\n{settings}", machine.data().join("sample-town")));
        fs::create_dir_all(machine.data()).unwrap();
        fs::copy(secret, machine.data().join("secret")).unwrap();
        let clock = faketime.map(|library| Clock { library: library.to_owned(), file: machine.at("clock") });
        let node = Self { log: machine.at("log"), machine, clock, server: None };
        node.set_clock(0);
        node
    }

    /// Seconds beside the true time.
    pub fn set_clock(&self, seconds: i64) {
        let Some(clock) = &self.clock else { return };
        // It is read at any moment: never half of it.
        let draft = self.machine.at("clock.new");
        fs::write(&draft, format!("{seconds:+}\n")).unwrap();
        fs::rename(draft, &clock.file).unwrap();
    }

    fn command(&self) -> Command {
        let own = self.machine.command(&["serve", "--listen", "127.0.0.1:0"]);
        // It dies with this run, however this run ends.
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "KILL"]).arg(own.get_program()).args(own.get_args());
        command.current_dir(self.machine.folder.path());
        for (name, value) in own.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        if let Some(clock) = &self.clock {
            command.env("LD_PRELOAD", &clock.library).env("FAKETIME_TIMESTAMP_FILE", &clock.file);
            // Steps are seen at once, and timers run on.
            command.env("FAKETIME_NO_CACHE", "1").env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
            command.env("DONT_FAKE_MONOTONIC", "1").env("NO_FAKE_STAT", "1");
        }
        command.stderr(File::options().create(true).append(true).open(&self.log).unwrap());
        command
    }

    #[must_use]
    pub fn begin(&self) -> StartingServer {
        StartingServer::begin(self.command())
    }

    pub fn serves(&mut self, starting: StartingServer) {
        self.server = starting.until_it_listens();
        assert!(self.server.is_some(), "a node ended before it listened: {}", self.log());
    }

    /// Where it listens.
    pub fn base(&self) -> &str {
        &self.server.as_ref().expect("a node that runs").base
    }

    /// As the kernel kills: without a word.
    pub fn kill(&mut self) {
        self.server = None;
    }

    pub fn signal(&self, name: &str) {
        let id = self.server.as_ref().expect("a node that runs").process.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    /// For a reader who looks for the reason: what failed, and what took long.
    pub fn print_troubles(&self) {
        let is_slow = |line: &str| {
            let line: Value = serde_json::from_str(line).unwrap_or_default();
            line["fields"]["micros"].as_u64().is_some_and(|micros| micros > SLOW_MICROS)
        };
        let log = self.log();
        let troubles: Vec<_> = log.lines().filter(|line| line.contains("ERROR") || is_slow(line)).collect();
        for line in troubles.iter().rev().take(40).rev() {
            println!("{line}");
        }
    }

    pub fn log(&self) -> String {
        String::from_utf8_lossy(&fs::read(&self.log).unwrap_or_default()).into_owned()
    }
}
