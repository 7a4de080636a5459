//! Leads from a file: read, matched to fields, checked, brought in by a server in the background, and undone.

pub mod columns;
pub mod file;
pub mod plan;
pub mod row;
pub mod work;

use std::sync::Arc;

use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use shingle_domain::{Email, Environment, LeadImportId, Tenant, Timestamp, UserId, WidgetId};
use shingle_store::{ImportStage, LeadImport, User};

use crate::app::App;
use crate::failure::Failure;
use crate::leads::by_hand::widgets_for;
use columns::Choices;
use file::{Encoding, FileProblem, Table};
use row::Reader;

/// What is kept of a file beside its rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportRecord {
    pub file_name: String,
    pub by: UserId,
    pub by_name: String,
    pub by_email: String,
    pub widget: WidgetId,
    encoding: Encoding,
    separator: u8,
    pub choices: Choices,
}

/// A file that is here.
pub struct Import {
    pub stored: LeadImport,
    pub record: ImportRecord,
    /// Its rows, or those that were left out. `None`: they are gone.
    pub table: Option<Table>,
}

impl Import {
    pub fn id(&self) -> LeadImportId {
        self.stored.id
    }
}

pub enum Received {
    Stored(LeadImportId),
    Refused(FileProblem),
    /// Leads belong to a widget.
    NoWidget,
}

/// Longer names are cut.
const MAX_FILE_NAME: usize = 100;

pub async fn receive(
    app: &Arc<App>,
    tenant: &Tenant,
    by: &User,
    (file_name, bytes): (&str, Vec<u8>),
) -> Result<Received, Failure> {
    let Some(widget) = widgets_for(app, tenant).await?.first().map(|stored| stored.widget.reference_id) else {
        return Ok(Received::NoWidget);
    };
    let read = app.heavy_work.run(move || {
        let table = Table::read(&bytes)?;
        let choices = Choices::guessed(&table);
        if !choices.has_contact() {
            return Err(FileProblem::NoContact);
        }
        Ok((table.kept(), choices, table))
    });
    let (kept, choices, table) = match read.await? {
        Ok(read) => read,
        Err(problem) => return Ok(Received::Refused(problem)),
    };
    let kept = kept.map_err(Failure::fault)?;
    let named: String = file_name.chars().filter(|c| !c.is_control()).take(MAX_FILE_NAME).collect();
    let record = ImportRecord {
        file_name: if named.trim().is_empty() { "leads.csv".to_owned() } else { named },
        by: by.id,
        by_name: by.name.as_str().to_owned(),
        by_email: by.email.as_str().to_owned(),
        widget,
        encoding: table.encoding,
        separator: table.separator,
        choices,
    };
    let record = serde_json::to_string(&record).map_err(Failure::fault)?;
    let rows = u64::try_from(table.rows.len()).unwrap_or(u64::MAX);
    let id = app.store.leads().add_import(tenant, (&record, &kept), rows).await?;
    tracing::info!(import = %id, rows, "a file of leads was received");
    Ok(Received::Stored(id))
}

pub async fn find(app: &Arc<App>, tenant: &Tenant, id: LeadImportId) -> Result<Option<Import>, Failure> {
    let Some(stored) = app.store.leads().find_import(tenant, id).await? else { return Ok(None) };
    let record = read_record(&stored)?;
    let content = app.store.leads().import_content(tenant, id).await?;
    let (encoding, separator) = (record.encoding, record.separator);
    let table = match content {
        None => None,
        Some(content) => {
            Some(app.heavy_work.run(move || Table::of_kept(&content, encoding, separator)).await?)
        }
    };
    Ok(Some(Import { stored, record, table }))
}

/// The company's latest, without their rows.
pub async fn latest(app: &App, tenant: &Tenant) -> Result<Vec<(LeadImport, ImportRecord)>, Failure> {
    let all = app.store.leads().imports(tenant).await?;
    all.into_iter().map(|stored| read_record(&stored).map(|record| (stored, record))).collect()
}

fn read_record(stored: &LeadImport) -> Result<ImportRecord, Failure> {
    serde_json::from_str(&stored.record).map_err(Failure::fault)
}

/// What a person chose.
///
/// # Errors
/// [`shingle_store::StoreError::NotFound`] once it runs.
pub async fn choose(
    app: &App,
    tenant: &Tenant,
    import: &Import,
    (widget, choices): (WidgetId, Choices),
) -> Result<ImportRecord, Failure> {
    let choices = import.table.as_ref().map_or_else(|| choices.clone(), |table| choices.clone().settled(table));
    let record = ImportRecord { widget, choices, ..import.record.clone() };
    let text = serde_json::to_string(&record).map_err(Failure::fault)?;
    app.store.leads().choose_for_import(tenant, import.id(), &text).await?;
    Ok(record)
}

/// Whether it begins, or goes on after a person stopped it.
pub async fn start(app: &Arc<App>, tenant: &Tenant, id: LeadImportId) -> Result<bool, Failure> {
    let from = [ImportStage::Open, ImportStage::Stopped];
    let begins = app.store.leads().move_import(tenant, id, &from, ImportStage::Running).await?;
    if begins {
        work::spawn(app, *tenant, id);
    }
    Ok(begins)
}

pub async fn stop(app: &App, tenant: &Tenant, id: LeadImportId) -> Result<bool, Failure> {
    Ok(app.store.leads().move_import(tenant, id, &[ImportStage::Running], ImportStage::Stopped).await?)
}

/// Erases the leads that it made and nobody has worked on.
pub async fn undo(app: &Arc<App>, tenant: &Tenant, id: LeadImportId) -> Result<bool, Failure> {
    let from = [ImportStage::Done, ImportStage::Stopped];
    let begins = app.store.leads().move_import(tenant, id, &from, ImportStage::Undoing).await?;
    if begins {
        work::spawn(app, *tenant, id);
    }
    Ok(begins)
}

/// What rows of a company are read with.
pub struct Around {
    people: Vec<(UserId, String, String)>,
    zone: TimeZone,
    now: Timestamp,
    kept_since: Option<Timestamp>,
}

impl Around {
    pub async fn read(app: &App, tenant: &Tenant) -> Result<Self, Failure> {
        let users = app.store.people().list_users(tenant.account).await?;
        let live = Tenant { environment: Environment::Production, ..*tenant };
        let settings = app.store.destinations().cached_notice_settings(&live).await?;
        let zone = Option::as_ref(&settings).map_or("UTC", |settings| settings.time_zone.as_str());
        let now = app.clock.now();
        let days = app.store.accounts().retention(tenant.account).await?.days;
        Ok(Self {
            people: users.into_iter().map(|user| (user.id, user.name.as_str().to_owned(), email(&user.email))).collect(),
            zone: TimeZone::get(zone).unwrap_or(TimeZone::UTC),
            now,
            kept_since: days.map(|days| now - std::time::Duration::from_secs(u64::from(days) * 24 * 3_600)),
        })
    }

    pub fn reader<'r>(&'r self, table: &'r Table, choices: &'r Choices) -> Reader<'r> {
        let Self { people, zone, now, kept_since } = self;
        Reader { table, choices, people, zone, now: *now, kept_since: *kept_since }
    }
}

fn email(email: &Email) -> String {
    email.as_str().to_owned()
}
