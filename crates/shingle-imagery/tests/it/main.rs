//! What the crate makes of files, from outside.

#![allow(clippy::unwrap_used, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a test fails by it")]

mod against_gdal;
mod fixtures;
mod refused;
mod registration;
