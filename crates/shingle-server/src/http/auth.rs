//! API keys.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use shingle_domain::Tenant;
use shingle_store::Caller;

use super::error::ApiError;
use crate::app::App;

/// The owner of a valid key. Extracted before the body: an unknown caller never makes the server hold one.
#[derive(Debug, Clone)]
pub struct ApiCaller(pub Caller);

impl ApiCaller {
    pub fn tenant(&self) -> &Tenant {
        &self.0.tenant
    }
}

impl FromRequestParts<Arc<App>> for ApiCaller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let mut tokens = parts.headers.get_all("token").iter();
        let (Some(token), None) = (tokens.next(), tokens.next()) else { return Err(ApiError::InvalidKey) };
        let token = token.to_str().map_err(|_| ApiError::InvalidKey)?;
        let caller = app.store.authenticate(token).await?.ok_or(ApiError::InvalidKey)?;
        app.rate_limits.check_key(&caller.key)?;
        Ok(Self(caller))
    }
}
