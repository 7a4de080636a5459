//! `/portal/more`: on phones, the places that do not fit the bar.

use std::sync::Arc;

use axum::extract::Extension;
use axum::response::Response;
use shingle_portal::more_page;

use super::gate::Signed;
use super::page::page;
use super::settings::frame;

pub async fn show(Extension(signed): Extension<Arc<Signed>>) -> Response {
    page(more_page(&frame(&signed, None)))
}
