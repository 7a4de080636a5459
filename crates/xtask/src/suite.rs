//! `cargo xtask test`: the whole suite in tiers. A failing tier does not stop the next one.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use clap::ValueEnum;

use crate::command::{cargo, on_path, path_with, run as run_command, say, tee};
use crate::place::Place;
use crate::tally::{Runner, Tally};
use crate::{node, package, runtime, server, tools};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Tier {
    /// rustfmt and clippy over everything
    Style,
    /// Unit and integration tests, on SQLite and PostgreSQL
    Native,
    /// What must build for the browser, and its tests in headless Chromium
    Wasm,
    /// Journeys through the real binary in Chromium and Firefox
    Browser,
    /// Hostile input, at random, for a short while
    Fuzz,
}

/// The rooms that are built for the browser.
const IN_BROWSER: [&str; 4] = ["shingle-domain", "shingle-estimate", "shingle-widget", "shingle-runtime"];
const FUZZ_CASES: &str = "20000";
/// No file of journeys takes a third of this; one that does waits for something that will not come.
const HANG: &str = "--test-timeout=900000";

pub fn run(place: &Place, only: &[Tier]) -> Result<ExitCode> {
    let tiers = Tier::value_variants().iter().filter(|tier| only.is_empty() || only.contains(tier));
    let mut all = Tally::default();
    let mut lines = Vec::new();
    for tier in tiers {
        let name = tier.to_possible_value().map(|v| v.get_name().to_owned()).unwrap_or_default();
        say(&format!("tier {name}"));
        let mut tally = Tally::default();
        if let Err(error) = tier.run(place, &mut tally) {
            eprintln!("tier {name}: {error:#}");
            tally.failed += 1;
        }
        lines.push(format!("{name:<10}{tally}"));
        all += tally;
    }
    println!("\n{}\n\n{all}", lines.join("\n"));
    Ok(if all.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Tier {
    fn run(self, place: &Place, tally: &mut Tally) -> Result<()> {
        match self {
            Self::Style => style(place, tally),
            Self::Native => native(place, tally),
            Self::Wasm => wasm(place, tally),
            Self::Browser => browser(place, tally),
            Self::Fuzz => fuzz(place, tally),
        }
    }
}

fn style(place: &Place, tally: &mut Tally) -> Result<()> {
    step(tally, at_root(place).args(["fmt", "--all", "--check"]));
    runtime::build(place)?;
    step(tally, at_root(place).args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]));
    // Not run by a plain `cargo test`, so no part of all targets either.
    step(
        tally,
        at_root(place).args(["clippy", "--package", "shingle-tests", "--test", "fuzz", "--", "-D", "warnings"]),
    );
    Ok(())
}

fn native(place: &Place, tally: &mut Tally) -> Result<()> {
    runtime::build(place)?;
    let mut command = at_root(place);
    command.args(["test", "--workspace", "--no-fail-fast"]);
    match postgres() {
        Some(folder) => {
            command.env("PATH", path_with(&[&folder])?);
        }
        None if std::env::var_os("CI").is_some() => {
            eprintln!(
                "PostgreSQL (initdb and pg_ctl) is missing: half of the store's tests cannot run. That fails in CI."
            );
            tally.failed += 1;
        }
        None => {
            eprintln!("PostgreSQL (initdb and pg_ctl) is missing: the store is tested on SQLite only.");
            tally.skipped += 1;
        }
    }
    tests(tally, &mut command, Runner::Cargo)
}

fn wasm(place: &Place, tally: &mut Tally) -> Result<()> {
    let tools = tools::wasm(place)?;
    for package in IN_BROWSER {
        let mut command = at_root(place);
        command.args(["clippy", "--target", "wasm32-unknown-unknown", "--package", package]);
        if ["shingle-widget", "shingle-runtime"].contains(&package) {
            command.args(["--no-default-features", "--features", "csr"]);
        }
        step(tally, command.args(["--", "-D", "warnings"]));
    }
    let driver = chromium()?.driver;
    let mut command = Command::new(tools.wasm_pack.join("wasm-pack"));
    command.args(["--log-level", "warn", "test", "--mode", "no-install", "--headless", "--chrome", "--chromedriver"]);
    command.arg(driver).arg(place.root.join("crates/shingle-widget"));
    command.args(["--no-default-features", "--features", "csr"]);
    command.env("PATH", path_with(&[&tools.wasm_bindgen, &tools.wasm_pack])?).env("CHROMIUM_FLAGS", QUIET_CHROMIUM);
    tests(tally, &mut command, Runner::Cargo)
}

fn browser(place: &Place, tally: &mut Tally) -> Result<()> {
    let binary = server::build(place, false)?;
    let chromium = chromium()?.browser;
    let node = node::ready(place, "the browser journeys")?.node;
    let folder = place.root.join("tests/browser");
    let mut journeys: Vec<PathBuf> = std::fs::read_dir(&folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.to_string_lossy().ends_with(".test.js"))
        .collect();
    journeys.sort();
    let mut command = Command::new(node);
    // A failed test leaves a server of its own behind, which must not keep the run from ending; nor may a file hang.
    command.args(["--test", "--test-reporter=spec", "--test-concurrency=1", "--test-force-exit", HANG]);
    command.args(journeys).current_dir(&place.root);
    command.env("SHINGLE_BINARY", binary).env("SHINGLE_CHROMIUM", chromium);
    command.env("SHINGLE_PACKAGE", package::scripts(place)?);
    match firefox() {
        Ok(firefox) => {
            command.env("SHINGLE_FIREFOX", firefox);
        }
        Err(error) if std::env::var_os("CI").is_some() => {
            eprintln!("{error:#}. That fails in CI.");
            tally.failed += 1;
        }
        Err(error) => eprintln!("{error:#}. Its tests are skipped."),
    }
    tests(tally, &mut command, Runner::Node)
}

fn fuzz(place: &Place, tally: &mut Tally) -> Result<()> {
    runtime::build(place)?;
    let mut command = at_root(place);
    command.args(["test", "--package", "shingle-tests", "--test", "fuzz"]).env("PROPTEST_CASES", FUZZ_CASES);
    tests(tally, &mut command, Runner::Cargo)
}

fn at_root(place: &Place) -> Command {
    let mut command = cargo();
    command.current_dir(&place.root);
    command
}

/// A command that is right or wrong as a whole.
fn step(tally: &mut Tally, command: &mut Command) {
    let outcome = run_command(command);
    if let Err(error) = &outcome {
        eprintln!("{error:#}");
    }
    *tally += Tally::step(outcome.is_ok());
}

fn tests(tally: &mut Tally, command: &mut Command, runner: Runner) -> Result<()> {
    let (succeeded, output) = tee(command)?;
    *tally += Tally::of(runner, succeeded, &output);
    Ok(())
}

/// The folder of PostgreSQL's own programs: on the path, or where Debian keeps them.
fn postgres() -> Option<PathBuf> {
    let whole = |folder: &Path| ["initdb", "pg_ctl"].iter().all(|program| folder.join(program).is_file());
    let on_path = on_path("initdb").and_then(|file| file.parent().map(Path::to_path_buf));
    let packaged =
        std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten().map(|e| e.path().join("bin"));
    on_path.into_iter().chain(packaged).find(|folder| whole(folder))
}

pub struct Chromium {
    pub browser: PathBuf,
    driver: PathBuf,
}

/// A browser under test asks nobody for updates.
const QUIET_CHROMIUM: &str = "--disable-background-networking --disable-component-update --disable-sync --no-first-run";

pub fn chromium() -> Result<Chromium> {
    tools::debian(&["chromium", "chromedriver"], &["chromium", "chromium-driver"], "the browser tests")?;
    let find = |program| on_path(program).with_context(|| format!("{program} is not on the search path"));
    Ok(Chromium { browser: find("chromium")?, driver: find("chromedriver")? })
}

/// Debian's, or the one that is there.
fn firefox() -> Result<PathBuf> {
    if let Some(other) = on_path("firefox") {
        return Ok(other);
    }
    tools::debian(&["firefox-esr"], &["firefox-esr"], "the journey in Firefox")?;
    on_path("firefox-esr").context("firefox-esr is not on the search path")
}
