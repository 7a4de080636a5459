//! What is mailed to a homeowner, and what the page says about it: it promises only mail that is sent.
//!
//! # Decision
//!
//! The thanks step mentions the mailed copy only if one is sent: by installation, account and widget, with consent,
//! and if the address has had none that day. The button that mails the link waits for the mail server, so it says
//! what happened; both share one mail a day. Turned down: an event for it.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use shingle_domain::lead::{Lead, LeadStatus};
use shingle_domain::notice::NoticeSettings;
use shingle_domain::{LeadId, Tenant, WidgetSettings};

use crate::state::Web;
use crate::visitor::public::own_lead::{OwnLead, TokenAlone};
use crate::web::error::{ApiError, ApiResult};

/// Whether homeowners of this widget are mailed at all: by the installation, the account and the widget.
pub(crate) async fn mails_homeowners(web: &Web, tenant: &Tenant, settings: &WidgetSettings) -> ApiResult<bool> {
    Ok(mailing_account(web, tenant, settings).await?.is_some())
}

/// The account's settings, where its homeowners are mailed.
async fn mailing_account(web: &Web, tenant: &Tenant, settings: &WidgetSettings) -> ApiResult<Option<NoticeSettings>> {
    if web.mail.is_none() {
        return Ok(None);
    }
    let decided = web.store.destinations().cached_notice_settings(tenant).await?;
    let account = Option::clone(&decided).unwrap_or_default();
    Ok(settings.mails_homeowner_copy(&account).then_some(account))
}

/// Whether a copy of this estimate has gone or goes.
pub(crate) async fn copy_goes(web: &Web, tenant: &Tenant, settings: &WidgetSettings, lead: &Lead) -> ApiResult<bool> {
    let wanted = lead.estimate.is_some() && lead.consent.given && lead.status != LeadStatus::Spam;
    if !wanted || lead.email_problem.is_some() || !mails_homeowners(web, tenant, settings).await? {
        return Ok(false);
    }
    Ok(web.store.destinations().homeowner_copy_goes(tenant, lead.id, &lead.email).await?)
}

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
