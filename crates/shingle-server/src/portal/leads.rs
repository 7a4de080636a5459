//! `/portal/leads`: the list.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, RawQuery, State};
use axum::response::Response;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use shingle_domain::lead::LeadStatus;
use shingle_domain::{Environment, LeadId, Timestamp, UserId, WidgetId};
use shingle_portal::{Hours, Inbox, InboxFilter, inbox_page};
use shingle_store::{Assignee, Cursor, LeadFilter, OwnerChange, StoreError};

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

fn asked(query: &PortalForm, zone: &str, own: UserId) -> Asked {
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
    let widget = query.text("widget").parse::<WidgetId>().ok();
    known("widget", widget.is_some(), "There is no such widget; all are shown.");
    let assignee = match query.text("assignee") {
        "me" => Some(Assignee::User(own)),
        "nobody" => Some(Assignee::Nobody),
        id => id.parse().ok().map(Assignee::User),
    };
    known("assignee", assignee.is_some(), "There is nobody of that name; anybody’s are shown.");
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
        widget: widget.map(|id| id.to_string()).unwrap_or_default(),
        assignee: if assignee.is_some() { query.text("assignee").to_owned() } else { String::new() },
    };
    let filter = LeadFilter {
        status,
        from: from.and_then(begin),
        until: to.and_then(|day| day.tomorrow().ok()).and_then(begin),
        widget,
        assignee,
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
    let Asked { shown, filter, mut wrong } = asked(&query, &zone, signed.user.id);
    let tenant = signed.tenant(shown.environment());
    let after = query.text("cursor").parse::<Cursor>();
    if after.is_err() && !query.text("cursor").is_empty() {
        wrong = Some("That page is not there; this is the newest.");
    }
    let after = after.ok();
    // Before the list is read: what comes in between is told twice rather than never.
    let as_of = app.clock.now();
    let found = if shown.search.is_empty() {
        app.store.list_leads(&tenant, &filter, after, PAGE).await?
    } else {
        app.store.search_leads(&tenant, &filter, &shown.search, after, PAGE).await?
    };
    let ids: Vec<LeadId> = found.leads.iter().map(|lead| lead.id).collect();
    let unread = app.store.unread_leads(signed.user.id, &ids).await?;
    let hours = Hours::new(&zone, app.clock.now());
    let widgets = app.store.list_widgets(&tenant).await?;
    let widgets: Vec<_> = widgets
        .iter()
        .map(|stored| (stored.widget.reference_id.to_string(), stored.widget.first_page_title.clone()))
        .collect();
    let works = app.store.lead_works(&tenant, &ids).await?;
    let assignees: Vec<_> = works.into_iter().filter_map(|(id, work)| Some((id, work.assignee?.1))).collect();
    let inbox = Inbox {
        widgets: &widgets,
        people: &people(&app, &signed).await?,
        assignees: &assignees,
        views: &app.store.saved_views(signed.account, &signed.user).await?,
        as_of,
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

/// Ids and names of everybody of the company.
pub async fn people(app: &App, signed: &Signed) -> ApiResult<Vec<(String, String)>> {
    let users = app.store.list_users(signed.account).await?;
    Ok(users.into_iter().map(|user| (user.id.to_string(), user.name.as_str().to_owned())).collect())
}

/// How many leads came in since a list was shown, as a number.
pub async fn news(
    State(app): State<Arc<App>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<String> {
    let query = PortalForm::of_query(query.as_deref());
    let since = query.text("since").parse::<i64>().map_or_else(|_| app.clock.now(), Timestamp::from_micros);
    let count = app.store.count_leads_since(&signed.tenant(environment(&query)), since).await?;
    Ok(count.to_string())
}

pub async fn download(
    State(app): State<Arc<App>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let query = PortalForm::of_query(query.as_deref());
    let Asked { shown, filter, .. } = asked(&query, &zone(&app, &signed).await?, signed.user.id);
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
        match app.store.change_lead_by(&tenant, id, &change, Some(&signed.user)).await {
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
