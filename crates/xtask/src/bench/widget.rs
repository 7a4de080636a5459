//! `cargo xtask bench widget`: our widget and other embeds on the same contractor's page, in the same run.
//!
//! A phone with a processor slowed down four times, an empty cache, no network but this machine's own: of the times
//! only the ratios mean something. The embeds come from npm; where the application behind one is not to be had, a
//! frame with one field stands for it, so its opening is a floor. The measuring is in `tests/browser/bench`.

use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::json;

use super::embeds;
use super::report::{Report, Sample};
use crate::command::say;
use crate::node;
use crate::server::{self, Shingle, Stop, free_port};
use crate::workspace::Workspace;
use crate::{demo, suite};

pub fn run(workspace: &Workspace, rounds: usize, as_json: bool) -> Result<ExitCode> {
    let binary = server::build(workspace, true)?;
    let node = node::ready(workspace, "the widget's benches")?;
    let chromium = suite::chromium()?.browser;
    let work = workspace.target.join("bench-widget");
    let embeds = embeds::fetch(&node, work.join("packages"))?;

    let shingle = Shingle { binary, data: work.join("data") };
    server::forget(&shingle.data)?;
    let (listen, site) = (free_port(18_180)?, free_port(18_190)?);
    let account = demo::account(&shingle)?;
    let stop = Stop::default();
    shingle.serve_quietly(listen, &stop)?;
    let widget = demo::widget(listen, site, &account.sandbox_key, demo::SANDBOX_WIDGET, &workspace.root)?;

    say(&format!("measuring, {rounds} rounds"));
    let wish = json!({
        "root": workspace.root,
        "packages": embeds.folder,
        "widgetScript": demo::word(&widget, "widgetScript")?,
        "chromium": chromium,
        "rounds": rounds,
    });
    let mut measuring = Command::new(&node.node);
    measuring.arg(workspace.root.join("tests/browser/bench/widget.js")).arg(wish.to_string());
    let output = measuring.stdin(Stdio::null()).stderr(Stdio::inherit()).output().context("could not start Node.js")?;
    stop.now();
    server::forget(&shingle.data)?;
    if !output.status.success() {
        bail!("the measuring failed ({})", output.status);
    }
    let samples: Vec<Sample> = serde_json::from_slice(&output.stdout).context("what the measuring wrote")?;
    let report = Report::of(&samples)?;
    if as_json {
        let all = json!({
            "packages": embeds.packages,
            "verdicts": report.verdicts(),
            "samples": serde_json::from_slice::<serde_json::Value>(&output.stdout)?,
        });
        println!("{all:#}");
    } else {
        for package in &embeds.packages {
            println!("{} {}  {}", package.name, package.version, package.integrity);
        }
        println!("\n{report}");
    }
    Ok(if report.keeps_budgets() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
