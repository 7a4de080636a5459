//! The `shingle` command line.

mod account;
mod area;
mod args;
mod backup;
mod blocking;
mod calibrate;
mod command;
mod config;
mod connector;
mod consent;
mod doctor;
mod health;
mod import;
mod index;
mod key;
mod lead;
mod lookup;
mod mail;
mod measure;
mod notice;
mod output;
mod person;
mod photo;
mod photo_report;
mod reference;
mod retention;
mod secret;
mod serve;
mod stop_signal;
mod usage;
mod user;
mod webhook;
mod webhook_receiver;
mod widget;
mod widget_draft;

pub use command::run;
