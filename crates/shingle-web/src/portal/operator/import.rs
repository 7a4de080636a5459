//! One import: its mapping, its rows, and the actions on it.

use std::sync::Arc;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::{Extension, Path, RawQuery, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde_json::json;
use shingle_domain::message::Message;
use shingle_import::{self as import, FieldFrom, ImportError, Mapping, Preview, PreviewRows};
use shingle_portal::{
    Hours, ImportCheck, ImportColumn, ImportDone, ImportField, ImportRow, ImportState, ImportView, import_page,
};
use shingle_store::Change;

use tokio::fs::File;
use tokio::io::AsyncReadExt;

use crate::portal::form::PortalForm;
use crate::portal::gate::Operating;
use crate::portal::operator::imports::{PATIENCE, found, state};
use crate::portal::operator::layout::{ZONE, frame, said};
use crate::portal::responses::{or_not_there, page_with, to};
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use shingle_app::imports::{ImportRecord, Stage, Work, is_to_be_written};

const SHOWN: usize = 10;
const PART: usize = 64 * 1024;
/// A mapping that somebody typed.
pub const MAX_TEXT_BYTES: usize = 512 * 1024;

/// What was typed and cannot be used.
struct Typed<'t> {
    text: &'t str,
    wrong: &'t Message,
}

async fn page_of(
    web: &Web,
    operating: &Operating,
    record: &ImportRecord,
    query: &PortalForm,
    typed: Option<Typed<'_>>,
) -> ApiResult<Response> {
    let kept = web.imports.mapping(record.id);
    let text = typed.as_ref().map_or(&*kept, |typed| typed.text);
    let wanted = PreviewRows {
        skip: query.text("skip").parse::<u64>().unwrap_or_default().min(100_000_000),
        most: SHOWN,
        only_problems: query.text("problems") == "1",
    };
    let (mut columns, mut read) = (Vec::new(), None);
    let mut wrong = typed.as_ref().map(|typed| typed.wrong.clone());
    if record.stage.is_open() {
        let (files, mapping) = (web.imports.files(record.id), text.to_owned());
        let work = move || {
            let columns = import::columns_of(&files).unwrap_or_default();
            let read = Mapping::typed(&mapping).and_then(|mapping| import::preview(&files, &mapping, wanted));
            (columns, read)
        };
        let (found, previewed) = web.heavy_work.run(work).await?;
        columns = found;
        match previewed {
            Ok(preview) => read = Some(preview),
            Err(error) => wrong = wrong.or(Some(import::explained(&error))),
        }
    }
    let fields = import::mapped_fields(text).unwrap_or_default().into_iter().map(|field| ImportField {
        key: field.key,
        from: match field.from {
            FieldFrom::Nothing => ImportColumn::Nothing,
            FieldFrom::Column(column) => ImportColumn::Column(column),
            FieldFrom::Formula => ImportColumn::Formula,
        },
        is_doubtful: field.is_doubtful,
    });
    let (dataset, title) = import::names(text).unwrap_or_default();
    // The reason why there is no mapping comes before what an empty one lacks.
    let unproposed = record.unproposed.as_ref().filter(|_| record.stage.is_open());
    if unproposed.is_some() && is_to_be_written(text) && typed.is_none() {
        wrong = None;
    }
    let (headings, rows) = read.map(shown).unwrap_or_default();
    let files: Vec<_> = record.files.iter().map(|file| (file.name.clone(), file.bytes)).collect();
    let progress = web.imports.progress(record.id);
    let view = ImportView {
        id: &record.id.to_string(),
        files: &files,
        state: state(&record.stage),
        said: match &record.stage {
            Stage::Failed { said } | Stage::Refused { said } => Some(said),
            _ => None,
        },
        dataset: record.dataset.as_deref().filter(|_| !record.stage.is_open()).unwrap_or(&dataset),
        title: &title,
        fields: &fields.collect::<Vec<_>>(),
        columns: &columns,
        text,
        wrong: wrong.as_ref(),
        unproposed,
        headings,
        rows,
        skip: wanted.skip,
        only_problems: wanted.only_problems,
        check: record.checked.as_ref().map(|checked| ImportCheck {
            rows_read: checked.rows_read,
            usable: checked.usable,
            rejected: checked.rejected,
            addressed: checked.addressed,
            reasons: &checked.reasons,
            fields: &checked.fields,
            ranges: &checked.ranges,
            notes: &checked.notes,
            own_rows: checked.own_rows,
            finds_too_few: checked.finds_too_few(),
        }),
        progress: progress.map(|read| (read.rows(), read.total())),
        shrinks: match record.stage {
            Stage::Shrinks { before, after } => Some((before, after)),
            _ => None,
        },
        done: match &record.stage {
            Stage::Done(done) => Some(ImportDone {
                at: done.at,
                rows_read: done.rows_read,
                imported: done.imported,
                rejected: done.rejected,
                duplicates: done.duplicates,
                places: done.places,
                reasons: &done.reasons,
                notes: &done.notes,
                own_rows: done.own_rows,
            }),
            _ => None,
        },
        hours: &Hours::new(ZONE, web.clock.now(), operating.language),
    };
    let status = if typed.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok(page_with(status, import_page(&frame(operating, said(query)), &view)))
}

fn shown(preview: Preview) -> (Vec<String>, Vec<ImportRow>) {
    let first = ["parcel", "street", "unit", "town", "longitude", "latitude"];
    let headings = first.into_iter().chain(preview.fields.iter().copied()).map(str::to_owned).collect();
    let count = preview.fields.len();
    let rows = preview.rows.into_iter().map(|row| {
        let place = [row.parcel, row.street, row.unit, row.town, row.longitude, row.latitude];
        let facts = row.facts.into_iter().map(|cell| (cell.text, cell.is_unread));
        let mut cells: Vec<_> = place.into_iter().map(|text| (text, false)).chain(facts).collect();
        cells.resize(first.len() + count, (String::new(), false));
        ImportRow { number: row.number, cells, refused: row.refused, is_without_address: row.is_without_address }
    });
    (headings, rows.collect())
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(operating): Extension<Arc<Operating>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let shown = async {
        let record = found(&web, &id)?;
        page_of(&web, &operating, &record, &PortalForm::of_query(query.as_deref()), None).await
    };
    or_not_there(shown.await)
}

/// For the script of the page.
pub async fn progress(State(web): State<Arc<Web>>, Path(id): Path<String>) -> ApiResult<Response> {
    let record = found(&web, &id)?;
    let read = web.imports.progress(record.id);
    let rows = read.as_ref().map(|read| read.rows());
    let total = read.as_ref().and_then(|read| read.total());
    Ok(Json(json!({ "working": read.is_some(), "rows": rows, "total": total })).into_response())
}

pub async fn rejects(State(web): State<Arc<Web>>, Path(id): Path<String>) -> Response {
    let file = async {
        let record = found(&web, &id)?;
        let file = File::open(web.imports.rejects(record.id)).await.map_err(|_| ApiError::NotFound)?;
        let headers = [
            (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
            (header::CONTENT_DISPOSITION, "attachment; filename=\"rejected-rows.csv\""),
        ];
        Ok((headers, Body::from_stream(stream::try_unfold(file, next_part))).into_response())
    };
    or_not_there(file.await)
}

/// A piece of a long file.
async fn next_part(mut file: File) -> std::io::Result<Option<(Vec<u8>, File)>> {
    let mut part = Vec::with_capacity(PART);
    let read = (&mut file).take(PART as u64).read_to_end(&mut part).await?;
    Ok((read > 0).then_some((part, file)))
}

pub async fn change(
    State(web): State<Arc<Web>>,
    Extension(operating): Extension<Arc<Operating>>,
    Path((id, action)): Path<(String, String)>,
    body: Bytes,
) -> Response {
    let changed = async {
        let record = found(&web, &id)?;
        let form = PortalForm::parse(&body);
        changed(&web, &operating, record, &action, &form).await
    };
    or_not_there(changed.await)
}

async fn changed(
    web: &Arc<Web>,
    operating: &Operating,
    record: ImportRecord,
    action: &str,
    form: &PortalForm,
) -> ApiResult<Response> {
    let back = |said: &str| to(&format!("/portal/operator/imports/{}{said}", record.id));
    if action == "stop" {
        web.imports.stop(record.id);
        web.imports.ended(record.id, PATIENCE).await;
        return Ok(back(""));
    }
    if web.imports.progress(record.id).is_some() {
        return Ok(back("?said=busy"));
    }
    match action {
        "columns" | "text" if record.stage.is_open() => match saved(web, operating, &record, action, form).await? {
            Some(refused) => Ok(refused),
            None => Ok(back("?said=saved")),
        },
        "check" | "import" | "shrink" if record.stage.is_open() => {
            let work = match action {
                "check" => Work::Check,
                // The operator who presses it has read both numbers.
                "shrink" if matches!(record.stage, Stage::Shrinks { .. }) => Work::Import { may_shrink: true },
                _ => Work::Import { may_shrink: false },
            };
            // The buttons send what is typed beside them: a title is not lost because nobody saved it.
            if form.has("dataset")
                && let Some(refused) = saved(web, operating, &record, action, form).await?
            {
                return Ok(refused);
            }
            if let Err(error) = Mapping::typed(&web.imports.mapping(record.id)) {
                let (text, wrong) = (web.imports.mapping(record.id), import::explained(&error));
                let typed = Some(Typed { text: &text, wrong: &wrong });
                return page_of(web, operating, &record, &PortalForm::of_query(None), typed).await;
            }
            let finds_too_few = record.checked.as_ref().is_some_and(|checked| checked.finds_too_few());
            if action != "check" && finds_too_few && form.text("anyway") != "1" {
                return Ok(back("?said=unfound"));
            }
            let id = record.id;
            if !web.imports.begin(record, work, web.store.clone(), web.clock.clone()) {
                return Ok(to(&format!("/portal/operator/imports/{id}?said=busy")));
            }
            web.imports.ended(id, PATIENCE / 5).await;
            Ok(to(&format!("/portal/operator/imports/{id}")))
        }
        "undo" if state(&record.stage) == ImportState::Done => {
            if web.imports.is_busy() {
                return Ok(back("?said=busy"));
            }
            let (imports, of) = (web.imports.clone(), record.clone());
            let undone = web.heavy_work.run(move || imports.undo(&of)).await?.map_err(ApiError::internal)?;
            if !undone {
                return Ok(back("?said=changed"));
            }
            let dataset = record.dataset.clone().unwrap_or_default();
            web.store.audit().note_installation_change(Change::ImportUndone, &record.id.to_string(), &dataset).await?;
            Ok(back("?said=undone"))
        }
        "forget" => match web.imports.forget(&record) {
            true => Ok(to("/portal/operator/imports?said=forgotten")),
            false => Ok(back("?said=busy")),
        },
        _ => Err(ApiError::NotFound),
    }
}

/// Keeps the mapping that was typed. `Some`: the page that says what is wrong with it.
async fn saved(
    web: &Arc<Web>,
    operating: &Operating,
    record: &ImportRecord,
    action: &str,
    form: &PortalForm,
) -> ApiResult<Option<Response>> {
    let text = match action {
        "text" => form.raw("text").replace("\r\n", "\n"),
        _ => with_choices(&web.imports.mapping(record.id), form)?,
    };
    if let Err(error) = Mapping::typed(&text) {
        let wrong = import::explained(&error);
        let typed = Some(Typed { text: &text, wrong: &wrong });
        return page_of(web, operating, record, &PortalForm::of_query(None), typed).await.map(Some);
    }
    web.imports.set_mapping(record.id, &text).map_err(ApiError::internal)?;
    Ok(None)
}

fn bad(error: ImportError) -> ApiError {
    ApiError::bad_request(import::explained(&error))
}

/// The mapping with what was chosen: `:COLUMN`, nothing, or `=` for what the text says.
fn with_choices(text: &str, form: &PortalForm) -> ApiResult<String> {
    let chosen: Vec<(&str, Option<&str>)> = import::FIELD_KEYS
        .iter()
        .filter(|key| form.has(key))
        .filter_map(|key| match form.raw(key) {
            "=" => None,
            "" => Some((*key, None)),
            column => Some((*key, Some(column.strip_prefix(':').unwrap_or(column)))),
        })
        .collect();
    let known = import::mapped_fields(text).map_err(bad)?;
    // What stays as it was keeps its comment.
    let is_new = |(key, column): &(&str, Option<&str>)| {
        let before = known.iter().find(|field| field.key == *key).map(|field| &field.from);
        match (before, column) {
            (Some(FieldFrom::Column(before)), Some(column)) => before != column,
            (Some(FieldFrom::Nothing), None) => false,
            _ => true,
        }
    };
    let chosen: Vec<_> = chosen.into_iter().filter(is_new).collect();
    let text = import::with_columns(text, &chosen).map_err(bad)?;
    import::with_names(&text, form.text("dataset"), form.text("title")).map_err(bad)
}
