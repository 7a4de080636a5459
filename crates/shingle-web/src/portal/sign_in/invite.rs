//! `/portal/invite` and `/setup`: links that make a user, once.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use shingle_domain::{AccountId, Email, Role, UserName};
use shingle_portal::{
    Guest, Hours, InviteView, KnownPerson, Language, NoPasskeys, SetupView, invite_page, setup_page, welcome_page,
};
use shingle_store::{Invite, Session, SignInWay, StoreError, User};
use url::{Host, Url};

use crate::portal::form::PortalForm;
use crate::portal::gate::signed_in;
use crate::portal::responses::{Ending, ended, page, page_with, with_session};
use crate::portal::sign_in::asked_party::relying_party;
use crate::portal::sign_in::passkeys;
use crate::portal::sign_in::return_to::{keep_wished, wished_page};
use crate::portal::sign_in::session::{ADDRESS, address, begin, with_mark};
use crate::state::Web;
use crate::web::connection::Visitor;
use crate::web::error::{ApiError, ApiResult};

const TAKEN: &str = "Someone already signs in with this email. If that’s you, sign in and open the link again.";
const TAKEN_BY_ANOTHER: &str = "Someone already signs in with this email. Use another one to run the installation.";
const MAX_COMPANY: usize = 100;

fn over(used: bool) -> Response {
    let said = if used {
        "Someone used or withdrew it. If that was you, sign in; otherwise ask the sender for another."
    } else {
        "Ask the sender for another."
    };
    ended(StatusCode::GONE, Ending::Said { title: "This link has expired", said })
}

async fn open_invite(web: &Web, token: &str) -> ApiResult<Result<Invite, Response>> {
    Ok(match web.store.people().find_invite(token).await? {
        Some(invite) if invite.is_open(web.store.now()) => Ok(invite),
        Some(invite) => Err(over(invite.ended_at.is_some())),
        None => Err(over(false)),
    })
}

async fn company(web: &Web, account: Option<AccountId>) -> ApiResult<Option<String>> {
    Ok(match account {
        Some(id) => web.store.accounts().find(id).await?.map(|account| account.name),
        None => None,
    })
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(language): Extension<Language>,
    Extension(visitor): Extension<Visitor>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let query = PortalForm::of_query(query.as_deref());
    let token = query.text("token");
    let invite = match open_invite(&web, token).await? {
        Ok(invite) => invite,
        Err(over) => return Ok(over),
    };
    let signed = signed_in(&web, &headers).await?;
    let typed = Typed { token, mailed: query.text("mailed"), ..Typed::default() };
    let known = known_person(&web, &invite, signed.as_ref()).await?;
    let html = page(form_page(&web, (language, &headers), &invite, typed, known.as_ref(), None).await?);
    // A sign-in from here comes back.
    let wished = format!("/portal/invite?token={token}");
    Ok(match wished_page(&wished).filter(|_| known.is_some()) {
        Some(wished) => keep_wished(html, wished, visitor),
        None => html,
    })
}

/// As the form has it.
#[derive(Debug, Clone, Copy, Default)]
struct Typed<'t> {
    token: &'t str,
    mailed: &'t str,
    email: &'t str,
    name: &'t str,
}

impl<'t> Typed<'t> {
    fn of(form: &'t PortalForm) -> Self {
        Self {
            token: form.text("token"),
            mailed: form.text("mailed"),
            email: form.text("email"),
            name: form.text("name"),
        }
    }
}

/// The person whom the invite is for, where they use Shingle already.
async fn known_person(
    web: &Web,
    invite: &Invite,
    signed: Option<&(Session, User)>,
) -> ApiResult<Option<(KnownState, String)>> {
    if invite.account.is_none() {
        return Ok(None);
    }
    let is_for =
        |email: &Email| invite.email.as_ref().is_none_or(|bound| bound.as_str().eq_ignore_ascii_case(email.as_str()));
    if let Some((session, user)) = signed.filter(|(_, user)| is_for(&user.email)) {
        let may_join = user.is_proven || session.way.shows_mailbox();
        let state = match (may_join, web.mail.is_some()) {
            (true, _) => KnownState::Here,
            (false, true) => KnownState::ByMailFirst,
            (false, false) => KnownState::NoMail,
        };
        return Ok(Some((state, user.email.as_str().to_owned())));
    }
    let Some(bound) = &invite.email else { return Ok(None) };
    let found = web.store.people().find_user_by_email(bound).await?;
    Ok(found.map(|user| {
        let state = if user.is_proven || web.mail.is_some() { KnownState::SignInFirst } else { KnownState::NoMail };
        (state, user.email.as_str().to_owned())
    }))
}

#[derive(Debug, Clone, Copy)]
enum KnownState {
    Here,
    ByMailFirst,
    SignInFirst,
    NoMail,
}

async fn form_page(
    web: &Web,
    (language, headers): (Language, &HeaderMap),
    invite: &Invite,
    Typed { token, mailed, email, name }: Typed<'_>,
    known: Option<&(KnownState, String)>,
    wrong: Option<(&'static str, &'static str)>,
) -> ApiResult<String> {
    let company = company(web, invite.account).await?;
    let known = known.map(|(state, email)| match state {
        KnownState::Here => KnownPerson::Here { email },
        KnownState::ByMailFirst => KnownPerson::ByMailFirst { email },
        KnownState::SignInFirst => KnownPerson::SignInFirst { email, has_mail: web.mail.is_some() },
        KnownState::NoMail => KnownPerson::NoMail,
    });
    let until = Hours::new("UTC", web.clock.now(), language).full(invite.expires_at);
    let view = InviteView {
        token,
        company: company.as_deref(),
        role: invite.role,
        bound: invite.email.as_ref().map(Email::as_str),
        until: &until,
        email,
        name,
        has_passkeys: relying_party(web, headers).is_some(),
        mailed,
        known,
        wrong,
    };
    let brand = match invite.account {
        Some(account) => Some(web.store.accounts().brand(account).await?),
        None => None,
    };
    Ok(invite_page(Guest { language, brand: brand.as_ref() }, view))
}

/// Who joins, by what was typed.
///
/// # Errors
/// The field, and what is wrong with it.
fn newcomer(invite: &Invite, form: &PortalForm) -> Result<(Email, UserName), (&'static str, &'static str)> {
    let email = invite.email.clone().or_else(|| address(form.text("email"))).ok_or(("email", ADDRESS))?;
    let name = UserName::parse(form.text("name")).map_err(|said| ("name", said))?;
    Ok((email, name))
}

/// Asks the device of somebody who joins. A form that would be refused is a 422: then the form itself is sent and says why.
pub async fn invite_passkey(
    State(web): State<Arc<Web>>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    body: Bytes,
) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    let Ok(invite) = open_invite(&web, form.text("token")).await? else { return Ok(unfit()) };
    join_with_passkey(&web, &invite, &form, &headers, visitor).await
}

pub async fn setup_passkey(
    State(web): State<Arc<Web>>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    body: Bytes,
) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    match open_claim(&web, form.text("token")).await? {
        Some(invite) if is_company(form.text("company")) => {
            join_with_passkey(&web, &invite, &form, &headers, visitor).await
        }
        _ => Ok(unfit()),
    }
}

async fn join_with_passkey(
    web: &Web,
    invite: &Invite,
    form: &PortalForm,
    headers: &HeaderMap,
    visitor: Visitor,
) -> ApiResult<Response> {
    let Ok((email, name)) = newcomer(invite, form) else { return Ok(unfit()) };
    if web.store.people().find_user_by_email(&email).await?.is_some() {
        return Ok(unfit());
    }
    passkeys::begin_to_join(web, email.as_str(), name.as_str(), headers, visitor).await
}

fn unfit() -> Response {
    StatusCode::UNPROCESSABLE_ENTITY.into_response()
}

async fn open_claim(web: &Web, token: &str) -> ApiResult<Option<Invite>> {
    let invite = web.store.people().find_invite(token).await?;
    let is_open = |invite: &Invite| invite.role == Role::Operator && invite.is_open(web.store.now());
    Ok(invite.filter(is_open))
}

fn is_company(name: &str) -> bool {
    !name.is_empty() && name.chars().count() <= MAX_COMPANY && !name.chars().any(char::is_control)
}

pub async fn accept(
    State(web): State<Arc<Web>>,
    Extension(language): Extension<Language>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    body: Bytes,
) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    let typed = Typed::of(&form);
    let invite = match open_invite(&web, typed.token).await? {
        Ok(invite) => invite,
        Err(over) => return Ok(over),
    };
    let again = async |wrong| {
        let html = form_page(&web, (language, &headers), &invite, typed, None, Some(wrong)).await?;
        Ok(page_with(StatusCode::UNPROCESSABLE_ENTITY, html))
    };
    let (email, name) = match newcomer(&invite, &form) {
        Ok(newcomer) => newcomer,
        Err(wrong) => return again(wrong).await,
    };
    let first = match passkeys::first(&web, language, &headers, &form).await? {
        Ok(first) => first,
        Err(said) => return again(("passkey", said)).await,
    };
    match web.store.people().accept_invite_with(typed.token, typed.mailed, &email, &name, first.as_ref()).await {
        Ok(user) => welcome(&web, language, &user, visitor, &headers).await,
        Err(StoreError::AlreadyExists) => {
            let taken = if invite.account.is_some() { TAKEN } else { TAKEN_BY_ANOTHER };
            let html = form_page(&web, (language, &headers), &invite, typed, None, Some(("email", taken))).await?;
            Ok(page_with(StatusCode::CONFLICT, html))
        }
        Err(StoreError::NotFound) => Ok(over(true)),
        Err(other) => Err(other.into()),
    }
}

async fn welcome(
    web: &Web,
    language: Language,
    user: &User,
    visitor: Visitor,
    headers: &HeaderMap,
) -> ApiResult<Response> {
    let codes = web.store.people().make_recovery_codes(user.id).await?;
    let makes_widgets = user.account.is_some() && user.role >= Role::Owner;
    let token = begin(web, user.id, SignInWay::Invite, visitor, headers).await?;
    let brand = match user.account {
        Some(account) => Some(web.store.accounts().brand(account).await?),
        None => None,
    };
    let html = welcome_page(Guest { language, brand: brand.as_ref() }, user.name.as_str(), &codes, makes_widgets);
    Ok(with_mark(web, with_session(page(html), &token, visitor), &user.email, visitor))
}

pub async fn show_setup(State(web): State<Arc<Web>>, Extension(language): Extension<Language>) -> ApiResult<Response> {
    if web.store.people().has_users().await? {
        return Ok(claimed());
    }
    let here = here(&web);
    let view = SetupView { no_passkeys: no_passkeys(&web, here.as_deref()), ..SetupView::default() };
    Ok(page(setup_page(language.into(), view)))
}

/// A name of this machine for itself, where the server is reached by its number.
fn here(web: &Web) -> Option<String> {
    let url = Url::parse(&web.base_url).ok()?;
    let is_loopback = match url.host()? {
        Host::Ipv4(ip) => ip.is_loopback(),
        Host::Ipv6(ip) => ip.is_loopback(),
        Host::Domain(_) => false,
    };
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    is_loopback.then(|| format!("http://localhost{port}"))
}

fn no_passkeys<'v>(web: &'v Web, here: Option<&'v str>) -> Option<NoPasskeys<'v>> {
    web.portal.passkeys.is_none().then_some(NoPasskeys { base_url: &web.base_url, here })
}

fn claimed() -> Response {
    let said = "The person who set it up can invite you. On the server, shingle invite --operator prints another link.";
    ended(StatusCode::GONE, Ending::Said { title: "This installation is set up", said })
}

pub async fn claim(
    State(web): State<Arc<Web>>,
    Extension(language): Extension<Language>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    body: Bytes,
) -> ApiResult<Response> {
    if web.store.people().has_users().await? {
        return Ok(claimed());
    }
    let form = PortalForm::parse(&body);
    let (token, typed, named, company) =
        (form.text("token"), form.text("email"), form.text("name"), form.text("company"));
    let here = here(&web);
    let again = |wrong: (&'static str, &'static str)| {
        let no_passkeys = no_passkeys(&web, here.as_deref());
        let view = SetupView { token, company, email: typed, name: named, no_passkeys, wrong: Some(wrong) };
        page_with(StatusCode::UNPROCESSABLE_ENTITY, setup_page(language.into(), view))
    };
    let Some(invite) = open_claim(&web, token).await? else {
        return Ok(again((
            "token",
            "This key is wrong, used or expired. Start the server again to print another link.",
        )));
    };
    let (email, name) = match newcomer(&invite, &form) {
        Ok(newcomer) => newcomer,
        Err(wrong) => return Ok(again(wrong)),
    };
    if !is_company(company) {
        return Ok(again(("company", "Please type the company’s name, 100 characters at most.")));
    }
    let first = match passkeys::first(&web, language, &headers, &form).await? {
        Ok(first) => first,
        Err(said) => return Ok(again(("passkey", said))),
    };
    match web.store.people().claim_installation(token, &email, &name, company, first.as_ref()).await {
        Ok(user) => welcome(&web, language, &user, visitor, &headers).await,
        Err(StoreError::NotFound | StoreError::AlreadyExists) => Ok(claimed()),
        Err(other) => Err(ApiError::from(other)),
    }
}
