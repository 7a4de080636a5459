//! Connections to other systems: webhooks and connectors, their log, dry runs.

pub(crate) mod connection;
pub(crate) mod delivery;
pub(crate) mod dry_run;
pub(crate) mod form;
pub(crate) mod list;
pub(crate) mod page;
