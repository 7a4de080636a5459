//! `POST /w/{id}/session`: issues a session token to an allowed page.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use shingle_domain::public::Session;
use shingle_domain::visit::{SessionRequest, VisitStep};

use super::widget_request::WidgetRequest;
use crate::app::App;
use crate::http::error::ApiResult;
use crate::http::json;
use crate::http::rate_limits::{LimitedAction, Sender};
use crate::http::visit_count;
use crate::tokens::MAX_SESSION_AGE;

pub async fn create(State(app): State<Arc<App>>, request: WidgetRequest, body: Bytes) -> ApiResult<Json<Session>> {
    // It needs no body.
    let sent: SessionRequest = json::parse(&body).unwrap_or_default();
    let sender = Sender::Script(sent.altcha.as_deref());
    app.rate_limits.check_visitor(LimitedAction::Session, request.ip, request.id(), sender)?;
    if let Some(at) = &sent.at {
        visit_count::count_sent(&app, &request, VisitStep::Opened, at);
    }
    let token = app.tokens.session(request.id(), &request.host, request.ip, app.clock.now())?;
    Ok(Json(Session { token, expires_in: MAX_SESSION_AGE.as_secs() as u32 }))
}
