//! For tests: a clock that tests set, and a store on each engine, PostgreSQL included.
//!
//! ```
//! use shingle_store::Clock;
//! use shingle_store_fixture::ManualClock;
//!
//! let clock = ManualClock::at("2026-03-10T12:00:00Z");
//! clock.advance(std::time::Duration::from_secs(60));
//! assert_eq!(clock.now(), ManualClock::at("2026-03-10T12:01:00Z").now());
//! ```
//!
//! # Decision
//!
//! The fixture is a crate, so build, Clippy and tests share one set of features. Tests run on SQLite and on a
//! PostgreSQL they start themselves. Turned down: a feature `testing`, with which everything above was compiled
//! twice.

mod clock;
mod failing_disk;
mod postgres;
mod postgres_shell;
mod query_plans;
mod sample_lead;
mod sample_widget;
mod small_disk;
mod statement_log;
mod stored_bytes;

use std::sync::Arc;

use shingle_store::{Secret, Store};
use sqlx::{Connection, Decode, Postgres, Sqlite, Type};

pub use clock::ManualClock;
pub use failing_disk::FailingDisk;
pub use postgres::{PassingDatabase, PgCluster, dump_programs};
pub use postgres_shell::{PostgresShell, folder_with};
pub use query_plans::{Engine, PlanCheck};
pub use sample_lead::sample_lead;
pub use sample_widget::sample_widget;
pub use small_disk::SmallDisk;
pub use stored_bytes::{backup_bytes, stored_bytes};

/// A separate store for one test, at noon of 2026-03-10.
pub struct Fixture {
    pub store: Store,
    pub clock: Arc<ManualClock>,
    /// To open the same database again.
    pub address: String,
    /// SQLite's folder, removed with the fixture.
    pub folder: Option<tempfile::TempDir>,
    /// PostgreSQL's database, deleted some time after the fixture.
    pub database: Option<PassingDatabase>,
    /// Looks at the plans of what was run.
    pub plans: PlanCheck,
}

impl Fixture {
    pub const SECRET: Secret = postgres::SECRET;

    pub async fn on_sqlite() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let address = format!("sqlite://{}", folder.path().join("shingle.db").display());
        Self::open(address, Some(folder), None).await
    }

    /// `None` when there is no PostgreSQL on this machine; the test is then recorded as skipped. Where it is required
    /// (`CI` or `SHINGLE_REQUIRE_POSTGRES` is set), that is a failure.
    pub async fn on_postgres() -> Option<Self> {
        let Some(cluster) = PgCluster::shared() else {
            shingle_testing::skip("PostgreSQL (initdb and pg_ctl) is not installed");
            return None;
        };
        let (address, database) = cluster.passing_database().await;
        Some(Self::open(address, None, Some(database)).await)
    }

    /// On a database that the test has made or reaches by a way of its own.
    pub async fn at(address: String) -> Self {
        Self::open(address, None, None).await
    }

    async fn open(address: String, folder: Option<tempfile::TempDir>, database: Option<PassingDatabase>) -> Self {
        let plans = PlanCheck::begin(if address.starts_with("sqlite:") { Engine::Sqlite } else { Engine::Postgres });
        let clock = Arc::new(ManualClock::at("2026-03-10T12:00:00Z"));
        let store = Store::open(&address, clock.clone(), &Self::SECRET).await.expect("a store");
        Self { store, clock, address, folder, database, plans }
    }

    /// Runs statements of the test's own beside the store.
    pub async fn run(&self, sql: &'static str) {
        let done = if self.folder.is_some() {
            let mut beside = sqlx::SqliteConnection::connect(&self.address).await.expect("a connection");
            sqlx::raw_sql(sql).execute(&mut beside).await.map(drop)
        } else {
            let mut beside = sqlx::PgConnection::connect(&self.address).await.expect("a connection");
            sqlx::raw_sql(sql).execute(&mut beside).await.map(drop)
        };
        done.expect("statements that run");
    }

    /// A number that a query of the test's own finds.
    pub async fn number(&self, sql: &'static str) -> i64 {
        self.scalar(sql).await
    }

    /// A text that a query of the test's own finds.
    pub async fn text(&self, sql: &'static str) -> String {
        self.scalar(sql).await
    }

    /// All texts that a query of the test's own finds.
    pub async fn texts(&self, sql: &'static str) -> Vec<String> {
        let found = if self.folder.is_some() {
            let mut beside = sqlx::SqliteConnection::connect(&self.address).await.expect("a connection");
            sqlx::query_scalar(sql).fetch_all(&mut beside).await
        } else {
            let mut beside = sqlx::PgConnection::connect(&self.address).await.expect("a connection");
            sqlx::query_scalar(sql).fetch_all(&mut beside).await
        };
        found.expect("texts")
    }

    async fn scalar<T>(&self, sql: &'static str) -> T
    where
        T: for<'r> Decode<'r, Sqlite> + Type<Sqlite> + for<'r> Decode<'r, Postgres> + Type<Postgres> + Send + Unpin,
    {
        let found = if self.folder.is_some() {
            let mut beside = sqlx::SqliteConnection::connect(&self.address).await.expect("a connection");
            sqlx::query_scalar(sql).fetch_one(&mut beside).await
        } else {
            let mut beside = sqlx::PgConnection::connect(&self.address).await.expect("a connection");
            sqlx::query_scalar(sql).fetch_one(&mut beside).await
        };
        found.expect("a value")
    }

    /// A second store on the same database, as another process would have it.
    pub async fn open_again(&self) -> Store {
        Store::open(&self.address, self.clock.clone(), &Self::SECRET).await.expect("a second store")
    }
}

/// Runs every test on both engines: `async fn name(fixture: Fixture) { … }` becomes `name::on_sqlite` and
/// `name::on_postgres`. Needs tokio's test macro where it is used.
#[macro_export]
macro_rules! on_both_engines {
    ($($(#[$meta:meta])* async fn $name:ident($fixture:ident: Fixture) $body:block)*) => { $(
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            async fn scenario($fixture: $crate::Fixture) $body

            $(#[$meta])*
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn on_sqlite() {
                scenario($crate::Fixture::on_sqlite().await).await;
            }

            $(#[$meta])*
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn on_postgres() {
                if let Some(fixture) = $crate::Fixture::on_postgres().await {
                    scenario(fixture).await;
                }
            }
        }
    )* };
}
