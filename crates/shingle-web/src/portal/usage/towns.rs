//! `/portal/towns`: what is imported here, and which other towns the company's visitors asked for.

use std::sync::Arc;

use axum::extract::{Extension, RawQuery, State as AppState};
use axum::response::Response;
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::{Environment, Role, State, Timestamp};
use shingle_portal::{Hours, ImportedData, TownRow, TownsView, towns_page};
use shingle_property::{Imported, PropertyError, TownsOfState};
use shingle_store::VisitFilter;

use crate::portal::areas::pages::said;
use crate::portal::areas::rows::rows;
use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::responses::page;
use crate::portal::settings::page::{frame, zone};
use crate::portal::usage::missing_towns::still_missing;
use crate::portal::usage::results::csv_file;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};

/// What one page shows of the index.
struct Read {
    imported: Vec<Imported>,
    states: Vec<State>,
    state: Option<State>,
    towns: Arc<TownsOfState>,
}

/// A state that was not imported counts as not asked for: the largest is shown.
async fn read(web: &Arc<Web>, wanted: &str) -> ApiResult<Read> {
    let (context, wanted) = (web.clone(), State::parse(wanted));
    let work = move || {
        let index = &context.indexes.production;
        let imported = index.imported()?;
        let mut states: Vec<State> = imported.iter().flat_map(|data| data.states.iter().copied()).collect();
        states.cold_sort();
        states.dedup();
        let homes = |state: &State| -> u64 {
            imported.iter().filter(|data| data.states.contains(state)).map(|data| data.homes).sum()
        };
        let largest = || states.iter().max_by_key(|state| homes(state)).copied();
        let state = wanted.filter(|state| states.contains(state)).or_else(largest);
        let towns = state.map(|state| index.towns(state)).transpose()?.unwrap_or_default();
        Ok::<_, PropertyError>(Read { imported, states, state, towns })
    };
    web.heavy_work.run(work).await?.map_err(ApiError::internal)
}

pub async fn show(
    AppState(web): AppState<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let form = PortalForm::of_query(query.as_deref());
    let Read { imported, states, state, towns } = read(&web, form.text("state")).await?;
    let hours = Hours::new(&zone(&web, &signed).await?, web.clock.now(), signed.language);
    let imported: Vec<ImportedData> = imported.iter().map(data).collect();
    let listed: Vec<TownRow> = towns
        .towns
        .iter()
        .map(|town| TownRow {
            name: town.name.clone(),
            homes: town.homes,
            sources: town.sources.clone(),
            patches: town.patches.clone(),
        })
        .collect();
    let last = web.clock.now().date();
    let first = last.checked_sub(jiff::Span::new().days(89)).unwrap_or(last);
    let filter = VisitFilter { first, last, widget: None, page: None, source: None };
    let asked = web.store.widgets().towns_asked(&signed.tenant(Environment::Production), &filter).await?;
    let asked = still_missing(&web, asked).await?;
    let areas = (signed.user.role == Role::Operator).then(|| rows(&web, signed.language));
    let view = TownsView {
        imported: &imported,
        states: &states,
        state,
        towns: &listed,
        map: (towns.columns, towns.rows),
        asked: &asked,
        areas: areas.as_deref(),
        hours: &hours,
    };
    Ok(page(towns_page(&frame(&signed, said(&form)), &view)))
}

fn data(of: &Imported) -> ImportedData {
    let since = |at: std::time::SystemTime| at.duration_since(std::time::UNIX_EPOCH).ok();
    let micros = of.at.and_then(since).and_then(|since| i64::try_from(since.as_micros()).ok());
    ImportedData {
        sources: of.sources.iter().map(|source| (source.shown().to_owned(), source.as_of.clone())).collect(),
        homes: of.homes,
        at: micros.map(Timestamp::from_micros),
    }
}

pub async fn download(AppState(web): AppState<Arc<Web>>, RawQuery(query): RawQuery) -> ApiResult<Response> {
    let form = PortalForm::of_query(query.as_deref());
    let towns = read(&web, form.text("state")).await?.towns;
    let rows: Vec<Vec<String>> = towns
        .towns
        .iter()
        .map(|town| vec![town.name.clone(), town.homes.to_string(), town.sources.join("; ")])
        .collect();
    csv_file("towns", &["town", "homes", "sources"], &rows)
}
