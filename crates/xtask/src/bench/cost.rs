//! `cargo xtask bench cost`: how many instructions a request takes, counted by callgrind on the debug build. Unlike a time
//! they hardly depend on the machine. They follow the code, not the optimizer: what they are for is to notice a change.
//!
//! Only what a connection's own task does is counted. What a server does by the clock, beside requests, is left out: a
//! busy machine has more of it for each request.

use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};

use super::api::{Installation, Program, Visitor, rows};
use super::load::Load;
use crate::budgets::{Budgets, most};
use crate::command::{read, run as run_command, say};
use crate::demo;
use crate::server::{self, free_port};
use crate::tools;
use crate::workspace::Workspace;

/// The first ones fill caches.
const WARM: usize = 50;
const COUNTED: usize = 100;
/// One after the other, so none shares its transaction with another.
const LEADS: usize = 20;
const LEAD: &str = "lead";
/// The function of that task. Without the `*` of its closure, which would end the count.
const CONNECTION: &str = "hyper::proto::h1::dispatch::Dispatcher*::poll_catch";

pub fn run(workspace: &Workspace, binary: Option<PathBuf>, raise: bool) -> Result<ExitCode> {
    let binary = match binary {
        Some(binary) => binary,
        None => server::build(workspace, false)?,
    };
    let rows = requests(workspace, &binary)?;
    if raise {
        let mut budgets = Budgets::read(workspace)?;
        budgets.instructions = rows.into_iter().map(|row| (row.name, row.now)).collect();
        budgets.write(workspace)?;
        return Ok(ExitCode::SUCCESS);
    }
    Ok(if rows.iter().all(Row::fits) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A request, what it took and what it may take.
pub struct Row {
    name: String,
    now: u64,
    budget: Option<u64>,
}

impl Row {
    pub fn fits(&self) -> bool {
        self.budget.is_some_and(|budget| self.now <= most(budget))
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let budget = self.budget.map_or_else(|| "none".to_owned(), |budget| budget.to_string());
        write!(f, "{:<46}{budget:>14}{:>14}", self.name, self.now)
    }
}

/// Each request with what it takes, also printed.
pub fn requests(workspace: &Workspace, binary: &Path) -> Result<Vec<Row>> {
    tools::debian(&["valgrind", "callgrind_control"], &["valgrind"], "counting instructions")?;
    let folder = workspace.target.join("bench-cost");
    server::forget(&folder)?;
    std::fs::create_dir_all(&folder)?;
    let counted = count_in(workspace, binary, &folder)?;
    server::forget(&folder)?;
    let budgets = Budgets::read(workspace)?;
    let with_budget = |(name, now): (String, u64)| Row { budget: budgets.instructions.get(&name).copied(), name, now };
    let rows: Vec<Row> = counted.into_iter().map(with_budget).collect();
    println!("\n{:<52}{:>14}{:>14}", "instructions, debug build", "budget", "now");
    for row in &rows {
        println!("{:<6}{row}", if row.fits() { "ok" } else { "OVER" });
    }
    Ok(rows)
}

fn count_in(workspace: &Workspace, binary: &Path, folder: &Path) -> Result<Vec<(String, u64)>> {
    let installation = Installation::new(binary, folder, None)?;
    let (free, prepaid) = (installation.account("Bench Roofing")?, installation.account("Prepaid Roofing")?);
    installation.ask(&["account", "credit", &prepaid.id, "1000000"])?;
    let listen = free_port(18_380)?;
    // The first start makes the sample town.
    drop(installation.serve(listen)?);
    say("starting the server under callgrind, which takes a minute");
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--quiet", "--cache-sim=no"]);
    command.arg(format!("--toggle-collect={CONNECTION}"));
    command.arg(format!("--callgrind-out-file={}", folder.join("callgrind").display()));
    let plain =
        installation.command(&["serve", "--listen", &listen.to_string(), "--base-url", &format!("http://{listen}")]);
    command.arg(plain.get_program()).args(plain.get_args()).stderr(std::fs::File::create(folder.join("log"))?);
    let served = Program::start(command)?;
    demo::widget(listen, listen, &free.sandbox, demo::SANDBOX_WIDGET, &workspace.root)?;
    let mut counted: Vec<(String, u64)> = Vec::new();
    for row in rows(&free, &prepaid) {
        // Each asked once: what was found lately is in memory.
        let others = |number: usize| (row.request)(WARM + number);
        let of = |requests, request| Load { to: listen, connections: 1, requests, request, status: 200 };
        of(WARM, &row.request).measure(served.pid())?;
        counted.push((row.name.to_owned(), each(&served, folder, &of(COUNTED, &others))?));
    }
    let visitor = Visitor::arrives(listen)?;
    let request = |number: usize| visitor.lead(1, number);
    lead_load(listen, &|number: usize| visitor.lead(0, number)).measure(served.pid())?;
    counted.push((LEAD.to_owned(), each(&served, folder, &lead_load(listen, &request))?));
    Ok(counted)
}

fn lead_load<'a>(to: SocketAddr, request: &'a (dyn Fn(usize) -> Vec<u8> + Sync)) -> Load<'a> {
    Load { to, connections: 1, requests: LEADS, request, status: 201 }
}

/// Of one request of this load.
fn each(served: &Program, folder: &Path, load: &Load<'_>) -> Result<u64> {
    let pid = served.pid().to_string();
    run_command(Command::new("callgrind_control").args(["--zero", &pid]).stdout(std::process::Stdio::null()))?;
    load.measure(served.pid())?;
    let dumped = |entries: std::fs::ReadDir| {
        entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.display().to_string().contains("callgrind."))
    };
    let before: Vec<PathBuf> = dumped(std::fs::read_dir(folder)?).collect();
    read(Command::new("callgrind_control").args(["--dump", &pid]))?;
    let new =
        dumped(std::fs::read_dir(folder)?).find(|path| !before.contains(path)).context("callgrind wrote nothing")?;
    let text = std::fs::read_to_string(&new)?;
    let totals = text.lines().filter_map(|line| line.strip_prefix("summary:").or_else(|| line.strip_prefix("totals:")));
    let total: u64 =
        totals.filter_map(|total| total.trim().parse::<u64>().ok()).max().context("no total was counted")?;
    ensure!(total > 0, "nothing was counted: a release inlines {CONNECTION}, so this needs a debug build");
    Ok(total / load.requests as u64)
}
