//! Everything around the product: building, serving, testing, measuring. `cargo xtask --help` lists it.
//!
//! # Decisions
//!
//! - Request costs are judged as a multiple of a bare axum hello in the same run (`cargo xtask bench api`), by the
//!   server's CPU time, on both databases.
//! - `xtask` compiles few small crates, because its first line is the first thing a newcomer sees. What only the
//!   runtime's build needs is in `shingle-runtime-builder`. Turned down: all in one, silent for five minutes.
//! - wasm-pack makes the npm package, nothing else; wasm-bindgen's programs come from `wasm-bindgen-tools`. The module's
//!   tests use wasm-bindgen's own runner. Turned down: `wasm-pack test`, which had to be compiled for it on every new
//!   machine.
//! - Inputs worth repeating are stored as text (`tests/fuzz/corpus`) and run before random ones. Turned down:
//!   proptest seeds, which change meaning with a strategy.
//! - The suite runs 4,000 random cases per property, the nightly run 20,000 (`PROPTEST_CASES`). Turned down: 20,000
//!   in every run, three of its minutes.
//! - What a test starts dies with it: by the system (`setpriv --pdeathsig`), or by a pipe the program reads. Turned
//!   down: exit handlers, which a kill skips.
//! - The soak run judges memory by the minimum in each half of its rounds; the maximum depends on how hostile clients
//!   coincide.

mod bench;
mod budgets;
mod chaos;
#[cfg(test)]
mod code_map;
mod command;
mod demo;
#[cfg(test)]
mod import_cycles;
mod install;
mod module_linker;
mod node;
mod package;
mod release;
#[cfg(test)]
mod repo_rules;
mod runtime;
mod serve;
mod server;
mod site;
mod size;
mod soak;
mod suite;
mod test_counts;
#[cfg(test)]
mod threat_model;
mod tools;
mod wordpress;
mod workspace;

use std::net::SocketAddr;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Build, show, test and measure Shingle", max_term_width = 100)]
struct Options {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build the browser runtime and the `shingle` binary with it inside
    Build {
        /// Optimised, for shipping
        #[arg(long)]
        release: bool,
    },
    /// Build, and put `shingle` into cargo's folder of programs
    Install {
        /// The optimized build
        #[arg(long)]
        release: bool,
    },
    /// Build, make a demo account and start: a contractor's site, the hosted page and the API
    Serve {
        /// Where the service listens; without it 127.0.0.1:8080, or the next free port
        #[arg(long)]
        listen: Option<SocketAddr>,
        /// Where the demo contractor site listens; without it port 8090, or the next free one
        #[arg(long)]
        site: Option<SocketAddr>,
        /// Forget what an earlier demo kept
        #[arg(long)]
        fresh: bool,
        /// The optimized build
        #[arg(long)]
        release: bool,
    },
    /// The whole suite; the last line counts what passed and what failed
    Test {
        /// Only these tiers (repeat or separate with commas)
        #[arg(long, value_enum, value_delimiter = ',')]
        only: Vec<suite::Tier>,
    },
    /// A long hostile run on both databases: kills, full disks, a dying database; nothing may be lost, doubled or grow
    Soak {
        /// How long
        #[arg(long, default_value_t = 2)]
        minutes: u64,
        /// Repeats the dice of an earlier run
        #[arg(long)]
        seed: Option<u64>,
    },
    /// Three nodes while nodes, database, storage and clocks fail in turn; nothing acknowledged may be lost or doubled
    Chaos {
        /// How long
        #[arg(long, default_value_t = 2)]
        minutes: u64,
        /// Repeats the dice of an earlier run
        #[arg(long)]
        seed: Option<u64>,
    },
    /// Bytes of the loader and of each runtime file, against their budgets
    Size,
    /// The WordPress plugin, into target/shingle-roof-estimates.zip
    Wordpress,
    /// The npm package for sites built with a bundler, into target/npm
    Package {
        /// Only what is written by hand, for tests: no browser runtime, and no archive
        #[arg(long)]
        without_runtime: bool,
    },
    /// Everything that people download, into target/release-files: static programs, archives, packages, image, sums
    Release(release::Release),
    /// Speed against its budgets
    #[command(subcommand)]
    Bench(Bench),
}

#[derive(Subcommand)]
enum Bench {
    /// Processor time of a request beside a bare hello, and leads a second, on both databases
    Api {
        /// Turns of both sides, of which the median counts
        #[arg(long, default_value_t = 5)]
        turns: usize,
        /// A `shingle` that is built already, in place of the release build
        #[arg(long, value_name = "FILE")]
        binary: Option<std::path::PathBuf>,
    },
    /// An area of a release of synthetic homes: bytes, processor time and memory
    Area {
        /// Homes of the release
        #[arg(long, default_value_t = 2_000_000)]
        rows: u64,
        /// Loads, of which the median counts
        #[arg(long, default_value_t = 3)]
        turns: usize,
    },
    /// Instructions of a request, counted by callgrind, against budgets.json; the debug build, whose code follows the source
    Cost {
        /// A debug `shingle` that is built already
        #[arg(long, value_name = "FILE")]
        binary: Option<std::path::PathBuf>,
        /// Writes what was counted into budgets.json; the commit says why more is needed
        #[arg(long)]
        raise: bool,
    },
    /// Importing, look-ups and suggestions, on synthetic addresses
    Import {
        /// Addresses of the large index; 5000000 takes minutes and some 6 GB of disk
        #[arg(long, default_value_t = 500_000)]
        rows: u64,
        /// Turns of building and raw inserting, of which the median counts
        #[arg(long, default_value_t = 3)]
        turns: usize,
    },
    /// A nation's homes, synthetic: bytes a home, look-ups, suggestions, memory, a state copied
    Nation {
        /// Homes over fifty states; 20000000 takes an hour and some 20 GB of disk
        #[arg(long, default_value_t = 20_000_000)]
        places: u64,
        /// Turns of look-ups among many and among few, of which the median counts
        #[arg(long, default_value_t = 5)]
        turns: usize,
        /// The example `nation_bench` of shingle-property that is built already, in place of the release build
        #[arg(long, value_name = "FILE")]
        binary: Option<std::path::PathBuf>,
    },
    /// Deliveries: how soon, how many a second, and beside a receiver that hangs
    Webhooks {
        /// Seconds of steady load
        #[arg(long, default_value_t = 5)]
        seconds: u32,
    },
    /// The widget beside other embeds, on the same page: bytes, blocking, layout shift, time to launcher and dialog
    Widget {
        /// Pages a candidate is measured on, of which the median counts; the first round is not counted
        #[arg(long, default_value_t = 9)]
        rounds: usize,
        /// Every figure of every round, for programs
        #[arg(long)]
        json: bool,
    },
}

fn main() -> ExitCode {
    if let Some(linked) = module_linker::link_if_called() {
        return linked;
    }
    match run(Options::parse().task) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("\nxtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> Result<ExitCode> {
    let workspace = workspace::Workspace::find()?;
    match task {
        Task::Build { release } => {
            let binary = server::build(&workspace, release)?;
            command::say(&format!("built {}", binary.display()));
            Ok(ExitCode::SUCCESS)
        }
        Task::Install { release } => {
            install::run(&workspace, release)?;
            Ok(ExitCode::SUCCESS)
        }
        Task::Serve { listen, site, fresh, release } => {
            serve::run(&workspace, &serve::Wish { listen, site, fresh, release })?;
            Ok(ExitCode::SUCCESS)
        }
        Task::Test { only } => suite::run(&workspace, &only),
        Task::Soak { minutes, seed } => soak::run(&workspace, minutes.max(1), seed),
        Task::Chaos { minutes, seed } => chaos::run(&workspace, minutes.max(1), seed),
        Task::Wordpress => wordpress::run(&workspace),
        Task::Package { without_runtime } => package::run(&workspace, without_runtime),
        Task::Release(release) => {
            release::run(&workspace, release)?;
            Ok(ExitCode::SUCCESS)
        }
        Task::Size => size::run(&workspace),
        Task::Bench(Bench::Api { turns, binary }) => bench::api::run(&workspace, turns.max(1), binary),
        Task::Bench(Bench::Area { rows, turns }) => bench::area::run(&workspace, rows, turns),
        Task::Bench(Bench::Cost { binary, raise }) => bench::cost::run(&workspace, binary, raise),
        Task::Bench(Bench::Import { rows, turns }) => bench::import::run(&workspace, rows, turns),
        Task::Bench(Bench::Nation { places, turns, binary }) => bench::nation::run(&workspace, places, turns, binary),
        Task::Bench(Bench::Webhooks { seconds }) => bench::webhooks::run(&workspace, seconds.max(1)),
        Task::Bench(Bench::Widget { rounds, json }) => bench::widget::run(&workspace, rounds.max(1), json),
    }
}
