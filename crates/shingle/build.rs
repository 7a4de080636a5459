//! What the linker of a release does for its size and its memory.

#![allow(clippy::disallowed_methods, reason = "cargo passes its settings to build scripts in variables")]

use std::env::var;
use std::path::Path;
use std::process::Command;

/// Where rustc links by LLD, unless it is told otherwise.
const LINKED_BY_LLD: &str = "x86_64-unknown-linux-gnu";
/// The first glibc that reads packed relocations.
const PACKED: (u32, u32) = (2, 36);

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=SHINGLE_BUILD={}", build());
    if var("PROFILE").is_ok_and(|profile| profile == "release") && var("TARGET").is_ok_and(|t| t == LINKED_BY_LLD) {
        // One copy of functions that came out the same, as generic code of many types does.
        println!("cargo::rustc-link-arg-bins=-Wl,--icf=all");
        // A hundred thousand addresses are set when the program starts. Their list takes 2.5 MB on disk and in memory
        // unless it is packed. An older glibc refuses a packed one, so a release for older systems is built on one.
        if glibc().is_some_and(|version| version >= PACKED) {
            println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
        }
    }
}

/// `0.1.0 (736bc5c1a2b3 of 2026-11-29, release, x86_64-unknown-linux-musl)`
fn build() -> String {
    println!("cargo::rerun-if-env-changed=SHINGLE_COMMIT");
    let known = |name: &str| var(name).unwrap_or_default();
    // Where the sources come without their history, whoever packs them names it.
    let named = var("SHINGLE_COMMIT").ok().filter(|commit| !commit.is_empty());
    // A debug build is not compiled anew for each commit.
    let own = || if known("PROFILE") == "release" { commit() } else { None };
    let commit = named.or_else(own).unwrap_or_else(|| "no commit known".to_owned());
    format!("{} ({commit}, {}, {})", known("CARGO_PKG_VERSION"), known("PROFILE"), known("TARGET"))
}

fn commit() -> Option<String> {
    let git = |words: &[&str]| {
        let told = Command::new("git").args(words).output().ok().filter(|told| told.status.success())?;
        Some(String::from_utf8(told.stdout).ok()?.trim().to_owned())
    };
    // Every commit and every checkout adds a line to it.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).is_file());
    if let Some(log) = log {
        println!("cargo::rerun-if-changed={log}");
    }
    git(&["show", "--no-patch", "--abbrev=12", "--format=%h of %cs", "HEAD"])
}

/// Of this machine, by its own word: `glibc 2.36`.
fn glibc() -> Option<(u32, u32)> {
    let told = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?.stdout;
    let told = String::from_utf8(told).ok()?;
    let (major, minor) = told.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
