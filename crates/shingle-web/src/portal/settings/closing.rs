//! Closing the company's account, and what an owner of a closed one sees.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, State};
use axum::response::Response;
use shingle_domain::Role;
use shingle_portal::{ClosedView, Hours, closed_page};

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::mail;
use crate::portal::responses::{page, to};
use crate::portal::settings::page::{not_closed, zone};
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};

/// Whether somebody who would close a company has typed its name.
pub fn is_typed(form: &PortalForm, company: &str) -> bool {
    form.text("closing").trim() == company.trim()
}

pub async fn close(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    body: Bytes,
) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    if !is_typed(&form, &signed.company) {
        return not_closed(&web, &signed, form.text("closing")).await;
    }
    web.store.accounts().close(signed.account).await?;
    let owners = web.store.people().list_users(signed.account).await?;
    for owner in owners.iter().filter(|user| user.role >= Role::Owner) {
        mail::account_closed(&web, signed.language, owner, &signed.company, signed.user.name.as_str());
    }
    Ok(to("/portal/closed"))
}

pub async fn show(State(web): State<Arc<Web>>, Extension(signed): Extension<Arc<Signed>>) -> ApiResult<Response> {
    let account = web.store.accounts().find(signed.account).await?.ok_or(ApiError::NotFound)?;
    let Some(closing) = account.closing else { return Ok(to("/portal/settings")) };
    let now = web.clock.now();
    let hours = Hours::new(&zone(&web, &signed).await?, now, signed.language);
    let view = ClosedView {
        company: &signed.company,
        closed_at: closing.closed_at,
        until: Some(closing.ends_at()).filter(|until| now < *until),
        hours: &hours,
        has_others: !signed.companies.is_empty(),
    };
    Ok(page(closed_page(signed.language, &view)))
}

pub async fn reopen(State(web): State<Arc<Web>>, Extension(signed): Extension<Arc<Signed>>) -> ApiResult<Response> {
    // Where it was too late, its page says so.
    Ok(match web.store.accounts().reopen(signed.account).await? {
        true => to("/portal/settings?said=reopened"),
        false => to("/portal/closed"),
    })
}
