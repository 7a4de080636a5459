//! `/portal/connections/{id}`: one webhook or connector, its switch, its secret and its log.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, Path, RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use shingle_deliver::connector::find;
use shingle_domain::{Timestamp, Violations, WidgetId};
use shingle_portal::{Language, TypedFields};
use shingle_store::{Destination, DestinationDraft, DestinationKind};

use crate::portal::connections::dry_run;
use crate::portal::connections::form::{check_name, judged, reach, refuse, settings, typed, webhook_fields};
use crate::portal::connections::page::{Around, find_connection, one, shown, stored};
use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::responses::{or_not_there, to};
use crate::portal::settings::page::zone;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use shingle_app::connectors::Connection;
use shingle_app::webhooks;

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let shown = async {
        let found = find_connection(&web, &signed, &id).await?;
        let query = PortalForm::of_query(query.as_deref());
        one(&web, &signed, &found, &query, StatusCode::OK, Around::default()).await
    };
    or_not_there(shown.await)
}

pub async fn change(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    body: Bytes,
) -> Response {
    let form = PortalForm::parse(&body);
    let changed = async {
        let found = find_connection(&web, &signed, &id).await?;
        let mut typed = typed(&form);
        let widgets = reach(&form, &mut typed);
        let changed = match found.draft.kind {
            DestinationKind::Webhook => match webhooks::read_patch(&web, &webhook_fields(&form)).await {
                Ok(mut patch) if !typed.is_refused() => {
                    patch.options.widgets = widgets;
                    webhooks::change(&web, &found.tenant, found.id, &patch).await.map_err(ApiError::from)
                }
                Ok(_) => Err(ApiError::InvalidFields(Violations::default())),
                Err(failure) => Err(failure.into()),
            },
            _ => match changed_connector(&web, signed.language, &found, &form, &mut typed)? {
                Some(secrets) => save_connector(&web, &found, &form, &secrets, widgets).await,
                None => Err(ApiError::InvalidFields(Violations::default())),
            },
        };
        match changed {
            Ok(_) => Ok(to(&format!("/portal/connections/{}?said=saved", found.id))),
            Err(error) => {
                refuse(signed.language, &mut typed, error)?;
                let around = Around { typed: Some(typed), ..Around::default() };
                let query = PortalForm::of_query(None);
                one(&web, &signed, &found, &query, StatusCode::UNPROCESSABLE_ENTITY, around).await
            }
        }
    };
    or_not_there(changed.await)
}

/// Its settings to store: a secret that was left empty stays. `None`: something is wrong.
fn changed_connector(
    web: &Web,
    language: Language,
    found: &Destination,
    form: &PortalForm,
    typed: &mut TypedFields,
) -> ApiResult<Option<String>> {
    let template = find(&found.draft.address).ok_or(ApiError::NotFound)?;
    let is_secret = |name: &str| template.settings.iter().any(|setting| setting.secret && setting.name == name);
    let sent = settings(form).into_iter().filter(|(name, value)| !(value.is_empty() && is_secret(name))).collect();
    let parsed = match Connection::of(found) {
        Ok(old) => old.with(sent),
        Err(_) => Connection::parse(&found.draft.address, sent),
    };
    check_name(form, typed);
    let connection = judged(web, language, template, parsed, typed);
    connection.map(|connection| connection.secrets().map_err(ApiError::from)).transpose()
}

async fn save_connector(
    web: &Web,
    found: &Destination,
    form: &PortalForm,
    secrets: &str,
    widgets: Option<Vec<WidgetId>>,
) -> ApiResult<Destination> {
    let name = form.text("name");
    let change = |draft: &mut DestinationDraft| {
        if let Some(widgets) = &widgets {
            draft.widgets.clone_from(widgets);
        }
        name.clone_into(&mut draft.name);
        draft.secrets = Some(secrets.to_owned());
        Ok::<_, ApiError>(())
    };
    web.store.destinations().change(&found.tenant, found.id, change).await
}

pub async fn act(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path((id, action)): Path<(String, String)>,
    body: Bytes,
) -> Response {
    let form = PortalForm::parse(&body);
    or_not_there(acted(&web, &signed, &id, &action, &form).await)
}

async fn acted(web: &Web, signed: &Signed, id: &str, action: &str, form: &PortalForm) -> ApiResult<Response> {
    let found = find_connection(web, signed, id).await?;
    let is_webhook = found.draft.kind == DestinationKind::Webhook;
    let back = |said: &str| to(&format!("/portal/connections/{}?said={said}", found.id));
    match action {
        "on" | "off" => {
            let on = action == "on";
            let switch = |draft: &mut DestinationDraft| {
                draft.active = on;
                Ok::<_, ApiError>(())
            };
            web.store.destinations().change(&found.tenant, found.id, switch).await?;
            Ok(back(action))
        }
        "test" if is_webhook => {
            let sent = web.store.deliveries().send_ping(&found.tenant, found.id, None).await?;
            Ok(to(&format!("/portal/deliveries/{sent}")))
        }
        "rotate" if is_webhook => {
            let (changed, secret) = webhooks::renew_secret(web, &found.tenant, found.id).await?;
            shown(web, signed, &changed, Some(&secret)).await
        }
        "try" if !is_webhook => dry_run::run(web, signed, &found, form).await,
        "again" => {
            let zone = TimeZone::get(&zone(web, signed).await?).unwrap_or(TimeZone::UTC);
            let since = form.text("since").parse::<Date>().ok().and_then(|day| day.to_zoned(zone).ok());
            let Some(since) = since else {
                let mut typed = stored(signed.language, &found);
                typed.refuse("since", "Please choose a day.");
                let around = Around { typed: Some(typed), ..Around::default() };
                let query = PortalForm::of_query(None);
                return one(web, signed, &found, &query, StatusCode::UNPROCESSABLE_ENTITY, around).await;
            };
            let since = Timestamp::from_micros(since.timestamp().as_microsecond());
            let count = web.store.deliveries().replay_since(&found.tenant, found.id, since).await?;
            Ok(back(&format!("again&count={count}")))
        }
        "delete" => {
            web.store.destinations().delete(&found.tenant, found.id).await?;
            Ok(to("/portal/connections?said=deleted"))
        }
        _ => Err(ApiError::NotFound),
    }
}
