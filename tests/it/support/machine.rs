//! The program itself on a machine of its own: a folder with settings and data, and a database.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use shingle_app::config::LimitSettings;
use shingle_store_fixture::dump_programs;

/// Of every backup.
pub const PASSPHRASE: &str = "a ladder beside the barn";

/// One machine: a folder with settings and data, and a database.
pub struct Machine {
    pub folder: tempfile::TempDir,
    pub database: Option<String>,
}

impl Machine {
    pub fn new(database: Option<String>) -> Self {
        let machine = Self { folder: tempfile::tempdir().unwrap(), database };
        let mut text = format!("data = {:?}\nbackup_passphrase = {PASSPHRASE:?}\n", machine.data());
        if let Some(database) = &machine.database {
            text += &format!("database = {database:?}\n");
        }
        text += "[limits]\n";
        for name in serde_json::to_value(LimitSettings::default()).unwrap().as_object().unwrap().keys() {
            text += &format!("{name} = {}\n", if name == "connections_per_address" { 64 } else { 100_000_000 });
        }
        std::fs::write(machine.at("shingle.toml"), text).unwrap();
        machine
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn data(&self) -> PathBuf {
        self.at("data")
    }

    /// More settings than those that are there.
    pub fn set(&self, settings: &str) {
        let file = self.at("shingle.toml");
        let before = std::fs::read_to_string(&file).unwrap();
        std::fs::write(file, settings.to_owned() + &before).unwrap();
    }

    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_installed-shingle"));
        command.args(words).arg("--json").arg("--config").arg(self.at("shingle.toml")).current_dir(self.folder.path());
        // What the suite sets for itself is no setting.
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("SHINGLE_")) {
            command.env_remove(name);
        }
        if let Some(programs) = dump_programs() {
            let path = std::env::var_os("PATH").unwrap_or_default();
            let all = std::iter::once(programs).chain(std::env::split_paths(&path));
            command.env("PATH", std::env::join_paths(all).unwrap());
        }
        command
    }

    pub fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().unwrap()
    }

    pub fn ask(&self, words: &[&str]) -> Value {
        let output = self.run(words);
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// What a command that is refused says.
    pub fn refused(&self, words: &[&str]) -> String {
        let output = self.run(words);
        assert!(!output.status.success(), "{words:?}");
        String::from_utf8(output.stderr).unwrap()
    }

    pub fn serve(&self) -> Server {
        let mut command = self.command(&["serve", "--listen", "127.0.0.1:0"]);
        command.stderr(Stdio::null());
        self.start(command)
    }

    /// Waits until it says where it listens.
    pub fn start(&self, command: Command) -> Server {
        StartingServer::begin(command).until_it_listens().expect("a server that listens")
    }
}

/// A server that has not said yet where it listens.
pub struct StartingServer(Child);

impl StartingServer {
    pub fn begin(mut command: Command) -> Self {
        Self(command.stdout(Stdio::piped()).spawn().unwrap())
    }

    /// `None`: it ended before.
    pub fn until_it_listens(mut self) -> Option<Server> {
        let mut line = String::new();
        BufReader::new(self.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let ready: Value = serde_json::from_str(&line).ok()?;
        Some(Server { process: self.0, base: format!("http://{}", ready["listening"].as_str().unwrap()) })
    }
}

pub struct Server {
    pub process: Child,
    pub base: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}
