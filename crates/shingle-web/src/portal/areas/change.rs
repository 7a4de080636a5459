//! What an operator does with areas.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{Extension, Path, State};
use axum::response::Response;
use shingle_app::areas::{AreaError, AreaOrder, AreaRecord, LoadOptions};
use shingle_portal::AreaPlace;

use crate::portal::areas::area::found;
use crate::portal::areas::form::{AreaAnswer, TypedArea};
use crate::portal::areas::pages::page_of;
use crate::portal::form::PortalForm;
use crate::portal::gate::Operating;
use crate::portal::homes_places::show_own;
use crate::portal::responses::{or_not_there, to};
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};

const REFUSED: &str = "refused";
/// What a page waits for a load that is soon done.
const PATIENCE: Duration = Duration::from_secs(1);

/// Back to the page whose form it was, which says what became of it.
fn back(form: &PortalForm, said: &str) -> Response {
    let path = AreaPlace::of(form.text("from")).path();
    if said.is_empty() {
        return to(path);
    }
    let join = if path.contains('?') { '&' } else { '?' };
    to(&format!("{path}{join}area={said}"))
}

/// The page of the button shows the license.
pub async fn load(
    State(web): State<Arc<Web>>,
    Extension(operating): Extension<Arc<Operating>>,
    body: Bytes,
) -> Response {
    let form = PortalForm::parse(&body);
    let typed = TypedArea::of(&form);
    match typed.find(&web) {
        Ok(found) => begun(&web, &form, AreaOrder::new(found, typed.extras)).await,
        Err(error) => page_of(&web, &operating, &AreaAnswer::refused(typed, &error), None),
    }
}

async fn begun(web: &Arc<Web>, form: &PortalForm, order: AreaOrder) -> Response {
    let name = order.found.name.clone();
    if !web.area_loads.begin(order) {
        return back(form, "busy");
    }
    web.area_loads.ended(&name, PATIENCE).await;
    show_own(web).await;
    back(form, "")
}

/// Whether new data is loaded each month.
pub async fn set_monthly(State(web): State<Arc<Web>>, body: Bytes) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    let is_on = form.text("on") == "1";
    ended(&web, &form, "monthly", move |web| web.areas.set_monthly(is_on)).await
}

pub async fn change(State(web): State<Arc<Web>>, Path((id, action)): Path<(String, String)>, body: Bytes) -> Response {
    let form = PortalForm::parse(&body);
    let changed = async {
        let record = found(&web, &id)?;
        changed(&web, record, &action, &form).await
    };
    or_not_there(changed.await)
}

async fn changed(web: &Arc<Web>, record: AreaRecord, action: &str, form: &PortalForm) -> ApiResult<Response> {
    let name = record.found.name.clone();
    if action == "stop" {
        if let Some(running) = web.area_loads.running_of(&name) {
            running.stop();
            web.area_loads.ended(&name, PATIENCE).await;
        }
        return Ok(back(form, ""));
    }
    if web.area_loads.running_of(&name).is_some() {
        return Ok(back(form, "busy"));
    }
    Ok(match action {
        "go" | "refresh" => begun(web, form, AreaOrder::again(&record, LoadOptions::default())).await,
        // The operator who presses it has read both numbers.
        "shrink" => {
            let options = LoadOptions { may_shrink: true, ..LoadOptions::default() };
            begun(web, form, AreaOrder::again(&record, options)).await
        }
        "accept" => {
            let options = LoadOptions { accepts_license: true, ..LoadOptions::default() };
            begun(web, form, AreaOrder::again(&record, options)).await
        }
        "check" => {
            let is_newer = |release| record.current.as_ref().is_none_or(|load| load.release != release);
            match web.area_loads.check(&record).await {
                Ok(newest) if is_newer(newest.release.clone()) => back(form, "newer"),
                Ok(_) => back(form, "newest"),
                Err(error) => {
                    tracing::error!(%error, "the source of an area could not be asked");
                    back(form, "unchecked")
                }
            }
        }
        "keep" => ended(web, form, "kept", move |web| web.area_loads.areas().keep(&name).map(|_| ())).await?,
        "undo" => {
            let is_undone = done(web, move |web| web.area_loads.areas().undo(&name).map(|_| ())).await?;
            if is_undone {
                web.area_loads.note_undone(&record).await;
            }
            back(form, if is_undone { "undone" } else { REFUSED })
        }
        "remove" => ended(web, form, "removed", move |web| web.area_loads.areas().remove(&name).map(|_| ())).await?,
        _ => return Err(ApiError::NotFound),
    })
}

/// Does it, and says on the next page whether it was done.
async fn ended(
    web: &Arc<Web>,
    form: &PortalForm,
    well: &str,
    work: impl FnOnce(&Web) -> Result<(), AreaError> + Send + 'static,
) -> ApiResult<Response> {
    Ok(back(form, if done(web, work).await? { well } else { REFUSED }))
}

/// Work with files and the index. Whether it was done; why not is in the log.
async fn done(web: &Arc<Web>, work: impl FnOnce(&Web) -> Result<(), AreaError> + Send + 'static) -> ApiResult<bool> {
    let context = web.clone();
    let done = web.heavy_work.run(move || work(&context)).await?;
    if let Err(error) = &done {
        tracing::error!(%error, "what was asked of an area was not done");
    }
    Ok(done.is_ok())
}
