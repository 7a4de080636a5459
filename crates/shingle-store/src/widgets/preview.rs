//! What somebody has in the designer's preview: a widget under an address of its own, for as long as it is worked on. The
//! public routes find it as they find any widget, so the preview is the visitor's own module and no copy of it.

use std::sync::Arc;
use std::time::Duration;

use shingle_domain::widget::Widget;
use shingle_domain::{LinkId, Tenant, Timestamp, UserId, WidgetId, WidgetSettings};

use crate::StoreError;
use crate::engine::db::{execute, fetch_optional, transact};
use crate::store::{columns, from_json, parse_id, require_row, to_json};
use crate::widgets::Widgets;
use crate::widgets::stored::StoredWidget;

/// How long an address works from the last look at the designer on.
const LIFETIME: Duration = Duration::from_secs(2 * 3_600);
/// From then on the next look makes another address.
const ROTATES_AFTER: Duration = Duration::from_secs(3_600);

row! {
    struct PreviewRow {
        account_id: String,
        environment: String,
        mark: i64,
        config: String,
        settings: String,
        created_at: i64,
    }
}

impl Widgets<'_> {
    /// Puts this into the user's preview of the widget. Returns its address, and a mark that is another one each time.
    ///
    /// # Errors
    /// [`StoreError::NotFound`]
    pub async fn set_preview(
        self,
        tenant: &Tenant,
        id: WidgetId,
        user: UserId,
        (widget, settings): (&Widget, &WidgetSettings),
    ) -> Result<(LinkId, i64), StoreError> {
        let (account, environment) = columns(tenant);
        let (config, settings, now) = (to_json(widget)?.to_string(), to_json(settings)?.to_string(), self.store.now());
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(StoreError::Random)?;
        let fresh = LinkId(uuid::Builder::from_custom_bytes(random).into_uuid());
        transact!(self.store.db, |tx| {
            execute!(
                tx,
                "DELETE FROM widget_preview WHERE user_id = $1 AND created_at <= $2",
                user.to_string(),
                (now - ROTATES_AFTER).micros()
            )?;
            let written = execute!(
                tx,
                "INSERT INTO widget_preview (id, widget_id, user_id, mark, config, settings, created_at, ends_at)
                 SELECT $1, id, $2, $3, $4, $5, $3, $6 FROM widget
                  WHERE reference_id = $7 AND account_id = $8 AND environment = $9
                     ON CONFLICT (widget_id, user_id) DO UPDATE
                        SET mark = CASE WHEN widget_preview.mark < excluded.mark THEN excluded.mark
                                        ELSE widget_preview.mark + 1 END,
                            config = excluded.config, settings = excluded.settings, ends_at = excluded.ends_at",
                fresh.to_string(),
                user.to_string(),
                now.micros(),
                &config,
                &settings,
                (now + LIFETIME).micros(),
                id.to_string(),
                &account,
                environment
            )?;
            require_row(written)?;
            let row = fetch_optional!(
                tx,
                (String, i64),
                "SELECT p.id, p.mark FROM widget_preview AS p JOIN widget AS w ON w.id = p.widget_id
                  WHERE p.user_id = $1 AND w.reference_id = $2 AND w.account_id = $3 AND w.environment = $4",
                user.to_string(),
                id.to_string(),
                &account,
                environment
            )?;
            let (link, mark) = row.ok_or(StoreError::NotFound)?;
            Ok((parse_id("preview", &link)?, mark))
        })
    }

    /// Ids of this form alone are asked for twice: widgets have others unless somebody chose so.
    pub(crate) async fn find_preview(self, link: LinkId) -> Result<Option<Arc<StoredWidget>>, StoreError> {
        if link.0.get_version_num() != 8 {
            return Ok(None);
        }
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            PreviewRow,
            "SELECT w.account_id, w.environment, p.mark, p.config, p.settings, p.created_at
               FROM widget_preview AS p JOIN widget AS w ON w.id = p.widget_id
              WHERE p.id = $1 AND p.ends_at > $2
                AND NOT EXISTS (SELECT 1 FROM account WHERE account.id = w.account_id AND closed_at IS NOT NULL)",
            link.to_string(),
            self.store.now().micros()
        )?;
        let Some(row) = row else { return Ok(None) };
        let id = link.to_string();
        let mut widget: Widget = from_json("preview", &id, &row.config)?;
        widget.link_id = Some(link);
        Ok(Some(Arc::new(StoredWidget {
            tenant: Tenant {
                account: parse_id("account", &row.account_id)?,
                environment: parse_id("environment", &row.environment)?,
            },
            widget,
            settings: from_json("preview", &id, &row.settings)?,
            former_names: Vec::new(),
            version: u64::try_from(row.mark).unwrap_or_default(),
            is_preview: true,
            created_at: Timestamp::from_micros(row.created_at),
            updated_at: Timestamp::from_micros(row.mark),
        })))
    }

    /// Returns how many there were.
    pub async fn delete_ended_previews(self) -> Result<u64, StoreError> {
        let now = self.store.now();
        transact!(self.store.db, |tx| {
            Ok(execute!(tx, "DELETE FROM widget_preview WHERE ends_at <= $1", now.micros())?)
        })
    }
}
