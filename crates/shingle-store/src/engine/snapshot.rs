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

fn client(program: &str, address: &str) -> Command {
    let mut command = Command::new(program);
    let ClientAddress { plain, password } = ClientAddress::of(address);
    if let Some(password) = password {
        command.env("PGPASSWORD", password);
    }
    command.arg("--no-password").arg("--dbname").arg(plain);
    command.stdin(Stdio::null()).kill_on_drop(true);
    command
}

/// An address as PostgreSQL's own programs read it.
#[derive(Debug, PartialEq, Eq)]
struct ClientAddress {
    plain: String,
    /// It goes by the environment, which other users of the machine cannot read.
    password: Option<String>,
}

impl ClientAddress {
    fn of(address: &str) -> Self {
        let Ok(url) = url::Url::parse(address) else { return Self { plain: address.to_owned(), password: None } };
        let decoded = |text: &str| percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned();
        let mut password = url.password().map(decoded);
        let (mut pairs, mut options) = (Vec::new(), Vec::new());
        for (name, value) in url.query_pairs().into_owned() {
            // Names of our own library.
            let name = match name.as_str() {
                "password" => {
                    password = Some(value);
                    continue;
                }
                "statement-cache-capacity" => continue,
                "ssl-mode" => "sslmode",
                "ssl-root-cert" | "ssl-ca" => "sslrootcert",
                "ssl-cert" => "sslcert",
                "ssl-key" => "sslkey",
                "options" => {
                    options.push(value);
                    continue;
                }
                other => match other.strip_prefix("options[").and_then(|name| name.strip_suffix(']')) {
                    Some(setting) => {
                        options.push(format!("-c {setting}={value}"));
                        continue;
                    }
                    None => other,
                },
            };
            pairs.push((name.to_owned(), value));
        }
        if !options.is_empty() {
            pairs.push(("options".to_owned(), options.join(" ")));
        }
        // A space is %20 there, and + is itself.
        let encoded =
            |text: &str| percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string();
        let query: Vec<String> = pairs.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        let user = if url.username().is_empty() { String::new() } else { format!("{}@", url.username()) };
        let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
        let mark = if query.is_empty() { "" } else { "?" };
        let plain = format!(
            "postgresql://{user}{}{port}{}{mark}{}",
            url.host_str().unwrap_or_default(),
            url.path(),
            query.join("&")
        );
        Self { plain, password }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_one_of_postgres_itself_and_the_password_is_not_in_it() {
        for (address, plain, password) in [
            ("postgres://ann:hunter2@db:5433/x", "postgresql://ann@db:5433/x", Some("hunter2")),
            ("postgres://a%40b:h%2F2@db/x", "postgresql://a%40b@db/x", Some("h/2")),
            (
                "postgres:///x?host=/run/postgresql&password=h+2",
                "postgresql:///x?host=%2Frun%2Fpostgresql",
                Some("h 2"),
            ),
            (
                "postgres://db/x?options=-c%20search_path%3Droofs&statement-cache-capacity=0",
                "postgresql://db/x?options=%2Dc%20search%5Fpath%3Droofs",
                None,
            ),
            (
                "postgres://db/x?options[search_path]=roofs",
                "postgresql://db/x?options=%2Dc%20search%5Fpath%3Droofs",
                None,
            ),
            (
                "postgres://db/x?ssl-mode=verify-full&ssl-root-cert=/a%20b",
                "postgresql://db/x?sslmode=verify%2Dfull&sslrootcert=%2Fa%20b",
                None,
            ),
            ("postgres://[::1]/x?sslmode=disable", "postgresql://[::1]/x?sslmode=disable", None),
        ] {
            let expected = ClientAddress { plain: plain.to_owned(), password: password.map(str::to_owned) };
            assert_eq!(ClientAddress::of(address), expected, "{address}");
        }
    }
}
