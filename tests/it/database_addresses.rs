//! Mistakes in the address of a database, in the rights of its role and in the pooler before it: each is named with what to
//! type.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use shingle_app::OperatorError;
use shingle_store::{Store, StoreError};
use shingle_store_fixture::{Fixture, ManualClock, PgCluster};

use crate::support::wire::Wire;

const PREPARED: &[&str] = &[
    "CREATE ROLE poor LOGIN",
    "CREATE ROLE guarded LOGIN PASSWORD 'pa#s/s?1'",
    "CREATE ROLE asleep NOLOGIN",
    "CREATE ROLE limited LOGIN CONNECTION LIMIT 0",
    "CREATE DATABASE mine",
    "CREATE DATABASE closed",
    "REVOKE CONNECT ON DATABASE closed FROM PUBLIC",
    "CREATE DATABASE frozen OWNER poor",
    "ALTER DATABASE frozen SET default_transaction_read_only = on",
    "CREATE DATABASE theirs OWNER limited",
];

/// What the operator reads, or nothing where it opens.
async fn told(address: &str) -> Option<String> {
    let opened = Store::open(address, Arc::new(ManualClock::at("2026-03-10T12:00:00Z")), &Fixture::SECRET).await;
    match opened {
        Ok(store) => {
            store.close().await.unwrap();
            None
        }
        Err(error @ StoreError::Open { .. }) => Some(OperatorError::from(error).to_string()),
        Err(other) => panic!("{address}: {other}"),
    }
}

/// What the hint says to type in psql.
fn typed(told: &str) -> String {
    told.split_once("as a superuser: ").unwrap_or_else(|| panic!("{told}")).1.trim().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mistake_in_an_address_or_in_the_rights_of_a_role_is_told_with_what_to_type() {
    let Some(cluster) = PgCluster::durable() else {
        return shingle_testing::skip("PostgreSQL (initdb and pg_ctl) is not installed");
    };
    for sql in PREPARED {
        cluster.run(sql).await;
    }
    let rules = cluster.folder().join("data/pg_hba.conf");
    let trusting = std::fs::read_to_string(&rules).unwrap();
    std::fs::write(&rules, format!("local all guarded scram-sha-256\n{trusting}")).unwrap();
    cluster.run("SELECT pg_reload_conf()").await;
    let wire = Wire::lay(&cluster.address("mine").parse().unwrap()).await;
    let (plain, folder) = (wire.address.clone(), cluster.folder().display().to_string());
    let of = |user: &str, database: &str| format!("postgres://{user}@localhost/{database}?host={folder}");

    // Typing what the hint says is enough.
    for (user, database, statement) in [
        ("poor", "mine", "ALTER DATABASE \"mine\" OWNER TO \"poor\";"),
        ("poor", "closed", "ALTER DATABASE \"closed\" OWNER TO \"poor\";"),
        ("poor", "nowhere", "CREATE DATABASE \"nowhere\" OWNER \"poor\";"),
        ("poor", "frozen", "ALTER DATABASE \"frozen\" RESET default_transaction_read_only;"),
        ("poor", "two%20words", "CREATE DATABASE \"two words\" OWNER \"poor\";"),
        ("poor", "a%22b", "CREATE DATABASE \"a\"\"b\" OWNER \"poor\";"),
        ("limited", "theirs", "ALTER ROLE \"limited\" CONNECTION LIMIT -1;"),
    ] {
        let address = of(user, database);
        let said = told(&address).await.unwrap_or_else(|| panic!("{address} is opened"));
        assert_eq!(typed(&said), statement, "{said}");
        cluster.run(statement).await;
        assert_eq!(told(&address).await, None, "{address}");
    }

    for (address, hints) in [
        (of("guarded:wrong", "mine"), ["password", "%23"]),
        (of("guarded", "mine"), ["password", "%23"]),
        (of("guarded:pa%s", "mine"), ["password", "% as %25"]),
        (of("nobody:pa", "mine"), ["role", "%23"]),
        (of("asleep", "mine"), ["role", "%23"]),
        // A password that is not written as addresses have it ends the address.
        (of("guarded:pa#s/s?1", "mine"), ["--database", "# as %23"]),
        (of("guarded:pa/s", "mine"), ["--database", "/ as %2F"]),
        (of("guarded:pa?s", "mine"), ["--database", "? as %3F"]),
        (of("guarded:12#4", "mine"), ["--database", "# as %23"]),
        (of("guarded:12/4", "mine"), ["--database", "/ as %2F"]),
        (of("guarded:12?4", "mine"), ["--database", "? as %3F"]),
        ("postgres://poor@127.0.0.1:1/mine".to_owned(), ["database runs", "port"]),
        (format!("postgres://poor@localhost/mine?host={folder}/none"), ["database runs", "host"]),
        ("postgres://poor@no-such-host.invalid/mine".to_owned(), ["database runs", "host"]),
        (format!("{plain}?sslmode=require"), ["sslmode=disable", "sslrootcert"]),
    ] {
        let said = told(&address).await.unwrap_or_else(|| panic!("{address} is opened"));
        for part in hints {
            assert!(said.contains(part), "{address}: {said}");
        }
        for secret in ["pa#", "s/s", "s?1", "wrong", ":12", "4@", "12#", "pa%"] {
            assert!(!said.contains(secret), "{address}: {said}");
        }
    }
    // Written as the hint says, it is the right one.
    let said = told(&of("guarded:pa%23s%2Fs%3F1", "fresh")).await.unwrap();
    assert_eq!(typed(&said), "CREATE DATABASE \"fresh\" OWNER \"guarded\";");
}

/// PgBouncer before a cluster.
struct Pooler {
    process: Child,
    folder: tempfile::TempDir,
}

impl Drop for Pooler {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

const PORT: u16 = 6432;
const PAUSE: Duration = Duration::from_millis(50);
const PATIENCE: Duration = Duration::from_secs(60);

impl Pooler {
    async fn start(cluster: &Path, mode: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path().display().to_string();
        // It runs as another user.
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
        std::fs::write(folder.path().join("users"), "\"shingle\" \"\"\n").unwrap();
        let settings = format!(
            "[databases]\n* = host={}\n[pgbouncer]\nunix_socket_dir = {here}\nlisten_port = {PORT}\nauth_type = trust\n\
            auth_file = {here}/users\npool_mode = {mode}\n",
            cluster.display(),
        );
        let file = folder.path().join("pgbouncer.ini");
        std::fs::write(&file, settings).unwrap();
        let owner = std::os::unix::fs::MetadataExt::uid(&std::fs::metadata(cluster).unwrap());
        // As the owner of the cluster: it does not run as root.
        let mut command = Command::new("setpriv");
        command.args(["--reuid", &owner.to_string(), "--clear-groups", "pgbouncer", "-q"]).arg(&file);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let Ok(process) = command.spawn() else {
            shingle_testing::skip("setpriv is not installed");
            return None;
        };
        let mut pooler = Self { process, folder };
        let socket = pooler.folder.path().join(format!(".s.PGSQL.{PORT}"));
        let listening = async {
            while tokio::net::UnixStream::connect(&socket).await.is_err() {
                assert!(pooler.process.try_wait().unwrap().is_none(), "PgBouncer has ended");
                tokio::time::sleep(PAUSE).await;
            }
        };
        tokio::time::timeout(PATIENCE, listening).await.expect("a pooler that listens");
        Some(pooler)
    }

    fn address(&self, database: &str) -> String {
        format!("postgres://shingle@localhost:{PORT}/{database}?host={}", self.folder.path().display())
    }
}

fn has_pgbouncer() -> bool {
    Command::new("pgbouncer").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pooler_that_shares_connections_is_refused_by_name_and_one_that_keeps_them_serves() {
    if !has_pgbouncer() {
        return shingle_testing::skip("PgBouncer is not installed");
    }
    let Some(cluster) = PgCluster::shared() else {
        return shingle_testing::skip("PostgreSQL (initdb and pg_ctl) is not installed");
    };
    let (address, _database) = cluster.passing_database().await;
    let name = address.split(['/', '?']).nth(3).unwrap();
    for mode in ["transaction", "statement"] {
        let Some(pooler) = Pooler::start(cluster.folder(), mode).await else { return };
        // Also when others have used it before.
        for _ in 0..2 {
            let said = told(&pooler.address(name)).await.unwrap_or_else(|| panic!("{mode} is taken"));
            assert!(said.contains("pool_mode = session") && said.contains("PgBouncer"), "{mode}: {said}");
        }
    }
    let Some(pooler) = Pooler::start(cluster.folder(), "session").await else { return };
    let fixture = Fixture::at(pooler.address(name)).await;
    let account = fixture.store.accounts().create("Oak Roofing").await.unwrap();
    fixture.store.close().await.unwrap();
    assert_eq!(fixture.open_again().await.accounts().find(account.id).await.unwrap(), Some(account));
}
