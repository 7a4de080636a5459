//! `/w/{id}/contact`: the contact form. Sending it creates a lead.

use axum::http::StatusCode;
use axum::response::Response;
use shingle_domain::Timestamp;
use shingle_domain::home_roof::{BuildingSet, NoPrice};
use shingle_domain::public::{AddressChoice, ConsentChoice, LeadSubmission, RoofResponse};
use shingle_domain::visit::VisitStep;
use shingle_widget::ssr::page::{Contact, ContactSubject, PageError, TypedContact, contact_page, roof_page};
use shingle_widget::view::contact::TRAP;

use crate::portal::given_lead;
use crate::visitor::no_script::lead_source::lead_source;
use crate::visitor::no_script::measure::{is_valid_address, picked_buildings};
use crate::visitor::no_script::no_script_request::NoScriptRequest;
use crate::visitor::no_script::page_response::{PageResponse, page_error, respond};
use crate::web::error::{ApiError, ApiResult};
use crate::web::rate_limits::{LimitedAction, Sender};
use shingle_app::leads::intake;
use shingle_app::leads::suspicion::Witness;
use shingle_app::tokens::hex;

pub(crate) async fn show(request: NoScriptRequest) -> Response {
    respond(&request, empty_form(&request).await, Some(&request.path_and_query))
}

pub(crate) async fn send(request: NoScriptRequest) -> Response {
    respond(&request, submit(&request).await, None)
}

async fn empty_form(request: &NoScriptRequest) -> ApiResult<PageResponse> {
    let place = match requested_place(request).await? {
        Ok(place) => place,
        Err(elsewhere) => return Ok(elsewhere),
    };
    request.count(&[VisitStep::Roof]);
    Ok(PageResponse::page(form(request, place, TypedContact::default(), false, None).await?))
}

async fn submit(request: &NoScriptRequest) -> ApiResult<PageResponse> {
    let place = match requested_place(request).await? {
        Ok(place) => place,
        Err(elsewhere) => return Ok(elsewhere),
    };
    let typed = typed_details(request);
    let form_again = async |place, error: &PageError, status| {
        let html = form(request, place, typed_details(request), false, Some(error)).await?;
        Ok(PageResponse::Page(status, html))
    };
    if !request.is_same_origin {
        return form_again(place, &PageError::Foreign, StatusCode::FORBIDDEN).await;
    }
    let Some(shown_at) = shown_at(request) else {
        return form_again(place, &PageError::OldForm, StatusCode::FORBIDDEN).await;
    };
    if !typed.are_fit() {
        return Ok(PageResponse::invalid(form(request, place, typed, true, None).await?));
    }
    request.count(&[VisitStep::Details]);
    match send_lead(request, &place, typed, shown_at).await {
        Ok(next) => Ok(PageResponse::Redirect(next)),
        Err(ApiError::NotFound) => Err(ApiError::NotFound),
        // The error's own page would lose what was typed.
        Err(error) => {
            let status = match &error {
                ApiError::RateLimited { .. } => StatusCode::TOO_MANY_REQUESTS,
                ApiError::Internal(cause) => {
                    tracing::error!(%cause, "a lead was not accepted");
                    StatusCode::INTERNAL_SERVER_ERROR
                }
                ApiError::Unavailable(cause) => {
                    tracing::error!(%cause, "a lead was not accepted: the database does not answer");
                    StatusCode::SERVICE_UNAVAILABLE
                }
                _ => StatusCode::BAD_REQUEST,
            };
            form_again(place, &page_error(&error), status).await
        }
    }
}

/// Stores the lead and returns the URL of the next step.
async fn send_lead(
    request: &NoScriptRequest,
    place: &ContactSubject,
    typed: TypedContact,
    shown_at: Timestamp,
) -> ApiResult<String> {
    let NoScriptRequest { web, widget_request, .. } = request;
    let rate =
        web.limits.check_lead(widget_request.ip, widget_request.id(), &widget_request.tenant, Sender::Form).await?;
    let mut lead = submission(request, place, typed, shown_at);
    // The same form with the same content is the same request, however often it is sent.
    let fingerprint = intake::request_fingerprint(&lead)?;
    let key = blake3::Hasher::new().update(request.text("token").as_bytes()).update(&fingerprint).finalize();
    lead.idempotency_key = Some(hex(&key.as_bytes()[..16]));
    let witness = Witness { since: Some(shown_at), by_hand: request.is_by_hand };
    let agent = request.user_agent.as_deref();
    let accepted = intake::accept(web.app(), widget_request, &lead, rate, agent, witness).await?;
    given_lead::tell(web, accepted.given).await;
    let receipt = accepted.receipt;
    let (id, step) = (receipt.id.to_string(), request.step());
    let mut parameters = vec![("lead", id.as_str()), ("token", &receipt.lead_token)];
    let buildings;
    if let ContactSubject::Roof(found, chosen) = place {
        buildings = chosen.to_string();
        parameters.extend([("key", found.key.as_str()), ("building", &buildings)]);
    }
    let priced = receipt.estimate.is_some_and(|sheet| !sheet.prices.is_empty());
    Ok(step.href(if priced { "estimate" } else { "thanks" }, &parameters))
}

fn submission(
    request: &NoScriptRequest,
    place: &ContactSubject,
    typed: TypedContact,
    shown_at: Timestamp,
) -> LeadSubmission {
    let first = || BuildingSet::FIRST.to_string();
    let (address, buildings) = match place {
        ContactSubject::Roof(found, chosen) => (AddressChoice::Key(found.key.clone()), chosen.to_string()),
        ContactSubject::NoRoof { key, .. } => (AddressChoice::Key(key.clone()), first()),
        ContactSubject::NotMine { key, .. } => (AddressChoice::Key(key.clone()), BuildingSet::NOT_MINE.to_owned()),
        ContactSubject::Unknown { typed, .. } => (AddressChoice::Line(typed.clone()), first()),
    };
    let elapsed = request.web.clock.now().micros() - shown_at.micros();
    LeadSubmission {
        token: String::new(),
        idempotency_key: None,
        lead_id: None,
        lead_token: None,
        address,
        buildings,
        first_name: typed.first.trim().to_owned(),
        last_name: typed.last.trim().to_owned(),
        email: typed.email.trim().to_owned(),
        phone: Some(typed.phone.trim().to_owned()).filter(|phone| !phone.is_empty()),
        preferred_contact_time: None,
        message: None,
        lang: Some(request.step().language.tag().to_owned()),
        altcha: None,
        consent: ConsentChoice { given: typed.consent, text: request.step().consent() },
        source: lead_source(
            &request.web.links(request.widget_request.tenant.account).hosted_page(request.widget_request.id()),
            request.entry_query(),
        ),
        // Programs still fill in the field's former name.
        website: [request.text(TRAP), request.text("website")].concat(),
        elapsed_ms: u32::try_from(elapsed / 1_000).unwrap_or(u32::MAX),
        acts: None,
    }
}

/// The address that the form is about, from the query of the page or from the form itself; or where that has to be said.
async fn requested_place(request: &NoScriptRequest) -> ApiResult<Result<ContactSubject, PageResponse>> {
    let home = || PageResponse::Redirect(request.step().home());
    if request.has("key") {
        let key = request.text("key").to_owned();
        return Ok(match request.find_roof(&AddressChoice::Key(key.clone())).await? {
            RoofResponse::Roof(found) if request.text("building") == BuildingSet::NOT_MINE => {
                Ok(ContactSubject::NotMine { key, street: found.street })
            }
            RoofResponse::Roof(found) => {
                let count = found.buildings.len();
                match picked_buildings(request, count).or((count < 2).then_some(BuildingSet::FIRST)) {
                    Some(chosen) => Ok(ContactSubject::Roof(Box::new(found), chosen)),
                    None => Err(PageResponse::invalid(roof_page(&request.step(), &found, None))),
                }
            }
            RoofResponse::NoRoof { street, reason, roof, .. } => {
                Ok(ContactSubject::NoRoof { key, street, reason, roof })
            }
            RoofResponse::NotFound { .. } => Err(home()),
        });
    }
    let typed = request.text("address").trim();
    if !is_valid_address(typed) {
        return Ok(Err(home()));
    }
    let reason = request.uncovered_town(typed).await?.map(|town| NoPrice::Uncovered { town });
    Ok(Ok(ContactSubject::Unknown { typed: typed.to_owned(), reason }))
}

fn typed_details(request: &NoScriptRequest) -> TypedContact {
    let [first, last, email, phone] = TypedContact::NAMES.map(|name| request.text(name).to_owned());
    TypedContact { first, last, email, phone, consent: request.has("consent") }
}

/// When the form was shown. `None` if this server did not give it to this visitor.
fn shown_at(request: &NoScriptRequest) -> Option<Timestamp> {
    let NoScriptRequest { web, widget_request, .. } = request;
    web.tokens.form_shown(
        request.text("token"),
        widget_request.id(),
        &request.step().consent(),
        widget_request.ip,
        web.clock.now(),
    )
}

/// The form, with the token that it came with while that is valid: a form that is sent twice is one request.
async fn form(
    request: &NoScriptRequest,
    place: ContactSubject,
    typed: TypedContact,
    checked: bool,
    error: Option<&PageError>,
) -> ApiResult<String> {
    let step = request.step();
    let token = match shown_at(request) {
        Some(_) => request.text("token").to_owned(),
        None => new_token(request).await?,
    };
    let notice = error.map(|error| error.words(&step));
    Ok(contact_page(&step, &Contact { subject: place, token, typed, checked, notice }))
}

async fn new_token(request: &NoScriptRequest) -> ApiResult<String> {
    let NoScriptRequest { web, widget_request, .. } = request;
    web.limits.check_visitor(LimitedAction::Session, widget_request.ip, widget_request.id(), Sender::Form).await?;
    Ok(web.tokens.form(widget_request.id(), &request.step().consent(), widget_request.ip, web.clock.now())?)
}
