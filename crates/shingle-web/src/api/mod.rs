//! The API: one table of routes with their descriptions, and a handler of a few lines for each.

pub(crate) mod auth;
pub(crate) mod consents;
pub(crate) mod deliveries;
pub(crate) mod destinations;
#[cfg_attr(not(test), expect(dead_code, reason = "the test that writes assets/openapi.json reads the descriptions"))]
pub(crate) mod endpoints;
pub(crate) mod find_destination;
pub(crate) mod leads;
pub(crate) mod lookup;
pub(crate) mod mcp;
pub(crate) mod notes;
pub(crate) mod notices;
pub(crate) mod openapi;
pub(crate) mod personal_data;
pub(crate) mod schemas;
pub(crate) mod site_connection;
pub(crate) mod usage;
pub(crate) mod webhooks;
pub(crate) mod widget_form;
pub(crate) mod widget_settings;
pub(crate) mod widgets;
