//! `/portal/leads/{id}`: one lead.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, Path, RawQuery, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use shingle_domain::inspection::{InspectionState, VisitDate};
use shingle_domain::lead::{Lead, LeadStatus};
use shingle_domain::text::{is_clean, is_clean_block};
use shingle_domain::{LeadId, Tenant, UserId};
use shingle_portal::{Hours, LeadDelivery, LeadView, MAX_NOTE, MAX_STEP, Notice, WorkView, lead_page};
use shingle_store::{DestinationKind, OwnerChange};
use shingle_widget::words::Language;

use super::form::PortalForm;
use super::gate::Signed;
use super::leads::{environment, people};
use super::page::{or_not_there, page_with, to};
use super::settings::{frame, said, zone};
use crate::app::App;
use crate::consent_page::consent_page;
use crate::http::consents::POLICY;
use crate::http::error::{ApiError, ApiResult};
use crate::http::photos;
use crate::lead_reference::reference;
use crate::tokens::{MAX_LINK_AGE, estimate_path};

pub async fn show(
    State(app): State<Arc<App>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    or_not_there(shown(&app, &signed, &id, &PortalForm::of_query(query.as_deref())).await)
}

async fn shown(app: &App, signed: &Signed, id: &str, query: &PortalForm) -> ApiResult<Response> {
    let (tenant, lead) = find(app, signed, id, query).await?;
    one(app, signed, &tenant, &lead, StatusCode::OK, said(query), None).await
}

/// A note that was not saved stands in its field, with why.
async fn one(
    app: &App,
    signed: &Signed,
    tenant: &Tenant,
    lead: &Lead,
    status: StatusCode,
    notice: Option<Notice<'_>>,
    note: Option<(&str, &str)>,
) -> ApiResult<Response> {
    app.store.note_lead_read(signed.user.id, lead.id).await?;
    let hours = Hours::new(&zone(app, signed).await?, app.clock.now());
    let work = app.store.lead_work(tenant, lead.id).await?;
    let entries = app.store.lead_entries(tenant, lead.id).await?;
    let view = LeadView {
        lead,
        environment: tenant.environment,
        reference: &reference(lead.id),
        sheet: sheet(app, tenant, lead).await?,
        hours: &hours,
        work: WorkView {
            work: &work,
            entries: &entries,
            deliveries: &deliveries(app, tenant, lead).await?,
            people: &people(app, signed).await?,
            note: note.map_or("", |(text, _)| text),
            note_wrong: note.map(|(_, wrong)| wrong),
        },
        has_drawing: lead.estimate.is_some() && app.store.lead_drawing(tenant, lead.id).await?.is_some(),
    };
    Ok(page_with(status, lead_page(&frame(signed, notice), &view)))
}

async fn deliveries(app: &App, tenant: &Tenant, lead: &Lead) -> ApiResult<Vec<LeadDelivery>> {
    let mut all = Vec::new();
    for delivery in app.store.list_deliveries_of(tenant, lead.id.0).await? {
        let Some(destination) = app.store.find_destination(tenant, delivery.destination).await? else { continue };
        let draft = destination.draft;
        let to = match draft.kind {
            DestinationKind::Webhook => url::Url::parse(&draft.address)
                .ok()
                .and_then(|url| url.host_str().map(str::to_owned))
                .unwrap_or(draft.name),
            DestinationKind::Connector => draft.name,
            DestinationKind::Mail | DestinationKind::Homeowner => draft.address,
        };
        all.push(LeadDelivery { delivery, kind: draft.kind, to });
    }
    Ok(all)
}

/// The drawing that the homeowner saw, as a picture.
pub async fn drawing(
    State(app): State<Arc<App>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let query = PortalForm::of_query(query.as_deref());
    let drawn = async {
        let (tenant, lead) = find(&app, &signed, &id, &query).await?;
        let drawing = app.store.lead_drawing(&tenant, lead.id).await?.ok_or(ApiError::NotFound)?;
        let widget = app.store.find_widget_of_lead(&tenant, lead.widget_id).await?.ok_or(ApiError::NotFound)?;
        let draw = move || shingle_notice::drawing_png(&drawing, &lead.address, &widget.widget, Language::English);
        let png = app.heavy_work.run(draw).await?.map_err(ApiError::internal)?.ok_or(ApiError::NotFound)?;
        let headers = [(header::CONTENT_TYPE, "image/png"), (header::CACHE_CONTROL, "private, max-age=600")];
        Ok((headers, png).into_response())
    };
    or_not_there(drawn.await)
}

async fn find(app: &App, signed: &Signed, id: &str, form: &PortalForm) -> ApiResult<(Tenant, Lead)> {
    let id: LeadId = id.parse().map_err(|_| ApiError::NotFound)?;
    let tenant = signed.tenant(environment(form));
    let lead = app.store.find_lead(&tenant, id).await?.ok_or(ApiError::NotFound)?;
    Ok((tenant, lead))
}

/// The page of the estimate, as the homeowner's link shows it.
async fn sheet(app: &App, tenant: &Tenant, lead: &Lead) -> ApiResult<Option<String>> {
    if lead.estimate.is_none() || lead.created_at + MAX_LINK_AGE <= app.clock.now() {
        return Ok(None);
    }
    let Some(version) = app.store.lead_link_version(tenant, lead.id).await? else { return Ok(None) };
    let Some(widget) = app.store.find_widget_of_lead(tenant, lead.widget_id).await? else { return Ok(None) };
    Ok(Some(estimate_path(widget.widget.link_id(), &app.tokens.link(lead.id, version))))
}

pub async fn consent(
    State(app): State<Arc<App>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let query = PortalForm::of_query(query.as_deref());
    let certificate = async {
        let (tenant, lead) = find(&app, &signed, &id, &query).await?;
        let certificate = app.store.consent_certificate(&tenant, lead.id).await?;
        let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, POLICY)];
        Ok((headers, consent_page(&certificate)).into_response())
    };
    or_not_there(certificate.await)
}

/// `take`, `status`, `inspection`, `note`, `assign`, `plan`, `erase`.
pub async fn change(
    State(app): State<Arc<App>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path((id, action)): Path<(String, String)>,
    body: Bytes,
) -> Response {
    or_not_there(changed(&app, &signed, &id, &action, &PortalForm::parse(&body)).await)
}

async fn changed(app: &App, signed: &Signed, id: &str, action: &str, form: &PortalForm) -> ApiResult<Response> {
    let (tenant, lead) = find(app, signed, id, form).await?;
    let back = |said: &str| to(&format!("/portal/leads/{}?data={}&said={said}", lead.id, tenant.environment.as_str()));
    Ok(match action {
        "take" => {
            let taken = app.store.take_lead_by(&tenant, lead.id, &signed.user).await?;
            let is_own = taken.taken_by.as_deref() == Some(signed.user.name.as_str());
            back(if is_own { "taken" } else { "faster" })
        }
        "status" => {
            let Ok(status) = form.text("status").parse::<LeadStatus>() else { return Ok(back("unknown")) };
            // Somebody else has changed it since this page was shown.
            if form.text("seen") != lead.updated_at.to_string() && status != lead.status {
                return Ok(back("conflict"));
            }
            let change = OwnerChange { status: Some(status), ..OwnerChange::default() };
            app.store.change_lead_by(&tenant, lead.id, &change, Some(&signed.user)).await?;
            back("saved")
        }
        "inspection" => {
            let state = match form.text("state") {
                "confirmed" => InspectionState::Confirmed,
                "declined" => InspectionState::Declined,
                _ => return Ok(back("unknown")),
            };
            app.store
                .change_lead(&tenant, lead.id, &OwnerChange { inspection: Some(state), ..OwnerChange::default() })
                .await?;
            back("saved")
        }
        "note" => {
            let text = form.text("note").replace("\r\n", "\n");
            let wrong = match text.chars().count() {
                0 => Some("Please write something.".to_owned()),
                1..=MAX_NOTE if is_clean_block(&text) => None,
                1..=MAX_NOTE => Some("There is a character in it that nobody can see. Please remove it.".to_owned()),
                more => Some(format!("A note has 4,000 characters at most; this one has {more}.")),
            };
            if let Some(wrong) = wrong {
                let status = StatusCode::UNPROCESSABLE_ENTITY;
                return one(app, signed, &tenant, &lead, status, None, Some((&text, &wrong))).await;
            }
            app.store.add_lead_note(&tenant, lead.id, &signed.user, &text).await?;
            back("saved")
        }
        "assign" => {
            let person = match form.text("assignee") {
                "" => None,
                id => Some(id.parse::<UserId>().map_err(|_| ApiError::NotFound)?),
            };
            app.store.assign_lead(&tenant, lead.id, &signed.user, person).await?;
            back("saved")
        }
        "plan" => {
            let (step, due) = (form.text("step"), form.text("due"));
            let day = VisitDate::parse(due);
            if step.chars().count() > MAX_STEP || !is_clean(step) || (day.is_none() && !due.is_empty()) {
                return Ok(back("step"));
            }
            app.store.plan_lead(&tenant, lead.id, &signed.user, step, day).await?;
            back("saved")
        }
        "erase" => {
            if !form.text("reference").eq_ignore_ascii_case(&reference(lead.id)) {
                return Ok(back("reference"));
            }
            app.store.erase_lead(&tenant, lead.id).await?;
            photos::delete_removed(&app.store, &app.blobs).await?;
            to(&format!("/portal/leads?data={}&said=erased", tenant.environment.as_str()))
        }
        _ => return Err(ApiError::NotFound),
    })
}
