//! `/portal/companies`: the companies of one person.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use shingle_domain::{AccountId, Environment, Tenant, WidgetScope};
use shingle_portal::{CompanyRow, INSTALLATION, companies_page};
use shingle_store::{Actor, ActorContext, JoinFault, act_as};

use crate::portal::access::{MEMBER, OPEN};
use crate::portal::form::PortalForm;
use crate::portal::gate::{Signed, signed_in};
use crate::portal::responses::{Ending, ended, or_not_there, page, to};
use crate::portal::route::Page;
use crate::portal::sign_in::return_to::wished_page;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};

pub async fn show(State(web): State<Arc<Web>>, Extension(signed): Extension<Arc<Signed>>) -> ApiResult<Response> {
    let own = web.store.people().companies_of(signed.user.id).await?;
    let mut rows = Vec::new();
    for company in &own {
        let new_leads = match company.account.filter(|_| !company.is_closed) {
            Some(account) => {
                let tenant = Tenant { account, environment: Environment::Production };
                // There they may see less, or more.
                let there = web.store.people().find_user_in(account, &signed.user.email).await?;
                let sees = there.map_or(WidgetScope::only([]), |user| user.sees);
                ActorContext::now().seeing(sees).run(web.store.leads().count_new(&tenant)).await?
            }
            None => 0,
        };
        rows.push(CompanyRow { company, new_leads });
    }
    Ok(page(companies_page(&signed.frame(None), &rows)))
}

/// To the page that was asked for, or to the leads.
pub async fn choose(State(web): State<Arc<Web>>, Path(id): Path<String>, headers: HeaderMap, body: Bytes) -> Response {
    let chosen = async {
        let id: Option<AccountId> = match id.as_str() {
            INSTALLATION => None,
            id => Some(id.parse().map_err(|_| ApiError::NotFound)?),
        };
        let Some((session, user)) = signed_in(&web, &headers).await? else { return Ok(to("/portal/sign-in")) };
        act_as(Actor::User(user.id));
        web.store.people().choose_company(&session, id).await?;
        let form = PortalForm::parse(&body);
        Ok(to(wished_page(form.text("to")).unwrap_or("/portal/leads")))
    };
    or_not_there(chosen.await)
}

/// One more company, by an invite.
pub async fn join(State(web): State<Arc<Web>>, headers: HeaderMap, body: Bytes) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    let Some((session, user)) = signed_in(&web, &headers).await? else { return Ok(to("/portal/sign-in")) };
    Ok(match web.store.people().join_company(form.text("token"), &session, &user).await {
        Ok(_) => to("/portal/leads?said=joined"),
        Err(JoinFault::AlreadyThere) => to("/portal/companies"),
        Err(JoinFault::Unproven) => to(&format!("/portal/invite?token={}", form.text("token"))),
        Err(JoinFault::NotTheirs) => ended(StatusCode::GONE, EXPIRED),
        Err(JoinFault::Store(error)) => return Err(error.into()),
    })
}

const EXPIRED: Ending = Ending::Said {
    title: "This link has expired",
    said: "Someone used or withdrew it, or it is for another email. Ask the sender for another.",
};

/// The routes of this feature. Its forms are the person's, in whichever company they are.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        Page::get("/portal/companies", MEMBER, show).when_closed().for_clients(),
        Page::post("/portal/companies", OPEN, join),
        Page::post("/portal/companies/{id}", OPEN, choose),
    ]
}
