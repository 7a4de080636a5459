//! The page of one webhook or connector, with its log.

use axum::http::StatusCode;
use axum::response::Response;
use shingle_deliver::connector::find;
use shingle_domain::event::EventKind;
use shingle_domain::{DestinationId, Environment, LeadId};
use shingle_portal::{
    DestinationView, EVERY, Hours, Language, LogFilter, Notice, REACH, SOME, Trial, TypedFields, destination_page,
    phrase,
};
use shingle_store::{Cursor, Delivery, DeliveryFilter, DeliveryState, Destination, DestinationKind, LeadFilter};

use crate::portal::connections::form::service;
use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::responses::page_with;
use crate::portal::settings::page::{frame, zone};
use crate::portal::widgets::titles::widget_titles;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use shingle_app::connectors::Connection;
use shingle_app::webhook_record::{read_config, read_secrets};

const PAGE: u32 = 50;
/// Leads to try a connector with, and to find in the log.
const LEADS: u32 = 20;

/// Of either environment: its address does not say which.
pub async fn find_own(web: &Web, signed: &Signed, id: &str) -> ApiResult<Destination> {
    let id: DestinationId = id.parse().map_err(|_| ApiError::NotFound)?;
    for environment in [Environment::Production, Environment::Sandbox] {
        if let Some(found) = web.store.destinations().find(&signed.tenant(environment), id).await? {
            return Ok(found);
        }
    }
    Err(ApiError::NotFound)
}

pub async fn find_connection(web: &Web, signed: &Signed, id: &str) -> ApiResult<Destination> {
    let found = find_own(web, signed, id).await?;
    let has_page = matches!(found.draft.kind, DestinationKind::Webhook | DestinationKind::Connector);
    if has_page { Ok(found) } else { Err(ApiError::NotFound) }
}

/// What became of the form before this page.
fn said(signed: &Signed, query: &PortalForm) -> Option<Notice> {
    let said = |text: &'static str, is_wrong: bool| Some(Notice { text: text.into(), is_wrong });
    match query.text("said") {
        "made" => said("Saved, and off. Try it, then switch it on.", false),
        "saved" => said("Saved.", false),
        "on" => said("It’s on. We send each new event there.", false),
        "off" => said("It’s off. We skip what was on its way.", false),
        "again" => {
            let count = query.text("count").parse::<u64>().unwrap_or_default().to_string();
            let text = phrase(signed.language, "Sent again: {count}.", &[("count", &count)]).into();
            Some(Notice { text, is_wrong: false })
        }
        _ => None,
    }
}

/// What is around a page of one destination.
#[derive(Default)]
pub struct Around<'a> {
    pub secret: Option<&'a str>,
    pub trial: Option<&'a Trial>,
    pub typed: Option<TypedFields>,
}

/// As it is stored.
pub fn stored(language: Language, of: &Destination) -> TypedFields {
    let mut typed = TypedFields::default();
    typed.set("name", of.draft.name.as_str());
    typed.set(REACH, if of.draft.widgets.is_empty() { EVERY } else { SOME });
    for widget in &of.draft.widgets {
        typed.set(&format!("widget {widget}"), "on");
    }
    if of.draft.kind == DestinationKind::Webhook {
        typed.set("url", of.draft.address.as_str());
        typed.set("timeoutSeconds", of.draft.timeout_seconds.to_string());
        for kind in &of.draft.events {
            typed.set(&format!("event {}", kind.as_str()), "on");
        }
        let payload = read_config(&of.draft.config).map(|config| config.payload).unwrap_or_default();
        typed.set("payload", payload.as_str());
        if of.draft.ordered {
            typed.set("ordered", "yes");
        }
        return typed;
    }
    match Connection::of(of) {
        Ok(connection) => {
            for (name, value) in connection.settings.shown().into_iter().filter(|(_, value)| value != "[secret]") {
                typed.set(&format!("set.{name}"), value);
            }
        }
        Err(error) => {
            let said = "Its settings no longer work: {why}.";
            typed.refuse("", phrase(language, said, &[("why", &error.to_string())]));
        }
    }
    typed
}

/// Names of a webhook's own headers.
fn headers(of: &Destination) -> ApiResult<Vec<String>> {
    match of.draft.kind {
        DestinationKind::Webhook => Ok(read_secrets(&of.draft)?.headers.into_iter().map(|(name, _)| name).collect()),
        _ => Ok(Vec::new()),
    }
}

pub async fn shown(web: &Web, signed: &Signed, of: &Destination, secret: Option<&str>) -> ApiResult<Response> {
    let around = Around { secret, ..Around::default() };
    one(web, signed, of, &PortalForm::of_query(None), StatusCode::OK, around).await
}

pub async fn one(
    web: &Web,
    signed: &Signed,
    of: &Destination,
    query: &PortalForm,
    status: StatusCode,
    around: Around<'_>,
) -> ApiResult<Response> {
    let filter = LogFilter {
        state: DeliveryState::ALL.into_iter().find(|state| state.as_str() == query.text("state")),
        event: EventKind::parse(query.text("event")),
        lead: query.text("lead").parse::<LeadId>().map(|id| id.to_string()).unwrap_or_default(),
    };
    let (log, next) = log(web, of, &filter, query.text("cursor").parse().ok()).await?;
    let leads = web.store.leads().list(&of.tenant, &LeadFilter::default(), None, LEADS).await?.leads;
    let widgets = widget_titles(web, &of.tenant).await?;
    let hours = Hours::new(&zone(web, signed).await?, web.clock.now(), signed.language);
    let leads: Vec<_> = leads
        .iter()
        .map(|lead| (lead.id.to_string(), format!("{} {}, {}", lead.first_name, lead.last_name, lead.address)))
        .collect();
    let template = find(&of.draft.address).filter(|_| of.draft.kind == DestinationKind::Connector);
    let service = template.map(service);
    if of.draft.kind == DestinationKind::Connector && service.is_none() {
        return Err(ApiError::NotFound);
    }
    let view = DestinationView {
        destination: of,
        service: service.as_ref(),
        typed: &around.typed.unwrap_or_else(|| stored(signed.language, of)),
        secret: around.secret,
        widgets: &widgets,
        headers: &headers(of)?,
        leads: &leads,
        trial: around.trial,
        log: &log,
        filter: &filter,
        older: next.map(|cursor| cursor.to_string()),
        hours: &hours,
    };
    Ok(page_with(status, destination_page(&frame(signed, said(signed, query)), &view)))
}

/// A page of the log, or all that was sent of one lead.
async fn log(
    web: &Web,
    of: &Destination,
    shown: &LogFilter,
    after: Option<Cursor>,
) -> ApiResult<(Vec<Delivery>, Option<Cursor>)> {
    let filter = DeliveryFilter { kind: shown.event, state: shown.state, since: None };
    if shown.lead.is_empty() {
        let page = web.store.deliveries().list(&of.tenant, of.id, &filter, after, PAGE).await?;
        return Ok((page.deliveries, page.next));
    }
    let lead: LeadId = shown.lead.parse().map_err(|_| ApiError::NotFound)?;
    let mut all = web.store.deliveries().list_of(&of.tenant, lead.0).await?;
    all.retain(|delivery| {
        delivery.destination == of.id
            && filter.kind.is_none_or(|kind| delivery.kind == kind)
            && filter.state.is_none_or(|state| delivery.state == state)
    });
    all.reverse();
    Ok((all, None))
}
