//! A fresh Debian in a folder, and its package manager in there.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::command::{run, say};
use crate::tools;
use crate::workspace::Workspace;

/// What the system is made of, made once and kept: the mirror is asked only then. The error says why there is none.
pub fn ready(workspace: &Workspace) -> Result<PathBuf> {
    let release = release_of(&fs::read_to_string("/etc/os-release").unwrap_or_default())
        .context("a walk needs a Debian machine: a debug build runs on systems like its own")?;
    let kept = workspace.target.join(format!("debian-{release}-apt.tar"));
    if kept.is_file() {
        return Ok(kept);
    }
    let root = Command::new("id").arg("-u").output().is_ok_and(|told| told.stdout.trim_ascii() == b"0");
    ensure!(root, "only root can install packages into another root");
    tools::debian(&["mmdebstrap"], &["mmdebstrap"], "the walk through a package's life")?;
    say("fetching the packages of a fresh Debian (once)");
    let draft = kept.with_extension("draft.tar");
    let mut command = Command::new("mmdebstrap");
    command.args(["--quiet", "--mode=root", "--variant=apt", "--include=passwd,xz-utils", &release]).arg(&draft);
    run(&mut command)?;
    fs::rename(&draft, &kept)?;
    Ok(kept)
}

/// `bookworm`
fn release_of(text: &str) -> Option<String> {
    let value = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        line.map(|value| value.trim_matches('"').to_owned())
    };
    value("VERSION_CODENAME").filter(|_| value("ID").as_deref() == Some("debian"))
}

pub fn unpack(workspace: &Workspace, root: &Path) -> Result<()> {
    let from = ready(workspace)?;
    fs::create_dir_all(root)?;
    let mut command = Command::new("tar");
    // Devices cannot be made in every container, and nothing here needs one but the null device.
    command.args(["--extract", "--preserve-permissions", "--numeric-owner", "--exclude=./dev/*", "--file"]);
    run(command.arg(from).arg("--directory").arg(root))?;
    fs::create_dir_all(root.join("dev"))?;
    let null = root.join("dev/null");
    fs::write(&null, "")?;
    Ok(fs::set_permissions(&null, fs::Permissions::from_mode(0o666))?)
}

pub fn install(root: &Path, package: &Path) -> Result<()> {
    let name = package.file_name().context("a package without a name")?;
    fs::copy(package, root.join("tmp").join(name))?;
    let inside = Path::new("/tmp").join(name);
    dpkg(root, &["--install", inside.to_str().context("a package whose name is not UTF-8")?])?;
    Ok(fs::remove_file(root.join("tmp").join(name))?)
}

/// Nobody answers its questions: one that it asks is an error.
pub fn dpkg(root: &Path, words: &[&str]) -> Result<()> {
    inside_run(root, "dpkg", words)
}

pub fn inside_run(root: &Path, program: &str, words: &[&str]) -> Result<()> {
    let mut command = Command::new("chroot");
    command.arg(root).arg(program).args(words).stdin(Stdio::null());
    command.env("DEBIAN_FRONTEND", "noninteractive").env("LC_ALL", "C.UTF-8");
    command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
    let told = command.output().context("chroot")?;
    if !told.status.success() {
        let (out, err) = (String::from_utf8_lossy(&told.stdout), String::from_utf8_lossy(&told.stderr));
        bail!("`{program} {}` failed ({})\n{out}{err}", words.join(" "), told.status);
    }
    Ok(())
}

/// The numbers of a user and of their group.
pub fn user(root: &Path, name: &str) -> Result<(u32, u32)> {
    let all = fs::read_to_string(root.join("etc/passwd"))?;
    let line = all.lines().map(|line| line.split(':').collect::<Vec<_>>()).find(|fields| fields[0] == name);
    let line = line.with_context(|| format!("there is no user {name}"))?;
    let number = |field: usize| -> Result<u32> { Ok(line.get(field).context("a short line")?.parse()?) };
    Ok((number(2)?, number(3)?))
}

/// Where a file really is, with links read as they are read inside the root.
pub fn inside(root: &Path, path: &Path) -> Result<PathBuf> {
    let mut place = path.to_owned();
    for _ in 0..8 {
        let Ok(link) = fs::read_link(&place) else { return Ok(place) };
        place = match link.strip_prefix("/") {
            Ok(absolute) => root.join(absolute),
            Err(_) => place.parent().unwrap_or(root).join(link),
        };
    }
    bail!("{} leads in circles", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_debian_has_a_release_to_build_a_root_from() {
        let debian = "NAME=\"Debian GNU/Linux\"\nVERSION_CODENAME=bookworm\nID=debian\n";
        assert_eq!(release_of(debian).as_deref(), Some("bookworm"));
        assert_eq!(release_of("ID=ubuntu\nVERSION_CODENAME=noble\n"), None);
        assert_eq!(release_of(""), None);
    }
}
