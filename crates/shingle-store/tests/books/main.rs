//! The books, on both engines: every story here is run on SQLite and on PostgreSQL.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod accounts;
mod blobs;
mod durability;
mod intake;
mod keys;
mod leads;
mod metering;
mod opening;
mod samples;
mod tenancy;
mod widgets;
