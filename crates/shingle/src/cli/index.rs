//! `shingle index push|pull`: the homes of several servers, through a bucket.

use clap::{Args, Subcommand};
use indicatif::{HumanBytes, HumanCount};
use shingle_app::installation::SettingFlags;
use shingle_app::operator_error::OperatorError;
use shingle_app::shared_homes::{Exchanged, SharedHomes};

use super::args::GlobalArgs;
use super::blocking::block_on;
use super::output::Output;

#[derive(Debug, Subcommand)]
pub enum Index {
    /// Send the homes of this server into the bucket that property_bucket names
    Push(Exchange),
    /// Take the homes from the bucket; running servers use them at once
    Pull(Exchange),
}

#[derive(Debug, Args)]
pub struct Exchange {
    /// Even if that drops what another server pushed, or what was changed here
    #[arg(long)]
    replace: bool,
}

impl Index {
    pub fn run(self, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        let context = global.installation(SettingFlags::default())?;
        let homes = SharedHomes::named(&context.settings)?;
        let (done, what) = match self {
            Self::Push(Exchange { replace }) => (block_on(homes.push(replace))?, "Pushed"),
            Self::Pull(Exchange { replace }) => (block_on(homes.pull(replace))?, "Pulled"),
        };
        output.print(&done, |done| told(done, what, &homes.place().to_string()))
    }
}

fn told(done: &Exchanged, what: &str, place: &str) -> String {
    let Exchanged { places, files, bytes, sent_files, sent_bytes } = *done;
    let homes = format!("{} homes in {files} files, {}", HumanCount(places), HumanBytes(bytes));
    let moved = match sent_files {
        0 => "all of them were there already".to_owned(),
        _ => format!("{sent_files} of them, {}, were not there yet", HumanBytes(sent_bytes)),
    };
    format!("{what} {homes} ({place}); {moved}.")
}
