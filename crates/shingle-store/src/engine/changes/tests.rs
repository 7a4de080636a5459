//! Upgrades with changes of our own, as a later version will bring them.

use std::path::PathBuf;

use shingle_store_fixture::{PgCluster, dump_programs};
use sqlx::Connection as _;

use super::*;
use crate::engine::connect::{self, Opened};
use crate::engine::db::Db;

const ADDS: Change = Change { number: 2, name: "adds", text: "ALTER TABLE installation ADD COLUMN later BIGINT" };
/// Its second statement fails.
const FAILS: Change = Change {
    number: 2,
    name: "fails",
    text: "ALTER TABLE installation ADD COLUMN later BIGINT; INSERT INTO no_such_table (id) VALUES (1)",
};

struct Site {
    folder: tempfile::TempDir,
    address: String,
}

impl Site {
    fn on_sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let address = format!("sqlite://{}", folder.path().join("shingle.db").display());
        Self { folder, address }
    }

    fn copies(&self) -> PathBuf {
        self.folder.path().join("backups")
    }

    /// Opens it as a version does that knows these changes besides today's.
    async fn open(&self, later: &[Change]) -> Result<Db, String> {
        let all: Vec<Change> = ALL.iter().chain(later).copied().collect();
        let copies = self.copies();
        let opened = connect::open(&self.address, Changes { all: &all, copies: Some(&copies) }).await;
        opened.map(|Opened { db, .. }| db).map_err(|error| error.to_string())
    }

    async fn open_and_close(&self, later: &[Change]) {
        close(self.open(later).await.unwrap()).await;
    }

    /// With one row.
    async fn begin(&self) {
        let db = self.open(&[]).await.unwrap();
        run(&db, "INSERT INTO installation (id, secret_check, created_at) VALUES (1, 'of the old version', 7)").await;
        close(db).await;
        assert!(!self.copies().exists(), "a new database needs no copy");
    }

    fn copy_names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.copies()).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().into_string().unwrap()).collect()
    }
}

async fn run(db: &Db, sql: &'static str) {
    match db {
        Db::Sqlite { write, .. } => drop(sqlx::query(sql).execute(write).await.unwrap()),
        Db::Postgres(postgres) => drop(sqlx::query(sql).execute(&postgres.pool).await.unwrap()),
    }
}

async fn close(db: Db) {
    match db {
        Db::Sqlite { read, write } => {
            read.close().await;
            write.close().await;
        }
        Db::Postgres(postgres) => postgres.pool.close().await,
    }
}

async fn secret_check(db: &Db) -> String {
    const ASK: &str = "SELECT secret_check FROM installation";
    match db {
        Db::Sqlite { write, .. } => sqlx::query_scalar(ASK).fetch_one(write).await.unwrap(),
        Db::Postgres(postgres) => sqlx::query_scalar(ASK).fetch_one(&postgres.pool).await.unwrap(),
    }
}

async fn has_later(db: &Db) -> bool {
    const ASK: &str = "SELECT later FROM installation";
    match db {
        Db::Sqlite { write, .. } => sqlx::query(ASK).fetch_one(write).await.is_ok(),
        Db::Postgres(postgres) => sqlx::query(ASK).fetch_one(&postgres.pool).await.is_ok(),
    }
}

async fn is_upgraded_once_and_refused_by_the_older_version(site: &Site, copy: Option<&str>) {
    site.begin().await;
    for _ in 0..2 {
        let db = site.open(&[ADDS]).await.unwrap();
        assert!(has_later(&db).await);
        assert_eq!(secret_check(&db).await, "of the old version");
        close(db).await;
        assert_eq!(site.copy_names(), Vec::from_iter(copy));
    }
    let refused = site.open(&[]).await.err().unwrap();
    assert!(refused.contains("a newer version of Shingle") && refused.contains("change 2"), "{refused}");
}

async fn is_left_as_it_was_by_a_change_that_fails(site: &Site) {
    site.begin().await;
    assert!(site.open(&[FAILS]).await.is_err());
    let db = site.open(&[]).await.unwrap();
    assert!(!has_later(&db).await, "half of a change");
    close(db).await;
    site.open_and_close(&[ADDS]).await;
}

#[tokio::test]
async fn a_file_is_copied_before_its_tables_change_and_the_copy_is_one_of_the_older_version() {
    let site = Site::on_sqlite();
    is_upgraded_once_and_refused_by_the_older_version(&site, Some("before-change-2.sqlite")).await;
    let old = Site { address: format!("sqlite://{}", site.copies().join("before-change-2.sqlite").display()), ..site };
    let db = old.open(&[]).await.unwrap();
    assert!(!has_later(&db).await);
    assert_eq!(secret_check(&db).await, "of the old version");
    close(db).await;
}

#[tokio::test]
async fn a_change_that_fails_leaves_a_file_as_it_was() {
    is_left_as_it_was_by_a_change_that_fails(&Site::on_sqlite()).await;
}

#[tokio::test]
async fn without_a_copy_nothing_of_a_file_is_changed() {
    let site = Site::on_sqlite();
    site.begin().await;
    fs::write(site.copies(), "not a folder").unwrap();
    let refused = site.open(&[ADDS]).await.err().unwrap();
    assert!(refused.contains("no copy of the database could be made"), "{refused}");
    fs::remove_file(site.copies()).unwrap();
    let db = site.open(&[]).await.unwrap();
    assert!(!has_later(&db).await);
    close(db).await;
}

/// The files as they are on the disk in the middle of a change stand for a process that was killed there.
#[tokio::test]
async fn an_upgrade_that_is_killed_in_a_file_goes_on_at_the_next_start() {
    let site = Site::on_sqlite();
    site.begin().await;
    let db = site.open(&[]).await.unwrap();
    let Db::Sqlite { write, .. } = &db else { unreachable!() };
    let mut connection = write.acquire().await.unwrap();
    // What does not fit into its cache is in the log before the end.
    for sql in [
        "PRAGMA cache_size = 2",
        "BEGIN IMMEDIATE",
        ADDS.text,
        "CREATE TABLE filler (word TEXT)",
        "INSERT INTO filler WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) \
         SELECT hex(randomblob(200)) FROM n",
    ] {
        sqlx::query(sql).execute(&mut *connection).await.unwrap();
    }
    let killed = Site::on_sqlite();
    for name in ["shingle.db", "shingle.db-wal"] {
        let copied = fs::copy(site.folder.path().join(name), killed.folder.path().join(name)).unwrap();
        assert!(name == "shingle.db" || copied > 100_000, "{copied} bytes are of the change");
    }
    drop(connection);
    let again = killed.open(&[ADDS]).await.unwrap();
    assert!(has_later(&again).await);
    assert_eq!(secret_check(&again).await, "of the old version");
    close(again).await;
}

fn on_postgres(name: &str) -> Option<Site> {
    let address = PgCluster::shared()?.address(name);
    Some(Site { folder: tempfile::tempdir().unwrap(), address })
}

#[tokio::test]
async fn a_database_of_a_server_is_dumped_before_its_tables_change() {
    let Some(site) = on_postgres("changes_dumped") else { return };
    let copy = dump_programs().is_some_and(|_| on_path("pg_dump")).then_some("before-change-2.pgdump");
    is_upgraded_once_and_refused_by_the_older_version(&site, copy).await;
}

fn on_path(program: &str) -> bool {
    std::process::Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

#[tokio::test]
async fn a_change_that_fails_leaves_a_database_of_a_server_as_it_was() {
    let Some(site) = on_postgres("changes_failed") else { return };
    is_left_as_it_was_by_a_change_that_fails(&site).await;
}

/// A lock of somebody else holds the change up while its session ends.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upgrade_that_is_killed_in_a_server_goes_on_at_the_next_start() {
    let Some(site) = on_postgres("changes_killed") else { return };
    site.begin().await;
    let mut other = PgConnection::connect(&site.address).await.unwrap();
    let mut reader = other.begin().await.unwrap();
    sqlx::query("SELECT id FROM installation").execute(&mut *reader).await.unwrap();
    let upgrading = Site { folder: tempfile::tempdir().unwrap(), address: site.address.clone() };
    let upgrade = tokio::spawn(async move { upgrading.open(&[ADDS]).await.err() });
    let mut watch = PgConnection::connect(&site.address).await.unwrap();
    const END: &str = "SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity \
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'ALTER TABLE%'";
    while sqlx::query_scalar::<_, i64>(END).fetch_one(&mut watch).await.unwrap() == 0 {
        tokio::task::yield_now().await;
    }
    assert!(upgrade.await.unwrap().is_some(), "the upgrade ended with its session");
    reader.rollback().await.unwrap();
    let db = site.open(&[]).await.unwrap();
    assert!(!has_later(&db).await);
    close(db).await;
    site.open_and_close(&[ADDS]).await;
}
