//! `/metrics`: the figures of this process for Prometheus, in the text form of OpenMetrics. For this machine, and for
//! clients with the key of the settings.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, header};
use axum::response::{IntoResponse, Response};

use crate::state::Web;
use crate::web::connection::Connection;
use crate::web::error::{ApiError, ApiResult};
use shingle_app::secret_text::SecretText;

/// Headers of proxies: behind one on this machine every client would seem to be here.
const FORWARDED: [HeaderName; 3] =
    [HeaderName::from_static("x-forwarded-for"), HeaderName::from_static("x-real-ip"), header::FORWARDED];

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(connection): Extension<Connection>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let here = connection.peer.ip().to_canonical().is_loopback();
    let forwarded = || FORWARDED.iter().chain([&header::VIA]).any(|name| headers.contains_key(name));
    if (!here || forwarded()) && !has_key(&headers, web.settings.metrics_key.as_ref()) {
        return Err(ApiError::NotFound);
    }
    let backlog = web.store.deliveries().backlog().await?;
    web.engine.metrics().note_backlog(backlog.age, backlog.due, backlog.paused);
    let text = web.metrics.text().map_err(ApiError::internal)?;
    Ok(([(header::CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text).into_response())
}

/// A short key could be guessed; it counts as none.
const MIN_KEY: usize = 16;

fn has_key(headers: &HeaderMap, key: Option<&SecretText>) -> bool {
    let Some(key) = key.map(SecretText::reveal).filter(|key| key.len() >= MIN_KEY) else { return false };
    let sent = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    // Hashes take the same time to compare however far they are alike.
    sent.is_some_and(|sent| blake3::hash(sent.as_bytes()) == blake3::hash(key.as_bytes()))
}
