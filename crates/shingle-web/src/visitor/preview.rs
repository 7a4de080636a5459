//! `/w/{id}/preview.png`: the image of a link to the hosted page where the link is shared.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use shingle_widget::palette::Palette;

use crate::state::Web;
use crate::visitor::hosted::find_widget;
use crate::visitor::preview_image;
use crate::visitor::storage::{FIVE_MINUTES, image_response};
use crate::web::error::{ApiError, ApiResult};

pub async fn show(State(web): State<Arc<Web>>, Path(id): Path<String>, headers: HeaderMap) -> ApiResult<Response> {
    let stored = find_widget(&web, &id).await?;
    let key = (stored.widget.link_id(), stored.version);
    let png = match web.pages.preview_images.get(&key) {
        Some(png) => png,
        None => {
            let logo = web.blobs.get(&stored.widget.header_logo.path).await?;
            let draw = move || {
                preview_image::draw(&Palette::of(&stored.widget), logo.as_ref().map(|blob| blob.bytes.as_slice()))
            };
            let images = web.pages.preview_images.clone();
            let drawn = web.heavy_work.run(move || images.get_or_insert_with(&key, || draw().map(Arc::new))).await?;
            drawn.map_err(ApiError::internal)?
        }
    };
    Ok(image_response(&headers, png.as_ref().clone(), "image/png", FIVE_MINUTES))
}
