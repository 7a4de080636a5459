//! `/portal/operator`: the installation, for its operators.

mod account;
mod accounts;
mod changelog;
mod company;
mod health;
mod import;
mod imports;
mod layout;

use crate::portal::access::OPERATOR;
use crate::portal::route::Page;

pub use crate::portal::homes_places::UPLOADS;
pub use layout::{ZONE, frame};

/// The routes of this feature.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        Page::get("/portal/operator", OPERATOR, accounts::show),
        Page::post("/portal/operator/leave", OPERATOR, accounts::leave),
        Page::get("/portal/operator/accounts/new", OPERATOR, accounts::show_new),
        Page::post("/portal/operator/accounts", OPERATOR, accounts::create),
        Page::get("/portal/operator/accounts/{id}", OPERATOR, account::show),
        Page::post("/portal/operator/accounts/{id}/{action}", OPERATOR, account::change),
        Page::get(UPLOADS, OPERATOR, imports::show),
        Page::post(UPLOADS, OPERATOR, imports::upload).of_any_size(),
        Page::get("/portal/operator/imports/{id}", OPERATOR, import::show),
        Page::get("/portal/operator/imports/{id}/progress", OPERATOR, import::progress),
        Page::get("/portal/operator/imports/{id}/rejects.csv", OPERATOR, import::rejects),
        Page::post("/portal/operator/imports/{id}/{action}", OPERATOR, import::change).at_most(import::MAX_TEXT_BYTES),
        Page::get("/portal/operator/health", OPERATOR, health::show),
        Page::post("/portal/operator/health", OPERATOR, health::check_again),
    ]
}
