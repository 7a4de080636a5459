//! `/portal/towns`: what is imported here, and which other towns the company's visitors asked for.

use std::sync::Arc;

use axum::extract::{Extension, RawQuery, State as AppState};
use axum::response::Response;
use shingle_domain::{Environment, State, Timestamp};
use shingle_portal::{Hours, ImportedData, TownRow, TownsView, towns_page};
use shingle_property::{Imported, PropertyError, TownsOfState};
use shingle_store::VisitFilter;

use super::form::PortalForm;
use super::gate::Signed;
use super::missing_towns::still_missing;
use super::page::page;
use super::results::csv_file;
use super::settings::{frame, zone};
use crate::app::App;
use crate::http::error::{ApiError, ApiResult};

/// What one page shows of the index.
struct Read {
    imported: Vec<Imported>,
    states: Vec<State>,
    state: Option<State>,
    towns: Arc<TownsOfState>,
}

/// A state that was not imported counts as not asked for: the largest is shown.
async fn read(app: &Arc<App>, wanted: &str) -> ApiResult<Read> {
    let (context, wanted) = (app.clone(), State::parse(wanted));
    let work = move || {
        let index = &context.indexes.production;
        let imported = index.imported()?;
        let mut states: Vec<State> = imported.iter().flat_map(|data| data.states.iter().copied()).collect();
        states.sort_unstable();
        states.dedup();
        let homes = |state: &State| -> u64 {
            imported.iter().filter(|data| data.states.contains(state)).map(|data| data.homes).sum()
        };
        let largest = || states.iter().max_by_key(|state| homes(state)).copied();
        let state = wanted.filter(|state| states.contains(state)).or_else(largest);
        let towns = state.map(|state| index.towns(state)).transpose()?.unwrap_or_default();
        Ok::<_, PropertyError>(Read { imported, states, state, towns })
    };
    app.heavy_work.run(work).await?.map_err(ApiError::internal)
}

pub async fn show(
    AppState(app): AppState<Arc<App>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let form = PortalForm::of_query(query.as_deref());
    let Read { imported, states, state, towns } = read(&app, form.text("state")).await?;
    let hours = Hours::new(&zone(&app, &signed).await?, app.clock.now(), signed.language);
    let imported: Vec<ImportedData> = imported.iter().map(data).collect();
    let rows: Vec<TownRow> = towns
        .towns
        .iter()
        .map(|town| TownRow {
            name: town.name.clone(),
            homes: town.homes,
            sources: town.sources.clone(),
            patches: town.patches.clone(),
        })
        .collect();
    let last = app.clock.now().date();
    let first = last.checked_sub(jiff::Span::new().days(89)).unwrap_or(last);
    let filter = VisitFilter { first, last, widget: None, page: None, source: None };
    let asked = app.store.towns_asked(&signed.tenant(Environment::Production), &filter).await?;
    let asked = still_missing(&app, asked).await?;
    let view = TownsView {
        imported: &imported,
        states: &states,
        state,
        towns: &rows,
        map: (towns.columns, towns.rows),
        asked: &asked,
        hours: &hours,
    };
    Ok(page(towns_page(&frame(&signed, None), &view)))
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

pub async fn download(AppState(app): AppState<Arc<App>>, RawQuery(query): RawQuery) -> ApiResult<Response> {
    let form = PortalForm::of_query(query.as_deref());
    let towns = read(&app, form.text("state")).await?.towns;
    let rows: Vec<Vec<String>> = towns
        .towns
        .iter()
        .map(|town| vec![town.name.clone(), town.homes.to_string(), town.sources.join("; ")])
        .collect();
    csv_file("towns", &["town", "homes", "sources"], &rows)
}
