//! `/w/{id}/preview.png`: what a link to the hosted page looks like where it is shared.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use shingle_domain::WidgetId;
use shingle_widget::palette::Palette;

use super::error::{Answer, Failure};
use super::hosted::widget;
use super::storage::{FOR_NOW, picture};
use crate::app::App;
use crate::preview;

/// Pictures that are kept, by widget and version: some 40 kB each.
pub type Previews = moka::sync::Cache<(WidgetId, u64), Arc<Vec<u8>>>;
pub const KEPT: u64 = 500;

pub async fn show(State(app): State<Arc<App>>, Path(id): Path<String>, asked: HeaderMap) -> Answer<Response> {
    let stored = widget(&app, &id).await?;
    let place = (stored.widget.reference_id, stored.version);
    let png = match app.previews.get(&place) {
        Some(png) => png,
        None => {
            let logo = app.blobs.get(&stored.widget.header_logo.path).await?;
            let draw =
                move || preview::draw(&Palette::of(&stored.widget), logo.as_ref().map(|blob| blob.bytes.as_slice()));
            let drawn = tokio::task::spawn_blocking(draw).await.map_err(Failure::internal)?;
            let png = Arc::new(drawn.map_err(Failure::internal)?);
            app.previews.insert(place, png.clone());
            png
        }
    };
    Ok(picture(&asked, png.as_ref().clone(), "image/png", FOR_NOW))
}
