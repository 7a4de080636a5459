//! `/api/v1/connectors`, the connectors there are, and `/api/v1/destinations`, those that an account has set up.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{OriginalUri, Path, State};
use axum::http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};
use shingle_deliver::connector::{ConnectorKind, ConnectorTemplate, SettingDeclaration, Tried, built_in, find};
use shingle_domain::text::is_clean;
use shingle_domain::{DestinationId, Timestamp, Violations, WidgetId};
use shingle_store::{Destination, DestinationKind};

use super::auth::ApiCaller;
use super::error::{ApiError, ApiResult};
use super::find_destination::find_destination;
use super::json;
use super::request_key::request_key;
use crate::app::App;
use crate::connectors::{Connection, ConnectionError};

const CONNECTOR: Option<DestinationKind> = Some(DestinationKind::Connector);

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConnectorView {
    name: &'static str,
    title: &'static str,
    kind: ConnectorKind,
    about: &'static str,
    documentation: &'static str,
    /// `documentation`: never tried against the real service.
    tried: Tried,
    steps: &'static [String],
    script: Option<&'static str>,
    settings: &'static [SettingDeclaration],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DestinationView {
    id: DestinationId,
    connector: String,
    name: String,
    /// Secrets are shown as `[secret]`.
    settings: BTreeMap<String, String>,
    widgets: Vec<WidgetId>,
    active: bool,
    inactive_reason: Option<String>,
    failure_count: u64,
    success_count: u64,
    last_failure_at: Option<Timestamp>,
    last_success_at: Option<Timestamp>,
    created_at: Timestamp,
    updated_at: Timestamp,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NewDestination {
    connector: String,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    settings: BTreeMap<String, String>,
    #[serde(default)]
    widgets: Vec<WidgetId>,
    #[serde(default = "on")]
    active: bool,
}

fn on() -> bool {
    true
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct DestinationPatch {
    #[serde(default)]
    name: Option<String>,
    /// Those that change; an empty text removes one.
    #[serde(default)]
    settings: BTreeMap<String, String>,
    #[serde(default)]
    widgets: Option<Vec<WidgetId>>,
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
    State(app): State<Arc<App>>,
    caller: ApiCaller,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
    body: Bytes,
) -> ApiResult<(StatusCode, Json<DestinationView>)> {
    let new: NewDestination = json::parse(&body)?;
    let key = request_key(&headers, uri.path(), &body)?;
    let connection = Connection::parse(&new.connector, new.settings)?;
    let draft = connection.draft(clean_name(new.name)?, new.widgets, new.active)?;
    let made = app.store.create_destination(caller.tenant(), &draft, key.as_ref()).await?;
    Ok((StatusCode::CREATED, Json(view(&made)?)))
}

pub async fn list(State(app): State<Arc<App>>, caller: ApiCaller) -> ApiResult<Json<Vec<DestinationView>>> {
    let found = app.store.list_destinations(caller.tenant(), DestinationKind::Connector).await?;
    Ok(Json(found.iter().map(view).collect::<Result<_, _>>()?))
}

pub async fn show(
    State(app): State<Arc<App>>,
    caller: ApiCaller,
    Path(id): Path<String>,
) -> ApiResult<Json<DestinationView>> {
    Ok(Json(view(&find_destination(&app, &caller, &id, CONNECTOR).await?)?))
}

pub async fn update(
    State(app): State<Arc<App>>,
    caller: ApiCaller,
    Path(id): Path<String>,
    body: Bytes,
) -> ApiResult<Json<DestinationView>> {
    let found = find_destination(&app, &caller, &id, CONNECTOR).await?;
    let patch: DestinationPatch = json::parse(&body)?;
    let name = clean_name(patch.name)?;
    let secrets = match patch.settings.is_empty() {
        true => None,
        false => Some(Connection::of(&found)?.with(patch.settings)?.secrets()?),
    };
    let changed = app
        .store
        .change_destination(caller.tenant(), found.id, |draft| {
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
    State(app): State<Arc<App>>,
    caller: ApiCaller,
    Path(id): Path<String>,
) -> ApiResult<Json<DestinationView>> {
    let found = find_destination(&app, &caller, &id, CONNECTOR).await?;
    Ok(Json(view(&app.store.delete_destination(caller.tenant(), found.id).await?)?))
}

fn clean_name(name: Option<String>) -> ApiResult<Option<String>> {
    match name {
        Some(name) if name.is_empty() || !is_clean(&name) || name.chars().count() > 100 => {
            Err(Violations(vec!["name must be a clean line of 1 to 100 characters".to_owned()]).into())
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
        inactive_reason: of.inactive_reason.clone(),
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
            ConnectionError::Settings(error) => {
                let one = |m: &shingle_deliver::connector::Mistake| format!("settings.{}: {}", m.place, m.problem);
                Violations(error.mistakes().iter().map(one).collect()).into()
            }
            ConnectionError::Stored(error) => Self::internal(error),
            other => Self::BadRequest(other.to_string()),
        }
    }
}
