//! `/portal/operator/areas`: the homes around a place, from a national source. The first run and Towns show the same
//! areas, and lead here.

pub(crate) mod area;
pub(crate) mod change;
pub(crate) mod form;
pub(crate) mod pages;
pub(crate) mod rows;

use crate::portal::access::OPERATOR;
use crate::portal::route::Page;

/// The routes of this feature.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        Page::get("/portal/operator/areas", OPERATOR, pages::show),
        Page::post("/portal/operator/areas", OPERATOR, change::load),
        Page::post("/portal/operator/areas/monthly", OPERATOR, change::set_monthly),
        Page::get("/portal/operator/areas/{id}", OPERATOR, area::show),
        Page::get("/portal/operator/areas/{id}/progress", OPERATOR, area::progress),
        Page::post("/portal/operator/areas/{id}/{action}", OPERATOR, change::change),
    ]
}
