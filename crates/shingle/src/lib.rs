//! The `shingle` program: its command line, the listening sockets and the log.

pub mod cli;
mod drain_body;
pub mod listen;
mod log;
mod service_manager;
mod telemetry;

/// The version, its commit, and how and for what it was built.
const BUILD: &str = env!("SHINGLE_BUILD");
