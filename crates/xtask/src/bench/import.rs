//! `cargo xtask bench import`: what importing, look-ups and suggestions cost, against their budgets.
//!
//! Building is compared with a raw loop of prepared inserts that puts the very same homes, ready and in order, into a
//! plain table with an index by ZIP and one by town. The two take turns in processes of their own; what counts is processor time
//! of all threads, which a busy machine changes less than time on the wall (shown beside it). Making the synthetic
//! rows and reading the raw loop's rows is not counted.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use serde_json::Value;

use super::median;
use crate::command::{self, cargo, read, say};
use crate::workspace::Workspace;

/// Rows a second, as a share of the raw loop's: of building from places, and of a whole import from a file.
const BUILDER_SHARE: f64 = 0.3;
const FILE_SHARE: f64 = 0.2;
/// A look-up in the large index, compared with one among [`FEW`].
const SLOWER: f64 = 1.3;
const FEW: u64 = 10_000;
/// Peak memory of building, and of an import from a file, MiB.
const BUILDER_MIB: f64 = 110.0;
const IMPORT_MIB: f64 = 180.0;
/// The slowest suggestion, milliseconds of processor time.
const SUGGESTION_MS: f64 = 10.0;

pub fn run(workspace: &Workspace, rows: u64, turns: usize) -> Result<ExitCode> {
    let mut build = cargo();
    build.args(["build", "--release", "--package", "shingle-import", "--example", "import_bench"]);
    command::run(build.current_dir(&workspace.root))?;
    let folder = workspace.target.join("bench-import");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder)?;
    let bench = Bench { program: workspace.target.join("release/examples/import_bench") };
    let outcome = bench.all(&folder, rows, turns.max(1));
    std::fs::remove_dir_all(&folder).with_context(|| format!("could not remove {}", folder.display()))?;
    Ok(if outcome? { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

struct Bench {
    program: std::path::PathBuf,
}

/// Medians over the turns.
struct Cost {
    rows: f64,
    cpu: f64,
    wall: f64,
    peak_mib: f64,
    bytes: f64,
}

impl Bench {
    fn phase(&self, phase: &str, folder: &Path, rows: u64) -> Result<Value> {
        say(&format!("{phase}, {rows} rows"));
        let text = read(Command::new(&self.program).arg(phase).arg(folder).arg(rows.to_string()))?;
        serde_json::from_str(&text).with_context(|| format!("{phase} did not print its figures: {text}"))
    }

    fn all(&self, folder: &Path, rows: u64, turns: usize) -> Result<bool> {
        let (built, from_file, few) = (folder.join("built"), folder.join("file"), folder.join("few"));
        let mut costs = [Vec::new(), Vec::new(), Vec::new(), Vec::new()];
        for _ in 0..turns {
            costs[0].push(self.phase("builder", &built, rows)?);
            costs[1].push(self.phase("raw", &built, rows)?);
            costs[2].push(self.phase("csv", &from_file, rows)?);
            costs[3].push(self.phase("raw", &from_file, rows)?);
            std::fs::remove_dir_all(&from_file)?;
        }
        let [builder, raw, csv, raw_csv] = costs.map(|turns| Cost::median(&turns));
        println!("{:<34}{:>12}{:>14}{:>14}{:>12}{:>12}", "", "rows", "rows/s (cpu)", "rows/s (wall)", "peak MiB", "MB");
        for (name, cost) in [
            ("raw inserts of ready rows", &raw),
            ("places to index", &builder),
            ("raw inserts, rows of the file", &raw_csv),
            ("CSV file and mapping to index", &csv),
        ] {
            println!(
                "{name:<34}{:>12}{:>14.0}{:>14.0}{:>12.0}{:>12.0}",
                cost.rows,
                cost.rows / cost.cpu,
                cost.rows / cost.wall,
                cost.peak_mib,
                cost.bytes / 1e6
            );
        }
        let mut fits = true;
        let mut judge = |what: String, good: bool| {
            fits &= good;
            println!("{:<6}{what}", if good { "ok" } else { "OVER" });
        };
        println!();
        let share = |raw: &Cost, full: &Cost| (raw.cpu / full.cpu, raw.wall / full.wall);
        let (cpu, wall) = share(&raw, &builder);
        judge(
            format!("places to index: {cpu:.2} x the raw loop by processor, {wall:.2} by wall; budget {BUILDER_SHARE}"),
            cpu >= BUILDER_SHARE,
        );
        let (cpu, wall) = share(&raw_csv, &csv);
        judge(
            format!(
                "CSV file to index, reading and taking addresses apart included: {cpu:.2} x the raw loop by processor, {wall:.2} by wall; budget {FILE_SHARE}"
            ),
            cpu >= FILE_SHARE,
        );
        judge(
            format!("peak memory of building: {:.0} MiB; budget {BUILDER_MIB}", builder.peak_mib),
            builder.peak_mib <= BUILDER_MIB,
        );
        judge(
            format!("peak memory of an import: {:.0} MiB; budget {IMPORT_MIB}", csv.peak_mib),
            csv.peak_mib <= IMPORT_MIB,
        );

        self.phase("builder", &few, FEW)?;
        // Taking turns, as the machine's other work comes and goes.
        let mut looked = [Vec::new(), Vec::new()];
        for _ in 0..turns {
            looked[0].push(self.phase("lookups", &few, FEW)?);
            looked[1].push(self.phase("lookups", &built, rows)?);
        }
        let [few_looked, many_looked] = looked;
        for kind in ["hit", "miss"] {
            let of = |phases: &[Value]| median(phases.iter().map(|p| number(&p[kind]["median"])).collect());
            let (few, many) = (of(&few_looked), of(&many_looked));
            let what = format!("{kind}: {few:.1} us among {FEW}, {many:.1} us among {rows}: {:.2} x", many / few);
            match kind {
                "hit" => judge(format!("look-up, {what}; budget {SLOWER}"), many / few <= SLOWER),
                _ => println!("      look-up, {what}"),
            }
        }
        let area = |of: &dyn Fn(&Value) -> f64| median(many_looked.iter().map(of).collect());
        println!(
            "      of a hit, what is known of the ZIP: {:.2} us; the first one, which reads the tables: {:.1} ms",
            area(&|p| number(&p["area"]["mean"])),
            area(&|p| number(&p["firstArea"])) / 1e3
        );
        println!("      memory after look-ups: {:.0} MiB", number(&many_looked[0]["residentKib"]) / 1024.0);
        let typed = self.phase("suggest", &built, rows)?;
        println!("\n{:<34}{:>12}{:>12}{:>12}   us", "suggestions", "median", "p99", "slowest");
        let mut slowest: f64 = 0.0;
        for (kind, spread) in typed.as_object().into_iter().flatten().filter(|(_, v)| v.is_object()) {
            let of = |name: &str| number(&spread[name]);
            println!("{kind:<34}{:>12.0}{:>12.0}{:>12.0}", of("median"), of("p99"), of("max"));
            slowest = slowest.max(of("max"));
        }
        judge(
            format!("slowest suggestion: {:.1} ms; budget {SUGGESTION_MS}", slowest / 1e3),
            slowest / 1e3 <= SUGGESTION_MS,
        );
        Ok(fits)
    }
}

impl Cost {
    fn median(turns: &[Value]) -> Self {
        let of = |name: &str| median(turns.iter().map(|t| number(&t[name])).collect());
        Self {
            rows: of("rows"),
            cpu: of("cpu"),
            wall: of("wall"),
            peak_mib: of("peakKib") / 1024.0,
            bytes: of("bytes"),
        }
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_default()
}
