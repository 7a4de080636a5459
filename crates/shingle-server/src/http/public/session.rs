//! `POST /w/{id}/session`: issues a session token to an allowed page.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use shingle_domain::public::Session;

use super::widget_request::WidgetRequest;
use crate::app::App;
use crate::http::error::ApiResult;
use crate::http::rate_limits::LimitedAction;
use crate::tokens::MAX_SESSION_AGE;

pub async fn create(State(app): State<Arc<App>>, request: WidgetRequest) -> ApiResult<Json<Session>> {
    app.rate_limits.check_visitor(LimitedAction::Session, request.ip, request.id())?;
    let token = app.tokens.session(request.id(), &request.host, request.ip, app.clock.now())?;
    Ok(Json(Session { token, expires_in: MAX_SESSION_AGE.as_secs() as u32 }))
}
