//! Forms of the settings: the user's own address and language, the company and how long its leads are kept.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, State};
use axum::response::Response;
use shingle_domain::notice::NoticeSettings;
use shingle_domain::{Environment, Phone, Tenant};
use shingle_notice::is_time_zone;
use shingle_portal::{KEPT_DAYS, Language, ZONES, tidied};
use shingle_store::{Company, EmailChange};

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::mail;
use crate::portal::responses::{to, too_many};
use crate::portal::settings::page::{Told, refused};
use crate::portal::sign_in::session;
use crate::state::Web;
use crate::web::error::ApiResult;

const MAX_COMPANY: usize = 100;
const MAX_WEBSITE: usize = 200;
const NO_EMAIL: &str = "Please type an email address, like maya@example.com.";
const NO_PHONE: (&str, &str) = ("phone", "Please type a US phone number, or leave it blank.");
pub const NO_WEBSITE: (&str, &str) = ("website", "Please type the address of your website, like oak.example.com.");

pub async fn set_language(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    body: Bytes,
) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    let chosen = Language::parse(form.text("language"));
    web.store.people().set_user_language(signed.user.id, chosen.map(Language::tag)).await?;
    Ok(to("/portal/settings?said=saved"))
}

pub async fn ask_email(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    body: Bytes,
) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    // The page says why nothing is changed here.
    if web.mail.is_none() {
        return Ok(to("/portal/settings"));
    }
    let Some(email) = session::address(form.text("email")) else {
        let told = Told { email: Some((form.text("email"), NO_EMAIL)), ..Told::default() };
        return refused(&web, &signed, told).await;
    };
    if let Err(wait) = web.portal.limits.may_invite(signed.account, &email) {
        return Ok(too_many(wait));
    }
    let code = web.store.people().ask_for_email(signed.user.id, &email).await?;
    mail::new_address(&web, signed.language, email, (signed.user.name.as_str(), &signed.brand.name), &code);
    Ok(to("/portal/settings?said=emailCode"))
}

pub async fn confirm_email(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    body: Bytes,
) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    let said = match web.store.people().confirm_email(signed.user.id, form.text("code")).await? {
        EmailChange::Done => {
            mail::address_changed(&web, signed.language, &signed.user);
            "emailDone"
        }
        EmailChange::Wrong => "emailWrong",
        EmailChange::Ended => "emailEnded",
        EmailChange::Taken => "emailTaken",
    };
    Ok(to(&format!("/portal/settings?said={said}")))
}

/// A name for a company, as people know it.
fn is_company(name: &str) -> bool {
    !name.is_empty() && name.chars().count() <= MAX_COMPANY && !name.chars().any(char::is_control)
}

pub fn is_website(tidied: &str) -> bool {
    tidied.len() <= MAX_WEBSITE && shingle_domain::SafeUrl::parse(tidied).is_some()
}

/// Phone and website as they are kept; empty ones too.
///
/// # Errors
/// The field that is wrong, and what its form says of it.
pub fn company(form: &PortalForm) -> Result<Company, (&'static str, &'static str)> {
    if !is_company(form.text("company")) {
        return Err(("company", "Please type the company’s name, 100 characters at most."));
    }
    let phone = match form.text("phone") {
        "" => String::new(),
        typed => Phone::parse_loosely(typed).ok_or(NO_PHONE)?.as_str().to_owned(),
    };
    let website = tidied("companyUrl", form.text("website"));
    if website.is_empty() || is_website(&website) { Ok(Company { phone, website }) } else { Err(NO_WEBSITE) }
}

pub async fn set_company(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    body: Bytes,
) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    let company = match company(&form) {
        Ok(company) => company,
        Err(wrong) => {
            let told = Told { company: Some((&form, wrong)), ..Told::default() };
            return refused(&web, &signed, told).await;
        }
    };
    let tenant = signed.tenant(Environment::Production);
    let notices = web.store.destinations().notice_settings(&tenant).await?.unwrap_or_default();
    let zone = form.text("zone");
    if notices.time_zone != zone {
        if !ZONES.iter().any(|(known, _)| *known == zone) {
            return Ok(to("/portal/settings?said=unknown"));
        }
        set_time_zone(&web, &tenant, zone).await?;
    }
    if signed.company != form.text("company") {
        web.store.accounts().rename(signed.account, form.text("company")).await?;
    }
    web.store.accounts().set_company(signed.account, &company).await?;
    Ok(to("/portal/settings?said=saved"))
}

/// The one of the owner's browser, confirmed by a button.
pub async fn set_zone(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    body: Bytes,
) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    let zone = form.text("zone");
    if !is_time_zone(zone) {
        return Ok(to("/portal/settings?said=unknown"));
    }
    for environment in [Environment::Production, Environment::Sandbox] {
        let tenant = signed.tenant(environment);
        set_time_zone(&web, &tenant, zone).await?;
    }
    Ok(to("/portal/leads?said=saved"))
}

/// Nothing else of the notices changes, whatever somebody saves meanwhile.
async fn set_time_zone(web: &Web, tenant: &Tenant, zone: &str) -> ApiResult<()> {
    let change = |notices: &mut NoticeSettings| {
        zone.clone_into(&mut notices.time_zone);
        Ok(())
    };
    web.store.destinations().change_notice_settings(tenant, change).await
}

/// An empty form keeps leads for good.
pub async fn set_retention(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    body: Bytes,
) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    let days = match form.text("days") {
        "" => None,
        typed => match KEPT_DAYS.iter().find(|(days, _)| days.to_string() == typed) {
            Some((days, _)) => Some(*days),
            None => return Ok(to("/portal/settings?said=unknown")),
        },
    };
    web.store.accounts().set_retention(signed.account, days).await?;
    Ok(to("/portal/settings?said=saved"))
}
