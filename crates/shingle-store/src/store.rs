use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use shingle_consent::CertificateSigner;
use shingle_domain::{Tenant, Timestamp};
use tokio::sync::Notify;
use uuid::Uuid;

use crate::encryption::installation_keys::InstallationKeys;
use crate::encryption::keyed_hash::KeyedHashes;
use crate::engine::caches::Caches;
use crate::engine::changes::Changes;
use crate::engine::connect;
use crate::engine::db::{Db, execute, fetch_all, fetch_optional, transact};
use crate::engine::group::Group;
use crate::engine::record_cache::Generation;
use crate::leads::index::LeadIndexes;
use crate::leads::submission_queue::SubmissionGroups;
use crate::usage::buffer::{Charge, UsageBuffer};
use crate::widgets::visit_buffer::VisitBuffer;
use crate::{Clock, Secret, StoreError};

/// The database of an installation. Cheap to clone; all clones share one set of connections.
#[derive(Clone)]
pub struct Store {
    pub(crate) db: Db,
    /// When it was opened.
    lacks_log: bool,
    with_log: Option<Arc<Path>>,
    pub(crate) hashes: KeyedHashes,
    pub(crate) usage: Arc<UsageBuffer>,
    pub(crate) visits: Arc<VisitBuffer>,
    pub(crate) caches: Arc<Caches>,
    /// Calls that are settled together.
    pub(crate) charges: Arc<Group<Charge, Result<(), StoreError>>>,
    pub(crate) submissions: Arc<SubmissionGroups>,
    pub(crate) lead_indexes: Arc<LeadIndexes>,
    pub(crate) installation_keys: Arc<InstallationKeys>,
    pub(crate) certificate_signer: Arc<CertificateSigner>,
    /// Told after every commit that leaves something to deliver.
    pub(crate) wake: Arc<Notify>,
    clock: Arc<dyn Clock>,
    /// The milliseconds and the counter of the newest id.
    last_id: Arc<AtomicU64>,
}

impl Store {
    /// Opens `sqlite://PATH` or `postgres://USER:PASSWORD@HOST/NAME`; creates the database and its tables
    /// where they are missing.
    pub async fn open(address: &str, clock: Arc<dyn Clock>, secret: &Secret) -> Result<Self, StoreError> {
        Self::open_with(address, clock, secret, Changes::known(None)).await
    }

    /// The same, with a copy of the database in this folder before its tables change.
    pub async fn open_copying(
        address: &str,
        clock: Arc<dyn Clock>,
        secret: &Secret,
        copies: &Path,
    ) -> Result<Self, StoreError> {
        Self::open_with(address, clock, secret, Changes::known(Some(copies))).await
    }

    async fn open_with(
        address: &str,
        clock: Arc<dyn Clock>,
        secret: &Secret,
        changes: Changes<'_>,
    ) -> Result<Self, StoreError> {
        let connect::Opened { db, lacks_log, with_log } = connect::open(address, changes).await?;
        let store = Self {
            db,
            lacks_log,
            with_log: with_log.map(Into::into),
            hashes: KeyedHashes::new(secret),
            usage: Arc::default(),
            visits: Arc::default(),
            caches: Arc::default(),
            charges: Arc::default(),
            submissions: Arc::default(),
            lead_indexes: Arc::default(),
            installation_keys: Arc::new(InstallationKeys::new(secret)),
            certificate_signer: Arc::new(certificate_signer(secret)?),
            wake: Arc::default(),
            clock,
            last_id: Arc::default(),
        };
        store.check_secret().await?;
        Ok(store)
    }

    async fn check_secret(&self) -> Result<(), StoreError> {
        let (check, now) = (self.hashes.secret_check(), self.now());
        transact!(self.db, |tx| {
            execute!(
                tx,
                "INSERT INTO installation (id, secret_check, created_at) VALUES (1, $1, $2) ON CONFLICT (id) DO NOTHING",
                &check,
                now.micros()
            )?;
            let stored = fetch_optional!(tx, (String,), "SELECT secret_check FROM installation WHERE id = 1")?;
            if stored.is_some_and(|(stored,)| stored == check) { Ok(()) } else { Err(StoreError::SecretMismatch) }
        })
    }

    /// A server runs on it from now on.
    pub async fn begin_serving(&self) -> Result<(), StoreError> {
        self.note_serving(1).await?;
        // Into the file itself: it is what a careless copy has.
        connect::truncate_log(&self.db).await?;
        Ok(())
    }

    /// The last thing before [`Store::close`].
    pub async fn end_serving(&self) -> Result<(), StoreError> {
        self.note_serving(0).await
    }

    async fn note_serving(&self, serving: i64) -> Result<(), StoreError> {
        transact!(self.db, |tx| {
            execute!(tx, "UPDATE installation SET serving = $1 WHERE id = 1", serving)?;
            Ok(())
        })
    }

    /// Whether the file was in the use of a server when it was last written, and came here without the log that has its newest
    /// rows: a copy of a running server's database.
    pub async fn may_lack_its_newest_rows(&self) -> Result<bool, StoreError> {
        let mut reader = self.db.read().await?;
        let row = fetch_optional!(reader, (i64,), "SELECT serving FROM installation WHERE id = 1")?;
        Ok(self.lacks_log && row.is_some_and(|(serving,)| serving != 0))
    }

    /// Whether the database can be written: for readiness checks.
    pub async fn check_writable(&self) -> Result<(), StoreError> {
        transact!(self.db, |tx| {
            // A change of the value: SQLite leaves out the writing of what is there already.
            execute!(tx, "UPDATE installation SET write_checks = write_checks + 1 WHERE id = 1")?;
            Ok(())
        })
    }

    /// What the database's server takes for the time. `None`: the database is a file, and has this machine's.
    pub async fn database_clock(&self) -> Result<Option<Timestamp>, StoreError> {
        if matches!(self.db, Db::Sqlite { .. }) {
            return Ok(None);
        }
        let mut reader = self.db.read().await?;
        let row =
            fetch_optional!(reader, (i64,), "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)")?;
        Ok(row.map(|(micros,)| Timestamp::from_micros(micros)))
    }

    /// Bytes of the database, as it is on its disk.
    pub async fn database_size(&self) -> Result<u64, StoreError> {
        let sql = match self.db {
            Db::Sqlite { .. } => "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
            Db::Postgres(_) => "SELECT pg_database_size(current_database())",
        };
        let mut reader = self.db.read().await?;
        let row = fetch_optional!(reader, (i64,), sql)?;
        Ok(row.map_or(0, |(bytes,)| bytes.unsigned_abs()))
    }

    /// The changes of the tables that ran here, newest first: what each is called, and when it ran.
    pub async fn migrations(&self) -> Result<Vec<(String, Timestamp)>, StoreError> {
        let sql = match self.db {
            Db::Sqlite { .. } => {
                "SELECT description, CAST(strftime('%s', installed_on) AS INTEGER) FROM _sqlx_migrations ORDER BY version DESC"
            }
            Db::Postgres(_) => {
                "SELECT description, CAST(EXTRACT(EPOCH FROM installed_on) AS BIGINT) FROM _sqlx_migrations ORDER BY version DESC"
            }
        };
        let mut reader = self.db.read().await?;
        let rows = fetch_all!(reader, (String, i64), sql)?;
        Ok(rows.into_iter().map(|(name, seconds)| (name, Timestamp::from_micros(seconds * 1_000_000))).collect())
    }

    /// Writes the buffered usage and visits, waits for running statements, then closes every connection.
    pub async fn close(&self) -> Result<(), StoreError> {
        let written = self.usage().flush().await;
        let written = written.and(self.widgets().flush_visits().await);
        self.db.close().await;
        if let Some(file) = &self.with_log {
            connect::note_folded_log(file).await?;
        }
        written
    }

    /// To the millisecond, as in JSON: a time that is read back equals the one that was written, in rows
    /// and in records alike.
    pub fn now(&self) -> Timestamp {
        let micros = self.clock.now().micros();
        Timestamp::from_micros(micros - micros.rem_euclid(1_000))
    }

    pub(crate) fn elapsed(&self) -> std::time::Duration {
        self.clock.elapsed()
    }

    /// Of the records in memory that may be used now.
    pub(crate) async fn generation(&self) -> Result<Generation, StoreError> {
        self.caches.generation(&self.db, &self.clock).await
    }

    /// Time-ordered (UUIDv7), by the clock of the store. Ids made within one millisecond count up from a random number, as RFC
    /// 9562, section 6.2, advises: what one server writes sorts as it was written.
    pub fn new_id(&self) -> Result<Uuid, StoreError> {
        let mut random = [0; 10];
        getrandom::fill(&mut random).map_err(StoreError::Random)?;
        let millis = u64::try_from(self.now().micros() / 1_000).unwrap_or_default();
        let first = (millis << 12) | (u64::from(u16::from_be_bytes([random[0], random[1]])) & 0x7ff);
        let follows = |last: u64| first.max(last + 1);
        let (Ok(last) | Err(last)) =
            self.last_id.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(follows(last)));
        let new = follows(last);
        [.., random[0], random[1]] = new.to_be_bytes();
        Ok(uuid::Builder::from_unix_timestamp_millis(new >> 12, &random).into_uuid())
    }
}

fn certificate_signer(secret: &Secret) -> Result<CertificateSigner, StoreError> {
    Ok(CertificateSigner::from_seed(&secret.derive("shingle-store 2026 consent certificates"))?)
}

/// A tenant as its two columns.
pub(crate) fn columns(tenant: &Tenant) -> (String, &'static str) {
    (tenant.account.to_string(), tenant.environment.as_str())
}

/// An id read back from the database.
pub(crate) fn parse_id<T: std::str::FromStr>(what: &'static str, text: &str) -> Result<T, StoreError> {
    text.parse().map_err(|_| StoreError::Unreadable { what, id: text.to_owned(), reason: "not an id".to_owned() })
}

/// Ids as JSON rows, which a statement reads as the table `given`.
pub(crate) fn given_ids<T: ToString>(ids: &[T]) -> Result<String, StoreError> {
    #[derive(serde::Serialize)]
    struct GivenId {
        id: String,
    }
    let rows: Vec<_> = ids.iter().map(|id| GivenId { id: id.to_string() }).collect();
    Ok(serde_json::to_string(&rows)?)
}

pub(crate) fn refuse_nul(text: &str) -> Result<(), StoreError> {
    if text.contains('\0') { Err(StoreError::Nul) } else { Ok(()) }
}

/// A record as JSON, refused when one of its texts (names included) holds a NUL.
pub(crate) fn to_json(record: &impl serde::Serialize) -> Result<serde_json::Value, StoreError> {
    fn clean(value: &serde_json::Value) -> bool {
        match value {
            serde_json::Value::String(text) => !text.contains('\0'),
            serde_json::Value::Array(items) => items.iter().all(clean),
            serde_json::Value::Object(fields) => fields.iter().all(|(name, v)| !name.contains('\0') && clean(v)),
            _ => true,
        }
    }
    let value = serde_json::to_value(record)?;
    if clean(&value) { Ok(value) } else { Err(StoreError::Nul) }
}

pub(crate) fn from_json<T: serde::de::DeserializeOwned>(
    what: &'static str,
    id: &str,
    json: &str,
) -> Result<T, StoreError> {
    // The reason gives the position, not the text: the text may be personal.
    serde_json::from_str(json).map_err(|e| StoreError::Unreadable {
        what,
        id: id.to_owned(),
        reason: format!("{:?} error at column {}", e.classify(), e.column()),
    })
}

/// Turns "no row was changed" into "not found".
pub(crate) fn require_row(rows: u64) -> Result<(), StoreError> {
    if rows == 0 { Err(StoreError::NotFound) } else { Ok(()) }
}
