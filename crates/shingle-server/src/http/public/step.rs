//! `POST /w/{id}/step`: how far a flow has come, for the company's sums. It needs no session, because it reveals
//! nothing and gains nothing.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use shingle_domain::visit::{SentStep, StepRequest, VisitStep};

use super::widget_request::WidgetRequest;
use crate::app::App;
use crate::http::error::ApiResult;
use crate::http::json;
use crate::http::rate_limits::{LimitedAction, Sender};
use crate::http::visit_count;

pub async fn count(State(app): State<Arc<App>>, request: WidgetRequest, body: Bytes) -> ApiResult<StatusCode> {
    app.rate_limits.check_visitor(LimitedAction::Step, request.ip, request.id(), Sender::Form)?;
    let sent: StepRequest = json::parse(&body)?;
    let step = match sent.step {
        SentStep::Roof => VisitStep::Roof,
        SentStep::Details => VisitStep::Details,
    };
    visit_count::count_sent(&app, &request, step, &sent.at);
    Ok(StatusCode::NO_CONTENT)
}
