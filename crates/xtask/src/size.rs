//! `cargo xtask size`: what a visitor downloads, against the budgets of the plan.

use std::process::ExitCode;

use anyhow::Result;

use crate::demo;
use crate::place::Place;
use crate::runtime;
use crate::server::{self, Shingle, Stop, free_port};

/// Bytes with brotli.
const LOADER_BUDGET: usize = 3_500;
const FLOW_BUDGET: usize = 80_000;
const FLOW_STRETCH: usize = 60_000;

struct Row {
    name: String,
    bytes: usize,
    gzip: usize,
    brotli: usize,
}

pub fn run(place: &Place) -> Result<ExitCode> {
    let binary = server::build(place, false)?;
    let manifest = runtime::build(place)?;
    let loader = loader(place, binary)?;
    let mut rows = vec![loader];
    rows.extend(manifest.for_a_visitor().map(|entry| Row {
        name: entry.file.clone(),
        bytes: entry.bytes,
        gzip: entry.gzip,
        brotli: entry.brotli,
    }));
    let total = |part: fn(&Row) -> usize| rows.iter().map(part).sum::<usize>();
    let whole = Row {
        name: "the whole flow".to_owned(),
        bytes: total(|r| r.bytes),
        gzip: total(|r| r.gzip),
        brotli: total(|r| r.brotli),
    };
    println!("{:<32}{:>10}{:>10}{:>10}   budget (brotli)", "file", "raw", "gzip", "brotli");
    let mut fits = true;
    for (at, row) in rows.iter().chain([&whole]).enumerate() {
        let budget = match at {
            0 => Some(LOADER_BUDGET),
            _ if at == rows.len() => Some(FLOW_BUDGET),
            _ => None,
        };
        let verdict = match budget {
            Some(most) if row.brotli > most => {
                fits = false;
                format!("{most}, OVER by {}", row.brotli - most)
            }
            Some(most) => format!("{most}, {} left", most - row.brotli),
            None => String::new(),
        };
        println!("{:<32}{:>10}{:>10}{:>10}   {verdict}", row.name, row.bytes, row.gzip, row.brotli);
    }
    if whole.brotli > FLOW_STRETCH {
        println!("\nstretch goal of {FLOW_STRETCH}: {} more than that", whole.brotli - FLOW_STRETCH);
    } else {
        println!("\nstretch goal of {FLOW_STRETCH}: reached");
    }
    Ok(if fits { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The loader as a visitor gets it, with the widget's own configuration and launcher inside.
fn loader(place: &Place, binary: std::path::PathBuf) -> Result<Row> {
    let shingle = Shingle { binary, data: place.root.join("target/size-data") };
    server::forget(&shingle.data)?;
    let (listen, site) = (free_port(18_080)?, free_port(18_090)?);
    let account = demo::account(&shingle)?;
    let stop = Stop::default();
    shingle.serve(listen, &stop)?;
    demo::widget(listen, site, &account.sandbox_key, demo::SANDBOX_WIDGET, &place.root)?;
    let url = format!("http://{listen}/w/{}.js", demo::SANDBOX_WIDGET);
    let sent = |coding: &str| -> Result<usize> {
        let mut answer = ureq::get(&url).header("accept-encoding", coding).call()?;
        Ok(answer.body_mut().read_to_vec()?.len())
    };
    let row = Row {
        name: "loader + launcher (as sent)".to_owned(),
        bytes: sent("identity")?,
        gzip: sent("gzip")?,
        brotli: sent("br")?,
    };
    stop.now();
    server::forget(&shingle.data)?;
    Ok(row)
}
