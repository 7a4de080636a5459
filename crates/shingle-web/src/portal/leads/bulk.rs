//! What is done to several leads at once: those that are ticked, or all of a list.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, State};
use axum::response::Response;
use shingle_domain::lead::LeadStatus;
use shingle_domain::{Environment, LeadId, Tenant, Timestamp, UserId};
use shingle_store::{OwnerChange, StoreError};

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::given_lead::tell_released;
use crate::portal::leads::controls::tell_assignee;
use crate::portal::leads::list::{people, table_of};
use crate::portal::leads::query::{Asked, asked, environment, own_path, with_said};
use crate::portal::responses::{or_not_there, to};
use crate::portal::settings::page::zone;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use shingle_app::lead_csv::Headings;
use shingle_app::lead_pages::LeadPages;

/// Changed together: each is a transaction with its event.
const MAX_TOGETHER: usize = 500;

/// A lead that is selected, with what its row showed. `None`: the whole list was selected, which shows no rows.
struct Chosen {
    id: LeadId,
    seen: Option<Seen>,
}

struct Seen {
    status: LeadStatus,
    /// Empty: nobody.
    assignee: String,
}

impl Chosen {
    /// `id`, or `id.status.assignee` as rows of the list have it.
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, '.');
        let id = parts.next()?.parse().ok()?;
        let seen = match (parts.next(), parts.next()) {
            (Some(status), Some(assignee)) => {
                Some(Seen { status: status.parse().ok()?, assignee: assignee.to_owned() })
            }
            _ => None,
        };
        Some(Self { id, seen })
    }
}

/// What became of those that were selected.
#[derive(Default)]
struct Outcome {
    done: Vec<LeadId>,
    /// A teammate changed them after the list was shown.
    changed: usize,
    gone: usize,
}

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
        return table_of(web, signed, &tenant, LeadPages::of_query(web.store.clone(), tenant, query), Headings::Words)
            .await;
    }
    let (leads, is_cut) = chosen(web, signed, &tenant, form, whole).await?;
    if leads.is_empty() {
        return answer("none");
    }
    let deed = match form.text("do") {
        "download" => {
            let ids = leads.iter().map(|lead| lead.id).collect();
            return table_of(web, signed, &tenant, LeadPages::of_ids(web.store.clone(), tenant, ids), Headings::Words)
                .await;
        }
        "spam" => Deed::Status(LeadStatus::Spam),
        "assign" => Deed::Assign(match form.text("person") {
            "nobody" => None,
            "me" => Some(signed.user.id),
            id => {
                let known = people(web, signed).await?.into_iter().any(|(teammate, _)| teammate == id);
                Some(id.parse().ok().filter(|_| known).ok_or(ApiError::NotFound)?)
            }
        }),
        // A form that is sent by the Enter key has no button.
        _ => match form.text("set").parse() {
            Ok(status) => Deed::Status(status),
            Err(()) => return answer("none"),
        },
    };
    let mut outcome = Outcome::default();
    for lead in leads {
        match do_one(web, signed, &tenant, &lead, &deed).await {
            Ok(()) => outcome.done.push(lead.id),
            // The others are done.
            Err(StoreError::Outdated | StoreError::Merged) => outcome.changed += 1,
            // Erased meanwhile by a teammate, or another company's.
            Err(StoreError::NotFound) => outcome.gone += 1,
            Err(other) => return Err(other.into()),
        }
    }
    let Outcome { done, changed, gone } = outcome;
    if let Deed::Assign(person @ Some(_)) = deed {
        let leads = web.store.leads().by_id(&tenant, &done).await?;
        let data = if tenant.environment == Environment::Sandbox { "&data=sandbox" } else { "" };
        tell_assignee(web, signed, &tenant, person, &leads, &format!("/portal/leads?assignee=me{data}")).await?;
    }
    if is_cut && changed + gone == 0 {
        return answer("first");
    }
    let said = if matches!(deed, Deed::Status(_)) { "set" } else { "given" };
    answer(&format!("{said}&count={}&changed={changed}&gone={gone}", done.len()))
}

async fn do_one(
    web: &Arc<Web>,
    signed: &Signed,
    tenant: &Tenant,
    lead: &Chosen,
    deed: &Deed,
) -> Result<(), StoreError> {
    let seen = lead.seen.as_ref();
    match deed {
        Deed::Status(status) => {
            let seen_status = seen.map(|seen| seen.status);
            let change = OwnerChange { status: Some(*status), seen_status, ..OwnerChange::default() };
            let changed = web.store.leads().change_given(tenant, lead.id, &change, Some(&signed.user)).await?;
            tell_released(web, signed, *tenant, changed).await;
            Ok(())
        }
        Deed::Assign(person) => {
            let seen = seen.map(|seen| seen.assignee.as_str());
            web.store.leads().assign(tenant, lead.id, &signed.user, *person, seen).await
        }
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
) -> ApiResult<(Vec<Chosen>, bool)> {
    if whole {
        let Asked { mut query, .. } = listed_query(web, signed, form).await?;
        // Leads that came in since the page was opened are not what was selected.
        if let Ok(as_of) = form.text("as-of").parse::<i64>() {
            let after = Timestamp::from_micros(as_of.saturating_add(1));
            query.until = Some(query.until.map_or(after, |until| until.min(after)));
        }
        let (ids, total) = web.store.leads().list_ids(tenant, &query, MAX_TOGETHER).await?;
        let is_cut = total.is_none_or(|total| total > ids.len());
        return Ok((ids.into_iter().map(|id| Chosen { id, seen: None }).collect(), is_cut));
    }
    Ok((form.all("lead").filter_map(Chosen::parse).take(MAX_TOGETHER).collect(), false))
}
