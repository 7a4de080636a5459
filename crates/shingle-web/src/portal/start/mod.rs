//! The first steps of a new account.

pub(crate) mod pages;
pub(crate) mod site;
pub(crate) mod test_lead;

use crate::portal::access::OWNER;
use crate::portal::route::Page;

/// The routes of this feature.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        Page::get("/portal/start", OWNER, pages::show).for_support(),
        Page::post("/portal/start/site", OWNER, pages::read),
        Page::post("/portal/start/widget", OWNER, pages::make),
        Page::post("/portal/start/check", OWNER, pages::check),
        Page::post("/portal/start/test-lead", OWNER, pages::send_test_lead),
    ]
}
