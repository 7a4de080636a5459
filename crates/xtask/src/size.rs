//! `cargo xtask size`: what a visitor downloads, against the budgets of the plan.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::demo;
use crate::runtime;
use crate::server::{self, Shingle, Stop, free_port};
use crate::workspace::Workspace;

/// Bytes with brotli.
const LOADER_BUDGET: usize = 3_500;
/// A banner also makes room at the end of the page, and can be hidden. With the link for where the loader fails.
const BANNER_BUDGET: usize = 3_650;
const FLOW_BUDGET: usize = 78_000;
const FLOW_STRETCH: usize = 60_000;

const BANNER: &str = "banner";
const BANNER_TEXT: &str = "What would a new roof cost? See it in a minute.";

struct Row {
    name: String,
    bytes: usize,
    gzip: usize,
    brotli: usize,
}

pub fn run(workspace: &Workspace) -> Result<ExitCode> {
    let binary = server::build(workspace, false)?;
    let manifest = runtime::build(workspace)?;
    let Sent { loaders, config } = sent(workspace, binary, manifest.js.file.trim_end_matches(".js"))?;
    // The heaviest launcher stands for all in the sum.
    let heaviest = loaders.iter().map(|row| row.brotli).max().unwrap_or_default();
    let loader = loaders.iter().find(|row| row.brotli == heaviest).context("no loader was weighed")?;
    let after = [("script", &manifest.js), ("module", &manifest.wasm)].map(|(name, entry)| Row {
        name: format!("{name} {}", entry.file),
        bytes: entry.bytes,
        gzip: entry.gzip,
        brotli: entry.brotli,
    });
    let whole = Row::sum("the whole flow", [loader, &after[0], &after[1], &config]);
    println!("{:<42}{:>9}{:>9}{:>9}   budget (brotli)", "file", "raw", "gzip", "brotli");
    let mut fits = true;
    for row in &loaders {
        let budget = if row.name.ends_with(BANNER) { BANNER_BUDGET } else { LOADER_BUDGET };
        fits &= row.print(Some(budget));
    }
    for row in after.iter().chain([&config]) {
        row.print(None);
    }
    fits &= whole.print(Some(FLOW_BUDGET));
    if whole.brotli > FLOW_STRETCH {
        println!("\nstretch goal of {FLOW_STRETCH}: {} more than that", whole.brotli - FLOW_STRETCH);
    } else {
        println!("\nstretch goal of {FLOW_STRETCH}: reached");
    }
    Ok(if fits { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Row {
    fn sum<'a>(name: &str, rows: impl IntoIterator<Item = &'a Self>) -> Self {
        let none = Self { name: name.to_owned(), bytes: 0, gzip: 0, brotli: 0 };
        rows.into_iter().fold(none, |sum, row| Self {
            bytes: sum.bytes + row.bytes,
            gzip: sum.gzip + row.gzip,
            brotli: sum.brotli + row.brotli,
            ..sum
        })
    }

    /// Says the row, and whether it keeps to its budget.
    fn print(&self, budget: Option<usize>) -> bool {
        let over = budget.map(|most| (most, self.brotli.checked_sub(most).filter(|over| *over > 0)));
        let verdict = match over {
            Some((most, Some(over))) => format!("{most}, OVER by {over}"),
            Some((most, None)) => format!("{most}, {} left", most - self.brotli),
            None => String::new(),
        };
        println!("{:<42}{:>9}{:>9}{:>9}   {verdict}", self.name, self.bytes, self.gzip, self.brotli);
        !matches!(over, Some((_, Some(_))))
    }
}

/// What the server completes with a widget's own values.
struct Sent {
    loaders: Vec<Row>,
    config: Row,
}

/// The loaders of the demo's widget in every kind, and its configuration in English, as a visitor gets them.
fn sent(workspace: &Workspace, binary: PathBuf, runtime: &str) -> Result<Sent> {
    let shingle = Shingle { binary, data: workspace.root.join("target/size-data") };
    server::forget(&shingle.data)?;
    let (listen, site) = (free_port(18_080)?, free_port(18_090)?);
    let account = demo::account(&shingle)?;
    let stop = Stop::default();
    shingle.serve(listen, &stop)?;
    demo::widget(listen, site, &account.sandbox_key, demo::SANDBOX_WIDGET, &workspace.root)?;
    let at = format!("http://{listen}/w/{}", demo::SANDBOX_WIDGET);
    let mut loaders = Vec::new();
    let banner = [("elementType", BANNER), ("elementLocation", "top"), ("bannerText", BANNER_TEXT)];
    let custom = [("elementType", "custom")];
    for (kind, fields) in [("button", &[][..]), (BANNER, &banner), ("custom", &custom)] {
        demo::change(listen, &account.sandbox_key, demo::SANDBOX_WIDGET, fields)?;
        loaders.push(weigh(&format!("loader + launcher, {kind}"), &format!("{at}.js"))?);
    }
    let config = weigh("configuration and words, English", &format!("{at}/config/{runtime}.en.json"))?;
    stop.now();
    server::forget(&shingle.data)?;
    Ok(Sent { loaders, config })
}

fn weigh(name: &str, url: &str) -> Result<Row> {
    let sent = |coding: &str| -> Result<usize> {
        let mut answer = ureq::get(url).header("accept-encoding", coding).call()?;
        Ok(answer.body_mut().read_to_vec()?.len())
    };
    Ok(Row { name: name.to_owned(), bytes: sent("identity")?, gzip: sent("gzip")?, brotli: sent("br")? })
}
