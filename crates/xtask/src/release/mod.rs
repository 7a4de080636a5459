//! `cargo xtask release`: everything that people download, in `target/release-files`.
//!
//! # Decisions
//!
//! - Zig (`cargo-zigbuild`) compiles the C parts for both processors on one machine; Rust's own linker and musl make
//!   the static program. Turned down: Zig as the linker, which cannot fold equal functions (the program had 40 MB) and made
//!   no position-independent program; a cross compiler for each target; `cross`, which needs a container engine.
//! - Packages are written by `dpkg-deb` and `rpmbuild` from one tree of files (`tree.rs`). Turned down: `cargo-deb` and
//!   `cargo-generate-rpm`, which would list the same files twice in a manifest and take minutes to compile in each run
//!   of the suite, where `dpkg-deb` is on every Debian machine.
//! - The image is written here, as an OCI layout: two layers and a few JSON files, and no daemon.
//! - Times, owners and order in all files are fixed, so that two builds of a commit have the same bytes. A time in a
//!   file is the time of the commit.

mod archive;
mod bill;
mod deb;
mod edition;
mod image;
mod packing;
mod program;
mod rpm;
mod sums;
mod target;
mod tree;
pub mod walk;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};

use crate::command::say;
use crate::server;
use crate::wordpress;
use crate::workspace::Workspace;

use edition::Edition;
use packing::Packing;
use target::{Given, Target};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Release {
    #[command(subcommand)]
    step: Option<Step>,
}

#[derive(Debug, Subcommand)]
enum Step {
    /// The optimized, static programs alone; takes a quarter of an hour for each
    Build {
        /// Only these processors
        #[arg(long, value_enum)]
        target: Vec<Target>,
    },
    /// Archives, packages, image and sums from programs that are built already
    Pack {
        /// TARGET=FILE, for each processor
        #[arg(long, required = true, value_name = "TARGET=FILE")]
        binary: Vec<Given>,
    },
    /// Install, upgrade, remove and purge what is packed of a debug build, in a fresh Debian: a step of the suite
    Walk {
        /// A debug `shingle` that is built already
        #[arg(long, value_name = "FILE")]
        binary: Option<PathBuf>,
    },
}

const MAX_PROGRAM: u64 = 40 * 1000 * 1000;
const MAX_ARCHIVE: u64 = 15 * 1000 * 1000;

pub fn run(workspace: &Workspace, release: Release) -> Result<()> {
    let edition = Edition::of(workspace)?;
    match release.step {
        Some(Step::Build { target }) => {
            for given in program::build(&edition, &Target::or_all(target))? {
                println!("{given}");
            }
            Ok(())
        }
        Some(Step::Pack { binary }) => pack(&edition, &binary),
        Some(Step::Walk { binary }) => {
            let binary = binary.map_or_else(|| server::build(workspace, false), Ok)?;
            walk::run(workspace, &binary)
        }
        None => {
            let built = program::build(&edition, &Target::or_all(Vec::new()))?;
            pack(&edition, &built)
        }
    }
}

fn pack(edition: &Edition<'_>, programs: &[Given]) -> Result<()> {
    let output = edition.output();
    server::forget(&output)?;
    fs::create_dir_all(&output).with_context(|| output.display().to_string())?;
    for given in programs {
        at_most(&given.file, MAX_PROGRAM)?;
        let archive = archive::write(edition, given, Packing::Small, &output)?;
        at_most(&archive, MAX_ARCHIVE)?;
        let tree = tree::Tree::of(edition, given)?;
        deb::write(edition, given.target, &tree, Packing::Small, &output)?;
        rpm::write(edition, given.target, &tree, &output)?;
        bill::write(edition, given.target, &output)?;
    }
    image::write(edition, programs, &output)?;
    for name in ["install.sh", "Dockerfile", "compose.yaml"] {
        edition.put(name, &output)?;
    }
    let plugin = wordpress::pack(edition.workspace)?;
    fs::copy(&plugin, output.join(plugin.file_name().context("the plugin has no name")?))?;
    let sums = sums::write(&output)?;
    for (name, bytes) in sums {
        println!("{bytes:>10}  {name}");
    }
    say(&format!("everything is in {}", output.display()));
    Ok(())
}

fn at_most(file: &Path, most: u64) -> Result<()> {
    let bytes = fs::metadata(file).with_context(|| file.display().to_string())?.len();
    ensure!(bytes <= most, "{} has {bytes} bytes, and {most} is the limit", file.display());
    Ok(())
}
