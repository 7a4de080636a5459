//! What a visitor's browser asks for a lead that it made itself: the path names the lead, the body holds its token.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, RawPathParams, Request};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use shingle_domain::LeadId;

use crate::state::Web;
use crate::visitor::public::widget_request::FromAllowedPage;
use crate::web::error::{ApiError, ApiResult};
use crate::web::json;
use crate::web::rate_limits::{LimitedAction, Sender};
use shingle_app::leads::widget_request::WidgetRequest;

/// A body that proves whose lead it is about.
pub trait OwnLeadBody: DeserializeOwned + Send + Sync {
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
        let FromAllowedPage(mut widget_request) =
            FromAllowedPage::from_request_parts(&mut parts, web).await.map_err(IntoResponse::into_response)?;
        let bytes =
            Bytes::from_request(Request::from_parts(parts, body), web).await.map_err(IntoResponse::into_response)?;
        let checked = async {
            let sent: B = json::parse(&bytes)?;
            let id = own_lead(web, &mut widget_request, &lead, sent.lead_token(), B::ACTION).await?;
            Ok::<_, ApiError>((id, sent))
        };
        let (id, sent) = checked.await.map_err(IntoResponse::into_response)?;
        Ok(Self { request: widget_request, id, sent })
    }
}

/// The lead of a path within the visitor's limit, if the token is the one that its browser got. The request is a test from
/// here on if the lead is one.
pub async fn own_lead(
    web: &Web,
    request: &mut WidgetRequest,
    lead: &str,
    token: &str,
    action: LimitedAction,
) -> ApiResult<LeadId> {
    request.note_test(web, lead, token);
    let id = request.check_lead(web, lead, token)?;
    web.limits.check_visitor(action, request.ip, request.id(), Sender::Form).await?;
    Ok(id)
}
