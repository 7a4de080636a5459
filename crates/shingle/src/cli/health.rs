//! `shingle health`: the question of container engines and service managers.

use std::net::SocketAddr;

use clap::Args;
use serde::Serialize;
use shingle_app::installation::SettingFlags;
use shingle_app::{OperatorError, own_health};

use super::args::GlobalArgs;
use super::blocking::block_on;
use super::output::Output;

#[derive(Debug, Args)]
pub struct Health {
    /// The address and port that the server listens on [default: the setting `listen`]
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
}

#[derive(Debug, Serialize)]
struct Ready {
    ready: bool,
    asked: String,
}

impl Health {
    pub fn run(self, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        let context = global.installation(SettingFlags { listen: self.listen, ..SettingFlags::default() })?;
        let asked = block_on(own_health::ask(&context.settings))?;
        output.print(&Ready { ready: true, asked }, |ready| format!("The server is ready ({}).", ready.asked))
    }
}
