//! The log: one line a request, on standard error. Never bodies, query strings, tokens or names.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

use crate::cli::{Problem, Report};
use crate::config::Settings;

/// From here on events are written: words for people, JSON for programs.
pub fn start(settings: &Settings, report: Report) -> Result<(), Problem> {
    let filter = EnvFilter::try_new(&settings.log).map_err(|e| {
        Problem::new(format!("The log filter cannot be used: {e}"))
            .at(format!("log = {:?}", settings.log))
            .mend("Write a level (info) or module=level pairs (info,shingle_server=debug).")
    })?;
    let colours = std::io::stderr().is_terminal();
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(colours).with_writer(std::io::stderr);
    let started = if report.is_json() { log.json().try_init() } else { log.with_target(false).try_init() };
    // Somebody (a test) listens already: theirs stays.
    drop(started);
    Ok(())
}
