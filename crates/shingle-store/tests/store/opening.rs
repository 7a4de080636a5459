use std::collections::BTreeMap;
use std::sync::Arc;

use shingle_store::{OpenFault, Secret, Store, StoreError};
use shingle_store_fixture::{Fixture, ManualClock, PgCluster, on_both_engines};
use tokio::task::JoinSet;

async fn open(address: &str, secret: &Secret) -> Result<Store, StoreError> {
    Store::open(address, Arc::new(ManualClock::at("2026-03-10T12:00:00Z")), secret).await
}

on_both_engines! {
    async fn a_database_is_opened_again_with_all_in_it(f: Fixture) {
        let account = f.store.accounts().create("Acme").await.unwrap();
        let second = f.open_again().await;
        assert_eq!(second.accounts().find(account.id).await.unwrap(), Some(account));
        second.check_writable().await.unwrap();
        second.close().await.unwrap();
        assert!(second.check_writable().await.is_err(), "closed is closed");
    }

    async fn the_clock_of_a_database_server_is_read_and_a_file_has_none(f: Fixture) {
        let seen = f.store.database_clock().await.unwrap();
        assert_eq!(seen.is_some(), f.address.starts_with("postgres"));
        // Neither the test's clock, which is in March, nor another unit of time.
        let at = |seconds: i64| shingle_domain::Timestamp::from_micros(seconds * 1_000_000);
        assert!(seen.is_none_or(|seen| seen > at(1_777_593_600) && seen < at(4_900_000_000)), "{seen:?}");
    }

    async fn ids_sort_as_they_were_made_even_while_the_clock_stands_still(f: Fixture) {
        let mut ids = Vec::new();
        for _ in 0..10_000 {
            ids.push(f.store.new_id().unwrap());
        }
        // Another millisecond begins at a random number of its own; a clock that is set back makes no older id.
        f.clock.advance(std::time::Duration::from_secs(10));
        ids.push(f.store.new_id().unwrap());
        f.clock.set("2020-01-01T00:00:00Z");
        ids.push(f.store.clone().new_id().unwrap());
        assert!(ids.is_sorted_by(|a, b| a < b && a.to_string() < b.to_string()));
        assert!(ids.iter().all(|id| id.get_version_num() == 7 && id.get_variant() == uuid::Variant::RFC4122));
    }

    async fn another_secret_is_told_at_once(f: Fixture) {
        let other = Secret::from_bytes([8; 32]);
        assert!(matches!(open(&f.address, &other).await, Err(StoreError::SecretMismatch)));
    }
}

#[tokio::test]
async fn an_empty_file_is_no_new_installation() {
    let f = Fixture::on_sqlite().await;
    f.store.close().await.unwrap();
    let path = f.address.strip_prefix("sqlite://").unwrap();
    std::fs::write(path, "").unwrap();
    let refused = open(&f.address, &Fixture::SECRET).await.err().unwrap();
    assert!(
        matches!(refused, StoreError::EmptyFile(_)) && refused.to_string().contains("put back a copy"),
        "{refused}"
    );
    assert_eq!(std::fs::metadata(path).unwrap().len(), 0, "nothing is written");
    std::fs::remove_file(path).unwrap();
    open(&f.address, &Fixture::SECRET).await.unwrap();
}

/// Eight openings at once of one new database.
async fn rush(address: String) {
    let mut openings = JoinSet::new();
    for _ in 0..8 {
        let address = address.clone();
        openings.spawn(async move { open(&address, &Fixture::SECRET).await.map(|_| ()) });
    }
    for opened in openings.join_all().await {
        opened.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_may_open_a_new_file_at_once() {
    let folder = tempfile::tempdir().unwrap();
    rush(format!("sqlite://{}", folder.path().join("not/yet/there.db").display())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_postgres_database_that_is_missing_is_made_and_many_may_open_it_at_once() {
    let Some(cluster) = PgCluster::shared() else { return };
    let address = cluster.address("brand_new");
    open(&address, &Fixture::SECRET).await.unwrap().close().await.unwrap();
    rush(address).await;
}

#[tokio::test]
async fn an_address_that_is_none_is_refused_with_the_forms_that_are() {
    for address in [
        "",
        "shingle.db",
        "sqlite:",
        "sqlite://",
        "sqlite://:memory:",
        "mysql://root:hunter2@db/x",
        "postgres:hunter2@db",
    ] {
        let refused = open(address, &Fixture::SECRET).await.err().expect(address).to_string();
        assert!(refused.contains("sqlite://PATH or postgres://"), "{refused}");
        assert!(!refused.contains("hunter2"), "{refused}");
    }
}

#[tokio::test]
async fn a_password_is_in_no_error() {
    for address in [
        "postgres://ann:hunter2@127.0.0.1:1/x",
        "postgres://ann@127.0.0.1:1/x?password=hunter2",
        "postgres://ann:hunter2@[broken/x",
    ] {
        let error = open(address, &Fixture::SECRET).await.err().expect(address);
        assert!(!format!("{error} {error:?}").contains("hunter2"), "{error:?}");
    }
}

#[tokio::test]
async fn a_file_that_is_no_database_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    std::fs::write(&path, "not a database, but somebody's notes".repeat(50)).unwrap();
    let before = std::fs::read(&path).unwrap();
    let refused = open(&format!("sqlite://{}", path.display()), &Fixture::SECRET).await;
    assert!(matches!(refused, Err(StoreError::Open { .. })));
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn a_secret_is_made_once_and_read_after_that() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("secret");
    let made = std::thread::scope(|scope| {
        let threads = [(); 4].map(|()| scope.spawn(|| Secret::load_or_create(&path).unwrap().derive("test")));
        threads.map(|thread| thread.join().unwrap())
    });
    assert!(made.iter().all(|secret| *secret == made[0]));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no drafts are left");
    assert_eq!(format!("{:?}", Secret::load_or_create(&path).unwrap()), "Secret([redacted])");
    #[cfg(unix)]
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&path).unwrap().permissions()) & 0o077, 0);
    std::fs::write(&path, "half a secr").unwrap();
    assert!(matches!(Secret::load_or_create(&path), Err(StoreError::SecretForm)));
}

/// The engines must hold the same tables with the same columns.
#[tokio::test]
async fn both_engines_have_the_same_tables_and_columns() {
    use sqlx::Connection;
    let Some(postgres) = Fixture::on_postgres().await else { return };
    let sqlite = Fixture::on_sqlite().await;
    let mut pg = sqlx::PgConnection::connect(&postgres.address).await.unwrap();
    let mut lite = sqlx::SqliteConnection::connect(&sqlite.address).await.unwrap();
    let there: Vec<(String, String, bool)> = sqlx::query_as(
        "SELECT table_name::text, column_name::text, is_nullable = 'YES' FROM information_schema.columns WHERE table_schema = 'public'",
    )
    .fetch_all(&mut pg)
    .await
    .unwrap();
    let here: Vec<(String, String, bool)> = sqlx::query_as(
        "SELECT t.name, c.name, NOT c.\"notnull\" FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'",
    )
    .fetch_all(&mut lite)
    .await
    .unwrap();
    let ours = |rows: Vec<(String, String, bool)>| {
        let rows = rows.into_iter().filter(|(table, ..)| table != "_sqlx_migrations");
        rows.map(|(table, column, null)| ((table, column), null)).collect::<BTreeMap<_, _>>()
    };
    let (there, here) = (ours(there), ours(here));
    assert!(here.len() > 50);
    assert_eq!(here, there);
}

/// As somebody copies a file who does not know that SQLite has several.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_was_copied_from_a_running_server_without_its_log_says_so() {
    let f = Fixture::on_sqlite().await;
    let here = |name: &str| f.folder.as_ref().unwrap().path().join(name);
    let open = async |name: &str| {
        let address = format!("sqlite://{}", here(name).display());
        Store::open(&address, f.clock.clone(), &Fixture::SECRET).await.unwrap()
    };
    let serving = open("served.db").await;
    assert!(!serving.may_lack_its_newest_rows().await.unwrap(), "a new one");
    serving.begin_serving().await.unwrap();
    serving.accounts().create("Oak").await.unwrap();
    std::fs::copy(here("served.db"), here("careless.db")).unwrap();
    for end in ["", "-wal", "-shm"] {
        // A killed server leaves the same files that are there while it runs.
        for copy in ["careful.db", "killed.db"] {
            std::fs::copy(here(&format!("served.db{end}")), here(&format!("{copy}{end}"))).unwrap();
        }
    }
    // A command beside the server.
    let beside = open("served.db").await;
    assert!(!beside.may_lack_its_newest_rows().await.unwrap());
    beside.close().await.unwrap();
    let careless = open("careless.db").await;
    assert!(careless.may_lack_its_newest_rows().await.unwrap());
    assert!(careless.accounts().list().await.unwrap().is_empty(), "it lacks the newest row");
    careless.close().await.unwrap();
    let again = open("careless.db").await;
    assert!(again.may_lack_its_newest_rows().await.unwrap(), "it lacks it after any command");
    again.close().await.unwrap();
    // The first command after the kill folds the log in, and the next one finds none.
    for _ in 0..3 {
        let command = open("killed.db").await;
        assert!(!command.may_lack_its_newest_rows().await.unwrap());
        assert_eq!(command.accounts().list().await.unwrap().len(), 1);
        command.close().await.unwrap();
        assert!(!here("killed.db-wal").exists());
    }
    let careful = open("careful.db").await;
    assert!(!careful.may_lack_its_newest_rows().await.unwrap());
    assert_eq!(careful.accounts().list().await.unwrap().len(), 1);
    careful.close().await.unwrap();
    serving.end_serving().await.unwrap();
    serving.close().await.unwrap();
    std::fs::copy(here("served.db"), here("after.db")).unwrap();
    let after = open("after.db").await;
    assert!(!after.may_lack_its_newest_rows().await.unwrap());
    assert_eq!(after.accounts().list().await.unwrap().len(), 1);
    after.close().await.unwrap();
}

/// As the program of yesterday finds the tables of tomorrow.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_of_a_newer_version_is_refused() {
    let f = Fixture::on_sqlite().await;
    f.store.close().await.unwrap();
    f.run(
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES (9999, 'of tomorrow', TRUE, x'00', 0)",
    )
    .await;
    let refused = open(&f.address, &Fixture::SECRET).await.err().unwrap();
    assert_eq!(refused.open_fault(), OpenFault::Newer);
    let said = refused.to_string();
    assert!(said.contains("a newer version of Shingle") && said.contains("change 9999"), "{said}");
}
