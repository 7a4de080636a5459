//! `/api/v1/webhooks`: where an account's events are posted.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{OriginalUri, Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use serde::Serialize;
use shingle_deliver::EgressError;
use shingle_deliver::webhook::{WebhookConfig, WebhookSecrets};
use shingle_domain::message::ToMessage;
use shingle_domain::rules::{OptionsPatch, WebhookDraft, WebhookPatch};
use shingle_domain::webhook::Webhook;
use shingle_domain::{DestinationId, Rule, Tenant, Violations};
use shingle_store::{Destination, DestinationDraft, DestinationKind, RequestKey};

use crate::api::auth::ApiCaller;
use crate::api::find_destination::find_destination;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use crate::web::ignored_fields::{Ignoring, ignored_names};
use crate::web::json;
use crate::web::request_key::request_key;
use shingle_app::webhook_record::{read_config, read_secrets, to_json, webhook_record};

const WEBHOOK: Option<DestinationKind> = Some(DestinationKind::Webhook);

pub async fn create(
    State(web): State<Arc<Web>>,
    caller: ApiCaller,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
    body: Bytes,
) -> ApiResult<Ignoring<ApiResult<(StatusCode, Json<Webhook>)>>> {
    let key = || request_key(&headers, uri.path(), &body);
    let made = async {
        let (made, secret) = make(&web, caller.tenant(), &body, key).await?;
        Ok((StatusCode::CREATED, Json(Webhook { secret: Some(secret), ..webhook_record(&made)? })))
    };
    Ok(Ignoring::new(ignored(&body)?, made.await))
}

fn ignored(body: &Bytes) -> ApiResult<Option<HeaderValue>> {
    Ok(ignored_names(&WebhookDraft::ignored(&json::fields(body)?)))
}

/// Makes a webhook; with its secret, which is shown once. `key` is asked for once the body is found to be right.
pub async fn make(
    web: &Web,
    tenant: &Tenant,
    body: &Bytes,
    key: impl FnOnce() -> ApiResult<Option<RequestKey>>,
) -> ApiResult<(Destination, String)> {
    let draft = WebhookDraft::parse(&json::fields(body)?, url_rule(web))?;
    check_url(web, &draft.url).await?;
    let key = key()?;
    let mut secrets = WebhookSecrets::generate()?;
    let mut config = WebhookConfig::default();
    let mut new = DestinationDraft {
        kind: DestinationKind::Webhook,
        name: draft.name,
        address: draft.url,
        events: draft.events,
        widgets: Vec::new(),
        active: draft.active,
        ordered: false,
        timeout_seconds: draft.timeout_seconds,
        config: String::new(),
        secrets: None,
    };
    apply_options(&draft.options, &mut new, &mut config, &mut secrets)?;
    let made = web.store.destinations().create(tenant, &new, key.as_ref()).await?;
    let secret = read_secrets(&made.draft)?.secret;
    Ok((made, secret))
}

pub async fn list(State(web): State<Arc<Web>>, caller: ApiCaller) -> ApiResult<Json<Vec<Webhook>>> {
    let found = web.store.destinations().list(caller.tenant(), DestinationKind::Webhook).await?;
    Ok(Json(found.iter().map(webhook_record).collect::<Result<_, _>>()?))
}

pub async fn show(State(web): State<Arc<Web>>, caller: ApiCaller, Path(id): Path<String>) -> ApiResult<Json<Webhook>> {
    Ok(Json(webhook_record(&find_destination(&web, &caller, &id, WEBHOOK).await?)?))
}

pub async fn update(
    State(web): State<Arc<Web>>,
    caller: ApiCaller,
    Path(id): Path<String>,
    body: Bytes,
) -> ApiResult<Json<Webhook>> {
    let found = find_destination(&web, &caller, &id, WEBHOOK).await?;
    let patch = read_patch(&web, &body).await.map_err(syntax_error)?;
    Ok(Json(webhook_record(&change(&web, caller.tenant(), found.id, &patch).await?)?))
}

pub async fn change(web: &Web, tenant: &Tenant, id: DestinationId, patch: &WebhookPatch) -> ApiResult<Destination> {
    let apply = |draft: &mut DestinationDraft| {
        let mut config = read_config(&draft.config)?;
        let mut secrets = read_secrets(draft)?;
        replace(&mut draft.name, patch.name.as_ref());
        replace(&mut draft.address, patch.url.as_ref());
        replace(&mut draft.events, patch.events.as_ref());
        draft.active = patch.active.unwrap_or(draft.active);
        draft.timeout_seconds = patch.timeout_seconds.unwrap_or(draft.timeout_seconds);
        apply_options(&patch.options, draft, &mut config, &mut secrets)
    };
    web.store.destinations().change(tenant, id, apply).await
}

pub async fn delete(
    State(web): State<Arc<Web>>,
    caller: ApiCaller,
    Path(id): Path<String>,
) -> ApiResult<Json<Webhook>> {
    let found = find_destination(&web, &caller, &id, WEBHOOK).await?;
    let deleted = web.store.destinations().delete(caller.tenant(), found.id).await?;
    Ok(Json(webhook_record(&deleted)?))
}

pub async fn rotate_secret(
    State(web): State<Arc<Web>>,
    caller: ApiCaller,
    Path(id): Path<String>,
) -> ApiResult<Json<Webhook>> {
    let found = find_destination(&web, &caller, &id, WEBHOOK).await?;
    let (changed, secret) = renew_secret(&web, caller.tenant(), found.id).await?;
    Ok(Json(Webhook { secret: Some(secret), ..webhook_record(&changed)? }))
}

/// A new secret, shown this once. The old one signs beside it for a day.
pub async fn renew_secret(web: &Web, tenant: &Tenant, id: DestinationId) -> ApiResult<(Destination, String)> {
    // Under its lock: of two at once, each has its own secret.
    let renew = |draft: &mut DestinationDraft| {
        let mut secrets = read_secrets(draft)?;
        secrets.rotate(web.clock.now())?;
        draft.secrets = Some(to_json(&secrets)?);
        Ok::<_, ApiError>(())
    };
    let changed = web.store.destinations().change(tenant, id, renew).await?;
    let secret = read_secrets(&changed.draft)?.secret;
    Ok((changed, secret))
}

/// The public key of a webhook's `v1a` signatures, for receivers that hold no secret. Public, as the name says.
#[derive(Debug, Serialize)]
pub struct KeySet {
    keys: Vec<String>,
}

pub async fn keys(State(web): State<Arc<Web>>, Path(id): Path<String>) -> ApiResult<Json<KeySet>> {
    let id: DestinationId = id.parse().map_err(|_| ApiError::NotFound)?;
    let found = web.store.destinations().one_of_any_tenant(id).await?;
    found.filter(|d| d.draft.kind == DestinationKind::Webhook).ok_or(ApiError::NotFound)?;
    let key = web.webhook_keys.of(id).ok_or(ApiError::NotFound)?;
    Ok(Json(KeySet { keys: vec![key.public_key()] }))
}

pub async fn read_patch(web: &Web, body: &Bytes) -> ApiResult<WebhookPatch> {
    let patch = WebhookPatch::parse(&json::fields(body)?, url_rule(web))?;
    if let Some(url) = &patch.url {
        check_url(web, url).await?;
    }
    Ok(patch)
}

/// The document wants one sentence for every mistake in an update.
fn syntax_error(error: ApiError) -> ApiError {
    const SENTENCE: &str = "The request contains a syntax error. Fields must be correctly specified";
    match error {
        ApiError::InvalidFields(broken) => ApiError::BadRequest(format!("{SENTENCE}: {broken}.")),
        ApiError::BadRequest(_) => ApiError::BadRequest(format!("{SENTENCE}.")),
        other => other,
    }
}

fn url_rule(web: &Web) -> fn(&str) -> Option<String> {
    fn https(text: &str) -> Option<String> {
        any(text).filter(|text| text.get(..8).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https://")))
    }
    fn any(text: &str) -> Option<String> {
        let web =
            ["http://", "https://"].iter().any(|s| text.get(..s.len()).is_some_and(|t| t.eq_ignore_ascii_case(s)));
        let clean = !text.chars().any(|c| c.is_control() || c.is_whitespace());
        (web && clean && url::Url::parse(text).is_ok_and(|url| url.has_host())).then(|| text.to_owned())
    }
    if web.egress.policy().allow_http { any } else { https }
}

/// Judges where a URL leads, and says which setting would allow it.
async fn check_url(web: &Web, url: &str) -> ApiResult<()> {
    let judged = async {
        let target = web.egress.target(url)?;
        web.egress.check_host(&target).await
    };
    judged.await.map_err(|error: EgressError| {
        let mut broken = Violations::one("url", Rule::Url);
        broken.push("url", Rule::UrlNotAllowed { why: error.to_message() });
        broken.into()
    })
}

fn apply_options(
    options: &OptionsPatch,
    draft: &mut DestinationDraft,
    config: &mut WebhookConfig,
    secrets: &mut WebhookSecrets,
) -> ApiResult<()> {
    replace(&mut draft.widgets, options.widgets.as_ref());
    replace(&mut secrets.headers, options.headers.as_ref());
    draft.ordered = options.ordered.unwrap_or(draft.ordered);
    config.payload = options.payload.unwrap_or(config.payload);
    draft.config = to_json(config)?;
    draft.secrets = Some(to_json(secrets)?);
    Ok(())
}

/// Replaces a value by one that was sent.
fn replace<T: Clone>(value: &mut T, sent: Option<&T>) {
    if let Some(sent) = sent {
        value.clone_from(sent);
    }
}
