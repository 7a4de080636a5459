//! `/w/{id}/t/{token}`: the free times of a company, of which a homeowner books one, or moves to one what is booked. The link
//! has the key of the estimate's.
//!
//! # Decision
//!
//! A form sends the instant of a time, so it means the same where clocks go back and after the company changed its zone.
//! Times are as clocks show them where the company is, with the zone's name: the home is there, too. Turned down: the
//! visitor's zone, in which a visit to a home elsewhere is at no time anybody expects.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use shingle_domain::appointment::Appointment;
use shingle_domain::free_times::FreeDay;
use shingle_domain::inspection::VisitDate;
use shingle_domain::{Language, Timestamp};
use shingle_portal::{clock, date_and_time};
use shingle_store::Booked;
use shingle_widget::ssr::part::{month_and_day, weekday};
use shingle_widget::ssr::{CONFIRMATION, InspectionChoice, InspectionForm, InspectionPage};
use shingle_widget::words::{fill, flow_words};

use crate::state::Web;
use crate::visitor::hosted;
use crate::visitor::inspection_words::words;
use crate::visitor::linked_lead::{LinkedLead, ended, find, respond};
use crate::web::connection::Visitor;
use crate::web::error::ApiResult;
use crate::web::query_string::query_fields;
use crate::web::rate_limits::{LimitedAction, Sender};
use shingle_app::self_booking::{self, PickableTimes, may_pick};
use shingle_app::self_booking_words::{PickWords, pick_words};
use shingle_app::tokens::{MAX_LINK_AGE, estimate_path, inspection_path, pick_path};

/// Days of one page.
const SHOWN_DAYS: usize = 5;

/// What a link leads to.
struct Opened {
    linked: LinkedLead,
    /// What stands.
    now: Option<Appointment>,
    /// What the page's form has seen.
    mark: String,
    language: Language,
    token: String,
}

/// What is asked of the page.
#[derive(Default)]
struct Asked<'a> {
    from: Option<VisitDate>,
    /// Seconds of a time that is picked beforehand.
    time: Option<i64>,
    alert: Option<&'a str>,
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Path((widget, token)): Path<(String, String)>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let language = hosted::language(query.as_deref(), &headers);
    let Some(opened) = open(&web, &widget, token, language).await? else { return ended(&web, &widget, language).await };
    if !may_pick(opened.now.as_ref(), web.clock.now()) {
        return Ok(to_inspection(&opened));
    }
    let fields = query_fields(query.as_deref());
    let from = fields.text("from").and_then(VisitDate::parse);
    let time = fields.text("time").and_then(|time| time.parse().ok());
    page(&web, &opened, StatusCode::OK, Asked { from, time, alert: None }).await
}

pub async fn book(
    State(web): State<Arc<Web>>,
    Path((widget, token)): Path<(String, String)>,
    RawQuery(query): RawQuery,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    body: Bytes,
) -> ApiResult<Response> {
    let language = hosted::language(query.as_deref(), &headers);
    let Some(opened) = open(&web, &widget, token, language).await? else { return ended(&web, &widget, language).await };
    let text = String::from_utf8_lossy(&body);
    let form = query_fields(Some(&text));
    let [name, value] = CONFIRMATION;
    let LinkedLead { tenant, stored, lead } = &opened.linked;
    let times = PickableTimes::of(&web, tenant, lead, stored).await?;
    let (Some(times), true) = (times, form.text(name) == Some(value)) else {
        return page(&web, &opened, StatusCode::OK, Asked::default()).await;
    };
    web.limits.check_visitor(LimitedAction::LeadChange, visitor.ip, stored.widget.link_id(), Sender::Form).await?;
    let words = pick_words(language);
    let seconds: Option<i64> = form.text("time").and_then(|time| time.parse().ok());
    let at = seconds.and_then(|seconds| seconds.checked_mul(1_000_000)).map(Timestamp::from_micros);
    let Some(at) = at else {
        let asked = Asked { alert: Some(words.missing), ..Asked::default() };
        return page(&web, &opened, StatusCode::UNPROCESSABLE_ENTITY, asked).await;
    };
    let seen = form.text("seen").unwrap_or_default();
    let alert = match self_booking::book(&web, (tenant, lead, stored), &times, (at, seen)).await? {
        Some(Booked::Done(_)) => return Ok(to_inspection(&opened)),
        Some(_) => self::words(language).changed_line,
        None => words.taken,
    };
    // As it is now.
    let Some(opened) = open(&web, &widget, opened.token, language).await? else {
        return ended(&web, &widget, language).await;
    };
    if !may_pick(opened.now.as_ref(), web.clock.now()) {
        return Ok(to_inspection(&opened));
    }
    page(&web, &opened, StatusCode::CONFLICT, Asked { alert: Some(alert), ..Asked::default() }).await
}

async fn open(web: &Web, widget: &str, token: String, language: Language) -> ApiResult<Option<Opened>> {
    let Some(linked) = find(web, widget, &token).await? else { return Ok(None) };
    let now = web.store.leads().appointment(&linked.tenant, linked.lead.id).await?;
    let ends = now.as_ref().map_or(linked.lead.created_at, |now| now.ends_at().max(linked.lead.created_at));
    if ends + MAX_LINK_AGE <= web.clock.now() {
        return Ok(None);
    }
    let mark = now.as_ref().map(Appointment::mark).unwrap_or_default();
    let now = now.filter(|now| now.state.stands());
    Ok(Some(Opened { linked, now, mark, language, token }))
}

/// A page that is there already says what is booked, and what can be done about it.
fn to_inspection(opened: &Opened) -> Response {
    let path = inspection_path(opened.linked.stored.widget.link_id(), &opened.token);
    let location = format!("{path}?lang={}", opened.language.tag());
    (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response()
}

impl Opened {
    fn words(&self) -> &'static PickWords {
        pick_words(self.language)
    }

    fn path(&self, more: &str) -> String {
        let path = pick_path(self.linked.stored.widget.link_id(), &self.token);
        format!("{path}?lang={}{more}", self.language.tag())
    }

    fn form(&self, shown: &[FreeDay], picked: Option<i64>) -> InspectionForm {
        let flow = flow_words(self.language);
        let name = |date| [&weekday(flow, date), ", ", &month_and_day(flow, date)].concat();
        let times = |day: &FreeDay| {
            let time = |time: &shingle_domain::appointment::LocalMoment| {
                (time.at.seconds().to_string(), clock(self.language, time.time))
            };
            day.times.iter().map(time).collect()
        };
        let days = shown.iter().map(|day| (name(day.date), times(day))).collect();
        let words = self.words();
        let button = if self.now.is_some() { words.move_there } else { words.book };
        InspectionForm {
            fields: vec![("answer", "pick".to_owned()), ("seen", self.mark.clone())],
            choice: Some(InspectionChoice::Times { name: "time", days, picked: picked.map(|at| at.to_string()) }),
            button: button.to_owned(),
            is_primary: true,
        }
    }
}

/// `America/New_York` is `New York`.
fn place_of(zone: &str) -> String {
    zone.rsplit('/').next().unwrap_or(zone).replace('_', " ")
}

async fn page(web: &Web, opened: &Opened, status: StatusCode, asked: Asked<'_>) -> ApiResult<Response> {
    let words = opened.words();
    let LinkedLead { tenant, stored, lead } = &opened.linked;
    let times = PickableTimes::of(web, tenant, lead, stored).await?;
    let days = match &times {
        Some(times) => times.free(web, tenant, lead).await?,
        None => Vec::new(),
    };
    let street = lead.address.split(',').next().unwrap_or_default();
    let minutes = stored.settings.self_booking.minutes.to_string();
    let zone = times.as_ref().map(|times| place_of(times.zone())).unwrap_or_default();
    let booked = opened.now.as_ref().map(|now| date_and_time(opened.language, now.time.date, now.time.time));
    let phone = &stored.widget.company_phone;
    let with = [
        ("company", stored.widget.company_name.as_str()),
        ("street", street),
        ("minutes", &minutes),
        ("zone", &zone),
        ("time", booked.as_deref().unwrap_or_default()),
        ("phone", phone.as_str()),
    ];
    let mut lines: Vec<String> = booked.iter().map(|_| fill(words.now, &with)).collect();
    let (mut forms, mut ways) = (Vec::new(), Vec::new());
    let is_picked = |day: &FreeDay| day.times.iter().any(|time| Some(time.at.seconds()) == asked.time);
    let from = asked.from.or_else(|| days.iter().find(|day| is_picked(day)).map(|day| day.date));
    let first = days.iter().position(|day| from.is_none_or(|from| from <= day.date)).unwrap_or_default();
    let shown = days.get(first..).unwrap_or_default();
    let (shown, later) = shown.split_at(shown.len().min(SHOWN_DAYS));
    if shown.is_empty() {
        lines.push(fill(words.none, &with));
        ways.push((fill(self::words(opened.language).call, &with), format!("tel:{}", phone.dialled())));
    } else {
        lines.push([fill(words.lead, &with), fill(words.zone, &with)].join(" "));
        forms.push(opened.form(shown, asked.time));
    }
    if let Some(next) = later.first() {
        ways.push((words.later.to_owned(), opened.path(&format!("&from={}", next.date))));
    }
    if first > 0 {
        ways.push((words.earliest.to_owned(), opened.path("")));
    }
    let id = stored.widget.link_id();
    let tag = opened.language.tag();
    let page_of_inspection = inspection_path(id, &opened.token);
    if opened.now.is_some() {
        ways.push((words.other.to_owned(), format!("{page_of_inspection}?lang={tag}&do=move")));
        ways.push((self::words(opened.language).keep.to_owned(), format!("{page_of_inspection}?lang={tag}")));
    } else if lead.estimate.is_some() && lead.created_at + MAX_LINK_AGE > web.clock.now() {
        let path = estimate_path(id, &opened.token);
        ways.push((self::words(opened.language).estimate.to_owned(), format!("{path}?lang={tag}")));
    }
    let page = InspectionPage {
        title: words.title.to_owned(),
        alert: asked.alert,
        when: None,
        before: None,
        facts: &[],
        lines: &lines,
        forms: &forms,
        ways: &ways,
    };
    Ok(respond(web, (stored, opened.language), status, &page))
}
