//! The whole server over real sockets, each test on SQLite and on PostgreSQL.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod access;
mod at_rest;
mod auth;
mod connectors;
mod contract;
mod database_addresses;
mod database_faults;
mod deliveries;
mod description;
mod errors;
mod estimate_mails;
mod headers;
mod held_leads;
mod hostile_texts;
mod https;
mod intake;
mod kept;
mod kills;
mod leads;
mod lookups;
mod metering;
mod metrics;
mod no_home;
mod no_script;
mod no_zip;
mod notice_hours;
mod notices;
mod own_authority;
mod pages;
mod personal_data;
mod portal;
mod products;
mod proof_of_work;
mod qr_codes;
mod request_ids;
mod site_check;
mod support;
mod uploads;
mod visitors;
mod visits;
mod webhooks;
mod widget_settings;
mod widgets;
