//! `/w/{id}/on-it` and `/w/{id}/unsubscribe`: the links in mails to the company. GET shows what the link does; only POST
//! does it, because mail scanners open links.
//!
//! # Decision
//!
//! Links in mails show what they do and act by POST, because mail scanners open them.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, RawQuery, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use shingle_domain::event::EventKind;
use shingle_domain::lead::Lead;
use shingle_domain::rules::Fields;
use shingle_domain::widget::Widget;
use shingle_domain::{DestinationId, Language, LeadId, Tenant, WidgetSettings};
use shingle_store::{Destination, DestinationKind, MailConfig};
use shingle_widget::ssr::{CONFIRMATION, MailLinkPage, mail_link_page, public_widget};
use shingle_widget::words::{fill, flow_words, wants, written};

use crate::state::Web;
use crate::visitor::mail_link_words::{MailLinkWords, words};
use crate::web::error::{ApiError, ApiResult};
use crate::web::page_headers::{scriptless_policy, with_security_headers};
use crate::web::query_string::query_fields;
use shingle_app::lead_reference::reference;
use shingle_app::notices::lead_path;
use shingle_app::tokens::MailAction;

/// A link whose signature is ours.
struct MailLink {
    tenant: Tenant,
    widget: Widget,
    destination: Destination,
    language: Language,
}

pub async fn show_on_it(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    match taken_link(&web, &id, query.as_deref()).await {
        Ok((link, lead)) => Ok(on_it_page(&web, &link, &lead, false)),
        Err(error) => ended(&web, &id, error, lead_ended).await,
    }
}

pub async fn take(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    body: Bytes,
) -> ApiResult<Response> {
    match taken_link(&web, &id, query.as_deref()).await {
        Ok((link, lead)) if !says(&body, CONFIRMATION) => Ok(on_it_page(&web, &link, &lead, false)),
        Ok((link, lead)) => {
            let lead = web.store.leads().take_lead(&link.tenant, lead.id, &who(&link.destination)).await?;
            Ok(on_it_page(&web, &link, &lead, true))
        }
        Err(error) => ended(&web, &id, error, lead_ended).await,
    }
}

pub async fn show_unsubscribe(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    match find(&web, &id, query.as_deref(), |_| Some(MailAction::Unsubscribe)).await {
        Ok(link) => Ok(unsubscribe_page(&web, &link)),
        Err(error) => ended(&web, &id, error, summary_ended).await,
    }
}

/// One click of a mail program (`List-Unsubscribe-Post`), or the button of the page.
pub async fn unsubscribe(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    body: Bytes,
) -> ApiResult<Response> {
    let link = match find(&web, &id, query.as_deref(), |_| Some(MailAction::Unsubscribe)).await {
        Ok(link) => link,
        Err(error) => return ended(&web, &id, error, summary_ended).await,
    };
    if !says(&body, CONFIRMATION) && !says(&body, ["List-Unsubscribe", "One-Click"]) {
        return Ok(unsubscribe_page(&web, &link));
    }
    web.store.destinations().unsubscribe_digest(&link.tenant, link.destination.id).await?;
    Ok(stopped_page(&web, &link))
}

fn unsubscribe_page(web: &Web, link: &MailLink) -> Response {
    let is_summary = |kind: &EventKind| matches!(kind, EventKind::Digest | EventKind::Report);
    if !link.destination.draft.events.iter().any(is_summary) {
        return stopped_page(web, link);
    }
    let words = words(link.language);
    let line = fill(words.stop_line, &[("to", &link.destination.draft.address)]);
    page(web, &link.widget, link.language, words.stop, &[line], Some(words.stop_button))
}

fn stopped_page(web: &Web, link: &MailLink) -> Response {
    let (words, told) = (words(link.language), &link.destination.draft);
    let mut lines = vec![fill(words.stopped_line, &[("to", &told.address)])];
    if told.active && told.events.contains(&EventKind::LeadCreated) {
        lines.push(words.still_told.to_owned());
    }
    page(web, &link.widget, link.language, words.stopped, &lines, None)
}

/// Whether a form or a mail program says this. A mail program may send it as a form of several parts.
fn says(body: &[u8], [name, value]: [&str; 2]) -> bool {
    let text = String::from_utf8_lossy(body);
    let in_parts = || text.contains(&format!("name=\"{name}\"")) && text.contains(&format!("\r\n\r\n{value}\r\n"));
    url::form_urlencoded::parse(body).any(|(n, v)| n == name && v == value) || in_parts()
}

/// A link that is too old, changed, or of somebody who is no longer told. It says nothing about what exists.
async fn ended(web: &Web, widget: &str, error: ApiError, said: fn(&MailLinkWords) -> String) -> ApiResult<Response> {
    let (ApiError::NotFound, Ok(id)) = (&error, widget.parse()) else { return Err(error) };
    let Some(stored) = web.store.widgets().find_public(id).await? else { return Err(error) };
    let [english, spanish] = [Language::English, Language::Spanish].map(words);
    let lines = [said(english), said(spanish)];
    let mut response = page(web, &stored.widget, Language::English, english.ended, &lines, None);
    *response.status_mut() = StatusCode::NOT_FOUND;
    Ok(response)
}

fn lead_ended(words: &MailLinkWords) -> String {
    [words.ended_line, words.ended_lead].join(" ")
}

fn summary_ended(words: &MailLinkWords) -> String {
    words.ended_line.to_owned()
}

async fn taken_link(web: &Web, widget: &str, query: Option<&str>) -> ApiResult<(MailLink, Lead)> {
    let lead = |query: &Fields<'_>| query.text("lead")?.parse::<LeadId>().ok();
    let link = find(web, widget, query, |query| lead(query).map(MailAction::Take)).await?;
    let id = lead(&query_fields(query)).ok_or(ApiError::NotFound)?;
    let lead = web.store.leads().find(&link.tenant, id).await?.ok_or(ApiError::NotFound)?;
    if lead.widget_id == link.widget.reference_id { Ok((link, lead)) } else { Err(ApiError::NotFound) }
}

/// Any fault of a link is a 404: it says nothing about what exists.
async fn find(
    web: &Web,
    widget: &str,
    query: Option<&str>,
    action: impl Fn(&Fields<'_>) -> Option<MailAction>,
) -> ApiResult<MailLink> {
    let query = query_fields(query);
    let to: DestinationId = query.text("to").and_then(|to| to.parse().ok()).ok_or(ApiError::NotFound)?;
    let action = action(&query).ok_or(ApiError::NotFound)?;
    let token = query.text("t").unwrap_or_default();
    if !web.tokens.is_mail_link(token, action, to, web.clock.now()) {
        return Err(ApiError::NotFound);
    }
    let widget = widget.parse().map_err(|_| ApiError::NotFound)?;
    let stored = web.store.widgets().find_public(widget).await?.ok_or(ApiError::NotFound)?;
    let tenant = stored.tenant;
    let destination = web.store.destinations().find(&tenant, to).await?.ok_or(ApiError::NotFound)?;
    let kind = destination.draft.kind;
    // A removed user has no right to it. A mailbox that was switched off automatically belongs to somebody still.
    let removed = kind == DestinationKind::Mail && !destination.draft.active && destination.inactive_reason.is_none();
    if removed || !matches!(kind, DestinationKind::Mail | DestinationKind::Connector) {
        return Err(ApiError::NotFound);
    }
    let language = config_of(&destination).language;
    Ok(MailLink { tenant, widget: stored.widget.clone(), destination, language })
}

fn on_it_page(web: &Web, link: &MailLink, lead: &Lead, acted: bool) -> Response {
    let (me, words, reference) = (who(&link.destination), words(link.language), reference(lead.id));
    let name = format!("{} {}", lead.first_name, lead.last_name);
    let about = fill(words.about, &[("name", &name), ("address", &lead.address), ("reference", &reference)]);
    let (title, line, button) = match lead.taken_by.as_deref() {
        None => (words.ask, fill(words.ask_line, &[("by", &me)]), Some(words.ask_button)),
        Some(by) if by == me && acted => (words.mine, words.mine_line.to_owned(), None),
        Some(by) => (words.taken, fill(words.taken_line, &[("by", by)]), None),
    };
    let flow = flow_words(link.language);
    let told: Vec<String> = wants(flow, lead).into_iter().map(|want| want.text).collect();
    let mut lines = vec![about];
    lines.extend((!told.is_empty()).then(|| told.join(" · ")));
    lines.extend(written(lead).into_iter().map(str::to_owned));
    lines.push(line);
    let ways = if lead.taken_by.is_some() { ways(web, link, lead) } else { Vec::new() };
    page_of(web, &link.widget, link.language, &MailLinkPage { title, lines: &lines, button, ways: &ways })
}

/// What somebody does who is on it: call and text where that was agreed to, else write; drive there; open the lead.
fn ways(web: &Web, link: &MailLink, lead: &Lead) -> Vec<(String, String)> {
    let words = words(link.language);
    let mut ways = Vec::new();
    match lead.phone.as_ref().filter(|_| lead.consent.given || lead.email.is_none()) {
        Some(phone) => {
            ways.push((fill(words.call, &[("phone", phone.as_str())]), format!("tel:{}", phone.dialled())));
            if lead.consent.given {
                ways.push((words.text.to_owned(), format!("sms:{}", phone.dialled())));
            }
        }
        None => ways.push((words.email.to_owned(), format!("mailto:{}", lead.email_text()))),
    }
    let to = url::form_urlencoded::byte_serialize(lead.address.as_bytes()).collect::<String>();
    ways.push((words.directions.to_owned(), format!("https://www.google.com/maps/dir/?api=1&destination={to}")));
    let path = lead_path(lead.id, link.tenant.environment);
    ways.push((words.open.to_owned(), format!("{}{path}", web.own_domains.base_of(link.tenant.account))));
    ways
}

/// As whom a mailbox takes a lead: the person's name, or the address.
fn who(destination: &Destination) -> String {
    config_of(destination).name.unwrap_or_else(|| match destination.draft.kind {
        DestinationKind::Mail => destination.draft.address.clone(),
        _ => destination.draft.name.clone(),
    })
}

/// A connector has none: it gets English.
fn config_of(destination: &Destination) -> MailConfig {
    serde_json::from_str(&destination.draft.config).unwrap_or_default()
}

fn page(
    web: &Web,
    widget: &Widget,
    language: Language,
    title: &str,
    lines: &[String],
    button: Option<&str>,
) -> Response {
    page_of(web, widget, language, &MailLinkPage { title, lines, button, ways: &[] })
}

fn page_of(web: &Web, widget: &Widget, language: Language, of: &MailLinkPage<'_>) -> Response {
    let links = web.own_links();
    let widget = public_widget(widget, &WidgetSettings::default(), language, &links);
    let html = mail_link_page(&widget, language, of);
    let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
    let mut response = with_security_headers((headers, html).into_response(), &scriptless_policy(web));
    // The address of the page is its key.
    response.headers_mut().insert(header::REFERRER_POLICY, header::HeaderValue::from_static("no-referrer"));
    response
}
