//! What was used and what came of it: look-ups, results, towns.

pub(crate) mod look_ups;
pub(crate) mod missing_towns;
pub(crate) mod month;
pub(crate) mod overview;
pub(crate) mod results;
pub(crate) mod towns;

use crate::portal::access::OWNER;
use crate::portal::route::Page;

/// The routes of this feature.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        Page::get("/portal/towns", OWNER, towns::show).for_support(),
        Page::get("/portal/towns.csv", OWNER, towns::download),
        Page::get("/portal/overview", OWNER, overview::show).for_support(),
        Page::get("/portal/overview.csv", OWNER, overview::download),
        Page::get("/portal/results", OWNER, results::show).for_support().for_clients(),
        Page::get("/portal/results.csv", OWNER, results::download).for_clients(),
        Page::get("/portal/results.pdf", OWNER, month::download).for_clients(),
        Page::get("/portal/usage", OWNER, look_ups::show).for_support(),
        Page::get("/portal/usage.csv", OWNER, look_ups::download),
        Page::get("/portal/usage/statement", OWNER, look_ups::statement).for_support(),
    ]
}
