//! `/portal/more`: on phones, the places that do not fit the bar.

use std::sync::Arc;

use axum::extract::Extension;
use axum::response::Response;
use shingle_portal::more_page;

use crate::portal::access::MEMBER;
use crate::portal::gate::Signed;
use crate::portal::responses::page;
use crate::portal::route::Page;
use crate::portal::settings::page::frame;

pub async fn show(Extension(signed): Extension<Arc<Signed>>) -> Response {
    page(more_page(&frame(&signed, None)))
}

/// The routes of this feature.
pub(crate) fn pages() -> Vec<Page> {
    vec![Page::get("/portal/more", MEMBER, show).for_support().for_clients()]
}
