//! A reader of the manual: types the commands of its blocks marked `console,package`, in the fresh Debian.
//!
//! `sudo` is not in there: what begins with it is run as root, and all else by a user without rights. There is no systemd
//! either: `systemctl` is done as the unit says.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use super::debian;
use super::machine::{Machine, Running, unit_settings};
use crate::command::{on_path, say};
use crate::release::target::Target;
use crate::release::tree::UNIT;
use crate::workspace::Workspace;

/// Lines that nothing here can run, by how they begin, and why.
const ELSEWHERE: [(&str, &str); 22] = [
    ("sudo dnf ", "this is not Fedora"),
    ("sudo systemctl status ", "no systemd runs here"),
    ("sudo journalctl ", "no systemd runs here"),
    ("sudo nano ", "it waits for a person; the walk changes the settings itself"),
    ("docker ", "no container engine runs here; the walk starts the image's program in the image's files"),
    ("chmod go+r first.tar.zst", "the file is what a container engine has copied"),
    ("cargo xtask install", "it builds a release"),
    ("shingle backup s3://", "no bucket runs here; the tests of backups have one"),
    ("shingle backup check s3://", "no bucket runs here; the tests of backups have one"),
    ("shingle restore s3://", "no bucket runs here; the tests of backups have one"),
    ("shingle index pu", "no bucket runs here; the tests of shared homes have one"),
    ("ssh ", "there is one machine"),
    ("pg_dump ", "no PostgreSQL runs here"),
    ("pg_restore ", "no PostgreSQL runs here"),
    ("createdb ", "no PostgreSQL runs here"),
    ("pg_receivewal ", "no PostgreSQL runs here"),
    ("pg_basebackup ", "no PostgreSQL runs here"),
    ("for f in wal/", "no PostgreSQL runs here"),
    ("echo \"restore_command", "no PostgreSQL runs here"),
    ("touch base/recovery.signal", "no PostgreSQL runs here"),
    ("sudo nginx ", "the tests of the recipes start nginx"),
    ("sudo systemctl reload nginx", "the tests of the recipes start nginx"),
];
const USER: &str = "ann";
pub const DOWNLOADS: &str = "home/ann/downloads";

pub struct Reader<'r> {
    root: &'r Path,
    pages: PathBuf,
    target: Target,
    user: (u32, u32),
    folder: String,
    running: Option<Running>,
    typed: BTreeSet<String>,
}

impl<'r> Reader<'r> {
    pub fn new(workspace: &Workspace, root: &'r Path, target: Target) -> Result<Self> {
        debian::inside_run(root, "useradd", &["--create-home", "--shell", "/bin/bash", USER])?;
        fs::create_dir_all(root.join(DOWNLOADS))?;
        let user = debian::user(root, USER)?;
        std::os::unix::fs::chown(root.join(DOWNLOADS), Some(user.0), Some(user.1))?;
        Ok(Self {
            root,
            pages: workspace.root.join("assets/manual/src"),
            target,
            user,
            folder: format!("/{DOWNLOADS}"),
            running: None,
            typed: BTreeSet::new(),
        })
    }

    /// Types the block of a page whose first line begins like this, or else the one that has such a line.
    pub fn follow(&mut self, page: &str, beginning: &str) -> Result<()> {
        let blocks = blocks(&self.pages.join(format!("{page}.md")))?;
        let begins = |lines: &[String]| lines.first().is_some_and(|line| line.starts_with(beginning));
        let has = |lines: &[String]| lines.iter().any(|line| line.starts_with(beginning));
        let of = |is: &dyn Fn(&[String]) -> bool| blocks.iter().filter(|lines| is(lines)).collect::<Vec<_>>();
        let found = Some(of(&begins)).filter(|found| !found.is_empty()).unwrap_or_else(|| of(&has));
        let [block] = found.as_slice() else { bail!("{page}.md has {} blocks with `{beginning}`", found.len()) };
        self.folder = format!("/{DOWNLOADS}");
        for line in *block {
            self.line(line).with_context(|| format!("{page}.md: $ {line}"))?;
        }
        Ok(())
    }

    /// A line of the manual, or one that its reader has to find out.
    pub fn line(&mut self, line: &str) -> Result<()> {
        self.typed.insert(line.to_owned());
        if elsewhere(line).is_some() {
            return Ok(());
        }
        if let Some(act) = line.strip_prefix("sudo systemctl ") {
            return match act {
                "enable --now shingle" | "start shingle" => self.start(),
                // What it would read again is read at each start here.
                "daemon-reload" => Ok(()),
                "stop shingle" => self.stop(),
                "restart shingle" => {
                    self.stop()?;
                    self.start()
                }
                _ => bail!("nothing here does this"),
            };
        }
        let (user, words) = match line.strip_prefix("sudo ") {
            Some(words) => ((0, 0), words),
            None => (self.user, line),
        };
        self.shell(user, &self.here(words))?;
        if let Some(folder) = self.here(line).strip_prefix("cd ") {
            let place = Path::new(&self.folder).join(folder);
            self.folder = place.to_string_lossy().into_owned();
        }
        Ok(())
    }

    /// A page is written for one processor, and cannot know where files are.
    fn here(&self, line: &str) -> String {
        let line = line.replace("FOLDER", &format!("/{DOWNLOADS}"));
        line.replace("amd64", self.target.debian()).replace(Target::X86.triple(), self.target.triple())
    }

    fn shell(&self, user: (u32, u32), line: &str) -> Result<()> {
        let mut command = Command::new(on_path("chroot").unwrap_or_else(|| "/usr/sbin/chroot".into()));
        command.arg(format!("--userspec={}:{}", user.0, user.1)).arg("--groups=").arg(self.root);
        command.args(["sh", "-c", &format!("cd {} && {line}", self.folder)]).env_clear();
        let home = if user.0 == 0 { "/root".to_owned() } else { format!("/home/{USER}") };
        command.env("HOME", home).env("LC_ALL", "C.UTF-8").env("DEBIAN_FRONTEND", "noninteractive");
        command.env("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn()?;
        // apt asks whether to go on. Whatever reads nothing may have ended.
        let _ = process.stdin.take().context("no standard input")?.write_all(b"y\n");
        let told = process.wait_with_output()?;
        let (out, err) = (String::from_utf8_lossy(&told.stdout), String::from_utf8_lossy(&told.stderr));
        ensure!(told.status.success(), "{}\n{out}{err}", told.status);
        Ok(())
    }

    /// As a service manager sees it: the administrator's unit before that of a package.
    pub fn machine(&self) -> Result<Machine> {
        let mut units = ["etc/systemd/system/shingle.service", UNIT].iter().map(|unit| self.root.join(unit));
        let unit = units.find(|unit| unit.is_file()).context("no service is installed")?;
        let settings = unit_settings(&fs::read_to_string(unit)?)?;
        Machine::of_unit(self.root, debian::user(self.root, "shingle")?, &settings)
    }

    pub fn start(&mut self) -> Result<()> {
        if self.running.is_none() {
            self.running = Some(self.machine()?.serve()?);
        }
        Ok(())
    }

    pub fn stop(&mut self) -> Result<()> {
        self.running.take().map_or(Ok(()), Running::stop)
    }

    /// Every line of the manual was typed, or is one that nothing here can run.
    pub fn finished(&self) -> Result<()> {
        let (mut typed, mut left) = (0, Vec::new());
        for entry in fs::read_dir(&self.pages)? {
            for line in blocks(&entry?.path())?.into_iter().flatten() {
                match elsewhere(&line) {
                    Some(reason) => left.push(format!("{line}: {reason}")),
                    None if self.typed.contains(&line) => typed += 1,
                    None => bail!("the walk never types `{line}` of the manual"),
                }
            }
        }
        left.sort();
        say(&format!("of the manual: {typed} commands for packages were typed; {} were not:", left.len()));
        for line in left {
            eprintln!("    {line}");
        }
        Ok(())
    }
}

fn elsewhere(line: &str) -> Option<&'static str> {
    ELSEWHERE.iter().find(|(beginning, _)| line.starts_with(beginning)).map(|(_, reason)| *reason)
}

/// The commands of each block that is marked as one for packages.
fn blocks(page: &Path) -> Result<Vec<Vec<String>>> {
    let text = fs::read_to_string(page).with_context(|| page.display().to_string())?;
    let fenced = text.split("```console,package\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default());
    let commands = |block: &str| block.lines().filter_map(|line| line.strip_prefix("$ ")).map(str::to_owned).collect();
    Ok(fenced.map(commands).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_commands_of_blocks_for_packages_are_typed() {
        let folder = std::env::temp_dir().join(format!("shingle-pages-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let page = folder.join("page.md");
        fs::write(&page, "```console\n$ a\n```\n```console,package\n$ b c\nout\n$ d\n```\n$ e\n").unwrap();
        assert_eq!(blocks(&page).unwrap(), [["b c", "d"]]);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn services_and_volumes_of_the_manual_are_those_of_the_compose_file() {
        let workspace = Workspace::find().unwrap();
        let compose = fs::read_to_string(workspace.root.join("assets/package/compose.yaml")).unwrap();
        let project = compose.lines().find_map(|line| line.strip_prefix("name: ")).unwrap();
        let (mut services, mut volumes) = (BTreeSet::new(), BTreeSet::new());
        for line in blocks(&workspace.root.join("assets/manual/src/backup.md")).unwrap().concat() {
            let words: Vec<_> = line.split_whitespace().collect();
            match words[..] {
                ["docker", "compose", "exec", "-T", service, ..] | ["docker", "compose", "create", service] => {
                    services.insert(service.to_owned());
                }
                ["docker", "run", ..] => {
                    let volume = words.iter().find_map(|word| word.split_once(":/data")).unwrap().0;
                    volumes.insert(volume.strip_prefix(&format!("{project}_")).unwrap().to_owned());
                }
                _ => {}
            }
        }
        assert!(services.len() > 1 && !volumes.is_empty());
        let part = |name: &str| {
            let after = compose.split_once(&format!("\n{name}:\n")).unwrap().1;
            after.lines().take_while(|line| line.is_empty() || line.starts_with(' ')).collect::<Vec<_>>()
        };
        for (name, named) in [("services", services), ("volumes", volumes)] {
            let there = part(name);
            for one in named {
                assert!(there.contains(&format!("  {one}:").as_str()), "{name} has no {one}");
            }
        }
    }
}
