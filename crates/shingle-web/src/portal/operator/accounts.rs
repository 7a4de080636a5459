//! All accounts, creating one, and leaving one that was looked at.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use shingle_portal::{AccountsView, MAX_LISTED_ACCOUNTS, NewAccountView, accounts_page, new_account_page};
use shingle_store::AccountOverview;

use crate::portal::form::PortalForm;
use crate::portal::gate::Operating;
use crate::portal::operator::account::page_of;
use crate::portal::operator::company::{ADDRESS, NAME, company, invite_owner};
use crate::portal::operator::layout::{frame, said};
use crate::portal::responses::{page, page_with, to, too_many};
use crate::portal::sign_in::session;
use crate::state::Web;
use crate::web::error::ApiResult;

fn has(of: &AccountOverview, words: &str) -> bool {
    let owner = of.owner.as_deref().unwrap_or_default();
    [&of.account.name, owner, &of.account.id.to_string()].iter().any(|text| text.to_lowercase().contains(words))
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(operating): Extension<Arc<Operating>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let query = PortalForm::of_query(query.as_deref());
    let search: String = query.text("q").chars().take(100).collect();
    let mut accounts = web.store.accounts().overviews().await?;
    let all = accounts.len();
    accounts.retain(|of| has(of, &search.to_lowercase()));
    let found = accounts.len();
    accounts.truncate(MAX_LISTED_ACCOUNTS);
    let view = AccountsView { accounts: &accounts, found, all, search: &search };
    Ok(page(accounts_page(&frame(&operating, said(&query)), &view)))
}

pub async fn show_new(State(web): State<Arc<Web>>, Extension(operating): Extension<Arc<Operating>>) -> Response {
    let view = NewAccountView { mail_is_set: web.mail.is_some(), ..NewAccountView::default() };
    page(new_account_page(&frame(&operating, None), &view))
}

/// The account, and the link by which its first owner joins.
pub async fn create(
    State(web): State<Arc<Web>>,
    Extension(operating): Extension<Arc<Operating>>,
    body: Bytes,
) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    let (typed, email) = (form.text("name"), form.text("email"));
    let again = |status: StatusCode, wrong: (&'static str, &'static str)| {
        let view = NewAccountView { name: typed, email, wrong: Some(wrong), mail_is_set: web.mail.is_some() };
        page_with(status, new_account_page(&frame(&operating, None), &view))
    };
    let Some(name) = company(typed) else { return Ok(again(StatusCode::UNPROCESSABLE_ENTITY, ("name", NAME))) };
    let address = match email {
        "" => None,
        email => match session::address(email) {
            Some(address) => Some(address),
            None => return Ok(again(StatusCode::UNPROCESSABLE_ENTITY, ("email", ADDRESS))),
        },
    };
    if let Some(address) = &address
        && let Err(wait) = web.portal.limits.may_mail(address)
    {
        return Ok(too_many(wait));
    }
    let account = web.store.accounts().create(name).await?;
    let link = invite_owner(&web, &operating, account.id, name, address.clone()).await?;
    let mailed = address.is_some() && web.mail.is_some();
    page_of(&web, &operating, account.id, StatusCode::CREATED, Some((&link, mailed)), None, None).await
}

pub async fn leave(
    State(web): State<Arc<Web>>,
    Extension(operating): Extension<Arc<Operating>>,
) -> ApiResult<Response> {
    web.store.people().end_visit(operating.session.id).await?;
    Ok(to("/portal/operator?said=left"))
}
