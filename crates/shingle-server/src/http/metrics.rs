//! `/metrics`: the figures of the delivery engine for Prometheus. For this machine alone.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, header};
use axum::response::{IntoResponse, Response};

use super::connection::Connection;
use super::error::{ApiError, ApiResult};
use crate::app::App;

/// Headers of proxies: behind one on this machine every client would seem to be here.
const FORWARDED: [HeaderName; 3] =
    [HeaderName::from_static("x-forwarded-for"), HeaderName::from_static("x-real-ip"), header::FORWARDED];

pub async fn show(
    State(app): State<Arc<App>>,
    Extension(connection): Extension<Connection>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let here = connection.peer.ip().to_canonical().is_loopback();
    if !here || FORWARDED.iter().chain([&header::VIA]).any(|name| headers.contains_key(name)) {
        return Err(ApiError::NotFound);
    }
    let backlog = app.store.delivery_backlog().await?;
    let text = app.engine.metrics().text(backlog.age, backlog.due, backlog.paused);
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response())
}
