//! `POST /w/{id}/session`: issues a session token to an allowed page.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use shingle_domain::public::Session;
use shingle_domain::visit::{SessionRequest, VisitStep};

use crate::state::Web;
use crate::visitor::public::widget_request::FromAllowedPage;
use crate::web::error::ApiResult;
use crate::web::json;
use crate::web::rate_limits::{LimitedAction, Sender};
use shingle_app::tokens::MAX_SESSION_AGE;
use shingle_app::visit_count;

pub async fn create(
    State(web): State<Arc<Web>>,
    FromAllowedPage(request): FromAllowedPage,
    body: Bytes,
) -> ApiResult<Json<Session>> {
    // It needs no body.
    let sent: SessionRequest = json::parse(&body).unwrap_or_default();
    let sender = Sender::Script(sent.altcha.as_deref());
    web.limits.check_visitor(LimitedAction::Session, request.ip, request.id(), sender).await?;
    if let Some(at) = &sent.at {
        visit_count::count_sent(&web, &request, VisitStep::Opened, at);
    }
    let token = web.tokens.session(request.id(), &request.host, request.ip, web.clock.now())?;
    Ok(Json(Session { token, expires_in: MAX_SESSION_AGE.as_secs() as u32 }))
}
