//! The `shingle` command line.

mod account;
mod calibrate;
mod doctor;
mod import;
mod key;
mod lead;
mod lookup;
mod place;
mod problem;
mod reference;
mod report;
mod serve;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub use place::Place;
pub use problem::Problem;
pub use report::Report;

/// Roof estimates and leads for roofing contractors, self-hosted.
#[derive(Debug, Parser)]
#[command(name = "shingle", version, propagate_version = true, arg_required_else_help = true)]
struct Shingle {
    #[command(flatten)]
    everywhere: Everywhere,
    #[command(subcommand)]
    command: Command,
}

/// What every command takes.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Everywhere {
    /// Answer in JSON
    #[arg(long, global = true)]
    json: bool,
    /// Folder of everything that is kept [default: shingle-data]
    #[arg(long, global = true, value_name = "DIR")]
    data: Option<PathBuf>,
    /// sqlite://PATH or postgres://… [default: a file in the data folder]
    #[arg(long, global = true, value_name = "URL")]
    database: Option<String>,
    /// Settings file [default: shingle.toml, if there is one]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Answer the API, the widgets and their visitors
    Serve(serve::Serve),
    /// Create and manage accounts
    #[command(subcommand)]
    Account(account::Account),
    /// Issue, list and revoke API keys
    #[command(subcommand)]
    Key(key::Key),
    /// Take in county tables and building outlines
    Import(import::Import),
    /// Show what is known of an address, from where, and its estimates
    Lookup(lookup::Lookup),
    /// Fit the buyer scores to your own outcomes, and look after fairness
    #[command(subcommand)]
    Calibrate(calibrate::Calibrate),
    /// List leads
    #[command(subcommand)]
    Lead(lead::Lead),
    /// List, show and renew the tables of prices, climate, grid, sun and homes
    #[command(subcommand)]
    Reference(reference::Reference),
    /// Check configuration, database, storage, index and clock
    Doctor(doctor::Doctor),
}

/// Runs the command line of this process.
pub fn run() -> ExitCode {
    let Shingle { everywhere, command } = Shingle::parse();
    let report = Report::new(everywhere.json);
    let outcome = match command {
        Command::Serve(serve) => serve.run(&everywhere, report),
        Command::Account(account) => account.run(&everywhere, report),
        Command::Key(key) => key.run(&everywhere, report),
        Command::Import(import) => import.run(&everywhere, report),
        Command::Lookup(lookup) => lookup.run(&everywhere, report),
        Command::Calibrate(calibrate) => calibrate.run(&everywhere, report),
        Command::Lead(lead) => lead.run(&everywhere, report),
        Command::Reference(reference) => reference.run(&everywhere, report),
        Command::Doctor(doctor) => doctor.run(&everywhere, report),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            report.failed(&problem);
            ExitCode::FAILURE
        }
    }
}
