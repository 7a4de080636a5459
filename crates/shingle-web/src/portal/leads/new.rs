//! `/portal/leads/new`: a lead that somebody of the company adds.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use shingle_domain::lead::{Lead, Same};
use shingle_domain::public::AddressChoice;
use shingle_domain::rules::{FieldProblem, email, message, person_name, phone};
use shingle_domain::{Email, Language, LeadId, Phone, Tenant, UserId};
use shingle_portal::{
    FoundHome, Hours, NewLeadView, TypedFields, address_problem, contact_field, contact_problem, new_lead_page,
    widget_names,
};

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::leads::controls::tell_assignee;
use crate::portal::leads::list::people;
use crate::portal::leads::query::{environment, with_said};
use crate::portal::responses::{or_not_there, page_with, to};
use crate::portal::settings::page::{frame, zone};
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use shingle_app::leads::by_hand::{HandLead, VoiceConsent, add, home_of, widgets_for};
use shingle_app::leads::home::LeadHome;
use shingle_app::notices::lead_path;

/// Of the leads that are like it.
const MAX_KNOWN: usize = 5;
const FIELDS: [&str; 5] = ["firstName", "lastName", "phone", "email", "address"];

#[derive(Default)]
struct Shown {
    typed: TypedFields,
    home: Option<LeadHome>,
    known: Vec<(Lead, Same)>,
    is_asked: bool,
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let tenant = signed.tenant(environment(&PortalForm::of_query(query.as_deref())));
    page(&web, &signed, &tenant, StatusCode::OK, Shown::default()).await
}

async fn page(web: &Web, signed: &Signed, tenant: &Tenant, status: StatusCode, shown: Shown) -> ApiResult<Response> {
    let widgets = widgets_for(web.app(), tenant).await?;
    let titles = widget_names(widgets.iter().map(|stored| stored.widget.first_page_title.as_str()));
    let ids = widgets.iter().map(|stored| stored.widget.reference_id.to_string());
    let names: Vec<(String, String)> = ids.zip(titles).collect();
    let hours = Hours::new(&zone(web, signed).await?, web.clock.now(), signed.language);
    let view = NewLeadView {
        environment: tenant.environment,
        widgets: &names,
        people: &people(web, signed).await?,
        typed: &shown.typed,
        home: shown.home.as_ref().map(|home| FoundHome { address: &home.address, estimate: home.estimate.as_ref() }),
        known: &shown.known,
        is_asked: shown.is_asked,
        hours: &hours,
    };
    Ok(page_with(status, new_lead_page(&frame(signed, None), &view)))
}

pub async fn save(State(web): State<Arc<Web>>, Extension(signed): Extension<Arc<Signed>>, body: Bytes) -> Response {
    or_not_there(saved(&web, &signed, &PortalForm::parse(&body)).await)
}

/// What was typed, as far as it can be read.
struct Read {
    address: Option<AddressChoice>,
    new: Option<HandLead>,
    typed: TypedFields,
}

async fn saved(web: &Arc<Web>, signed: &Signed, form: &PortalForm) -> ApiResult<Response> {
    let tenant = signed.tenant(environment(form));
    let only_look = form.text("do") == "look";
    let Read { address, new, typed } = read(signed.language, form, only_look);
    let chosen = form.text("widget");
    let widgets = widgets_for(web.app(), &tenant).await?;
    let stored = widgets.into_iter().find(|stored| stored.widget.reference_id.to_string() == chosen);
    let stored = Arc::new(stored.ok_or(ApiError::NotFound)?);
    let home = match address {
        Some(choice) => Some(home_of(web.app(), &tenant, stored.clone(), choice).await?),
        None => None,
    };
    if typed.is_refused() || only_look {
        let status = if typed.is_refused() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
        return page(web, signed, &tenant, status, Shown { typed, home, ..Shown::default() }).await;
    }
    let (Some(new), Some(home)) = (new, home) else { return Err(ApiError::NotFound) };
    // Before anything is kept and told.
    let assignee = form.text("assignee");
    if !matches!(assignee, "" | "me") && !people(web, signed).await?.iter().any(|(id, _)| id == assignee) {
        let mut typed = typed;
        typed.refuse("assignee", "This person is no longer on the team. Choose someone else.");
        let shown = Shown { typed, home: Some(home), ..Shown::default() };
        return page(web, signed, &tenant, StatusCode::UNPROCESSABLE_ENTITY, shown).await;
    }
    let key = form.request_key().map(|key| key.key).unwrap_or_default();
    // A second click finds the lead of the first, and nobody is asked whether to add it again.
    if !key.is_empty()
        && let Some(id) = web.store.leads().accepted_with(&tenant, stored.widget.reference_id, &key).await?
    {
        return Ok(to(&with_said(&lead_path(id, tenant.environment), "added")));
    }
    let known = known(web, &tenant, new.email.as_ref(), new.phone.as_ref(), &home.address).await?;
    if !known.is_empty() && form.text("anyway") != "yes" {
        let shown = Shown { typed, home: Some(home), known, is_asked: true };
        return page(web, signed, &tenant, StatusCode::CONFLICT, shown).await;
    }
    let key = if key.is_empty() { web.store.new_id()?.to_string() } else { key };
    let id = add(web.app(), &tenant, &stored, &signed.user, (new, home), &key).await?;
    give(web, signed, &tenant, id, assignee).await?;
    Ok(to(&with_said(&lead_path(id, tenant.environment), "added")))
}

/// Whose it is from the start.
async fn give(web: &Arc<Web>, signed: &Signed, tenant: &Tenant, id: LeadId, to: &str) -> ApiResult<()> {
    match to {
        "" => {}
        "me" => {
            web.store.leads().take_lead_by(tenant, id, &signed.user).await?;
        }
        other => {
            let person: UserId = other.parse().map_err(|_| ApiError::NotFound)?;
            web.store.leads().assign(tenant, id, &signed.user, Some(person), None).await?;
            if let Some(lead) = web.store.leads().find(tenant, id).await? {
                let path = lead_path(id, tenant.environment);
                tell_assignee(web, signed, tenant, Some(person), std::slice::from_ref(&lead), &path).await?;
            }
        }
    }
    Ok(())
}

/// Leads that are probably of the same person or home.
async fn known(
    web: &Web,
    tenant: &Tenant,
    email: Option<&Email>,
    phone: Option<&Phone>,
    address: &str,
) -> ApiResult<Vec<(Lead, Same)>> {
    let alike = web.store.leads().alike(tenant, (email, phone, address), None).await?;
    let ids: Vec<LeadId> = alike.iter().map(|(id, _)| *id).collect();
    let same = |lead: &Lead| alike.iter().find(|(id, _)| *id == lead.id).map_or(Same::Home, |(_, same)| *same);
    let leads = web.store.leads().by_id(tenant, &ids).await?;
    Ok(leads.into_iter().map(|lead| (same(&lead), lead)).map(|(same, lead)| (lead, same)).take(MAX_KNOWN).collect())
}

fn read(language: Language, form: &PortalForm, only_look: bool) -> Read {
    let mut typed = TypedFields::default();
    for name in ["widget", "consent", "assignee", "language", "said-text"] {
        typed.set(name, form.text(name));
    }
    for name in FIELDS {
        typed.set(contact_field(name).name, form.text(contact_field(name).name));
    }
    let text = |name: &str| form.text(contact_field(name).name);
    let address = match AddressChoice::Line(text("address").to_owned()).parse() {
        Ok(choice) => Some(choice),
        Err(broken) => {
            typed.refuse(contact_field("address").name, address_problem(&broken));
            None
        }
    };
    if only_look {
        return Read { address, new: None, typed };
    }
    let mut refuse = |name: &'static str, problem: FieldProblem| {
        typed.refuse(contact_field(name).name, contact_problem(language, name, problem));
    };
    let first_name = person_name(text("firstName")).map_err(|problem| refuse("firstName", problem)).ok();
    let last_name = match text("lastName") {
        "" => Some(String::new()),
        last => person_name(last).map_err(|problem| refuse("lastName", problem)).ok(),
    };
    let email = match text("email") {
        "" => Some(None),
        sent => email(sent).map(Some).map_err(|problem| refuse("email", problem)).ok(),
    };
    let phone = phone(text("phone")).map_err(|problem| refuse("phone", problem)).ok();
    if matches!((&email, &phone), (Some(None), Some(None))) {
        typed.refuse(contact_field("phone").name, "Please type a phone or an email.");
    }
    let said = message(&form.text("said-text").replace("\r\n", "\n"));
    let said = said.map_err(|problem| typed.refuse("said-text", contact_problem(language, "said", problem))).ok();
    let consent = VoiceConsent::parse(form.text("consent"));
    if consent.is_none() {
        typed.refuse("consent", "Please choose what they said.");
    }
    let spoken = Language::parse(form.text("language")).unwrap_or_default();
    let new = match (first_name, last_name, email, phone, said, consent) {
        (Some(first_name), Some(last_name), Some(email), Some(phone), Some(message), Some(consent)) => {
            Some(HandLead { first_name, last_name, email, phone, message, language: spoken, consent })
        }
        _ => None,
    };
    Read { address, new, typed }
}
