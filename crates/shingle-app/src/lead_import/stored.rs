//! A file that is kept: what was chosen for it, and its rows.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use shingle_domain::{LeadImportId, Tenant, UserId, WidgetId};
use shingle_store::LeadImport;

use super::columns::Choices;
use super::file::{Encoding, Table};
use crate::app::App;
use crate::failure::Failure;

/// What is kept of a file beside its rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportRecord {
    pub file_name: String,
    pub by: UserId,
    pub by_name: String,
    pub by_email: String,
    pub widget: WidgetId,
    pub(super) encoding: Encoding,
    pub(super) separator: u8,
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

pub async fn find(app: &Arc<App>, tenant: &Tenant, id: LeadImportId) -> Result<Option<Import>, Failure> {
    let Some(stored) = app.store.leads().find_import(tenant, id).await? else { return Ok(None) };
    let record = read_record(&stored)?;
    let content = app.store.leads().import_content(tenant, id).await?;
    let (encoding, separator) = (record.encoding, record.separator);
    let table = match content {
        None => None,
        Some(content) => Some(app.heavy_work.run(move || Table::of_kept(&content, encoding, separator)).await?),
    };
    Ok(Some(Import { stored, record, table }))
}

pub(super) fn read_record(stored: &LeadImport) -> Result<ImportRecord, Failure> {
    serde_json::from_str(&stored.record).map_err(Failure::fault)
}
