//! The static programs.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::edition::Edition;
use super::target::{Given, Target};
use crate::command::{cargo, path_with, read, run, say};
use crate::{runtime, tools};

pub fn build(edition: &Edition<'_>, targets: &[Target]) -> Result<Vec<Given>> {
    // The program carries it.
    runtime::build(edition.workspace)?;
    let tools = tools::zig(edition.workspace)?;
    targets.iter().map(|target| build_one(edition, *target, &tools)).collect()
}

fn build_one(edition: &Edition<'_>, target: Target, tools: &tools::ZigTools) -> Result<Given> {
    tools::rust_target(target.triple())?;
    say(&format!("building the program for {}; a quarter of an hour", target.triple()));
    let output = edition.workspace.target.join("release-build");
    let mut command = cargo();
    command.current_dir(&edition.workspace.root).args(["zigbuild", "--locked", "--package", "shingle"]);
    command.args(["--bin", "shingle", "--release", "--target", target.triple()]);
    command.env("PATH", path_with(&[&tools.cargo_zigbuild])?).env("CARGO_ZIGBUILD_ZIG_PATH", &tools.zig);
    // C code that writes the time of its build (`__DATE__`) is not built again for another commit, so no commit's time will do.
    command.env("CARGO_TARGET_DIR", &output).env("SOURCE_DATE_EPOCH", "0");
    command.env("SHINGLE_COMMIT", shown_commit(edition)?);
    let places = Places::of(edition)?;
    let mut flags = places.flags("--remap-path-prefix=", "\x1f");
    for flag in LINKED {
        flags.push("\x1f");
        flags.push(flag);
    }
    command.env("CARGO_ENCODED_RUSTFLAGS", flags);
    let mut c_flags = places.flags("-ffile-prefix-map=", " ");
    c_flags.push(WITHOUT_C_TABLES);
    command.env("CFLAGS", c_flags);
    command.env("LIBSQLITE3_FLAGS", WITHOUT_UNUSED);
    let variable = target.triple().to_uppercase().replace('-', "_");
    command.env(format!("CARGO_TARGET_{variable}_LINKER"), "rust-lld");
    command.env_remove("RUSTFLAGS").env_remove("RUSTC_WORKSPACE_WRAPPER");
    run(&mut command)?;
    Ok(Given { target, file: output.join(target.triple()).join("release/shingle") })
}

/// By the linker and the musl of the Rust toolchain. One copy of functions that came out the same; and a packed list of
/// the addresses that are set at the start.
const LINKED: [&str; 3] = ["-Clink-self-contained=yes", "-Clink-arg=--icf=all", "-Clink-arg=-zpack-relative-relocs"];

/// Nothing unwinds through C.
const WITHOUT_C_TABLES: &str = " -fno-asynchronous-unwind-tables -fno-unwind-tables";

/// Parts of SQLite that nothing here uses, full-text search and rectangles before all: 360 kB.
const WITHOUT_UNUSED: &str = "-USQLITE_ENABLE_FTS3 -USQLITE_ENABLE_FTS3_PARENTHESIS -USQLITE_ENABLE_FTS5 \
                              -USQLITE_ENABLE_RTREE -USQLITE_ENABLE_DBSTAT_VTAB -USQLITE_SOUNDEX";

/// As the build script of `shingle` writes it.
fn shown_commit(edition: &Edition<'_>) -> Result<String> {
    let words = ["show", "--no-patch", "--abbrev=12", "--format=%h of %cs", "HEAD"];
    Ok(read(Command::new("git").current_dir(&edition.workspace.root).args(words))?.trim().to_owned())
}

/// Folders of this machine that compilers write into a program, each with a name that is the same on all machines.
struct Places(Vec<(PathBuf, &'static str)>);

impl Places {
    fn of(edition: &Edition<'_>) -> Result<Self> {
        let sysroot = read(Command::new(tools::rustc()).args(["--print", "sysroot"]))?;
        let cargo_home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
        let home = || std::env::var_os("HOME").map(|home| Path::new(&home).join(".cargo"));
        let cargo_home = cargo_home.or_else(home).context("neither CARGO_HOME nor HOME is set")?;
        Ok(Self(vec![
            (edition.workspace.root.clone(), "/shingle"),
            (edition.workspace.target.clone(), "/shingle/target"),
            (cargo_home, "/cargo"),
            (sysroot.trim().into(), "/rust"),
        ]))
    }

    fn flags(&self, flag: &str, between: &str) -> OsString {
        let mut all = OsString::new();
        for (folder, name) in &self.0 {
            if !all.is_empty() {
                all.push(between);
            }
            all.push(flag);
            all.push(folder);
            all.push("=");
            all.push(name);
        }
        all
    }
}
