//! `/portal/people`: the company's users and invitations.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, Path, RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use shingle_domain::{Environment, InviteId, Role, UserId, WidgetScope};
use shingle_portal::{Hours, Notice, People, people_page};
use shingle_store::{INVITE_LIFETIME, InviteDraft, StoreError};

use crate::portal::access::OWNER;
use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::mail;
use crate::portal::responses::{or_not_there, page_with, to, too_many};
use crate::portal::route::Page;
use crate::portal::settings::page::{frame, said, zone};
use crate::portal::sign_in::session;
use crate::portal::widgets::titles::widget_titles;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};

/// To a form whose ticks and choice contradict each other.
const UNCLEAR: &str = "Choose every widget and tick none, or choose only some and tick them.";

/// What was just done, or is wrong.
#[derive(Default)]
struct Told<'t> {
    link: Option<&'t str>,
    mailed: bool,
    email: &'t str,
    ticked: WidgetScope,
    wrong: Option<&'static str>,
    notice: Option<Notice>,
}

async fn people(web: &Web, signed: &Signed, status: StatusCode, told: Told<'_>) -> ApiResult<Response> {
    let hours = Hours::new(&zone(web, signed).await?, web.clock.now(), signed.language);
    let users = web.store.people().list_users(signed.account).await?;
    let invites = web.store.people().list_invites(signed.account).await?;
    let mut widgets = widget_titles(web, &signed.tenant(Environment::Production)).await?;
    widgets.extend(widget_titles(web, &signed.tenant(Environment::Sandbox)).await?);
    let Told { link, mailed, email, ticked, wrong, notice } = told;
    let view = People {
        users: &users,
        invites: &invites,
        own: signed.user.id,
        hours: &hours,
        link,
        mailed,
        email,
        wrong,
        widgets: &widgets,
        ticked: &ticked,
    };
    Ok(page_with(status, people_page(&frame(signed, notice), &view)))
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let query = PortalForm::of_query(query.as_deref());
    people(&web, &signed, StatusCode::OK, Told { notice: said(&query), ..Told::default() }).await
}

pub async fn invite(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    body: Bytes,
) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    let typed = form.text("email");
    let chosen = ticked(&web, &signed, &form).await?;
    let sees = chosen.clone().unwrap_or_default();
    let wrong = |said: &'static str| Told { email: typed, ticked: sees.clone(), wrong: Some(said), ..Told::default() };
    if chosen.is_none() {
        return people(&web, &signed, StatusCode::UNPROCESSABLE_ENTITY, wrong(UNCLEAR)).await;
    }
    let Some(email) = session::address(typed) else {
        let told = wrong("Please type an email address, like tomas@example.com.");
        return people(&web, &signed, StatusCode::UNPROCESSABLE_ENTITY, told).await;
    };
    // Operators are made on the command line alone.
    let role = match form.text("role").parse::<Role>() {
        Ok(role @ (Role::Member | Role::Owner)) => role,
        _ => {
            let told = wrong("Please choose what your teammate can do.");
            return people(&web, &signed, StatusCode::UNPROCESSABLE_ENTITY, told).await;
        }
    };
    if role == Role::Owner && !sees.is_all() {
        let told = wrong("An owner sees every widget. Invite a member, or choose every widget.");
        return people(&web, &signed, StatusCode::UNPROCESSABLE_ENTITY, told).await;
    }
    if web.store.people().find_user_in(signed.account, &email).await?.is_some() {
        return people(&web, &signed, StatusCode::CONFLICT, wrong("They’re already on your team.")).await;
    }
    if let Err(wait) = web.portal.limits.may_invite(signed.account, &email) {
        return Ok(too_many(wait));
    }
    let draft = InviteDraft {
        account: Some(signed.account),
        role,
        sees,
        email: Some(email.clone()),
        by: Some(signed.user.id),
        lifetime: INVITE_LIFETIME,
    };
    let token = match web.store.people().invite_once(&draft, form.request_key().as_ref()).await {
        Ok((_, token)) => token,
        Err(StoreError::MadeBefore) => {
            let text = "You already sent this form: they’re invited.".into();
            let told = Told { notice: Some(Notice { text, is_wrong: true }), ..Told::default() };
            return people(&web, &signed, StatusCode::CONFLICT, told).await;
        }
        Err(other) => return Err(other.into()),
    };
    let link = format!("{}/portal/invite?token={token}", web.own_domains.base_of(signed.account));
    let mailed = format!("{link}&mailed={}", web.store.people().mailed_mark(&token));
    mail::invite(
        &web,
        signed.language,
        email,
        (&signed.company, &signed.brand.name),
        signed.user.name.as_str(),
        &mailed,
    );
    let told = Told { link: Some(&link), mailed: web.mail.is_some(), ..Told::default() };
    people(&web, &signed, StatusCode::OK, told).await
}

pub async fn end_invite(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
) -> Response {
    let ended = async {
        let id: InviteId = id.parse().map_err(|_| ApiError::NotFound)?;
        web.store.people().end_invite(signed.account, id).await?;
        Ok(to("/portal/people?said=ended"))
    };
    or_not_there(ended.await)
}

pub async fn change_role(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    body: Bytes,
) -> Response {
    let changed = async {
        let id: UserId = id.parse().map_err(|_| ApiError::NotFound)?;
        let role = match PortalForm::parse(&body).text("role").parse::<Role>() {
            Ok(role @ (Role::Member | Role::Owner)) => role,
            _ => return Ok(to("/portal/people?said=unknown")),
        };
        if id == signed.user.id {
            return Ok(to("/portal/people?said=ownRole"));
        }
        match web.store.people().change_role(signed.account, id, role).await {
            Ok(()) => Ok(to("/portal/people?said=role")),
            Err(StoreError::LastOwner) => Ok(to("/portal/people?said=lastOwner")),
            Err(other) => Err(other.into()),
        }
    };
    or_not_there(changed.await)
}

/// What a form says that somebody sees: every widget, or the ticked ones. `None`: it contradicts itself, and nobody is shown
/// everything by mistake.
async fn ticked(web: &Web, signed: &Signed, form: &PortalForm) -> ApiResult<Option<WidgetScope>> {
    let mut own = web.store.widgets().list(&signed.tenant(Environment::Production)).await?;
    own.extend(web.store.widgets().list(&signed.tenant(Environment::Sandbox)).await?);
    let named: Vec<&str> = form.all("widget").collect();
    let own = own.iter().map(|stored| stored.widget.reference_id);
    let scope = WidgetScope::only(own.filter(|id| named.contains(&id.to_string().as_str())));
    let some = scope.ids().is_some_and(|ids| !ids.is_empty());
    Ok(match (form.text("sees"), named.is_empty()) {
        ("only", false) => Some(scope).filter(|_| some),
        ("only", true) => None,
        (_, true) => Some(WidgetScope::All),
        (_, false) => None,
    })
}

pub async fn choose_widgets(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    body: Bytes,
) -> Response {
    let chosen = async {
        let id: UserId = id.parse().map_err(|_| ApiError::NotFound)?;
        let Some(scope) = ticked(&web, &signed, &PortalForm::parse(&body)).await? else {
            return Ok(to("/portal/people?said=unclear"));
        };
        web.store.people().set_sees(signed.account, id, &scope).await?;
        Ok(to("/portal/people?said=sees"))
    };
    or_not_there(chosen.await)
}

pub async fn remove(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
) -> Response {
    let removed = async {
        let id: UserId = id.parse().map_err(|_| ApiError::NotFound)?;
        if id == signed.user.id {
            return Ok(to("/portal/people?said=self"));
        }
        let is_above =
            |user: &shingle_store::User| user.account == Some(signed.account) && user.role > signed.user.role;
        if web.store.people().find_user(id).await?.as_ref().is_some_and(is_above) {
            return Ok(to("/portal/people?said=above"));
        }
        match web.store.people().remove_user(signed.account, id).await {
            Ok(()) => Ok(to("/portal/people?said=removed")),
            Err(StoreError::LastOwner) => Ok(to("/portal/people?said=lastOwner")),
            Err(other) => Err(other.into()),
        }
    };
    or_not_there(removed.await)
}

/// The routes of this feature.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        Page::get("/portal/people", OWNER, show).for_support(),
        Page::post("/portal/people/invites", OWNER, invite),
        Page::post("/portal/people/invites/{id}/end", OWNER, end_invite),
        Page::post("/portal/people/{id}/role", OWNER, change_role),
        Page::post("/portal/people/{id}/widgets", OWNER, choose_widgets),
        Page::post("/portal/people/{id}/remove", OWNER, remove),
    ]
}
