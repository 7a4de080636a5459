//! One open database as one file, and the programs of PostgreSQL's client that write and read such a file.

use std::path::Path;
use std::process::{Output, Stdio};

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection};
use tokio::process::Command;

use crate::StoreError;

/// The newest change of the tables, and what tells one secret from another.
pub(crate) const ABOUT: &str = "SELECT CAST((SELECT MAX(version) FROM _sqlx_migrations) AS BIGINT), secret_check \
    FROM installation WHERE id = 1";

pub(crate) async fn copy_open_sqlite(from: &mut SqliteConnection, into: &Path) -> Result<(i64, String), StoreError> {
    let name = into.to_str().ok_or_else(|| StoreError::NoDatabase(into.display().to_string()))?;
    sqlx::query("VACUUM INTO $1").bind(name).execute(from).await?;
    let mut copy = SqliteConnectOptions::new().filename(into).connect().await?;
    // It has everything, though the server that it was taken of still runs.
    sqlx::query("UPDATE installation SET serving = 0 WHERE id = 1").execute(&mut copy).await?;
    let about = sqlx::query_as(ABOUT).fetch_one(&mut copy).await?;
    copy.close().await?;
    Ok(about)
}

pub(crate) async fn dump_postgres(address: &str, into: &Path) -> Result<(), StoreError> {
    let mut dump = client("pg_dump", address);
    // Compressed once, with the archive.
    dump.args(["--format=custom", "--compress=0", "--no-owner", "--no-privileges", "--file"]).arg(into);
    run("pg_dump", dump).await
}

/// Puts a copy of a PostgreSQL database into a vacant one, as a whole or not at all. A copy of SQLite is the file itself.
pub async fn restore_postgres(address: &str, from: &Path) -> Result<(), StoreError> {
    let mut restore = client("pg_restore", address);
    restore.args(["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"]).arg(from);
    run("pg_restore", restore).await
}

/// The password goes by the environment, which other users of the machine cannot read.
fn client(program: &str, address: &str) -> Command {
    let mut command = Command::new(program);
    let mut plain = address.to_owned();
    if let Ok(mut url) = url::Url::parse(address) {
        let decoded = |text: &str| percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned();
        let mut password = url.password().map(decoded);
        let all: Vec<(String, String)> = url.query_pairs().into_owned().collect();
        url.set_query(None);
        for (name, value) in all {
            match name.as_str() {
                "password" => password = Some(value),
                // Only we know it.
                "statement-cache-capacity" => {}
                _ => {
                    url.query_pairs_mut().append_pair(&name, &value);
                }
            }
        }
        if url.set_password(None).is_ok() {
            plain = url.into();
        }
        if let Some(password) = password {
            command.env("PGPASSWORD", password);
        }
    }
    command.arg("--no-password").arg("--dbname").arg(plain);
    command.stdin(Stdio::null()).kill_on_drop(true);
    command
}

async fn run(program: &'static str, mut command: Command) -> Result<(), StoreError> {
    let Output { status, stderr, .. } = command.output().await.map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => StoreError::ProgramMissing(program),
        _ => StoreError::ProgramFailed { program, why: error.to_string() },
    })?;
    if status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&stderr);
    // The first line has the reason; those after it repeat it or give hints.
    let why = said.lines().find(|line| line.contains("error:")).or(said.lines().next());
    let why = why.map_or_else(|| status.to_string(), |line| line.trim().to_owned());
    Err(StoreError::ProgramFailed { program, why })
}
