//! `/api/v1/notices`: who is notified of leads, and when.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use shingle_app::notice_settings::parse;
use shingle_domain::notice::NoticeSettings;

use crate::api::auth::ApiCaller;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};

/// Where nothing was decided, the defaults: each widget's `companyEmail` is told at once.
pub async fn show(State(web): State<Arc<Web>>, caller: ApiCaller) -> ApiResult<Json<NoticeSettings>> {
    Ok(Json(web.store.destinations().notice_settings(caller.tenant()).await?.unwrap_or_default()))
}

/// Replaces all of them.
pub async fn replace(State(web): State<Arc<Web>>, caller: ApiCaller, body: Bytes) -> ApiResult<Json<NoticeSettings>> {
    let settings = parse(&body).map_err(ApiError::InvalidFields)?;
    web.store.destinations().set_notice_settings(caller.tenant(), &settings).await?;
    Ok(Json(settings))
}
