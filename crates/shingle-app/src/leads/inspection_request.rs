//! A homeowner's request for a visit, from the widget as JSON or from the hosted page as a form.

use shingle_domain::LeadId;
use shingle_domain::public::InspectionRequest;
use shingle_domain::rules::InspectionWishes;

use crate::app::App;
use crate::failure::Failure;
use crate::leads::widget_request::WidgetRequest;
use crate::visits::CompanyHours;

/// The caller knows that it is the homeowner.
pub async fn parse(
    app: &App,
    request: &WidgetRequest,
    lead: LeadId,
    sent: &InspectionRequest,
) -> Result<InspectionWishes, Failure> {
    let lead = app.store.leads().find(&request.tenant, lead).await?.ok_or(Failure::NotFound)?;
    let hours = CompanyHours::of(&app.store, &request.tenant, &request.stored.settings, app.clock.now()).await?;
    Ok(InspectionWishes::parse(sent, &hours.calendar(), lead.phone.is_some())?)
}
