//! `/w/{id}/estimate` and `/thanks`: the pages that the sender of a lead sees, for a day.

use axum::response::Response;
use shingle_domain::LeadId;
use shingle_domain::home_roof::BuildingSet;
use shingle_domain::lead::Lead;
use shingle_domain::public::{AddressChoice, EstimateSummary, RoofFound};
use shingle_domain::roof::RoofMaterial;
use shingle_estimate::roof::{HomeRoof, PriceTerms, estimate_summary, home_roof};
use shingle_store::HomeownerChange;
use shingle_widget::ssr::page::{Estimate, Thanks, estimate_page, thanks_page};

use super::no_script_request::NoScriptRequest;
use super::page_response::{PageResponse, respond};
use crate::http::error::{ApiError, ApiResult};
use crate::http::rate_limits::LimitedAction;
use crate::lead_reference::reference;
use crate::property_indexes::{ChosenAddress, find_chosen};

pub(in crate::http) async fn show(request: NoScriptRequest) -> Response {
    respond(&request, estimate_step(&request).await, None)
}

/// Stores another material in the lead, for the contractor, and shows its price.
pub(in crate::http) async fn choose_material(request: NoScriptRequest) -> Response {
    respond(&request, change_material(&request).await, None)
}

pub(in crate::http) async fn thanks(request: NoScriptRequest) -> Response {
    respond(&request, thanks_step(&request).await, None)
}

async fn estimate_step(request: &NoScriptRequest) -> ApiResult<PageResponse> {
    let (lead, step) = (find_lead(request).await?, request.step());
    let Some(told) = told_estimate(request, &lead)? else {
        return Ok(PageResponse::Redirect(step.href("thanks", &lead_parameters(request))));
    };
    Ok(PageResponse::page(estimate_page(
        &step,
        &Estimate {
            sheet: &told.sheet,
            roof: told.roof.as_ref(),
            building: told.building,
            material: lead.roof_material,
            settings: &request.widget_request.settings,
            passed: &lead_parameters(request),
        },
    )))
}

async fn change_material(request: &NoScriptRequest) -> ApiResult<PageResponse> {
    let id = verified_lead(request)?;
    let material: RoofMaterial =
        request.text("material").parse().map_err(|_| ApiError::bad_request("material names no covering"))?;
    let NoScriptRequest { app, widget_request, .. } = request;
    app.rate_limits.check_visitor(LimitedAction::Lead, widget_request.ip, widget_request.id())?;
    let change = HomeownerChange { roof_material: Some(material), ..HomeownerChange::default() };
    app.store.change_lead_as_homeowner(&widget_request.tenant, id, &change).await?;
    Ok(PageResponse::Redirect(request.step().href("estimate", &lead_parameters(request))))
}

async fn thanks_step(request: &NoScriptRequest) -> ApiResult<PageResponse> {
    let lead = find_lead(request).await?;
    let told = told_estimate(request, &lead)?;
    let roof = told.as_ref().and_then(|m| Some((m.roof.as_ref()?, m.building)));
    Ok(PageResponse::page(thanks_page(
        &request.step(),
        &Thanks {
            first: &lead.first_name,
            email: lead.email.as_str(),
            reference: &reference(lead.id),
            may_call: lead.consent.given && lead.phone.is_some(),
            roof,
            passed: &lead_parameters(request),
        },
    )))
}

/// The parameters that the URLs of a lead's pages carry.
fn lead_parameters(request: &NoScriptRequest) -> [(&'static str, &str); 4] {
    ["lead", "token", "key", "building"].map(|name| (name, request.text(name)))
}

/// The lead whose token this visitor sent.
fn verified_lead(request: &NoScriptRequest) -> ApiResult<LeadId> {
    let NoScriptRequest { app, widget_request, .. } = request;
    let id: LeadId = request.text("lead").parse().map_err(|_| ApiError::NotFound)?;
    let valid = app.tokens.is_lead(request.text("token"), widget_request.id(), id, app.clock.now());
    if valid { Ok(id) } else { Err(ApiError::SessionEnded) }
}

async fn find_lead(request: &NoScriptRequest) -> ApiResult<Lead> {
    let id = verified_lead(request)?;
    request.app.store.find_lead(&request.widget_request.tenant, id).await?.ok_or(ApiError::NotFound)
}

/// The roof and the prices that the lead was told.
struct ToldEstimate {
    sheet: EstimateSummary,
    roof: Option<RoofFound>,
    building: usize,
}

/// `None` when no price was told, or the address now has another roof.
fn told_estimate(request: &NoScriptRequest, lead: &Lead) -> ApiResult<Option<ToldEstimate>> {
    let NoScriptRequest { app, widget_request, .. } = request;
    let Some(told) = &lead.estimate else { return Ok(None) };
    app.rate_limits.check_visitor(LimitedAction::Roof, widget_request.ip, widget_request.id())?;
    let choice = AddressChoice::Key(request.text("key").to_owned());
    let index = app.indexes.of(widget_request.tenant.environment);
    let ChosenAddress::Found { key, evidence } = find_chosen(index, &choice).map_err(ApiError::internal)? else {
        return Ok(None);
    };
    if evidence.address_line() != lead.address {
        return Ok(None);
    }
    let chosen: BuildingSet = request.text("building").parse().unwrap_or(BuildingSet::FIRST);
    let building = chosen.indices().next().unwrap_or(0);
    let terms = PriceTerms { table: app.prices(), asphalt_override: widget_request.widget.installed_price };
    let roof = match home_roof(&key.to_string(), &evidence) {
        HomeRoof::Priced(found) => {
            let around = index.surroundings(&evidence.place).map_err(ApiError::internal)?;
            Some(RoofFound { around: Some(around), ..found })
        }
        HomeRoof::OnSite(..) => None,
    };
    // Prices may have changed since. The lead keeps those that it was told.
    let sheet = estimate_summary(&evidence, chosen, &terms)
        .ok()
        .map(|sheet| EstimateSummary { prices: told.prices.clone(), ..sheet });
    Ok(sheet.filter(|s| !s.prices.is_empty()).map(|sheet| ToldEstimate { sheet, roof, building }))
}
