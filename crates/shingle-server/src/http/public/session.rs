//! `POST /w/{id}/session`: the server lets a page in.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use shingle_domain::public::Session;

use super::Visit;
use crate::app::App;
use crate::http::error::Answer;
use crate::http::limits::Deed;
use crate::session::SESSION_LIFE;

pub async fn create(State(app): State<Arc<App>>, visit: Visit) -> Answer<Json<Session>> {
    app.gate.visit(Deed::Session, visit.ip, visit.id())?;
    let token = app.tokens.session(visit.id(), &visit.host, visit.ip, app.clock.now())?;
    Ok(Json(Session { token, expires_in: SESSION_LIFE.as_secs() as u32 }))
}
