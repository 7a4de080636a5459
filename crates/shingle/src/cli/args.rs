//! Arguments that every command takes.

use std::path::PathBuf;

use shingle_app::OperatorError;
use shingle_app::installation::{Installation, SettingFlags};

#[derive(Debug, Clone, Default, clap::Args)]
pub struct GlobalArgs {
    /// Print JSON
    #[arg(long, global = true)]
    pub(super) json: bool,
    /// Data folder [default: shingle-data]
    #[arg(long, global = true, value_name = "DIR")]
    pub(super) data: Option<PathBuf>,
    /// sqlite://PATH or postgres://… [default: a file in the data folder]
    #[arg(long, global = true, value_name = "URL")]
    pub(super) database: Option<String>,
    /// Settings file [default: shingle.toml, if there is one]
    #[arg(long, global = true, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
}

impl GlobalArgs {
    pub fn installation(&self, flags: SettingFlags) -> Result<Installation, OperatorError> {
        let flags = SettingFlags { data: self.data.clone(), database: self.database.clone(), ..flags };
        Installation::read(self.config.as_deref(), flags)
    }
}
