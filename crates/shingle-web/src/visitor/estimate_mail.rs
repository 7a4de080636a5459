//! The link to an estimate, mailed to its homeowner.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use shingle_app::leads::estimate_copy::mailing_account;
use shingle_domain::LeadId;
use shingle_domain::lead::LeadStatus;

use crate::state::Web;
use crate::visitor::public::own_lead::{OwnLead, TokenAlone};
use crate::web::error::{ApiError, ApiResult};

#[derive(Debug, Serialize)]
pub struct Mailed {
    id: LeadId,
    mailed: bool,
}

/// The homeowner has the link mailed to the address of the lead, and to no other: once a day.
pub async fn send(
    State(web): State<Arc<Web>>,
    OwnLead { request, id, .. }: OwnLead<TokenAlone>,
) -> ApiResult<Json<Mailed>> {
    let tenant = &request.tenant;
    let lead = web.store.leads().find(tenant, id).await?.ok_or(ApiError::NotFound)?;
    let Some(mail) = &web.mail else { return Err(ApiError::NotFound) };
    let account = mailing_account(&web, tenant, &request.stored.settings).await?;
    let Some(account) = account.filter(|_| lead.status != LeadStatus::Spam) else { return Err(ApiError::NotFound) };
    let widget = web.store.widgets().find_of_lead(tenant, lead.widget_id).await?.ok_or(ApiError::NotFound)?;
    if !mail.mail_link(tenant, &lead, &widget, &account).await.map_err(ApiError::internal)? {
        return Err(ApiError::bad_request("One email a day goes to an address"));
    }
    Ok(Json(Mailed { id, mailed: true }))
}
