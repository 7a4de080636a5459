//! `/api/v1/roof-estimate-widget/{id}/settings`: what a contractor says beside the widget's record.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use shingle_domain::{WidgetId, WidgetSettings};
use shingle_notice::is_time_zone;

use crate::api::auth::ApiCaller;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use crate::web::json;

/// Where nothing was set, the defaults.
pub async fn show(
    State(web): State<Arc<Web>>,
    caller: ApiCaller,
    Path(id): Path<String>,
) -> ApiResult<Json<WidgetSettings>> {
    let stored = web.store.widgets().find(caller.tenant(), parse_id(&id)?).await?.ok_or(ApiError::NotFound)?;
    Ok(Json(stored.settings.clone()))
}

/// Replaces all of them.
pub async fn replace(
    State(web): State<Arc<Web>>,
    caller: ApiCaller,
    Path(id): Path<String>,
    body: Bytes,
) -> ApiResult<Json<WidgetSettings>> {
    let settings = WidgetSettings::parse(&json::object(&body)?, is_time_zone)?;
    web.store.widgets().set_settings(caller.tenant(), parse_id(&id)?, &settings).await?;
    Ok(Json(settings))
}

/// A malformed id is a 404 like an unknown one.
fn parse_id(id: &str) -> ApiResult<WidgetId> {
    id.parse().map_err(|_| ApiError::NotFound)
}
