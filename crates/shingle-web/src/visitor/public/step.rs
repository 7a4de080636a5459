//! `POST /w/{id}/step`: how far a flow has come, for the company's sums. It needs no session, because it reveals
//! nothing and gains nothing.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use shingle_domain::visit::{SentStep, StepRequest, VisitStep};

use crate::state::Web;
use crate::visitor::public::widget_request::FromAllowedPage;
use crate::web::error::ApiResult;
use crate::web::json;
use crate::web::rate_limits::{LimitedAction, Sender};
use shingle_app::visit_count;

pub async fn count(
    State(web): State<Arc<Web>>,
    FromAllowedPage(request): FromAllowedPage,
    body: Bytes,
) -> ApiResult<StatusCode> {
    web.limits.check_visitor(LimitedAction::Step, request.ip, request.id(), Sender::Form).await?;
    let sent: StepRequest = json::parse(&body)?;
    let step = match sent.step {
        SentStep::Roof => VisitStep::Roof,
        SentStep::Details => VisitStep::Details,
    };
    visit_count::count_sent(&web, &request, step, &sent.at);
    Ok(StatusCode::NO_CONTENT)
}
