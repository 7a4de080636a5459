//! `/portal/leads/import`: leads from a file.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Extension, FromRequest, Multipart, Path, RawQuery, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use shingle_app::lead_csv::table_csv;
use shingle_app::lead_import::columns::{Choices, EXAMPLE, Field, Known, is_day_first, status_words, values};
use shingle_app::lead_import::file::{FileProblem, MAX_BYTES};
use shingle_app::lead_import::plan::{Fate, Plan, PlannedRow, plan};
use shingle_app::lead_import::row::{Mark, Missing};
use shingle_app::lead_import::work::KEPT;
use shingle_app::lead_import::{self, Import, Received};
use shingle_app::leads::by_hand::widgets_for;
use shingle_app::notices::lead_path;
use shingle_domain::lead::LeadStatus;
use shingle_domain::public::AddressChoice;
use shingle_domain::{Language, LeadImportId, Role, Tenant, WidgetId};
use shingle_portal::{
    EarlierFile, Hours, LeadFile, LeadFileCheck, LeadFileMatch, LeadFileState, LeadFilesView, MatchedColumn,
    PreviewRow, lead_file_check_page, lead_file_match_page, lead_file_state_page, lead_files_page, phrase,
    widget_names,
};
use shingle_store::{ImportStage, StoreError};
use shingle_widget::view::Text;
use shingle_widget::words::thousands;

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::leads::query::environment;
use crate::portal::responses::{or_not_there, page, page_with, to};
use crate::portal::settings::page::{frame, zone};
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};

/// The file, and what a form puts around it.
pub const MAX_FORM: usize = MAX_BYTES + 64 * 1024;
/// Rows of the preview.
const SHOWN: usize = 10;
const LOOKS_SHOWN: usize = 200;
/// Statuses of a form.
const MAX_STATUSES: usize = 30;
const MAX_COLUMNS: usize = 200;

fn path(id: LeadImportId, tenant: &Tenant) -> String {
    format!("/portal/leads/import/{id}?data={}", tenant.environment.as_str())
}

fn tenant_of(signed: &Signed, query: Option<&str>) -> (Tenant, PortalForm) {
    let form = PortalForm::of_query(query);
    (signed.tenant(environment(&form)), form)
}

pub async fn list(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let (tenant, _) = tenant_of(&signed, query.as_deref());
    files(&web, &signed, &tenant, StatusCode::OK, None).await
}

async fn files(
    web: &Arc<Web>,
    signed: &Signed,
    tenant: &Tenant,
    status: StatusCode,
    wrong: Option<Text>,
) -> ApiResult<Response> {
    let earlier = lead_import::latest(web.app(), tenant).await?.into_iter().map(|(stored, record)| EarlierFile {
        id: stored.id.to_string(),
        name: record.file_name,
        stage: stored.stage,
        progress: stored.progress,
        at: stored.created_at,
    });
    let view = LeadFilesView {
        environment: tenant.environment,
        earlier: &earlier.collect::<Vec<_>>(),
        hours: &Hours::new(&zone(web, signed).await?, web.clock.now(), signed.language),
        wrong,
        has_widget: !widgets_for(web.app(), tenant).await?.is_empty(),
    };
    Ok(page_with(status, lead_files_page(&frame(signed, None), &view)))
}

pub async fn example() -> impl IntoResponse {
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"leads-example.csv\""),
    ];
    (headers, EXAMPLE)
}

pub async fn upload(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
    request: Request,
) -> ApiResult<Response> {
    let (tenant, _) = tenant_of(&signed, query.as_deref());
    let (name, bytes) = match file_of(request).await {
        Ok(sent) => sent,
        Err((status, said)) => return files(&web, &signed, &tenant, status, Some(said.into())).await,
    };
    match lead_import::receive(web.app(), &tenant, &signed.user, (&name, bytes)).await? {
        Received::Stored(id) => Ok(to(&path(id, &tenant))),
        Received::NoWidget => files(&web, &signed, &tenant, StatusCode::CONFLICT, None).await,
        Received::Refused(problem) => {
            let status = match problem {
                FileProblem::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
                _ => StatusCode::UNPROCESSABLE_ENTITY,
            };
            files(&web, &signed, &tenant, status, Some(problem_in_words(signed.language, problem))).await
        }
    }
}

/// Name and bytes of the first file of a form.
async fn file_of(request: Request) -> Result<(String, Vec<u8>), (StatusCode, &'static str)> {
    const CUT_OFF: (StatusCode, &str) =
        (StatusCode::BAD_REQUEST, "The upload broke off, so we kept nothing. Please try again.");
    const LARGE: (StatusCode, &str) = (StatusCode::PAYLOAD_TOO_LARGE, "The file is larger than 10 MB. Split it.");
    const NOTHING: (StatusCode, &str) = (StatusCode::UNPROCESSABLE_ENTITY, "Choose a file first.");
    let failed = |status: StatusCode| if status == StatusCode::PAYLOAD_TOO_LARGE { LARGE } else { CUT_OFF };
    let mut form = Multipart::from_request(request, &()).await.map_err(|_| CUT_OFF)?;
    while let Some(part) = form.next_field().await.map_err(|error| failed(error.status()))? {
        let name = part.file_name().unwrap_or_default().to_owned();
        if part.name() != Some("file") {
            continue;
        }
        let bytes = part.bytes().await.map_err(|error| failed(error.status()))?;
        return if name.is_empty() && bytes.is_empty() { Err(NOTHING) } else { Ok((name, bytes.to_vec())) };
    }
    Err(NOTHING)
}

fn problem_in_words(language: Language, problem: FileProblem) -> Text {
    let figure = |n: usize| thousands(i64::try_from(n).unwrap_or(i64::MAX));
    match problem {
        FileProblem::Empty => "The file is empty.".into(),
        FileProblem::NoRows => "The file has headings and no rows under them.".into(),
        FileProblem::Excel => "This is an Excel file, not CSV. In Excel: File, Save as, CSV.".into(),
        FileProblem::NotText => "This isn’t a CSV file. Export your leads as CSV.".into(),
        FileProblem::TooLarge => "The file is larger than 10 MB. Split it.".into(),
        FileProblem::TooManyRows(rows) => {
            phrase(language, "Rows in the file: {rows}. Import 10,000 at a time: split it.", &[("rows", &figure(rows))])
                .into()
        }
        FileProblem::TooManyColumns => "The file has more than 200 columns. Delete those that you don’t need.".into(),
        FileProblem::OpenQuote(row) => {
            let said =
                "In row {row}, a quotation mark begins a cell that never ends. Correct it, and upload the file again.";
            phrase(language, said, &[("row", &figure(row))]).into()
        }
        FileProblem::TooManyFiles => "10 files of your company wait. Import or delete one first.".into(),
        FileProblem::NoContact => {
            "No column could be a phone or an email. Add one, so that you can reach people.".into()
        }
    }
}

async fn found(web: &Arc<Web>, tenant: &Tenant, id: &str) -> ApiResult<Import> {
    let id = id.parse().map_err(|_| ApiError::NotFound)?;
    lead_import::find(web.app(), tenant, id).await?.ok_or(ApiError::NotFound)
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let (tenant, form) = tenant_of(&signed, query.as_deref());
    or_not_there(shown(&web, &signed, &tenant, &id, &form).await)
}

async fn shown(web: &Arc<Web>, signed: &Signed, tenant: &Tenant, id: &str, form: &PortalForm) -> ApiResult<Response> {
    let import = found(web, tenant, id).await?;
    match (import.stored.stage, form.text("step")) {
        (ImportStage::Open, "check") => check_page(web, signed, tenant, &import, form.text("rows") == "look").await,
        (ImportStage::Open, _) => match_page(web, signed, tenant, &import, StatusCode::OK, None).await,
        _ => state_page(web, signed, tenant, &import).await,
    }
}

fn file_view<'v>(tenant: &Tenant, id: &'v str, import: &'v Import) -> LeadFile<'v> {
    LeadFile { environment: tenant.environment, id, name: &import.record.file_name, rows: import.stored.rows }
}

async fn match_page(
    web: &Arc<Web>,
    signed: &Signed,
    tenant: &Tenant,
    import: &Import,
    status: StatusCode,
    wrong: Option<&'static str>,
) -> ApiResult<Response> {
    let table = import.table.as_ref().ok_or(ApiError::NotFound)?;
    let choices = &import.record.choices;
    let columns = table.headings.iter().enumerate().map(|(n, heading)| MatchedColumn {
        heading: heading.clone(),
        value: values(table, n).next().unwrap_or_default().chars().take(60).collect(),
        field: choices.fields.get(n).copied().unwrap_or(Field::LeaveOut).as_str(),
    });
    let statuses = status_words(table, &choices.fields).into_iter().map(|(word, rows)| {
        let known = choices.statuses.iter().find(|(known, _)| *known == word.to_lowercase());
        (word, rows, known.map_or(LeadStatus::Contacted, |(_, status)| *status))
    });
    let widgets = widgets_for(web.app(), tenant).await?;
    let titles = widget_names(widgets.iter().map(|stored| stored.widget.first_page_title.as_str()));
    let ids = widgets.iter().map(|stored| stored.widget.reference_id.to_string());
    let id = import.id().to_string();
    let view = LeadFileMatch {
        file: file_view(tenant, &id, import),
        columns: &columns.collect::<Vec<_>>(),
        statuses: &statuses.collect::<Vec<_>>(),
        is_day_first: choices.column(Field::Received).map(|_| choices.is_day_first),
        zone: &zone(web, signed).await?,
        encoding: table.encoding.as_str(),
        separator: table.separator,
        widgets: &ids.zip(titles).collect::<Vec<_>>(),
        widget: &import.record.widget.to_string(),
        may_delete: may_undo(signed, import),
        wrong,
    };
    Ok(page_with(status, lead_file_match_page(&frame(signed, None), &view)))
}

async fn check_page(
    web: &Arc<Web>,
    signed: &Signed,
    tenant: &Tenant,
    import: &Import,
    only_look: bool,
) -> ApiResult<Response> {
    let plan = plan(web.app(), tenant, import).await?;
    let Plan { rows, new, known, left_out, in_area, agreed } = &plan;
    let needs_look =
        |row: &&PlannedRow| row.fate != Fate::New || row.lead.as_ref().is_some_and(|lead| !lead.marks.is_empty());
    let wanted: Vec<&PlannedRow> = match only_look {
        true => rows.iter().filter(needs_look).take(LOOKS_SHOWN).collect(),
        false => rows.iter().take(SHOWN).collect(),
    };
    let preview = wanted.into_iter().map(|row| preview_row(signed.language, tenant, import, row)).collect();
    let id = import.id().to_string();
    let view = LeadFileCheck {
        file: file_view(tenant, &id, import),
        new: *new,
        known: *known,
        left_out: *left_out,
        in_area: *in_area,
        agreed: *agreed,
        choice: import.record.choices.known.as_str(),
        seen: &seen_of(import),
        preview,
        only_look,
        looks: rows.iter().filter(needs_look).count(),
    };
    Ok(page(lead_file_check_page(&frame(signed, None), &view)))
}

/// What was chosen when the page was shown.
fn seen_of(import: &Import) -> String {
    blake3::hash(import.stored.record.as_bytes()).to_hex().as_str()[..16].to_owned()
}

fn preview_row(language: Language, tenant: &Tenant, import: &Import, row: &PlannedRow) -> PreviewRow {
    let (pill, fate): (&'static str, Text) = match &row.fate {
        Fate::New => ("pill ok", "New".into()),
        Fate::Known(_) => ("pill warn", "Already here".into()),
        Fate::Twice(earlier) => {
            ("pill warn", phrase(language, "As in row {row}", &[("row", &earlier.to_string())]).into())
        }
        Fate::LeftOut(missing) => ("pill bad", missing_in_words(*missing).into()),
    };
    let mut shown = PreviewRow {
        number: row.number,
        fate,
        pill,
        known: match row.fate {
            Fate::Known(id) => Some(lead_path(id, tenant.environment)),
            _ => None,
        },
        marks: Vec::new(),
        name: String::new(),
        contact: String::new(),
        address: String::new(),
        status: None,
    };
    match &row.lead {
        Some(lead) => {
            shown.marks = lead.marks.iter().map(|mark| mark_in_words(*mark)).collect();
            shown.name = format!("{} {}", lead.first_name, lead.last_name).trim().to_owned();
            let email = lead.email.as_ref().map(|email| email.as_str().to_owned());
            let phone = lead.phone.as_ref().map(|phone| phone.as_str().to_owned());
            shown.contact = phone.into_iter().chain(email).collect::<Vec<_>>().join(" · ");
            if let AddressChoice::Line(line) = &lead.address {
                shown.address.clone_from(line);
            }
            shown.status = Some(lead.status);
        }
        // As it is in the file, so that a person finds it there.
        None => {
            let cells = import.table.as_ref().and_then(|table| {
                table.rows.iter().find(|(number, _)| *number == row.number).map(|(_, cells)| cells.join(" · "))
            });
            shown.name = cells.unwrap_or_default().chars().take(80).collect();
        }
    }
    shown
}

fn missing_in_words(missing: Missing) -> &'static str {
    match missing {
        Missing::Name => "No name",
        Missing::Contact => "No phone or email",
        Missing::Address => "No address",
        Missing::TooOld => "Older than you keep leads",
    }
}

fn mark_in_words(mark: Mark) -> &'static str {
    match mark {
        Mark::Formula => "Kept as text",
        Mark::PhoneNoted => "Phone kept as a note",
        Mark::EmailNoted => "Email kept as a note",
        Mark::AssigneeNoted => "Assignee kept as a note",
        Mark::DateUnread => "Date kept as a note",
    }
}

async fn state_page(web: &Arc<Web>, signed: &Signed, tenant: &Tenant, import: &Import) -> ApiResult<Response> {
    let id = import.id().to_string();
    let view = LeadFileState {
        file: file_view(tenant, &id, import),
        may_undo: may_undo(signed, import),
        stage: import.stored.stage,
        progress: import.stored.progress,
        until: import.stored.updated_at + KEPT,
        hours: &Hours::new(&zone(web, signed).await?, web.clock.now(), signed.language),
    };
    Ok(page(lead_file_state_page(&frame(signed, None), &view)))
}

/// The person who brought it in, and owners.
fn may_undo(signed: &Signed, import: &Import) -> bool {
    signed.user.role == Role::Owner || signed.user.id == import.record.by
}

/// How far it is.
pub async fn progress(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> ApiResult<Json<Value>> {
    let (tenant, _) = tenant_of(&signed, query.as_deref());
    let id = id.parse().map_err(|_| ApiError::NotFound)?;
    let stored = web.store.leads().find_import(&tenant, id).await?.ok_or(ApiError::NotFound)?;
    let total = (stored.stage == ImportStage::Running).then_some(stored.rows);
    let rows = stored.progress.done;
    Ok(Json(json!({ "working": stored.stage.is_working(), "rows": rows, "total": total })))
}

/// The rows that become no leads, with the reason, to be corrected and uploaded again.
pub async fn left_out(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let (tenant, _) = tenant_of(&signed, query.as_deref());
    or_not_there(left_out_of(&web, &signed, &tenant, &id).await)
}

async fn left_out_of(web: &Arc<Web>, signed: &Signed, tenant: &Tenant, id: &str) -> ApiResult<Response> {
    let import = found(web, tenant, id).await?;
    let table = import.table.as_ref().ok_or(ApiError::NotFound)?;
    let reason = phrase(signed.language, "Why it was left out", &[]);
    let heads: Vec<&str> = std::iter::once(reason.as_str()).chain(table.headings.iter().map(String::as_str)).collect();
    let planned = plan(web.app(), tenant, &import).await?.rows.into_iter().zip(&table.rows);
    let rows = planned.filter_map(|(row, (_, cells))| {
        let Fate::LeftOut(missing) = row.fate else { return None };
        let why = phrase(signed.language, missing_in_words(missing), &[]);
        let mut row: Vec<String> = std::iter::once(why).chain(cells.iter().cloned()).collect();
        row.resize(heads.len(), String::new());
        Some(row)
    });
    let rows: Vec<_> = rows.collect();
    let mut text = "\u{feff}".as_bytes().to_vec();
    text.extend(table_csv(&heads, &rows).map_err(ApiError::internal)?);
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"left-out-rows.csv\""),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, text).into_response())
}

pub async fn change(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path((id, action)): Path<(String, String)>,
    body: Bytes,
) -> Response {
    or_not_there(changed(&web, &signed, &id, &action, &PortalForm::parse(&body)).await)
}

async fn changed(web: &Arc<Web>, signed: &Signed, id: &str, action: &str, form: &PortalForm) -> ApiResult<Response> {
    let tenant = signed.tenant(environment(form));
    let import = found(web, &tenant, id).await?;
    let here = path(import.id(), &tenant);
    match action {
        "match" => {
            let (widget, choices) = chosen(web, &tenant, &import, form).await?;
            let has_contact = choices.has_contact();
            let at = |choices: &Choices| (choices.column(Field::Status), choices.column(Field::Received));
            let is_new = at(&choices) != at(&import.record.choices);
            match lead_import::choose(web.app(), &tenant, &import, (widget, choices)).await {
                Ok(record) if has_contact && is_new && at(&record.choices) != (None, None) => {
                    let import = Import { record, ..import };
                    let said = "You matched other columns. Look at the statuses and dates, then check again.";
                    return match_page(web, signed, &tenant, &import, StatusCode::OK, Some(said)).await;
                }
                Ok(_) if has_contact => {}
                Ok(record) => {
                    let import = Import { record, ..import };
                    let said = "Match one column with a phone or an email, so that you can reach people.";
                    return match_page(web, signed, &tenant, &import, StatusCode::UNPROCESSABLE_ENTITY, Some(said))
                        .await;
                }
                // It runs: its page says so.
                Err(shingle_app::failure::Failure::Store(StoreError::NotFound)) => return Ok(to(&here)),
                Err(error) => return Err(error.into()),
            }
            return Ok(to(&format!("{here}&step=check")));
        }
        "start" => {
            // A teammate has chosen otherwise meanwhile.
            if import.stored.stage == ImportStage::Open && form.text("seen") != seen_of(&import) {
                return Ok(to(&format!("{here}&step=check")));
            }
            if let Some(known) = Known::parse(form.text("known"))
                && import.stored.stage == ImportStage::Open
            {
                let choices = Choices { known, ..import.record.choices.clone() };
                lead_import::choose(web.app(), &tenant, &import, (import.record.widget, choices)).await?;
            }
            lead_import::start(web.app(), &tenant, import.id()).await?;
        }
        "stop" => {
            lead_import::stop(web.app(), &tenant, import.id()).await?;
        }
        "undo" | "delete" if !may_undo(signed, &import) => return Err(ApiError::NotFound),
        "undo" => {
            lead_import::undo(web.app(), &tenant, import.id()).await?;
        }
        "delete" => {
            web.store.leads().delete_import(&tenant, import.id()).await?;
            return Ok(to(&format!("/portal/leads/import?data={}", tenant.environment.as_str())));
        }
        _ => return Err(ApiError::NotFound),
    }
    Ok(to(&here))
}

async fn chosen(web: &Arc<Web>, tenant: &Tenant, import: &Import, form: &PortalForm) -> ApiResult<(WidgetId, Choices)> {
    let old = &import.record.choices;
    let fields = (0..old.fields.len().min(MAX_COLUMNS)).map(|n| {
        let sent = form.text(&format!("column-{n}"));
        Field::parse(sent).or_else(|| old.fields.get(n).copied()).unwrap_or(Field::LeaveOut)
    });
    let statuses = (0..MAX_STATUSES).filter_map(|n| {
        let (word, status) = (form.text(&format!("word-{n}")), form.text(&format!("status-{n}")));
        (!word.is_empty()).then(|| status.parse().ok().map(|status| (word.to_owned(), status))).flatten()
    });
    let fields: Vec<Field> = fields.collect();
    let received = fields.iter().position(|field| *field == Field::Received);
    let is_day_first = match form.text("dates") {
        _ if received != old.column(Field::Received) => {
            import.table.as_ref().is_some_and(|table| is_day_first(table, &fields))
        }
        "day" => true,
        "month" => false,
        _ => old.is_day_first,
    };
    let wanted = form.text("widget");
    let widgets = widgets_for(web.app(), tenant).await?;
    let widget = widgets.iter().map(|stored| stored.widget.reference_id).find(|id| id.to_string() == wanted);
    let choices = Choices { fields, statuses: statuses.collect(), is_day_first, known: old.known };
    Ok((widget.unwrap_or(import.record.widget), choices))
}
