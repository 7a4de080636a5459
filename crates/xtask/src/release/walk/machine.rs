//! A root with the program in it, run by the user and in the way that its unit or its image says.

use std::fs;
use std::net::SocketAddr;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

/// Of a debug build on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often the server must say that it is alive.
const WATCHDOG: Duration = Duration::from_secs(1);

pub struct Machine {
    root: PathBuf,
    user: (u32, u32),
    environment: Vec<(String, String)>,
    /// Its program and first words: `/usr/bin/shingle serve …`.
    service: Vec<String>,
    /// Where settings are, for other commands.
    options: Vec<String>,
    health: Vec<String>,
    /// What the service manager makes before the start, below `/var/lib`, with its rights.
    state: Option<(String, u32)>,
}

/// What a unit file says of its service, in the order of the lines.
pub fn unit_settings(text: &str) -> Result<Vec<(String, String)>> {
    let (_, service) = text.split_once("[Service]\n").context("a unit without a service")?;
    let lines = service.lines().take_while(|line| !line.starts_with('['));
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let pair = |line: &str| {
        let (name, value) = line.split_once('=').with_context(|| format!("not a setting: {line}"))?;
        Ok((name.to_owned(), value.to_owned()))
    };
    lines.map(pair).collect()
}

fn words(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(|word| word.as_str().map(str::to_owned)).collect()
}

impl Machine {
    pub fn of_unit(root: &Path, user: (u32, u32), settings: &[(String, String)]) -> Result<Self> {
        let value = |name: &str| {
            let found = settings.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str());
            found.with_context(|| format!("the unit has no {name}"))
        };
        ensure!(value("Type")? == "notify" && value("User")? == "shingle", "the unit is not the one of this walk");
        let service: Vec<String> = value("ExecStart")?.split_whitespace().map(str::to_owned).collect();
        let options = service.iter().skip(2).cloned().collect::<Vec<_>>();
        let program = service.first().context("the unit starts nothing")?.clone();
        let environment = settings.iter().filter(|(name, _)| name == "Environment");
        let environment = environment.filter_map(|(_, value)| value.split_once('='));
        Ok(Self {
            root: root.to_owned(),
            user,
            environment: environment.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            health: [vec![program, "health".to_owned()], options.clone()].concat(),
            service,
            options,
            state: Some((value("StateDirectory")?.to_owned(), u32::from_str_radix(value("StateDirectoryMode")?, 8)?)),
        })
    }

    /// By the configuration of an image; the walk listens on this machine only.
    pub fn of_image(root: &Path, config: &Value, listen: SocketAddr) -> Result<Self> {
        let user = config["User"].as_str().and_then(|user| user.split_once(':')).context("no user")?;
        let mut environment: Vec<_> = words(&config["Env"])
            .iter()
            .filter_map(|line| line.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned())))
            .collect();
        let own = environment.iter_mut().find(|(name, _)| name == "SHINGLE_LISTEN");
        own.context("the image listens nowhere")?.1 = listen.to_string();
        let health = words(&config["Healthcheck"]["Test"]);
        ensure!(health.first().is_some_and(|first| first == "CMD"), "the image has no health command");
        Ok(Self {
            root: root.to_owned(),
            user: (user.0.parse()?, user.1.parse()?),
            environment,
            service: [words(&config["Entrypoint"]), words(&config["Cmd"])].concat(),
            options: Vec::new(),
            health: health[1..].to_vec(),
            state: None,
        })
    }

    fn command(&self, words: &[String]) -> Command {
        let chroot = crate::command::on_path("chroot").unwrap_or_else(|| "/usr/sbin/chroot".into());
        let mut command = Command::new(chroot);
        command.arg(format!("--userspec={}:{}", self.user.0, self.user.1)).arg("--groups=").arg(&self.root);
        command.args(words).env_clear().envs(self.environment.iter().cloned());
        // What is expected here is not news: no mail server, and nobody at the widget.
        command.env("SHINGLE_LOG", "error").stdin(Stdio::null());
        command
    }

    fn run(&self, words: &[&str]) -> Result<Output> {
        let program = self.service.first().context("no program")?.clone();
        let words = words.iter().map(|word| (*word).to_owned());
        let all: Vec<String> = std::iter::once(program).chain(words).chain(self.options.iter().cloned()).collect();
        Ok(self.command(&all).output()?)
    }

    /// One command line, answered in JSON.
    pub fn ask(&self, words: &[&str]) -> Result<Value> {
        let told = self.run(&[words, &["--json"]].concat())?;
        let (out, err) = (String::from_utf8_lossy(&told.stdout), String::from_utf8_lossy(&told.stderr));
        ensure!(told.status.success(), "`shingle {}` failed ({}): {out}{err}", words.join(" "), told.status);
        serde_json::from_str(&out).with_context(|| format!("`shingle {}` did not answer JSON: {out}", words.join(" ")))
    }

    pub fn is_healthy(&self) -> Result<bool> {
        let told = self.command(&self.health).output()?;
        match told.status.code() {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            _ => bail!("the health command ended with {}: {}", told.status, String::from_utf8_lossy(&told.stderr)),
        }
    }

    /// As a service manager starts it: returns once the program says that it is ready, and then that it is alive.
    pub fn serve(&self) -> Result<Running> {
        if let Some((name, mode)) = &self.state {
            let folder = self.root.join("var/lib").join(name);
            if !folder.exists() {
                fs::create_dir(&folder)?;
                chown(&folder, Some(self.user.0), Some(self.user.1))?;
                fs::set_permissions(&folder, fs::Permissions::from_mode(*mode))?;
            }
        }
        let socket = self.root.join("tmp/service-manager");
        if socket.exists() {
            fs::remove_file(&socket)?;
        }
        let manager = UnixDatagram::bind(&socket).with_context(|| socket.display().to_string())?;
        fs::set_permissions(&socket, fs::Permissions::from_mode(0o777))?;
        manager.set_read_timeout(Some(PATIENCE))?;
        let mut command = self.command(&self.service);
        command.env("WATCHDOG_USEC", WATCHDOG.as_micros().to_string());
        command.env("NOTIFY_SOCKET", "/tmp/service-manager").stdout(Stdio::null());
        let server = Running(command.spawn()?);
        let mut message = [0; 1024];
        for expected in ["READY=1", "WATCHDOG=1"] {
            let read = manager.recv(&mut message).with_context(|| format!("the server did not say {expected}"))?;
            let told = String::from_utf8_lossy(&message[..read]);
            ensure!(told.lines().any(|line| line == expected), "the server said {told} in place of {expected}");
        }
        Ok(server)
    }

    /// What it says when it cannot start.
    pub fn refuses_to_serve(&self) -> Result<String> {
        let told = self.command(&self.service).output()?;
        ensure!(!told.status.success(), "it served");
        Ok(String::from_utf8_lossy(&told.stderr).into_owned())
    }
}

pub struct Running(Child);

impl Running {
    /// As a service manager ends it.
    pub fn stop(mut self) -> Result<()> {
        crate::command::run(Command::new("kill").args(["-TERM", &self.0.id().to_string()]))?;
        let status = self.0.wait()?;
        ensure!(status.success(), "the server ended with {status}");
        Ok(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_of_a_service_are_those_of_its_section() {
        let text = "[Unit]\nAfter=a\n\n[Service]\n# why\nType=notify\nEnvironment=A=b\n\n[Install]\nWantedBy=c\n";
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(unit_settings(text).unwrap(), [pair("Type", "notify"), pair("Environment", "A=b")]);
        assert!(unit_settings("[Unit]\n").is_err());
    }
}
