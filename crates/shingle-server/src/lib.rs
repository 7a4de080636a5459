//! The server: routes, API keys, metering, the hosted page, settings, and the `shingle` command line.
//!
//! Settings come from built-in values, a file, environment variables and flags:
//!
//! ```
//! use std::path::Path;
//!
//! use shingle_server::config::Settings;
//!
//! let settings = Settings { data: "/srv/shingle".into(), ..Settings::default() };
//! assert_eq!(settings.property(), Path::new("/srv/shingle/property"));
//! assert_eq!(settings.base_url(settings.listen), "http://127.0.0.1:8080");
//! assert!(!settings.trusts("192.0.2.1".parse().unwrap()), "no proxy is trusted unless it is named");
//! ```

pub mod app;
mod bounded_image;
mod calibration_file;
mod changelog;
pub mod chores;
pub mod cli;
pub mod clock;
pub mod config;
mod connectors;
mod consent_page;
mod drain;
mod erasure;
mod file_owner;
mod health_board;
mod heavy_work;
pub mod http;
pub mod https;
pub mod imports;
mod installation_proof;
mod lead_csv;
mod lead_pages;
mod lead_reference;
pub mod listen;
mod log;
mod logo;
mod metrics;
pub mod notices;
mod open_files;
mod operator_error;
mod photo;
pub mod portal;
mod preview_image;
mod products;
mod proof_of_work;
pub mod property_indexes;
mod qr_code;
pub mod readiness;
pub mod runtime;
pub mod secret_text;
mod setting_values;
mod sightings;
pub mod telemetry;
mod tokens;
mod usage_report;
mod visits;

pub use operator_error::OperatorError;
