//! A PostgreSQL server for the tests.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use shingle_store::{Secret, Store};
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use crate::clock::ManualClock;
use crate::postgres_shell::{PostgresShell, folder_with};

/// The secret of every fixture.
pub(crate) const SECRET: Secret = Secret::from_bytes([7; 32]);

/// One server for a whole test binary, on a socket in its own folder: no port, no password, no other users.
/// Each test gets a copy of one prepared database.
pub struct PgCluster {
    folder: PathBuf,
    databases: AtomicU32,
    template: tokio::sync::OnceCell<()>,
    /// Databases whose tests have ended. They are deleted, or some thousand tests fill the disk.
    ended: Arc<Mutex<Vec<String>>>,
    keeper: PostgresShell,
}

/// How many of them wait.
const ENDED_AT_MOST: usize = 16;

/// Names a database to delete when it is dropped.
pub struct PassingDatabase {
    name: String,
    ended: Arc<Mutex<Vec<String>>>,
}

impl Drop for PassingDatabase {
    fn drop(&mut self) {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner).push(std::mem::take(&mut self.name));
    }
}

/// `$1` is the folder of PostgreSQL's programs, `$2` whether commits wait for the disk. Interrupts are for the tests: the
/// server outlives them. Without autovacuum, whose analysis would keep deleted rows alive in a `VACUUM FULL` of a test.
const KEEPER: &str = r#"
set -e
trap '' INT HUP
folder=$(mktemp -d /tmp/shingle-pg.XXXXXX)
trap 'rm -rf "$folder"' EXIT
"$1/initdb" -D "$folder/data" -U shingle -A trust -E UTF8 --locale=C --no-sync </dev/null >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
programs="$1" fsync="$2"
start() {
    "$programs/pg_ctl" -D "$folder/data" -l "$folder/log" -w -s start </dev/null >/dev/null \
        -o "-c listen_addresses='' -c unix_socket_directories='$folder' -c max_connections=400 -c fsync=$fsync -c autovacuum=off -c shared_buffers=32MB"
}
start || { cat "$folder/log" >&2; exit 1; }
trap '"$1/pg_ctl" -D "$folder/data" -m immediate -s stop </dev/null >/dev/null 2>&1; rm -rf "$folder"' EXIT
echo "$folder"
exec 2>&-
while read -r word; do
    case "$word" in
        die) "$1/pg_ctl" -D "$folder/data" -m immediate -s stop </dev/null >/dev/null ;;
        return) start ;;
    esac
    echo "$word"
done
"#;

impl PgCluster {
    /// The cluster of this process, started on first use. `None`: PostgreSQL is not installed.
    ///
    /// # Panics
    /// When it is installed and does not start, or is missing where it is required.
    pub fn shared() -> Option<&'static Self> {
        static SHARED: OnceLock<Option<PgCluster>> = OnceLock::new();
        SHARED
            .get_or_init(|| {
                let Some(programs) = programs() else {
                    let required = ["CI", "SHINGLE_REQUIRE_POSTGRES"].into_iter().find(|name| is_set(name));
                    assert!(required.is_none(), "{} is set, but initdb was not found", required.unwrap_or_default());
                    return None;
                };
                Some(Self::start(&programs, "off"))
            })
            .as_ref()
    }

    /// A cluster of its own whose commits wait for the disk, for measuring. `None`: PostgreSQL is not installed.
    ///
    /// # Panics
    /// When it is installed and does not start.
    pub fn durable() -> Option<Self> {
        programs().map(|programs| Self::start(&programs, "on"))
    }

    fn start(programs: &Path, fsync: &str) -> Self {
        let (keeper, folder) = PostgresShell::start(KEEPER, programs, &[fsync]);
        Self {
            folder: PathBuf::from(folder),
            databases: AtomicU32::new(0),
            template: tokio::sync::OnceCell::new(),
            ended: Arc::default(),
            keeper,
        }
    }

    /// Ends the server as a crash does: in the middle of everything, and without a word to anybody.
    ///
    /// # Panics
    /// When it was not running.
    pub fn crash(&mut self) {
        self.keeper.tell("die");
    }

    /// Starts it again after [`PgCluster::crash`]; returns when it has recovered.
    ///
    /// # Panics
    /// When it does not start.
    pub fn start_again(&mut self) {
        self.keeper.tell("return");
    }

    /// The address of a new database with all tables and no rows.
    pub async fn new_database(&self) -> String {
        self.template
            .get_or_init(|| async {
                self.run("CREATE DATABASE template_shingle").await;
                let clock = Arc::new(ManualClock::at("2026-03-10T12:00:00Z"));
                let address = self.address("template_shingle");
                Store::open(&address, clock, &SECRET).await.expect("tables").close().await.expect("a clean end");
            })
            .await;
        self.delete_ended().await;
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::SeqCst));
        self.run(&format!("CREATE DATABASE {name} TEMPLATE template_shingle")).await;
        self.address(&name)
    }

    /// A new database that may be deleted when what is returned beside its address is dropped.
    pub async fn passing_database(&self) -> (String, PassingDatabase) {
        let address = self.new_database().await;
        let name = address.split(['/', '?']).nth(3).expect("a name in the address").to_owned();
        (address, PassingDatabase { name, ended: self.ended.clone() })
    }

    /// Several at once: each waits for a checkpoint.
    async fn delete_ended(&self) {
        let names = {
            let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
            if ended.len() < ENDED_AT_MOST { Vec::new() } else { std::mem::take(&mut *ended) }
        };
        if names.is_empty() {
            return;
        }
        let mut connection = PgConnection::connect(&self.address("postgres")).await.expect("a connection");
        for name in names {
            // A pool of the test may still be closing.
            let sql = format!("DROP DATABASE {name}");
            if sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await.is_err() {
                self.ended.lock().unwrap_or_else(PoisonError::into_inner).push(name);
            }
        }
        connection.close().await.expect("a clean end");
    }

    /// Where its socket is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// `name` need not exist.
    pub fn address(&self, name: &str) -> String {
        format!("postgres://shingle@localhost/{name}?host={}", self.folder.display())
    }

    /// A statement of the test's own, as the superuser.
    ///
    /// # Panics
    /// When it fails.
    pub async fn run(&self, sql: &str) {
        self.run_in("postgres", sql).await;
    }

    /// The same in another database.
    ///
    /// # Panics
    /// When it fails.
    pub async fn run_in(&self, database: &str, sql: &str) {
        let mut connection = PgConnection::connect(&self.address(database)).await.expect("a connection");
        sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.expect("a database");
        connection.close().await.expect("a clean end");
    }
}

/// Where `initdb` and `pg_ctl` are: on the path, or where Debian keeps them, newest first.
fn programs() -> Option<PathBuf> {
    folder_with(&["initdb", "pg_ctl"])
}

/// Where `pg_dump` and `pg_restore` are.
pub fn dump_programs() -> Option<PathBuf> {
    folder_with(&["pg_dump", "pg_restore"])
}

fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}
