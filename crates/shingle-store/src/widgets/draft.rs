//! A widget's unpublished changes: one draft per widget, which no visitor sees.

use shingle_domain::widget::{Widget, WidgetRecord};
use shingle_domain::{Tenant, Timestamp, WidgetId, WidgetSettings};

use crate::StoreError;
use crate::engine::db::{Tx, execute, fetch_optional, transact};
use crate::store::{columns, from_json, to_json};
use crate::widgets::Widgets;
use crate::widgets::stored::StoredWidget;
use crate::widgets::version::{Publication, end_draft};

#[derive(Debug, Clone, PartialEq)]
pub struct SavedDraft {
    pub widget: Widget,
    pub settings: WidgetSettings,
    pub by: String,
    pub at: Timestamp,
    /// Another one after each save.
    pub mark: i64,
}

/// The state of a widget that somebody has in front of them: the published version, and the mark of the draft or zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeenWidget {
    pub version: u64,
    pub mark: i64,
}

row! {
    struct DraftRow {
        mark: i64,
        config: String,
        settings: String,
        author: String,
        updated_at: i64,
    }
}

impl Widgets<'_> {
    pub async fn find_draft(self, tenant: &Tenant, id: WidgetId) -> Result<Option<SavedDraft>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            DraftRow,
            "SELECT d.mark, d.config, d.settings, d.author, d.updated_at
               FROM widget_draft AS d JOIN widget AS w ON w.id = d.widget_id
              WHERE w.reference_id = $1 AND w.account_id = $2 AND w.environment = $3",
            id.to_string(),
            &account,
            environment
        )?;
        let Some(row) = row else { return Ok(None) };
        let id = id.to_string();
        Ok(Some(SavedDraft {
            widget: from_json("draft of widget", &id, &row.config)?,
            settings: from_json("draft of widget", &id, &row.settings)?,
            by: row.author,
            at: Timestamp::from_micros(row.updated_at),
            mark: row.mark,
        }))
    }

    /// In the place of the draft that was seen. Ids and links stay the widget's own. Returns the mark of the draft.
    ///
    /// # Errors
    /// [`StoreError::NotFound`]; [`StoreError::Changed`] where the widget or its draft is not as it was seen.
    pub async fn save_draft(
        self,
        tenant: &Tenant,
        id: WidgetId,
        seen: SeenWidget,
        by: &str,
        (widget, settings): (&Widget, &WidgetSettings),
    ) -> Result<i64, StoreError> {
        let (config, settings, now) = (to_json(widget)?.to_string(), to_json(settings)?.to_string(), self.store.now());
        let mark = now.micros().max(seen.mark.saturating_add(1));
        transact!(self.store.db, |tx| {
            let row = lock_seen(tx, tenant, id, seen.version).await?;
            end_draft(tx, &row, seen.mark).await?;
            execute!(
                tx,
                "INSERT INTO widget_draft (widget_id, account_id, mark, config, settings, author, updated_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7)",
                &row,
                tenant.account.to_string(),
                mark,
                &config,
                &settings,
                by,
                now.micros()
            )?;
            Ok(mark)
        })
    }

    /// # Errors
    /// As those of [`Widgets::save_draft`].
    pub async fn discard_draft(self, tenant: &Tenant, id: WidgetId, seen: SeenWidget) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            let row = lock_seen(tx, tenant, id, seen.version).await?;
            end_draft(tx, &row, seen.mark).await
        })
    }

    /// Shows the draft to visitors: a new version, and the `widget.updated` event where the record has changed.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], also where there is no draft; [`StoreError::Changed`].
    pub async fn publish(
        self,
        tenant: &Tenant,
        id: WidgetId,
        seen: SeenWidget,
        by: &str,
        record: impl Fn(&Widget) -> WidgetRecord,
    ) -> Result<StoredWidget, StoreError> {
        let old = self.read(tenant, id).await?.ok_or(StoreError::NotFound)?;
        let draft = self.find_draft(tenant, id).await?.ok_or(StoreError::NotFound)?;
        if (old.version, draft.mark) != (seen.version, seen.mark) {
            return Err(StoreError::Changed);
        }
        let mut widget = draft.widget;
        (widget.reference_id, widget.link_id) = (id, old.widget.link_id);
        let record = record(&widget);
        let publication = Publication { settings: &draft.settings, by, mark: seen.mark };
        self.replace(tenant, &old, widget, &record, Some(&publication)).await?.ok_or(StoreError::Changed)
    }
}

/// The widget's row, held until the transaction ends: of two who save at once, the second sees what the first has done.
async fn lock_seen(tx: &mut Tx<'_>, tenant: &Tenant, id: WidgetId, version: u64) -> Result<String, StoreError> {
    let (account, environment) = columns(tenant);
    let row = fetch_optional!(
        tx,
        (String, i64),
        "UPDATE widget SET version = version WHERE reference_id = $1 AND account_id = $2 AND environment = $3
         RETURNING id, version",
        id.to_string(),
        &account,
        environment
    )?;
    let (row, found) = row.ok_or(StoreError::NotFound)?;
    if u64::try_from(found) == Ok(version) { Ok(row) } else { Err(StoreError::Changed) }
}
