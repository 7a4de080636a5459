//! `cargo xtask bench webhooks`: how soon events leave, how many a second, and what a receiver that hangs costs the
//! others; on both databases, with one and two nodes.
//!
//! Sending is compared with a bare loop of the same client, body, receiver and concurrency, before and after it in the
//! same run: a busy machine slows both. The measuring is in `shingle-deliver/examples/webhook_bench`.

use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::command::{self, cargo, read, say};
use crate::workspace::Workspace;

/// From an event's moment to its arrival, milliseconds, at 200 events a second.
const P95_MS: f64 = 50.0;
/// Deliveries a second of a backlog, and as a share of the bare loop's.
const PER_SECOND: f64 = 2_000.0;
const SHARE: f64 = 0.5;
/// How much later events may arrive beside one receiver that hangs.
const SLOWER: f64 = 2.0;

pub fn run(workspace: &Workspace, seconds: u32) -> Result<ExitCode> {
    let mut build = cargo();
    build.args(["build", "--release", "--package", "shingle-deliver", "--example", "webhook_bench"]);
    command::run(build.current_dir(&workspace.root))?;
    let program = workspace.target.join("release/examples/webhook_bench");
    let mut fits = true;
    for database in ["sqlite", "postgres"] {
        for nodes in ["1", "2"] {
            let folder = workspace.target.join("bench-webhooks");
            let _ = std::fs::remove_dir_all(&folder);
            std::fs::create_dir_all(&folder)?;
            say(&format!("{database}, {nodes} node(s), {seconds} s of load"));
            let mut run = Command::new(&program);
            let text = read(run.args([database, nodes]).arg(&folder).arg(seconds.to_string()))?;
            std::fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
            let figures: Value =
                serde_json::from_str(&text).with_context(|| format!("it did not print its figures: {text}"))?;
            fits &= judge(&format!("{database}, {nodes} node(s)"), &figures);
        }
    }
    Ok(if fits { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints the figures of one run; whether all goals are met.
fn judge(title: &str, figures: &Value) -> bool {
    println!("\n{title:<34}{:>10}{:>10}{:>10}{:>10}   ms", "events", "p50", "p95", "p99");
    for (name, what) in [
        ("steady", "200 events/s"),
        ("healthy", "100 receivers, all healthy"),
        ("beside", "99 of them, beside one that hangs"),
    ] {
        let of = |field: &str| number(&figures[name][field]);
        println!("{what:<34}{:>10}{:>10.1}{:>10.1}{:>10.1}", of("count"), of("p50"), of("p95"), of("p99"));
    }
    let sent = &figures["backlog"];
    let bare =
        figures["bare"].as_array().map_or(0.0, |turns| turns.iter().map(number).sum::<f64>() / turns.len() as f64);
    let (per_second, slower) =
        (number(&sent["perSecond"]), number(&figures["beside"]["p95"]) / number(&figures["healthy"]["p95"]));
    let p95 = number(&figures["steady"]["p95"]);
    let lost = number(&sent["undelivered"]) + number(&sent["doubled"]);
    let share = per_second / bare;
    let goals = [
        (format!("event to arrival at 200/s: p95 {p95:.1} ms; goal {P95_MS}"), p95 <= P95_MS),
        (
            format!("backlog of {}: {per_second:.0} deliveries/s; goal {PER_SECOND}", sent["total"]),
            per_second >= PER_SECOND,
        ),
        (format!("that is {share:.2} x the bare loop's {bare:.0} requests/s; goal {SHARE}"), share >= SHARE),
        (format!("beside one that hangs, p95 of the others is {slower:.2} x; goal {SLOWER}"), slower <= SLOWER),
        (format!("lost {}, doubled {}; goal none", sent["undelivered"], sent["doubled"]), lost == 0.0),
    ];
    let mut fits = true;
    for (what, good) in goals {
        fits &= good;
        println!("{:<6}{what}", if good { "ok" } else { "OVER" });
    }
    fits
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_default()
}
