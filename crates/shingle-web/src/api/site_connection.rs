//! `/connect/widgets`: a website's server spends the code that an owner brought from the portal.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Extension, State};
use axum::http::header;
use serde::Deserialize;
use shingle_app::site_connection::{self, ConnectedSite};

use crate::state::Web;
use crate::web::connection::Visitor;
use crate::web::error::{ApiError, ApiResult};
use crate::web::json;

/// Bytes of a code with its secret and address.
pub const MAX_BODY_BYTES: usize = 4 * 1024;

#[derive(Deserialize)]
struct Exchange {
    code: String,
    verifier: String,
    #[serde(rename = "return")]
    return_to: String,
}

/// For the website's own server: no browser sends the secret.
pub async fn exchange(
    State(web): State<Arc<Web>>,
    Extension(visitor): Extension<Visitor>,
    body: Bytes,
) -> ApiResult<([(header::HeaderName, &'static str); 1], Json<ConnectedSite>)> {
    web.portal
        .limits
        .may_try(visitor.ip)
        .map_err(|retry_after| ApiError::RateLimited { retry_after, challenge: None })?;
    let Exchange { code, verifier, return_to } = json::parse(&body)?;
    match site_connection::exchange(&web, &code, &verifier, &return_to).await? {
        Some(site) => Ok(([(header::CACHE_CONTROL, "no-store")], Json(site))),
        None => Err(ApiError::bad_request("The code is wrong, used or expired")),
    }
}
