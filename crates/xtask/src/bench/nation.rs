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
/// The slowest suggestion of a hundred, by processor, ms.
const SUGGESTED: f64 = 5.0;
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
    fn built(&self, folder: &Path, places: u64, table: &mut Table) -> Result<f64> {
        let mut bytes_of_a_home = 0.0;
        for set in SETS {
            let built = self.phase(set, folder, places)?;
            let of = |name: &str| number(&built[name]);
            let bytes = of("bytes") / of("places");
            table.row(
                &format!("{set}, bytes a home"),
                format!(
                    "{bytes:.1}; built at {:.0} homes/s by processor in {:.0} MiB",
                    of("rows") / of("cpu"),
                    of("peakKib") / 1024.0
                ),
            );
            bytes_of_a_home += bytes;
        }
        Ok(bytes_of_a_home)
    }

    fn all(&self, folder: &Path, places: u64, turns: usize) -> Result<bool> {
        let mut table = Table::default();
        let (nation, few, together) = (folder.join("nation"), folder.join("few"), folder.join("together"));
        let bytes = self.built(&nation, places, &mut table)?;
        self.built(&few, FEW, &mut Table::default())?;
        let of_one_set = places.min(1_000_000);
        let one_set = self.phase("all", &together, of_one_set)?;
        std::fs::remove_dir_all(&together)?;
        let disk = bytes * NATION;
        let nations = format!("for {:.0} million homes", NATION / 1e6);
        table.judged("bytes a home, three data sets", format!("{bytes:.1}"), format!("{BYTES}"), bytes <= BYTES);
        table.row(
            &format!("bytes a home, all in one, {of_one_set} homes"),
            format!("{:.1}", number(&one_set["bytes"]) / number(&one_set["places"])),
        );
        table.judged(
            &format!("disk {nations}, GB"),
            format!("{:.1}", disk / 1e9),
            format!("{:.0}", DISK / 1e9),
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
        table.judged(
            &format!("look-up, against {FEW} homes"),
            format!("{looked:.1} / {few_looked:.1} us by processor: {:.2} x", looked / few_looked),
            format!("{SLOWER} x"),
            looked / few_looked <= SLOWER,
        );
        let typed = self.phase("suggest", &nation, places)?;
        let spread = |what: &Value| {
            let ms = |name: &str| number(&what[name]) / 1e3;
            format!("{:.1} / {:.1} / {:.1}", ms("median"), ms("p99"), ms("max"))
        };
        for (way, of) in typed["ways"].as_object().into_iter().flatten() {
            table.row(&format!("  {way}"), spread(&of["cpu"]));
        }
        let p99 = number(&typed["cpu"]["p99"]) / 1e3;
        table.judged(
            "suggestions, ms by processor: median / p99 / slowest",
            spread(&typed["cpu"]),
            format!("{SUGGESTED} p99"),
            p99 <= SUGGESTED,
        );
        table.row("  on the wall", spread(&typed["wall"]));
        table.row("  the first, which reads all titles, ms", format!("{:.0}", number(&typed["first"]) / 1e3));
        table.row("open files of the index, one thread", typed["handles"].to_string());
        let mib = |name: &str| number(&typed[name]) / 1024.0;
        let resident = mib("residentKib");
        table.judged(
            "resident after look-ups and suggestions, MiB",
            format!("{resident:.0}, of it lists of streets {:.0}", mib("directoryKib")),
            format!("{RESIDENT}"),
            resident <= RESIDENT,
        );
        // Streets are as many as homes make them; all else has a bound, or grows with the number of files.
        let at_most = resident + mib("directoryKib") * (NATION / places as f64 - 1.0).max(0.0);
        table.judged(
            &format!("  {nations}, were all their streets new"),
            format!("{at_most:.0}"),
            format!("{RESIDENT}"),
            at_most <= RESIDENT,
        );
        let copied = self.phase("copy", &nation, places)?;
        let (bytes_copied, seconds) = (number(&copied["bytes"]), number(&copied["served"]));
        // A state of the nation, at the rate at which this one was copied.
        let of_a_state = seconds * (disk / STATES as f64 / bytes_copied).max(1.0);
        table.row(&format!("a state of {:.0} MB copied and serving, s", bytes_copied / 1e6), format!("{seconds:.2}"));
        table.judged(
            &format!("  a fiftieth of {:.1} GB", disk / 1e9),
            format!("{of_a_state:.1}"),
            format!("{COPY}"),
            of_a_state <= COPY,
        );
        table.print(places);
        Ok(table.fits())
    }
}

#[derive(Default)]
struct Table {
    rows: Vec<[String; 3]>,
    over: usize,
}

impl Table {
    fn row(&mut self, what: &str, found: String) {
        self.rows.push([what.to_owned(), found, String::new()]);
    }

    fn judged(&mut self, what: &str, found: String, goal: String, fits: bool) {
        self.over += usize::from(!fits);
        self.rows.push([what.to_owned(), found, if fits { goal } else { format!("{goal} OVER") }]);
    }

    fn fits(&self) -> bool {
        self.over == 0
    }

    fn print(&self, places: u64) {
        println!("\n{:<54} | {:<58} | goal", format!("{places} homes in {STATES} states"), "");
        for [what, found, goal] in &self.rows {
            println!("{what:<54} | {found:<58} | {goal}");
        }
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_default()
}
