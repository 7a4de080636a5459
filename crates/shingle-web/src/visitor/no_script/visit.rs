//! `/w/{id}/visit`: the form that asks for a visit, with photographs. They are read one by one.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequest, Multipart, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use shingle_domain::Timestamp;
use shingle_domain::answers::ContactBy;
use shingle_domain::inspection::{Inspection, InspectionState, VisitDate, Wish};
use shingle_domain::lead::Lead;
use shingle_domain::public::{InspectionRequest, WishRequest};
use shingle_store::HomeownerChange;
use shingle_widget::ssr::page::visit_page;
use shingle_widget::ssr::part::BookingForm;

use crate::state::Web;
use crate::visitor::no_script::estimate::{find_lead, lead_parameters};
use crate::visitor::no_script::no_script_request::NoScriptRequest;
use crate::visitor::no_script::page_response::{PageResponse, respond};
use crate::visitor::photos;
use crate::web::error::{ApiError, ApiResult};
use crate::web::rate_limits::{LimitedAction, Sender};
use shingle_app::failure::Failure;
use shingle_app::leads::inspection_request;
use shingle_app::self_booking;
use shingle_app::tokens::pick_path;
use shingle_app::visits::CompanyHours;

/// Bytes of a form with five photographs.
pub(crate) const MAX_FORM_BYTES: usize = 5 * photos::MAX_FORM_BYTES;
/// More than the rules allow, so that they say what is wrong.
const MAX_TEXT_BYTES: usize = 16 * 1024;
const MAX_FIELDS: usize = 60;

pub(crate) async fn show(request: NoScriptRequest) -> Response {
    respond(&request, form(&request, None).await, None)
}

pub(crate) async fn send(State(web): State<Arc<Web>>, request: Request) -> Response {
    // Who asks is in the address. It is checked before the body is read.
    let (parts, body) = request.into_parts();
    let address = Request::from_parts(parts.clone(), Body::empty());
    let page = match NoScriptRequest::from_request(address, &web).await {
        Ok(page) => page,
        Err(response) => return response,
    };
    let sent = submit(&page, Request::from_parts(parts, body)).await;
    respond(&page, sent, None)
}

/// `refused`: what was sent and broke a rule; it is in the form again.
async fn form(request: &NoScriptRequest, refused: Option<&InspectionRequest>) -> ApiResult<PageResponse> {
    let lead = find_lead(request).await?;
    let (web, step) = (&request.web, request.step());
    let on = &request.widget_request;
    let hours = CompanyHours::of(&web.store, &on.tenant, &on.stored.settings, web.clock.now()).await?;
    let typed = refused.map(|sent| typed(sent, web.clock.now()));
    let version = web.store.leads().link_version(&on.tenant, lead.id).await?.unwrap_or_default();
    let pick = pick_path(on.id(), &web.tokens.link(lead.id, version));
    let free = self_booking::offer(web, (&on.tenant, &lead, &on.stored), &pick, step.language).await?;
    let form = BookingForm {
        email: lead.email_text(),
        phone: lead.phone.as_ref().map(|phone| phone.as_str()),
        calendar: &hours.calendar(),
        free: free.as_ref(),
        asked: typed.as_ref().or(lead.inspection.as_ref()),
        photos: web.store.leads().list_photos(&on.tenant, lead.id).await?.len(),
        script: None,
    };
    let passed = lead_parameters(request);
    Ok(match visit_page(&step, &form, &passed, refused.is_some()) {
        Some(html) if refused.is_some() => PageResponse::Page(StatusCode::UNPROCESSABLE_ENTITY, html),
        Some(html) => PageResponse::page(html),
        None => PageResponse::Redirect(step.href("thanks", &passed)),
    })
}

/// What was sent, as far as the form can show it.
fn typed(sent: &InspectionRequest, now: Timestamp) -> Inspection {
    let wish = |wish: &WishRequest| Some(Wish { date: VisitDate::parse(&wish.date)?, part: wish.part.parse().ok()? });
    Inspection {
        requested_at: now,
        wishes: sent.wishes.iter().filter_map(wish).collect(),
        contact_by: sent.contact_by.parse().unwrap_or(ContactBy::Email),
        note: sent.note.clone(),
        photos: Vec::new(),
        state: InspectionState::Asked,
    }
}

async fn submit(request: &NoScriptRequest, form_sent: Request) -> ApiResult<PageResponse> {
    let lead = find_lead(request).await?;
    if !request.is_same_origin {
        return Err(ApiError::Forbidden("The form was sent by another site."));
    }
    let NoScriptRequest { web, widget_request, .. } = request;
    web.limits.check_visitor(LimitedAction::LeadChange, widget_request.ip, widget_request.id(), Sender::Form).await?;
    let asked = read(request, &lead, form_sent).await?;
    let wishes = match inspection_request::parse(web, widget_request, lead.id, &asked).await {
        Ok(wishes) => wishes,
        Err(Failure::Invalid(_)) => return form(request, Some(&asked)).await,
        Err(failure) => return Err(failure.into()),
    };
    let change = HomeownerChange { inspection: Some(wishes), ..HomeownerChange::default() };
    match web.store.leads().change_as_homeowner(&widget_request.tenant, lead.id, &change).await {
        // The next page says what is confirmed.
        Ok(_) | Err(shingle_store::StoreError::InspectionConfirmed) => {
            Ok(PageResponse::Redirect(request.step().href("thanks", &lead_parameters(request))))
        }
        Err(error) => Err(error.into()),
    }
}

/// Stores the photographs as they come. One that is not accepted is left out, and the next page says how many arrived.
async fn read(request: &NoScriptRequest, lead: &Lead, sent: Request) -> ApiResult<InspectionRequest> {
    let unreadable = |_| ApiError::bad_request("The form cannot be read");
    let NoScriptRequest { web, widget_request, .. } = request;
    let mut form =
        Multipart::from_request(sent, &()).await.map_err(|_| ApiError::bad_request("The form cannot be read"))?;
    let mut asked = InspectionRequest { wishes: Vec::new(), contact_by: String::new(), note: None };
    let mut count = 0;
    while let Some(field) = form.next_field().await.map_err(unreadable)? {
        count += 1;
        if count > MAX_FIELDS {
            return Err(ApiError::bad_request("Too many fields"));
        }
        let name = field.name().unwrap_or_default().to_owned();
        if name == "photo" {
            let stored = match photos::read(field, "photo", shingle_app::photo::MAX_PHOTO_BYTES).await {
                Ok(bytes) if bytes.is_empty() => continue,
                Ok(bytes) => {
                    web.limits
                        .check_visitor(LimitedAction::Photo, widget_request.ip, widget_request.id(), Sender::Form)
                        .await?;
                    shingle_app::photos::add(web, &widget_request.tenant, lead.id, bytes)
                        .await
                        .map(drop)
                        .map_err(ApiError::from)
                }
                Err(error) => Err(error),
            };
            match stored {
                Ok(()) | Err(ApiError::BadRequest(_)) => {}
                Err(error) => return Err(error),
            }
            continue;
        }
        let bytes = photos::read(field, &name, MAX_TEXT_BYTES).await?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        match name.as_str() {
            "wish" => {
                let (date, part) = text.split_once(' ').unwrap_or((&text, ""));
                asked.wishes.push(WishRequest { date: date.to_owned(), part: part.to_owned() });
            }
            "contactBy" => asked.contact_by = text,
            "note" => asked.note = Some(text.replace("\r\n", "\n")),
            _ => {}
        }
    }
    Ok(asked)
}
