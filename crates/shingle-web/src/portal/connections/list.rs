//! `/portal/connections`: webhooks and connectors, what there is and new ones.
//!
//! # Decision
//!
//! A new connector is off until its owner has seen a dry run and turned it on. A dry run builds the requests without
//! sending; a test says first that it creates a real record. A secret is in the response to the form that created it,
//! so no address holds it and a reload creates no other. Turned down: a page for it, which would have to store it.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use shingle_deliver::connector::{ConnectorKind, ConnectorTemplate, built_in, find};
use shingle_domain::{Environment, Tenant};
use shingle_portal::{
    CatalogueEntry, ConnectionsView, Hours, Language, NewConnectionView, Notice, TypedFields, connections_page,
    new_connection_page, translated,
};
use shingle_store::{Destination, DestinationKind};

use crate::portal::connections::form::{check_name, judged, refuse, service, settings, typed, webhook_fields};
use crate::portal::connections::page::shown;
use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::leads::query::environment;
use crate::portal::responses::{not_there, page, page_with, to};
use crate::portal::settings::page::{frame, zone};
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use shingle_app::connectors::Connection;
use shingle_app::failure::Failure;
use shingle_app::webhooks;

/// What became of the form before this page.
fn said(query: &PortalForm) -> Option<Notice> {
    let (text, is_wrong) = match query.text("said") {
        "deleted" => ("Deleted, with its log.", false),
        _ => return None,
    };
    Some(Notice { text: text.into(), is_wrong })
}

fn group(kind: ConnectorKind) -> &'static str {
    match kind {
        ConnectorKind::Crm => "CRM",
        ConnectorKind::Chat => "Chat",
        ConnectorKind::Sms => "Text messages",
        ConnectorKind::Sheet => "Spreadsheets",
        ConnectorKind::Hook => "Automation",
        ConnectorKind::Conversion => "Ad conversions",
    }
}

/// Of both environments, the real ones first.
async fn destinations(web: &Web, signed: &Signed) -> ApiResult<Vec<Destination>> {
    let mut all = Vec::new();
    for environment in [Environment::Production, Environment::Sandbox] {
        for kind in [DestinationKind::Webhook, DestinationKind::Connector] {
            all.extend(web.store.destinations().list(&signed.tenant(environment), kind).await?);
        }
    }
    Ok(all)
}

pub async fn list(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let entry = |of: &'static ConnectorTemplate| CatalogueEntry {
        name: &of.name,
        title: &of.title,
        about: &of.about,
        group: group(of.kind),
    };
    let catalogue: Vec<_> = built_in().iter().map(entry).collect();
    let hours = Hours::new(&zone(&web, &signed).await?, web.clock.now(), signed.language);
    let destinations = destinations(&web, &signed).await?;
    let view = ConnectionsView { destinations: &destinations, catalogue: &catalogue, hours: &hours };
    let notice = said(&PortalForm::of_query(query.as_deref()));
    Ok(page(connections_page(&frame(&signed, notice), &view)))
}

fn new(signed: &Signed, of: Option<&'static ConnectorTemplate>, typed: &TypedFields, status: StatusCode) -> Response {
    let service = of.map(service);
    let view = NewConnectionView { service: service.as_ref(), typed };
    page_with(status, new_connection_page(&frame(signed, None), &view))
}

/// `webhook`, or the name of a connector; `None` for an unknown name.
fn chosen(form: &PortalForm) -> Option<Option<&'static ConnectorTemplate>> {
    match form.text("of") {
        "webhook" => Some(None),
        name => find(name).map(Some),
    }
}

pub async fn show_new(Extension(signed): Extension<Arc<Signed>>, RawQuery(query): RawQuery) -> Response {
    let Some(of) = chosen(&PortalForm::of_query(query.as_deref())) else { return not_there() };
    let mut typed = TypedFields::default();
    match of {
        None => {
            typed.set("event lead.created", "on");
            typed.set("timeoutSeconds", "15");
        }
        Some(of) => typed.set("name", translated(signed.language, &of.title)),
    }
    new(&signed, of, &typed, StatusCode::OK)
}

pub async fn create(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    body: Bytes,
) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    let Some(of) = chosen(&form) else { return Ok(not_there()) };
    let tenant = signed.tenant(environment(&form));
    let mut typed = typed(&form);
    let made = match of {
        None => match make_webhook(&web, &tenant, &form).await {
            // In the answer itself: the secret is in no address and no history.
            Ok((made, secret)) => return shown(&web, &signed, &made, Some(&secret)).await,
            Err(failure) => Err(failure.into()),
        },
        Some(of) => match connector(&web, signed.language, of, settings(&form), &form, &mut typed) {
            Ok(connection) => {
                let draft = connection.draft(Some(form.text("name").to_owned()), Vec::new(), false)?;
                web.store
                    .destinations()
                    .create(&tenant, &draft, form.request_key().as_ref())
                    .await
                    .map_err(ApiError::from)
            }
            Err(Refused) => return Ok(new(&signed, of.into(), &typed, StatusCode::UNPROCESSABLE_ENTITY)),
        },
    };
    match made {
        Ok(made) => Ok(to(&format!("/portal/connections/{}?said=made", made.id))),
        Err(error) => {
            refuse(signed.language, &mut typed, error)?;
            Ok(new(&signed, of, &typed, StatusCode::UNPROCESSABLE_ENTITY))
        }
    }
}

/// With its secret, which is shown once.
async fn make_webhook(web: &Web, tenant: &Tenant, form: &PortalForm) -> Result<(Destination, String), Failure> {
    let draft = webhooks::read_draft(web, &webhook_fields(form)).await?;
    webhooks::make(web, tenant, draft, form.request_key().as_ref()).await
}

struct Refused;

/// A connector with these settings, or what is wrong with them.
fn connector(
    web: &Web,
    language: Language,
    of: &'static ConnectorTemplate,
    given: BTreeMap<String, String>,
    form: &PortalForm,
    typed: &mut TypedFields,
) -> Result<Connection, Refused> {
    let found = judged(web, language, of, Connection::parse(&of.name, given), typed);
    check_name(form, typed);
    found.filter(|_| !typed.is_refused()).ok_or(Refused)
}
