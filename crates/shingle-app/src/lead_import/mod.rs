//! Leads from a file: read, matched to fields, checked, brought in by a server in the background, and undone.

mod around;
pub mod columns;
pub mod file;
pub mod plan;
pub mod row;
mod stored;
pub mod work;

use std::sync::Arc;

use shingle_domain::{LeadImportId, Tenant, WidgetId};
use shingle_store::{ImportStage, LeadImport, User};

use crate::app::App;
use crate::failure::Failure;
use crate::leads::by_hand::widgets_for;
use columns::Choices;
use file::{FileProblem, Table};
use stored::read_record;
pub use stored::{Import, ImportRecord, find};

pub enum Received {
    Stored(LeadImportId),
    Refused(FileProblem),
    /// Leads belong to a widget.
    NoWidget,
}

/// Files of a company that nobody has imported.
const MAX_WAITING: usize = 10;
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
    let waiting = app.store.leads().imports(tenant).await?;
    let waits = |import: &&LeadImport| matches!(import.stage, ImportStage::Open | ImportStage::Stopped);
    if waiting.iter().filter(waits).count() >= MAX_WAITING {
        return Ok(Received::Refused(FileProblem::TooManyFiles));
    }
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

/// The company's latest, without their rows.
pub async fn latest(app: &App, tenant: &Tenant) -> Result<Vec<(LeadImport, ImportRecord)>, Failure> {
    let all = app.store.leads().imports(tenant).await?;
    all.into_iter().map(|stored| read_record(&stored).map(|record| (stored, record))).collect()
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
    Ok(app.store.leads().move_import(tenant, id, &[ImportStage::Running], ImportStage::Stopping).await?)
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
