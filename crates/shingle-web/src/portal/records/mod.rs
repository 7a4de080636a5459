//! Who did what, and what homeowners were shown.

pub(crate) mod audit;
pub(crate) mod consent_texts;
pub(crate) mod services;

use crate::portal::access::{OPERATOR, OWNER};
use crate::portal::route::Page;

/// The routes of this feature.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        Page::get("/portal/consents", OWNER, consent_texts::show).for_support(),
        Page::get("/portal/audit", OWNER, audit::show).for_support(),
        Page::get("/portal/audit.csv", OWNER, audit::download),
        Page::get("/portal/operator/audit", OPERATOR, audit::show_all),
        Page::get("/portal/operator/audit.csv", OPERATOR, audit::download_all),
    ]
}
