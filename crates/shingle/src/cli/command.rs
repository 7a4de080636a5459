//! All commands, and which one the process runs.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use super::args::GlobalArgs;
use super::output::Output;
use super::{
    account, area, backup, calibrate, config, connector, consent, doctor, health, import, index, key, lead, lookup,
    mail, mcp, measure, notice, person, photo, reference, secret, serve, usage, user, webhook, widget,
};

/// Roof estimates and leads for roofing contractors, self-hosted.
#[derive(Debug, Parser)]
#[command(name = "shingle", version = crate::BUILD, propagate_version = true, arg_required_else_help = true)]
#[command(after_help = "The manual: http://127.0.0.1:8080/manual, or /manual on your own server.")]
struct Shingle {
    #[command(flatten)]
    global: GlobalArgs,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the API, the widgets and their visitors
    Serve(serve::Serve),
    /// Create and manage accounts
    #[command(subcommand)]
    Account(account::Account),
    /// Print a link by which someone joins the portal, once, within 7 days
    Invite(user::Invite),
    /// List who can sign in to the portal, and help someone who cannot
    #[command(subcommand)]
    User(user::User),
    /// Issue, list, rotate and revoke API keys
    #[command(subcommand)]
    Key(key::Key),
    /// Show what the look-ups of an account come to, by day, environment, key and product
    Usage(usage::Usage),
    /// Create and list widgets
    #[command(subcommand)]
    Widget(widget::Widget),
    /// Import county tables and building outlines
    Import(import::Import),
    /// Load the homes around a ZIP or a town, or of a county, from a national source, and keep them up to date
    #[command(subcommand)]
    Area(area::Area),
    /// List and remove photos from the air, and name homes that none may show
    #[command(subcommand)]
    Photo(photo::Photo),
    /// Share the homes of several servers through a bucket
    #[command(subcommand)]
    Index(index::Index),
    /// Show the known facts of an address, their sources and every estimate
    Lookup(lookup::Lookup),
    /// Measure roofs from airborne laser points: area, pitch and facets
    Measure(measure::Measure),
    /// Fit the buyer scores to your own outcomes, and monitor fairness
    #[command(subcommand)]
    Calibrate(calibrate::Calibrate),
    /// List leads, and certify what homeowners agreed to
    #[command(subcommand)]
    Lead(lead::Lead),
    /// Check certificates of consent, and all consents of an account
    #[command(subcommand)]
    Consent(consent::Consent),
    /// Print or erase what is stored of a person
    #[command(subcommand)]
    Person(person::Person),
    /// List, show, try and add connectors to other systems
    #[command(subcommand)]
    Connector(connector::Connector),
    /// Show and set who is notified of leads, and when
    #[command(subcommand)]
    Notice(notice::Notice),
    /// Send a test email, and receive what homeowners answer
    #[command(subcommand)]
    Mail(mail::Mail),
    /// Receive webhooks on this machine, and list those of an account
    #[command(subcommand)]
    Webhook(webhook::Webhook),
    /// Serve an AI assistant on this machine: the Model Context Protocol at standard input and output
    Mcp(mcp::Mcp),
    /// Show and replace the keys that encrypt personal data
    #[command(subcommand)]
    Secret(secret::Secret),
    /// Back up everything into one file while servers run, and check a backup
    Backup(backup::Backup),
    /// Restore a backup into an empty data folder
    Restore(backup::Restore),
    /// List, show and update the reference tables of prices, climate, grid, sun and homes
    #[command(subcommand)]
    Reference(reference::Reference),
    /// Show and check the settings
    #[command(subcommand)]
    Config(config::Config),
    /// Ask the server of this machine whether it is ready; exits with 1 if it is not
    Health(health::Health),
    /// Check configuration, database, storage, index, clock and mail server
    Doctor(doctor::Doctor),
}

/// Runs the command line of this process.
pub fn run() -> ExitCode {
    // Database, logos and photographs are nobody else's to read.
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    let Shingle { global, command } = Shingle::parse();
    let output = Output::new(global.json);
    let result = match command {
        Command::Serve(serve) => serve.run(&global, output),
        Command::Account(account) => account.run(&global, output),
        Command::Key(key) => key.run(&global, output),
        Command::Invite(invite) => invite.run(&global, output),
        Command::User(user) => user.run(&global, output),
        Command::Usage(usage) => usage.run(&global, output),
        Command::Widget(widget) => widget.run(&global, output),
        Command::Import(import) => import.run(&global, output),
        Command::Area(area) => area.run(&global, output),
        Command::Photo(photo) => photo.run(&global, output),
        Command::Index(index) => index.run(&global, output),
        Command::Lookup(lookup) => lookup.run(&global, output),
        Command::Measure(measure) => measure.run(&global, output),
        Command::Calibrate(calibrate) => calibrate.run(&global, output),
        Command::Lead(lead) => lead.run(&global, output),
        Command::Consent(consent) => consent.run(&global, output),
        Command::Person(person) => person.run(&global, output),
        Command::Connector(connector) => connector.run(&global, output),
        Command::Notice(notice) => notice.run(&global, output),
        Command::Mail(mail::Mail::Receive { to }) => return mail::receive(&global, output, &to),
        Command::Mail(mail) => mail.run(&global, output),
        Command::Webhook(webhook) => webhook.run(&global, output),
        Command::Mcp(mcp) => mcp.run(),
        Command::Secret(secret) => secret.run(&global, output),
        Command::Backup(backup) => backup.run(&global, output),
        Command::Restore(restore) => restore.run(&global, output),
        Command::Reference(reference) => reference.run(&global, output),
        Command::Health(health) => health.run(&global, output),
        Command::Config(config) => config.run(&global, output),
        Command::Doctor(doctor) => doctor.run(&global, output),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            output.print_error(&error);
            ExitCode::FAILURE
        }
    }
}
