//! The ways in: a mailed code or link, a recovery code. GET shows, POST acts.
//!
//! # Decisions
//!
//! - A mailed link signs in the browser that requested it, by a button; elsewhere it shows the code. Mail scanners
//!   that open links and press buttons gain nothing. Known and unknown addresses take the same work and get the same
//!   pages.
//! - Signing in ends the browser's previous session. Its device stays if it belongs to the same user.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use shingle_domain::rules;
use shingle_domain::{Email, Role, UserId};
use shingle_portal::{CodeView, SignInView, code_page, link_page, other_browser_page, recovery_page, sign_in_page};
use shingle_store::{CodeCheck, LinkState, SIGN_IN_LIFETIME, SessionOrigin, SignInWay};

use crate::portal::door::Door;
use crate::portal::form::PortalForm;
use crate::portal::gate::{NOT_THEIR_DOOR, signed_in};
use crate::portal::limits::Asking;
use crate::portal::mail;
use crate::portal::responses::{
    COOKIES, Ending, either, ended, page, page_with, to, too_many, with_cookie, with_session, without_session,
};
use crate::portal::sign_in::asked_party::relying_party;
use crate::portal::sign_in::relying_party::RelyingParty;
use crate::portal::sign_in::return_to::{forget, keep_wished, page_after_sign_in, wished_page};
use crate::state::Web;
use crate::web::connection::Visitor;
use crate::web::error::ApiResult;
use crate::web::own_origin::{asked_base, asked_company, asked_domain};

/// As long as browsers keep a cookie.
const KNOWN_SECONDS: u64 = 400 * 24 * 3_600;

pub const ADDRESS: &str = "Please type an email address, like maya@example.com.";

pub async fn front(State(web): State<Arc<Web>>, headers: HeaderMap) -> ApiResult<Response> {
    let path = if signed_in(&web, &headers).await?.is_some() { "/portal/leads" } else { "/portal/sign-in" };
    Ok(to(path))
}

/// Other names of this server, for which there are passkeys.
pub async fn other_hosts(web: &Web, headers: &HeaderMap) -> ApiResult<Vec<String>> {
    // At a company's own domain the other names are nobody's business.
    if asked_company(web, headers).is_some() {
        return Ok(Vec::new());
    }
    let party = web.portal.passkeys.as_deref();
    Ok(web.store.people().other_passkey_hosts(party.map(RelyingParty::name)).await?)
}

pub fn empty<'v>(web: &Web, headers: &HeaderMap, other_hosts: &'v [String]) -> SignInView<'v> {
    let (has_mail, has_passkeys) = (web.mail.is_some(), relying_party(web, headers).is_some());
    SignInView { has_mail, has_passkeys, other_hosts, ..SignInView::default() }
}

/// `?to=` names a page that was opened by a program: Word and Excel follow a link without this browser's cookies and hand
/// on where it ended.
pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(door): Extension<Door>,
    Extension(visitor): Extension<Visitor>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let asked = PortalForm::of_query(query.as_deref());
    let hosts = other_hosts(&web, &headers).await?;
    let Some(wished) = wished_page(asked.text("to")) else {
        let is_new = !web.store.people().has_users().await?;
        return Ok(page(sign_in_page(door.guest(), SignInView { is_new, ..empty(&web, &headers, &hosts) })));
    };
    if signed_in(&web, &headers).await?.is_some() {
        return Ok(to(wished));
    }
    Ok(keep_wished(page(sign_in_page(door.guest(), empty(&web, &headers, &hosts))), wished, visitor))
}

/// An address as it was typed.
pub fn address(text: &str) -> Option<Email> {
    rules::email(text).ok()
}

/// Somebody who has signed in with this address before is not held by what strangers try.
async fn asking(web: &Web, email: &Email, visitor: Visitor, headers: &HeaderMap) -> ApiResult<Asking> {
    let mark = web.store.people().browser_mark(email);
    let is_known_browser = either(headers, COOKIES.known).is_some_and(|kept| kept == mark);
    let is_known = is_known_browser || web.store.people().is_signed_in_from(email, &visitor.ip.to_string()).await?;
    Ok(Asking { from: visitor.ip, is_known })
}

pub async fn ask(
    State(web): State<Arc<Web>>,
    Extension(door): Extension<Door>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    body: Bytes,
) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    let typed = form.text("email");
    let Some(email) = address(typed) else {
        let hosts = other_hosts(&web, &headers).await?;
        let view = SignInView { email: typed, wrong: Some(ADDRESS), ..empty(&web, &headers, &hosts) };
        return Ok(page_with(StatusCode::UNPROCESSABLE_ENTITY, sign_in_page(door.guest(), view)));
    };
    let asking = asking(&web, &email, visitor, &headers).await?;
    if let Err(wait) = web.portal.limits.may_ask(&email, asking) {
        return Ok(too_many(wait));
    }
    let asked = web.store.people().ask_to_sign_in(&email).await?;
    if let Some(found) = asked.mail {
        // A link to a name of somebody else would hand them what is in it.
        let base = match at_door(&web, &headers, found.user.id).await? {
            Some(_) => asked_base(&web, &headers),
            None => web.base_url.clone(),
        };
        mail::sign_in(&web, door.language, base, found);
    }
    let seconds = SIGN_IN_LIFETIME.as_secs();
    Ok(with_cookie(to("/portal/sign-in/code"), COOKIES.browser, &asked.browser, seconds, visitor))
}

pub async fn show_code(
    State(web): State<Arc<Web>>,
    Extension(door): Extension<Door>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let browser = either(&headers, COOKIES.browser).unwrap_or_default();
    if web.store.people().sign_in_ends(browser).await?.is_none() {
        return Ok(to("/portal/sign-in"));
    }
    Ok(page(code_page(door.guest(), CodeView::default())))
}

pub async fn check_code(
    State(web): State<Arc<Web>>,
    Extension(door): Extension<Door>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    body: Bytes,
) -> ApiResult<Response> {
    let browser = either(&headers, COOKIES.browser).unwrap_or_default();
    let form = PortalForm::parse(&body);
    match web.store.people().check_sign_in_code(browser, form.text("code")).await? {
        CodeCheck::Right(user) => enter(&web, user, SignInWay::MailedCode, visitor, &headers, "/portal/leads").await,
        CodeCheck::Wrong { left } => {
            let view = CodeView { tries_left: Some(left) };
            Ok(page_with(StatusCode::UNPROCESSABLE_ENTITY, code_page(door.guest(), view)))
        }
        CodeCheck::Ended => Ok(over()),
    }
}

fn over() -> Response {
    let said = "It works once, for 15 minutes, and ends after five wrong codes. Ask for a new one.";
    ended(StatusCode::GONE, Ending::Said { title: "This has expired", said })
}

/// Lets a browser in, to the page that it asked for, or to `path`.
pub async fn enter(
    web: &Web,
    user: UserId,
    way: SignInWay,
    visitor: Visitor,
    headers: &HeaderMap,
    path: &str,
) -> ApiResult<Response> {
    let Some(user) = at_door(web, headers, user).await? else {
        return Ok(ended(StatusCode::FORBIDDEN, Ending::Refused { said: NOT_THEIR_DOOR }));
    };
    let token = begin(web, user, way, visitor, headers).await?;
    let entered = with_session(to(page_after_sign_in(headers, path)), &token, visitor);
    let entered = match web.store.people().find_user(user).await? {
        Some(user) => with_mark(web, entered, &user.email, visitor),
        None => entered,
    };
    Ok(forget(entered, visitor))
}

/// Marks the browser as one that this user was signed in with: strangers' tries do not hold it up.
pub fn with_mark(web: &Web, response: Response, email: &Email, visitor: Visitor) -> Response {
    with_cookie(response, COOKIES.known, &web.store.people().browser_mark(email), KNOWN_SECONDS, visitor)
}

/// As whom somebody works at the name that was asked for. A company's own domain is for its people: others would leave a
/// session at a name that may lead to another server tomorrow.
async fn at_door(web: &Web, headers: &HeaderMap, user: UserId) -> ApiResult<Option<UserId>> {
    let Some(door) = asked_company(web, headers) else { return Ok(Some(user)) };
    let Some(user) = web.store.people().find_user(user).await? else { return Ok(None) };
    if user.role == Role::Operator {
        return Ok(None);
    }
    Ok(web.store.people().find_user_in(door, &user.email).await?.map(|user| user.id))
}

pub async fn begin(
    web: &Web,
    user: UserId,
    way: SignInWay,
    visitor: Visitor,
    headers: &HeaderMap,
) -> ApiResult<String> {
    let user_agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let network = visitor.ip.to_string();
    let earlier = signed_in(web, headers).await?.map(|(session, _)| session);
    let domain = asked_domain(web, headers);
    let origin = SessionOrigin { way, user_agent, network: &network, domain: &domain };
    Ok(web.store.people().begin_session_after(earlier.as_ref(), user, origin).await?)
}

pub async fn show_link(
    State(web): State<Arc<Web>>,
    Extension(door): Extension<Door>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let query = PortalForm::of_query(query.as_deref());
    let token = query.text("token");
    Ok(match web.store.people().look_at_link(token, either(&headers, COOKIES.browser)).await? {
        LinkState::Ready(user) => match web.store.people().find_user(user).await? {
            Some(user) => page(link_page(door.guest(), user.name.as_str(), token)),
            None => over(),
        },
        LinkState::OtherBrowser { code } => page(other_browser_page(door.guest(), &code)),
        LinkState::Ended => over(),
    })
}

pub async fn use_link(
    State(web): State<Arc<Web>>,
    Extension(door): Extension<Door>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    body: Bytes,
) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    Ok(match web.store.people().use_link(form.text("token"), either(&headers, COOKIES.browser)).await? {
        LinkState::Ready(user) => enter(&web, user, SignInWay::MailedLink, visitor, &headers, "/portal/leads").await?,
        LinkState::OtherBrowser { code } => page(other_browser_page(door.guest(), &code)),
        LinkState::Ended => over(),
    })
}

pub async fn show_recovery(Extension(door): Extension<Door>) -> Response {
    page(recovery_page(door.guest(), "", None))
}

pub async fn use_recovery(
    State(web): State<Arc<Web>>,
    Extension(door): Extension<Door>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    body: Bytes,
) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    let typed = form.text("email");
    let wrong = |said: &'static str| {
        page_with(StatusCode::UNPROCESSABLE_ENTITY, recovery_page(door.guest(), typed, Some(said)))
    };
    let Some(email) = address(typed) else { return Ok(wrong(ADDRESS)) };
    let asking = asking(&web, &email, visitor, &headers).await?;
    if let Err(wait) = web.portal.limits.may_recover(&email, asking) {
        return Ok(too_many(wait));
    }
    match web.store.people().use_recovery_code(&email, form.text("code")).await? {
        Some(user) => enter(&web, user, SignInWay::RecoveryCode, visitor, &headers, "/portal/settings").await,
        // The same whether the address is known or not.
        None => Ok(wrong("The email and code don’t match, or the code was already used.")),
    }
}

pub async fn sign_out(
    State(web): State<Arc<Web>>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    if let Some((session, user)) = signed_in(&web, &headers).await? {
        web.store.people().end_session(user.id, session.id).await?;
    }
    Ok(without_session(to("/portal/sign-in"), visitor))
}
