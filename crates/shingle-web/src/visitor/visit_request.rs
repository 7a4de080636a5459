//! A homeowner's request for a visit, from the widget as JSON or from the hosted page as a form.

use shingle_domain::LeadId;
use shingle_domain::public::InspectionRequest;
use shingle_domain::rules::InspectionWishes;

use crate::state::Web;
use crate::visitor::public::widget_request::WidgetRequest;
use crate::web::error::{ApiError, ApiResult};
use shingle_app::visits::CompanyHours;

/// The caller knows that it is the homeowner.
pub async fn parse(
    web: &Web,
    request: &WidgetRequest,
    lead: LeadId,
    sent: &InspectionRequest,
) -> ApiResult<InspectionWishes> {
    let lead = web.store.leads().find(&request.tenant, lead).await?.ok_or(ApiError::NotFound)?;
    let hours = CompanyHours::of(&web.store, &request.tenant, &request.stored.settings, web.clock.now()).await?;
    Ok(InspectionWishes::parse(sent, &hours.calendar(), lead.phone.is_some())?)
}
