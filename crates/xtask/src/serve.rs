//! `cargo xtask serve`: from a fresh clone to a contractor's page with a working button.

use std::net::SocketAddr;

use anyhow::{Context, Result, bail};

use crate::command::say;
use crate::server::{self, Shingle, Stop, free_port};
use crate::workspace::Workspace;
use crate::{demo, site};

pub struct Wish {
    pub listen: Option<SocketAddr>,
    pub site: Option<SocketAddr>,
    pub fresh: bool,
    pub release: bool,
}

pub fn run(workspace: &Workspace, wish: &Wish) -> Result<()> {
    let shingle =
        Shingle { binary: server::build(workspace, wish.release)?, data: workspace.root.join("target/demo-data") };
    if wish.fresh {
        server::forget(&shingle.data)?;
    }
    let stop = Stop::default();
    let on_signal = stop.clone();
    ctrlc::set_handler(move || {
        on_signal.now();
        std::process::exit(130);
    })
    .context("Ctrl-C could not be taken over")?;

    let listen = wish.listen.map_or_else(|| free_port(8080), Ok)?;
    let site_at = wish.site.map_or_else(|| free_port(8090), Ok)?;
    say("making the demo account");
    let account = demo::account(&shingle)?;
    say("starting the server");
    shingle.serve(listen, &stop)?;
    let widget = demo::widget(listen, site_at, &account.sandbox_key, demo::SANDBOX_WIDGET, &workspace.root)?;
    let production = demo::widget(listen, site_at, &account.production_key, demo::PRODUCTION_WIDGET, &workspace.root)?;
    site::serve(site_at, &workspace.root.join("www/demo"), &demo::word(&widget, "widgetScript")?)?;

    let key = &account.sandbox_key;
    let binary = shown(workspace, &shingle.binary);
    let data = shown(workspace, &shingle.data);
    println!();
    println!("  Demo contractor site   http://{site_at}/");
    println!("  Hosted page            {}", demo::word(&widget, "hostedPageLink")?);
    println!("  The same, on towns you import: {}", demo::word(&production, "hostedPageLink")?);
    println!("  Key (sandbox)          {key}");
    println!();
    println!("  A home of the invented sample town to try: {TRY}");
    println!();
    println!("  curl -G http://{listen}/api/v1/roof-estimate -H 'token: {key}' \\");
    println!("       --data-urlencode 'address={TRY}'");
    println!();
    println!("  Leads:   {binary} lead list --account {} --data {data}", account.id);
    println!("  A town:  {binary} import FILE --map MAP.toml --data {data}");
    println!();
    println!("  Ctrl-C stops everything.");
    let status = stop.wait()?;
    if status.success() { Ok(()) } else { bail!("the server ended ({status})") }
}

/// An address that the sample town has.
pub const TRY: &str = "14 Alder Court";

fn shown(workspace: &Workspace, path: &std::path::Path) -> String {
    path.strip_prefix(&workspace.root).unwrap_or(path).display().to_string()
}
