//! `/portal/leads/{id}`: one lead.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, Path, RawQuery, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use shingle_domain::inspection::InspectionState;
use shingle_domain::lead::{Lead, LeadStatus};
use shingle_domain::{LeadId, Tenant};
use shingle_portal::{Hours, LeadView, lead_page};
use shingle_store::OwnerChange;

use super::form::PortalForm;
use super::gate::Signed;
use super::leads::environment;
use super::page::{or_not_there, page, to};
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
    app.store.note_lead_read(signed.user.id, lead.id).await?;
    let hours = Hours::new(&zone(app, signed).await?, app.clock.now());
    let view = LeadView {
        lead: &lead,
        environment: tenant.environment,
        reference: &reference(lead.id),
        sheet: sheet(app, &tenant, &lead).await?,
        hours: &hours,
    };
    Ok(page(lead_page(&frame(signed, said(query)), &view)))
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
    let Some(widget) = app.store.find_widget(tenant, lead.widget_id).await? else { return Ok(None) };
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

/// `take`, `status`, `inspection`, `erase`.
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
            let taken = app.store.take_lead(&tenant, lead.id, signed.user.name.as_str()).await?;
            let is_own = taken.taken_by.as_deref() == Some(signed.user.name.as_str());
            back(if is_own { "taken" } else { "faster" })
        }
        "status" => {
            let Ok(status) = form.text("status").parse::<LeadStatus>() else { return Ok(back("unknown")) };
            // Somebody else has changed it since this page was shown.
            if form.text("seen") != lead.updated_at.to_string() && status != lead.status {
                return Ok(back("conflict"));
            }
            app.store
                .change_lead(&tenant, lead.id, &OwnerChange { status: Some(status), ..OwnerChange::default() })
                .await?;
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
