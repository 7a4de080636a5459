//! Passkeys: signing in with one, and the list of the user's own.
//!
//! # Decision
//!
//! Passkeys use webauthn-rs, whose 0.6 needs no OpenSSL. A challenge is a database row that the answer consumes:
//! once, within five minutes, from the browser that asked, for the same purpose. Devices store who they belong to, so
//! nobody types an address first and no answer reveals who is known. Without a host name and TLS nothing of it is
//! shown. Turned down: the state in a signed cookie, which can be replayed; keys by typed address, which reveal who
//! has an account.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use shingle_domain::error::Message;
use shingle_domain::{PasskeyId, UserId};
use shingle_portal::{Language, SignInView, browser, phrase, sign_in_page};
use shingle_store::{
    CEREMONY_LIFETIME, CeremonyKind, FirstPasskey, MAX_PASSKEY_NAME, NewPasskey, SignInWay, StoreError, TakenCeremony,
};

use crate::portal::door::Door;
use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::mail;
use crate::portal::responses::{COOKIES, either, or_not_there, page_with, to, with_cookie, without_cookie};
use crate::portal::sign_in::asked_party::relying_party;
use crate::portal::sign_in::relying_party::{Answer, Question, RelyingParty};
use crate::portal::sign_in::session::{empty, enter, other_hosts};
use crate::state::Web;
use crate::visitor::hosted::preferred_language;
use crate::web::connection::Visitor;
use crate::web::error::{ApiError, ApiResult, error_body};

pub const REFUSED: &str = "We couldn’t check that passkey. Please try again.";
const ELSEWHERE: &str = "Passkeys work at {address} only. Open this page there, or go on without a passkey.";
const UNKNOWN: &str =
    "We don’t know that passkey, or it took you longer than five minutes. Try again, or sign in another way.";

fn party(web: &Web, headers: &HeaderMap) -> ApiResult<Arc<RelyingParty>> {
    relying_party(web, headers).ok_or(ApiError::NotFound)
}

/// Asks a device. The answer counts from the browser that gets this. A page at another address of this server is told where
/// devices can be asked.
pub async fn begin(
    web: &Web,
    language: Language,
    kind: CeremonyKind,
    user: Option<UserId>,
    asked: Option<Question>,
    headers: &HeaderMap,
    visitor: Visitor,
) -> ApiResult<Response> {
    let page = headers.get(header::ORIGIN).and_then(|value| value.to_str().ok());
    if let Some(address) = party(web, headers)?.elsewhere(page) {
        let said = phrase(language, ELSEWHERE, &[("address", &address)]);
        return Ok(error_body(StatusCode::MISDIRECTED_REQUEST, Message::One(said)));
    }
    let asked = asked.ok_or(ApiError::NotFound)?;
    let browser = either(headers, COOKIES.passkey);
    let begun = web.store.people().begin_ceremony(kind, browser, user, &asked.state).await?;
    let answer = Json(json!({ "ceremony": begun.id, "publicKey": asked.options })).into_response();
    Ok(with_cookie(answer, COOKIES.passkey, &begun.browser, CEREMONY_LIFETIME.as_secs(), visitor))
}

async fn take(
    web: &Web,
    kind: CeremonyKind,
    headers: &HeaderMap,
    form: &PortalForm,
) -> ApiResult<Option<TakenCeremony>> {
    let Ok(id) = form.text("ceremony").parse() else { return Ok(None) };
    let browser = either(headers, COOKIES.passkey).unwrap_or_default();
    Ok(web.store.people().take_ceremony(kind, id, browser).await?)
}

fn device(language: Language, headers: &HeaderMap) -> String {
    let user_agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
    browser(language, user_agent.unwrap_or_default())
}

/// For somebody who is not a user yet: the device gets the id they will have.
pub async fn begin_to_join(
    web: &Web,
    email: &str,
    name: &str,
    headers: &HeaderMap,
    visitor: Visitor,
) -> ApiResult<Response> {
    let user = UserId(web.store.new_id()?);
    let asked = party(web, headers)?.ask_for_new(user, email, name, &[]);
    begin(web, preferred_language(headers), CeremonyKind::Join, Some(user), asked, headers, visitor).await
}

/// The passkey that a form carries, if it carries one.
///
/// # Errors
/// What to say where it is not right.
pub async fn first(
    web: &Web,
    language: Language,
    headers: &HeaderMap,
    form: &PortalForm,
) -> ApiResult<Result<Option<FirstPasskey>, &'static str>> {
    let answer = form.text("passkey");
    if answer.is_empty() {
        return Ok(Ok(None));
    }
    let taken = take(web, CeremonyKind::Join, headers, form).await?;
    let Some(TakenCeremony { user: Some(user), state }) = taken else { return Ok(Err(REFUSED)) };
    let made = party(web, headers)?.made(answer, &state, device(language, headers));
    Ok(made.map(|passkey| Some(FirstPasskey { user, passkey })).ok_or(REFUSED))
}

pub async fn sign_in_options(
    State(web): State<Arc<Web>>,
    Extension(language): Extension<Language>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let asked = party(&web, &headers)?.ask_to_sign();
    begin(&web, language, CeremonyKind::SignIn, None, asked, &headers, visitor).await
}

pub async fn sign_in(
    State(web): State<Arc<Web>>,
    Extension(door): Extension<Door>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    body: Bytes,
) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    match signs(&web, &headers, &form).await? {
        Some(user) => {
            let entered = enter(&web, user, SignInWay::Passkey, visitor, &headers, "/portal/leads").await?;
            Ok(without_cookie(entered, COOKIES.passkey, visitor))
        }
        None => {
            let hosts = other_hosts(&web, &headers).await?;
            let view = SignInView { refused: Some(UNKNOWN), ..empty(&web, &headers, &hosts) };
            Ok(page_with(StatusCode::UNPROCESSABLE_ENTITY, sign_in_page(door.guest(), view)))
        }
    }
}

/// Who signed what their device was asked to.
async fn signs(web: &Web, headers: &HeaderMap, form: &PortalForm) -> ApiResult<Option<UserId>> {
    let Some(taken) = take(web, CeremonyKind::SignIn, headers, form).await? else { return Ok(None) };
    let Some(answer) = Answer::read(form.text("passkey")) else { return Ok(None) };
    let Some(passkey) = web.store.people().find_passkey(&answer.credential).await? else { return Ok(None) };
    let Some(user) = web.store.people().find_user(passkey.user).await? else { return Ok(None) };
    let party = party(web, headers)?;
    let Some(used) = party.signed(&answer, &taken.state, passkey.made_for, &passkey.key) else { return Ok(None) };
    match web.store.people().passkey_used(passkey.id, &used.key, used.counter).await {
        // In the company that they chose last.
        Ok(()) => Ok(web.store.people().find_user_by_email(&user.email).await?.map(|user| user.id)),
        Err(StoreError::NotFound) => Ok(None),
        Err(other) => Err(other.into()),
    }
}

pub async fn add_options(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let user = &signed.user;
    let known: Vec<String> =
        web.store.people().list_passkeys(user.id).await?.into_iter().map(|passkey| passkey.key).collect();
    let asked = party(&web, &headers)?.ask_for_new(user.id, user.email.as_str(), user.name.as_str(), &known);
    begin(&web, signed.language, CeremonyKind::Add, Some(user.id), asked, &headers, visitor).await
}

/// The name that was typed, or what is known of the device.
fn name(language: Language, typed: &str, headers: &HeaderMap) -> Option<String> {
    let is_fit = typed.chars().count() <= MAX_PASSKEY_NAME && !typed.chars().any(char::is_control);
    is_fit.then(|| if typed.is_empty() { device(language, headers) } else { typed.to_owned() })
}

pub async fn add(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    headers: HeaderMap,
    body: Bytes,
) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    let Some(made) = made(&web, &signed, &headers, &form).await? else {
        return Ok(to("/portal/settings?said=passkeyRefused"));
    };
    match web.store.people().add_passkey_in(&signed.session, &made).await {
        Ok(()) => {
            mail::passkey_added(&web, signed.language, &signed.user, &made.name);
            Ok(to("/portal/settings?said=passkeyAdded"))
        }
        Err(StoreError::AlreadyExists) => Ok(to("/portal/settings?said=passkeyRefused")),
        Err(StoreError::TooMany { .. }) => Ok(to("/portal/settings?said=passkeyMany")),
        Err(other) => Err(other.into()),
    }
}

async fn made(web: &Web, signed: &Signed, headers: &HeaderMap, form: &PortalForm) -> ApiResult<Option<NewPasskey>> {
    let taken = take(web, CeremonyKind::Add, headers, form).await?;
    let Some(taken) = taken.filter(|taken| taken.user == Some(signed.user.id)) else { return Ok(None) };
    let Some(name) = name(signed.language, form.text("name"), headers) else { return Ok(None) };
    Ok(party(web, headers)?.made(form.text("passkey"), &taken.state, name))
}

pub async fn rename(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let renamed = async {
        let id: PasskeyId = id.parse().map_err(|_| ApiError::NotFound)?;
        let Some(name) = name(signed.language, PortalForm::parse(&body).text("name"), &headers) else {
            return Ok(to("/portal/settings?said=passkeyName"));
        };
        web.store.people().rename_passkey(signed.user.id, id, &name).await?;
        Ok(to("/portal/settings?said=saved"))
    };
    or_not_there(renamed.await)
}

pub async fn remove(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    let removed = async {
        let id: PasskeyId = id.parse().map_err(|_| ApiError::NotFound)?;
        let party = relying_party(&web, &headers);
        let host = party.as_deref().map(RelyingParty::name);
        match web.store.people().remove_passkey(signed.user.id, id, web.mail.is_some(), host).await {
            Ok(()) => Ok(to("/portal/settings?said=passkeyRemoved")),
            Err(StoreError::LastWayIn) => Ok(to("/portal/settings?said=lastWayIn")),
            Err(other) => Err(other.into()),
        }
    };
    or_not_there(removed.await)
}
