//! Whether a homeowner is mailed: the page promises only mail that is sent.
//!
//! # Decision
//!
//! The thanks step mentions the mailed copy only if one is sent: by installation, account and widget, with consent,
//! and if the address has had none that day. The button that mails the link waits for the mail server, so it says
//! what happened; both share one mail a day. Turned down: an event for it.

use shingle_domain::lead::{Lead, LeadStatus};
use shingle_domain::notice::NoticeSettings;
use shingle_domain::{Tenant, WidgetSettings};

use crate::app::App;
use crate::failure::Failure;

/// Whether homeowners of this widget are mailed at all: by the installation, the account and the widget.
pub async fn mails_homeowners(app: &App, tenant: &Tenant, settings: &WidgetSettings) -> Result<bool, Failure> {
    Ok(mailing_account(app, tenant, settings).await?.is_some())
}

/// The account's settings, where its homeowners are mailed.
pub async fn mailing_account(
    app: &App,
    tenant: &Tenant,
    settings: &WidgetSettings,
) -> Result<Option<NoticeSettings>, Failure> {
    if app.mail.is_none() {
        return Ok(None);
    }
    let decided = app.store.destinations().cached_notice_settings(tenant).await?;
    let account = Option::clone(&decided).unwrap_or_default();
    Ok(settings.mails_homeowner_copy(&account).then_some(account))
}

/// Whether a copy of this estimate has gone or goes.
pub async fn copy_goes(app: &App, tenant: &Tenant, settings: &WidgetSettings, lead: &Lead) -> Result<bool, Failure> {
    let wanted = lead.estimate.is_some() && lead.consent.given && lead.status != LeadStatus::Spam;
    if !wanted || lead.email_problem.is_some() || !mails_homeowners(app, tenant, settings).await? {
        return Ok(false);
    }
    let Some(email) = &lead.email else { return Ok(false) };
    Ok(app.store.destinations().homeowner_copy_goes(tenant, lead.id, email).await?)
}
