//! In front of every route of the portal: is it in the table, does the form come from a page of ours, who is signed in, and
//! may they?

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use futures_util::{StreamExt as _, stream};
use shingle_domain::{AccountId, Environment, Role, Tenant, Usd};
use shingle_portal::{
    Guest, Hours, Language, Notice, Reach, Trouble, Visiting, perhaps_elsewhere_page, visit_refused_page,
};
use shingle_store::{Account, Actor, Brand, OwnCompany, Session, User, act_as, see_only};

use crate::portal::access::{Access, AccessTable, ClientReach, PageAccess};
use crate::portal::door::Door;
use crate::portal::form::PortalForm;
use crate::portal::homes_relay::{Relay, relay};
use crate::portal::responses::{COOKIES, Ending, either, ended, page_with, to, too_many};
use crate::portal::sign_in::return_to::sign_in_first;
use crate::state::Web;
use crate::visitor::hosted::preferred_language;
use crate::web::connection::Visitor;
use crate::web::error::{ApiError, ApiResult, NotFoundMarker};
use crate::web::own_origin::{asked_base, asked_company, asked_domain, is_own_origin};
use crate::web::page_headers::HTML;

/// Who is signed in, in their company.
#[derive(Debug, Clone)]
pub struct Signed {
    pub session: Session,
    pub user: User,
    pub language: Language,
    pub account: AccountId,
    pub company: String,
    /// Until when an operator looks at this company, in words; `None`: they are of the company.
    pub visiting: Option<String>,
    pub new_leads: u64,
    /// Of this answer's forms.
    pub once: String,
    pub trouble: Option<Trouble>,
    pub asks_zone: bool,
    here: String,
    /// Of a person in several.
    pub companies: Vec<OwnCompany>,
    table: Arc<AccessTable>,
    pub brand: Brand,
    /// The address that the browser asked for: a company's own domain, or the installation's.
    pub asked_base: String,
    /// Of a client.
    reach: Option<ClientReach>,
}

/// An operator on the pages of the installation.
#[derive(Debug, Clone)]
pub struct Operating {
    pub session: Session,
    pub user: User,
    pub language: Language,
    /// Of this answer's forms.
    pub once: String,
    /// Their own, or the one that they look at.
    pub company: Option<String>,
    pub visiting: Option<String>,
    /// Of a person in several.
    pub companies: Vec<OwnCompany>,
    table: Arc<AccessTable>,
}

impl Operating {
    pub fn visiting(&self) -> Option<Visiting<'_>> {
        self.visiting.as_deref().map(|until| Visiting { until, reach: &*self.table })
    }
}

impl Signed {
    /// What every page has around it.
    pub fn frame(&self, notice: Option<Notice>) -> shingle_portal::Signed<'_> {
        shingle_portal::Signed {
            name: self.user.name.as_str(),
            company: Some(&self.company),
            role: self.user.role,
            language: self.language,
            notice,
            visiting: self.visiting.as_deref().map(|until| Visiting { until, reach: &*self.table }),
            new_leads: self.new_leads,
            once: &self.once,
            trouble: self.trouble,
            asks_zone: self.asks_zone,
            here: Some(&self.here),
            companies: &self.companies,
            brand: Some(&self.brand),
            client: self.reach.as_ref().map(|reach| reach as &dyn Reach),
        }
    }

    pub fn tenant(&self, environment: Environment) -> Tenant {
        Tenant { account: self.account, environment }
    }
}

/// At a company's own domain.
pub const NOT_THEIR_DOOR: &str =
    "This address is for the people of one company. Open the portal at the address of your own company.";

/// Of a company of which nobody has said where it is.
const NO_ZONE: &str = "UTC";

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// What the gate looks at.
#[derive(Clone)]
pub struct Gate {
    pub web: Arc<Web>,
    pub table: Arc<AccessTable>,
}

pub async fn gate(State(Gate { web, table }): State<Gate>, mut request: Request, next: Next) -> Response {
    let path = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned()).unwrap_or_default();
    // A HEAD is a GET without its body.
    let method = if request.method() == Method::HEAD { Method::GET } else { request.method().clone() };
    let found = table.find(&method, &path);
    let is_read = header_text(request.headers(), header::ACCEPT).contains("text/html");
    // Until somebody who is signed in has chosen another.
    let preferred = preferred_language(request.headers());
    let Some(page) = found else {
        let uri = request.uri();
        return match table.page_above(&path, uri.path()).filter(|_| method == Method::GET && is_read) {
            Some(above) => to(&uri.query().map_or(above.clone(), |query| format!("{above}?{query}"))),
            None => written(ApiError::NotFound.into_response(), preferred.into(), is_read),
        };
    };
    let mut language = preferred;
    request.extensions_mut().insert(preferred);
    let door = match Door::of(&web, request.headers(), preferred).await {
        Ok(door) => door,
        Err(error) => return written(error.into_response(), preferred.into(), is_read),
    };
    request.extensions_mut().insert(door.clone());
    let response = if method == Method::POST && !is_own_form(&web, request.headers()) {
        let said = "This form came from another site, or your browser didn’t say where it came from. Open the portal and try again.";
        ended(StatusCode::FORBIDDEN, Ending::Said { title: "From another page", said })
    } else if let Err(wait) = may_try(&web, &request, page.access) {
        too_many(wait)
    } else {
        match admit(&web, &table, request.headers(), page).await {
            Ok(Admission::Open) => next.run(request).await,
            Ok(Admission::Signed(signed)) if is_for_another(&request, signed.account) => {
                language = signed.language;
                ended(StatusCode::CONFLICT, ANOTHER_COMPANY)
            }
            Ok(Admission::Signed(signed)) => {
                language = signed.language;
                let signed = Arc::new(*signed);
                request.extensions_mut().insert(signed.clone());
                let to = request.uri().path_and_query().map(|path| path.as_str().to_owned()).unwrap_or_default();
                let response = match relayed(&web, signed.user.role, request).await {
                    Relay::Here(request) => next.run(request).await,
                    Relay::Answered(response) => return response,
                    Relay::Ended(response) => response,
                };
                let is_page = is_read || response.extensions().get::<Ending>().is_some();
                let is_missing = response.status() == StatusCode::NOT_FOUND && method == Method::GET && is_page;
                match is_missing && signed.companies.len() > 1 {
                    true => page_with(StatusCode::NOT_FOUND, perhaps_elsewhere_page(&signed.frame(None), &to)),
                    false => response,
                }
            }
            Ok(Admission::Operating(operating)) => {
                language = operating.language;
                let role = operating.user.role;
                request.extensions_mut().insert(Arc::new(*operating));
                match relayed(&web, role, request).await {
                    Relay::Here(request) => next.run(request).await,
                    Relay::Answered(response) => return response,
                    Relay::Ended(response) => response,
                }
            }
            Ok(Admission::Elsewhere(path)) => Redirect::to(path).into_response(),
            Ok(Admission::SignInFirst) => sign_in_first(&request),
            Ok(Admission::NotForVisits(signed)) => {
                let back = table.page_above(&path, request.uri().path()).filter(|path| table.may_open(path));
                let back = back.as_deref().unwrap_or("/portal/leads");
                page_with(StatusCode::FORBIDDEN, visit_refused_page(&signed.frame(None), back))
            }
            Ok(Admission::Refused { said, to }) => {
                language = to;
                ended(StatusCode::FORBIDDEN, Ending::Refused { said })
            }
            Err(error) => error.into_response(),
        }
    };
    let mut response = with_mark(written(response, Guest { language, ..door.guest() }, is_read));
    let headers = response.headers_mut();
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    // Addresses of the portal hold ids, and those of links hold what opens them.
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    headers.insert("x-robots-tag", HeaderValue::from_static("noindex"));
    // A signed-in user is known by a cookie, and no cache keeps their pages.
    if is_html(headers) {
        headers.insert(header::VARY, HeaderValue::from_static("accept-language"));
    }
    response
}

/// By the server that has the files of the page.
async fn relayed(web: &Web, role: Role, request: Request) -> Relay {
    let visitor = request.extensions().get::<Visitor>().copied();
    relay(web, role, visitor, request).await.unwrap_or_else(|error| Relay::Ended(error.into_response()))
}

/// To a form of a tab that shows another company than this browser has chosen meanwhile.
const ANOTHER_COMPANY: Ending = Ending::Said {
    title: "You switched companies",
    said: "This was open for another company, so we changed nothing. Switch back to it, then send the form again.",
};

/// Whether the page that sent this shows another company.
fn is_for_another(request: &Request, account: AccountId) -> bool {
    let query = PortalForm::of_query(request.uri().query());
    let named = query.text("company");
    !named.is_empty() && named != account.to_string()
}

fn header_text(headers: &HeaderMap, name: header::HeaderName) -> &str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Excel takes a table without the mark of UTF-8 for one in the encoding of its country. Programs read the API instead.
fn with_mark(response: Response) -> Response {
    if !header_text(response.headers(), header::CONTENT_TYPE).starts_with("text/csv") || !response.status().is_success()
    {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    parts.headers.remove(header::CONTENT_LENGTH);
    let mark = stream::once(async { Ok(Bytes::from_static("\u{feff}".as_bytes())) });
    Response::from_parts(parts, Body::from_stream(mark.chain(body.into_data_stream())))
}

fn is_html(headers: &HeaderMap) -> bool {
    header_text(headers, header::CONTENT_TYPE).starts_with("text/html")
}

/// With what ended it as a page. So is an error of the API, where a person would see it.
fn written(mut response: Response, guest: Guest<'_>, is_read: bool) -> Response {
    let status = response.status();
    let is_error = (status.is_client_error() || status.is_server_error()) && !is_html(response.headers());
    let ending = response.extensions_mut().remove::<Ending>();
    let Some(ending) = ending.or_else(|| (is_error && is_read).then(|| Ending::of_error(status))) else {
        return response;
    };
    response.extensions_mut().remove::<NotFoundMarker>();
    response.headers_mut().remove(header::CONTENT_LENGTH);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(HTML));
    *response.body_mut() = Body::from(ending.html(guest));
    response
}

/// Forms of the way in are guesses until they are right.
fn may_try(web: &Web, request: &Request, access: Access) -> Result<(), u64> {
    match request.extensions().get::<Visitor>() {
        // They need a session, so nobody guesses there.
        _ if request.uri().path().starts_with("/portal/companies") => Ok(()),
        Some(visitor) if access == Access::Open && request.method() == Method::POST => {
            web.portal.limits.may_try(visitor.ip)
        }
        _ => Ok(()),
    }
}

enum Admission {
    Open,
    Signed(Box<Signed>),
    Operating(Box<Operating>),
    Elsewhere(&'static str),
    SignInFirst,
    /// To an operator who looks at a company.
    NotForVisits(Box<Signed>),
    Refused {
        said: &'static str,
        to: Language,
    },
}

async fn admit(web: &Web, table: &Arc<AccessTable>, headers: &HeaderMap, page: &PageAccess) -> ApiResult<Admission> {
    let PageAccess { method, path, access, .. } = page;
    let access = *access;
    let least = match access {
        Access::Open => return Ok(Admission::Open),
        Access::Company(least) => least,
        Access::Installation => Role::Operator,
    };
    let Some((session, user)) = signed_in(web, headers).await? else { return Ok(Admission::SignInFirst) };
    let language = user.language.as_deref().map_or_else(|| preferred_language(headers), Language::of_tag);
    let refused = |said| Admission::Refused { said, to: language };
    let is_client = !user.sees.is_all();
    if is_client && !page.for_clients {
        return Ok(refused("This page isn’t part of your access. Ask the company that invited you."));
    }
    if user.role < least && !is_client {
        return Ok(refused(match least {
            Role::Operator => "Only an administrator of this installation can see this.",
            _ => "Only an owner of your company can see this. Ask one of them.",
        }));
    }
    act_as(Actor::User(user.id));
    see_only(user.sees.clone());
    let visit = match user.role {
        Role::Operator => web.store.people().find_visit(session.id).await?,
        _ => None,
    };
    let account = match visit.map(|visit| visit.account).or(user.account) {
        Some(account) => web.store.accounts().find(account).await?,
        None => None,
    };
    let door = asked_company(web, headers);
    // At the door of one company nobody works for another.
    if door.is_some_and(|door| user.role == Role::Operator || account.as_ref().is_none_or(|own| own.id != door)) {
        return Ok(refused(NOT_THEIR_DOOR));
    }
    let once = web.store.new_id()?.to_string();
    let visiting = visit.map(|visit| Hours::new("UTC", web.clock.now(), language).full(visit.expires_at));
    let companies = web.store.people().companies_of(user.id).await?;
    let companies = if companies.len() > 1 && door.is_none() { companies } else { Vec::new() };
    if access == Access::Installation {
        let (company, table) = (account.map(|account| account.name), table.clone());
        return Ok(Admission::Operating(Box::new(Operating {
            session,
            user,
            language,
            once,
            company,
            visiting,
            companies,
            table,
        })));
    }
    let Some(account) = account else {
        // Where a user goes after signing in.
        return Ok(match *path {
            "/portal/leads" => Admission::Elsewhere("/portal/operator"),
            _ => refused("Your sign-in only works for the installation’s own pages. Go to the portal to see them."),
        });
    };
    let leads_elsewhere = path.starts_with("/portal/companies") && !companies.is_empty();
    if account.closing.is_some() && !leads_elsewhere && (visiting.is_some() || !page.when_closed) {
        return Ok(match user.role {
            _ if visiting.is_some() => refused("This company’s account is closed."),
            Role::Member if !companies.is_empty() => Admission::Elsewhere("/portal/companies"),
            Role::Member => refused("Your company’s account is closed. An owner can reopen it for 7 days."),
            _ => Admission::Elsewhere("/portal/closed"),
        });
    }
    let is_for_them = visiting.is_none() || page.for_support;
    let tenant = Tenant { account: account.id, environment: Environment::Production };
    let new_leads = if is_page(method, path) { web.store.leads().count_new(&tenant).await? } else { 0 };
    let price = Usd::from_cents(web.settings.lookup_cents);
    let trouble = if user.role >= Role::Owner { trouble(&account, price) } else { None };
    let asks_zone = match user.role >= Role::Owner && visiting.is_none() {
        true => {
            let settings = web.store.destinations().cached_notice_settings(&tenant).await?;
            Option::as_ref(&settings).is_none_or(|settings| settings.time_zone == NO_ZONE)
        }
        false => false,
    };
    let signed = Signed {
        here: account.id.to_string(),
        companies,
        session,
        user,
        language,
        account: account.id,
        company: account.name,
        visiting,
        new_leads,
        once,
        trouble,
        asks_zone,
        brand: web.store.accounts().brand(account.id).await?,
        asked_base: asked_base(web, headers),
        reach: is_client.then(|| ClientReach(table.clone())),
        table: table.clone(),
    };
    Ok(if is_for_them { Admission::Signed(Box::new(signed)) } else { Admission::NotForVisits(Box::new(signed)) })
}

/// Whether the answer has the menu around it: pictures, files and numbers have not.
fn is_page(method: &Method, path: &str) -> bool {
    let is_file = path.ends_with("/news") || path.rsplit_once('/').is_some_and(|(_, name)| name.contains('.'));
    !is_file && (*method == Method::GET || path.starts_with("/portal/"))
}

/// What every look-up of the account would be refused for, in the order in which look-ups ask.
fn trouble(account: &Account, price: Usd) -> Option<Trouble> {
    if account.paused {
        return Some(Trouble::Paused);
    }
    if account.monthly_limit.is_some_and(|limit| account.used_this_month >= limit) {
        return Some(Trouble::LimitReached);
    }
    account.balance.is_some_and(|balance| balance < price).then_some(Trouble::NothingLeft)
}

pub async fn signed_in(web: &Web, headers: &HeaderMap) -> ApiResult<Option<(Session, User)>> {
    let Some(token) = either(headers, COOKIES.session) else { return Ok(None) };
    Ok(web.store.people().find_session(token, &asked_domain(web, headers)).await?)
}

/// Browsers since 2020 to 2023 send `Sec-Fetch-Site`; older ones send the origin with every form. `none` is somebody who
/// typed an address, which sends no form.
fn is_own_form(web: &Web, headers: &HeaderMap) -> bool {
    let text = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(site) = text(header::HeaderName::from_static("sec-fetch-site")) {
        return site == "same-origin";
    }
    is_own_origin(web, headers)
}
