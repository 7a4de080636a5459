//! Widgets: their configuration, and an event for every change.
//!
//! # Decision
//!
//! A widget's links use its `referenceId`, unless another account, or the same one in its other environment, used it
//! first; then they use an id of their own (`LinkId`). So nobody learns another's ids or is blocked by them. Turned
//! down: own ids for all links, which contradicts the contract's examples and printed QR codes.

use std::sync::Arc;

use shingle_domain::event::EventKind;
use shingle_domain::widget::{Widget, WidgetRecord};
use shingle_domain::{Environment, LeadId, LinkId, Tenant, Timestamp, WidgetId, WidgetSettings};

use crate::StoreError;
use crate::accounts::api_request::RequestKey;
use crate::audit::actor::seen_now;
use crate::audit::change::Change;
use crate::deliveries::event::EventSubject;
use crate::engine::caches::raise_revision;
use crate::engine::db::{execute, fetch_all, fetch_optional, transact};
use crate::engine::dialect;
use crate::engine::record_cache::Generation;
use crate::store::{columns, from_json, parse_id, require_row, to_json};
use crate::widgets::Widgets;
use crate::widgets::former_name;
use crate::widgets::stored::StoredWidget;
use crate::widgets::version::{Publication, end_draft, keep_version};

row! {
    struct WidgetRow {
        id: String,
        account_id: String,
        environment: String,
        version: i64,
        config: String,
        settings: Option<String>,
        former_names: Option<String>,
        created_at: i64,
        updated_at: i64,
    }
}

impl WidgetRow {
    fn read(&self) -> Result<StoredWidget, StoreError> {
        Ok(StoredWidget {
            tenant: Tenant {
                account: parse_id("account", &self.account_id)?,
                environment: parse_id("environment", &self.environment)?,
            },
            widget: from_json("widget", &self.id, &self.config)?,
            settings: match &self.settings {
                Some(settings) => from_json("settings of widget", &self.id, settings)?,
                None => WidgetSettings::default(),
            },
            former_names: match &self.former_names {
                Some(names) => from_json("former names of widget", &self.id, names)?,
                None => Vec::new(),
            },
            version: u64::try_from(self.version).unwrap_or_default(),
            is_preview: false,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
        })
    }
}

/// What a request made.
enum Made {
    Now(Box<StoredWidget>),
    /// The same request, earlier.
    Before(WidgetId),
}

fn subject(kind: EventKind, widget: WidgetId) -> EventSubject {
    EventSubject { kind, resource: widget.0, widget: Some(widget), spam: false }
}

impl Widgets<'_> {
    /// Stores a new widget and, with it, the `widget.created` event that carries its record. Its links hold its
    /// `referenceId`, unless another account or environment was first with it.
    ///
    /// # Errors
    /// [`StoreError::AlreadyExists`] when the tenant has a widget with this id.
    /// [`StoreError::KeyReused`] for an idempotency key of another request; the same request again gets the widget that
    /// it made, as it is now.
    pub async fn create(
        self,
        tenant: &Tenant,
        widget: &Widget,
        record: impl Fn(&Widget) -> WidgetRecord,
        request: Option<&RequestKey>,
    ) -> Result<StoredWidget, StoreError> {
        self.create_by("", tenant, widget, record, request).await
    }

    /// As [`Widgets::create`], by somebody of the company.
    ///
    /// # Errors
    /// As there.
    pub async fn create_by(
        self,
        by: &str,
        tenant: &Tenant,
        widget: &Widget,
        record: impl Fn(&Widget) -> WidgetRecord,
        request: Option<&RequestKey>,
    ) -> Result<StoredWidget, StoreError> {
        self.create_with(by, tenant, (widget, &WidgetSettings::default()), record, request).await
    }

    /// As [`Widgets::create_by`], with its settings.
    ///
    /// # Errors
    /// As there.
    pub async fn create_with(
        self,
        by: &str,
        tenant: &Tenant,
        (widget, settings): (&Widget, &WidgetSettings),
        record: impl Fn(&Widget) -> WidgetRecord,
        request: Option<&RequestKey>,
    ) -> Result<StoredWidget, StoreError> {
        let mut widget = widget.clone();
        let id = widget.reference_id;
        loop {
            match self.insert_widget(tenant, (&widget, settings), &record(&widget), request, by).await {
                Ok(Made::Now(stored)) => return Ok(*stored),
                Ok(Made::Before(id)) => return self.read(tenant, id).await?.ok_or(StoreError::NotFound),
                Err(StoreError::AlreadyExists) if self.read(tenant, id).await?.is_none() => {
                    widget.link_id = Some(LinkId(self.store.new_id()?));
                }
                Err(error) => return Err(error),
            }
        }
    }

    async fn insert_widget(
        self,
        tenant: &Tenant,
        (widget, settings): (&Widget, &WidgetSettings),
        record: &WidgetRecord,
        request: Option<&RequestKey>,
        by: &str,
    ) -> Result<Made, StoreError> {
        let (account, environment) = columns(tenant);
        let (id, reference, now) = (widget.link_id().to_string(), widget.reference_id.to_string(), self.store.now());
        let (config, data) = (to_json(widget)?.to_string(), to_json(record)?);
        let set = match *settings == WidgetSettings::default() {
            true => None,
            false => Some(to_json(settings)?.to_string()),
        };
        let made = transact!(self.store.db, |tx| {
            if let Some(earlier) = self.store.accounts().keep_request(tx, tenant, request, &reference).await? {
                return Ok(Some(earlier));
            }
            let stored = execute!(
                tx,
                "INSERT INTO widget (id, account_id, environment, reference_id, version, config, settings, created_at,
                                     updated_at)
                 VALUES ($1, $2, $3, $4, 1, $5, $7, $6, $6)",
                &id,
                &account,
                environment,
                &reference,
                &config,
                now.micros(),
                &set
            );
            match stored {
                Err(e) if dialect::is_duplicate(&e) => return Err(StoreError::AlreadyExists),
                other => other?,
            };
            execute!(tx, "INSERT INTO widget_lock (widget_id, acquisitions) VALUES ($1, 0)", &id)?;
            self.store.audit().note_change(tx, tenant.account, Change::WidgetCreated, &reference, "").await?;
            keep_version(tx, &id, by).await?;
            self.store
                .deliveries()
                .record_event(tx, tenant, subject(EventKind::WidgetCreated, widget.reference_id), &data)
                .await?;
            Ok(None)
        })?;
        if let Some(earlier) = made {
            return Ok(Made::Before(parse_id("widget", &earlier)?));
        }
        self.store.wake.notify_one();
        Ok(Made::Now(Box::new(StoredWidget {
            tenant: *tenant,
            widget: widget.clone(),
            settings: settings.clone(),
            former_names: Vec::new(),
            version: 1,
            is_preview: false,
            created_at: now,
            updated_at: now,
        })))
    }

    /// Changes a widget and writes the `widget.updated` event. `change` makes the new configuration and its
    /// record from the stored one; it is called again when another request changes the widget meanwhile.
    /// The id cannot change.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], and the errors of `change`.
    pub async fn update<E, F>(self, tenant: &Tenant, id: WidgetId, change: F) -> Result<StoredWidget, E>
    where
        E: From<StoreError>,
        F: Fn(&Widget) -> Result<(Widget, WidgetRecord), E>,
    {
        loop {
            let old = self.read(tenant, id).await?.ok_or(StoreError::NotFound)?;
            let (mut widget, record) = change(&old.widget)?;
            widget.reference_id = id;
            widget.link_id = old.widget.link_id;
            if let Some(stored) = self.replace(tenant, &old, widget, &record, None).await? {
                return Ok(stored);
            }
        }
    }

    /// Publishes a change of the widget and its settings together, as a new version that can be taken back.
    ///
    /// # Errors
    /// [`StoreError::Changed`] where somebody changed it meanwhile, or has a draft of it, which would lose the change.
    pub async fn publish_change(
        self,
        old: &StoredWidget,
        by: &str,
        (widget, settings): (Widget, &WidgetSettings),
        record: impl Fn(&Widget) -> WidgetRecord,
    ) -> Result<StoredWidget, StoreError> {
        let mut widget = widget;
        (widget.reference_id, widget.link_id) = (old.widget.reference_id, old.widget.link_id);
        let record = record(&widget);
        let publication = Publication { settings, by, mark: 0 };
        let tenant = old.tenant;
        self.replace(&tenant, old, widget, &record, Some(&publication)).await?.ok_or(StoreError::Changed)
    }

    /// `None` when the stored widget is no longer `old`. `publish`: with its settings, by somebody of the company, whose draft
    /// it was.
    pub(crate) async fn replace(
        self,
        tenant: &Tenant,
        old: &StoredWidget,
        widget: Widget,
        record: &WidgetRecord,
        publish: Option<&Publication<'_>>,
    ) -> Result<Option<StoredWidget>, StoreError> {
        let (account, environment) = columns(tenant);
        let (id, now) = (widget.link_id().to_string(), self.store.now());
        let former_names =
            former_name::after_change(&old.former_names, &old.widget.company_name, &widget.company_name, now);
        let former = to_json(&former_names)?.to_string();
        let (config, data) = (to_json(&widget)?.to_string(), to_json(record)?);
        let version = i64::try_from(old.version).unwrap_or(i64::MAX);
        let settings =
            publish.map(|publish| to_json(publish.settings)).transpose()?.map(|settings| settings.to_string());
        let _changing = self.store.caches.generations.changing();
        let replaced = transact!(self.store.db, |tx| {
            let replaced = execute!(
                tx,
                "UPDATE widget SET config = $5, version = version + 1, updated_at = $6, former_names = $7,
                                   settings = COALESCE($8, settings)
                  WHERE id = $1 AND account_id = $2 AND environment = $3 AND version = $4",
                &id,
                &account,
                environment,
                version,
                &config,
                now.micros(),
                &former,
                &settings
            )?;
            if replaced == 1 {
                if let Some(publish) = publish {
                    end_draft(tx, &id, publish.mark).await?;
                }
                keep_version(tx, &id, publish.map_or("", |publish| publish.by)).await?;
                self.store
                    .deliveries()
                    .record_event(tx, tenant, subject(EventKind::WidgetUpdated, widget.reference_id), &data)
                    .await?;
                let reference = widget.reference_id.to_string();
                self.store.audit().note_change(tx, tenant.account, Change::WidgetChanged, &reference, "").await?;
                raise_revision(tx).await?;
            }
            Ok(replaced == 1)
        })?;
        self.store.wake.notify_one();
        let settings = publish.map_or_else(|| old.settings.clone(), |publish| publish.settings.clone());
        let (tenant, version, created_at) = (*tenant, old.version + 1, old.created_at);
        Ok(replaced.then_some(StoredWidget {
            tenant,
            widget,
            settings,
            former_names,
            version,
            is_preview: false,
            created_at,
            updated_at: now,
        }))
    }

    /// Replaces what is set beside a widget's record. It is no event: the record, which events carry, stays the same. It
    /// is a new version: what was rendered with the old settings is not shown any more.
    ///
    /// # Errors
    /// [`StoreError::NotFound`]
    pub async fn set_settings(
        self,
        tenant: &Tenant,
        id: WidgetId,
        settings: &WidgetSettings,
    ) -> Result<(), StoreError> {
        let (account, environment) = columns(tenant);
        let (settings, now) = (to_json(settings)?.to_string(), self.store.now());
        let _changing = self.store.caches.generations.changing();
        transact!(self.store.db, |tx| {
            let changed = execute!(
                tx,
                "UPDATE widget SET settings = $4, version = version + 1, updated_at = $5
                  WHERE reference_id = $1 AND account_id = $2 AND environment = $3",
                id.to_string(),
                &account,
                environment,
                &settings,
                now.micros()
            )?;
            require_row(changed)?;
            self.store.audit().note_change(tx, tenant.account, Change::WidgetSettingsSet, &id.to_string(), "").await?;
            let row = fetch_optional!(
                tx,
                (String,),
                "SELECT id FROM widget WHERE reference_id = $1 AND account_id = $2 AND environment = $3",
                id.to_string(),
                &account,
                environment
            )?;
            if let Some((row,)) = row {
                keep_version(tx, &row, "").await?;
            }
            raise_revision(tx).await
        })
    }

    pub async fn find(self, tenant: &Tenant, id: WidgetId) -> Result<Option<Arc<StoredWidget>>, StoreError> {
        if !seen_now().sees(id) {
            return Ok(None);
        }
        let is_it = |stored: &Arc<StoredWidget>| stored.tenant == *tenant && stored.widget.reference_id == id;
        if let Some(found) = self.find_public(LinkId::from(id)).await?.filter(is_it) {
            return Ok(Some(found));
        }
        Ok(self.read(tenant, id).await?.map(Arc::new))
    }

    /// The widget of a lead. Test leads of a live widget are in the sandbox, and it is not.
    pub async fn find_of_lead(self, tenant: &Tenant, id: WidgetId) -> Result<Option<Arc<StoredWidget>>, StoreError> {
        match self.find(tenant, id).await? {
            None if tenant.environment == Environment::Sandbox => {
                self.find(&Tenant { environment: Environment::Production, ..*tenant }, id).await
            }
            found => Ok(found),
        }
    }

    /// Whose lead it is: the account's, or of its sandbox where it is a test of a live widget.
    pub async fn home_of_lead(self, tenant: &Tenant, lead: LeadId) -> Result<Tenant, StoreError> {
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (String,),
            "SELECT environment FROM lead WHERE id = $1 AND account_id = $2",
            lead.to_string(),
            tenant.account.to_string()
        )?;
        let is_test = row.is_some_and(|(found,)| found == Environment::Sandbox.as_str());
        Ok(if is_test { Tenant { environment: Environment::Sandbox, ..*tenant } } else { *tenant })
    }

    /// As it is in the database now.
    pub(crate) async fn read(self, tenant: &Tenant, id: WidgetId) -> Result<Option<StoredWidget>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            WidgetRow,
            "SELECT id, account_id, environment, version, config, settings, former_names, created_at, updated_at
               FROM widget WHERE reference_id = $1 AND account_id = $2 AND environment = $3",
            id.to_string(),
            &account,
            environment
        )?;
        row.as_ref().map(WidgetRow::read).transpose()
    }

    /// For the public routes, where only the id of the link is known. Its tenant is in it.
    pub async fn find_public(self, id: LinkId) -> Result<Option<Arc<StoredWidget>>, StoreError> {
        let generation = self.store.generation().await?;
        if let Some(stored) = self.store.caches.widgets.get(&id, generation) {
            return Ok(Some(stored));
        }
        // Rare, and so on the heap: it would make the state of every request for a widget kilobytes larger.
        Box::pin(self.read_public(id, generation)).await
    }

    async fn read_public(self, id: LinkId, generation: Generation) -> Result<Option<Arc<StoredWidget>>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            WidgetRow,
            "SELECT id, account_id, environment, version, config, settings, former_names, created_at, updated_at
               FROM widget
              WHERE id = $1
                AND NOT EXISTS (SELECT 1 FROM account WHERE account.id = account_id AND closed_at IS NOT NULL)",
            id.to_string()
        )?;
        let Some(row) = row else { return self.find_preview(id).await };
        let stored = Arc::new(row.read()?);
        self.store.caches.widgets.insert(id, generation, stored.clone());
        Ok(Some(stored))
    }

    /// Oldest first.
    pub async fn list(self, tenant: &Tenant) -> Result<Vec<StoredWidget>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            WidgetRow,
            "SELECT id, account_id, environment, version, config, settings, former_names, created_at, updated_at
               FROM widget
              WHERE account_id = $1 AND environment = $2 ORDER BY created_at, id",
            &account,
            environment
        )?;
        let seen = seen_now();
        let all = rows.iter().map(WidgetRow::read).collect::<Result<Vec<_>, StoreError>>()?;
        Ok(all.into_iter().filter(|stored| seen.sees(stored.widget.reference_id)).collect())
    }
}
