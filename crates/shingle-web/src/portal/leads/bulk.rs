//! What is done to several leads at once: those that are ticked, or all of a list.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, State};
use axum::response::Response;
use shingle_domain::lead::LeadStatus;
use shingle_domain::{Environment, LeadId, Tenant, UserId};
use shingle_store::{OwnerChange, StoreError};

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::leads::controls::tell_assignee;
use crate::portal::leads::list::table_of;
use crate::portal::leads::query::{Asked, asked, environment, own_path, with_said};
use crate::portal::responses::{or_not_there, to};
use crate::portal::settings::page::zone;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use shingle_app::lead_pages::LeadPages;

/// Changed together: each is a transaction with its event.
const MAX_TOGETHER: usize = 500;

/// What the button says.
enum Deed {
    Status(LeadStatus),
    Assign(Option<UserId>),
}

pub async fn change(State(web): State<Arc<Web>>, Extension(signed): Extension<Arc<Signed>>, body: Bytes) -> Response {
    let form = PortalForm::parse(&body);
    or_not_there(changed(&web, &signed, &form).await)
}

async fn changed(web: &Arc<Web>, signed: &Signed, form: &PortalForm) -> ApiResult<Response> {
    let listed = format!("/portal/leads?{}", form.text("query"));
    let back = own_path(&listed);
    let answer = |said: &str| Ok(to(&with_said(back, said)));
    let tenant = signed.tenant(environment(form));
    let whole = form.text("all") == "yes";
    if form.text("do") == "download" && whole {
        let Asked { query, .. } = listed_query(web, signed, form).await?;
        return table_of(web, signed, &tenant, LeadPages::of_query(web.store.clone(), tenant, query)).await;
    }
    let (ids, is_cut) = chosen(web, signed, &tenant, form, whole).await?;
    if ids.is_empty() {
        return answer("none");
    }
    let deed = match form.text("do") {
        "download" => return table_of(web, signed, &tenant, LeadPages::of_ids(web.store.clone(), tenant, ids)).await,
        "spam" => Deed::Status(LeadStatus::Spam),
        "assign" => Deed::Assign(match form.text("person") {
            "nobody" => None,
            "me" => Some(signed.user.id),
            id => Some(id.parse().map_err(|_| ApiError::NotFound)?),
        }),
        // A form that is sent by the Enter key has no button.
        _ => match form.text("set").parse() {
            Ok(status) => Deed::Status(status),
            Err(()) => return answer("none"),
        },
    };
    let (mut gone, mut done) = (false, Vec::new());
    for id in ids {
        match do_one(web, signed, &tenant, id, &deed).await {
            Ok(()) => done.push(id),
            // Erased meanwhile by a teammate, or another's: the others are done.
            Err(StoreError::NotFound) => gone = true,
            Err(other) => return Err(other.into()),
        }
    }
    if let Deed::Assign(person @ Some(_)) = deed {
        let leads = web.store.leads().by_id(&tenant, &done).await?;
        let data = if tenant.environment == Environment::Sandbox { "&data=sandbox" } else { "" };
        tell_assignee(web, signed, &tenant, person, &leads, &format!("/portal/leads?assignee=me{data}")).await?;
    }
    let count = done.len();
    answer(&match deed {
        _ if gone => "some".to_owned(),
        _ if is_cut => "first".to_owned(),
        Deed::Status(_) => format!("set&count={count}"),
        Deed::Assign(_) => format!("given&count={count}"),
    })
}

async fn do_one(web: &Web, signed: &Signed, tenant: &Tenant, id: LeadId, deed: &Deed) -> Result<(), StoreError> {
    match deed {
        Deed::Status(status) => {
            let change = OwnerChange { status: Some(*status), ..OwnerChange::default() };
            web.store.leads().change_by(tenant, id, &change, Some(&signed.user)).await.map(drop)
        }
        Deed::Assign(person) => web.store.leads().assign(tenant, id, &signed.user, *person, None).await,
    }
}

async fn listed_query(web: &Web, signed: &Signed, form: &PortalForm) -> ApiResult<Asked> {
    let query = PortalForm::of_query(Some(form.text("query")));
    Ok(asked(&query, &zone(web, signed).await?, signed.user.id))
}

/// And whether there are more.
async fn chosen(
    web: &Web,
    signed: &Signed,
    tenant: &Tenant,
    form: &PortalForm,
    whole: bool,
) -> ApiResult<(Vec<LeadId>, bool)> {
    if whole {
        let Asked { query, .. } = listed_query(web, signed, form).await?;
        let (ids, total) = web.store.leads().list_ids(tenant, &query, MAX_TOGETHER).await?;
        let is_cut = total.is_none_or(|total| total > ids.len());
        return Ok((ids, is_cut));
    }
    let ids = form.all("lead").filter_map(|id| id.parse().ok()).take(MAX_TOGETHER).collect();
    Ok((ids, false))
}
