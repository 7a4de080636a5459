//! `/portal/export`: a company's data, one JSON record per line, sent while it is read.

use std::collections::VecDeque;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Extension, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde_json::{Value, json};
use shingle_domain::{Environment, Tenant};
use shingle_store::LeadFilter;

use crate::portal::gate::Signed;
use crate::portal::responses::{Ending, ended};
use crate::portal::settings::running_exports::RunningExport;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use shingle_app::lead_pages::LeadPages;

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// What is still to be read: the lists of leads, each page of them with its consents.
struct Rest {
    web: Arc<Web>,
    beginning: Option<String>,
    lists: VecDeque<(Tenant, LeadPages)>,
    leads: usize,
    ended: bool,
    _running: RunningExport,
}

pub async fn download(State(web): State<Arc<Web>>, Extension(signed): Extension<Arc<Signed>>) -> ApiResult<Response> {
    let Some(running) = web.portal.running_exports.begin(signed.account) else {
        let said =
            "An export of your company is already running. Wait until it finishes, or cancel that download first.";
        return Ok(ended(StatusCode::TOO_MANY_REQUESTS, Ending::Said { title: "One at a time", said }));
    };
    let tenants = [Environment::Production, Environment::Sandbox].map(|environment| signed.tenant(environment));
    // Read before the answer begins: what fails here gets an answer of its own.
    let beginning = beginning(&web, &signed, &tenants).await?;
    web.store.accounts().note_export(signed.account).await?;
    let lists = tenants.map(|tenant| (tenant, LeadPages::new(web.store.clone(), tenant, LeadFilter::default(), None)));
    let rest = Rest { web, beginning: Some(beginning), lists: lists.into(), leads: 0, ended: false, _running: running };
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"shingle-export.jsonl\""),
    ];
    Ok((headers, Body::from_stream(stream::try_unfold(rest, next_part))).into_response())
}

fn line(kind: &str, environment: Option<Environment>, record: &Value) -> String {
    let mut line = json!({ "kind": kind, "record": record });
    if let Some(environment) = environment {
        line["environment"] = environment.as_str().into();
    }
    format!("{line}\n")
}

async fn beginning(web: &Web, signed: &Signed, tenants: &[Tenant]) -> ApiResult<String> {
    let company = web.store.accounts().company(signed.account).await?;
    let record =
        json!({ "id": signed.account, "name": signed.company, "phone": company.phone, "website": company.website });
    let mut text = line("company", None, &record);
    for user in web.store.people().list_users(signed.account).await? {
        let record = json!({
            "id": user.id, "name": user.name.as_str(), "email": user.email.as_str(), "role": user.role.as_str(),
            "createdAt": user.created_at,
        });
        text += &line("user", None, &record);
    }
    for tenant in tenants {
        for stored in web.store.widgets().list(tenant).await? {
            let record =
                serde_json::to_value(web.record(tenant.account, &stored.widget)).map_err(ApiError::internal)?;
            text += &line("widget", Some(tenant.environment), &record);
        }
        if let Some(settings) = web.store.destinations().notice_settings(tenant).await? {
            let record = serde_json::to_value(settings).map_err(ApiError::internal)?;
            text += &line("noticeSettings", Some(tenant.environment), &record);
        }
    }
    Ok(text)
}

/// An error breaks the answer off, so that nobody takes it for the whole.
async fn next_part(mut rest: Rest) -> Result<Option<(Bytes, Rest)>, BoxError> {
    if let Some(beginning) = rest.beginning.take() {
        return Ok(Some((Bytes::from(beginning), rest)));
    }
    while let Some((tenant, pages)) = rest.lists.front_mut() {
        let leads = pages.next().await?;
        if leads.is_empty() {
            rest.lists.pop_front();
            continue;
        }
        let mut text = String::new();
        let ids: Vec<_> = leads.iter().map(|lead| lead.id).collect();
        let booked = rest.web.store.leads().appointments(tenant, &ids).await?;
        for lead in &leads {
            text += &line("lead", Some(tenant.environment), &serde_json::to_value(lead)?);
            if let Some(booked) = booked.get(&lead.id) {
                let record = json!({ "leadId": lead.id, "inspection": booked });
                text += &line("inspection", Some(tenant.environment), &record);
            }
            for evidence in rest.web.store.consents().list_evidence(tenant, lead.id).await? {
                text += &line("consent", Some(tenant.environment), &serde_json::to_value(evidence)?);
            }
        }
        rest.leads += leads.len();
        return Ok(Some((Bytes::from(text), rest)));
    }
    if rest.ended {
        return Ok(None);
    }
    // Without this line it is not the whole.
    rest.ended = true;
    Ok(Some((Bytes::from(line("end", None, &json!({ "leads": rest.leads }))), rest)))
}
