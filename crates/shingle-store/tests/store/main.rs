//! The store on both engines: every test here runs on SQLite and on PostgreSQL.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod accounts;
mod appointments;
mod blobs;
mod caches;
mod closing;
mod consents;
mod deliveries;
mod durability;
mod inspections;
mod keys;
mod lead_rules;
mod leads;
mod lists;
mod merges;
mod metering;
mod nodes;
mod opening;
mod people;
mod portal;
mod quotes;
mod replies;
mod rotation;
mod samples;
mod search;
mod size;
mod step_reminders;
mod submission;
mod tenancy;
mod usage;
mod usage_histories;
mod widgets;
