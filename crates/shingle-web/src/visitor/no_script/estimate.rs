//! `/w/{id}/estimate` and `/thanks`: the pages that the sender of a lead sees, as long as its token is valid.

use axum::response::Response;
use shingle_domain::LeadId;
use shingle_domain::answers::{AnswersChange, SentAnswers};
use shingle_domain::inspection::Inspection;
use shingle_domain::lead::Lead;
use shingle_domain::public::ShownStep;
use shingle_store::HomeownerChange;
use shingle_widget::ssr::page::{ANSWERED, Estimate, Thanks, estimate_page, thanks_page};
use shingle_widget::ssr::part::Outcome;

use crate::visitor::no_script::no_script_request::NoScriptRequest;
use crate::visitor::no_script::page_response::{PageResponse, respond};
use crate::web::error::{ApiError, ApiResult};
use crate::web::rate_limits::{LimitedAction, Sender};
use shingle_app::lead_reference::reference;
use shingle_app::leads::estimate_copy::copy_goes;

pub(crate) async fn show(request: NoScriptRequest) -> Response {
    respond(&request, estimate_step(&request).await, None)
}

/// Stores another material or answers in the lead, for the contractor, and shows the step with them.
pub(crate) async fn choose(request: NoScriptRequest) -> Response {
    respond(&request, save_choices(&request).await, None)
}

pub(crate) async fn thanks(request: NoScriptRequest) -> Response {
    respond(&request, thanks_step(&request).await, None)
}

async fn estimate_step(request: &NoScriptRequest) -> ApiResult<PageResponse> {
    let (lead, step) = (find_lead(request).await?, request.step());
    let Some(told) = told_estimate(request, &lead).await? else {
        return Ok(PageResponse::Redirect(step.href("thanks", &lead_parameters(request))));
    };
    Ok(PageResponse::page(estimate_page(
        &step,
        &Estimate {
            sheet: &told.sheet,
            roof: told.roof.as_ref(),
            chosen: told.chosen,
            material: lead.roof_material,
            settings: &request.widget_request.stored.settings,
            answers: &lead.answers,
            saved: request.has(ANSWERED),
            books: books(&lead),
            link: Some(&own_page(request, &lead).await?),
            passed: &lead_parameters(request),
        },
    )))
}

async fn save_choices(request: &NoScriptRequest) -> ApiResult<PageResponse> {
    let id = verified_lead(request)?;
    let roof_material = match request.text("material") {
        "" => None,
        named => Some(named.parse().map_err(|_| ApiError::bad_request("material names no covering"))?),
    };
    let NoScriptRequest { web, widget_request, .. } = request;
    web.limits.check_visitor(LimitedAction::LeadChange, widget_request.ip, widget_request.id(), Sender::Form).await?;
    let answers = Some(AnswersChange::parse(&sent_answers(request))?);
    let change = HomeownerChange { roof_material, answers, ..HomeownerChange::default() };
    web.store.leads().change_as_homeowner(&widget_request.tenant, id, &change).await?;
    let mut parameters = lead_parameters(request).to_vec();
    let place = if request.has(ANSWERED) {
        parameters.push((ANSWERED, "1"));
        ["#", ANSWERED].concat()
    } else {
        String::new()
    };
    Ok(PageResponse::Redirect(request.step().href("estimate", &parameters) + &place))
}

/// What the form has of the questions. What is not asked is not in it, and stays.
fn sent_answers(request: &NoScriptRequest) -> SentAnswers {
    let sent = |name: &str| request.has(name).then(|| request.text(name).to_owned());
    SentAnswers {
        roof_age: sent("roofAge"),
        leak: sent("leak"),
        planned: sent("planned"),
        contact_by: sent("contactBy"),
        contact_time: sent("contactTime"),
        note: sent("note"),
    }
}

async fn thanks_step(request: &NoScriptRequest) -> ApiResult<PageResponse> {
    let lead = find_lead(request).await?;
    let told = told_estimate(request, &lead).await?;
    let roof = told.as_ref().and_then(|m| Some((m.roof.as_ref()?, m.chosen)));
    let link = match &told {
        Some(_) => Some(own_page(request, &lead).await?),
        None => None,
    };
    let NoScriptRequest { web, widget_request, .. } = request;
    let outcome = Outcome {
        first: &lead.first_name,
        email: lead.email_text(),
        phone: lead.phone.as_ref().map(|phone| phone.as_str()),
        reference: &reference(lead.id),
        agreed: lead.consent.given,
        estimate: lead.estimate.is_some(),
        copy: copy_goes(web, &widget_request.tenant, &widget_request.stored.settings, &lead).await?,
        visit: lead.inspection.as_ref(),
    };
    Ok(PageResponse::page(thanks_page(
        &request.step(),
        &Thanks { outcome, books: books(&lead), link: link.as_deref(), roof, passed: &lead_parameters(request) },
    )))
}

/// The parameters that the URLs of a lead's pages carry.
pub(crate) fn lead_parameters(request: &NoScriptRequest) -> [(&'static str, &str); 4] {
    ["lead", "token", "key", "building"].map(|name| (name, request.text(name)))
}

/// The lead whose token this visitor sent.
fn verified_lead(request: &NoScriptRequest) -> ApiResult<LeadId> {
    let NoScriptRequest { web, widget_request, .. } = request;
    let id: LeadId = request.text("lead").parse().map_err(|_| ApiError::NotFound)?;
    let valid = web.tokens.is_lead(request.text("token"), widget_request.token_id(), id, web.clock.now());
    if valid { Ok(id) } else { Err(ApiError::SessionEnded) }
}

pub(crate) async fn find_lead(request: &NoScriptRequest) -> ApiResult<Lead> {
    let id = verified_lead(request)?;
    request.web.store.leads().find(&request.widget_request.tenant, id).await?.ok_or(ApiError::NotFound)
}

/// The step as it was shown, from the lead: what has changed since does not alter it. `None` if no price was shown.
async fn told_estimate(request: &NoScriptRequest, lead: &Lead) -> ApiResult<Option<ShownStep>> {
    let shown = request.web.store.leads().shown(&request.widget_request.tenant, lead.id).await?;
    Ok(shown.filter(|shown| !shown.sheet.prices.is_empty()))
}

/// The address of the estimate as a page of its own, relative to a step.
async fn own_page(request: &NoScriptRequest, lead: &Lead) -> ApiResult<String> {
    let web = &request.web;
    let version = web.store.leads().link_version(&request.widget_request.tenant, lead.id).await?;
    let link = web.tokens.link(lead.id, version.ok_or(ApiError::NotFound)?);
    Ok(format!("e/{link}/print?lang={}", request.step().language.tag()))
}

/// Whether a visit can still be asked for.
fn books(lead: &Lead) -> bool {
    !lead.inspection.as_ref().is_some_and(Inspection::is_confirmed)
}
