//! `/portal/operator/imports`: the list of imports, and uploads.

use shingle_domain::cold_sort::ColdSort as _;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{Extension, FromRequest, Multipart, RawQuery, Request, State};
use axum::http::{StatusCode, header};
use axum::response::Response;
use shingle_import::guide;
use shingle_portal::{Hours, ImportState, ImportsView, ListedImport, Notice, imports_page, say};
use shingle_property::index::DatasetStatus;

use crate::portal::form::PortalForm;
use crate::portal::gate::Operating;
use crate::portal::homes_places::{imports_elsewhere, show_own};
use crate::portal::operator::layout::{ZONE, frame, said};
use crate::portal::responses::{page_with, to};
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use shingle_app::imports::{ImportId, ImportRecord, Stage, UploadError, Work};

/// Between two pieces of a file: a connection that is gone is not waited for.
const MAX_PAUSE: Duration = Duration::from_secs(60);
/// Longer than the name of any state.
const MAX_STATE: usize = 40;
/// What a page waits for work that is soon done.
pub const PATIENCE: Duration = Duration::from_secs(5);

pub fn state(stage: &Stage) -> ImportState {
    match stage {
        Stage::Looking => ImportState::Looking,
        Stage::Refused { .. } => ImportState::Refused,
        Stage::Ready => ImportState::Ready,
        Stage::Checking => ImportState::Checking,
        Stage::Importing => ImportState::Importing,
        Stage::CutOff => ImportState::CutOff,
        Stage::Stopped => ImportState::Stopped,
        Stage::Failed { .. } => ImportState::Failed,
        Stage::Shrinks { .. } => ImportState::Shrinks,
        Stage::Done(_) => ImportState::Done,
        Stage::Undone => ImportState::Undone,
    }
}

fn listed(record: ImportRecord) -> ListedImport {
    ListedImport {
        id: record.id.to_string(),
        files: record.files.iter().map(|file| &*file.name).collect::<Vec<_>>().join(", "),
        dataset: record.dataset.unwrap_or_default(),
        at: record.begun_at,
        state: state(&record.stage),
    }
}

async fn list(
    web: &Web,
    operating: &Operating,
    status: StatusCode,
    notice: Option<Notice>,
    wrong: Option<&str>,
    state: &str,
) -> ApiResult<Response> {
    let mut imports = web.imports.list();
    imports.extend(imports_elsewhere(web).await?);
    imports.cold_sort_by_key(|record| std::cmp::Reverse((record.begun_at, record.id.to_string())));
    let imports: Vec<_> = imports.into_iter().map(listed).collect();
    let status_of_index = web.indexes.production.status();
    let datasets: Vec<_> =
        status_of_index.datasets.iter().map(|set| (set.name.clone(), DatasetStatus::places(set))).collect();
    let sources = guide(state);
    let view = ImportsView {
        imports: &imports,
        datasets: &datasets,
        hours: &Hours::new(ZONE, web.clock.now(), operating.language),
        most: web.settings.max_import_bytes(),
        wrong,
        state,
        guide: sources.as_deref(),
    };
    Ok(page_with(status, imports_page(&frame(operating, notice), &view)))
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(operating): Extension<Arc<Operating>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let form = PortalForm::of_query(query.as_deref());
    let state: String = form.text("state").chars().take(MAX_STATE).collect();
    list(&web, &operating, StatusCode::OK, said(&form), None, &state).await
}

/// Files, as they come. Whatever goes wrong, nothing of them stays.
pub async fn upload(
    State(web): State<Arc<Web>>,
    Extension(operating): Extension<Arc<Operating>>,
    request: Request,
) -> ApiResult<Response> {
    let claimed = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    let refused = async |error: UploadError| {
        let status = match &error {
            UploadError::NotAForm | UploadError::CutOff => StatusCode::BAD_REQUEST,
            UploadError::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            UploadError::NoRoom | UploadError::Store { .. } => StatusCode::INSUFFICIENT_STORAGE,
            UploadError::Count => StatusCode::UNPROCESSABLE_ENTITY,
            UploadError::Waiting | UploadError::Busy => StatusCode::CONFLICT,
        };
        list(&web, &operating, status, None, Some(&say(operating.language, &error)), "").await
    };
    let form = Multipart::from_request(request, &()).await;
    let Ok(mut form) = form else {
        return refused(UploadError::NotAForm).await;
    };
    let id = ImportId::new(web.store.new_id()?);
    match receive(&web, id, claimed.unwrap_or_default(), &mut form).await {
        Ok(record) => {
            let id = record.id;
            if !web.imports.begin(record.clone(), Work::Look, web.store.clone(), web.clock.clone()) {
                // It waits as it is; nobody has looked at it.
                web.imports.forget(&record);
                return Ok(to("/portal/operator/imports?said=busy"));
            }
            show_own(&web).await;
            web.imports.ended(id, PATIENCE).await;
            Ok(to(&format!("/portal/operator/imports/{id}")))
        }
        Err(error) => {
            if let UploadError::Store { source: error } = &error {
                tracing::error!(%error, "an upload could not be stored");
            }
            refused(error).await
        }
    }
}

async fn receive(web: &Web, id: ImportId, claimed: u64, form: &mut Multipart) -> Result<ImportRecord, UploadError> {
    if web.imports.is_busy() {
        return Err(UploadError::Busy);
    }
    let mut upload = web.imports.begin_upload(id, claimed, web.settings.max_import_bytes())?;
    while let Some(mut part) = in_time(form.next_field()).await? {
        let name = part.file_name().unwrap_or_default().to_owned();
        // An empty field is one in which nothing was chosen.
        let Some(first) = next_chunk(&mut part).await? else { continue };
        if part.name() != Some("file") {
            continue;
        }
        let mut file = upload.file(&name).await?;
        upload.write(&mut file, &first).await?;
        while let Some(chunk) = next_chunk(&mut part).await? {
            upload.write(&mut file, &chunk).await?;
        }
        tokio::io::AsyncWriteExt::flush(&mut file).await?;
    }
    upload.keep(web.clock.now())
}

async fn next_chunk(part: &mut Field<'_>) -> Result<Option<axum::body::Bytes>, UploadError> {
    loop {
        match in_time(part.chunk()).await? {
            Some(chunk) if chunk.is_empty() => {}
            other => return Ok(other),
        }
    }
}

async fn in_time<T>(next: impl Future<Output = Result<T, MultipartError>>) -> Result<T, UploadError> {
    let next = tokio::time::timeout(MAX_PAUSE, next).await;
    next.map_err(|_| UploadError::CutOff)?.map_err(|_| UploadError::CutOff)
}

/// An import of this id.
pub fn found(web: &Web, id: &str) -> ApiResult<ImportRecord> {
    let id = id.parse().map_err(|_| ApiError::NotFound)?;
    web.imports.find(id).ok_or(ApiError::NotFound)
}
