//! Connections to other systems: webhooks and connectors, their log, dry runs.

pub(crate) mod connection;
pub(crate) mod delivery;
pub(crate) mod dry_run;
pub(crate) mod form;
pub(crate) mod list;
pub(crate) mod page;

use crate::portal::access::OWNER;
use crate::portal::route::Page;

/// The routes of this feature.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        Page::get("/portal/connections", OWNER, list::list).for_support(),
        Page::get("/portal/connections/new", OWNER, list::show_new),
        Page::post("/portal/connections/new", OWNER, list::create),
        Page::get("/portal/connections/{id}", OWNER, connection::show).for_support(),
        Page::post("/portal/connections/{id}", OWNER, connection::change),
        Page::post("/portal/connections/{id}/{action}", OWNER, connection::act),
        Page::get("/portal/deliveries/{id}", OWNER, delivery::show).for_support(),
        Page::post("/portal/deliveries/{id}/again", OWNER, delivery::again),
    ]
}
