//! Widgets: the list, a new one, the designer with its preview, sharing, the check of a site.

pub(crate) mod copy;
pub(crate) mod designer;
pub(crate) mod edit;
pub(crate) mod list;
pub(crate) mod new_widget;
pub(crate) mod preview;
pub(crate) mod share;
pub(crate) mod sightings;
pub(crate) mod site_check;
pub(crate) mod titles;
pub(crate) mod widget_editor;

use crate::api::widget_form::MAX_FORM_BYTES;
use crate::portal::access::OWNER;
use crate::portal::route::Page;

/// The routes of this feature.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        Page::get("/portal/widgets", OWNER, list::list).for_support(),
        Page::post("/portal/widgets", OWNER, new_widget::create).for_support().at_most(MAX_FORM_BYTES),
        Page::post("/portal/widgets/copy", OWNER, copy::copy),
        Page::post("/portal/widgets/{id}/duplicate", OWNER, copy::duplicate),
        Page::get("/portal/widgets/new", OWNER, new_widget::show).for_support(),
        Page::get("/portal/widgets/{id}", OWNER, list::show).for_support(),
        Page::post("/portal/widgets/{id}", OWNER, designer::save).for_support().at_most(MAX_FORM_BYTES),
        Page::post("/portal/widgets/{id}/preview", OWNER, preview::look).at_most(MAX_FORM_BYTES),
        Page::get("/portal/widgets/{id}/stage", OWNER, preview::stage).for_support(),
        Page::get("/portal/widgets/{id}/publish", OWNER, designer::review).for_support(),
        Page::post("/portal/widgets/{id}/publish", OWNER, designer::publish),
        Page::post("/portal/widgets/{id}/discard", OWNER, designer::discard),
        Page::get("/portal/widgets/{id}/versions", OWNER, designer::versions).for_support(),
        Page::post("/portal/widgets/{id}/versions/{version}/restore", OWNER, designer::restore),
        Page::post("/portal/widgets/{id}/check", OWNER, site_check::check),
        Page::get("/portal/widgets/{id}/sheet", OWNER, share::sheet).for_support(),
    ]
}
