//! `/w/{id}/on-it` and `/w/{id}/unsubscribe`: the links in mails to the company. GET shows what the link does; only POST
//! does it, because mail scanners open links.

use std::sync::Arc;

use axum::extract::{Path, RawQuery, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use shingle_domain::lead::Lead;
use shingle_domain::widget::Widget;
use shingle_domain::{DestinationId, LeadId, Tenant};
use shingle_store::{Destination, DestinationKind, MailConfig};
use shingle_widget::ssr::{MailLinkPage, mail_link_page, public_widget};
use shingle_widget::words::Language;

use super::error::{ApiError, ApiResult};
use super::hosted::with_security_headers;
use crate::app::App;
use crate::lead_reference::reference;
use crate::tokens::MailAction;

/// A link whose signature is ours.
struct MailLink {
    tenant: Tenant,
    widget: Widget,
    destination: Destination,
}

pub async fn show_on_it(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let (link, lead) = taken_link(&app, &id, query.as_deref()).await?;
    Ok(on_it_page(&app, &link, &lead, false))
}

pub async fn take(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let (link, lead) = taken_link(&app, &id, query.as_deref()).await?;
    let lead = app.store.take_lead(&link.tenant, lead.id, &who(&link.destination)).await?;
    Ok(on_it_page(&app, &link, &lead, true))
}

pub async fn show_unsubscribe(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let link = find(&app, &id, query.as_deref(), |_| Some(MailAction::Unsubscribe)).await?;
    let lines = [format!("{} gets a summary of each day.", link.destination.draft.address)];
    Ok(page(&app, &link.widget, "Stop the daily summary?", &lines, Some("Stop it")))
}

/// One click of a mail program (`List-Unsubscribe-Post`), or the button of the page.
pub async fn unsubscribe(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let link = find(&app, &id, query.as_deref(), |_| Some(MailAction::Unsubscribe)).await?;
    app.store.unsubscribe_digest(&link.tenant, link.destination.id).await?;
    let lines = [format!("{} gets no more daily summaries. New leads are still told.", link.destination.draft.address)];
    Ok(page(&app, &link.widget, "The daily summary has stopped", &lines, None))
}

async fn taken_link(app: &App, widget: &str, query: Option<&str>) -> ApiResult<(MailLink, Lead)> {
    let lead = |query: &[(String, String)]| parameter(query, "lead")?.parse::<LeadId>().ok();
    let link = find(app, widget, query, |query| lead(query).map(MailAction::Take)).await?;
    let id = lead(&pairs(query)).ok_or(ApiError::NotFound)?;
    let lead = app.store.find_lead(&link.tenant, id).await?.ok_or(ApiError::NotFound)?;
    if lead.widget_id == link.widget.reference_id { Ok((link, lead)) } else { Err(ApiError::NotFound) }
}

/// Any fault of a link is a 404: it says nothing about what exists.
async fn find(
    app: &App,
    widget: &str,
    query: Option<&str>,
    action: impl Fn(&[(String, String)]) -> Option<MailAction>,
) -> ApiResult<MailLink> {
    let query = pairs(query);
    let to: DestinationId = parameter(&query, "to").and_then(|to| to.parse().ok()).ok_or(ApiError::NotFound)?;
    let action = action(&query).ok_or(ApiError::NotFound)?;
    let token = parameter(&query, "t").unwrap_or_default();
    if !app.tokens.is_mail_link(token, action, to, app.clock.now()) {
        return Err(ApiError::NotFound);
    }
    let widget = widget.parse().map_err(|_| ApiError::NotFound)?;
    let (tenant, stored) = app.store.find_public_widget(widget).await?.ok_or(ApiError::NotFound)?;
    let destination = app.store.find_destination(&tenant, to).await?.ok_or(ApiError::NotFound)?;
    if !matches!(destination.draft.kind, DestinationKind::Mail | DestinationKind::Connector) {
        return Err(ApiError::NotFound);
    }
    Ok(MailLink { tenant, widget: stored.widget, destination })
}

fn on_it_page(app: &App, link: &MailLink, lead: &Lead, acted: bool) -> Response {
    let me = who(&link.destination);
    let about = format!("{} {}, {}. Reference {}.", lead.first_name, lead.last_name, lead.address, reference(lead.id));
    let (title, line, button) = match lead.taken_by.as_deref() {
        None => {
            ("Are you on it?", format!("The lead is marked as taken by {me}, and reminders stop."), Some("I’m on it"))
        }
        Some(by) if by == me && acted => ("You are on it", "Reminders have stopped.".to_owned(), None),
        Some(by) => ("It is taken", format!("{by} is on it. Reminders have stopped."), None),
    };
    page(app, &link.widget, title, &[about, line], button)
}

/// As whom a mailbox takes a lead: the person's name, or the address.
fn who(destination: &Destination) -> String {
    let config: MailConfig = serde_json::from_str(&destination.draft.config).unwrap_or_default();
    config.name.unwrap_or_else(|| match destination.draft.kind {
        DestinationKind::Mail => destination.draft.address.clone(),
        _ => destination.draft.name.clone(),
    })
}

fn page(app: &App, widget: &Widget, title: &str, lines: &[String], button: Option<&str>) -> Response {
    let links = app.links();
    let widget = public_widget(widget, links.base_url, links.storage_url);
    let html = mail_link_page(&widget, Language::English, &MailLinkPage { title, lines, button });
    let own = url::Url::parse(&app.base_url).map(|u| u.origin().ascii_serialization()).unwrap_or_default();
    let policy = format!(
        "default-src 'none'; style-src 'self'; img-src 'self' {own}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    );
    let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
    let mut response = with_security_headers((headers, html).into_response(), &policy);
    // The address of the page is its key.
    response.headers_mut().insert(header::REFERRER_POLICY, header::HeaderValue::from_static("no-referrer"));
    response
}

fn pairs(query: Option<&str>) -> Vec<(String, String)> {
    url::form_urlencoded::parse(query.unwrap_or_default().as_bytes()).into_owned().collect()
}

fn parameter<'q>(query: &'q [(String, String)], name: &str) -> Option<&'q str> {
    query.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
}
