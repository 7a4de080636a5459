//! What all routes share: errors, limits, headers, encoding, connections.

pub(crate) mod boxed_handler;
pub(crate) mod cache_headers;
pub(crate) mod calendar_headers;
pub mod connection;
pub(crate) mod encoding;
pub(crate) mod error;
pub(crate) mod health;
pub(crate) mod ignored_fields;
pub(crate) mod json;
pub(crate) mod limit_sharing;
pub(crate) mod limiter;
pub(crate) mod logged_path;
pub(crate) mod method_name;
pub(crate) mod metrics;
pub(crate) mod middleware;
pub(crate) mod page_headers;
pub mod plain;
pub(crate) mod proof_of_work;
pub(crate) mod query_string;
pub(crate) mod rate_limits;
pub(crate) mod readiness;
pub(crate) mod rejections;
pub(crate) mod render_cache;
pub(crate) mod request_key;
pub(crate) mod rest;
pub(crate) mod shared_limits;
