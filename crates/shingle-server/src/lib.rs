//! The door: routes, keys, metering, the hosted page, settings, and the `shingle` command line.

pub mod app;
pub mod calibration;
pub mod check;
pub mod cli;
pub mod clock;
pub mod config;
pub mod export;
pub mod ground;
pub mod http;
pub mod images;
mod linger;
pub mod listen;
pub mod log;
mod preview;
pub mod products;
pub mod qr;
pub mod runtime;
pub mod session;
