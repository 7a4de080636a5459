//! What a visitor's browser asks for a lead that it made itself: the path names the lead, the body holds its token.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, RawPathParams, Request};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use shingle_domain::LeadId;

use crate::state::Web;
use crate::visitor::public::widget_request::WidgetRequest;
use crate::web::error::ApiError;
use crate::web::json;
use crate::web::rate_limits::LimitedAction;

/// A body that proves whose lead it is about.
pub trait OwnLeadBody: DeserializeOwned {
    /// What it counts as.
    const ACTION: LimitedAction;

    fn lead_token(&self) -> &str;
}

/// The token was checked, and the visitor is within the limits.
pub struct OwnLead<B> {
    pub request: WidgetRequest,
    pub id: LeadId,
    pub sent: B,
}

/// The token alone, where the path says the rest.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TokenAlone {
    lead_token: String,
}

impl OwnLeadBody for TokenAlone {
    const ACTION: LimitedAction = LimitedAction::LeadChange;

    fn lead_token(&self) -> &str {
        &self.lead_token
    }
}

impl<B: OwnLeadBody> FromRequest<Arc<Web>> for OwnLead<B> {
    /// An [`ApiError`], or axum's own for a body that is too large.
    type Rejection = Response;

    async fn from_request(request: Request, web: &Arc<Web>) -> Result<Self, Response> {
        let (mut parts, body) = request.into_parts();
        let path = RawPathParams::from_request_parts(&mut parts, web).await.map_err(IntoResponse::into_response)?;
        let lead = path.iter().find(|(name, _)| *name == "lead").map(|(_, id)| id.to_owned()).unwrap_or_default();
        let mut widget_request =
            WidgetRequest::from_request_parts(&mut parts, web).await.map_err(IntoResponse::into_response)?;
        let bytes =
            Bytes::from_request(Request::from_parts(parts, body), web).await.map_err(IntoResponse::into_response)?;
        let mut checked = || -> Result<_, ApiError> {
            let sent: B = json::parse(&bytes)?;
            let id = widget_request.own_lead(web, &lead, sent.lead_token(), B::ACTION)?;
            Ok((id, sent))
        };
        let (id, sent) = checked().map_err(IntoResponse::into_response)?;
        Ok(Self { request: widget_request, id, sent })
    }
}
