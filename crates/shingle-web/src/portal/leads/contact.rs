//! Name, phone, email and address of a lead, corrected by somebody of the company.

use std::sync::Arc;

use shingle_domain::Tenant;
use shingle_domain::lead::Lead;
use shingle_domain::public::AddressChoice;
use shingle_domain::rules::{email, person_name, phone};
use shingle_portal::{TypedFields, address_problem, contact_field, contact_problem};
use shingle_store::{ContactEdit, EditOutcome, EditedHome, SeenContact};

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::leads::answer::Answer;
use crate::portal::leads::clash;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use shingle_app::leads::by_hand;
use shingle_app::leads::home::LeadHome;

pub async fn edit(
    web: &Arc<Web>,
    signed: &Signed,
    tenant: &Tenant,
    lead: &Lead,
    form: &PortalForm,
) -> ApiResult<Answer> {
    let read = |name: &'static str| form.text(contact_field(name).name);
    let sent = SeenContact {
        first_name: read("firstName").to_owned(),
        last_name: read("lastName").to_owned(),
        email: read("email").to_owned(),
        phone: read("phone").to_owned(),
        address: read("address").to_owned(),
    };
    let seen = SeenContact {
        first_name: form.text(contact_field("firstName").seen).to_owned(),
        last_name: form.text(contact_field("lastName").seen).to_owned(),
        email: form.text(contact_field("email").seen).to_owned(),
        phone: form.text(contact_field("phone").seen).to_owned(),
        address: form.text(contact_field("address").seen).to_owned(),
    };
    let mut typed = TypedFields::default();
    for (name, value) in sent.fields() {
        typed.set(contact_field(name).name, value);
    }
    let language = signed.language;
    let mut refuse = |name: &'static str, problem| {
        typed.refuse(contact_field(name).name, contact_problem(language, name, problem));
    };
    let first_name = person_name(&sent.first_name).map_err(|problem| refuse("firstName", problem)).ok();
    // A lead that was added by hand may have neither.
    let last_name = match sent.last_name.as_str() {
        "" => Some(String::new()),
        last => person_name(last).map_err(|problem| refuse("lastName", problem)).ok(),
    };
    let email = match sent.email.as_str() {
        "" => Some(None),
        typed => email(typed).map(Some).map_err(|problem| refuse("email", problem)).ok(),
    };
    let phone = phone(&sent.phone).map_err(|problem| refuse("phone", problem)).ok();
    if matches!((&email, &phone), (Some(None), Some(None))) {
        typed.refuse(contact_field("phone").name, "Please type a phone or an email.");
    }
    let address = match sent.address == seen.address {
        true => None,
        false => match AddressChoice::Line(sent.address.clone()).parse() {
            Ok(choice) => Some(choice),
            Err(broken) => {
                typed.refuse(contact_field("address").name, address_problem(&broken));
                None
            }
        },
    };
    let (Some(first_name), Some(last_name), Some(email), Some(phone), false) =
        (first_name, last_name, email, phone, typed.is_refused())
    else {
        return Ok(Answer::of(typed));
    };
    let home = match address {
        None => None,
        Some(choice) => Some(home_of(web, tenant, lead, choice).await?),
    };
    let typed_now = SeenContact {
        first_name: first_name.clone(),
        last_name: last_name.clone(),
        email: email.as_ref().map(|email| email.as_str().to_owned()).unwrap_or_default(),
        phone: phone.as_ref().map(|phone| phone.as_str().to_owned()).unwrap_or_default(),
        address: home.as_ref().map_or_else(|| seen.address.clone(), |home| home.address.clone()),
    };
    let edit = ContactEdit { first_name, last_name, email, phone, home };
    Ok(match web.store.leads().edit_contact(tenant, lead.id, &signed.user, &edit, &seen).await? {
        EditOutcome::Done(_) => Answer::Back("saved"),
        EditOutcome::Outdated(now) => Answer::Clash(clash::of_contact(web, tenant, &now, &typed_now, &seen).await?),
    })
}

/// Looked up with the prices of the widget that the lead came through.
async fn home_of(web: &Arc<Web>, tenant: &Tenant, lead: &Lead, choice: AddressChoice) -> ApiResult<EditedHome> {
    let stored = web.store.widgets().find_of_lead(tenant, lead.widget_id).await?.ok_or(ApiError::NotFound)?;
    let LeadHome { address, roof_material, estimate, drawing, shown } =
        by_hand::home_of(web.app(), tenant, stored, choice).await?;
    Ok(EditedHome { address, roof_material, estimate, drawing, shown })
}
