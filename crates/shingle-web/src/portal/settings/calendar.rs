//! `/portal/calendar`: the links by which calendars read inspections.

use std::sync::Arc;

use axum::extract::{Extension, Path, RawQuery, State};
use axum::response::Response;
use shingle_app::tokens::calendar_path;
use shingle_domain::Role;
use shingle_portal::{CalendarView, Notice, calendar_page};
use shingle_store::CalendarOwner;

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::responses::{not_there, page, to};
use crate::portal::settings::page::{frame, said};
use crate::state::Web;
use crate::web::error::ApiResult;

fn told(query: &PortalForm) -> Option<Notice> {
    let text = match query.text("said") {
        "made" => "The link is ready. Subscribe below.",
        "renewed" => "The link is new. Calendars with the old one get nothing more: subscribe again.",
        "ended" => "The link is turned off. Remove the calendar where you subscribed.",
        _ => return said(query),
    };
    Some(Notice { text: text.into(), is_wrong: false })
}

/// Owners of the company look after the one of everybody.
fn is_owner(signed: &Signed) -> bool {
    signed.user.role >= Role::Owner && signed.visiting.is_none()
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let notice = told(&PortalForm::of_query(query.as_deref()));
    let own = address(&web, &signed, CalendarOwner::Person(signed.user.id)).await?;
    let company = match is_owner(&signed) {
        true => Some(address(&web, &signed, CalendarOwner::Company).await?),
        false => None,
    };
    let view = CalendarView { own: own.as_deref(), company: company.as_ref().map(Option::as_deref) };
    Ok(page(calendar_page(&frame(&signed, notice), &view)))
}

async fn address(web: &Web, signed: &Signed, of: CalendarOwner) -> ApiResult<Option<String>> {
    let version = web.store.accounts().calendar_link(signed.account, of).await?;
    let path = version.map(|version| calendar_path(&web.tokens.calendar(signed.account, of, version)));
    Ok(path.map(|path| format!("{}{path}", web.own_domains.base_of(signed.account))))
}

pub async fn act(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path((whose, action)): Path<(String, String)>,
) -> ApiResult<Response> {
    let of = match whose.as_str() {
        "own" => CalendarOwner::Person(signed.user.id),
        "company" if is_owner(&signed) => CalendarOwner::Company,
        _ => return Ok(not_there()),
    };
    let accounts = web.store.accounts();
    let said = match action.as_str() {
        "make" => {
            let before = accounts.calendar_link(signed.account, of).await?;
            accounts.renew_calendar_link(signed.account, of).await?;
            if before.is_some() { "renewed" } else { "made" }
        }
        "end" => {
            accounts.end_calendar_link(signed.account, of).await?;
            "ended"
        }
        _ => return Ok(not_there()),
    };
    Ok(to(&format!("/portal/calendar?said={said}")))
}
