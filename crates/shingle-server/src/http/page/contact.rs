//! `/w/{id}/contact`: who asks. Sent, it makes a lead.

use axum::http::StatusCode;
use axum::response::Response;
use shingle_domain::Timestamp;
use shingle_domain::public::{AddressChoice, ConsentChoice, LeadSubmission, RoofAnswer};
use shingle_widget::ssr::page::{Contact, ContactSubject, PageError, TypedContact, contact_page};

use super::guest::Guest;
use super::measure::{building, is_fit};
use super::{Turn, in_words, origin};
use crate::app::App;
use crate::http::error::{Answer, Failure};
use crate::http::intake;
use crate::http::limits::Deed;
use crate::session::hex;

pub(in crate::http) async fn show(guest: Guest) -> Response {
    guest.answer(first(&guest), Some(&guest.here))
}

pub(in crate::http) async fn send(guest: Guest) -> Response {
    guest.answer(sent(&guest).await, None)
}

fn first(guest: &Guest) -> Answer<Turn> {
    let Some(place) = place(guest)? else { return Ok(Turn::To(guest.step().home())) };
    Ok(Turn::page(form(guest, place, TypedContact::default(), false, None)?))
}

async fn sent(guest: &Guest) -> Answer<Turn> {
    let Some(place) = place(guest)? else { return Ok(Turn::To(guest.step().home())) };
    let typed = details(guest);
    let again = |place, trouble: &PageError, status| {
        let html = form(guest, place, details(guest), false, Some(trouble))?;
        Ok(Turn::Page(status, html))
    };
    if !guest.own {
        return again(place, &PageError::Foreign, StatusCode::FORBIDDEN);
    }
    let Some(shown) = shown(guest) else { return again(place, &PageError::OldForm, StatusCode::FORBIDDEN) };
    if !typed.are_fit() {
        return Ok(Turn::wrong(form(guest, place, typed, true, None)?));
    }
    match take(guest, &place, typed, shown).await {
        Ok(next) => Ok(Turn::To(next)),
        Err(Failure::NotFound) => Err(Failure::NotFound),
        // What was typed stays; the failure's own page would lose it.
        Err(failure) => {
            let trouble = in_words(&failure);
            let status = match &failure {
                Failure::TooMany { .. } => StatusCode::TOO_MANY_REQUESTS,
                Failure::Internal(cause) => {
                    tracing::error!(%cause, "a lead was not taken");
                    StatusCode::INTERNAL_SERVER_ERROR
                }
                _ => StatusCode::BAD_REQUEST,
            };
            again(place, &trouble, status)
        }
    }
}

/// Hands the lead in; where its sender goes on.
async fn take(guest: &Guest, place: &ContactSubject, typed: TypedContact, shown: Timestamp) -> Answer<String> {
    let Guest { app, visit, .. } = guest;
    app.gate.visit(Deed::Lead, visit.ip, visit.id())?;
    let mut lead = submission(guest, place, typed, shown);
    // The same form with the same words in it is the same request, however often it is sent.
    let request = intake::what_was_asked(&lead)?;
    let key = blake3::Hasher::new().update(guest.text("token").as_bytes()).update(&request).finalize();
    lead.idempotency_key = Some(hex(&key.as_bytes()[..16]));
    let receipt = intake::take(app, visit, &lead, guest.agent.as_deref()).await?.receipt;
    let (id, step) = (receipt.id.to_string(), guest.step());
    let mut passed = vec![("lead", id.as_str()), ("token", &receipt.lead_token)];
    let at;
    if let ContactSubject::Roof(found, building) = place {
        at = building.to_string();
        passed.extend([("key", found.key.as_str()), ("building", &at)]);
    }
    let priced = receipt.estimate.is_some_and(|sheet| !sheet.prices.is_empty());
    Ok(step.href(if priced { "estimate" } else { "thanks" }, &passed))
}

fn submission(guest: &Guest, place: &ContactSubject, typed: TypedContact, shown: Timestamp) -> LeadSubmission {
    let (address, building) = match place {
        ContactSubject::Roof(found, building) => (AddressChoice::Key(found.key.clone()), *building),
        ContactSubject::NoRoof { key, .. } => (AddressChoice::Key(key.clone()), 0),
        ContactSubject::Unknown { typed } => (AddressChoice::Line(typed.clone()), 0),
    };
    let open = guest.app.clock.now().micros() - shown.micros();
    LeadSubmission {
        token: String::new(),
        idempotency_key: None,
        address,
        building: building as u32,
        first_name: typed.first.trim().to_owned(),
        last_name: typed.last.trim().to_owned(),
        email: typed.email.trim().to_owned(),
        phone: Some(typed.phone.trim().to_owned()).filter(|phone| !phone.is_empty()),
        preferred_contact_time: None,
        message: None,
        consent: ConsentChoice { given: typed.consent, text: guest.step().consent() },
        source: origin::source(&guest.app.links().hosted_page(guest.visit.id()), guest.from()),
        website: guest.text("website").to_owned(),
        elapsed_ms: u32::try_from(open / 1_000).unwrap_or(u32::MAX),
    }
}

/// What the form asks about: told by the address of the page, or by the form itself.
fn place(guest: &Guest) -> Answer<Option<ContactSubject>> {
    if guest.has("key") {
        let key = guest.text("key").to_owned();
        return Ok(match guest.roof(&AddressChoice::Key(key.clone()))? {
            RoofAnswer::Roof(found) => {
                let at = building(guest, found.buildings.len());
                Some(ContactSubject::Roof(Box::new(found), at))
            }
            RoofAnswer::NoRoof { street, .. } => Some(ContactSubject::NoRoof { key, street }),
            RoofAnswer::NotFound { .. } => None,
        });
    }
    let typed = guest.text("address").trim();
    Ok(is_fit(typed).then(|| ContactSubject::Unknown { typed: typed.to_owned() }))
}

fn details(guest: &Guest) -> TypedContact {
    let [first, last, email, phone] = TypedContact::NAMES.map(|name| guest.text(name).to_owned());
    TypedContact { first, last, email, phone, consent: guest.has("consent") }
}

/// When the form that was sent had been shown; `None`: it is none that this visitor was given.
fn shown(guest: &Guest) -> Option<Timestamp> {
    let Guest { app, visit, .. } = guest;
    app.tokens.form_shown(guest.text("token"), visit.id(), &guest.step().consent(), visit.ip, app.clock.now())
}

/// The form, with the token it came with as long as that holds: sent twice, it is one request.
fn form(
    guest: &Guest,
    place: ContactSubject,
    typed: TypedContact,
    checked: bool,
    trouble: Option<&PageError>,
) -> Answer<String> {
    let step = guest.step();
    let token = match shown(guest) {
        Some(_) => guest.text("token").to_owned(),
        None => fresh(&guest.app, guest)?,
    };
    let notice = trouble.map(|trouble| trouble.words(&step));
    Ok(contact_page(&step, &Contact { subject: place, token, typed, checked, notice }))
}

fn fresh(app: &App, guest: &Guest) -> Answer<String> {
    let visit = &guest.visit;
    app.gate.visit(Deed::Session, visit.ip, visit.id())?;
    Ok(app.tokens.form(visit.id(), &guest.step().consent(), visit.ip, app.clock.now())?)
}
