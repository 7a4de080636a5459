//! `cargo xtask bench area`: what an area of a national release costs: bytes, processor time and memory, against the
//! column chunks that hold it and a plain read of the same row groups.
//!
//! The release lies in a folder, so that the processor time of a server is not counted.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use serde_json::Value;

use super::median;
use crate::command::{self, cargo, read, say};
use crate::workspace::Workspace;

/// Bytes that are read, as a share of the chunks of the groups that meet the area.
const MOST_BYTES: f64 = 1.3;
/// Peak memory of a load, MiB, whatever the area.
const MOST_MIB: f64 = 300.0;
/// Around a place in the release: three towns, and all of it.
const SOME_MILES: &str = "14";
const ALL_MILES: &str = "3000";

pub fn run(workspace: &Workspace, rows: u64, turns: usize) -> Result<ExitCode> {
    let mut build = cargo();
    build.args(["build", "--release", "--package", "shingle-source", "--example", "area_bench"]);
    command::run(build.current_dir(&workspace.root))?;
    let program = workspace.target.join("release/examples/area_bench");
    let folder = workspace.target.join("bench-area");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder)?;
    say(&format!("a release of {rows} homes"));
    command::run(Command::new(&program).arg(&folder).arg(rows.to_string()))?;
    let mut turns_of = Vec::new();
    for turn in 0..turns.max(1) {
        say(&format!("load {}", turn + 1));
        turns_of.push(load(&program, &folder, SOME_MILES)?);
    }
    say("the whole release");
    let all = load(&program, &folder, ALL_MILES)?;
    std::fs::remove_dir_all(&folder).with_context(|| format!("could not remove {}", folder.display()))?;
    let of = |name: &str| median(turns_of.iter().filter_map(|turn| turn[name].as_f64()).collect());
    let (bytes, planned) = (of("bytes"), of("plannedBytes"));
    println!("{:<34}{}", "rows of each layer", turns_of[0]["rows"]);
    println!("{:<34}{:.0}", "row groups", of("groups"));
    println!("{:<34}{:.0}", "requests", of("requests"));
    println!("{:<34}{:.2} MB read, {:.2} MB in chunks that meet the area", "bytes", bytes / 1e6, planned / 1e6);
    println!("{:<34}{:.2} MB", "kept", of("keptBytes") / 1e6);
    println!("{:<34}{}, {:.1} MB read", "rows of the whole release", all["rows"], figure(&all, "bytes") / 1e6);
    println!("{:<34}{:.2} s; a plain read {:.2} s", "processor time", of("cpuSeconds"), of("plainCpuSeconds"));
    let mut fits = true;
    let mut judge = |what: String, good: bool| {
        fits &= good;
        println!("{:<6}{what}", if good { "ok" } else { "OVER" });
    };
    println!();
    judge(
        format!("{:.2} x the bytes of the chunks; budget {MOST_BYTES}", bytes / planned),
        bytes <= planned * MOST_BYTES,
    );
    for (what, peak) in [("an area", of("peakMib")), ("the whole release", figure(&all, "peakMib"))] {
        judge(format!("peak memory {peak:.0} MiB for {what}; budget {MOST_MIB}"), peak <= MOST_MIB);
    }
    Ok(if fits { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn figure(of: &Value, name: &str) -> f64 {
    of[name].as_f64().unwrap_or_default()
}

fn load(program: &Path, folder: &Path, miles: &str) -> Result<Value> {
    let text = read(Command::new(program).arg(folder).args(["0", miles]))?;
    serde_json::from_str(&text).with_context(|| format!("no figures: {text}"))
}
