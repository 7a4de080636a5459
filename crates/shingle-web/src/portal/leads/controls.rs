//! Status and assignee of a lead: each is one control that saves itself where a script runs, and has a button where none
//! does.
//!
//! # Decision
//!
//! The script sends the same form and asks for JSON; the answer says what to show and which value holds now, so a refused
//! change puts the control back. Turned down: a route of its own for scripts, with rules that drift from the form's.

use std::sync::Arc;

use axum::Json;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use serde::Serialize;
use shingle_domain::lead::{Lead, LeadStatus};
use shingle_domain::{Tenant, UserId};
use shingle_portal::{Hours, phrase, translated};
use shingle_store::{OwnerChange, StoreError};

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::given_lead::tell_released;
use crate::portal::leads::answer::Answer;
use crate::portal::leads::clash::{self, Clash};
use crate::portal::leads::query::{own_path, with_said};
use crate::portal::mail;
use crate::portal::responses::to;
use crate::portal::settings::page::zone;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use shingle_app::notices::lead_path;

/// For the script.
#[derive(Serialize)]
struct AtOnce {
    saved: bool,
    /// What the page says beside the control.
    said: String,
    /// What the control shows from now on.
    value: String,
}

impl AtOnce {
    fn answer(self, status: StatusCode) -> Answer {
        Answer::Made((status, Json(self)).into_response())
    }
}

/// `at_once`: a script asks.
pub async fn status(
    web: &Arc<Web>,
    signed: &Signed,
    tenant: &Tenant,
    lead: &Lead,
    form: &PortalForm,
    at_once: bool,
) -> ApiResult<Answer> {
    let say = |english: &str| translated(signed.language, english).to_owned();
    let Ok(status) = form.text("status").parse::<LeadStatus>() else {
        if !at_once {
            return Ok(Answer::Back("unknown"));
        }
        let said = say("That isn’t one of the choices. Nothing was saved.");
        let value = lead.status.as_str().to_owned();
        return Ok(AtOnce { saved: false, said, value }.answer(StatusCode::UNPROCESSABLE_ENTITY));
    };
    let seen = form.text("seen").parse().unwrap_or(status);
    let change = OwnerChange { status: Some(status), seen_status: Some(seen), ..OwnerChange::default() };
    let changed = web.store.leads().change_given(tenant, lead.id, &change, Some(&signed.user)).await;
    let changed = match changed {
        Ok(changed) => {
            tell_released(web, signed, *tenant, changed).await;
            Ok(())
        }
        Err(error) => Err(error),
    };
    match changed {
        Ok(()) if at_once => {
            let said = match status {
                LeadStatus::Lost => say("Saved. You can say below why it was lost."),
                _ => say("Saved."),
            };
            Ok(AtOnce { saved: true, said, value: status.as_str().to_owned() }.answer(StatusCode::OK))
        }
        Ok(()) => Ok(match own_path(form.text("back")) {
            "/portal/leads" => Answer::Back("saved"),
            list => Answer::Made(to(&with_said(list, "saved"))),
        }),
        Err(StoreError::Outdated) => {
            let (clash, now) = clash::of_status(web, signed, tenant, lead.id, status).await?;
            outdated(web, signed, tenant, lead, (clash, now.as_str().to_owned()), at_once).await
        }
        Err(other) => Err(other.into()),
    }
}

/// As [`status`].
pub async fn assign(
    web: &Arc<Web>,
    signed: &Signed,
    tenant: &Tenant,
    lead: &Lead,
    form: &PortalForm,
    at_once: bool,
) -> ApiResult<Answer> {
    let person = match form.text("assignee") {
        "" => None,
        id => Some(id.parse::<UserId>().map_err(|_| ApiError::NotFound)?),
    };
    match web.store.leads().assign(tenant, lead.id, &signed.user, person, Some(form.text("seen"))).await {
        Ok(()) => {
            let path = lead_path(lead.id, tenant.environment);
            tell_assignee(web, signed, tenant, person, std::slice::from_ref(lead), &path).await?;
            if !at_once {
                return Ok(Answer::Back("saved"));
            }
            let said = translated(signed.language, "Saved.").to_owned();
            let value = person.map(|id| id.to_string()).unwrap_or_default();
            Ok(AtOnce { saved: true, said, value }.answer(StatusCode::OK))
        }
        Err(StoreError::Outdated) => {
            let clash = clash::of_assignee(web, signed, tenant, lead.id, person).await?;
            outdated(web, signed, tenant, lead, clash, at_once).await
        }
        Err(other) => Err(other.into()),
    }
}

/// Somebody else was first.
async fn outdated(
    web: &Web,
    signed: &Signed,
    tenant: &Tenant,
    lead: &Lead,
    (clash, value): (Clash, String),
    at_once: bool,
) -> ApiResult<Answer> {
    if !at_once {
        return Ok(Answer::Clash(clash));
    }
    let language = signed.language;
    let theirs = clash.both.first().map(|both| both.theirs.as_str()).unwrap_or_default();
    let theirs = if theirs.is_empty() { translated(language, "Nobody") } else { theirs };
    let entries = web.store.leads().entries(tenant, lead.id).await?;
    let by = entries.iter().find(|entry| entry.kind == clash.kind).filter(|entry| entry.text == clash.told);
    let said = match by {
        Some(entry) => {
            let hours = Hours::new(&zone(web, signed).await?, web.clock.now(), language);
            let with = [("name", entry.author.as_str()), ("value", theirs), ("age", &hours.age(entry.at))];
            phrase(language, "{name} changed it to {value}: {age}. Your change was not saved.", &with)
        }
        None => phrase(language, "Someone changed it to {value}. Your change was not saved.", &[("value", theirs)]),
    };
    Ok(AtOnce { saved: false, said, value }.answer(StatusCode::CONFLICT))
}

/// By mail, unless it is they who did it.
pub async fn tell_assignee(
    web: &Arc<Web>,
    signed: &Signed,
    tenant: &Tenant,
    person: Option<UserId>,
    leads: &[Lead],
    path: &str,
) -> ApiResult<()> {
    let Some(person) = person.filter(|person| *person != signed.user.id && !leads.is_empty()) else { return Ok(()) };
    if let Some(user) = web.store.people().find_user(person).await? {
        let link = format!("{}{path}", web.own_domains.base_of(tenant.account));
        let by = signed.user.name.as_str();
        mail::assigned(web, signed.language, &user, by, leads, &link);
        push(web, tenant, person, by, leads, path);
    }
    Ok(())
}

/// Without waiting for push services.
fn push(web: &Arc<Web>, tenant: &Tenant, person: UserId, by: &str, leads: &[Lead], path: &str) {
    let Some(pusher) = web.pusher.clone() else { return };
    let (tenant, by, leads, path) = (*tenant, by.to_owned(), leads.to_vec(), path.to_owned());
    tokio::spawn(async move {
        if let Err(error) = pusher.assigned(&tenant, person, &by, &leads, &path).await {
            tracing::error!(%error, "an assignment could not be pushed");
        }
    });
}
