//! `/portal/leads`: the list.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, RawQuery, State};
use axum::response::Response;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use shingle_domain::lead::LeadStatus;
use shingle_domain::{Environment, LeadId, Timestamp};
use shingle_portal::{Hours, Inbox, InboxFilter, inbox_page};
use shingle_store::{Cursor, LeadFilter, OwnerChange, StoreError};

use super::form::PortalForm;
use super::gate::Signed;
use super::page::{or_not_there, page, to};
use super::settings::{frame, said, zone};
use crate::app::App;
use crate::http::error::ApiResult;
use crate::http::leads::csv_response;
use crate::lead_pages::LeadPages;

const PAGE: u32 = 50;
/// Leads whose status is set together: what one page holds.
const MAX_TOGETHER: usize = 50;

/// What the query of the page asks for, as it is shown and as the store takes it.
struct Asked {
    shown: InboxFilter,
    filter: LeadFilter,
    wrong: Option<&'static str>,
}

fn asked(query: &PortalForm, zone: &str) -> Asked {
    let day = |name: &str| query.text(name).parse::<Date>().ok();
    let mut wrong = None;
    let mut known = |name: &str, is_known: bool, said: &'static str| {
        if !query.text(name).is_empty() && !is_known {
            wrong = Some(said);
        }
    };
    let status = query.text("status").parse::<LeadStatus>().ok();
    known("status", status.is_some(), "There is no such status; all are shown.");
    let (from, to) = (day("from"), day("to"));
    known("from", from.is_some(), "The first day is none; it was left out.");
    known("to", to.is_some(), "The last day is none; it was left out.");
    let zone = TimeZone::get(zone).unwrap_or(TimeZone::UTC);
    let begin = |day: Date| {
        let at = day.to_zoned(zone.clone()).ok()?.timestamp().as_microsecond();
        Some(Timestamp::from_micros(at))
    };
    let shown = InboxFilter {
        environment: Some(environment(query)),
        status,
        search: query.text("search").chars().take(200).collect(),
        from: from.map(|day| day.to_string()).unwrap_or_default(),
        to: to.map(|day| day.to_string()).unwrap_or_default(),
    };
    let filter = LeadFilter {
        status,
        from: from.and_then(begin),
        until: to.and_then(|day| day.tomorrow().ok()).and_then(begin),
        ..LeadFilter::default()
    };
    Asked { shown, filter, wrong }
}

/// Real leads unless test data is asked for.
pub fn environment(form: &PortalForm) -> Environment {
    if form.text("data") == "sandbox" { Environment::Sandbox } else { Environment::Production }
}

pub async fn show(
    State(app): State<Arc<App>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let query = PortalForm::of_query(query.as_deref());
    let zone = zone(&app, &signed).await?;
    let Asked { shown, filter, mut wrong } = asked(&query, &zone);
    let tenant = signed.tenant(shown.environment());
    let after = query.text("cursor").parse::<Cursor>();
    if after.is_err() && !query.text("cursor").is_empty() {
        wrong = Some("That page is not there; this is the newest.");
    }
    let after = after.ok();
    let found = if shown.search.is_empty() {
        app.store.list_leads(&tenant, &filter, after, PAGE).await?
    } else {
        app.store.search_leads(&tenant, &filter, &shown.search, after, PAGE).await?
    };
    let ids: Vec<LeadId> = found.leads.iter().map(|lead| lead.id).collect();
    let unread = app.store.unread_leads(signed.user.id, &ids).await?;
    let hours = Hours::new(&zone, app.clock.now());
    let inbox = Inbox {
        filter: &shown,
        leads: &found.leads,
        unread: &unread,
        older: found.next.map(|cursor| cursor.to_string()),
        is_newest: after.is_none(),
        hours: &hours,
        wrong,
    };
    Ok(page(inbox_page(&frame(&signed, said(&query)), &inbox)))
}

pub async fn download(
    State(app): State<Arc<App>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let query = PortalForm::of_query(query.as_deref());
    let Asked { shown, filter, .. } = asked(&query, &zone(&app, &signed).await?);
    let search = Some(shown.search.clone()).filter(|text| !text.is_empty());
    let tenant = signed.tenant(shown.environment());
    csv_response(LeadPages::new(app.store.clone(), tenant, filter, search)).await
}

pub async fn set_status(
    State(app): State<Arc<App>>,
    Extension(signed): Extension<Arc<Signed>>,
    body: Bytes,
) -> Response {
    let form = PortalForm::parse(&body);
    or_not_there(set_all(&app, &signed, &form).await)
}

async fn set_all(app: &App, signed: &Signed, form: &PortalForm) -> ApiResult<Response> {
    let back = own_path(form.text("back"));
    let join = if back.contains('?') { '&' } else { '?' };
    let ids: Vec<LeadId> = form.all("lead").filter_map(|id| id.parse().ok()).take(MAX_TOGETHER).collect();
    let Ok(status) = form.text("status").parse::<LeadStatus>() else {
        return Ok(to(&format!("{back}{join}said=none")));
    };
    if ids.is_empty() {
        return Ok(to(&format!("{back}{join}said=none")));
    }
    let tenant = signed.tenant(environment(form));
    let change = OwnerChange { status: Some(status), ..OwnerChange::default() };
    let mut gone = false;
    for id in ids {
        match app.store.change_lead(&tenant, id, &change).await {
            Ok(_) => {}
            // Erased meanwhile by a colleague, or another's: the others are set.
            Err(StoreError::NotFound) => gone = true,
            Err(other) => return Err(other.into()),
        }
    }
    Ok(to(&format!("{back}{join}said={}", if gone { "some" } else { "set" })))
}

/// A path of the list, and nothing that leads elsewhere.
fn own_path(path: &str) -> &str {
    let is_own = path == "/portal/leads" || path.starts_with("/portal/leads?");
    if is_own && !path.contains(['\r', '\n', '\\']) { path } else { "/portal/leads" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_leads_back_to_the_list_and_nowhere_else() {
        assert_eq!(own_path("/portal/leads?status=new"), "/portal/leads?status=new");
        for foreign in ["https://evil.example", "//evil.example", "/portal/leads.evil", "/portal/leads?\r\nx: y", ""] {
            assert_eq!(own_path(foreign), "/portal/leads", "{foreign:?}");
        }
    }
}
