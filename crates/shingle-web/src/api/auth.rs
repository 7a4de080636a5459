//! API keys.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use shingle_domain::Tenant;
use shingle_store::{Actor, Caller, Refusal, StoreError, act_as};

use crate::state::Web;
use crate::web::connection::Visitor;
use crate::web::error::ApiError;

/// The owner of a valid key that may do everything. Extracted before the body: an unknown caller never makes the server
/// hold one.
#[derive(Debug, Clone)]
pub struct ApiCaller(pub Caller);

/// The owner of a valid key, which may be for some look-ups alone.
#[derive(Debug, Clone)]
pub struct LookUpCaller(pub Caller);

impl ApiCaller {
    pub fn tenant(&self) -> &Tenant {
        &self.0.tenant
    }
}

impl FromRequestParts<Arc<Web>> for ApiCaller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, web: &Arc<Web>) -> Result<Self, ApiError> {
        let caller = caller(parts, web).await?;
        if caller.is_for_look_ups_alone() {
            return Err(StoreError::from(Refusal::ProductOff).into());
        }
        Ok(Self(caller))
    }
}

impl FromRequestParts<Arc<Web>> for LookUpCaller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, web: &Arc<Web>) -> Result<Self, ApiError> {
        caller(parts, web).await.map(Self)
    }
}

async fn caller(parts: &Parts, web: &Web) -> Result<Caller, ApiError> {
    let mut tokens = parts.headers.get_all("token").iter();
    let (Some(token), None) = (tokens.next(), tokens.next()) else { return Err(ApiError::InvalidKey) };
    let token = token.to_str().map_err(|_| ApiError::InvalidKey)?;
    let visitor = parts.extensions.get::<Visitor>().ok_or(ApiError::InvalidKey)?;
    let caller = web.store.accounts().authenticate(token, visitor.ip).await?.ok_or(ApiError::InvalidKey)?;
    web.limits.check_key(&caller.key)?;
    act_as(Actor::Key(caller.key.clone()));
    Ok(caller)
}
