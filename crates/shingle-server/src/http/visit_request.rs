//! A homeowner's request for a visit, from the widget as JSON or from the hosted page as a form.

use shingle_domain::LeadId;
use shingle_domain::public::InspectionRequest;
use shingle_domain::rules::InspectionWishes;

use super::error::{ApiError, ApiResult};
use super::public::widget_request::WidgetRequest;
use crate::app::App;
use crate::visits::CompanyHours;

/// The caller knows that it is the homeowner.
pub async fn parse(
    app: &App,
    request: &WidgetRequest,
    lead: LeadId,
    sent: &InspectionRequest,
) -> ApiResult<InspectionWishes> {
    let lead = app.store.find_lead(&request.tenant, lead).await?.ok_or(ApiError::NotFound)?;
    let hours = CompanyHours::of(&app.store, &request.tenant, &request.stored.settings, app.clock.now()).await?;
    Ok(InspectionWishes::parse(sent, &hours.calendar(), lead.phone.is_some())?)
}
