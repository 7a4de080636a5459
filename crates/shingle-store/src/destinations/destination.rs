//! Where events go: webhooks, mailboxes, connectors.

use shingle_domain::event::EventKind;
use shingle_domain::message::Message;
use shingle_domain::{DestinationId, Tenant, Timestamp, WidgetId};

use crate::StoreError;
use crate::accounts::api_request::RequestKey;
use crate::audit::change::Change;
use crate::deliveries::circuit::Skip;
use crate::destinations::Destinations;
use crate::destinations::kind::DestinationKind;
use crate::engine::db::{Db, Tx, execute, fetch_all, fetch_optional, transact};
use crate::engine::dialect;
use crate::engine::stored_message::{from_stored, to_stored};
use crate::store::{columns, given_ids, parse_id, refuse_nul, require_row};

/// What its owner decides.
#[derive(Clone, PartialEq, Eq)]
pub struct DestinationDraft {
    pub kind: DestinationKind,
    pub name: String,
    /// A URL, an e-mail address, or the name of a connector.
    pub address: String,
    pub events: Vec<EventKind>,
    /// Only events of these widgets and their leads; all when empty.
    pub widgets: Vec<WidgetId>,
    pub active: bool,
    pub ordered: bool,
    pub timeout_seconds: u8,
    /// JSON, by kind.
    pub config: String,
    /// JSON, by kind; encrypted in the database.
    pub secrets: Option<String>,
}

impl DestinationDraft {
    /// What the log calls it: of which service it is, or of which kind.
    fn noted(&self) -> &str {
        if self.kind == DestinationKind::Connector { &self.address } else { self.kind.as_str() }
    }
}

#[derive(Clone, PartialEq, Eq)]
pub struct Destination {
    pub id: DestinationId,
    pub tenant: Tenant,
    pub draft: DestinationDraft,
    /// Why it was switched off, when its owner did not do it.
    pub inactive_reason: Option<Message>,
    pub success_count: u64,
    pub failure_count: u64,
    pub last_success_at: Option<Timestamp>,
    pub last_failure_at: Option<Timestamp>,
    pub failures_in_a_row: u64,
    pub failing_since: Option<Timestamp>,
    pub blocked_until: Timestamp,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl core::fmt::Debug for Destination {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Destination").field("id", &self.id).field("kind", &self.draft.kind).finish_non_exhaustive()
    }
}

/// How many destinations of one kind a tenant can have.
pub(crate) const MAX_DESTINATIONS: usize = 100;

row! {
    pub(crate) struct DestinationRow {
        id: String,
        account_id: String,
        environment: String,
        kind: String,
        name: String,
        address: String,
        events: String,
        widgets: String,
        active: bool,
        inactive_reason: Option<String>,
        ordered: bool,
        timeout_seconds: i64,
        config: String,
        secrets: Option<String>,
        success_count: i64,
        failure_count: i64,
        last_success_at: Option<i64>,
        last_failure_at: Option<i64>,
        failures_in_a_row: i64,
        failing_since: Option<i64>,
        blocked_until: i64,
        created_at: i64,
        updated_at: i64,
    }
}

/// Every column, for `SELECT` and `RETURNING`.
macro_rules! destination_columns {
    () => {
        "id, account_id, environment, kind, name, address, events, widgets, active, inactive_reason, ordered, \
         timeout_seconds, config, secrets, success_count, failure_count, last_success_at, last_failure_at, \
         failures_in_a_row, failing_since, blocked_until, created_at, updated_at"
    };
}
pub(crate) use destination_columns;

impl Destinations<'_> {
    /// # Errors
    /// [`StoreError::TooMany`]; [`StoreError::KeyReused`] for an idempotency key of another request. The same request
    /// again gets the destination that it made.
    pub async fn create(
        self,
        tenant: &Tenant,
        draft: &DestinationDraft,
        request: Option<&RequestKey>,
    ) -> Result<Destination, StoreError> {
        transact!(self.store.db, |tx| {
            let id = DestinationId(self.store.new_id()?);
            if let Some(made) = self.store.accounts().keep_request(tx, tenant, request, &id.to_string()).await? {
                let id = parse_id("destination", &made)?;
                return self.lock(tx, tenant, id).await?.ok_or(StoreError::NotFound);
            }
            let same = self.destinations_in(tx, tenant).await?;
            if same.iter().filter(|d| d.draft.kind == draft.kind).count() >= MAX_DESTINATIONS {
                return Err(StoreError::TooMany { max: MAX_DESTINATIONS });
            }
            let made = self.insert(tx, tenant, id, draft).await?;
            let change = Change::DestinationCreated;
            self.store.audit().note_change(tx, tenant.account, change, &id.to_string(), draft.noted()).await?;
            Ok(made)
        })
    }

    pub(crate) async fn insert(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        id: DestinationId,
        draft: &DestinationDraft,
    ) -> Result<Destination, StoreError> {
        for text in [&draft.name, &draft.address, &draft.config] {
            refuse_nul(text)?;
        }
        let (account, environment) = columns(tenant);
        let now = self.store.now();
        execute!(
            tx,
            "INSERT INTO destination (id, account_id, environment, kind, name, address, events, widgets, active, ordered,
                                      timeout_seconds, config, secrets, success_count, failure_count,
                                      failures_in_a_row, blocked_until, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 0, 0, 0, 0, $14, $14)",
            id.to_string(),
            &account,
            environment,
            draft.kind.as_str(),
            &draft.name,
            &draft.address,
            words(&draft.events, |kind| kind.as_str().to_owned()),
            words(&draft.widgets, ToString::to_string),
            draft.active,
            draft.ordered,
            i64::from(draft.timeout_seconds),
            &draft.config,
            self.seal(id, draft.secrets.as_deref())?,
            now.micros()
        )?;
        Ok(Destination {
            id,
            tenant: *tenant,
            draft: draft.clone(),
            inactive_reason: None,
            success_count: 0,
            failure_count: 0,
            last_success_at: None,
            last_failure_at: None,
            failures_in_a_row: 0,
            failing_since: None,
            blocked_until: Timestamp::from_micros(0),
            created_at: now,
            updated_at: now,
        })
    }

    /// Oldest first.
    pub async fn list(self, tenant: &Tenant, kind: DestinationKind) -> Result<Vec<Destination>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            DestinationRow,
            concat!(
                "SELECT ",
                destination_columns!(),
                " FROM destination WHERE account_id = $1 AND environment = $2 AND kind = $3 ORDER BY created_at, id"
            ),
            &account,
            environment,
            kind.as_str()
        )?;
        rows.into_iter().map(|row| self.read(row)).collect()
    }

    pub async fn find(self, tenant: &Tenant, id: DestinationId) -> Result<Option<Destination>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            DestinationRow,
            concat!(
                "SELECT ",
                destination_columns!(),
                " FROM destination WHERE id = $1 AND account_id = $2 AND environment = $3"
            ),
            id.to_string(),
            &account,
            environment
        )?;
        row.map(|row| self.read(row)).transpose()
    }

    /// Changes what its owner decides. Switched off, what is on its way to it is skipped, and can be replayed later;
    /// switched on, its failures are forgotten.
    pub async fn change<E>(
        self,
        tenant: &Tenant,
        id: DestinationId,
        change: impl Fn(&mut DestinationDraft) -> Result<(), E> + Send + Sync,
    ) -> Result<Destination, E>
    where
        E: From<StoreError> + Send,
    {
        self.try_change_destination(tenant, id, change).await?
    }

    /// The outer result is the store's, the inner one that of `change`.
    async fn try_change_destination<E: Send>(
        self,
        tenant: &Tenant,
        id: DestinationId,
        change: impl Fn(&mut DestinationDraft) -> Result<(), E> + Send + Sync,
    ) -> Result<Result<Destination, E>, StoreError> {
        transact!(self.store.db, |tx| {
            let mut destination = self.lock(tx, tenant, id).await?.ok_or(StoreError::NotFound)?;
            let old = destination.draft.clone();
            if let Err(refused) = change(&mut destination.draft) {
                return Ok(Err(refused));
            }
            if destination.draft != old {
                self.update(tx, &mut destination, old.active).await?;
                let change = Change::DestinationChanged;
                self.store.audit().note_change(tx, tenant.account, change, &id.to_string(), old.noted()).await?;
            }
            Ok(Ok(destination))
        })
    }

    /// Stores a changed draft. Switched on, its failures are forgotten; switched off, what waits for it is skipped.
    pub(crate) async fn update(
        self,
        tx: &mut Tx<'_>,
        destination: &mut Destination,
        was_active: bool,
    ) -> Result<(), StoreError> {
        let draft = &destination.draft;
        for text in [&draft.name, &draft.address, &draft.config] {
            refuse_nul(text)?;
        }
        if was_active != draft.active {
            destination.inactive_reason = None;
            destination.failures_in_a_row = 0;
            destination.failing_since = None;
            destination.blocked_until = Timestamp::from_micros(0);
        }
        destination.updated_at = self.store.now();
        execute!(
            tx,
            "UPDATE destination SET name = $2, address = $3, events = $4, widgets = $5, active = $6, ordered = $7,
                                    timeout_seconds = $8, config = $9, secrets = $10, inactive_reason = $11,
                                    failures_in_a_row = $12, failing_since = $13, blocked_until = $14, updated_at = $15
              WHERE id = $1",
            destination.id.to_string(),
            &draft.name,
            &draft.address,
            words(&draft.events, |kind| kind.as_str().to_owned()),
            words(&draft.widgets, ToString::to_string),
            draft.active,
            draft.ordered,
            i64::from(draft.timeout_seconds),
            &draft.config,
            self.seal(destination.id, draft.secrets.as_deref())?,
            destination.inactive_reason.as_ref().map(|message| to_stored(message)),
            count(destination.failures_in_a_row),
            destination.failing_since.map(Timestamp::micros),
            destination.blocked_until.micros(),
            destination.updated_at.micros()
        )?;
        if !destination.draft.ordered {
            self.let_all_go(tx, destination.id).await?;
        }
        if was_active && !destination.draft.active {
            self.skip_pending(tx, destination.id, &to_stored(&Skip::SwitchedOff)).await?;
        }
        Ok(())
    }

    /// Without order nothing waits for the one before.
    async fn let_all_go(self, tx: &mut Tx<'_>, id: DestinationId) -> Result<(), StoreError> {
        execute!(
            tx,
            "UPDATE delivery SET state = 'pending', due_at = $2 WHERE destination_id = $1 AND state = 'waiting'",
            id.to_string(),
            self.store.now().micros()
        )?;
        Ok(())
    }

    /// Deletes the destination with its log; what is on its way to it is dropped.
    pub async fn delete(self, tenant: &Tenant, id: DestinationId) -> Result<Destination, StoreError> {
        transact!(self.store.db, |tx| {
            let destination = self.lock(tx, tenant, id).await?.ok_or(StoreError::NotFound)?;
            self.remove(tx, id).await?;
            let noted = destination.draft.noted();
            self.store
                .audit()
                .note_change(tx, tenant.account, Change::DestinationDeleted, &id.to_string(), noted)
                .await?;
            Ok(destination)
        })
    }

    /// Of one that is locked.
    pub(crate) async fn remove(self, tx: &mut Tx<'_>, id: DestinationId) -> Result<(), StoreError> {
        let id = id.to_string();
        execute!(
            tx,
            "DELETE FROM attempt WHERE delivery_id IN (SELECT id FROM delivery WHERE destination_id = $1)",
            &id
        )?;
        execute!(tx, "DELETE FROM delivery WHERE destination_id = $1", &id)?;
        require_row(execute!(tx, "DELETE FROM destination WHERE id = $1", &id)?)
    }

    /// What waits for the destination will not be sent, unless it is replayed.
    pub(crate) async fn skip_pending(self, tx: &mut Tx<'_>, id: DestinationId, reason: &str) -> Result<(), StoreError> {
        execute!(
            tx,
            "UPDATE delivery SET state = 'skipped', reason = $2, completed_at = $3
              WHERE destination_id = $1 AND state IN ('pending', 'waiting')",
            id.to_string(),
            reason,
            self.store.now().micros()
        )?;
        Ok(())
    }

    /// For the worker, which serves every tenant. One that cannot be read does not hold up the others.
    pub async fn of_any_tenant(
        self,
        ids: &[DestinationId],
    ) -> Result<Vec<Result<Destination, StoreError>>, StoreError> {
        macro_rules! sql {
            ($given:expr) => {
                concat!(
                    $given,
                    "SELECT ",
                    destination_columns!(),
                    " FROM destination WHERE id IN (SELECT given.id FROM given)"
                )
            };
        }
        let sql = match self.store.db {
            Db::Sqlite { .. } => sql!(dialect::given_rows!(sqlite: id text)),
            Db::Postgres(_) => sql!(dialect::given_rows!(postgres: id text)),
        };
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(reader, DestinationRow, sql, given_ids(ids)?)?;
        Ok(rows.into_iter().map(|row| self.read(row)).collect())
    }

    /// For the worker, which serves every tenant.
    pub async fn one_of_any_tenant(self, id: DestinationId) -> Result<Option<Destination>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            DestinationRow,
            concat!("SELECT ", destination_columns!(), " FROM destination WHERE id = $1"),
            id.to_string()
        )?;
        row.map(|row| self.read(row)).transpose()
    }

    pub(crate) async fn destinations_in(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
    ) -> Result<Vec<Destination>, StoreError> {
        let (account, environment) = columns(tenant);
        let rows = fetch_all!(
            tx,
            DestinationRow,
            concat!(
                "SELECT ",
                destination_columns!(),
                " FROM destination WHERE account_id = $1 AND environment = $2 ORDER BY created_at, id"
            ),
            &account,
            environment
        )?;
        rows.into_iter().map(|row| self.read(row)).collect()
    }

    /// Reads it and locks it against other changes until the transaction ends.
    pub(crate) async fn lock(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        id: DestinationId,
    ) -> Result<Option<Destination>, StoreError> {
        let (account, environment) = columns(tenant);
        let row = fetch_optional!(
            tx,
            DestinationRow,
            concat!(
                "UPDATE destination SET active = active WHERE id = $1 AND account_id = $2 AND environment = $3 RETURNING ",
                destination_columns!()
            ),
            id.to_string(),
            &account,
            environment
        )?;
        row.map(|row| self.read(row)).transpose()
    }

    fn seal(self, id: DestinationId, secrets: Option<&str>) -> Result<Option<String>, StoreError> {
        secrets.map(|plain| self.store.installation_keys.seal(&format!("destination {id}"), plain)).transpose()
    }

    pub(crate) fn read(self, row: DestinationRow) -> Result<Destination, StoreError> {
        let unreadable = |reason: &str| StoreError::Unreadable {
            what: "destination",
            id: row.id.clone(),
            reason: reason.to_owned(),
        };
        let kind = DestinationKind::ALL.into_iter().find(|kind| kind.as_str() == row.kind);
        let events = row.events.split_whitespace().map(EventKind::parse).collect::<Option<Vec<_>>>();
        let widgets = row.widgets.split_whitespace().map(|id| parse_id("destination", id)).collect::<Result<_, _>>()?;
        let secrets = row.secrets.as_deref();
        // A damaged secret stops its own deliveries, which say so; it must not keep a lead from being stored.
        let secrets = secrets
            .and_then(|sealed| self.store.installation_keys.open(&format!("destination {}", row.id), sealed).ok());
        let time = |micros: Option<i64>| micros.map(Timestamp::from_micros);
        Ok(Destination {
            id: parse_id("destination", &row.id)?,
            tenant: Tenant {
                account: parse_id("account", &row.account_id)?,
                environment: parse_id("environment", &row.environment)?,
            },
            draft: DestinationDraft {
                kind: kind.ok_or_else(|| unreadable("unknown kind"))?,
                events: events.ok_or_else(|| unreadable("unknown event"))?,
                widgets,
                active: row.active,
                ordered: row.ordered,
                timeout_seconds: u8::try_from(row.timeout_seconds).map_err(|_| unreadable("timeout"))?,
                secrets,
                name: row.name,
                address: row.address,
                config: row.config,
            },
            inactive_reason: row.inactive_reason.map(from_stored),
            success_count: u64::try_from(row.success_count).unwrap_or_default(),
            failure_count: u64::try_from(row.failure_count).unwrap_or_default(),
            last_success_at: time(row.last_success_at),
            last_failure_at: time(row.last_failure_at),
            failures_in_a_row: u64::try_from(row.failures_in_a_row).unwrap_or_default(),
            failing_since: time(row.failing_since),
            blocked_until: Timestamp::from_micros(row.blocked_until),
            created_at: Timestamp::from_micros(row.created_at),
            updated_at: Timestamp::from_micros(row.updated_at),
        })
    }
}

fn words<T>(items: &[T], text: impl Fn(&T) -> String) -> String {
    items.iter().map(text).collect::<Vec<_>>().join(" ")
}

fn count(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}
