//! The log: one line for each request, on standard error. It never contains bodies, query strings, tokens or names.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

use crate::config::Settings;
use crate::operator_error::OperatorError;

/// Starts logging, as text for people or as JSON for programs.
pub fn start(settings: &Settings, json: bool) -> Result<(), OperatorError> {
    let filter = EnvFilter::try_new(&settings.log).map_err(|e| {
        OperatorError::new(format!("The log filter is not valid: {e}"))
            .at(format!("log = {:?}", settings.log))
            .fix("Write a level (info) or module=level pairs (info,shingle_server=debug).")
    })?;
    let colours = std::io::stderr().is_terminal();
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(colours).with_writer(std::io::stderr);
    let started = if json { log.json().try_init() } else { log.with_target(false).try_init() };
    // If a subscriber is installed already (by a test), it stays.
    drop(started);
    Ok(())
}
