//! Submissions that wait to be written together.

use std::sync::Arc;

use shingle_domain::{Tenant, WidgetId};

use crate::StoreError;
use crate::encryption::data_key::DataKeys;
use crate::engine::db::Db;
use crate::engine::group::Group;
use crate::leads::draft::{AcceptedLead, LeadDraft};

/// A submission with what can be worked out before its transaction.
pub(crate) struct Submission {
    pub tenant: Tenant,
    /// Who has the widget: of a test lead, the same account in production.
    pub widget_of: Tenant,
    pub keys: Arc<DataKeys>,
    pub widget: WidgetId,
    pub draft: LeadDraft,
    pub key_hash: String,
    pub request_hash: String,
    pub address_hash: String,
    pub email_hash: Option<String>,
    pub phone_hash: Option<String>,
    pub drawing: Option<String>,
    pub shown: Option<String>,
}

/// PostgreSQL takes several transactions at once: half of its connections. Those of one widget wait for each other anyway.
const GROUPS: usize = 8;

pub(crate) type SubmissionGroup = Group<Submission, Result<AcceptedLead, StoreError>>;

/// Submissions that are written together.
#[derive(Default)]
pub(crate) struct SubmissionGroups([Arc<SubmissionGroup>; GROUPS]);

impl SubmissionGroups {
    /// Always the same for one widget.
    pub fn of(&self, db: &Db, widget: WidgetId) -> &Arc<SubmissionGroup> {
        let [only, ..] = &self.0;
        match db {
            // It has one writer.
            Db::Sqlite { .. } => only,
            Db::Postgres(_) => {
                let last = usize::from(widget.0.as_bytes()[15]);
                self.0.get(last % GROUPS).unwrap_or(only)
            }
        }
    }
}
