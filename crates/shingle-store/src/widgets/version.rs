//! The published versions of a widget, each with author and time.
//!
//! # Decision
//!
//! Settings are a column of the widget's row, and changing them makes a new version but no event. So a page view
//! needs no extra query, cached renderings are replaced, and settings go with the widget. Turned down: a table;
//! `widget.updated`, whose receivers would see no change.

use shingle_domain::widget::Widget;
use shingle_domain::{Tenant, Timestamp, WidgetId, WidgetSettings};

use crate::StoreError;
use crate::audit::actor::{Actor, acting_now};
use crate::engine::db::{Tx, execute, fetch_all, fetch_optional};
use crate::store::{columns, from_json};
use crate::widgets::Widgets;

/// How many are kept of one widget.
const MAX_VERSIONS: i64 = 100;

#[derive(Debug, Clone, PartialEq)]
pub struct WidgetVersion {
    pub version: u64,
    pub widget: Widget,
    pub settings: WidgetSettings,
    /// Empty: a program with a key.
    pub by: String,
    pub at: Timestamp,
}

/// What makes a draft public.
pub(crate) struct Publication<'p> {
    pub settings: &'p WidgetSettings,
    pub by: &'p str,
    /// Of the draft, as its publisher has seen it.
    pub mark: i64,
}

row! {
    struct VersionRow {
        version: i64,
        config: String,
        settings: Option<String>,
        author: String,
        created_at: i64,
    }
}

impl VersionRow {
    fn read(self, id: WidgetId) -> Result<WidgetVersion, StoreError> {
        let id = id.to_string();
        Ok(WidgetVersion {
            version: u64::try_from(self.version).unwrap_or_default(),
            widget: from_json("version of widget", &id, &self.config)?,
            settings: match &self.settings {
                Some(settings) => from_json("settings of widget", &id, settings)?,
                None => WidgetSettings::default(),
            },
            by: self.author,
            at: Timestamp::from_micros(self.created_at),
        })
    }
}

/// In the transaction that has changed the widget's row, which says all but who did it. An empty name: the person signed in,
/// or nobody of the portal.
pub(crate) async fn keep_version(tx: &mut Tx<'_>, row: &str, by: &str) -> Result<(), StoreError> {
    let by = match acting_now() {
        Actor::User(id) if by.is_empty() => {
            let name = fetch_optional!(tx, (String,), "SELECT name FROM portal_user WHERE id = $1", id.to_string())?;
            name.map(|(name,)| name).unwrap_or_default()
        }
        _ => by.to_owned(),
    };
    execute!(
        tx,
        "INSERT INTO widget_version (widget_id, version, account_id, config, settings, author, created_at)
         SELECT id, version, account_id, config, settings, $2, updated_at FROM widget WHERE id = $1",
        row,
        &by
    )?;
    execute!(
        tx,
        "DELETE FROM widget_version
          WHERE widget_id = $1 AND version <= (SELECT version FROM widget WHERE id = $1) - $2",
        row,
        MAX_VERSIONS
    )?;
    Ok(())
}

/// Removes the draft that was seen; zero means there was none.
///
/// # Errors
/// [`StoreError::Changed`]
pub(crate) async fn end_draft(tx: &mut Tx<'_>, row: &str, mark: i64) -> Result<(), StoreError> {
    let other =
        fetch_optional!(tx, (i64,), "SELECT mark FROM widget_draft WHERE widget_id = $1 AND mark <> $2", row, mark)?;
    let ended = execute!(tx, "DELETE FROM widget_draft WHERE widget_id = $1 AND mark = $2", row, mark)?;
    if other.is_some() || (ended == 0 && mark != 0) {
        return Err(StoreError::Changed);
    }
    Ok(())
}

impl Widgets<'_> {
    /// The newest first, at most `limit`.
    pub async fn versions(self, tenant: &Tenant, id: WidgetId, limit: u32) -> Result<Vec<WidgetVersion>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            VersionRow,
            "SELECT v.version, v.config, v.settings, v.author, v.created_at
               FROM widget_version AS v JOIN widget AS w ON w.id = v.widget_id
              WHERE w.reference_id = $1 AND w.account_id = $2 AND w.environment = $3
              ORDER BY v.version DESC LIMIT $4",
            id.to_string(),
            &account,
            environment,
            i64::from(limit)
        )?;
        rows.into_iter().map(|row| row.read(id)).collect()
    }

    pub async fn find_version(
        self,
        tenant: &Tenant,
        id: WidgetId,
        version: u64,
    ) -> Result<Option<WidgetVersion>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            VersionRow,
            "SELECT v.version, v.config, v.settings, v.author, v.created_at
               FROM widget_version AS v JOIN widget AS w ON w.id = v.widget_id
              WHERE w.reference_id = $1 AND w.account_id = $2 AND w.environment = $3 AND v.version = $4",
            id.to_string(),
            &account,
            environment,
            i64::try_from(version).unwrap_or(i64::MAX)
        )?;
        row.map(|row| row.read(id)).transpose()
    }
}
