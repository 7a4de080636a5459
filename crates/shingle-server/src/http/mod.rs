//! The HTTP layer: one file for each resource, handlers of a few lines, one map from errors to responses.

mod auth;
mod cache_headers;
mod check;
mod config;
pub(crate) mod connection;
mod deliveries;
mod destinations;
mod encoding;
pub(crate) mod error;
mod health;
mod hosted;
mod intake;
mod json;
mod leads;
mod lookup;
mod mail_links;
mod middleware;
mod no_script;
mod notices;
mod preview;
mod public;
pub(crate) mod rate_limits;
mod redirect;
mod rejections;
pub(crate) mod render_cache;
mod request_key;
mod router;
mod runtime;
mod storage;
pub(crate) mod webhook_record;
mod webhooks;
mod widget_assets;
mod widget_form;
mod widgets;

pub(crate) use notices::parse as parse_notice_settings;
pub use router::router;
