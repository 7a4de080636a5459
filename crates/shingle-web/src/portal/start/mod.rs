//! The first steps of a new account.

pub(crate) mod company;
pub(crate) mod live;
pub(crate) mod pages;
pub(crate) mod prices;
pub(crate) mod progress;
pub(crate) mod test_lead;

use crate::portal::access::OWNER;
use crate::portal::route::Page;

/// A photo from a phone in place of a logo is read to its end, so that the form can say what is wrong with it.
const MAX_COMPANY_BYTES: usize = 64 * 1024 * 1024;

/// The routes of this feature.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        Page::get("/portal/start", OWNER, pages::show).for_support(),
        Page::post("/portal/start/site", OWNER, company::read),
        Page::post("/portal/start/widget", OWNER, company::make).at_most(MAX_COMPANY_BYTES),
        Page::post("/portal/start/prices", OWNER, prices::set),
        Page::post("/portal/start/ask", OWNER, live::ask),
        Page::post("/portal/start/check", OWNER, live::check),
        Page::post("/portal/start/test-lead", OWNER, live::send_test_lead),
    ]
}
