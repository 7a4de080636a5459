//! The first run's second half: known homes, the live page, the test lead, the end.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use shingle_app::areas::zip_of_line;
use shingle_app::known_homes::{ExampleHome, KnownHomes};
use shingle_app::leads::test_lead::known_homes;
use shingle_domain::Role;
use shingle_portal::{
    AreaLoadView, AreaLoadingView, AreaPlace, AreaView, AreaWay, DoneView, ExampleView, Hours, LiveView, Notice,
    TestLeadView, start_area_page, start_done_page, start_lead_page, start_live_page, translated,
};
use shingle_store::{StoredWidget, User};
use shingle_widget::words::dollars;
use url::form_urlencoded::Serializer;

use crate::portal::areas::form::{AreaAnswer, TypedArea};
use crate::portal::areas::rows::{loading_now, rows};
use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::mail;
use crate::portal::responses::{FRAMING, page, page_with, to, too_many};
use crate::portal::settings::page::{frame, zone};
use crate::portal::start::progress::newest;
use crate::portal::start::test_lead;
use crate::portal::widgets::sightings::{Look, SiteLooks};
use crate::state::Web;
use crate::web::connection::Visitor;
use crate::web::error::ApiResult;

type Frame<'f> = shingle_portal::Signed<'f>;

fn example(stored: &StoredWidget, home: &ExampleHome, is_demo: bool) -> ExampleView {
    let link = || {
        let query = Serializer::new(String::new()).append_pair("address", &home.address).finish();
        format!("/w/{}/measure?{query}", stored.widget.link_id())
    };
    ExampleView {
        address: home.address.clone(),
        roof_area: home.roof_area,
        price: dollars(home.price),
        link: (!is_demo).then(link),
    }
}

async fn operators(web: &Web) -> ApiResult<Vec<User>> {
    let all = web.store.people().list_all_users().await?;
    Ok(all.into_iter().filter(|user| user.role == Role::Operator).collect())
}

pub async fn area(
    web: &Arc<Web>,
    signed: &Signed,
    frame: &Frame<'_>,
    stored: &StoredWidget,
    query: &PortalForm,
) -> ApiResult<Response> {
    let known: KnownHomes = known_homes(web.app(), stored).await?;
    let examples: Vec<ExampleView> =
        known.examples.iter().map(|home| example(stored, home, known.are_demo())).collect();
    let names: Vec<String> = operators(web).await?.iter().map(|user| user.name.as_str().to_owned()).collect();
    let is_operator = signed.user.role == Role::Operator;
    let rows = if is_operator { rows(web, signed.language) } else { Vec::new() };
    let loaded = || rows.iter().filter_map(|row| row.load.as_ref());
    let sum = |(all, with): (u64, u64), load: &AreaLoadView| (all + load.homes, with + load.with_outline);
    let outlines = loaded().next().map(|_| loaded().fold((0, 0), sum));
    let hours = Hours::new(&zone(web, signed).await?, web.clock.now(), signed.language);
    let loading = loading_now(web, signed.language).filter(|_| is_operator);
    let chooses = query.has("place") || query.has("add");
    let has_ended = known.are_demo() && !rows.is_empty() && !chooses;
    let answer = match query.has("place") && loading.is_none() && is_operator {
        true => AreaAnswer::asked(web, signed.language, TypedArea::of(query)).await,
        false => AreaAnswer::proposed(near(stored)),
    };
    let way = match loading {
        _ if !is_operator => AreaWay::Ask { can_mail: web.mail.is_some() && !names.is_empty(), operators: &names },
        Some(loading) => AreaWay::Loading(loading),
        None if has_ended => AreaWay::Ended(&rows, &hours),
        None if known.are_demo() || chooses => AreaWay::Choose(Box::new(answer.view(web, AreaPlace::Start))),
        None => AreaWay::More,
    };
    let view = AreaView {
        is_demo: known.are_demo(),
        homes: known.homes,
        towns: known.towns,
        examples: &examples,
        outlines,
        way,
    };
    let status = if answer.is_refused() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok(page_with(status, start_area_page(frame, &view)))
}

/// Around the company's own ZIP.
fn near(stored: &StoredWidget) -> TypedArea {
    let zip = zip_of_line(&stored.widget.company_address);
    TypedArea::around(zip.as_ref().map_or("", |zip| zip.as_str()))
}

/// Asks everybody who runs this installation to load the company's homes.
pub async fn ask(State(web): State<Arc<Web>>, Extension(signed): Extension<Arc<Signed>>) -> ApiResult<Response> {
    let Some(stored) = newest(&web, &signed).await? else { return Ok(to("/portal/start")) };
    if web.mail.is_none() {
        return Ok(to("/portal/start?step=4"));
    }
    if let Err(wait) = web.portal.limits.may_send_test_lead(signed.account) {
        return Ok(too_many(wait));
    }
    for operator in operators(&web).await? {
        mail::homes_asked(&web, signed.language, &operator, &signed.user, &stored.widget);
    }
    let text = translated(signed.language, "The administrator has an email from you. They reply to you.").to_owned();
    let notice = Notice { text: text.into(), is_wrong: false };
    area(&web, &signed, &frame(&signed, Some(notice)), &stored, &PortalForm::of_query(None)).await
}

pub async fn page_of(
    web: &Arc<Web>,
    signed: &Signed,
    frame: &Frame<'_>,
    stored: &StoredWidget,
    look: Option<Look>,
) -> ApiResult<Response> {
    let hours = Hours::new(&zone(web, signed).await?, web.clock.now(), signed.language);
    let looks = SiteLooks::find(web, signed, stored).await?;
    let record = web.record(signed.account, &stored.widget);
    let status = look.as_ref().map_or(StatusCode::OK, |look| look.status);
    let check = stored.widget.has_site().then(|| looks.view(record.company_url.as_str(), look.as_ref(), &hours));
    let loading = loading_of(web, signed);
    let view = LiveView {
        loading: loading.as_ref(),
        record: &record,
        hosted_path: hosted_path(stored),
        code: code(stored),
        check,
    };
    Ok(([FRAMING], page_with(status, start_live_page(frame, &view))).into_response())
}

/// For those who may look at it.
fn loading_of(web: &Web, signed: &Signed) -> Option<AreaLoadingView> {
    loading_now(web, signed.language).filter(|_| signed.user.role == Role::Operator)
}

fn hosted_path(stored: &StoredWidget) -> String {
    format!("/w/{}", stored.widget.link_id())
}

fn code(stored: &StoredWidget) -> String {
    format!("/storage/{}", stored.widget.hosted_qr_path())
}

/// Whether the script is on the site.
pub async fn check(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Extension(visitor): Extension<Visitor>,
    body: Bytes,
) -> ApiResult<Response> {
    let Some(stored) = newest(&web, &signed).await? else { return Ok(to("/portal/start")) };
    let typed = PortalForm::parse(&body).text("address").to_owned();
    let look = Look::at(&web, &signed, visitor, &stored, typed).await?;
    page_of(&web, &signed, &frame(&signed, None), &stored, Some(look)).await
}

pub async fn lead(web: &Arc<Web>, signed: &Signed, frame: &Frame<'_>, stored: &StoredWidget) -> ApiResult<Response> {
    let known = known_homes(web.app(), stored).await?;
    let home = known.examples.first().map(|home| example(stored, home, known.are_demo()));
    let loading = loading_of(web, signed);
    let view = TestLeadView {
        loading: loading.as_ref(),
        company_email: stored.widget.company_email.as_str(),
        has_mail: web.mail.is_some(),
        devices: web.store.destinations().list_push_devices(signed.account, signed.user.id).await?.len(),
        home: home.as_ref(),
        is_demo: known.are_demo(),
    };
    Ok(page(start_lead_page(frame, &view)))
}

pub async fn send_test_lead(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Extension(visitor): Extension<Visitor>,
) -> ApiResult<Response> {
    let Some(stored) = newest(&web, &signed).await? else { return Ok(to("/portal/start")) };
    if let Err(wait) = web.portal.limits.may_send_test_lead(signed.account) {
        return Ok(too_many(wait));
    }
    test_lead::send(&web, &signed, stored, visitor.ip).await?;
    Ok(to("/portal/start?step=done"))
}

pub async fn done(
    web: &Arc<Web>,
    signed: &Signed,
    frame: &Frame<'_>,
    stored: &StoredWidget,
    lead_path: Option<&str>,
) -> ApiResult<Response> {
    let record = web.record(signed.account, &stored.widget);
    let devices = web.store.destinations().list_push_devices(signed.account, signed.user.id).await?;
    let loading = loading_of(web, signed);
    let view = DoneView {
        loading: loading.as_ref(),
        record: &record,
        hosted_path: hosted_path(stored),
        code: code(stored),
        has_site: stored.widget.has_site(),
        is_demo: known_homes(web.app(), stored).await?.are_demo(),
        lead_path,
        push_key: web.push_key.as_deref(),
        is_on: devices.iter().any(|device| device.session == signed.session.id && device.is_active()),
    };
    Ok(page(start_done_page(frame, &view)))
}
