//! Leads: the list, one of them, searches that were saved, news while the page is open.

pub(crate) mod bulk;
pub(crate) mod lead;
pub(crate) mod list;
pub(crate) mod live;
pub(crate) mod live_streams;
pub(crate) mod query;
pub(crate) mod views;
