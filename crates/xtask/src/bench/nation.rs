//! `cargo xtask bench nation`: what a nation's homes take on disk, and what look-ups and suggestions in them cost.
//!
//! The homes are synthetic: fifty states of one size, three data sets of each home (a point of the country's addresses, an
//! outline, a row of an assessor's roll), written by the builder and read by the reader that the server uses. Each phase is
//! a process of its own. Times are processor times; what a look-up costs counts as a ratio to an index of ten thousand
//! homes, the two measured in turns.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use serde_json::Value;

use super::median;
use crate::command::{self, cargo, read, say};
use crate::workspace::Workspace;

const SETS: [&str; 3] = ["points", "outlines", "roll"];
const STATES: u64 = 50;
const FEW: u64 = 10_000;
/// Addresses of the United States in the largest collection of them.
const NATION: f64 = 127e6;
/// Bytes of a home in all data sets, and of the disk that holds the nation.
const BYTES: f64 = 250.0;
const DISK: f64 = 32e9;
/// A look-up, compared with one among [`FEW`].
const SLOWER: f64 = 1.3;
/// Memory while look-ups and suggestions are served, MiB.
const RESIDENT: f64 = 300.0;
/// A state copied and serving, seconds.
const COPY: f64 = 60.0;

pub fn run(workspace: &Workspace, places: u64, turns: usize, binary: Option<PathBuf>) -> Result<ExitCode> {
    let program = match binary {
        Some(built) => built,
        None => {
            let mut build = cargo();
            build.args(["build", "--release", "--package", "shingle-property", "--example", "nation_bench"]);
            command::run(build.current_dir(&workspace.root))?;
            workspace.target.join("release/examples/nation_bench")
        }
    };
    let folder = workspace.target.join("bench-nation");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder)?;
    let bench = Bench { program };
    let outcome = bench.all(&folder, places.max(FEW), turns.max(1));
    std::fs::remove_dir_all(&folder).with_context(|| format!("could not remove {}", folder.display()))?;
    Ok(if outcome? { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

struct Bench {
    program: PathBuf,
}

impl Bench {
    fn phase(&self, phase: &str, folder: &Path, places: u64) -> Result<Value> {
        say(&format!("{phase}, {places} homes"));
        let sizes = [places, STATES].map(|n| n.to_string());
        let text = read(Command::new(&self.program).arg(phase).arg(folder).args(sizes))?;
        serde_json::from_str(&text).with_context(|| format!("{phase} did not print its figures: {text}"))
    }

    /// Every data set, each with its bytes of a home.
    fn built(&self, folder: &Path, places: u64) -> Result<f64> {
        let mut bytes_of_a_home = 0.0;
        for set in SETS {
            let built = self.phase(set, folder, places)?;
            let of = |name: &str| number(&built[name]);
            let bytes = of("bytes") / of("places");
            println!(
                "{set:<10}{:>12} homes{:>10.1} bytes a home{:>10.0} homes/s by processor{:>7.0} MiB at most",
                of("places"),
                bytes,
                of("rows") / of("cpu"),
                of("peakKib") / 1024.0
            );
            bytes_of_a_home += bytes;
        }
        Ok(bytes_of_a_home)
    }

    fn all(&self, folder: &Path, places: u64, turns: usize) -> Result<bool> {
        let mut fits = true;
        let mut judge = |what: String, good: bool| {
            fits &= good;
            println!("{:<6}{what}", if good { "ok" } else { "OVER" });
        };
        let (nation, few, together) = (folder.join("nation"), folder.join("few"), folder.join("together"));
        let bytes = self.built(&nation, places)?;
        self.built(&few, FEW)?;
        let one_set = self.phase("all", &together, places.min(1_000_000))?;
        println!();
        println!("      in one data set: {:.1} bytes a home", number(&one_set["bytes"]) / number(&one_set["places"]));
        std::fs::remove_dir_all(&together)?;
        judge(format!("{bytes:.1} bytes a home in three data sets; budget {BYTES}"), bytes <= BYTES);
        let disk = bytes * NATION;
        judge(
            format!("{:.1} GB for {:.0} million homes; budget {:.0}", disk / 1e9, NATION / 1e6, DISK / 1e9),
            disk <= DISK,
        );
        let mut looked = [Vec::new(), Vec::new()];
        for _ in 0..turns {
            looked[0].push(self.phase("lookups", &few, FEW)?);
            looked[1].push(self.phase("lookups", &nation, places)?);
        }
        let [few_looked, looked] =
            looked.map(|turns| turns.iter().map(|turn| number(&turn["lookup"]["median"])).collect());
        let (few_looked, looked) = (median(few_looked), median(looked));
        judge(
            format!(
                "look-up: {few_looked:.1} us among {FEW}, {looked:.1} us among {places}: {:.2} x; budget {SLOWER}",
                looked / few_looked
            ),
            looked / few_looked <= SLOWER,
        );
        let typed = self.phase("suggest", &nation, places)?;
        println!("\n{:<34}{:>12}{:>12}{:>12}   us by processor", "suggestions", "median", "p99", "slowest");
        for (way, spread) in typed["ways"].as_object().into_iter().flatten() {
            let of = |name: &str| number(&spread["cpu"][name]);
            println!("{way:<34}{:>12.0}{:>12.0}{:>12.0}", of("median"), of("p99"), of("max"));
        }
        println!(
            "      all: p99 {:.1} ms by processor, {:.1} ms on the wall; the first one {:.0} ms; {} files open",
            number(&typed["cpu"]["p99"]) / 1e3,
            number(&typed["wall"]["p99"]) / 1e3,
            number(&typed["first"]) / 1e3,
            typed["handles"]
        );
        let resident = number(&typed["residentKib"]) / 1024.0;
        judge(format!("{resident:.0} MiB resident; budget {RESIDENT}"), resident <= RESIDENT);
        let copied = self.phase("copy", &nation, places)?;
        let (bytes_copied, seconds) = (number(&copied["bytes"]), number(&copied["served"]));
        // A state of the nation, at the rate at which this one was copied.
        let of_a_state = seconds * (disk / STATES as f64 / bytes_copied).max(1.0);
        judge(
            format!(
                "a state of {:.0} MB copied and serving in {seconds:.2} s, a fiftieth of the nation in {of_a_state:.1}; budget {COPY}",
                bytes_copied / 1e6
            ),
            of_a_state <= COPY,
        );
        Ok(fits)
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_default()
}
