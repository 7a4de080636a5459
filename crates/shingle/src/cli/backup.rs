//! `shingle backup …` and `shingle restore …`.

use std::io::Read as _;
use std::path::PathBuf;
use std::pin::pin;

use clap::{Args, Subcommand};
use shingle_app::OperatorError;
use shingle_app::backup::{
    BackupContents, BackupFault, BackupFix, BackupPlace, BackupRequest, RestoreRequest, Restored, SecretKept, Stop,
    TakenBackup, check_backup, restore_backup, take_backup,
};
use shingle_app::installation::{Installation, SettingFlags};
use shingle_backup::Passphrase;

use super::args::GlobalArgs;
use super::blocking::block_on;
use super::output::Output;
use super::stop_signal::stop_signal;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Backup {
    #[command(subcommand)]
    action: Option<Action>,
    /// Where the backup goes, such as shingle-2026-11-28.tar.zst or s3://BUCKET/shingle-2026-11-28.tar.zst
    #[arg(required = true)]
    file: Option<PathBuf>,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    /// Leave the secret out. Keep a copy of it elsewhere: without it nobody reads a lead
    #[arg(long, conflicts_with = "passphrase_file")]
    without_secret: bool,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Read a whole backup and say whether it can be restored
    Check {
        /// The backup, a file or s3://BUCKET/NAME
        file: PathBuf,
        #[command(flatten)]
        passphrase: PassphraseArgs,
    },
}

#[derive(Debug, Args)]
pub struct PassphraseArgs {
    /// File with the passphrase that locks the secret, - for standard input [default: the setting backup_passphrase]
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
}

impl PassphraseArgs {
    /// Its first line.
    fn read(&self, context: Option<&Installation>) -> Result<Option<Passphrase>, OperatorError> {
        let text = match &self.passphrase_file {
            Some(file) if file.as_os_str() == "-" => {
                let mut text = String::new();
                std::io::stdin().read_to_string(&mut text).map(|_| text).map_err(|error| (file, error))
            }
            Some(file) => std::fs::read_to_string(file).map_err(|error| (file, error)),
            None => {
                let set = context.and_then(|context| context.settings.backup_passphrase());
                let Some(set) = set else { return Ok(None) };
                Ok(set.reveal().to_owned())
            }
        };
        let text = text.map_err(|(file, error)| {
            OperatorError::new(BackupFault::NotRead { why: error.to_string() }).at(file.display()).fix(BackupFix::Path)
        })?;
        Ok(Some(Passphrase::new(text.lines().next().unwrap_or_default())?))
    }
}

impl Backup {
    pub fn run(self, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        let context = global.installation(SettingFlags::default())?;
        let file = match (self.action, self.file) {
            (Some(Action::Check { file, passphrase }), _) => {
                let passphrase = passphrase.read(Some(&context))?;
                let checked = block_on(check_backup(&context, &BackupPlace::parse(&file)?, passphrase))?;
                return output.print(&checked, contents_text);
            }
            (None, Some(file)) => file,
            (None, None) => return Err(OperatorError::new("No file is named")),
        };
        let secret = match self.without_secret {
            true => SecretKept::LeftOut,
            false => match self.passphrase.read(Some(&context))? {
                Some(passphrase) => SecretKept::Sealed(passphrase),
                None => return Err(OperatorError::new(BackupFault::NoPassphrase).fix(BackupFix::Passphrase)),
            },
        };
        let request = BackupRequest { place: BackupPlace::parse(&file)?, secret, stop: Stop::default() };
        let stop = request.stop.clone();
        let taken = block_on(async {
            let interrupted = stop_signal()?;
            let mut taking = pin!(take_backup(&context, request));
            tokio::select! {
                taken = &mut taking => taken,
                () = interrupted => {
                    stop.now();
                    // It removes its drafts, and aborts an upload.
                    let interrupted = OperatorError::new("The backup was interrupted; nothing of it is left");
                    taking.await.map_err(|_| interrupted)
                }
            }
        })?;
        output.print(&taken, taken_text)
    }
}

#[derive(Debug, Args)]
pub struct Restore {
    /// The backup, a file or s3://BUCKET/NAME
    file: PathBuf,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    /// The secret file, if the backup was made without it
    #[arg(long, value_name = "FILE")]
    secret_file: Option<PathBuf>,
}

impl Restore {
    pub fn run(self, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        let context = global.installation(SettingFlags::default())?;
        let passphrase = self.passphrase.read(Some(&context))?;
        let request =
            RestoreRequest { place: BackupPlace::parse(&self.file)?, passphrase, secret_file: self.secret_file };
        output.print(&block_on(restore_backup(&context, request))?, restored_text)
    }
}

fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// In the unit that people compare with their disks.
fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1_000_000.0)
}

fn taken_text(of: &TakenBackup) -> String {
    let TakenBackup { place, size, database, holds_secret, totals, .. } = of;
    let said = format!(
        "{place} has {}, {} before compression and {} now; the database is {database}.",
        count(totals.files, "file"),
        megabytes(totals.bytes),
        megabytes(*size)
    );
    match holds_secret {
        true => format!("{said}\nKeep its passphrase elsewhere: without it the backup cannot be restored."),
        false => format!("{said}\nThe secret is not in it: keep a copy of the secret file elsewhere."),
    }
}

fn contents_text(of: &BackupContents) -> String {
    let BackupContents { made_at, program, database, holds_secret, secret_opens, totals } = of;
    let secret = match (holds_secret, secret_opens) {
        (true, true) => "The passphrase opens its secret.",
        (true, false) => "Its secret was not tried: name the passphrase with --passphrase-file.",
        (false, _) => "The secret is not in it: restoring needs the secret file.",
    };
    let (files, bytes) = (count(totals.files, "file"), megabytes(totals.bytes));
    format!("Made at {made_at} by Shingle {program} of {database}. Its {files}, {bytes}, can be restored.\n{secret}")
}

fn restored_text(of: &Restored) -> String {
    let Restored { data, made_at, database, accounts, settings_file, totals } = of;
    let (files, bytes) = (count(totals.files, "file"), megabytes(totals.bytes));
    let accounts = count(*accounts, "account");
    let said = format!(
        "The backup of {made_at} is restored to {} and {database}: {accounts}, {files}, {bytes}.",
        data.display()
    );
    let settings = settings_file
        .as_ref()
        .map(|file| format!("\nThe old settings are in {}: take from them what fits this machine.", file.display()));
    format!("{said}{}\nRun `shingle doctor`, then `shingle serve`.", settings.unwrap_or_default())
}
