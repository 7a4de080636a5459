//! `/w/{id}/v/{token}`: the inspection behind the link that its homeowner has, with the key of the estimate's link. It shows
//! time, place and person, nothing of how to reach the homeowner.
//!
//! # Decision
//!
//! GET shows, POST changes: mail scanners open every link of a mail, and some booking products lost appointments by that. A
//! form says which inspection it showed, so a page that is older than the last change does nothing.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use shingle_domain::appointment::{Appointment, AppointmentState, CancelReason, LocalMoment, Openness};
use shingle_domain::inspection::{DAY_PARTS, VisitDate, Wish};
use shingle_domain::lead::Lead;
use shingle_domain::notice::TimeOfDay;
use shingle_domain::{Language, Tenant, Timestamp};
use shingle_notice::zone_of;
use shingle_portal::{clock, date_and_time};
use shingle_store::{Booked, StoredWidget};
use shingle_widget::ssr::part::{short_day, wish_text};
use shingle_widget::ssr::{CONFIRMATION, InspectionChoice, InspectionForm, InspectionPage};
use shingle_widget::words::{fill, flow_words};

use crate::state::Web;
use crate::visitor::hosted;
use crate::visitor::inspection_words::{InspectionWords, words};
use crate::visitor::linked_lead::{self, LinkedLead, ended, private};
use crate::web::calendar_headers::calendar_headers;
use crate::web::connection::Visitor;
use crate::web::error::ApiResult;
use crate::web::query_string::query_fields;
use crate::web::rate_limits::{LimitedAction, Sender};
use shingle_app::appointments::{self, HomeownerAnswer};
use shingle_app::self_booking::PickableTimes;
use shingle_app::self_booking_words::pick_words;
use shingle_app::tokens::{MAX_LINK_AGE, estimate_path, inspection_path, pick_path};
use shingle_app::visits::CompanyHours;

/// Times that can be asked for.
const MAX_OFFERED: usize = 60;

/// What a link leads to.
struct Found {
    tenant: Tenant,
    stored: Arc<StoredWidget>,
    lead: Lead,
    now: Appointment,
    /// Whether its homeowner may book another time without asking.
    pick: bool,
    language: Language,
    token: String,
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Path((widget, token)): Path<(String, String)>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let language = hosted::language(query.as_deref(), &headers);
    let Some(found) = find(&web, &widget, &token, language).await? else { return ended(&web, &widget, language).await };
    let is_open = found.now.openness(web.clock.now()) == Openness::Open;
    let asked = query_fields(query.as_deref());
    match asked.text("do") {
        Some("move") if is_open => other_page(&web, &found).await,
        Some("cancel") if is_open => Ok(cancel_page(&web, &found)),
        _ => Ok(main_page(&web, &found, StatusCode::OK, None)),
    }
}

pub async fn change(
    State(web): State<Arc<Web>>,
    Path((widget, token)): Path<(String, String)>,
    RawQuery(query): RawQuery,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    body: Bytes,
) -> ApiResult<Response> {
    let language = hosted::language(query.as_deref(), &headers);
    let Some(found) = find(&web, &widget, &token, language).await? else { return ended(&web, &widget, language).await };
    let text = String::from_utf8_lossy(&body);
    let form = query_fields(Some(&text));
    let [name, value] = CONFIRMATION;
    if form.text(name) != Some(value) {
        return Ok(main_page(&web, &found, StatusCode::OK, None));
    }
    let id = found.stored.widget.link_id();
    web.limits.check_visitor(LimitedAction::LeadChange, visitor.ip, id, Sender::Form).await?;
    let words = words(language);
    let answer = match form.text("answer") {
        Some("agree") => HomeownerAnswer::Agree,
        Some("other") => match wish(&web, &found, form.text("wish").unwrap_or_default()).await? {
            Some(wish) => HomeownerAnswer::OtherTime(wish),
            None => return other_page(&web, &found).await,
        },
        Some("cancel") => HomeownerAnswer::Cancel(form.text("why").and_then(CancelReason::parse)),
        _ => return Ok(main_page(&web, &found, StatusCode::OK, None)),
    };
    let seen = form.text("seen").unwrap_or_default();
    match appointments::answer(&web, &found.tenant, &found.lead, (&found.now, seen), answer).await? {
        Some(Booked::Done(_)) => {
            let location = format!("{}?lang={}", inspection_path(id, &found.token), language.tag());
            Ok((StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response())
        }
        None => Ok(main_page(&web, &found, StatusCode::OK, None)),
        Some(_) => {
            let Some(found) = find(&web, &widget, &token, language).await? else {
                return ended(&web, &widget, language).await;
            };
            Ok(main_page(&web, &found, StatusCode::CONFLICT, Some(words.changed_line)))
        }
    }
}

/// The inspection for the homeowner's calendar.
pub async fn file(
    State(web): State<Arc<Web>>,
    Path((widget, token)): Path<(String, String)>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let language = hosted::language(query.as_deref(), &headers);
    let found = find(&web, &widget, &token, language).await?.filter(|found| found.now.state.stands());
    let Some(found) = found else { return ended(&web, &widget, language).await };
    let page = format!(
        "{}{}",
        web.own_domains.base_of(found.stored.tenant.account),
        inspection_path(found.stored.widget.link_id(), &token)
    );
    let file = appointments::homeowner_file(&web, &found.lead, &found.now, &found.stored, &page);
    Ok(private((calendar_headers(), file).into_response()))
}

async fn find(web: &Web, widget: &str, token: &str, language: Language) -> ApiResult<Option<Found>> {
    let Some(LinkedLead { tenant, stored, lead }) = linked_lead::find(web, widget, token).await? else {
        return Ok(None);
    };
    let Some(now) = web.store.leads().appointment(&tenant, lead.id).await? else { return Ok(None) };
    if now.ends_at() + MAX_LINK_AGE <= web.clock.now() {
        return Ok(None);
    }
    let pick = PickableTimes::of(web, &tenant, &lead, &stored).await?.is_some();
    Ok(Some(Found { tenant, stored, lead, now, pick, language, token: token.to_owned() }))
}

fn respond(web: &Web, found: &Found, status: StatusCode, of: &InspectionPage<'_>) -> Response {
    linked_lead::respond(web, (&found.stored, found.language), status, of)
}

impl Found {
    fn words(&self) -> &'static InspectionWords {
        words(self.language)
    }

    fn company(&self) -> &str {
        &self.stored.widget.company_name
    }

    fn path(&self, more: &str) -> String {
        let path = inspection_path(self.stored.widget.link_id(), &self.token);
        format!("{path}{more}?lang={}", self.language.tag())
    }

    fn pick_path(&self) -> String {
        let path = pick_path(self.stored.widget.link_id(), &self.token);
        format!("{path}?lang={}", self.language.tag())
    }

    fn moment(&self, of: &LocalMoment) -> String {
        date_and_time(self.language, of.date, of.time)
    }

    fn when(&self) -> [String; 2] {
        let end = TimeOfDay::from_minutes(minutes_of(&self.now.time.zone, self.now.ends_at()));
        let from = clock(self.language, self.now.time.time);
        let to = clock(self.language, end.unwrap_or(self.now.time.time));
        let hours = fill(self.words().hours, &[("from", &from), ("to", &to)]);
        [short_day(flow_words(self.language), self.now.time.date), hours]
    }

    fn call(&self) -> (String, String) {
        let phone = &self.stored.widget.company_phone;
        let label = fill(self.words().call, &[("phone", phone.as_str())]);
        (label, format!("tel:{}", phone.dialled()))
    }

    fn form(&self, answer: &str, button: &str, is_primary: bool, choice: Option<InspectionChoice>) -> InspectionForm {
        let fields = vec![("answer", answer.to_owned()), ("seen", self.now.mark())];
        InspectionForm { fields, choice, button: button.to_owned(), is_primary }
    }

    fn facts(&self, status: Option<&str>) -> Vec<(String, String)> {
        let words = self.words();
        let name = self.now.person.name.as_str();
        let from = match name == self.company() {
            true => name.to_owned(),
            false => fill(words.from, &[("name", name), ("company", self.company())]),
        };
        let mut facts = vec![(words.who.to_owned(), from), (words.place.to_owned(), self.now.place.clone())];
        facts.extend(status.map(|status| (words.status.to_owned(), status.to_owned())));
        facts
    }
}

/// Minutes since midnight there.
fn minutes_of(zone: &str, at: Timestamp) -> u16 {
    let local = jiff::Timestamp::from_microsecond(at.micros()).unwrap_or_default().to_zoned(zone_of(zone));
    u16::try_from(i32::from(local.hour()) * 60 + i32::from(local.minute())).unwrap_or_default()
}

fn main_page(web: &Web, found: &Found, status: StatusCode, said: Option<&str>) -> Response {
    let (words, now) = (found.words(), &found.now);
    let time = found.moment(&now.time);
    let with = [
        ("time", time.as_str()),
        ("company", found.company()),
        ("name", &now.person.name),
        ("phone", found.stored.widget.company_phone.as_str()),
    ];
    let mut lines: Vec<String> = said.into_iter().map(str::to_owned).collect();
    let estimate = found.lead.estimate.as_ref().filter(|_| found.lead.created_at + MAX_LINK_AGE > web.clock.now());
    let estimate = estimate.map(|_| {
        let path = estimate_path(found.stored.widget.link_id(), &found.token);
        (words.estimate.to_owned(), format!("{path}?lang={}", found.language.tag()))
    });
    let (mut forms, mut ways) = (Vec::new(), Vec::new());
    let page = |title: &str| InspectionPage {
        title: title.to_owned(),
        alert: None,
        when: None,
        before: None,
        facts: &[],
        lines: &[],
        forms: &[],
        ways: &[],
    };
    match now.openness(web.clock.now()) {
        Openness::Canceled => {
            lines.extend([fill(words.canceled_line, &with), fill(words.canceled_call, &with)]);
            ways.extend(found.pick.then(|| (pick_words(found.language).again.to_owned(), found.pick_path())));
            ways.push(found.call());
            ways.extend(estimate);
            let page = InspectionPage { lines: &lines, ways: &ways, ..page(words.canceled) };
            respond(web, found, status, &page)
        }
        Openness::Over => {
            lines.push(fill(words.over_line, &with));
            ways.push(found.call());
            ways.extend(estimate);
            respond(web, found, status, &InspectionPage { lines: &lines, ways: &ways, ..page(words.over) })
        }
        openness => {
            let is_soon = openness == Openness::Soon;
            let (mut title, mut state, mut before) = (words.title, words.booked, None);
            match &now.state {
                AppointmentState::Moved { from } => {
                    (title, state, before) = (words.moved, words.not_answered, Some(found.moment(from)));
                    forms.push(found.form("agree", words.agree, true, None));
                }
                AppointmentState::OtherAsked { wish } => {
                    let wish = wish_text(flow_words(found.language), *wish);
                    lines.push(fill(words.other_line, &[("time", &wish), ("company", found.company())]));
                }
                _ => {}
            }
            if is_soon {
                title = words.soon;
                lines.push(fill(words.soon_line, &with));
                ways.push(found.call());
            }
            ways.push((words.add.to_owned(), found.path("/inspection.ics")));
            if !is_soon {
                let other = if found.pick { found.pick_path() } else { format!("{}&do=move", found.path("")) };
                ways.push((words.other.to_owned(), other));
                ways.push((words.cancel.to_owned(), format!("{}&do=cancel", found.path(""))));
            }
            ways.extend(estimate);
            let facts = found.facts(Some(state));
            let page = InspectionPage {
                when: Some(found.when()),
                before,
                facts: &facts,
                lines: &lines,
                forms: &forms,
                ways: &ways,
                ..page(title)
            };
            respond(web, found, status, &page)
        }
    }
}

async fn calendar(web: &Web, found: &Found) -> ApiResult<CompanyHours> {
    Ok(CompanyHours::of(&web.store, &found.tenant, &found.stored.settings, web.clock.now()).await?)
}

/// As the form sends it: a day and its part.
async fn wish(web: &Web, found: &Found, text: &str) -> ApiResult<Option<Wish>> {
    let Some((date, part)) = text.split_once(' ') else { return Ok(None) };
    let (Some(date), Ok(part)) = (VisitDate::parse(date), part.parse()) else { return Ok(None) };
    let hours = calendar(web, found).await?;
    let days = hours.calendar();
    Ok((days.is_near(date) && days.offer(date, part).is_some()).then_some(Wish { date, part }))
}

async fn other_page(web: &Web, found: &Found) -> ApiResult<Response> {
    let words = found.words();
    let hours = calendar(web, found).await?;
    let offered = hours.calendar().all().into_iter().flat_map(|day| {
        let parts = day.parts.into_iter().zip(DAY_PARTS).filter(|(offer, _)| offer.is_some());
        parts.map(move |(_, part)| Wish { date: day.date, part }).collect::<Vec<_>>()
    });
    let flow = flow_words(found.language);
    let all: Vec<_> = offered
        .take(MAX_OFFERED)
        .map(|wish| (format!("{} {}", wish.date, wish.part.as_str()), wish_text(flow, wish)))
        .collect();
    let time = found.moment(&found.now.time);
    let phone = found.stored.widget.company_phone.as_str();
    let with = [("time", time.as_str()), ("company", found.company()), ("phone", phone)];
    let mut lines = vec![fill(words.other_now, &with)];
    let mut forms = Vec::new();
    if all.is_empty() {
        lines.push(fill(words.other_none, &with));
    } else {
        let choice = InspectionChoice::Select { name: "wish", label: words.other_label.to_owned(), all };
        forms.push(found.form("other", words.other_button, true, Some(choice)));
    }
    let ways = [(words.keep.to_owned(), found.path(""))];
    let page = InspectionPage {
        title: words.other_title.to_owned(),
        alert: None,
        when: None,
        before: None,
        facts: &[],
        lines: &lines,
        forms: &forms,
        ways: &ways,
    };
    Ok(respond(web, found, StatusCode::OK, &page))
}

fn cancel_page(web: &Web, found: &Found) -> Response {
    let words = found.words();
    let time = found.moment(&found.now.time);
    let lines = [fill(words.cancel_line, &[("time", &time), ("name", &found.now.person.name)])];
    let reasons = CancelReason::ALL.into_iter().zip(words.reasons);
    let reasons = reasons.map(|(reason, said)| (reason.as_str().to_owned(), said.to_owned()));
    let all = [(String::new(), words.cancel_nothing.to_owned())].into_iter().chain(reasons).collect();
    let choice = InspectionChoice::Radios { name: "why", legend: words.cancel_why.to_owned(), all };
    let forms = [found.form("cancel", words.cancel_button, false, Some(choice))];
    let ways = [(words.keep.to_owned(), found.path(""))];
    let page = InspectionPage {
        title: words.cancel_title.to_owned(),
        alert: None,
        when: None,
        before: None,
        facts: &[],
        lines: &lines,
        forms: &forms,
        ways: &ways,
    };
    respond(web, found, StatusCode::OK, &page)
}
