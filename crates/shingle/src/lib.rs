//! The `shingle` program: its command line, the listening sockets and the log.

pub mod cli;
mod drain_body;
pub mod listen;
mod log;
mod telemetry;
