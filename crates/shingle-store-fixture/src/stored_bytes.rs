//! What somebody reads who has stolen the disk.

use std::path::{Path, PathBuf};

use crate::postgres_shell::folder_with;
use sqlx::{Connection, PgConnection};

/// The bytes of a database with the name of where they stand: its files with the write-ahead log and, since PostgreSQL
/// compresses long values in its files, each of its tables as text. The log is that of all databases of its server.
pub async fn stored_bytes(address: &str) -> Vec<(String, Vec<u8>)> {
    if let Some(path) = address.strip_prefix("sqlite://") {
        return Path::new(path).parent().into_iter().flat_map(files).collect();
    }
    let mut beside = PgConnection::connect(address).await.expect("a connection");
    // What was committed may be in memory and in the log alone.
    sqlx::raw_sql("CHECKPOINT").execute(&mut beside).await.expect("a checkpoint");
    let folder: String = sqlx::query_scalar("SELECT current_setting('data_directory')")
        .fetch_one(&mut beside)
        .await
        .expect("its folder");
    let number: i64 = sqlx::query_scalar("SELECT oid::bigint FROM pg_database WHERE datname = current_database()")
        .fetch_one(&mut beside)
        .await
        .expect("its number");
    let folder = PathBuf::from(folder);
    let mut found: Vec<_> =
        files(&folder.join(format!("base/{number}"))).chain(files(&folder.join("pg_wal"))).collect();
    let tables: Vec<String> =
        sqlx::query_scalar("SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public'")
            .fetch_all(&mut beside)
            .await
            .expect("its tables");
    for table in tables {
        let query = format!("SELECT coalesce(string_agg(r::text, ' '), '') FROM \"{table}\" r");
        let text: String =
            sqlx::query_scalar(sqlx::AssertSqlSafe(query)).fetch_one(&mut beside).await.expect("its rows");
        found.push((table, text.into_bytes()));
    }
    found
}

/// A backup as operators make it: a copy of the whole file by SQLite, or the statements of `pg_dump`. `None`: there is no
/// `pg_dump` here, and the test is recorded as skipped.
pub async fn backup_bytes(address: &str) -> Option<Vec<u8>> {
    if !address.starts_with("sqlite://") {
        let Some(folder) = folder_with(&["pg_dump"]) else {
            shingle_testing::skip("pg_dump is not installed");
            return None;
        };
        let dumped = std::process::Command::new(folder.join("pg_dump")).arg(address).output().expect("pg_dump runs");
        assert!(dumped.status.success(), "{}", String::from_utf8_lossy(&dumped.stderr));
        return Some(dumped.stdout);
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let copy = folder.path().join("backup.db");
    let mut beside = sqlx::SqliteConnection::connect(address).await.expect("a connection");
    let copied = sqlx::query("VACUUM INTO $1").bind(copy.display().to_string()).execute(&mut beside).await;
    copied.expect("a copy");
    Some(std::fs::read(copy).expect("the copy"))
}

fn files(folder: &Path) -> impl Iterator<Item = (String, Vec<u8>)> + use<> {
    let entries = std::fs::read_dir(folder).expect("a folder").flatten();
    // One that is deleted meanwhile holds nothing.
    entries.filter_map(|entry| Some((entry.path().display().to_string(), std::fs::read(entry.path()).ok()?)))
}
