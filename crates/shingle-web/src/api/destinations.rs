//! `/api/v1/connectors`, the connectors there are, and `/api/v1/destinations`, those that an account has set up.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{OriginalUri, Path, State};
use axum::http::{HeaderMap, StatusCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shingle_deliver::connector::{
    ConnectorKind, ConnectorTemplate, SettingDeclaration, SettingMistake, Tried, built_in, find,
};
use shingle_domain::message::ToMessage;
use shingle_domain::text::is_clean;
use shingle_domain::{DestinationId, Rule, Timestamp, Violations, WidgetId};
use shingle_store::{Destination, DestinationKind};

use crate::api::auth::ApiCaller;
use crate::api::find_destination::find_destination;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use crate::web::json;
use crate::web::request_key::request_key;
use shingle_app::connectors::{Connection, ConnectionError};

const CONNECTOR: Option<DestinationKind> = Some(DestinationKind::Connector);

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectorView {
    /// Its name in requests. Example: `slack`
    name: &'static str,
    /// Its name for people. Example: `Slack`
    title: &'static str,
    /// What it connects to. Example: `chat`
    kind: ConnectorKind,
    /// What it does. Example: `Posts every new lead to a channel.`
    about: &'static str,
    /// Where the other side describes its interface. Example: `https://api.slack.com/messaging/webhooks`
    documentation: &'static str,
    /// What it was tried against: `documentation` means never against the real service. Example: `documentation`
    tried: Tried,
    /// What to do to set it up, one step each. Example: `["Create an app."]`
    steps: &'static [String],
    /// A script to run on the other side. Null where none is needed. Example: `function doPost(event) {}`
    script: Option<&'static str>,
    /// What it has to be given.
    settings: &'static [SettingDeclaration],
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DestinationView {
    /// Id of the destination. Example: `0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b71`
    id: DestinationId,
    /// Name of its connector. Example: `slack`
    connector: String,
    /// Its name, for people. Example: `Leads channel`
    name: String,
    /// What it was given; secrets are shown as `[secret]`. Example: `{"webhook_url": "[secret]"}`
    settings: BTreeMap<String, String>,
    /// Only leads of these widgets. Empty: of all. Example: `["7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11"]`
    widgets: Vec<WidgetId>,
    /// Whether it is served. Example: `true`
    active: bool,
    /// Why it was switched off by itself. Null where it was not. Example: `The receiver answered 410 Gone`
    inactive_reason: Option<String>,
    /// Attempts that failed. Example: `0`
    failure_count: u64,
    /// Deliveries that succeeded. Example: `12`
    success_count: u64,
    /// When an attempt last failed, in UTC. Null: never. Example: `2026-11-20T08:00:00.000Z`
    last_failure_at: Option<Timestamp>,
    /// When a delivery last succeeded, in UTC. Null: never. Example: `2026-11-22T23:04:05.000Z`
    last_success_at: Option<Timestamp>,
    /// When it was made, in UTC. Example: `2026-11-01T09:00:00.000Z`
    created_at: Timestamp,
    /// When it was last changed, in UTC. Example: `2026-11-01T09:00:00.000Z`
    updated_at: Timestamp,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewDestination {
    /// Name of the connector, one of `GET /api/v1/connectors`. Example: `slack`
    connector: String,
    /// Its name, for people: a line of 1 to 100 characters. By default the title of the connector. Example: `Leads
    /// channel`
    #[serde(default)]
    name: Option<String>,
    /// What the connector has to be given, by name. Example: `{"url":
    /// "https://hooks.slack.com/services/T000/B000/XXXX"}`
    #[serde(default)]
    settings: BTreeMap<String, String>,
    /// Only leads of these widgets. By default of all. Example: `["7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11"]`
    #[serde(default)]
    widgets: Vec<WidgetId>,
    /// Whether it is served. By default yes. Example: `true`
    #[serde(default = "on")]
    active: bool,
}

fn on() -> bool {
    true
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DestinationPatch {
    /// Its name, for people: a line of 1 to 100 characters. Null or absent: as it is. Example: `Leads channel`
    #[serde(default)]
    name: Option<String>,
    /// The settings that change, by name; an empty text removes one. Example: `{"url":
    /// "https://hooks.slack.com/services/T000/B000/XXXX"}`
    #[serde(default)]
    settings: BTreeMap<String, String>,
    /// Only leads of these widgets; an empty list: of all. Null or absent: as it is. Example:
    /// `["7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11"]`
    #[serde(default)]
    widgets: Option<Vec<WidgetId>>,
    /// Whether it is served. Null or absent: as it is. Example: `true`
    #[serde(default)]
    active: Option<bool>,
}

pub async fn list_connectors(_: ApiCaller) -> Json<Vec<ConnectorView>> {
    Json(built_in().iter().map(connector_view).collect())
}

pub async fn show_connector(_: ApiCaller, Path(name): Path<String>) -> ApiResult<Json<ConnectorView>> {
    find(&name).map(connector_view).map(Json).ok_or(ApiError::NotFound)
}

pub async fn create(
    State(web): State<Arc<Web>>,
    caller: ApiCaller,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
    body: Bytes,
) -> ApiResult<(StatusCode, Json<DestinationView>)> {
    let new: NewDestination = json::parse(&body)?;
    let key = request_key(&headers, uri.path(), &body)?;
    let connection = Connection::parse(&new.connector, new.settings)?;
    let draft = connection.draft(clean_name(new.name)?, new.widgets, new.active)?;
    let made = web.store.destinations().create(caller.tenant(), &draft, key.as_ref()).await?;
    Ok((StatusCode::CREATED, Json(view(&made)?)))
}

pub async fn list(State(web): State<Arc<Web>>, caller: ApiCaller) -> ApiResult<Json<Vec<DestinationView>>> {
    let found = web.store.destinations().list(caller.tenant(), DestinationKind::Connector).await?;
    Ok(Json(found.iter().map(view).collect::<Result<_, _>>()?))
}

pub async fn show(
    State(web): State<Arc<Web>>,
    caller: ApiCaller,
    Path(id): Path<String>,
) -> ApiResult<Json<DestinationView>> {
    Ok(Json(view(&find_destination(&web, &caller, &id, CONNECTOR).await?)?))
}

pub async fn update(
    State(web): State<Arc<Web>>,
    caller: ApiCaller,
    Path(id): Path<String>,
    body: Bytes,
) -> ApiResult<Json<DestinationView>> {
    let found = find_destination(&web, &caller, &id, CONNECTOR).await?;
    let patch: DestinationPatch = json::parse(&body)?;
    let name = clean_name(patch.name)?;
    let secrets = match patch.settings.is_empty() {
        true => None,
        false => Some(Connection::of(&found)?.with(patch.settings)?.secrets()?),
    };
    let changed = web
        .store
        .destinations()
        .change(caller.tenant(), found.id, |draft| {
            draft.name = name.clone().unwrap_or_else(|| draft.name.clone());
            draft.widgets = patch.widgets.clone().unwrap_or_else(|| draft.widgets.clone());
            draft.active = patch.active.unwrap_or(draft.active);
            draft.secrets = secrets.clone().or_else(|| draft.secrets.clone());
            Ok::<_, ApiError>(())
        })
        .await?;
    Ok(Json(view(&changed)?))
}

pub async fn delete(
    State(web): State<Arc<Web>>,
    caller: ApiCaller,
    Path(id): Path<String>,
) -> ApiResult<Json<DestinationView>> {
    let found = find_destination(&web, &caller, &id, CONNECTOR).await?;
    Ok(Json(view(&web.store.destinations().delete(caller.tenant(), found.id).await?)?))
}

fn clean_name(name: Option<String>) -> ApiResult<Option<String>> {
    match name {
        Some(name) if name.is_empty() || !is_clean(&name) || name.chars().count() > 100 => {
            Err(Violations::one("name", Rule::CleanLine { max: 100 }).into())
        }
        name => Ok(name),
    }
}

fn connector_view(of: &'static ConnectorTemplate) -> ConnectorView {
    ConnectorView {
        name: &of.name,
        title: &of.title,
        kind: of.kind,
        about: &of.about,
        documentation: &of.documentation,
        tried: of.tried,
        steps: &of.steps,
        script: of.script.as_deref(),
        settings: &of.settings,
    }
}

fn view(of: &Destination) -> ApiResult<DestinationView> {
    // Settings that no longer fit their connector are not shown; the log says what is wrong with them.
    let settings = Connection::of(of).map(|connection| connection.settings.shown()).unwrap_or_default();
    Ok(DestinationView {
        id: of.id,
        connector: of.draft.address.clone(),
        name: of.draft.name.clone(),
        settings,
        widgets: of.draft.widgets.clone(),
        active: of.draft.active,
        inactive_reason: of.inactive_reason.as_ref().map(ToString::to_string),
        failure_count: of.failure_count,
        success_count: of.success_count,
        last_failure_at: of.last_failure_at,
        last_success_at: of.last_success_at,
        created_at: of.created_at,
        updated_at: of.updated_at,
    })
}

impl From<ConnectionError> for ApiError {
    fn from(error: ConnectionError) -> Self {
        match error {
            ConnectionError::Settings { mistakes } => {
                let mut broken = Violations::default();
                for SettingMistake { name, problem } in mistakes.0 {
                    broken.push(format!("settings.{name}"), Rule::ConnectorSetting { problem: problem.to_message() });
                }
                broken.into()
            }
            ConnectionError::Stored => Self::internal(error),
            other => Self::bad_request(other),
        }
    }
}
