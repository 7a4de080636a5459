//! `cargo xtask install`: the `shingle` program on the search path.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::command::{on_path, say};
use crate::server;
use crate::workspace::Workspace;

pub fn run(workspace: &Workspace, release: bool) -> Result<()> {
    let binary = server::build(workspace, release)?;
    let installed = install(&binary, &folder(|name| std::env::var_os(name).map(PathBuf::from))?)?;
    say(&format!("installed {}", installed.display()));
    let found = on_path("shingle");
    match found {
        Some(found) if same(&found, &installed) => {}
        Some(other) => say(&format!("but `shingle` is still {}, which comes before it on PATH", other.display())),
        None => say("its folder is not on PATH yet: add it, then `shingle --help`"),
    }
    if !release {
        say("this is the debug build; `cargo xtask install --release` installs the optimised one");
    }
    Ok(())
}

/// Where cargo puts programs.
fn folder(variable: impl Fn(&str) -> Option<PathBuf>) -> Result<PathBuf> {
    let home = || variable("HOME").or_else(|| variable("USERPROFILE")).map(|home| home.join(".cargo"));
    let root = variable("CARGO_INSTALL_ROOT").or_else(|| variable("CARGO_HOME")).or_else(home);
    Ok(root.context("neither CARGO_HOME nor HOME says where cargo keeps programs")?.join("bin"))
}

/// Put in place in one step: the program that is there may be running.
fn install(binary: &Path, folder: &Path) -> Result<PathBuf> {
    let name = binary.file_name().context("a program without a name")?;
    let (place, beside) = (folder.join(name), folder.join(format!(".shingle-{}", std::process::id())));
    let copy = || -> std::io::Result<()> {
        fs::create_dir_all(folder)?;
        fs::copy(binary, &beside)?;
        fs::rename(&beside, &place)
    };
    copy().with_context(|| format!("could not install {}", place.display()))?;
    Ok(place)
}

fn same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_goes_where_cargo_puts_programs_and_replaces_the_one_before() {
        let variables = |set: &'static [(&'static str, &'static str)]| {
            move |name: &str| set.iter().find(|(n, _)| *n == name).map(|(_, value)| PathBuf::from(value))
        };
        let known = folder(variables(&[("HOME", "/home/ann"), ("CARGO_HOME", "/opt/cargo")])).unwrap();
        assert_eq!(known, Path::new("/opt/cargo/bin"));
        assert_eq!(folder(variables(&[("HOME", "/home/ann")])).unwrap(), Path::new("/home/ann/.cargo/bin"));
        assert!(folder(variables(&[])).is_err());

        let at = std::env::temp_dir().join(format!("shingle-install-{}", std::process::id()));
        fs::create_dir_all(&at).unwrap();
        let binary = at.join("shingle");
        for content in ["one", "two"] {
            fs::write(&binary, content).unwrap();
            let installed = install(&binary, &at.join("cargo/bin")).unwrap();
            assert_eq!(fs::read_to_string(&installed).unwrap(), content);
            assert!(same(&installed, &at.join("cargo/bin/shingle")));
        }
        assert_eq!(fs::read_dir(at.join("cargo/bin")).unwrap().count(), 1, "nothing is left beside it");
        fs::remove_dir_all(&at).unwrap();
    }
}
