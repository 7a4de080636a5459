//! Who calls the API.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use shingle_domain::Tenant;
use shingle_store::Caller;

use super::error::Failure;
use crate::app::App;

/// The holder of a live key. Taken before a body is read: nobody unknown makes us hold one.
#[derive(Debug, Clone)]
pub struct Holder(pub Caller);

impl Holder {
    pub fn tenant(&self) -> &Tenant {
        &self.0.tenant
    }
}

impl FromRequestParts<Arc<App>> for Holder {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Failure> {
        let mut tokens = parts.headers.get_all("token").iter();
        let (Some(token), None) = (tokens.next(), tokens.next()) else { return Err(Failure::BadKey) };
        let token = token.to_str().map_err(|_| Failure::BadKey)?;
        let caller = app.store.authenticate(token).await?.ok_or(Failure::BadKey)?;
        app.gate.request(&caller.key)?;
        Ok(Self(caller))
    }
}
