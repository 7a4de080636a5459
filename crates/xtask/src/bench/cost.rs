//! `cargo xtask bench cost`: how many instructions a request takes, counted by callgrind on the debug build. Unlike a time
//! they hardly depend on the machine. They follow the code, not the optimizer: what they are for is to notice a change.

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
const COUNTED: usize = 400;
/// One after the other, so none shares its transaction with another.
const LEADS: usize = 20;
const LEAD: &str = "lead";

pub fn run(workspace: &Workspace, binary: Option<PathBuf>, raise: bool) -> Result<ExitCode> {
    tools::debian(&["valgrind", "callgrind_control"], &["valgrind"], "counting instructions")?;
    let binary = match binary {
        Some(binary) => binary,
        None => server::build(workspace, false)?,
    };
    let folder = workspace.target.join("bench-cost");
    server::forget(&folder)?;
    std::fs::create_dir_all(&folder)?;
    let counted = count(workspace, &binary, &folder)?;
    let mut budgets = Budgets::read(workspace)?;
    let mut fits = true;
    println!("\n{:<52}{:>14}{:>14}", "instructions, debug build", "budget", "now");
    for (name, now) in &counted {
        let budget = budgets.instructions.get(name).copied();
        let within = budget.is_some_and(|budget| *now <= most(budget));
        fits &= within;
        let shown = budget.map_or_else(|| "none".to_owned(), |budget| budget.to_string());
        println!("{:<6}{name:<46}{shown:>14}{now:>14}", if within { "ok" } else { "OVER" });
    }
    server::forget(&folder)?;
    if raise {
        budgets.instructions = counted.into_iter().collect();
        budgets.write(workspace)?;
        return Ok(ExitCode::SUCCESS);
    }
    Ok(if fits { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn count(workspace: &Workspace, binary: &Path, folder: &Path) -> Result<Vec<(String, u64)>> {
    let installation = Installation::new(binary, folder, None)?;
    let (free, prepaid) = (installation.account("Bench Roofing")?, installation.account("Prepaid Roofing")?);
    installation.ask(&["account", "credit", &prepaid.id, "1000000"])?;
    let listen = free_port(18_380)?;
    // The first start makes the sample town.
    drop(installation.serve(listen)?);
    say("starting the server under callgrind, which takes a minute");
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--quiet", "--cache-sim=no"]);
    command.arg(format!("--callgrind-out-file={}", folder.join("callgrind").display()));
    let plain =
        installation.command(&["serve", "--listen", &listen.to_string(), "--base-url", &format!("http://{listen}")]);
    command.arg(plain.get_program()).args(plain.get_args()).stderr(std::fs::File::create(folder.join("log"))?);
    let served = Program::start(command)?;
    demo::widget(listen, listen, &free.sandbox, demo::SANDBOX_WIDGET, &workspace.root)?;
    let mut counted = Vec::new();
    for row in rows(&free, &prepaid) {
        let request = &*row.request;
        let of = |requests| Load { to: listen, connections: 1, requests, request, status: 200 };
        of(WARM).measure(served.pid())?;
        counted.push((row.name.to_owned(), each(&served, folder, &of(COUNTED))?));
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
    ensure!(total > 0, "nothing was counted");
    Ok(total / load.requests as u64)
}
