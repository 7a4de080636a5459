//! `/portal/keys`: the API keys of both environments.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{Extension, Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use shingle_domain::lookup::Product;
use shingle_domain::text::is_clean;
use shingle_domain::usage::{day, end_of};
use shingle_domain::{Environment, KeyId, Timestamp, WidgetId, WidgetScope};
use shingle_portal::{Hours, KeysView, Notice, TypedFields, keys_page};
use shingle_store::{KeyTerms, Network, StoreError};

use crate::portal::connections::form::typed;
use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::leads::query::environment;
use crate::portal::responses::{or_not_there, page_with};
use crate::portal::settings::page::{frame, zone};
use crate::portal::widgets::titles::widget_titles;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};

/// How long a replaced key goes on.
const OVERLAP: Duration = Duration::from_secs(7 * 24 * 3_600);
const MAX_NETWORKS: usize = 50;

async fn keys(
    web: &Web,
    signed: &Signed,
    status: StatusCode,
    made: Option<&str>,
    typed: &TypedFields,
    notice: Option<Notice>,
) -> ApiResult<Response> {
    let now = web.clock.now();
    let mut keys: Vec<_> =
        web.store.accounts().list_keys(signed.account).await?.into_iter().map(|key| (key.state(now), key)).collect();
    keys.reverse();
    let keys: Vec<_> = keys.into_iter().map(|(state, key)| (key, state)).collect();
    let hours = Hours::new(&zone(web, signed).await?, now, signed.language);
    let mut widgets = widget_titles(web, &signed.tenant(Environment::Production)).await?;
    widgets.extend(widget_titles(web, &signed.tenant(Environment::Sandbox)).await?);
    let view = KeysView { keys: &keys, made, typed, widgets: &widgets, hours: &hours };
    Ok(page_with(status, keys_page(&frame(signed, notice), &view)))
}

pub async fn show(State(web): State<Arc<Web>>, Extension(signed): Extension<Arc<Signed>>) -> ApiResult<Response> {
    keys(&web, &signed, StatusCode::OK, None, &TypedFields::default(), None).await
}

/// In the answer itself: the key is in no address and no history.
pub async fn create(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    body: Bytes,
) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    let mut typed = typed(&form);
    for id in form.all("widget") {
        typed.set(&format!("widget {id}"), "on");
    }
    let mut own = web.store.widgets().list(&signed.tenant(Environment::Production)).await?;
    if environment(&form) == Environment::Sandbox {
        // Test leads of a live widget are test data too.
        own.extend(web.store.widgets().list(&signed.tenant(Environment::Sandbox)).await?);
    }
    let own: Vec<WidgetId> = own.iter().map(|stored| stored.widget.reference_id).collect();
    let Some(terms) = terms(&form, &own, &mut typed, web.clock.now()) else {
        return keys(&web, &signed, StatusCode::UNPROCESSABLE_ENTITY, None, &typed, None).await;
    };
    let (request, none) = (form.request_key(), TypedFields::default());
    match web.store.accounts().issue_key_once(signed.account, environment(&form), &terms, request.as_ref()).await {
        Ok(issued) => keys(&web, &signed, StatusCode::OK, Some(&issued.secret), &none, None).await,
        Err(StoreError::MadeBefore) => {
            keys(&web, &signed, StatusCode::CONFLICT, None, &none, Some(made_before())).await
        }
        Err(other) => Err(other.into()),
    }
}

fn made_before() -> Notice {
    let text = "You already sent this form, and we showed its key then. If you lost it, revoke it and create another.";
    Notice { text: text.into(), is_wrong: true }
}

fn terms(form: &PortalForm, own: &[WidgetId], typed: &mut TypedFields, now: Timestamp) -> Option<KeyTerms> {
    let name = form.text("name");
    if name.is_empty() || name.chars().count() > 100 || !is_clean(name) {
        typed.refuse("name", "Please type a name of at most 100 characters.");
    }
    let expires_at = match form.text("expires") {
        "" => None,
        text => {
            let end = day(text).ok().map(end_of);
            match end {
                None => typed.refuse("expires", "Please choose a day."),
                Some(end) if end <= now => typed.refuse("expires", "Please choose a day that is still to come."),
                Some(_) => {}
            }
            end
        }
    };
    let mut networks = Vec::new();
    for word in form.text("networks").split([' ', ',']).filter(|word| !word.is_empty()) {
        match word.parse::<Network>() {
            Ok(network) if !networks.contains(&network) => networks.push(network),
            Ok(_) => {}
            Err(_) => typed.refuse("networks", "Please write networks like 203.0.113.0/24."),
        }
    }
    if networks.len() > MAX_NETWORKS {
        typed.refuse("networks", "Please write at most 50 networks.");
    }
    let mut products: Vec<Product> = Vec::new();
    for product in form.all("product").filter_map(Product::parse) {
        if !products.contains(&product) {
            products.push(product);
        }
    }
    let named: Vec<&str> = form.all("widget").collect();
    let found = own.iter().copied().filter(|id| named.contains(&id.to_string().as_str()));
    let sees = if named.is_empty() { WidgetScope::All } else { WidgetScope::only(found) };
    if sees.ids().is_some_and(|ids| ids.len() != named.len()) {
        typed.refuse("data", "A ticked widget is of the other kind of data. Choose that, or untick it.");
    }
    (!typed.is_refused()).then(|| KeyTerms { name: name.to_owned(), expires_at, products, sees, networks })
}

pub async fn act(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path((id, action)): Path<(String, String)>,
) -> Response {
    or_not_there(acted(&web, &signed, KeyId(id), &action).await)
}

async fn acted(web: &Web, signed: &Signed, id: KeyId, action: &str) -> ApiResult<Response> {
    // A key belongs to one account for ever.
    if !web.store.accounts().list_keys(signed.account).await?.iter().any(|key| key.id == id) {
        return Err(ApiError::NotFound);
    }
    let done = |text: &'static str| Some(Notice { text: text.into(), is_wrong: false });
    let none = TypedFields::default();
    match action {
        "rotate" => match web.store.accounts().rotate_key(&id, OVERLAP).await {
            Ok(issued) => {
                let notice = done("The new key is below. The old one works for 7 more days, or until it expires.");
                keys(web, signed, StatusCode::OK, Some(&issued.secret), &none, notice).await
            }
            Err(StoreError::KeyEnded | StoreError::KeyReplaced(_)) => {
                let notice =
                    Some(Notice { text: "That key is replaced, revoked or expired already.".into(), is_wrong: true });
                keys(web, signed, StatusCode::CONFLICT, None, &none, notice).await
            }
            Err(other) => Err(other.into()),
        },
        "revoke" => {
            web.store.accounts().revoke_key(&id).await?;
            keys(web, signed, StatusCode::OK, None, &none, done("Key revoked. It no longer works.")).await
        }
        _ => Err(ApiError::NotFound),
    }
}
