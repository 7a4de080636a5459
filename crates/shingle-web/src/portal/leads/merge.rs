//! Leads of one homeowner: compared, merged into one that stays, and parted again.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Extension, Path, RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use shingle_domain::appointment::Appointment;
use shingle_domain::inspection::InspectionState;
use shingle_domain::lead::Lead;
use shingle_domain::{LeadId, Tenant, Usd};
use shingle_portal::{Hours, MERGE_FIELDS, MergeSide, MergeView, merge_page, translated};
use shingle_store::{KnownTag, LeadWork, MergeChoice, MergeOutcome, MergedLead};

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::leads::answer::Answer;
use crate::portal::leads::query::{environment, opened_from, with_said};
use crate::portal::responses::{or_not_there, page_with, to};
use crate::portal::settings::page::{frame, zone};
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};

/// What is compared of one lead.
struct Side {
    lead: Lead,
    work: LeadWork,
    booked: Option<Appointment>,
    tags: Vec<KnownTag>,
    worth: Option<Usd>,
    mark: String,
}

impl Side {
    async fn read(web: &Web, tenant: &Tenant, lead: Lead) -> ApiResult<Self> {
        let leads = web.store.leads();
        // First: what is changed while the rest is read makes the form outdated.
        let mark = leads.merge_mark(tenant, &lead).await?;
        Ok(Self {
            work: leads.work(tenant, lead.id).await?,
            booked: leads.appointments_shown(tenant, &[lead.id]).await?.remove(&lead.id),
            tags: leads.tags_of(tenant, &[lead.id]).await?.remove(&lead.id).unwrap_or_default(),
            worth: leads.won_value(tenant, lead.id).await?,
            mark,
            lead,
        })
    }

    fn view(&self) -> MergeSide<'_> {
        let Self { lead, work, booked, tags, worth, mark } = self;
        MergeSide { lead, work, booked: booked.as_ref(), tags, worth: *worth, mark }
    }
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let form = PortalForm::of_query(query.as_deref());
    let shown = async {
        let tenant = signed.tenant(environment(&form));
        let opened = find(&web, &tenant, &id).await?;
        let other = find(&web, &tenant, form.text("with")).await?;
        let list = opened_from(&form, &zone(&web, &signed).await?, signed.user.id).shown;
        // A link that was opened before a colleague merged them.
        for lead in [&opened, &other] {
            if let Some(stays) = web.store.leads().merged_into(&tenant, lead.id).await? {
                return Ok(to(&with_said(&list.lead_at(stays), "mergedBefore")));
            }
        }
        if opened.id == other.id {
            return Ok(to(&list.lead_at(opened.id)));
        }
        compare(&web, &signed, &tenant, (opened, other), &form, None).await
    };
    or_not_there(shown.await)
}

async fn find(web: &Web, tenant: &Tenant, id: &str) -> ApiResult<Lead> {
    let id: LeadId = id.parse().map_err(|_| ApiError::NotFound)?;
    web.store.leads().find(tenant, id).await?.ok_or(ApiError::NotFound)
}

async fn compare(
    web: &Web,
    signed: &Signed,
    tenant: &Tenant,
    (opened, other): (Lead, Lead),
    form: &PortalForm,
    wrong: Option<&'static str>,
) -> ApiResult<Response> {
    let zone = zone(web, signed).await?;
    let hours = Hours::new(&zone, web.clock.now(), signed.language);
    let list = opened_from(form, &zone, signed.user.id).shown;
    let opened_id = opened.id;
    let (older, newer) = match (opened.created_at, opened.id) <= (other.created_at, other.id) {
        true => (opened, other),
        false => (other, opened),
    };
    let sides = [Side::read(web, tenant, older).await?, Side::read(web, tenant, newer).await?];
    let [first, second] = &sides;
    let kept = MERGE_FIELDS.map(|(field, _)| (field, form.text(field).to_owned()));
    let kept: Vec<_> = kept.into_iter().filter(|(_, id)| !id.is_empty()).collect();
    let stays = if form.text("stays") == second.lead.id.to_string() { second } else { first };
    let view = MergeView {
        environment: tenant.environment,
        opened: if first.lead.id == opened_id { &first.lead } else { &second.lead },
        sides: [first.view(), second.view()],
        stays: &stays.lead,
        list: &list,
        hours: &hours,
        wrong,
        kept: &kept,
    };
    let status = if wrong.is_some() { StatusCode::CONFLICT } else { StatusCode::OK };
    Ok(page_with(status, merge_page(&frame(signed, None), &view)))
}

pub async fn save(web: &Web, signed: &Signed, tenant: &Tenant, lead: &Lead, form: &PortalForm) -> ApiResult<Answer> {
    let other = find(web, tenant, form.text("with")).await?;
    let (stays, goes) = match form.text("stays") {
        id if id == lead.id.to_string() => (lead.id, other.id),
        id if id == other.id.to_string() => (other.id, lead.id),
        _ => return Err(ApiError::NotFound),
    };
    let seen = |id: LeadId| form.text(&format!("seen-{id}"));
    // What is not in the form stays as the lead that stays has it.
    let takes = |field: &str| form.text(field) == goes.to_string();
    let choice = MergeChoice {
        name: takes("keep-name"),
        phone: takes("keep-phone"),
        email: takes("keep-email"),
        assignee: takes("keep-assignee"),
        status: takes("keep-status"),
        won_value: takes("keep-worth"),
    };
    let seen = (seen(stays), seen(goes));
    let outcome = web.store.leads().merge(tenant, (stays, goes), &signed.user, seen, choice).await?;
    let list = opened_from(form, &zone(web, signed).await?, signed.user.id).shown;
    let wrong = match outcome {
        MergeOutcome::Done => return Ok(Answer::Made(to(&with_said(&list.lead_at(stays), "merged")))),
        MergeOutcome::Merged => {
            let stays = web.store.leads().merged_into(tenant, goes).await?.unwrap_or(stays);
            return Ok(Answer::Made(to(&with_said(&list.lead_at(stays), "mergedBefore"))));
        }
        MergeOutcome::Outdated => {
            "A teammate changed one of these leads after you opened this page. Nothing was merged. Look again."
        }
        MergeOutcome::BothBooked => "Both leads have an inspection booked. Cancel one of the two, then merge.",
        MergeOutcome::OtherWidget => {
            "These leads came through two widgets, and you have clients or keys that see only one of them. Merging would show one client the other’s lead."
        }
        MergeOutcome::Spam => "One of the two is spam. Move it to your leads first, then merge.",
    };
    let lead = web.store.leads().find(tenant, lead.id).await?.ok_or(ApiError::NotFound)?;
    let other = web.store.leads().find(tenant, other.id).await?.ok_or(ApiError::NotFound)?;
    Ok(Answer::Made(compare(web, signed, tenant, (lead, other), form, Some(wrong)).await?))
}

pub async fn undo(web: &Web, signed: &Signed, tenant: &Tenant, lead: &Lead, form: &PortalForm) -> ApiResult<Answer> {
    let merged: LeadId = form.text("merged").parse().map_err(|_| ApiError::NotFound)?;
    // A colleague who was faster did the same.
    web.store.leads().undo_merge(tenant, (lead.id, merged), &signed.user).await?;
    Ok(Answer::Back("unmerged"))
}

/// Whose inspection the page of a lead shows: one that is booked, then one that is asked for, then its own.
pub async fn inspected(web: &Web, tenant: &Tenant, lead: &Lead, merged: &[MergedLead]) -> ApiResult<Lead> {
    if merged.is_empty() {
        return Ok(lead.clone());
    }
    let all: Vec<&Lead> = [lead].into_iter().chain(merged.iter().map(|of| &of.lead)).collect();
    let ids: Vec<LeadId> = all.iter().map(|lead| lead.id).collect();
    let booked = web.store.leads().appointments(tenant, &ids).await?;
    let stands = |lead: &Lead| booked.get(&lead.id).is_some_and(|now| now.state.stands());
    let waits = |lead: &Lead| lead.inspection.as_ref().is_some_and(|asked| asked.state == InspectionState::Asked);
    let found = all.iter().find(|lead| stands(lead)).or_else(|| all.iter().find(|lead| waits(lead)));
    let found = found.or_else(|| all.iter().find(|lead| booked.contains_key(&lead.id)));
    Ok(found.map_or_else(|| lead.clone(), |lead| (*lead).clone()))
}

/// For the script that saves a control of a lead that was merged meanwhile.
pub fn refused_at_once(signed: &Signed, value: &str) -> Response {
    let said = translated(
        signed.language,
        "A teammate merged this lead into another one. Your change was not saved. Reload the page.",
    );
    let body = serde_json::json!({ "saved": false, "said": said, "value": value });
    (StatusCode::CONFLICT, Json(body)).into_response()
}
