//! Closing the company's account, and what an owner of a closed one sees.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, State};
use axum::response::Response;
use shingle_domain::Role;
use shingle_portal::{ClosedView, Hours, closed_page};

use super::form::PortalForm;
use super::gate::Signed;
use super::mail;
use super::page::{page, to};
use super::settings::{not_closed, zone};
use crate::app::App;
use crate::http::error::{ApiError, ApiResult};

/// Whether somebody who would close a company has typed its name.
pub fn is_typed(form: &PortalForm, company: &str) -> bool {
    form.text("closing").trim() == company.trim()
}

pub async fn close(
    State(app): State<Arc<App>>,
    Extension(signed): Extension<Arc<Signed>>,
    body: Bytes,
) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    if !is_typed(&form, &signed.company) {
        return not_closed(&app, &signed, form.text("closing")).await;
    }
    app.store.close_account(signed.account).await?;
    let owners = app.store.list_users(signed.account).await?;
    for owner in owners.iter().filter(|user| user.role >= Role::Owner) {
        mail::account_closed(&app, signed.language, owner, &signed.company, signed.user.name.as_str());
    }
    Ok(to("/portal/closed"))
}

pub async fn show(State(app): State<Arc<App>>, Extension(signed): Extension<Arc<Signed>>) -> ApiResult<Response> {
    let account = app.store.find_account(signed.account).await?.ok_or(ApiError::NotFound)?;
    let Some(closing) = account.closing else { return Ok(to("/portal/settings")) };
    let now = app.clock.now();
    let hours = Hours::new(&zone(&app, &signed).await?, now, signed.language);
    let view = ClosedView {
        company: &signed.company,
        closed_at: closing.closed_at,
        until: Some(closing.ends_at()).filter(|until| now < *until),
        hours: &hours,
    };
    Ok(page(closed_page(signed.language, &view)))
}

pub async fn reopen(State(app): State<Arc<App>>, Extension(signed): Extension<Arc<Signed>>) -> ApiResult<Response> {
    // Where it was too late, its page says so.
    Ok(match app.store.reopen_account(signed.account).await? {
        true => to("/portal/settings?said=reopened"),
        false => to("/portal/closed"),
    })
}
