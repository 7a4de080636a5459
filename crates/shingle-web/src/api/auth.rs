//! API keys.

use std::sync::Arc;

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use shingle_domain::{LeadId, Tenant};
use shingle_store::{Actor, Caller, Refusal, StoreError, act_as, see_only};

use crate::state::Web;
use crate::web::connection::Visitor;
use crate::web::error::ApiError;

/// The owner of a valid key that may do everything. Extracted before the body: an unknown caller never makes the server
/// hold one.
#[derive(Debug, Clone)]
pub struct ApiCaller(pub Caller);

/// The owner of a valid key that reads leads, perhaps those of some widgets alone: the store finds no others.
#[derive(Debug, Clone)]
pub struct LeadCaller(pub Caller);

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
        if !caller.may_do_everything() {
            return Err(StoreError::from(Refusal::ProductOff).into());
        }
        Ok(Self(caller))
    }
}

impl LeadCaller {
    pub fn tenant(&self) -> &Tenant {
        &self.0.tenant
    }
}

impl FromRequestParts<Arc<Web>> for LeadCaller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, web: &Arc<Web>) -> Result<Self, ApiError> {
        let caller = caller(parts, web).await?;
        if !caller.may_read_leads() {
            return Err(StoreError::from(Refusal::ProductOff).into());
        }
        // What is beside a lead (its photos, its consent) is found by the lead's id alone.
        if !caller.sees.is_all() && parts.uri.path().starts_with("/api/v1/leads/") {
            let named = RawPathParams::from_request_parts(parts, web).await.map_err(|_| ApiError::NotFound)?;
            if let Some((_, id)) = named.iter().find(|(name, _)| *name == "id") {
                let id: LeadId = id.parse().map_err(|_| ApiError::NotFound)?;
                web.store.leads().find(&caller.tenant, id).await?.ok_or(ApiError::NotFound)?;
            }
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
    let token = only(parts, "token")?.ok_or(ApiError::InvalidKey)?;
    owner_of(token, parts, web).await
}

/// The owner of a key in the header `token`, or in `Authorization` as clients of other protocols send it.
pub async fn bearer(parts: &Parts, web: &Web) -> Result<Caller, ApiError> {
    let token = match (only(parts, "token")?, only(parts, "authorization")?) {
        (Some(token), None) => token,
        (None, Some(sent)) => match sent.split_once(' ') {
            Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => token.trim(),
            _ => return Err(ApiError::InvalidKey),
        },
        // Which of the two counts would be a guess.
        _ => return Err(ApiError::InvalidKey),
    };
    owner_of(token, parts, web).await
}

/// The value of a header that is sent once at most.
fn only<'p>(parts: &'p Parts, name: &str) -> Result<Option<&'p str>, ApiError> {
    let mut values = parts.headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| ApiError::InvalidKey),
        _ => Err(ApiError::InvalidKey),
    }
}

async fn owner_of(token: &str, parts: &Parts, web: &Web) -> Result<Caller, ApiError> {
    let visitor = parts.extensions.get::<Visitor>().ok_or(ApiError::InvalidKey)?;
    let caller = web.store.accounts().authenticate(token, visitor.ip).await?.ok_or(ApiError::InvalidKey)?;
    web.limits.check_key(&caller.key)?;
    act_as(Actor::Key(caller.key.clone()));
    see_only(caller.sees.clone());
    Ok(caller)
}
