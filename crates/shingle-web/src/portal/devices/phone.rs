//! `/portal/phone`: the portal as an app, and which of the user's devices get notifications of new leads.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, Path, RawQuery, State};
use axum::response::Response;
use shingle_deliver::push::PushKeys;
use shingle_domain::DestinationId;
use shingle_portal::{DeviceView, Hours, Notice, PhoneView, browser, phone_page};
use shingle_store::{PushDevice, PushOwner, PushSubscription, StoreError};

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::responses::{or_not_there, page, to, too_many};
use crate::portal::settings::page::{frame, said, zone};
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use shingle_app::notices::{PushConfig, PushSecrets};

const MAX_ENDPOINT: usize = 1_000;

fn told(query: &PortalForm) -> Option<Notice> {
    let (text, is_wrong) = match query.text("said") {
        "on" => ("This device gets new leads from now on. Send it a test notification below.", false),
        "off" => ("That device gets no more notifications.", false),
        "tested" => {
            ("We’ve sent a test notification. If none appears, reload this page and check its state below.", false)
        }
        "refused" => ("We can’t use this browser’s push service. Nothing was saved.", true),
        "many" => ("Too many devices: at most 10 for you and 100 for the company. Turn one off first.", true),
        _ => return said(query),
    };
    Some(Notice { text: text.into(), is_wrong })
}

fn view<'d>(signed: &Signed, device: &'d PushDevice) -> DeviceView<'d> {
    let config = serde_json::from_str::<PushConfig>(&device.production.draft.config);
    DeviceView {
        device,
        browser: config.map_or_else(|_| device.production.draft.name.clone(), |config| config.browser),
        is_this: device.session == signed.session.id,
    }
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let notice = told(&PortalForm::of_query(query.as_deref()));
    let devices = web.store.destinations().list_push_devices(signed.account, signed.user.id).await?;
    let devices: Vec<_> = devices.iter().map(|device| view(&signed, device)).collect();
    let view = PhoneView {
        key: web.push_key.as_deref(),
        devices: &devices,
        hours: &Hours::new(&zone(&web, &signed).await?, web.clock.now(), signed.language),
    };
    Ok(page(phone_page(&frame(&signed, notice), &view)))
}

/// What the browser gave, if it is something that can be written to. The second is what may be shown of it.
async fn subscription(web: &Web, form: &PortalForm) -> Option<(PushSecrets, String)> {
    let keys = PushKeys { p256dh: form.text("p256dh").to_owned(), auth: form.text("auth").to_owned() };
    let endpoint = form.text("endpoint");
    if !keys.are_sound() || endpoint.len() > MAX_ENDPOINT {
        return None;
    }
    let target = web.egress.target(endpoint).ok()?;
    web.egress.check_host(&target).await.ok()?;
    let service = target.url().origin().ascii_serialization();
    Some((PushSecrets { endpoint: target.url().to_string(), keys }, service))
}

pub async fn subscribe(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    body: Bytes,
) -> ApiResult<Response> {
    if let Err(wait) = web.portal.limits.may_push(signed.user.id) {
        return Ok(too_many(wait));
    }
    let form = PortalForm::parse(&body);
    let (Some((secrets, service)), Some(key)) = (subscription(&web, &form).await, &web.push_key) else {
        return Ok(to("/portal/phone?said=refused"));
    };
    // A browser whose push service gave it another address says so on its own; one that was turned off stays off.
    let owners = if form.text("renew").is_empty() {
        vec![PushOwner { account: signed.account, user: signed.user.id, session: signed.session.id }]
    } else {
        web.store.destinations().push_owners(signed.session.id).await?
    };
    if owners.is_empty() {
        return Ok(to("/portal/phone?said=off"));
    }
    let browser = browser(signed.language, &signed.session.user_agent);
    let name = format!("{}: {browser}", signed.user.name.as_str());
    let config = PushConfig { key: key.clone(), browser };
    let subscription = PushSubscription {
        endpoint: &secrets.endpoint,
        service: &service,
        name: &name,
        config: &serde_json::to_string(&config).map_err(ApiError::internal)?,
        secrets: &serde_json::to_string(&secrets).map_err(ApiError::internal)?,
    };
    let mut added = Ok(());
    for owner in &owners {
        added = added.and(web.store.destinations().add_push_device(owner, &subscription).await.map(drop));
    }
    match added {
        Ok(()) if form.text("then") == "start" => Ok(to("/portal/start?step=done")),
        Ok(()) => Ok(to("/portal/phone?said=on")),
        Err(StoreError::TooMany { .. }) => Ok(to("/portal/phone?said=many")),
        // Signed out meanwhile.
        Err(StoreError::NotFound) => Ok(to("/portal/sign-in")),
        Err(other) => Err(other.into()),
    }
}

pub async fn act(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path((id, action)): Path<(String, String)>,
) -> Response {
    let acted = async {
        let id: DestinationId = id.parse().map_err(|_| ApiError::NotFound)?;
        let devices = web.store.destinations().list_push_devices(signed.account, signed.user.id).await?;
        let device = devices.iter().find(|device| device.production.id == id).ok_or(ApiError::NotFound)?;
        match action.as_str() {
            "end" => {
                web.store.destinations().end_push_device(signed.account, signed.user.id, id).await?;
                Ok(to("/portal/phone?said=off"))
            }
            "test" => {
                if let Err(wait) = web.portal.limits.may_push(signed.user.id) {
                    return Ok(too_many(wait));
                }
                web.store.deliveries().send_ping(&device.production.tenant, id, None).await?;
                Ok(to("/portal/phone?said=tested"))
            }
            _ => Err(ApiError::NotFound),
        }
    };
    or_not_there(acted.await)
}
